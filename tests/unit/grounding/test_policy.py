"""The contract follows the table of policy, decision, passages, disambiguation."""

from itertools import product

import pytest
from rankings import GOOD

from lastro.gate.decide import decide
from lastro.gate.messages import LANGUAGES, Notice, notice
from lastro.gate.policy import RetrievalPolicy
from lastro.grounding.policy import choose, named
from lastro.model.answer import ContractName, Policy
from lastro.model.decision import Decision, Reason, ReasonCode

STRICT, ANCHORED, HYBRID = Policy.STRICT, Policy.ANCHORED, Policy.HYBRID


def decided(code: ReasonCode) -> Decision:
    ok = decide(GOOD, RetrievalPolicy())
    reasons = () if code is ReasonCode.OK else (Reason(code=code),)
    return Decision(
        reasons=reasons,
        confidence=ok.confidence,
        confidence_word=ok.confidence_word,
        calibrated=False,
        features={},
        thresholds={},
    )


def expected(
    policy: Policy, code: ReasonCode, *, has_passages: bool, disambiguation: bool
) -> str:
    """The specification's table, row by row."""
    if policy is STRICT:
        return "strict"
    if not has_passages:
        if policy is ANCHORED:
            return "strict"
        return "anchored" if code is ReasonCode.OK else "permissive"
    if disambiguation and code is ReasonCode.AMBIGUOUS_RETRIEVAL:
        return "disambiguation"
    return "anchored"


@pytest.mark.parametrize(
    ("policy", "code", "has_passages", "disambiguation"),
    list(product(Policy, ReasonCode, [True, False], [True, False])),
)
def test_every_combination_gets_the_table_s_contract(
    policy: Policy, code: ReasonCode, has_passages: bool, disambiguation: bool
) -> None:
    given = {"has_passages": has_passages, "disambiguation": disambiguation}
    assert named(policy, decided(code), **given) == expected(policy, code, **given)


@pytest.mark.parametrize(
    ("policy", "code", "has_passages", "disambiguation", "name"),
    [
        (STRICT, ReasonCode.OK, True, False, "strict"),
        (STRICT, ReasonCode.AMBIGUOUS_RETRIEVAL, True, True, "strict"),
        (STRICT, ReasonCode.INSUFFICIENT_CONTEXT, False, False, "strict"),
        (ANCHORED, ReasonCode.INSUFFICIENT_CONTEXT, True, False, "anchored"),
        (ANCHORED, ReasonCode.INSUFFICIENT_CONTEXT, False, False, "strict"),
        (ANCHORED, ReasonCode.AMBIGUOUS_RETRIEVAL, True, True, "disambiguation"),
        (ANCHORED, ReasonCode.AMBIGUOUS_RETRIEVAL, True, False, "anchored"),
        (HYBRID, ReasonCode.OK, True, False, "anchored"),
        (HYBRID, ReasonCode.LOW_CONFIDENCE, True, False, "anchored"),
        (HYBRID, ReasonCode.INSUFFICIENT_CONTEXT, False, False, "permissive"),
        (HYBRID, ReasonCode.AMBIGUOUS_RETRIEVAL, True, True, "disambiguation"),
    ],
)
def test_the_rows_that_the_specification_spells_out(
    policy: Policy,
    code: ReasonCode,
    has_passages: bool,
    disambiguation: bool,
    name: str,
) -> None:
    found = named(
        policy,
        decided(code),
        has_passages=has_passages,
        disambiguation=disambiguation,
    )
    assert found == name


def _choose(policy: Policy, code: ReasonCode, locale: str, **own: str) -> str:
    return choose(
        policy,
        decided(code),
        has_passages=True,
        disambiguation=True,
        locale=locale,
        own=own,
    ).text


@pytest.mark.parametrize("name", list(ContractName))
def test_every_contract_has_its_own_text_in_each_language(name: ContractName) -> None:
    policy, code = {
        ContractName.STRICT: (STRICT, ReasonCode.OK),
        ContractName.ANCHORED: (ANCHORED, ReasonCode.OK),
        ContractName.DISAMBIGUATION: (ANCHORED, ReasonCode.AMBIGUOUS_RETRIEVAL),
        ContractName.PERMISSIVE: (HYBRID, ReasonCode.INSUFFICIENT_CONTEXT),
    }[name]
    has_passages = name is not ContractName.PERMISSIVE
    texts = set()
    for language in LANGUAGES:
        contract = choose(
            policy,
            decided(code),
            has_passages=has_passages,
            disambiguation=True,
            locale=language,
        )
        assert contract.name is name
        assert contract.locale == language
        assert "[cite:ID]" in contract.text
        assert "{" not in contract.text
        texts.add(contract.text)
    assert len(texts) == len(LANGUAGES)


def test_the_anchored_contract_carries_the_teaching_label() -> None:
    for locale in ("en", "pt-BR", "es-419", "ko"):
        label = notice(Notice.TEACHING_LABEL, locale)
        assert label in _choose(ANCHORED, ReasonCode.OK, locale)


def test_the_permissive_contract_opens_with_the_fixed_notice() -> None:
    contract = choose(
        HYBRID,
        decided(ReasonCode.INSUFFICIENT_CONTEXT),
        has_passages=False,
        disambiguation=False,
        locale="ko",
    )
    assert notice(Notice.PERMISSIVE, "ko") in contract.text


def test_a_knowledge_base_may_bring_its_own_text() -> None:
    own = {"anchored.pt": "Só o edital. {label}"}
    text = _choose(ANCHORED, ReasonCode.OK, "pt-BR", **own)
    assert text.startswith("Só o edital. extensão")
    assert _choose(ANCHORED, ReasonCode.OK, "en", **own).startswith("You answer")
