"""Gold that nobody could find is named, with the case, the field and what to do."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from lastro.eval.check import CheckFinding, check
from lastro.model.case import Case, TargetSpec
from lastro.model.document import Document
from lastro.model.ids import CaseId, DocumentId


@dataclass(frozen=True)
class Line:
    id: DocumentId


class Shelf:
    """Documents in a dictionary; counts how often one is read."""

    def __init__(self, **texts: str) -> None:
        self.texts = {key.replace("_", "-"): text for key, text in texts.items()}
        self.read: list[str] = []

    def document(self, document_id: str) -> Document | None:
        self.read.append(document_id)
        if document_id not in self.texts:
            return None
        return Document(
            id=DocumentId(document_id),
            title="Title",
            text=self.texts[document_id],
            source="s",
            version="v",
        )

    def documents(self) -> Iterator[Line]:
        return (Line(DocumentId(key)) for key in sorted(self.texts))


SHELF = Shelf(fees_2026="The fee is R$ 3.000 within 14 months.", library="Open daily.")
CASE = Case(
    id=CaseId("c1"),
    query="What does it cost?",
    must_cite_one_of=("fees-2026",),
    expected_terms=("3.000", "14 MONTHS"),
)


def found(**changes: object) -> tuple[CheckFinding, ...]:
    return check([dataclasses.replace(CASE, **changes)], SHELF)  # type: ignore[arg-type]


def test_a_case_that_fits_has_no_finding() -> None:
    assert found() == ()


@pytest.mark.parametrize(
    "name", ["must_cite_one_of", "relevant_ids", "expected_doc_ids"]
)
def test_l13_m42_a_dangling_gold_id_is_named_with_the_nearest_one(name: str) -> None:
    (finding,) = found(**{name: ("fees-2062",)}, expected_terms=())

    assert (finding.case_id, finding.field, finding.value) == ("c1", name, "fees-2062")
    assert str(finding) == (
        f"c1: {name}: 'fees-2062' is no document of the knowledge base; "
        "did you mean 'fees-2026'?"
    )


def test_an_id_like_no_other_gets_no_guess() -> None:
    (finding,) = found(relevant_ids=("zzz",))

    assert finding.advice == "ingest it or drop it"


def test_a_target_is_checked_with_its_own_documents_and_terms() -> None:
    spec = TargetSpec(
        target="t", expected_doc_ids=("nowhere", "library"), expected_terms=("fee",)
    )

    findings = found(expected_claim_citations=(spec,))

    assert [(each.field, each.value) for each in findings] == [
        ("expected_claim_citations[0].expected_doc_ids", "nowhere"),
        ("expected_claim_citations[0].expected_terms", "fee"),
    ]


@pytest.mark.parametrize("term", ["4 months", "refund", "3.0000"])
def test_a_term_that_no_expected_document_holds_is_a_finding(term: str) -> None:
    (finding,) = found(expected_terms=(term,))

    assert finding.field == "expected_terms"
    assert finding.what == "stands in none of fees-2026"


def test_one_expected_document_that_holds_a_term_is_enough() -> None:
    assert found(must_cite_one_of=("fees-2026", "library")) == ()


def test_terms_belong_to_expected_documents_before_the_cited_ones() -> None:
    (finding,) = found(expected_doc_ids=("library",), expected_terms=("fee",))

    assert finding.what == "stands in none of library"


def test_citation_terms_of_their_own_are_checked_too() -> None:
    (finding,) = found(expected_citation_terms=("refund",))

    assert finding.field == "expected_citation_terms"


def test_terms_without_expected_documents_must_stand_somewhere() -> None:
    assert found(must_cite_one_of=(), expected_terms=("daily",)) == ()
    (finding,) = found(must_cite_one_of=(), expected_terms=("refund",))
    assert finding.what == "stands in no document of the knowledge base"


def test_terms_of_a_document_that_is_not_there_are_not_blamed_as_well() -> None:
    findings = found(must_cite_one_of=("gone",))

    assert [each.field for each in findings] == ["must_cite_one_of"]


@pytest.mark.parametrize(
    ("query", "findings"),
    [
        ("What does fees-2026 say?", 1),
        ("What does FEES-2026 say?", 1),
        ("What are fees-20261?", 0),
        ("What are myfees-2026?", 0),
        ("What are the fees of 2026?", 0),
    ],
)
def test_a_query_that_quotes_its_gold_id_is_a_finding(
    query: str, findings: int
) -> None:
    assert [each.field for each in found(query=query)] == ["query"] * findings


def test_l18_gold_ids_compare_in_nfc() -> None:
    shelf = Shelf()
    shelf.texts["a\u00e7\u00e3o"] = "The fee is 3.000 in 14 months."
    case = dataclasses.replace(CASE, must_cite_one_of=("ac\u0327a\u0303o",))

    assert check([case], shelf) == ()


def test_only_expected_documents_are_read() -> None:
    shelf = Shelf(fees_2026="R$ 3.000, 14 months", library="Open daily.")

    check([CASE], shelf)

    assert set(shelf.read) == {"fees-2026"}


def test_every_finding_of_every_case_is_returned_in_order() -> None:
    cases = [
        dataclasses.replace(CASE, id=CaseId(each), must_cite_one_of=("gone",))
        for each in ("b", "a")
    ]

    assert [each.case_id for each in check(cases, SHELF)] == ["b", "a"]
