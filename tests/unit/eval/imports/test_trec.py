"""A run is ranked by score; ties, repeats and absent queries are counted and named."""

from pathlib import Path

import pytest

from lastro.errors import InputError
from lastro.eval.imports import columns
from lastro.eval.imports.trec import Ranker, TrecRun, read_run, strangers
from lastro.eval.scorers.ties import Ties
from lastro.model.case import Case
from lastro.model.ids import CaseId


def run(folder: Path, text: str) -> TrecRun:
    path = folder / "run.txt"
    path.write_bytes(text.encode())
    return read_run(path)


def lines(*rows: tuple[str, str, object]) -> str:
    return "".join(f"{q} Q0 {doc} 1 {score} tag\n" for q, doc, score in rows)


def ranked(found: TrecRun, ranker: Ranker, *cases: Case) -> dict[str, list[str]]:
    traces = ranker.traces(found, cases)
    return {str(t.case_id): [hit.id for hit in t.retrieved or ()] for t in traces}


def case(name: str, *gold: str) -> Case:
    return Case(id=CaseId(name), query=name, relevant_ids=gold)


def test_the_score_ranks_and_the_rank_column_does_not(tmp_path: Path) -> None:
    text = "1 Q0 a 1 0.5 t\n2 Q0 x 1 1 t\n1 Q0 b 2 7 t\n1 Q0 c 3 1e-3 t\n"
    (first, second) = Ranker().traces(run(tmp_path, text))

    assert [(hit.id, hit.score) for hit in first.retrieved or ()] == [
        ("b", 7.0),
        ("a", 0.5),
        ("c", 0.001),
    ]
    assert (first.system, second.case_id) == ("t", "2")
    assert first.provenance == {
        "format": "trec-run",
        "ties": "given",
        "exclude_self": False,
    }


def test_m20_m21_tied_items_stay_as_given_or_stand_by_name_the_last_first(
    tmp_path: Path,
) -> None:
    found = run(tmp_path, lines(("1", "b", 1), ("1", "c", 1), ("1", "a", 1)))

    assert ranked(found, Ranker())["1"] == ["b", "c", "a"]
    assert ranked(found, Ranker(ties=Ties.EXPECTED))["1"] == ["b", "c", "a"]
    assert ranked(found, Ranker(ties=Ties.DOCNO))["1"] == ["c", "b", "a"]


def test_trec_evals_rule_keeps_32_bits_of_a_score(tmp_path: Path) -> None:
    rows = (("1", "a", "1.00000001"), ("1", "b", 1), ("2", "a", 1e39), ("2", "b", 1e40))
    found = run(tmp_path, lines(*rows))

    assert ranked(found, Ranker()) == {"1": ["a", "b"], "2": ["b", "a"]}
    assert ranked(found, Ranker(ties=Ties.DOCNO))["1"] == ["b", "a"]
    assert ranked(found, Ranker(ties=Ties.DOCNO))["2"] == ["b", "a"]


def test_names_compare_by_their_bytes(tmp_path: Path) -> None:
    found = run(tmp_path, lines(("1", "z", 1), ("1", "é", 1), ("1", "Z", 1)))

    assert ranked(found, Ranker(ties=Ties.DOCNO))["1"] == ["é", "z", "Z"]


def test_m21_ties_across_the_cut_are_counted_and_named(tmp_path: Path) -> None:
    found = run(
        tmp_path,
        lines(
            ("1", "a", 2), ("1", "b", 1), ("1", "c", 1), ("2", "a", 1), ("2", "b", 0)
        ),
    )
    one, two, any_cut = Ranker(cut=1), Ranker(cut=2), Ranker()
    for ranker in (one, two, any_cut):
        ranked(found, ranker)

    assert one.counts()["queries_with_ties"] == 0
    assert list(one.warnings()) == []
    assert list(two.warnings()) == [
        "ties across k=2: 1 of 2 queries; their order in the file decides (`--ties`): 1"
    ]
    assert any_cut.counts()["queries_with_ties"] == 1


def test_m01_m02_m03_a_document_listed_again_counts_at_its_best_place(
    tmp_path: Path,
) -> None:
    found = run(tmp_path, lines(("1", "a", 1), ("1", "b", 2), ("1", "a", 3)))
    ranker = Ranker(cut=2)

    assert ranked(found, ranker) == {"1": ["a", "b"]}
    assert list(ranker.warnings()) == [
        "documents listed again for their query: 1, the best place counts: 1 a"
    ]


def test_m05_l11_repeated_lines_change_nothing(tmp_path: Path) -> None:
    text = lines(("1", "a", 3), ("1", "b", 2), ("1", "c", 2), ("2", "a", 1))
    once, twice = run(tmp_path, text), run(tmp_path, text * 2)

    for ties in Ties:
        assert ranked(once, Ranker(ties=ties)) == ranked(twice, Ranker(ties=ties))


def test_m26_m27_the_order_is_the_same_every_time(tmp_path: Path) -> None:
    rows = [("1", f"d{n % 7}{n}", n % 3) for n in range(60)]
    found = run(tmp_path, lines(*rows))

    for ties in Ties:
        first = ranked(found, Ranker(ties=ties))
        assert ranked(run(tmp_path, lines(*rows)), Ranker(ties=ties)) == first


def test_m25_trec_evals_rule_does_not_look_at_the_order_of_lines(
    tmp_path: Path,
) -> None:
    rows = [("1", f"d{n}", n % 2) for n in range(9)]

    assert ranked(run(tmp_path, lines(*rows)), Ranker(ties=Ties.DOCNO)) == ranked(
        run(tmp_path, lines(*reversed(rows))), Ranker(ties=Ties.DOCNO)
    )


def test_m17_m30_a_case_without_a_line_retrieved_nothing_and_is_named(
    tmp_path: Path,
) -> None:
    found = run(tmp_path, lines(("1", "a", 1)))
    ranker = Ranker()

    assert ranked(found, ranker, case("1", "a"), case("2", "a")) == {
        "1": ["a"],
        "2": [],
    }
    assert list(ranker.warnings()) == [
        "queries without a line in the run: 1, nothing was found for them: 2"
    ]
    assert ranker.counts()["queries_without_lines"] == 1


def test_what_is_said_of_a_run_counts_what_was_asked_and_no_stray_query(
    tmp_path: Path,
) -> None:
    stray = [("9", "a", 1), ("9", "b", 1), ("9", "b", 1)]
    found = run(tmp_path, lines(("1", "a", 1), ("1", "b", 1), *stray))
    ranker = Ranker()

    assert ranked(found, ranker, case("1", "a")) == {"1": ["a", "b"], "9": ["a", "b"]}
    assert ranker.counts() == Ranker().counts() | {
        "queries": 1,
        "queries_with_ties": 1,
        "queries_without_case": 1,
    }
    ties, strays = ranker.warnings()
    assert ties.startswith("ties: 1 of 1 queries")
    assert strays.startswith("queries of the run without a case: 1,")
    assert strays.endswith(": 9")


def test_m42_a_run_that_knows_no_case_is_refused_with_an_id_of_each(
    tmp_path: Path,
) -> None:
    found = run(tmp_path, lines(("q1", "a", 1)))

    with pytest.raises(InputError, match=r"run.txt: query: not one .* 'q1', .* '1'"):
        ranked(found, Ranker(), case("1", "a"))


def test_m42_documents_of_which_none_is_gold_are_told_with_an_id_of_each(
    tmp_path: Path,
) -> None:
    found = run(tmp_path, lines(("1", "a.md", 1), ("2", "b", 1)))

    assert strangers(found, [case("1", "a"), case("2")]) == (
        "not one document of the run is gold: the run has 'a.md', the gold 'a'"
    )
    assert strangers(found, [case("1", "a"), case("2", "b")]) == ""


def test_m34_m35_a_document_named_as_its_query_is_left_out_only_if_asked(
    tmp_path: Path,
) -> None:
    found = run(tmp_path, lines(("0", "0", 2), ("0", "1", 1), ("1", "0", 1)))
    without = Ranker(exclude_self=True)

    assert ranked(found, Ranker()) == {"0": ["0", "1"], "1": ["0"]}
    assert ranked(found, without) == {"0": ["1"], "1": ["0"]}
    assert without.provenance()["exclude_self"] is True
    assert list(without.warnings()) == [
        "documents named as their query, left out: 1: 0"
    ]


def test_m38_every_line_that_is_wrong_is_named_at_once(tmp_path: Path) -> None:
    text = lines(("1", "a", 3), ("1", "b", "x"), ("1", "c", "NaN"), ("1", "d", "-inf"))

    with pytest.raises(InputError) as caught:
        run(tmp_path, text + "1 Q0 e 1 5\n")

    assert [str(p).partition("run.txt")[2] for p in caught.value.problems] == [
        ":2: score: 'x' is no number",
        ":3: score: NaN is no finite number",
        ":4: score: -inf is no finite number",
        ":5: 6 columns are needed (query, Q0, document, rank, score, tag), not 5",
    ]


def test_l18_ids_compare_in_their_normal_form(tmp_path: Path) -> None:
    rows = (
        ("q\u0303", "ç", 2),
        ("q", "x", 1),
        ("é", "c\u0327", 2),
        ("e\u0301", "ç", 1),
    )
    found = run(tmp_path, lines(*rows))

    assert ranked(found, Ranker(), case("e\u0301", "ç"))["é"] == ["c\u0327"]
    assert found.warnings == (
        "two spellings of one id, compared as one: '\\xe9', 'e\\u0301'",
    )


def test_m32_a_run_without_lines_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run.txt: no lines"):
        run(tmp_path, "# nothing\n\n")


def test_junk_behind_the_tag_and_comments_change_nothing(tmp_path: Path) -> None:
    found = run(tmp_path, "# a run\n1 Q0 a 1 2 tag and junk\n1 Q0 b 2 1 tag\n")

    assert ranked(found, Ranker()) == {"1": ["a", "b"]}
    assert (found.system, found.warnings) == ("tag", ("comment lines, passed over: 1",))


def test_a_line_with_a_column_missing_is_told_as_one_of_a_run(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        run(tmp_path, "1 Q0 a 1 0.5\n1 Q0 b 2 0.4 t\n")

    (problem,) = caught.value.problems
    assert problem.line == 1
    assert problem.what == (
        "6 columns are needed (query, Q0, document, rank, score, tag), not 5"
    )


@pytest.mark.parametrize("size", [8, 40, 100, 1 << 16])
def test_a_ranking_is_the_same_in_blocks_of_any_size(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "_BLOCK", size)
    text = lines(
        ("1", "a", 3), ("1", "b", 2), ("1", "a", 1), ("2", "x", 2), ("2", "y", 2)
    ) + lines(("3", "m", 2), ("3", "n", 1), ("1", "c", 2.5), ("4", "e\u0301", 1))
    ranker = Ranker()
    found = ranked(run(tmp_path, text + lines(("4", "\u00e9", 0.5))), ranker)

    assert found == {
        "1": ["a", "c", "b"],
        "2": ["x", "y"],
        "3": ["m", "n"],
        "4": ["e\u0301"],
    }
    assert (ranker.tied, ranker.repeated) == (["2"], ["1 a", "4 \u00e9"])
