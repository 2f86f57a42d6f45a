"""A trace is one line; a file of traces is read as a stream, or refused by line."""

import json
import os
import tracemalloc
from pathlib import Path

import pytest

from lastro.errors import InputError
from lastro.model.ids import CaseId
from lastro.model.trace import (
    Hits,
    Retrieved,
    Trace,
    TraceCitation,
    TraceClaim,
    TraceDecision,
    TraceLeg,
    TraceStageEntry,
)
from lastro.trace import dumps, read
from lastro.trace.lines import opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "traces.jsonl"


def only(file: Path, line: str | bytes) -> Trace:
    """Read a file of one line."""
    file.write_bytes(line if isinstance(line, bytes) else line.encode())
    ((_, trace),) = read(file)
    return trace


def refusal(file: Path, content: str | bytes) -> list[str]:
    """Return the problems of a file, each without the folder it is in."""
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        list(read(file))
    return [str(p).removeprefix(f"{file.parent}/") for p in caught.value.problems]


def test_only_case_id_is_required_and_the_rest_is_not_measured(file: Path) -> None:
    assert only(file, '{"case_id": "a"}') == Trace(case_id=CaseId("a"))


def test_null_is_not_measured_at_any_level(file: Path) -> None:
    line = """{"case_id": "a", "trace_version": null, "retrieved": null,
    "decision": {"reason": null, "reasons": null}, "claims": [{"text": "x",
    "citations": null}], "timings_ms": {"search": null}, "abstained": null}"""

    trace = only(file, line.replace("\n", " "))

    assert trace.retrieved is None
    assert trace.abstained is None
    assert trace.decision == TraceDecision()
    assert trace.claims is not None
    assert trace.claims[0].citations == ()
    assert trace.timings_ms == {}


def test_an_empty_list_is_a_measurement(file: Path) -> None:
    assert only(file, '{"case_id": "a", "retrieved": []}').retrieved == ()


def test_m38_whole_numbers_are_scores(file: Path) -> None:
    trace = only(file, '{"case_id": "a", "retrieved": [{"id": "x", "score": 3}]}')

    assert trace.retrieved == (Retrieved(id="x", score=3.0),)


def test_m38_a_score_that_is_text_is_named_by_line_and_item(file: Path) -> None:
    row = '{"case_id": "a", "retrieved": [{"id": "x"}, {"id": "y", "score": "3"}]}'

    assert refusal(file, '{"case_id": "z"}\n' + row) == [
        "traces.jsonl:2: retrieved[1].score: a number is needed, not text"
    ]


def test_m42_numbers_that_name_something_are_read_as_their_text(file: Path) -> None:
    line = """{"case_id": 7, "cited_ids": [3], "gold_not_indexed": [4],
    "retrieved": [{"id": 1, "parent_id": 2}], "evidence": [{"document_id": 5}],
    "stages": {"fused": [{"passage_id": 8, "document_id": 9}]}}"""

    trace = only(file, line.replace("\n", " "))

    assert trace.case_id == "7"
    assert trace.cited_ids == ("3",)
    assert trace.gold_not_indexed == ("4",)
    assert trace.retrieved == (Retrieved(id="1", parent_id="2"),)
    assert trace.evidence is not None
    assert trace.evidence[0].document_id == "5"
    assert trace.stages is not None
    assert trace.stages["fused"][0].document_id == "9"


@pytest.mark.parametrize("value", ["true", "1.5", "[]", "{}"])
def test_other_kinds_of_ids_are_refused(file: Path, value: str) -> None:
    (problem,) = refusal(file, f'{{"case_id": {value}}}')

    assert problem.startswith("traces.jsonl:1: case_id: text is needed, not ")


def test_legs_may_stand_inside_stages(file: Path) -> None:
    line = """{"case_id": "a", "stages": {"lexical": [],
    "legs": {"lexical": {"status": "ok", "hits": 3}}}}"""

    trace = only(file, line.replace("\n", " "))

    assert trace.stages == {"lexical": ()}
    assert trace.legs == {"lexical": TraceLeg(status="ok", hits=3)}


def test_l17_bom_crlf_and_blank_lines_are_read_silently(file: Path) -> None:
    file.write_bytes(b'\xef\xbb\xbf{"case_id": "a"}\r\n\r\n  \r\n{"case_id": "b"}\r\n')

    assert [(n, t.case_id) for n, t in read(file)] == [(1, "a"), (4, "b")]


def test_a_pipe_that_nobody_writes_to_is_refused_and_not_waited_for(
    file: Path,
) -> None:
    os.mkfifo(file)

    with pytest.raises(InputError, match=r"nobody writes to this pipe, and it was wai"):
        opened(file, patience=0.05)


def test_a_pipe_that_cannot_be_opened_is_told_as_any_file(file: Path) -> None:
    os.mkfifo(file, mode=0)
    if os.access(file, os.R_OK):
        pytest.skip("whoever runs this may read everything")

    with pytest.raises(PermissionError):
        opened(file)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_a_device_is_refused_rather_than_read_for_ever(device: str) -> None:
    with pytest.raises(InputError, match=f"{device}: this is a device, not a file"):
        next(read(device))


def test_what_a_shell_hands_over_as_a_pipe_or_a_terminal_is_read() -> None:
    end, other = os.pipe()
    mine, terminal = os.openpty()
    for writer, closing in ((other, b""), (mine, b"\x04")):
        os.write(writer, b'{"case_id": "a"}\n' + closing)
    os.close(other)

    for reader in (end, terminal):
        assert [trace.case_id for _, trace in read(f"/dev/fd/{reader}")] == ["a"]
    for each in (end, mine, terminal):
        os.close(each)


def test_only_the_traces_of_some_cases_are_read_and_keep_their_lines(
    file: Path,
) -> None:
    file.write_text(
        '{"case_id": "a", "query": "1"}\n{"case_id": "b", "retrieved": 1}\n'
        '{"case_id": "c\u0327"}\n{"case_id": 7}\n{"case_id": "a", "query": "2"}\n',
        encoding="utf-8",
    )

    found = [(n, t.case_id, t.query) for n, t in read(file, only={"a", "\u00e7"})]

    assert found == [
        (1, "a", "1"),
        (3, "c\u0327", None),
        (4, "7", None),
        (5, "a", "2"),
    ]
    file.write_text('{"query": "no case"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="case_id: missing"):
        list(read(file, only={"a"}))


def test_unknown_fields_are_counted_by_name(file: Path) -> None:
    file.write_text('{"case_id": "a", "x": 1}\n{"case_id": "b", "x": 2, "y": 3}\n')
    unknown: dict[str, int] = {}

    assert len(list(read(file, unknown=unknown))) == 2
    assert unknown == {"x": 2, "y": 1}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("[1]", ": this is a JSON array; write one JSON object a line (JSON Lines)"),
        ('"x"', ": a JSON object is needed, not text"),
        ("{", ": an object over several lines; write each object on one line"),
        ("{}", ": case_id: missing"),
        ('{"case_id": null}', ": case_id: missing"),
        ('{"case_id": " "}', ": case_id: the id is blank"),
        ('{"case_id": "\\u200b"}', ": case_id: the id is blank"),
        (
            '{"case_id": "a\\u0000"}',
            ": case_id: control character U+0000 in 'a\\x00'",
        ),
        (
            '{"case_id": "a", "retrieved": [{"id": "x", "parent_id": ""}]}',
            ": retrieved[0].parent_id: the id is blank",
        ),
        (
            '{"case_id": "a", "cited_ids": ["x", "\\u0007"]}',
            ": cited_ids[1]: control character U+0007 in '\\x07'",
        ),
        (
            '{"case_id": "a", "evidence": [{"document_id": "\\t"}]}',
            ": evidence[0].document_id: the id is blank",
        ),
        (
            '{"case_id": "a", "retrieved": [{"doc_id": "x"}]}',
            ": retrieved[0].id: missing",
        ),
        (
            '{"case_id": "a", "cited_ids": "abc"}',
            ": cited_ids: a list is needed, not text",
        ),
        (
            '{"case_id": "a", "abstained": 1}',
            ": abstained: true or false is needed, not a whole number",
        ),
        (
            '{"case_id": "a", "answer": []}',
            ": answer: an object is needed, not a list",
        ),
        (
            '{"case_id": "a", "answer": {"claims": [{"claim": 5}]}}',
            ": answer.claims[0].claim: text is needed, not a whole number",
        ),
        (
            '{"case_id": "a", "stages": {"fused": [{"passage_id": "p"}]}}',
            ": stages.fused[0].document_id: missing",
        ),
        (
            '{"case_id": "a", "trace_version": 2}',
            ": trace_version: 2 is unknown; this Lastro reads 1",
        ),
        ('{"case_id": "a", "case_id": 1}', ": 'case_id' stands twice in one object"),
        ('{"case_id": "a", "query": "\\ud800"}', ": half of a surrogate pair"),
        ('{"case_id": "a", "usage": {"t": 1e999}}', ": 1e999 is too large a number"),
        ('{"case_id": "a", "query": "ab', ": cut off: the string that begins in"),
        ('{"case_id": "a", "retrieved": [', ": cut off in column 32: expecting"),
        ('{"case_id": "a",, }', ": not JSON in column 17: expecting"),
        ('{"case_id": "a", "answer": ' + "[" * 100_000, ": nested too deeply"),
        (
            '{"case_id": "a", "retrieved": 5, "new": ' + "[" * 900 + "]" * 900 + "}",
            ": nested too deeply",
        ),
    ],
)
def test_what_is_wrong_is_said_with_line_and_field(
    file: Path, line: str, what: str
) -> None:
    (problem,) = refusal(file, "\n" + line)

    assert problem.startswith("traces.jsonl:2" + what)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_g18_a02_numbers_that_are_none_are_refused(file: Path, number: str) -> None:
    (problem,) = refusal(
        file, f'{{"case_id": "a", "decision": {{"confidence": {number}}}}}'
    )

    assert problem.endswith(
        f"{number} is no JSON number; leave out what was not measured"
    )


def test_l06_two_objects_on_one_line_are_named_with_their_column(file: Path) -> None:
    assert refusal(file, '{"case_id": "a"}{"case_id": "b"}') == [
        "traces.jsonl:1: a second JSON value begins in column 17; write one a line"
    ]


def test_bytes_that_are_no_utf8_are_named_with_their_column(file: Path) -> None:
    assert refusal(file, '{"case_id": "é'.encode() + b'\xff"}') == [
        "traces.jsonl:1: not UTF-8: byte 0xff in column 15"
    ]


def test_utf16_is_named(file: Path) -> None:
    assert refusal(file, '{"case_id": "a"}'.encode("utf-16")) == [
        "traces.jsonl:1: this is UTF-16; save the file as UTF-8"
    ]


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read(tmp_path / "nothing"))


def test_every_problem_is_kept_and_nothing_is_yielded_after_the_first(
    file: Path,
) -> None:
    file.write_text('{"case_id": "a"}\n{}\n{"case_id": "b"}\n[2]\n')
    seen = []

    with pytest.raises(InputError) as caught:  # noqa: PT012 - what came before counts
        for number, _ in read(file):
            seen.append(number)

    assert seen == [1]
    assert [p.line for p in caught.value.problems] == [2, 4]


def test_a_line_is_sorted_and_leaves_out_what_was_not_measured() -> None:
    trace = Trace(
        case_id=CaseId("ação"),
        retrieved=(Retrieved(id="x", score=1.0),),
        answer={"insufficiency": None, "b": 1, "a": 2},
    )

    assert dumps(trace) == (
        '{"answer":{"a":2,"b":1,"insufficiency":null},"case_id":"ação",'
        '"retrieved":[{"id":"x","score":1.0}],"trace_version":1}'
    )


def test_none_is_left_out_of_every_part_of_a_trace_and_of_its_mappings() -> None:
    free = {"search": 1.0, "write": None}
    trace = Trace(
        case_id=CaseId("a"),
        claims=(TraceClaim(text="x", citations=(TraceCitation(document_id="d"),)),),
        decision=TraceDecision(confidence=0.5, features=free),  # type: ignore[arg-type]
        legs={"lexical": TraceLeg(status="ok")},
        stages={"b": (), "a": (TraceStageEntry(passage_id="p", document_id="d"),)},
    )

    assert dumps(trace) == (
        '{"case_id":"a","claims":[{"citations":[{"document_id":"d"}],"text":"x"}],'
        '"decision":{"confidence":0.5,"features":{"search":1.0},"reasons":[]},'
        '"legs":{"lexical":{"status":"ok"}},'
        '"stages":{"a":[{"document_id":"d","passage_id":"p"}],"b":[]},'
        '"trace_version":1}'
    )


def test_one_trace_is_one_line_for_every_reader() -> None:
    trace = Trace(case_id=CaseId("a"), answer_text="a\nb\r\u2028c\u0085d\u2029\x0be")

    assert len(dumps(trace).splitlines()) == 1
    assert json.loads(dumps(trace))["answer_text"] == trace.answer_text


def test_half_a_surrogate_pair_is_written_as_the_replacement_character() -> None:
    line = dumps(Trace(case_id=CaseId("a"), answer_text="x\ud800y\U0001f600"))

    assert json.loads(line)["answer_text"] == "x\ufffdy\U0001f600"
    assert line.encode()


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_g18_a_number_that_is_none_is_never_written(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        dumps(Trace(case_id=CaseId("a"), timings_ms={"search": number}))


@pytest.mark.parametrize("where", ["answer", "provenance"])
def test_g18_a_number_that_is_none_is_not_taken_for_a_null_beside_it(
    where: str,
) -> None:
    free = {"page": None, "score": float("nan"), "of": [None, {"a": None}]}

    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps(Trace(case_id=CaseId("a"), answer_text="null", **{where: free}))  # type: ignore[arg-type]


def test_nulls_of_free_objects_and_the_word_null_are_written_as_they_are() -> None:
    free = {"page": None, "said": "null and void", "of": [None, {"a": None}]}

    line = dumps(Trace(case_id=CaseId("a"), answer_text=":null", answer=free))

    assert json.loads(line) == {
        "answer": free,
        "answer_text": ":null",
        "case_id": "a",
        "trace_version": 1,
    }


def test_a_very_long_number_is_written_whole() -> None:
    line = dumps(Trace(case_id=CaseId("a"), answer={"n": 10**30}))

    assert f'{{"n":{10**30}}}' in line


def test_memory_stays_flat_over_many_traces(file: Path) -> None:
    line = dumps(Trace(case_id=CaseId("a"), answer_text="x" * 1000)) + "\n"
    file.write_text(line * 5_000)

    tracemalloc.start()
    for _ in read(file):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 500_000


def test_the_conformance_traces_are_read(shared: Path) -> None:
    assert len(list(read(shared / "conformance" / "traces.jsonl"))) == 120


def test_hits_in_columns_are_the_items_they_stand_for() -> None:
    items = (Retrieved(id="b", score=2.0), Retrieved(id="a", score=1.0))
    hits = Hits(["b", "a"], [2.0, 1.0])

    assert hits == Hits(["b", "a"], [2.0, 1.0])
    assert hash(hits) == hash(items)
    assert repr(hits) == repr(items)
    assert list(hits[:1]) == list(items[:1])
    assert (hits[1], hits[-1], len(hits)) == (items[1], items[1], 2)
    of_items, of_hits = (Trace(case_id=CaseId("1"), retrieved=x) for x in (items, hits))
    assert of_items == of_hits
    assert of_hits == of_items
    assert hits != Hits(["b"], [2.0])
    assert hits != "ba"


@pytest.mark.parametrize("query", ["what", "half \ud800"])
def test_hits_in_columns_are_written_as_items_are(query: str) -> None:
    items = (Retrieved(id="b", score=2.0), Retrieved(id="a", score=1.0))
    hits = Hits(["b", "a"], [2.0, 1.0])
    written = [
        dumps(Trace(case_id=CaseId("1"), query=query, retrieved=each))
        for each in (items, hits)
    ]

    assert written[0] == written[1]
