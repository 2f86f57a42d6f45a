"""Judgements become cases: above zero is gold, and nothing is lost on the way."""

from pathlib import Path

import pytest

from lastro.errors import InputError
from lastro.eval.imports.qrels import Asked, Qrels, read_qrels


def qrels(folder: Path, text: str | bytes) -> Qrels:
    path = folder / "qrels.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_qrels(path)


def gold(found: Qrels) -> dict[str, tuple[str, ...]]:
    return {str(case.id): case.relevant_ids for case in found.cases()}


def refused(folder: Path, text: str | bytes) -> list[str]:
    with pytest.raises(InputError) as caught:
        qrels(folder, text)
    return [str(p).removeprefix(f"{folder}/") for p in caught.value.problems]


def test_what_is_judged_above_zero_is_gold_in_the_order_of_the_file(
    tmp_path: Path,
) -> None:
    found = qrels(tmp_path, "1 0 b 2\n2 0 a 1\n1 0 a 1\n1 0 c 0\n1 0 d -1\n")

    assert gold(found) == {"1": ("b", "a"), "2": ("a",)}
    assert found.warnings == ("judgements are graded up to 2: above 0 is gold",)


def test_a_query_judged_without_gold_stays_a_case_and_is_named(tmp_path: Path) -> None:
    found = qrels(tmp_path, "1 0 a 1\n2 0 a 0\n3 0 b -2\n")

    assert gold(found) == {"1": ("a",), "2": (), "3": ()}
    assert found.warnings == (
        "queries without a document judged above 0: 2 of 3, not measured: 2, 3",
    )


def test_the_text_of_a_query_is_its_id_where_there_is_none(tmp_path: Path) -> None:
    cases = qrels(tmp_path, "1 0 a 1\n2 0 a 1\n").cases({"1": Asked("why?", "en")})

    assert [case.query for case in cases] == ["why?", "2"]
    assert [case.locale for case in cases] == ["en", None]


def test_comments_are_passed_over_and_counted(tmp_path: Path) -> None:
    found = qrels(tmp_path, "# of 1999\n1 0 a 1\n# more\n1 0 CR#93 1\n")

    assert gold(found) == {"1": ("a", "CR#93")}
    assert found.warnings == ("comment lines, passed over: 2",)


def test_l21_a_header_is_no_judgement_and_is_told(tmp_path: Path) -> None:
    found = qrels(tmp_path, "query-id\tcorpus-id\tscore\nq\td\t1\n")

    assert gold(found) == {"q": ("d",)}
    assert found.warnings == ("line 1 is a header: query-id, corpus-id, score",)


def test_l21_without_a_header_the_first_judgement_counts(tmp_path: Path) -> None:
    found = qrels(tmp_path, "q\td\t1\nq\te\t1\n")

    assert gold(found) == {"q": ("d", "e")}
    assert found.warnings == ("no header: line 1 is a judgement",)


def test_l21_a_mark_blank_lines_quotes_and_fractions_are_read(tmp_path: Path) -> None:
    text = '\ufeffquery-id\tcorpus-id\tscore\r\n\r\n"q"\t"d ""1"""\t1.0\r\nq\t"x\t1\r\n'

    assert gold(qrels(tmp_path, text)) == {"q": ('d "1"', '"x')}


def test_between_tabs_blanks_belong_to_an_id(tmp_path: Path) -> None:
    assert gold(qrels(tmp_path, "q 1\td 1\t1\n")) == {"q 1": ("d 1",)}
    assert gold(qrels(tmp_path, "q 1\t0\td 1\t1\n")) == {"q 1": ("d 1",)}
    assert gold(qrels(tmp_path, "1\t0\td\t1\n2 0  e 1\n")) == {"1": ("d",), "2": ("e",)}


def test_every_line_that_is_wrong_is_named_at_once(tmp_path: Path) -> None:
    text = "1 0 a 1\n1 0 b\n\n1 0 c x\n1 0 d nan\n1 0 e 1_0\n1 0 f 1 9\n1 0 g ١\n"

    wide = "4 columns are needed (query, iteration, document, judgement), not"
    assert refused(tmp_path, text) == [
        f"qrels.txt:2: {wide} 3",
        "qrels.txt:4: judgement: 'x' is no number",
        "qrels.txt:5: judgement: nan is no finite number",
        "qrels.txt:6: judgement: '1_0' is no number",
        f"qrels.txt:7: {wide} 5",
        "qrels.txt:8: judgement: '١' is no number",
    ]


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    assert refused(tmp_path, b"1 0 a 1\n1 0 \xff 1\n1 0 b\x00 1\n\xc2\x85 0 a 1\n") == [
        "qrels.txt:2: document: not UTF-8: byte 0xff",
        "qrels.txt:3: control character U+0000",
        "qrels.txt:4: query: the id is blank",
    ]
    assert refused(tmp_path, "1 0 a 1\n".encode("utf-16")) == [
        "qrels.txt:1: this is UTF-16; save the file as UTF-8"
    ]


def test_a_blank_id_between_tabs_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, "q\t\t1\n") == ["qrels.txt:1: document: the id is blank"]


def test_m05_a_document_judged_twice_alike_is_gold_once(tmp_path: Path) -> None:
    found = qrels(tmp_path, "1 0 a 1\n1 0 a 1\n2 0 b 1\n1 0 a 1\n")

    assert gold(found) == {"1": ("a",), "2": ("b",)}
    assert found.warnings == ("judged twice alike, counted once: 1 a, 1 a",)


def test_l14_a_document_judged_twice_differently_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, "1 0 a 1\n2 0 a 0\n1 0 a 0\n") == [
        "qrels.txt:3: judgement: 'a' is judged 0, and 1 further up, for '1'"
    ]


def test_l18_two_spellings_of_one_id_are_one_and_told(tmp_path: Path) -> None:
    found = qrels(tmp_path, "q\u0303 0 c\u0327 1\nq\u0303 0 ç 1\nq\u0303 0 a 1\n")

    assert gold(found) == {"q\u0303": ("c\u0327", "a")}
    assert "compared as one: 'c\\u0327', '\\xe7'" in found.warnings[1]


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "query\tdoc\tscore\n"])
def test_m32_no_judgements_at_all_is_told_not_scored(text: str, tmp_path: Path) -> None:
    assert refused(tmp_path, text) == ["qrels.txt: no judgements"]


def test_judgements_between_whole_numbers_are_told(tmp_path: Path) -> None:
    found = qrels(tmp_path, "1 0 a 0.5\n1 0 b 1\n")

    assert gold(found) == {"1": ("a", "b")}
    assert found.warnings == ("judgements that are no whole numbers: above 0 is gold",)
