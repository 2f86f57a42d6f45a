"""The same setup has the same hashes; whatever changes an answer changes them."""

from dataclasses import replace

from setups import SETUP, with_setting

from lastro.eval.resume.setup import differing, key

CASES = "cd" * 32


def test_the_provenance_says_what_the_cases_were_put_to() -> None:
    assert SETUP.provenance() == {
        "config_hash": SETUP.config_hash,
        "kb": {"documents": 3, "listing": "ab" * 32},
        "legs": "hybrid",
        "models": {"embedder": "static 1", "provider": "quote"},
        "system": "naive",
        "top_k": 4,
    }


def test_the_order_of_settings_changes_no_hash() -> None:
    turned = replace(SETUP, config=dict(sorted(SETUP.config.items())[::-1]))

    assert turned.config_hash == SETUP.config_hash
    assert key(turned.parts(CASES)) == key(SETUP.parts(CASES))


def test_r11_each_part_of_a_run_changes_its_key_and_is_named() -> None:
    parts = SETUP.parts(CASES)
    others = {
        "cases": SETUP.parts("ef" * 32),
        "documents": replace(SETUP, listing="01" * 32).parts(CASES),
        "lastro": parts | {"lastro": "0.0.1"},
        "model embedder": replace(
            SETUP, models={**SETUP.models, "embedder": "static 2"}
        ).parts(CASES),
        "setting retrieval_top_k": with_setting("retrieval_top_k", 8).parts(CASES),
        "system": replace(SETUP, system="agentic").parts(CASES),
    }

    for name, other in others.items():
        assert key(other) != key(parts)
        (said,) = differing(parts, other)
        assert said.startswith(f"{name}: ")


def test_what_differs_is_said_in_words_and_hashes_are_cut() -> None:
    parts = SETUP.parts(CASES)

    assert differing(parts, with_setting("retrieval_top_k", 8).parts(CASES)) == [
        "setting retrieval_top_k: 4 then, 8 now"
    ]
    assert differing(parts, replace(SETUP, listing="01" * 32).parts(CASES)) == [
        "documents: 3, hash abababababab then, 3, hash 010101010101 now"
    ]
    assert differing(parts, with_setting("contracts", "own").parts(CASES)) == [
        "setting contracts: none then, own now"
    ]
    assert differing(parts, parts) == []
