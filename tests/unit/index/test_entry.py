"""A passage as the lexical index takes it."""

from lastro.index.entry import head_of, ranges


def test_tags_become_the_ranges_that_match_them() -> None:
    assert list(ranges("zh-Hant_TW")) == ["zh", "zh-hant", "zh-hant-tw"]
    assert list(ranges("")) == []
    assert list(ranges("es-419", detected=True)) == ["es", "es-419", "es-*"]
    assert list(ranges("", detected=True)) == []


def test_the_head_is_title_and_headings() -> None:
    assert head_of("T", ("A", "B")) == "T\nA\nB"
