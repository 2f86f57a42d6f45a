"""Front matter is plain texts; what could blow up is refused with its line."""

import pytest

from lastro.corpus.read.draft import Refusal
from lastro.corpus.read.front_matter import LIMIT, Parts, parts


def fields(block: str) -> object:
    found = parts(f"---\n{block}---\nbody")
    return found.fields if isinstance(found, Parts) else found.why


def test_every_scalar_stays_as_it_was_written() -> None:
    block = "id: 007\nlocale: no\nwhen: 2026-01-31\nat: 12:30\nn: 1_000\nx: ~\ny: ''\n"

    assert fields(block) == {
        "id": "007", "locale": "no", "when": "2026-01-31", "at": "12:30",
        "n": "1_000", "x": None, "y": "",
    }  # fmt: skip


def test_lists_objects_and_blocks_are_read() -> None:
    block = "# a note\na: [x, 'y: z']\nb:\n  - 1\n  - {c: d}\ne: |\n  two\n  lines\n"

    assert fields(block) == {
        "a": ["x", "y: z"],
        "b": ["1", {"c": "d"}],
        "e": "two\nlines\n",
    }


def test_the_body_begins_after_the_block() -> None:
    assert parts("---\na: b\n...\n# T\n") == ({"a": "b"}, "# T\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a: b\n---\n",
        "---\na: b\n",
        "---\n\nWords between two rules.\n\n---\n",
        "---\n- a\n---\n",
        " ---\na: b\n---\n",
        "---\na: b\n" + "x" * LIMIT + "\n---\n",
    ],
)
def test_a_text_without_front_matter_is_all_body(text: str) -> None:
    assert parts(text) == ({}, text)


@pytest.mark.parametrize(
    ("block", "why"),
    [
        ("a: b: c\n", "line 2: this is not valid YAML"),
        ("a: 1\nb: [x\n", "line 4: this is not valid YAML"),
        ("a: &x [1]\nb: *x\n", "line 2: anchors and aliases are not read"),
        ("a: 1\na: 2\n", "line 3: a is there twice"),
        ("a: 1\n[b]: 2\n", "line 3: a key is not a text"),
        ("a: " + "[" * 30 + "]" * 30 + "\n", "line 2: nested more than 20 deep"),
        ("a: b\x07\n", "this is not valid YAML"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(block: str, why: str) -> None:
    assert str(fields(block)).endswith(why)


def test_a_bomb_of_aliases_is_refused_at_once() -> None:
    bomb = "a: &a [x]\n" + "".join(
        f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )

    assert isinstance(parts(f"---\n{bomb}---\n"), Refusal)


def test_a_tag_makes_no_object() -> None:
    assert fields("a: !!python/object/apply:os.system [ls]\n") == {"a": ["ls"]}
