"""What each failure label means, and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from lastro.model.failure import Failure


@dataclass(frozen=True, slots=True)
class Meaning:
    """A label in plain words: what happened, and what a person does next."""

    what: str
    todo: str


MEANINGS: Mapping[Failure, Meaning] = {
    Failure.PROVIDER_ERROR: Meaning(
        "the turn ended in an error of its provider",
        "Run the case again once the provider answers.",
    ),
    Failure.ANSWERED_UNANSWERABLE: Meaning(
        "the documents do not hold the answer, and one was given",
        "Raise the gate's thresholds, or use a stricter grounding policy.",
    ),
    Failure.REFUSED_ANSWERABLE: Meaning(
        "declined although the expected terms stood in the evidence",
        "Lower the gate's thresholds, or calibrate its confidence.",
    ),
    Failure.CORPUS_GAP: Meaning(
        "the knowledge base does not hold the gold document",
        "Ingest the document, or correct the case's gold ids.",
    ),
    Failure.CANDIDATE_MISS: Meaning(
        "no leg of the search had the gold document among its candidates",
        "Look at the words of question and document; try the dense leg.",
    ),
    Failure.FUSION_MISS: Meaning(
        "a leg had the gold document, fusion lost it or put it below the cut",
        "Look at the weights of the legs.",
    ),
    Failure.RERANK_MISS: Meaning(
        "fusion had the gold document, the reranker put it below the cut",
        "Try without the reranker, or rerank more candidates.",
    ),
    Failure.SELECTION_MISS: Meaning(
        "retrieved, and not among what the answer could use",
        "Raise the number of selected passages, or the limit of the prompt.",
    ),
    Failure.RETRIEVAL_MISS: Meaning(
        "not in the first k; the trace does not hold the stages of the search",
        "Write the stages into the traces to see where it got lost.",
    ),
    Failure.GATE_MISS: Meaning(
        "the gate gave another reason than the case expects",
        "See the decision's features beside its thresholds.",
    ),
    Failure.UNDER_DECOMPOSITION: Meaning(
        "a comparison was searched with fewer questions than it has sides",
        "Look at the plan: each side needs a question of its own.",
    ),
    Failure.CITATION_MISS: Meaning(
        "retrieved, and not cited",
        "Look at the answer's claims and at the grounding contract.",
    ),
    Failure.ONE_SIDED_COMPARISON: Meaning(
        "some sides of the comparison stand on their own document, not all",
        "See which side has no passage of its own that holds its terms.",
    ),
    Failure.UNGROUNDED: Meaning(
        "the expected terms do not stand in the evidence",
        "See whether the right passage of the document was selected.",
    ),
    Failure.UNSUPPORTED_CLAIM: Meaning(
        "a claim does not stand in what it cites, or no claim names a side",
        "Compare each claim with the span that it cites.",
    ),
    Failure.UNKNOWN: Meaning(
        "left no trace, or failed and no layer explains it",
        "Read the trace, if it left one; if it should have a label, please report it.",
    ),
}
