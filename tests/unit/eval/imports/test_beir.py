"""A BEIR folder becomes cases, and what does not fit together is counted and named."""

import json
import tracemalloc
from pathlib import Path

import pytest

from lastro.errors import InputError, UsageError
from lastro.eval.imports.beir import read_beir, read_queries
from lastro.eval.imports.qrels import Asked
from lastro.model.case import Case, Origin, Provenance
from lastro.model.ids import CaseId


def folder(
    path: Path,
    *,
    corpus: str | None = '{"_id": "d"}\n',
    queries: str = '{"_id": "q", "text": "why?"}\n',
    qrels: str = "query-id\tcorpus-id\tscore\nq\td\t1\n",
    name: str = "qrels/test.tsv",
) -> Path:
    """Write a folder; the judgements under ``name``."""
    (path / name).parent.mkdir(exist_ok=True, parents=True)
    (path / name).write_text(qrels, encoding="utf-8")
    (path / "queries.jsonl").write_text(queries, encoding="utf-8")
    if corpus is not None:
        (path / "corpus.jsonl").write_text(corpus, encoding="utf-8")
    return path


def refused(path: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_beir(path)
    return [str(p).removeprefix(f"{path}/") for p in caught.value.problems]


def test_a_judged_query_is_a_public_case(tmp_path: Path) -> None:
    queries = '{"_id": "q", "text": "por quê?", "locale": "pt-BR", "metadata": {}}\n'
    found = read_beir(folder(tmp_path / "tiny", queries=queries))

    assert found.cases == (
        Case(
            id=CaseId("q"),
            query="por quê?",
            locale="pt-BR",
            relevant_ids=("d",),
            provenance=Provenance(origin=Origin.PUBLIC, source="tiny"),
        ),
    )
    assert found.counts == {
        "cases": 1,
        "judgements": 1,
        "queries": 1,
        "queries_missing": 0,
        "queries_not_judged": 0,
        "documents": 1,
        "documents_missing": 0,
    }


@pytest.mark.parametrize(
    ("fields", "locale"),
    [
        ({"language": "ko"}, "ko"),
        ({"lang": "es-419", "metadata": None}, "es-419"),
        ({"metadata": {"locale": "ko", "lang": "en"}}, "ko"),
        ({"metadata": {"language": "pt-BR"}}, "pt-BR"),
        ({"locale": "en", "metadata": {"lang": "ko"}}, "en"),
        ({"locale": " ", "lang": ["ko"], "metadata": {"lang": "ko"}}, "ko"),
        ({"metadata": ["ko"]}, None),
    ],
)
def test_the_language_of_a_query_is_kept_whatever_it_is_called(
    fields: dict[str, object], locale: str | None, tmp_path: Path
) -> None:
    row = {"_id": "q", "text": "why?", **fields}
    found = read_beir(folder(tmp_path, queries=json.dumps(row) + "\n"))

    assert found.cases[0].locale == locale


def test_l13_judgements_that_point_nowhere_are_counted_and_named(
    tmp_path: Path,
) -> None:
    path = folder(
        tmp_path,
        queries='{"_id": "q", "text": "a"}\n{"_id": "r", "text": "b"}\n',
        qrels="q\td\t1\nq\tgone\t1\nlost\td\t1\n",
    )
    found = read_beir(path)

    assert [(c.id, c.relevant_ids) for c in found.cases] == [("q", ("d", "gone"))]
    assert found.counts["queries_missing"] == found.counts["documents_missing"] == 1
    assert found.counts["queries_not_judged"] == 1
    assert found.warnings[1:] == (
        "queries judged and not in queries.jsonl: 1, no case is made of them: lost",
        "documents judged and not in corpus.jsonl: 1, they stay gold: gone",
    )


def test_without_a_corpus_nothing_is_looked_up_and_that_is_told(tmp_path: Path) -> None:
    found = read_beir(folder(tmp_path, corpus=None))

    assert "documents_missing" not in found.counts
    assert found.warnings[-1] == (
        "no corpus.jsonl: judged documents were not looked up"
    )


@pytest.mark.parametrize("file", ["corpus.jsonl", "queries.jsonl"])
def test_l10_l11_l14_l16_an_id_that_stands_twice_is_refused(
    file: str, tmp_path: Path
) -> None:
    rows = [{"_id": name, "text": str(n)} for n, name in enumerate(["q", 1, "q", "1"])]
    path = folder(tmp_path)
    (path / file).write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert refused(path) == [
        f"{file}:3: _id: 'q' stands on line 1 already",
        f"{file}:4: _id: '1' stands on line 2 already",
    ]


def test_every_line_that_is_wrong_is_named_at_once(tmp_path: Path) -> None:
    rows = [
        '{"_id": "a", "text": "x"}',
        '{"_id": "b"}',
        '{"text": "x"}',
        '{"_id": 1.5, "text": "x"}',
        '{"_id": "c", "text": null}',
        '{"_id": " ", "text": "x"}',
        '{"_id": "d", "text": " "}',
        "[]",
        '{"_id": "e", "text": "x"}{"_id": "f", "text": "y"}',
        '{"_id": "g\\u0000", "text": "x"}',
    ]

    assert refused(folder(tmp_path, queries="\n".join(rows))) == [
        "queries.jsonl:2: text: missing",
        "queries.jsonl:3: _id: missing",
        "queries.jsonl:4: _id: text is needed",
        "queries.jsonl:5: text: text is needed",
        "queries.jsonl:6: _id: the id is blank",
        "queries.jsonl:7: text: blank",
        "queries.jsonl:8: a JSON object is needed",
        "queries.jsonl:9: a second JSON value begins in column 26; write one a line",
        "queries.jsonl:10: _id: control character in 'g\\x00'",
    ]


def test_l18_ids_of_the_three_files_compare_in_their_normal_form(
    tmp_path: Path,
) -> None:
    path = folder(
        tmp_path,
        corpus='{"_id": "c\u0327"}\n',
        queries='{"_id": "q\u0303", "text": "a"}\n',
        qrels="q\u0303\tç\t1\n",
    )
    found = read_beir(path)

    assert [case.relevant_ids for case in found.cases] == [("ç",)]
    assert found.counts["documents_missing"] == 0


@pytest.mark.parametrize("name", ["qrels/test.tsv", "qrels.tsv", "qrels/dev.tsv"])
def test_the_usual_judgements_or_the_only_ones_are_taken(
    name: str, tmp_path: Path
) -> None:
    path = folder(tmp_path, name=name)
    others = name != "qrels/dev.tsv"
    if others:
        (path / "qrels_other.tsv").write_text("q\tother\t1\n")

    found = read_beir(path)

    assert found.cases[0].relevant_ids == ("d",)
    told = f"judgements were read from {name}, and not from qrels_other.tsv"
    assert (found.warnings[0] == told) is others
    assert told not in read_beir(path, name).warnings


def test_which_judgements_are_meant_has_to_be_clear(tmp_path: Path) -> None:
    path = folder(tmp_path, name="qrels/dev.tsv")
    (path / "qrels/train.tsv").write_text("q\tother\t1\n")

    with pytest.raises(UsageError, match=r"there are: qrels/dev.tsv, qrels/train.tsv"):
        read_beir(path)
    with pytest.raises(UsageError, match=r"no judgements 'none.tsv'"):
        read_beir(path, "none.tsv")
    assert read_beir(path, "qrels/train.tsv").cases[0].relevant_ids == ("other",)


def test_of_the_corpus_the_ids_alone_are_kept(tmp_path: Path) -> None:
    """Twenty megabytes of text pass by; what is kept is a hundredth of it."""
    row = {"text": "x" * 20_000, "title": "y"}
    corpus = "".join(json.dumps(row | {"_id": f"d{n}"}) + "\n" for n in range(1000))
    path = folder(tmp_path, corpus=corpus, qrels="q\td1\t1\n")
    read_beir(path)
    tracemalloc.start()
    read_beir(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 2_000_000


def test_queries_are_read_from_json_lines_or_between_tabs(tmp_path: Path) -> None:
    path = tmp_path / "queries"
    found = {"1": Asked("a b"), "2": Asked("c")}
    path.write_text('{"_id": 1, "text": "a b"}\n{"_id": "2", "text": "c"}\n')
    assert read_queries(path) == found
    path.write_text("1\ta b\n2\tc\n")
    assert read_queries(path) == found


def test_l10_a_query_with_two_texts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "queries.tsv"
    path.write_text("1\ta\n2\tb\n1\tc\n3\n")

    with pytest.raises(InputError) as caught:
        read_queries(path)

    assert [str(p).partition(".tsv")[2] for p in caught.value.problems] == [
        ":3: query: '1' has another text further up",
        ":4: 2 columns are needed (query, text), not 1",
    ]
