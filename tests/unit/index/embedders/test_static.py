"""The static embedder: one table, any number of texts, the same bits every time."""

import os
import subprocess
import sys
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from lastro.errors import EmbedderError
from lastro.index.embedders.static import FILE, Static, segmented
from lastro.index.embedders.table import opened, packed

SENTENCES = {
    "en": "How do I change the password of my account?",
    "es": "¿Cómo cambio la contraseña de mi cuenta?",
    "pt": "Como altero a senha da minha conta?",
    "ko": "내 계정의 비밀번호를 어떻게 바꾸나요?",
}
UNRELATED = {
    "en": "The library opens at nine on weekdays.",
    "es": "La biblioteca abre a las nueve los días laborables.",
    "pt": "A biblioteca abre às nove nos dias úteis.",
    "ko": "도서관은 평일 아홉 시에 문을 엽니다.",
}


@pytest.fixture(scope="module")
def static() -> Static:
    return Static()


def test_rows_have_length_one(static: Static) -> None:
    rows = static.passages([*SENTENCES.values(), *UNRELATED.values()])
    assert rows.shape == (8, static.identity.dimension)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("asked", SENTENCES)
@pytest.mark.parametrize("answered", SENTENCES)
def test_a_translation_is_nearer_than_an_unrelated_sentence(
    static: Static, asked: str, answered: str
) -> None:
    question = static.query(SENTENCES[asked])
    near, far = static.passages([SENTENCES[answered], UNRELATED[answered]])
    assert question @ near > question @ far + 0.1


def test_a_query_is_embedded_as_a_passage_is(static: Static) -> None:
    text = SENTENCES["pt"]
    assert static.query(text).tobytes() == static.passages([text])[0].tobytes()


def test_the_same_text_gives_the_same_bits_in_any_batch(static: Static) -> None:
    texts = [*SENTENCES.values(), *UNRELATED.values()]
    together = static.passages(texts)
    for row, text in zip(together, texts, strict=True):
        assert static.passages([text])[0].tobytes() == row.tobytes()
    assert static.passages(texts[::-1])[::-1].tobytes() == together.tobytes()


def test_threads_may_share_one() -> None:
    texts = [f"{text} {number}" for text in SENTENCES.values() for number in range(50)]
    alone = [row.tobytes() for row in Static().passages(texts)]
    shared = Static()
    with ThreadPoolExecutor(8) as pool:
        assert [row.tobytes() for row in pool.map(shared.query, texts)] == alone


@pytest.mark.parametrize("text", ["", " \n", "?!… —", "\U00012000\U00012001"])
def test_a_text_in_which_nothing_is_known_gives_zeros(
    static: Static, text: str
) -> None:
    assert static.tokens(text) == 0
    assert not static.query(text).any()
    assert static.passages(["account", text])[1].tobytes() == bytes(
        4 * static.identity.dimension
    )


def test_no_texts_give_no_rows(static: Static) -> None:
    assert static.passages([]).shape == (0, static.identity.dimension)


def test_case_and_the_form_of_accents_do_not_count(static: Static) -> None:
    plain = static.query("a licitação pública")
    for other in ("A LICITAÇÃO PÚBLICA", "A Licitação, pública!"):
        assert static.query(other).tobytes() == plain.tobytes()
        apart = unicodedata.normalize("NFD", other)
        assert static.query(apart).tobytes() == plain.tobytes()


def test_a_word_without_end_costs_little(static: Static) -> None:
    began = time.process_time()
    vector = static.query("x" * 100_000 + " account " + "\ud800")
    assert time.process_time() - began < 2
    assert np.isfinite(vector).all()


def test_it_says_what_it_is(static: Static) -> None:
    assert static.identity.name == "static"
    assert static.identity.query_prefix == static.identity.passage_prefix == ""
    assert static.window == 0
    assert not static.costly


def test_it_opens_quickly(static: Static) -> None:
    assert static
    began = time.process_time()
    Static()
    assert time.process_time() - began < 0.2


def test_the_revision_is_the_hash_of_the_table() -> None:
    table = opened(FILE)
    assert packed(table.pieces, table.scores, table.rows) == FILE.read_bytes()


def test_the_least_costly_cut_wins() -> None:
    scores = {"a": -1.0, "b": -1.0, "ab": -3.0, "abc": -3.0, "c": -1.5}
    assert segmented("abc", scores, 3) == ["abc"]
    assert segmented("ab", scores, 3) == ["a", "b"]
    assert segmented("", scores, 3) == []


def test_a_missing_table_is_said_for_people(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"cannot be read: .*none\.bin") as caught:
        Static(tmp_path / "none.bin")
    assert "--legs lexical" in caught.value.hint


def test_a_torn_table_is_said_for_people(tmp_path: Path) -> None:
    whole = packed(
        ["\u2581a", "b"], [-1.0, -2.0], np.array([[3, 4], [0, 1]], dtype=np.int8)
    )
    torn = tmp_path / "torn.bin"
    torn.write_bytes(whole)
    np.testing.assert_allclose(Static(torn).query("a"), [0.6, 0.8], rtol=1e-6)
    for kept in range(len(whole)):
        torn.write_bytes(whole[:kept])
        with pytest.raises(EmbedderError, match=r"torn\.bin"):
            Static(torn)
    for strange in (b"PK\x03\x04" * 50, whole.replace(b'"pieces"', b'"others"')):
        torn.write_bytes(strange)
        with pytest.raises(EmbedderError, match=r"is damaged"):
            Static(torn)


def test_another_process_gives_the_same_bits(static: Static) -> None:
    code = (
        "import sys; from lastro.index.embedders.static import Static;"
        "sys.stdout.write(Static().query(sys.argv[1]).tobytes().hex())"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, SENTENCES["ko"]],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert told.stdout == static.query(SENTENCES["ko"]).tobytes().hex()
