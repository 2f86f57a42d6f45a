"""Known fields are typed, the rest is kept as text, nothing is dropped."""

from lastro.corpus.read.draft import Draft, Refusal
from lastro.corpus.read.fields import Value, apply

DRAFT = Draft(text="x", title="from the text")


def applied(fields: dict[str, Value]) -> Draft:
    draft = apply(DRAFT, fields)
    assert isinstance(draft, Draft)
    return draft


def test_known_fields_go_where_they_belong() -> None:
    draft = applied({"id": 7, "title": "A\n  b", "lang": "pt_BR", "collection": "help"})

    assert (draft.id, draft.title) == ("7", "A b")
    assert (draft.locale, draft.collection) == ("pt_BR", "help")
    assert draft.metadata == {}


def test_nothing_said_changes_nothing() -> None:
    assert applied({"title": None, "id": "", "x": None}) == DRAFT


def test_the_rest_is_kept_as_text() -> None:
    rest: dict[str, Value] = {
        "topics": ["a", "b, c"], "n": 1.5, "yes": True, "deep": {"b": [1], "a": "é"},
        "source_url": "https://example.org/a", "mixed": ["a", {"b": 1}],
    }  # fmt: skip

    assert applied(rest).metadata == {
        "topics": "a\nb, c",
        "n": "1.5",
        "yes": "true",
        "deep": '{"a": "é", "b": [1]}',
        "source_url": "https://example.org/a",
        "mixed": '["a", {"b": 1}]',
    }


def test_the_metadata_of_a_beir_card_are_metadata() -> None:
    draft = applied({"url": "1", "metadata": {"url": "2", "title": "3", "year": 4}})

    assert draft.metadata == {
        "url": "1", "metadata.url": "2", "metadata.title": "3", "year": "4",
    }  # fmt: skip
    assert draft.title == "from the text"


def test_metadata_are_normalised() -> None:
    """I19: lone surrogates were rejected by the database."""
    assert applied({"a\ud800": "e\u0301\0"}).metadata == {"a\ufffd": "é\ufffd"}


def test_a_known_field_of_another_kind_is_named() -> None:
    assert apply(DRAFT, {"title": ["a"]}) == Refusal("title is a list, not a text")
    assert apply(DRAFT, {"id": True}) == Refusal("id is true or false, not a text")
    assert apply(DRAFT, {"lang": {}}) == Refusal("lang is an object, not a text")


def test_an_id_is_not_mended() -> None:
    assert applied({"id": " a  b "}).id == "a  b"
