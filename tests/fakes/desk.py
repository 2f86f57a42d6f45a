"""A tiny folder of documents, small enough to know by heart."""

from pathlib import Path

CARDS = {
    "en/guest-code.md": """---
title: Guest codes
locale: en
---
# Guest codes

A guest code opens the wireless network for visitors. It is valid for 24 hours.
One code works on 3 devices.
""",
    "en/printing.md": """---
title: Printing
locale: en
---
# Printing

Every student prints 400 pages a semester for free. A colour page costs 16 pence.
""",
    "pt/senha.md": """---
title: Trocar a senha
locale: pt-BR
---
# Trocar a senha

A senha nova precisa ter pelo menos 14 caracteres. Ela vale por 365 dias.
""",
}


def write(folder: Path) -> Path:
    """Write the documents below ``folder`` and return it."""
    for name, text in CARDS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return folder
