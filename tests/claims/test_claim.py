"""What a claim may be made of, and how it is found."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from mcbook.claims import Claim, claims, find_claim
from mcbook.claims.spine.claim import BOUNDS, KINDS, NATURES
from mcbook.foundation.proof import Tier


def test_two_claims_on_one_statement_are_refused(make_claim):
    make_claim()
    with pytest.raises(ValueError, match="exactly one"):
        make_claim()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "hope"}, "lem-x: expected a kind among identity, .*, got 'hope'"),
        ({"label": "idea-x"}, "expected a label that begins with one of thm, .*, got 'idea-x'"),
        ({"tier": "certain"}, "unknown tier"),
    ],
)
def test_a_word_in_a_header_that_is_not_known_is_refused(monkeypatch, change, message):
    monkeypatch.setattr("mcbook.claims.spine.claim.REGISTRY", {})
    with pytest.raises(ValueError, match=message):
        Claim(**{"label": "lem-x", "kind": "identity", "tier": "exact"} | change, source="nobody2000", implements=print)


def test_the_parts_that_a_claim_must_have(make_claim):
    for kind, prefix in itertools.product(KINDS, NATURES):
        required = make_claim(kind=kind, label=f"{prefix}-{kind[:5].strip()}").required
        bound = kind in BOUNDS
        assert {"check", "control"} <= set(required)
        assert ("extremal instance" in required, "trace of its proof" in required) == (bound, bound and prefix == "thm")


def test_every_claim_names_a_source_of_the_bibliography():
    references = (Path(__file__).resolve().parents[2] / "book" / "references.bib").read_text(encoding="utf-8")
    assert {key for claim in claims().values() for key in claim.source if f"{{{key}," not in references} == set()


@pytest.mark.parametrize("part", ["check", "extremal", "control", "trace"])
def test_two_parts_with_one_name_are_refused(make_claim, part):
    claim = make_claim()
    getattr(claim, part)("twice")(list)
    with pytest.raises(ValueError, match="'twice' already: say how this one differs"):
        getattr(claim, part)("twice")(list)


def test_two_strengthenings_with_one_name_are_refused(make_claim):
    claim = make_claim()
    claim.strengthened("twice", by=2)(list)
    with pytest.raises(ValueError, match="'twice' already"):
        claim.strengthened("twice", by=3)(list)


def test_a_factor_of_1_strengthens_nothing(make_claim):
    with pytest.raises(ValueError, match="a factor other than 1"):
        make_claim().strengthened("the bound", by=1)


def test_an_exception_from_the_tier_needs_its_reason(make_claim):
    with pytest.raises(ValueError, match="expected the reason for the tier 'certified'"):
        make_claim(tier=Tier.RIGOROUS, weaker_tier=(Tier.CERTIFIED, " "))


def test_all_claims_are_found_and_each_by_its_label():
    assert all(find_claim(label) is claim and claim.label == label for label, claim in claims().items())
    assert find_claim("thm-perceptron-mistake-bound").chapter == "perceptron"


def test_a_misspelt_label_is_answered_with_what_is_near_it():
    with pytest.raises(KeyError, match="no claim is called 'thm-perceptron-bound': expected thm-perceptron-mistake"):
        find_claim("thm-perceptron-bound")
    with pytest.raises(KeyError, match="such as thm-"):
        find_claim("42")


def test_every_control_is_named_by_a_sentence():
    """A reader sees the name of a control; a sentence says what is tried and what is found."""
    for claim in claims().values():
        for sentence in (*claim.controls, *claim.strengthenings):
            assert re.fullmatch(r"[^a-z].{1,218}\.", sentence), f"{claim.label}: {sentence}"
