"""Which document it is does not depend on the machine; its version on all of it."""

import unicodedata
from dataclasses import replace

import pytest

from lastro.corpus.found import Readable, Skipped, Unreadable
from lastro.corpus.identity import LONGEST, Place, finish, place_id, wrong_with
from lastro.corpus.read.draft import Draft, Refusal
from lastro.model.document import Document, Heading, Span

DRAFT = Draft(text="The printer is on the second floor.", title="Printers")
PLACE = Place(source="docs/a.md", path="a.md")


def finished(draft: Draft, place: Place = PLACE) -> Document:
    found = finish(draft, place)
    assert isinstance(found, Readable)
    return found.document


def test_the_id_is_the_path_unless_the_document_has_its_own() -> None:
    assert finished(DRAFT).id == "a.md"
    assert finished(replace(DRAFT, id="own")).id == "own"


def test_a_name_from_macos_gives_the_same_id_and_stays_to_be_shown() -> None:
    """I44: names from macOS are decomposed and were not found."""
    name = unicodedata.normalize("NFD", "한글/설치.md")

    document = finished(DRAFT, Place(source="x", path=name))

    assert document.id == unicodedata.normalize("NFC", name)
    assert document.metadata["name"] == document.id
    assert "name" not in finished(DRAFT).metadata


def test_a_known_file_keeps_its_id_and_version_below_another_root() -> None:
    name = unicodedata.normalize("NFD", "설치.md")
    alone = Place(source="x", path=name, file=f"/docs/ko/{name}")
    below = replace(alone, path=f"ko/{name}", known=unicodedata.normalize("NFC", name))

    assert finished(DRAFT, below).id == finished(DRAFT, alone).id
    assert finished(DRAFT, below).version == finished(DRAFT, alone).version
    assert finished(replace(DRAFT, id="own"), below).id == "own"


def test_an_id_from_a_path_can_always_be_printed() -> None:
    assert place_id("a\nb\u202e\u00a0\udc80.md") == "a\ufffdb\ufffd \ufffd.md"


@pytest.mark.parametrize(
    ("identifier", "wrong"),
    [
        ("a" * LONGEST, ""),
        ("a" * (LONGEST + 1), "the id is longer than 512 characters"),
        ("a\0", "the id holds a character that cannot be printed (U+0000)"),
        ("\u202egpj", "the id holds a character that cannot be printed (U+202E)"),
        (" a", "the id begins or ends with a blank"),
        ("", "no id"),
        ("../a b/../한글", ""),
    ],
)
def test_an_id_is_printable_and_short(identifier: str, wrong: str) -> None:
    """I45, I46: names in ids are data, never the place of a file."""
    assert wrong_with(identifier) == wrong


def test_a_wrong_id_is_said_and_not_mended() -> None:
    found = finish(replace(DRAFT, id="a\tb"), PLACE)

    assert isinstance(found, Unreadable)
    assert "U+0009" in found.why


def test_the_version_changes_with_everything_that_is_read() -> None:
    """I34: an edited file was a new document beside the old one."""
    version = finished(DRAFT).version
    heading = Heading(start=0, end=3, level=1, text="The")
    changed = (
        replace(DRAFT, text="The printer is on the third floor."),
        replace(DRAFT, title="Printer"),
        replace(DRAFT, locale="pt"),
        replace(DRAFT, collection="help"),
        replace(DRAFT, headings=(heading,)),
        replace(DRAFT, headings=(replace(heading, level=2),)),
        replace(DRAFT, whole=(Span(0, 3),)),
        replace(DRAFT, metadata={"topics": "print"}),
    )

    versions = {finished(draft).version for draft in changed}

    assert len(versions) == len(changed)
    assert version not in versions
    assert all(finished(draft).id == "a.md" for draft in changed)


def test_the_version_is_the_same_wherever_the_document_lies() -> None:
    place = Place(source="/elsewhere/b.md", path="b.md")

    assert finished(DRAFT).version == finished(DRAFT, place).version
    assert finished(replace(DRAFT, id="x")).version == finished(DRAFT).version


def test_the_version_is_pinned() -> None:
    """A new hash would make every document of every knowledge base an update."""
    assert finished(DRAFT).version[:16] == "8f4b08dbea3138a1"


def test_a_given_locale_goes_before_the_default_and_that_before_a_guess() -> None:
    place = replace(PLACE, locale="es_419")

    given = finished(replace(DRAFT, locale="pt_BR"), place)
    default = finished(DRAFT, place)
    guessed = finished(DRAFT)

    assert (given.locale, given.locale_detected) == ("pt-BR", False)
    assert (default.locale, default.locale_detected) == ("es-419", False)
    assert (guessed.locale, guessed.locale_detected) == ("en", True)


def test_a_locale_that_is_none_is_kept_and_not_followed() -> None:
    document = finished(replace(DRAFT, locale="Englisch"))

    assert document.locale == "en"
    assert document.metadata["locale_given"] == "Englisch"


def test_a_text_without_a_language_has_no_locale() -> None:
    document = finished(replace(DRAFT, text="4711"))

    assert (document.locale, document.locale_detected) == ("", False)


def test_a_title_is_never_missing() -> None:
    bare = Draft(text="x", id="card-7")

    assert finished(bare, Place(source="c:1")).title == "card-7"
    assert finished(bare, Place(source="s", path="g/First steps.md")).title == (
        "First steps"
    )


def test_a_document_without_text_is_skipped() -> None:
    found = finish(Draft(text=" \n"), PLACE)

    assert found == Skipped(source="docs/a.md", why="no text", id="a.md")


@pytest.mark.parametrize(("broken", "kind"), [(True, Unreadable), (False, Skipped)])
def test_a_refusal_says_which_document_it_is_about(
    broken: bool, kind: type[Skipped | Unreadable]
) -> None:
    found = finish(Refusal("why not", broken=broken), PLACE)

    assert found == kind(source="docs/a.md", why="why not", id="a.md")
