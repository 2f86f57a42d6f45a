"""Language tags as people write them become the one form that is compared."""

import re
from functools import lru_cache

_TAG = re.compile(
    r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|[0-9]{3}))?((?:-[a-z0-9]{2,8})*)",
    re.IGNORECASE,
)
# Three letters where the standard asks for two: what people and other tools write.
_SHORTER = {
    "deu": "de", "eng": "en", "fra": "fr", "ita": "it", "jpn": "ja",
    "kor": "ko", "por": "pt", "spa": "es", "zho": "zh",
}  # fmt: skip


@lru_cache(maxsize=256)
def canonical(tag: str) -> str:
    """Return ``tag`` as a BCP-47 tag, or the empty string if it is none.

    >>> canonical("pt_br"), canonical("ES-419"), canonical("en_US.UTF-8")
    ('pt-BR', 'es-419', 'en-US')
    >>> canonical("zh-hant-tw"), canonical("Portuguese"), canonical("C")
    ('zh-Hant-TW', '', '')
    """
    bare = tag.strip().partition(".")[0].partition("@")[0].replace("_", "-")
    match = _TAG.fullmatch(bare)
    if match is None:
        return ""
    language, script, region, rest = match.groups(default="")
    language = language.lower()
    parts = [_SHORTER.get(language, language), script.title(), region.upper()]
    return "-".join(part for part in parts if part) + rest.lower()
