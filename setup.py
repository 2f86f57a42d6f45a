"""Put the bundled knowledge base, ``kb/`` at the root, into the built package.

Everything else about the build is declared in ``pyproject.toml``.
"""

from pathlib import Path
from shutil import copytree, rmtree

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithKnowledgeBase(build_py):
    """Copies ``kb/`` to ``lastro/kb/`` of a wheel; an editable install reads it."""

    def run(self) -> None:
        """Build the modules as always, then lay the knowledge base beside them."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "lastro" / "kb"
        rmtree(target, ignore_errors=True)  # a card that was removed stays removed
        copytree(Path(__file__).parent / "kb", target, dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithKnowledgeBase})
