"""The composition root: settings and real parts become a knowledge base in use.

Only here are parts picked, the environment read, and time and identity made.
"""

from lastro.compose.base import KnowledgeBase
from lastro.compose.configure import (
    POLICIES,
    Settings,
    chosen,
    describe_settings,
    settings,
)
from lastro.compose.opening import open  # noqa: A004  (lastro.open)
from lastro.compose.parts import PROVIDERS, SYSTEMS, make_provider

__all__ = [
    "POLICIES",
    "PROVIDERS",
    "SYSTEMS",
    "KnowledgeBase",
    "Settings",
    "chosen",
    "describe_settings",
    "make_provider",
    "open",
    "settings",
]
