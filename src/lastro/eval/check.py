"""Does a set of cases fit its knowledge base?  Gold that nobody could find is named.

A term that stands in no expected document, or a document that is not there,
would pose as a failure of the system that is measured.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from lastro.model.case import Case
from lastro.model.document import Document
from lastro.model.ids import CaseId, DocumentId
from lastro.text.ids import canonical
from lastro.text.terms import Match, contains_term

COMPARED = 20_000  # ids that a misspelt one is compared with, at most


class Listed(Protocol):
    """A line of the list of documents."""

    @property
    def id(self) -> DocumentId:
        """The document's id."""


class Documents(Protocol):
    """What a knowledge base must be able to do to be checked against."""

    def document(self, document_id: str) -> Document | None:
        """Return a document, or None."""

    def documents(self) -> Iterator[Listed]:
        """Yield every document's line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckFinding:
    """One thing wrong with a case: where, what, and what to do about it."""

    case_id: CaseId
    field: str
    value: str
    what: str
    advice: str

    def __str__(self) -> str:
        """Render as ``case: field: 'value' what; advice``."""
        return (
            f"{self.case_id}: {self.field}: {self.value!r} {self.what}; {self.advice}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Terms of one field, and the documents of which one has to hold each."""

    field: str
    terms: tuple[str, ...]
    documents: tuple[str, ...]


def check(cases: Iterable[Case], kb: Documents) -> tuple[CheckFinding, ...]:
    """Return everything in ``cases`` that does not fit ``kb``, case by case.

    Every gold id must be a document; every expected term must stand in the
    body of one of its expected documents (where none is named: of any); no
    query may quote its own gold id.
    """
    base = _Base(kb)
    listed = list(cases)
    anywhere = base.missing(
        term
        for case in listed
        for sought in _sought(case)
        if not sought.documents
        for term in sought.terms
    )
    return tuple(
        finding
        for case in listed
        for finding in (
            *_gold(case, base),
            *_terms(case, base, anywhere),
            *_quoted(case),
        )
    )


class _Base:
    """The knowledge base as the check sees it; ids compare in NFC."""

    def __init__(self, kb: Documents) -> None:
        self._kb = kb

    @cached_property
    def ids(self) -> Mapping[str, str]:
        return {canonical(line.id): line.id for line in self._kb.documents()}

    def text(self, document_id: str) -> str | None:
        known = self.ids.get(canonical(document_id))
        found = None if known is None else self._kb.document(known)
        return None if found is None else found.text

    def missing(self, terms: Iterable[str]) -> frozenset[str]:
        """Return the terms that no document holds; reads all only if it must."""
        left = set(terms)
        for document_id in self.ids.values() if left else ():
            text = self.text(document_id) or ""
            left = {term for term in left if not contains_term(text, term)}
            if not left:
                break
        return frozenset(left)

    def near(self, document_id: str) -> str:
        """Return the id that most looks like ``document_id``, or nothing."""
        known = list(self.ids)
        if len(known) > COMPARED:
            start = canonical(document_id)[:3].casefold()
            known = [each for each in known if each.casefold().startswith(start)]
        close = difflib.get_close_matches(canonical(document_id), known[:COMPARED], n=1)
        return self.ids[close[0]] if close else ""


def _gold_fields(case: Case) -> Iterator[tuple[str, Sequence[str]]]:
    yield "must_cite_one_of", case.must_cite_one_of
    yield "relevant_ids", case.relevant_ids
    yield "expected_doc_ids", case.expected_doc_ids
    for place, spec in enumerate(case.expected_claim_citations):
        yield (
            f"expected_claim_citations[{place}].expected_doc_ids",
            (spec.expected_doc_ids),
        )


def gold_ids(case: Case) -> tuple[str, ...]:
    """Return every document that a case's labels name, each once."""
    named = (each for _, ids in _gold_fields(case) for each in ids)
    return tuple(dict.fromkeys(named))


def _gold(case: Case, base: _Base) -> Iterator[CheckFinding]:
    for name, ids in _gold_fields(case):
        for document_id in ids:
            if canonical(document_id) in base.ids:
                continue
            near = base.near(document_id)
            yield CheckFinding(
                case_id=case.id,
                field=name,
                value=document_id,
                what="is no document of the knowledge base",
                advice=f"did you mean {near!r}?" if near else "ingest it or drop it",
            )


def _sought(case: Case) -> Iterator[Sought]:
    expected = case.expected_doc_ids or (*case.must_cite_one_of, *case.relevant_ids)
    yield Sought(field="expected_terms", terms=case.expected_terms, documents=expected)
    yield Sought(
        field="expected_citation_terms",
        terms=case.expected_citation_terms or (),
        documents=expected,
    )
    for place, spec in enumerate(case.expected_claim_citations):
        yield Sought(
            field=f"expected_claim_citations[{place}].expected_terms",
            terms=spec.expected_terms,
            documents=spec.expected_doc_ids,
        )


def _terms(case: Case, base: _Base, anywhere: frozenset[str]) -> Iterator[CheckFinding]:
    for sought in _sought(case):
        texts = [base.text(each) for each in sought.documents]
        bodies = [text for text in texts if text is not None]
        if sought.documents and not bodies:
            continue  # its documents are findings already
        for term in sought.terms:
            if sought.documents:
                found = any(contains_term(body, term) for body in bodies)
                where = "none of " + ", ".join(sought.documents)
            else:
                found = term not in anywhere
                where = "no document of the knowledge base"
            if not found:
                yield CheckFinding(
                    case_id=case.id,
                    field=sought.field,
                    value=term,
                    what=f"stands in {where}",
                    advice="use the document's own words",
                )


def _quoted(case: Case) -> Iterator[CheckFinding]:
    for document_id in gold_ids(case):
        if contains_term(case.query, document_id, Match.WORD):
            yield CheckFinding(
                case_id=case.id,
                field="query",
                value=document_id,
                what="is a gold id that the question quotes",
                advice="ask as somebody would who does not know the id",
            )
