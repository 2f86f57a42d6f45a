"""A run may be killed at any byte: what was whole is kept, what was not is asked."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from setups import record
from strategies import traces

from lastro.eval.resume import going
from lastro.model.trace import Trace
from lastro.trace import dumps, read

pytestmark = pytest.mark.property
RECORD = record()


def may_pass(trace: Trace) -> bool:
    return trace.error is not None and trace.error.retryable is True


@given(st.lists(traces, max_size=4), traces, st.data())
def test_a_file_cut_at_any_byte_goes_on_with_its_whole_lines(
    left: list[Trace], new: Trace, data: st.DataObject
) -> None:
    lines = [dumps(trace).encode() + b"\n" for trace in left]
    cut = data.draw(st.integers(0, sum(map(len, lines))))
    whole = [
        trace for at, trace in enumerate(left) if sum(map(len, lines[: at + 1])) <= cut
    ]
    kept = [trace for trace in whole if not may_pass(trace)]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        RECORD.write(folder)
        (folder / "traces.jsonl").write_bytes(b"".join(lines)[:cut])

        with going(folder, RECORD, resume=True, private=False) as run:
            found = list(run.kept())
            run.add(new)

        assert found == kept
        assert run.again == len(whole) - len(kept)
        assert run.torn == (cut > sum(map(len, lines[: len(whole)])))
        assert [trace for _, trace in read(folder / "traces.jsonl")] == [*kept, new]
