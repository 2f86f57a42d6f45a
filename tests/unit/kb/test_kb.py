"""The bundled knowledge base is whole: cards, cases and what each says of itself."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml

from lastro.corpus import bundled
from lastro.eval.cases.read import read
from lastro.model.case import Case, Category, Origin, QueryType
from lastro.model.decision import ReasonCode
from lastro.text.analyse import query_words, words
from lastro.text.lists import language
from lastro.text.terms import contains_term

REASONS = [
    ReasonCode.INSUFFICIENT_CONTEXT,
    ReasonCode.UNDERSPECIFIED_QUERY,
    ReasonCode.AMBIGUOUS_RETRIEVAL,
    ReasonCode.CONTEXT_MISALIGNED,
    ReasonCode.VAGUE_BUT_HIGH_RISK,
    ReasonCode.LOW_CONFIDENCE,
    ReasonCode.OK,
]
BRANDS = (
    "Acer|Adobe|Amazon|AMD|Android|Apple|Asus|Azure|Blackboard|Canvas|ChatGPT|"
    "Cisco|Claude|Copilot|Dell|Discord|Dropbox|Facebook|Fortinet|Gemini|GitHub|"
    "Google|HP|iPhone|Intel|Kakao|Lenovo|LG|Linux|Microsoft|Moodle|Naver|Okta|"
    "OpenAI|Oracle|Outlook|Pix|Samsung|Slack|Teams|Telegram|Uber|WhatsApp|Windows|"
    "Zoom|eduroam|구글|네이버|마이크로소프트|삼성|애플|카카오|한컴"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    id: str
    title: str
    locale: str
    collection: str
    topics: tuple[str, ...]
    updated: str
    body: str
    path: Path


@cache
def cards() -> dict[str, Card]:
    found = list(_cards())
    assert not [name for name, n in Counter(c.id for c in found).items() if n > 1]
    return {card.id: card for card in found}


def _cards() -> Iterator[Card]:
    for folder in bundled.sources():
        for path in sorted(folder.rglob("*.md")):
            _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
            facts = yaml.safe_load(head)
            yield Card(
                id=facts["id"],
                title=facts["title"],
                locale=facts["locale"],
                collection=facts["collection"],
                topics=tuple(facts["topics"]),
                updated=str(facts["updated"]),
                body=body,
                path=path.relative_to(bundled.path()),
            )


@cache
def cases() -> tuple[Case, ...]:
    return read(*bundled.cases()).cases


def tagged(tag: str) -> list[Case]:
    return [case for case in cases() if tag in case.tags]


def body_of(name: str) -> str:
    return cards()[name].body


def test_a_card_says_of_itself_what_its_place_says() -> None:
    for card in cards().values():
        collection, locale, file = card.path.parts
        assert card.id == f"{collection}.{locale}.{file.removesuffix('.md')}"
        assert (card.collection, card.locale) == (collection, locale)
        assert card.title
        assert card.topics
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", card.updated)


def test_every_locale_has_its_cards_in_every_collection() -> None:
    counts = Counter((card.locale, card.collection) for card in cards().values())

    assert {locale for locale, _ in counts} == set(bundled.LOCALES)
    for locale in bundled.LOCALES:
        assert sum(n for (found, _), n in counts.items() if found == locale) >= 40
        for collection in bundled.COLLECTIONS:
            assert counts[locale, collection] >= 7


def test_every_locale_has_a_long_page_a_table_and_a_page_with_hardly_anything() -> None:
    for locale in bundled.LOCALES:
        bodies = [card.body for card in cards().values() if card.locale == locale]
        assert max(len(body.split()) for body in bodies) > 600
        assert min(len(body.split()) for body in bodies) < 20
        assert any("\n|---" in body for body in bodies)


def test_text_is_normalised_and_ends_with_one_line_end() -> None:
    for path in bundled.path().rglob("*"):
        if path.is_file():
            text = path.read_bytes().decode("utf-8")
            assert text == unicodedata.normalize("NFC", text), path
            assert "\r" not in text
            assert "\t" not in text
            assert text.endswith("\n"), path
            assert not text.endswith("\n\n"), path


def test_no_real_brand_is_named() -> None:
    brand = re.compile(rf"(?<!\w)(?:{BRANDS})(?!\w)")
    for path in bundled.path().rglob("*.*"):
        if path.is_file():
            assert not brand.findall(path.read_text(encoding="utf-8")), path


def test_addresses_lead_nowhere() -> None:
    for card in cards().values():
        for address in re.findall(r"(?:[a-z0-9-]+\.)+[a-z]{2,}(?![a-z])", card.body):
            assert address.endswith(".example"), (card.id, address)


def test_cases_are_read_without_a_complaint() -> None:
    found = read(*bundled.cases())

    assert len(found.cases) >= 320
    assert not found.warnings
    assert not found.unknown
    assert {case.provenance and case.provenance.origin for case in cases()} == {
        Origin.SYNTHETIC
    }


def test_gold_is_in_the_knowledge_base_and_in_the_language_of_the_question() -> None:
    for case in cases():
        targets = [d for s in case.expected_claim_citations for d in s.expected_doc_ids]
        gold = {*case.must_cite_one_of, *case.relevant_ids, *case.expected_doc_ids}
        for name in gold | set(targets):
            assert cards()[name].locale == case.locale, case.id
            assert name not in case.query


def test_every_expected_term_stands_in_an_expected_document() -> None:
    for case in cases():
        for term in case.expected_terms:
            assert any(
                contains_term(body_of(name), term) for name in case.expected_doc_ids
            ), (case.id, term)
        for spec in case.expected_claim_citations:
            for term in spec.expected_terms:
                assert any(
                    contains_term(body_of(name), term) for name in spec.expected_doc_ids
                ), (case.id, term)


@pytest.mark.parametrize("locale", bundled.LOCALES)
def test_every_locale_has_every_kind_of_case(locale: str) -> None:
    mine = [case for case in cases() if case.locale == locale]
    kinds = Counter(case.query_type for case in mine)

    assert len([case for case in mine if case.retrieval_gold]) >= 40
    assert kinds[QueryType.COMPARISON] >= 15
    assert kinds[QueryType.FOLLOW_UP] >= 2
    assert {case.category for case in mine} == set(Category)
    assert any(case.must_refuse for case in mine)
    reasons = Counter(case.expected_reason for case in mine)
    assert min(reasons[reason] for reason in REASONS) >= 5
    assert any(case.expected_missing_targets for case in mine)
    assert all(case.prior_turns for case in mine if case.query_type == "follow_up")


def test_there_are_comparisons_enough_and_a_third_of_them_one_sided() -> None:
    compared = [case for case in cases() if case.expected_claim_citations]

    assert len(compared) >= 60
    assert len([case for case in compared if case.expected_missing_targets]) >= 20


def test_the_catalogue_lists_pages_and_some_that_are_missing() -> None:
    text = (bundled.path() / "catalogue.jsonl").read_text(encoding="utf-8")
    entries = [json.loads(line) for line in text.splitlines()]

    for entry in entries:
        assert set(entry) == {
            *("id", "title", "slug", "locale", "collection"),
            "excerpt",
        }
    for locale in bundled.LOCALES:
        listed = {entry["id"] for entry in entries if entry["locale"] == locale}
        assert listed - set(cards())
        assert listed & set(cards())


def test_a_question_without_an_answer_expects_none() -> None:
    for case in cases():
        if case.category is Category.NO_MATCH or case.must_refuse:
            assert not case.answerable
            assert case.query_type is QueryType.ABSTENTION
            assert not case.expected_terms


def test_a_paraphrase_shares_no_word_with_the_title() -> None:
    assert tagged("paraphrase")
    for case in tagged("paraphrase"):
        locale = case.locale or ""
        for name in case.must_cite_one_of:
            title = {e for w in words(cards()[name].title, locale) for e in w.emissions}
            asked = query_words(case.query, [language(locale)])
            shared = [
                w.surface for w in asked if w.informative and title & {*w.emissions}
            ]
            assert not shared, (case.id, shared)


def test_an_unaccented_question_has_no_accent() -> None:
    assert tagged("unaccented")
    for case in tagged("unaccented"):
        bare = unicodedata.normalize("NFD", case.query)
        assert not [c for c in bare if unicodedata.combining(c)] or "typo" in case.tags


def test_what_is_tagged_as_a_table_is_answered_by_a_row() -> None:
    for case in tagged("table"):
        rows = [
            line
            for name in case.expected_doc_ids
            for line in body_of(name).splitlines()
            if line.startswith("|")
        ]
        assert any(contains_term(row, case.expected_terms[0]) for row in rows), case.id


def test_what_is_tagged_as_a_long_page_is_one() -> None:
    for case in tagged("long_page"):
        assert all(len(body_of(d).split()) > 600 for d in case.expected_doc_ids)


@pytest.mark.parametrize("locale", bundled.LOCALES)
def test_the_demo_asks_for_each_reason_and_one_comparison(locale: str) -> None:
    asked = bundled.demo(locale)

    assert [question.shows for question in asked] == [*REASONS, "comparison"]
    assert len({question.text for question in asked}) == len(asked)
