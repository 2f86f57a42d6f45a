"""A case with every field given, as a line of a file holds it."""

FULL = {
    "id": "c1",
    "query": "Which is cheaper?",
    "prior_turns": [{"role": "user", "content": "Hello"}],
    "locale": "pt-BR",
    "category": "adversarial",
    "query_type": "comparison",
    "answerable": False,
    "must_cite_one_of": ["a", "b"],
    "relevant_ids": ["a"],
    "expected_doc_ids": ["a", "b"],
    "expected_terms": ["30 days"],
    "expected_citation_terms": [],
    "expected_claim_citations": [
        {"target": "A", "expected_doc_ids": ["a"], "expected_terms": ["x"]}
    ],
    "expected_answer_status": "partial",
    "expected_missing_targets": ["B"],
    "expected_reason": "low_confidence",
    "must_refuse": True,
    "tags": ["t"],
    "provenance": {"origin": "public", "source": "s", "licence": "l"},
}
