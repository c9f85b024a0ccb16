"""One comparison and its verdict."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest

from mcbook.claims import at_least, at_most, covered, equal, holds, less_than, proved
from mcbook.foundation.proof import Known, Tier, Verdict
from mcbook.foundation.proof.rigorous import Proof
from mcbook.foundation.proof.statistical import Coverage

THIRD = Known(Fraction(33, 100), Fraction(34, 100), Tier.CERTIFIED)
HOLDS, REFUTED, UNDECIDED = Verdict.HOLDS, Verdict.REFUTED, Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("evidence", "verdict"),
    [
        (at_most("", THIRD, Fraction(34, 100)), HOLDS),
        (at_most("", THIRD, Fraction(1, 3)), UNDECIDED),
        (at_most("", THIRD, Fraction(33, 100)), UNDECIDED),
        (at_most("", THIRD, Fraction(32, 100)), REFUTED),
        (at_most("", 1, 1), HOLDS),
        (at_least("", THIRD, Fraction(33, 100)), HOLDS),
        (at_least("", THIRD, Fraction(34, 100)), UNDECIDED),
        (at_least("", THIRD, Fraction(35, 100)), REFUTED),
        (less_than("", 1, 2), HOLDS),
        (less_than("", 1, 1), REFUTED),
        (less_than("", 2, 1), REFUTED),
        (less_than("", THIRD, Fraction(34, 100)), UNDECIDED),
        (less_than("", THIRD, Fraction(33, 100)), REFUTED),
        (equal("", THIRD, Fraction(1, 3)), UNDECIDED),
        (equal("", THIRD, Fraction(34, 100)), UNDECIDED),
        (equal("", THIRD, Fraction(35, 100)), REFUTED),
        (equal("", Fraction(32, 100), THIRD), REFUTED),
        (equal("", THIRD, Fraction(1, 3), within=0.01), HOLDS),
        (equal("", Fraction(1, 3), THIRD, within=0.01), HOLDS),
        (equal("", THIRD, Fraction(34, 100), within=0.005), UNDECIDED),
        (equal("", THIRD, Fraction(1, 2), within=0.01), REFUTED),
        (equal("", Fraction(1, 2), THIRD, within=0.01), REFUTED),
        (equal("", 0.1 + 0.2, 0.3), UNDECIDED),
        (equal("", Fraction(1, 10) + Fraction(2, 10), Fraction(3, 10)), HOLDS),
        (equal("a ball says only where the number is", flint.arb(1, 0.1), 1), UNDECIDED),
        (equal("", flint.arb(1, 0.1), 2), REFUTED),
        (holds("", True, Tier.EXACT), HOLDS),
        (holds("", False, Tier.EXACT), REFUTED),
    ],
)
def test_verdict(evidence, verdict):
    assert evidence.verdict is verdict
    assert evidence.holds is (verdict is HOLDS)
    assert evidence.refuted is (verdict is REFUTED)


@pytest.mark.parametrize("compare", [at_most, at_least, less_than, equal])
def test_evidence_is_as_strong_as_its_weaker_side(compare):
    assert compare("", THIRD, 1).tier is Tier.CERTIFIED
    assert compare("", 1, THIRD).tier is Tier.CERTIFIED
    assert compare("", THIRD, 1.0).tier is Tier.SAMPLED
    assert compare("", 1, Fraction(1, 2)).tier is Tier.EXACT


WIDE, FAR = Known(100, 102, Tier.CERTIFIED), Known(103, 104, Tier.CERTIFIED)


@pytest.mark.parametrize(
    ("left", "right", "within", "verdict"),
    [
        # The middle of the first is 101, which proves nothing about the number itself.
        (WIDE, 101, 0, UNDECIDED),
        (101, WIDE, 0, UNDECIDED),
        (WIDE, WIDE, 0, UNDECIDED),
        (WIDE, 101, Fraction(1, 2), UNDECIDED),
        (101, WIDE, Fraction(1, 2), UNDECIDED),
        (WIDE, 101, 1, HOLDS),
        (WIDE, WIDE, 2, HOLDS),
        (WIDE, FAR, 0, REFUTED),
        (FAR, WIDE, 0, REFUTED),
        (WIDE, FAR, 1, UNDECIDED),
        (FAR, WIDE, 1, UNDECIDED),
        (WIDE, FAR, 4, HOLDS),
        (WIDE, Known(102, 103, Tier.CERTIFIED), 0, UNDECIDED),
    ],
)
def test_equality_is_judged_from_the_ends_and_not_from_the_middle(left, right, within, verdict):
    assert equal("", left, right, within).verdict is verdict


@pytest.mark.parametrize(
    ("compare", "left", "right", "verdict"),
    [
        (at_most, WIDE, 102, HOLDS),
        (at_most, WIDE, Fraction(203, 2), UNDECIDED),
        (at_most, WIDE, 100, UNDECIDED),
        (at_most, FAR, WIDE, REFUTED),
        (at_most, 101, WIDE, UNDECIDED),
        (at_least, WIDE, 100, HOLDS),
        (at_least, WIDE, FAR, REFUTED),
        (at_least, WIDE, 102, UNDECIDED),
        (less_than, WIDE, FAR, HOLDS),
        (less_than, WIDE, 102, UNDECIDED),
        (less_than, WIDE, 100, REFUTED),
        (less_than, 102, WIDE, REFUTED),
    ],
)
def test_order_is_judged_from_the_ends(compare, left, right, verdict):
    assert compare("", left, right).verdict is verdict


class TestWithin:
    def test_what_agrees_only_within_an_accuracy_is_at_best_certified(self):
        assert equal("", 1, 1, within=1e-9).tier is Tier.CERTIFIED
        assert equal("", 1.0, 1, within=1e-9).tier is Tier.SAMPLED

    @pytest.mark.parametrize(
        ("left", "right", "within"), [(0, 1, 1e9), (0, 0, 0.011), (1, 1, 0.051), (1, 1, -1e-9), (1, 1, float("nan"))]
    )
    def test_an_accuracy_that_any_two_numbers_have_is_refused(self, left, right, within):
        with pytest.raises(ValueError, match="expected an accuracy from 0 to"):
            equal("x", left, right, within=within)

    def test_what_is_narrow_beside_the_larger_number_is_not(self):
        assert equal("", 54, Fraction(541, 10), within=0.5).holds
        assert equal("", Fraction(541, 10), 54, within=0.5).holds
        assert equal("", 0, Fraction(1, 200), within=1e-2).holds


class TestFinding:
    def test_says_what_was_compared(self):
        assert at_most("", 1, 2).finding == "1 ≤ 2"
        assert at_least("", 1, 2).finding == "1 ≥ 2"
        assert less_than("", 1, 2).finding == "1 < 2"
        assert equal("", 1, 2).finding == "1 = 2"
        assert equal("", 1, 2, within=1e-3).finding == "1 ≈ 2"
        assert holds("", True, Tier.EXACT).finding == "yes"
        assert holds("", False, Tier.EXACT).finding == "no"
        assert holds("", False, Tier.EXACT, "three of four").finding == "three of four"

    def test_tightness_is_the_smaller_side_over_the_larger(self):
        assert at_most("", 1, 2).tightness == 0.5
        assert at_least("", 2, 1).tightness == 0.5
        assert less_than("", 1, 4).tightness == 0.25
        assert equal("", 3, 4).tightness == 0.75

    def test_tightness_against_nought_and_infinity(self):
        assert at_most("", 0, 0).tightness == 1
        assert at_most("", 1, 0).tightness is None
        assert at_most("", 1, float("inf")).tightness is None
        assert at_most("", float("-inf"), 1).tightness is None
        assert at_most("", float("inf"), float("inf")).tightness == 1
        assert at_least("", 0, 1).tightness is None


def test_a_proof_is_rigorous_evidence():
    found = proved("x", Proof(REFUTED, "algebra", "x = 1"))
    assert (found.verdict, found.tier, found.finding) == (REFUTED, Tier.RIGOROUS, "algebra: x = 1")


def test_a_count_of_failures_is_statistical_evidence():
    coverage = Coverage(n_failures=1, n_trials=100, delta=0.05, false_alarm=1e-6)
    found = covered("x", coverage)
    assert (found.verdict, found.tier) == (coverage.verdict, Tier.STATISTICAL)
    assert found.tightness == pytest.approx(0.2)
    assert found.finding == "1 failures in 100 trials, allowed 0.05 of them"
