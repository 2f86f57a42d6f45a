"""The thresholds are the specification's, under both environment names."""

import dataclasses

import pytest

from lastro.declare import Sources, declarations, load
from lastro.errors import SettingsError
from lastro.gate.policy import DEPRECATED, RetrievalPolicy
from lastro.model.answer import Policy

TABLE = {
    "RETRIEVAL_MIN_SCORE": (1.5, 0, 50),
    "RETRIEVAL_MIN_SCORE_MARGIN": (0.15, 0, 5),
    "RETRIEVAL_MIN_COVERAGE": (0.34, 0, 1),
    "RETRIEVAL_MIN_COVERAGE_WEIGHTED": (0.34, 0, 1),
    "RETRIEVAL_MIN_TERMS": (2, 1, 10),
    "RETRIEVAL_CANDIDATE_K": (8, 1, 1000),
    "RETRIEVAL_TOP_K": (4, 1, 100),
    "RETRIEVAL_MAX_CHUNKS_PER_SOURCE": (2, 1, 100),
    "GROUNDING_POLICY": (Policy.ANCHORED, None, None),
    "DISAMBIGUATION_ENABLED": (False, None, None),
}


def test_the_ten_rows_of_the_table_are_declared_in_its_order() -> None:
    found = {
        item.env: (item.default, item.low, item.high)
        for item in declarations(RetrievalPolicy)
    }
    assert found == TABLE
    assert list(found) == list(TABLE)


def test_every_row_has_its_twin() -> None:
    assert all(item.twin for item in declarations(RetrievalPolicy))


def test_the_defaults_make_a_policy() -> None:
    assert RetrievalPolicy().min_score == 1.5
    assert RetrievalPolicy().thresholds["min_terms"] == 2.0
    assert set(RetrievalPolicy().thresholds) <= {
        item.name for item in dataclasses.fields(RetrievalPolicy)
    }


def test_both_names_are_read_and_our_own_wins_with_a_warning() -> None:
    twin = load((RetrievalPolicy,), Sources(environ={"ACL_RETRIEVAL_MIN_SCORE": "2.5"}))
    assert twin.policy(RetrievalPolicy).min_score == 2.5
    both = load(
        (RetrievalPolicy,),
        Sources(
            environ={
                "ACL_RETRIEVAL_MIN_SCORE": "2.5",
                "LASTRO_RETRIEVAL_MIN_SCORE": "3",
            }
        ),
    )
    assert both.policy(RetrievalPolicy).min_score == 3.0
    assert both.warnings


@pytest.mark.parametrize("value", ["50.1", "-1", "much", "nan", "inf"])
def test_a_value_out_of_range_is_refused_with_its_name(value: str) -> None:
    sources = Sources(environ={"LASTRO_RETRIEVAL_MIN_SCORE": value})
    with pytest.raises(SettingsError, match=r"LASTRO_RETRIEVAL_MIN_SCORE.*0 to 50"):
        load((RetrievalPolicy,), sources)


def test_the_old_mode_is_read_ignored_and_warned_about() -> None:
    sources = Sources(environ={"ACL_RETRIEVAL_MODE": "hybrid"})
    loaded = load((RetrievalPolicy,), sources, deprecated=DEPRECATED)
    assert len(loaded.warnings) == 1
