"""What a claim may be made of, and how it is found."""

from __future__ import annotations

import pytest

from mcbook.claims import Claim, claims, find_claim, ledger
from mcbook.foundation.proof import Tier


def test_two_claims_on_one_entry_are_refused(make_claim):
    make_claim()
    with pytest.raises(ValueError, match="exactly one"):
        make_claim()


def test_an_entry_that_is_not_in_the_ledger_is_refused():
    with pytest.raises(KeyError, match=r"no entry 'Z\.0': write it into the ledger"):
        Claim("Z.0", implements=print)


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


def test_claims_come_in_the_order_of_the_ledger():
    assert list(claims()) == [entry_id for entry_id in ledger() if entry_id in claims()]


def test_a_claim_has_two_names():
    assert find_claim("P.T") is find_claim(ledger()["P.T"].label)
    assert "P.T" in repr(find_claim("P.T"))


def test_names_that_do_not_exist():
    with pytest.raises(KeyError, match="no claim is called"):
        find_claim("thm-nothing")


def test_an_entry_without_a_claim_is_told_from_no_entry(monkeypatch):
    monkeypatch.setattr("mcbook.claims.spine.claim.REGISTRY", {})
    with pytest.raises(KeyError, match="no claim yet"):
        find_claim("P.T")
