"""Which judge a name means."""

from pathlib import Path

import pytest
from chat_server import chatting
from reading_judge import Reading

from lastro.errors import UsageError
from lastro.eval import inputs, judges
from lastro.model.case import Case, Origin, Provenance
from lastro.model.ids import CaseId
from lastro.model.trace import Trace, TraceClaim, TracePassage


def test_a_folder_is_a_model_of_inference(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    onnx_nli = pytest.importorskip("onnx_nli")
    folder = onnx_nli.make(tmp_path / "tiny")

    assert judges.of(f"nli:{folder}", {}).name.startswith("nli:tiny@")


def test_an_address_is_a_language_model_and_gets_the_key_meant_for_it() -> None:
    keys = {"LASTRO_JUDGE_KEY": "sk-1", "LASTRO_EMBEDDINGS_KEY": "sk-2"}
    with chatting() as log:
        by = judges.of(f"{log.url}#tiny", keys)
        by.judge("fee", ["the fee"])

    assert log.keys == ["Bearer sk-1"]


@pytest.mark.parametrize(
    "spec", ["", "nli", "nli:", "gpt-4", "openai:m@http://host/v1", "ftp://u:sk-1@h#m"]
)
def test_another_name_is_refused_and_the_forms_are_said(spec: str) -> None:
    with pytest.raises(UsageError, match="nli:PATH or URL#MODEL") as raised:
        judges.of(spec, {})

    assert "sk-1" not in f"{raised.value} {raised.value.hint}"


def test_without_its_packages_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(judges, "find_spec", lambda _: None)

    with pytest.raises(UsageError, match="onnxruntime is not installed") as raised:
        judges.of(f"nli:{tmp_path}", {})

    assert "pip install 'lastro[dense]'" in raised.value.hint


@pytest.mark.parametrize("origin", [Origin.PRIVATE, Origin.PUBLIC])
def test_verdicts_on_private_cases_are_kept_nowhere(
    tmp_path: Path, origin: Origin
) -> None:
    case = Case(id=CaseId("c"), query="q", provenance=Provenance(origin=origin))
    left = Trace(
        case_id=case.id,
        claims=(TraceClaim(text="fee"),),
        evidence=(TracePassage(document_id="d", text="the fee"),),
    )

    run = inputs.score([case], [left], judge=Reading(), run_dir=tmp_path)

    assert run.aggregates["judge_groundedness"].mean == 1.0
    kept = [each.name for each in tmp_path.iterdir()]
    assert kept == ([] if origin is Origin.PRIVATE else ["judge.jsonl"])
