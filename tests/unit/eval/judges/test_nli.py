"""A model of inference from a folder: a real one, made here, run without a network."""

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

import offline
import onnx_nli  # after the two that it needs

from lastro.errors import UsageError
from lastro.eval.judges.nli import Nli
from lastro.eval.scorers.judge import Judgement, Ruling

FEE = "The fee is 30 euros."
TERM = "It ends in May."


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    offline.cut(monkeypatch, "a folder needs no network")


@pytest.fixture
def nli(tmp_path: Path) -> Nli:
    return Nli(str(onnx_nli.make(tmp_path)))


@pytest.mark.parametrize(
    ("claim", "evidence", "ruling"),
    [
        ("the fee is 30 euros", [FEE], Ruling.SUPPORTED),
        ("the fee is 62 euros", [FEE], Ruling.UNSUPPORTED),
        ("the fee is not 30 euros", [FEE], Ruling.CONTRADICTED),
        ("the fee is 30 euros", ["The fee is not 30 euros."], Ruling.CONTRADICTED),
        ("it ends in May", [FEE, TERM], Ruling.SUPPORTED),
        ("the fee ends", [FEE, TERM], Ruling.UNSUPPORTED),
        ("the fee ends", [FEE, TERM, f"{FEE}\n\n{TERM}"], Ruling.SUPPORTED),
    ],
)
def test_the_evidence_is_the_premise_and_the_claim_the_hypothesis(
    nli: Nli, claim: str, evidence: list[str], ruling: Ruling
) -> None:
    assert nli.judge(claim, evidence) == Judgement(ruling)


ORDERS = {
    "upper case": ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"),
    "two labels": ("entailment", "not_entailment", "not_entailment"),
}


@pytest.mark.parametrize("kind", ORDERS)
def test_labels_are_known_by_their_names_in_any_case(tmp_path: Path, kind: str) -> None:
    nli = Nli(str(onnx_nli.make(tmp_path, labels=ORDERS[kind])))
    against = Ruling.CONTRADICTED if kind == "upper case" else Ruling.UNSUPPORTED

    assert nli.judge("the fee is 30 euros", [FEE]).ruling is Ruling.SUPPORTED
    assert nli.judge("the fee is not 30 euros", [FEE]).ruling is against


def test_the_order_of_the_labels_is_the_folders_own(tmp_path: Path) -> None:
    turned = ("contradiction", "neutral", "entailment")
    nli = Nli(str(onnx_nli.make(tmp_path, labels=turned)))

    assert nli.judge("the fee is 30 euros", [FEE]).ruling is Ruling.CONTRADICTED


def test_g10_chunks_that_have_nothing_to_do_with_a_claim_change_nothing(
    nli: Nli,
) -> None:
    """G10: the same sentence changed its verdict with more chunks."""
    others = ["The 62 ends.", "And in it.", "May . May", "zebra"]
    for claim in ("the fee is 30 euros", "the fee is 62 euros", "it is 62"):
        alone = nli.judge(claim, [FEE])
        for at in range(len(others) + 1):
            assert nli.judge(claim, [*others[:at], FEE, *others[at:]]) == alone


def test_g08_evidence_beyond_the_window_is_read_in_parts(nli: Nli) -> None:
    """G08: a long context cut the answer off, and nothing was found wrong."""
    filler = "And it is in the fee. " * 30
    for text in (filler + FEE, FEE + filler, filler + FEE + filler):
        assert nli.judge("the fee is 30 euros", [text]).ruling is Ruling.SUPPORTED
        assert nli.judge("the fee is 62 euros", [text]).ruling is Ruling.UNSUPPORTED


def test_g08_one_sentence_without_an_end_is_read_to_its_end(nli: Nli) -> None:
    text = "and it is in the fee " * 60 + "30 euros"

    assert nli.judge("30 euros", [text]).ruling is Ruling.SUPPORTED
    assert nli.judge("62 euros", [text]).ruling is Ruling.UNSUPPORTED


def test_g08_a_claim_that_does_not_fit_is_unavailable_and_never_cut(nli: Nli) -> None:
    most = " ".join(["fee"] * (onnx_nli.LONGEST // 2))

    assert nli.judge(most, [FEE]).ruling is Ruling.SUPPORTED
    assert nli.judge(f"{most} zebra", [FEE]) == Judgement(
        Ruling.UNAVAILABLE, "the claim and evidence do not fit into 64 tokens"
    )


@pytest.mark.parametrize(
    ("config", "window"),
    [
        ({"max_position_embeddings": 40}, 40),
        ({"max_position_embeddings": 42, "model_type": "xlm-roberta"}, 40),
        (
            {
                "max_position_embeddings": 41,
                "model_type": "roberta",
                "pad_token_id": 0,
            },
            40,
        ),
        ({"max_position_embeddings": 9_000_000}, onnx_nli.LONGEST),
        ({"max_position_embeddings": "many"}, onnx_nli.LONGEST),
    ],
)
def test_the_window_is_what_model_and_tokenizer_both_take(
    tmp_path: Path, config: dict[str, object], window: int
) -> None:
    nli = Nli(str(onnx_nli.make(tmp_path, config=config)))
    fits = " ".join(["fee"] * (window // 2))

    assert nli.judge(fits, [FEE]).ruling is Ruling.SUPPORTED
    assert nli.judge(f"{fits} fee", [FEE]).ruling is Ruling.UNAVAILABLE


def test_a_tokenizer_that_cuts_is_told_not_to(tmp_path: Path) -> None:
    folder = onnx_nli.make(tmp_path)
    held = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    held["truncation"] = {
        "max_length": 8,
        "strategy": "LongestFirst",
        "stride": 0,
        "direction": "Right",
    }
    (folder / "tokenizer.json").write_text(json.dumps(held), "utf-8")

    found = Nli(str(folder)).judge("the fee is 30 euros and it ends in zebra", [FEE])

    assert found.ruling is Ruling.UNSUPPORTED


def test_as_likely_as_another_is_not_supported(tmp_path: Path) -> None:
    # 1 for entailment, 0 and -2: divided by a number this large, all are 0.
    nli = Nli(str(onnx_nli.make(tmp_path, divisor=float("inf"))))

    assert nli.judge("the fee is 30 euros", [FEE]) == Judgement(Ruling.UNSUPPORTED)


def test_a02_a_score_that_is_no_number_is_unavailable(tmp_path: Path) -> None:
    nli = Nli(str(onnx_nli.make(tmp_path, divisor=0.0)))

    assert nli.judge("the fee is 30 euros", [FEE]) == Judgement(
        Ruling.UNAVAILABLE, "the model gave a score that is no number"
    )


def test_any_text_can_be_read(nli: Nli) -> None:
    for text in ("\ud800", "a\0b", "가나다", "😀" * 100):
        assert nli.judge(text, [text]).ruling is Ruling.UNSUPPORTED


def test_r11_the_name_tells_models_and_their_labels_apart(tmp_path: Path) -> None:
    first = Nli(str(onnx_nli.make(tmp_path / "a" / "tiny")))
    again = Nli(str(onnx_nli.make(tmp_path / "b" / "tiny")))
    turned = ("contradiction", "neutral", "entailment")
    other = Nli(str(onnx_nli.make(tmp_path / "c" / "tiny", labels=turned)))
    third = Nli(str(onnx_nli.make(tmp_path / "d" / "tiny", divisor=2.0)))

    assert first.name == again.name
    assert first.name.startswith("nli:tiny@")
    assert len({first.name, other.name, third.name}) == 3


@pytest.mark.parametrize("file", ["model.onnx", "onnx/other.onnx"])
def test_a_file_in_a_folder_picks_the_model(tmp_path: Path, file: str) -> None:
    onnx_nli.make(tmp_path, file=file)
    nli = Nli(str(tmp_path / file))

    assert nli.judge("it ends", [TERM]).ruling is Ruling.SUPPORTED


@pytest.mark.parametrize(
    ("labels", "listed"),
    [
        (("LABEL_0", "LABEL_1", "LABEL_2"), "LABEL_0, LABEL_1, LABEL_2"),
        (("positive", "neutral", "negative"), "positive"),
        ((), "none"),
        (("entailment", "entailment", "neutral"), "entailment, entailment"),
    ],
)
def test_a_model_that_tells_no_entailment_is_refused(
    tmp_path: Path, labels: tuple[str, ...], listed: str
) -> None:
    with pytest.raises(UsageError, match="no label entailment") as raised:
        Nli(str(onnx_nli.make(tmp_path, labels=labels)))

    assert listed in str(raised.value)
    assert "config.json" in raised.value.hint


def test_labels_for_other_scores_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="3 scores for a pair, not one a label"):
        Nli(str(onnx_nli.make(tmp_path, labels=("entailment", "neutral"))))


@pytest.mark.parametrize("missing", ["config.json", "tokenizer.json", "onnx"])
def test_a_folder_without_what_is_needed_is_refused(
    tmp_path: Path, missing: str
) -> None:
    folder = onnx_nli.make(tmp_path)
    gone = folder / missing
    shutil.rmtree(gone) if gone.is_dir() else gone.unlink()

    with pytest.raises(UsageError, match=r"has no (config|tokenizer|model)") as raised:
        Nli(str(folder))

    assert "model.onnx" in raised.value.hint


@pytest.mark.parametrize("file", ["onnx/model.onnx", "tokenizer.json", "config.json"])
def test_a_damaged_file_is_one_clear_error(tmp_path: Path, file: str) -> None:
    folder = onnx_nli.make(tmp_path)
    (folder / file).write_bytes(b"\xff{")

    with pytest.raises(UsageError, match=r"judge nli(:.* cannot be run|.* no label)"):
        Nli(str(folder))


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        Nli(str(tmp_path / "none"))
