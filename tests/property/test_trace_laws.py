"""What is written is what is read; any bytes are read or refused, never a crash."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import traces

from lastro.errors import InputError
from lastro.model.trace import Trace
from lastro.trace import dumps, read

pytestmark = pytest.mark.property


def through_a_file(content: bytes) -> list[Trace]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "t.jsonl")
        file.write_bytes(content)
        return [trace for _, trace in read(file)]


@given(traces)
def test_reading_undoes_writing(trace: Trace) -> None:
    line = dumps(trace)

    assert through_a_file(line.encode()) == [trace]
    assert dumps(through_a_file(line.encode())[0]) == line


@given(traces, st.data())
def test_a_cut_line_is_refused_or_whole(trace: Trace, data: st.DataObject) -> None:
    line = dumps(trace).encode()
    cut = line[: data.draw(st.integers(1, len(line)))]

    try:
        assert through_a_file(cut) == [trace]
    except InputError as error:
        assert all(problem.line == 1 for problem in error.problems)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        through_a_file(content)
    except InputError as error:
        assert error.problems


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ),
    st.sampled_from(sorted(Trace.__dataclass_fields__)),
)
def test_any_value_in_any_field_is_read_or_refused_by_name(
    value: object, name: str
) -> None:
    line = json.dumps({"case_id": "a", name: value}).encode()

    try:
        through_a_file(line)
    except InputError as error:
        assert len(error.problems) == 1
