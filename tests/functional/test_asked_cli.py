"""--at, --slice and --match on the real command line."""

import json
from pathlib import Path

import pytest
from command import lastro
from schemas import REPORT, problems

pytestmark = pytest.mark.functional


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return two Korean and English cases, and a trace of each."""
    cases = [
        {
            "id": name,
            "query": "How long does it take?",
            "locale": locale,
            "query_type": "single_doc",
            "must_cite_one_of": ["gold"],
            "expected_terms": [term],
        }
        for name, locale, term in (("a", "en", "deadline"), ("b", "ko", "month"))
    ]
    traces = [
        {
            "case_id": name,
            "retrieved": [
                {"id": document, "text": text}
                for document, text in (("x", "-"), ("y", "-"), ("gold", found))
            ],
            "abstained": False,
        }
        for name, found in (("a", "Two deadlines."), ("b", "Six months."))
    ]
    written = []
    for name, rows in (("cases", cases), ("traces", traces)):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        written.append(path)
    return written[0], written[1]


def test_further_cut_offs_and_combined_slices_are_in_the_report_and_bars_name_them(
    files: tuple[Path, Path],
) -> None:
    bar = "by_locale+query_type.ko+single_doc.retrieval_ndcg_at_3"
    done = lastro(
        *("score", *files, "-k", "1", "--at", "3", "--at", "10", "--json"),
        *("--slice", "locale+query_type", "--slice", "category+locale"),
        *("--min", f"{bar}=0.6", "--min", "retrieval_hit_at_10=1"),
        code=1,
    )

    data = json.loads(done.stdout)
    assert not problems(REPORT, done.stdout)
    assert data["provenance"]["at"] == [3, 10]
    means = {name: each["mean"] for name, each in data["aggregates"].items()}
    assert means["retrieval_hit_at_k"] == 0
    assert means["retrieval_hit_at_3"] == means["retrieval_recall_at_10"] == 1
    assert means["retrieval_ndcg_at_3"] == 0.5
    found = data["slices"]["by_locale+query_type"]["ko+single_doc"]
    assert found["retrieval_ndcg_at_3"] == {
        **data["aggregates"]["retrieval_ndcg_at_3"],
        "n": 1,
        "eligible": 1,
        "ci_lo": None,
        "ci_hi": None,
        "method": "none",
    }
    assert set(data["slices"]["by_category+locale"]) == {"golden+en", "golden+ko"}
    states = {each["metric"]: each["held"] for each in data["verdict"]["bars"]}
    assert states[bar] is False
    assert states["retrieval_hit_at_10"] is True


@pytest.mark.parametrize(
    ("match", "grounded"), [("substring", 1.0), ("word", 0.0), ("stem", 1.0)]
)
def test_terms_are_looked_for_as_asked(
    files: tuple[Path, Path], match: str, grounded: float
) -> None:
    done = lastro("score", *files, "--match", match, "--json")

    data = json.loads(done.stdout)
    assert data["aggregates"]["groundedness"]["mean"] == grounded
    assert data["provenance"]["match"] == match


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--at", "0"), "k must be at least 1, not 0"),
        (("--slice", "locale+colour"), "cannot be sliced by 'colour'"),
        (("--slice", "tag+tag"), "stands twice"),
        (("--min", "retrieval_hit_at_0=1"), "there is no metric"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage_and_says_what_there_is(
    files: tuple[Path, Path], given: tuple[str, ...], told: str
) -> None:
    done = lastro("score", *files, *given, code=2)

    assert told in done.stderr
    assert not done.stdout


def test_a_bar_on_a_cut_off_nobody_asked_for_is_not_measured(
    files: tuple[Path, Path],
) -> None:
    done = lastro("score", *files, "--min", "retrieval_hit_at_10=0.5", code=3)

    assert "retrieval_hit_at_10: no case carries it" in done.stdout


def test_a_run_of_a_knowledge_base_takes_them_too(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    page = tmp_path / "pages" / "gold.md"
    page.parent.mkdir()
    page.write_text("# Deadline\n\nIt takes a month until the deadline.\n")
    lastro("ingest", page.parent, "--kb", tmp_path / "kb")
    done = lastro(
        *("eval", files[0], "--kb", tmp_path / "kb", "--json", "--match", "word"),
        *("--at", "2", "--slice", "locale+category"),
    )

    data = json.loads(done.stdout)
    assert "retrieval_hit_at_2" in data["aggregates"]
    assert set(data["slices"]["by_locale+category"]) == {"en+golden", "ko+golden"}
    assert data["provenance"]["match"] == "word"
    assert "retrieval_hit_at_2" in data["floors"]["random"]
