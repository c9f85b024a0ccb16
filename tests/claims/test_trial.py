"""Every rule of a trial bites: a claim that should not stand does not, and says why."""

from __future__ import annotations

from fractions import Fraction

import pytest
from claims_helpers import HALF, bound

from mcbook.claims import Evidence, at_most, equal, holds, trace, verify
from mcbook.claims.spine.trial import Part
from mcbook.foundation.proof import Tier, Verdict


def only_complaint(claim):
    (complaint,) = verify(claim).complaints
    return complaint


def line(verdict=Verdict.HOLDS, tier=Tier.EXACT):
    return Evidence("x", verdict, tier, note="yes")


def test_a_whole_claim_stands(make_claim):
    trial = verify(make_claim())
    assert trial.stands
    assert "stands, tier: exact" in repr(trial)
    assert "DOES NOT" not in repr(trial)
    assert '<details class="mcbook-trial"><summary>' in trial._repr_html_()


def test_a_claim_that_falls_says_so(make_claim):
    claim = make_claim()
    claim.check("false")(lambda rng: [at_most("x", 3, bound(2))])
    assert "DOES NOT STAND" in repr(verify(claim))
    shown = verify(claim)._repr_html_()
    assert "✗ does not stand" in shown
    assert "<details" not in shown
    assert "check 'false' should hold" in shown


def test_a_check_that_fails_is_a_complaint(make_claim):
    claim = make_claim()
    claim.check("false")(lambda rng: [at_most("x", 1, 2), at_most("x", 3, 2)])
    assert "check 'false' should hold, but: x: 3 ≤ 2 is refuted" in only_complaint(claim)


def test_a_check_that_is_undecided_is_a_complaint(make_claim):
    claim = make_claim(tier=Tier.SAMPLED)
    claim.check("too close")(lambda rng: [equal("x", 0.1 + 0.2, 0.3)])
    assert "is undecided" in only_complaint(claim)


@pytest.mark.parametrize("part", ["extremal", "trace"])
def test_other_parts_that_fail_are_complaints(make_claim, part):
    claim = make_claim()
    getattr(claim, part)("false")(lambda: [at_most("x", 3, 2)])
    assert f"{part} 'false' should hold" in only_complaint(claim)


def test_a_control_that_is_not_refuted_is_a_complaint(make_claim):
    claim = make_claim()
    claim.control("weakened")(lambda: [at_most("x", HALF, bound(HALF))])
    assert "should be refuted" in only_complaint(claim)


def test_a_control_that_is_refuted_only_here_and_there_is_a_complaint(make_claim):
    claim = make_claim()
    claim.control("half")(lambda: [at_most("x", 2, bound(1)), at_most("x", 1, 2)])
    assert "should be refuted, but: x: 1 ≤ 2 is holds" in only_complaint(claim)


def test_a_control_that_is_undecided_is_a_complaint(make_claim):
    claim = make_claim()
    claim.control("too close")(lambda: [equal("x", 0.1 + 0.2, bound(0.3))])
    assert "should be refuted" in only_complaint(claim)


@pytest.mark.parametrize("part", ["check", "extremal", "control", "trace"])
def test_no_evidence_is_no_evidence(make_claim, part):
    claim = make_claim()
    getattr(claim, part)("empty")(lambda *rng: [bound(line) for _ in ()] or bound([]))
    assert f"{part} 'empty' yielded no evidence" in verify(claim).complaints


def test_one_line_of_evidence_needs_no_list(make_claim):
    claim = make_claim()
    claim.check("one line")(lambda rng: at_most("x", 1, 2))
    assert verify(claim).stands


class TestStrengthened:
    def test_holds_at_1_and_falls_at_its_factor(self, make_claim):
        claim = make_claim()
        claim.strengthened("the bound", by=Fraction(99, 100))(lambda by: [at_most("x", HALF, by * bound(HALF))])
        trial = verify(claim)
        assert trial.stands
        assert trial.parts[-1].by == "99/100"

    def test_is_a_control(self, make_claim):
        claim = make_claim()
        claim.controls.clear()
        assert "no control" in only_complaint(claim)
        claim.strengthened("the bound", by=Fraction(99, 100))(lambda by: [at_most("x", HALF, by * bound(HALF))])
        assert verify(claim).stands

    def test_that_does_not_fall_is_a_complaint(self, make_claim):
        claim = make_claim()
        claim.strengthened("the bound", by=Fraction(99, 100))(lambda by: [at_most("x", 0, by * bound(HALF))])
        assert "should be refuted" in only_complaint(claim)

    def test_that_does_not_hold_at_1_is_a_complaint(self, make_claim):
        claim = make_claim()
        claim.strengthened("the bound", by=Fraction(99, 100))(lambda by: [at_most("x", 1, by * bound(HALF))])
        assert "1 ≤ 1/2 is refuted" in only_complaint(claim)

    def test_that_is_undecided_at_1_is_a_complaint(self, make_claim):
        claim = make_claim()
        claim.strengthened("the bound", by=2)(lambda by: [equal("x", 0.1 + 0.2, by * bound(0.3))])
        assert "is undecided" in only_complaint(claim)

    def test_that_says_nothing_at_1_is_a_complaint(self, make_claim):
        claim = make_claim()
        claim.strengthened("the bound", by=Fraction(1, 2))(
            lambda by: [at_most("x", HALF, by * bound(HALF))] if by != 1 else []
        )
        assert "0 lines at the factor 1 and 1 at 1/2" in only_complaint(claim)

    def test_has_to_call_the_implementation(self, make_claim):
        claim = make_claim()
        claim.strengthened("the bound", by=Fraction(1, 2))(lambda by: [at_most("x", HALF, by * HALF)])
        assert "control 'the bound' calls none of bound" in only_complaint(claim)


class TestWhatIsOwed:
    @pytest.mark.parametrize("part", ["extremal", "control"])
    def test_a_missing_part_is_a_complaint_unless_the_reason_is_written(self, make_claim, part):
        claim = make_claim()
        getattr(claim, f"{part}s").clear()
        assert f"no {part}" in only_complaint(claim)
        setattr(claim, f"no_{part}", "nothing near it is false")
        assert verify(claim).stands
        assert f"No {part}" in verify(claim)._repr_html_()

    def test_no_reason_makes_up_for_a_check(self, make_claim):
        claim = make_claim(tier=Tier.SAMPLED)
        claim.checks.clear()
        assert "it has no check, and no reason why not" in only_complaint(claim)

    def test_a_theorem_with_a_bound_owes_a_trace(self, make_claim):
        claim = make_claim(label="thm-test")
        assert "no trace of its proof" in only_complaint(claim)
        claim.no_trace = "it is one line"
        assert verify(claim).stands
        assert "No trace: it is one line" in verify(claim)._repr_html_()
        claim.no_trace = ""
        claim.trace("line by line")(lambda: [at_most("x", 1, bound(1))])
        assert verify(claim).stands

    def test_a_reason_beside_what_it_excuses_is_a_complaint(self, make_claim):
        claim = make_claim(no_control="nothing near it is false")
        assert "a part 'control' and a reason why it has none" in only_complaint(claim)

    def test_an_identity_owes_no_extremal_instance(self, make_claim):
        claim = make_claim(kind="identity", label="thm-test")
        claim.extremals.clear()
        assert verify(claim).stands


class TestTier:
    def test_a_weaker_tier_is_a_complaint_unless_it_is_permitted(self, make_claim):
        claim = make_claim(tier=Tier.RIGOROUS)
        assert "'exact', the claim asks for 'rigorous' and no reason" in only_complaint(claim)
        claim.weaker_tier = (Tier.EXACT, "no proof for all inputs is known")
        assert verify(claim).stands
        assert "Weaker tier: no proof for all inputs is known" in verify(claim)._repr_html_()

    def test_a_stronger_tier_than_asked_is_welcome(self, make_claim):
        assert verify(make_claim(tier=Tier.CERTIFIED)).stands

    def test_another_tier_than_permitted_is_a_complaint(self, make_claim):
        claim = make_claim(tier=Tier.RIGOROUS, weaker_tier=(Tier.SAMPLED, "no proof is known"))
        assert "the exception is written for 'sampled'" in only_complaint(claim)

    def test_a_permission_that_nobody_needs_is_a_complaint(self, make_claim):
        claim = make_claim(tier=Tier.EXACT, weaker_tier=(Tier.EXACT, "no proof is known"))
        assert "bring it up to date" in only_complaint(claim)

    def test_the_tier_is_that_of_the_weakest_evidence_of_the_checks(self, make_claim):
        claim = make_claim()
        claim.extremal("floats")(lambda: [at_most("x", 0.1, 0.2)])
        assert verify(claim).tier is Tier.EXACT
        claim.check("floats, among others")(lambda rng: [at_most("x", 1, 2), at_most("x", 0.1, 0.2)])
        assert verify(claim).tier is Tier.SAMPLED
        assert "reaches the tier 'sampled'" in only_complaint(claim)


class TestCalls:
    def test_a_control_that_never_calls_the_book_is_a_complaint(self, make_claim):
        claim = make_claim()
        claim.control("one is at most nought")(lambda: [at_most("x", 1, 0)])
        assert "control 'one is at most nought' calls none of bound" in only_complaint(claim)

    def test_a_claim_that_anything_is_true_does_not_stand(self, make_claim):
        claim = make_claim()
        claim.checks.clear()
        claim.extremals.clear()
        claim.no_extremal = "there is no slack"
        claim.check("anything")(lambda rng: [holds("anything", True, Tier.EXACT)])
        assert "bound is said to implement it, and no check, extremal instance or trace" in only_complaint(claim)

    def test_every_implementation_has_to_run(self, make_claim):
        claim = make_claim(implements=(bound, only_complaint))
        assert "only_complaint is said to implement it" in only_complaint_of(claim)

    @pytest.mark.parametrize("part", ["check", "extremal", "trace"])
    def test_any_part_but_a_control_may_run_it(self, make_claim, part):
        def second(value):
            return value

        claim = make_claim(implements=(bound, second))
        claim.control("here")(lambda: [at_most("x", second(1), 0)])
        assert "second is said to implement it" in only_complaint(claim)
        getattr(claim, part)("here")(lambda *rng: [at_most("x", second(1), 1)])
        assert verify(claim).stands


def only_complaint_of(claim):
    (complaint,) = verify(claim).complaints
    return complaint


class TestPart:
    @pytest.mark.parametrize(
        ("role", "verdicts", "verdict"),
        [
            ("check", "hh", Verdict.HOLDS),
            ("check", "hr", Verdict.REFUTED),
            ("check", "hu", Verdict.UNDECIDED),
            ("check", "", Verdict.UNDECIDED),
            ("control", "rr", Verdict.REFUTED),
            ("control", "hr", Verdict.UNDECIDED),
            ("control", "ru", Verdict.UNDECIDED),
            ("control", "hh", Verdict.HOLDS),
            ("control", "", Verdict.UNDECIDED),
        ],
    )
    def test_verdict(self, role, verdicts, verdict):
        letters = {one.value[0]: one for one in Verdict}
        assert Part(role, "", tuple(line(letters[letter]) for letter in verdicts)).verdict is verdict

    def test_the_tightest_line_is_shown(self):
        part = Part("check", "many", (line(), at_most("loose", 5, 10), at_most("tight", 9, 10)))
        assert part.row == ("check", "many", "3 comparisons; tightest: tight: 9 ≤ 10", "holds")

    def test_the_line_that_spoils_it_is_shown(self):
        part = Part("check", "many", (at_most("x", 1, 1), at_most("bad", 2, 1)))
        assert part.row[2:] == ("2 comparisons; worst: bad: 2 ≤ 1", "refuted")

    def test_the_tier_is_that_of_the_weakest_line(self):
        assert Part("check", "", (line(), line(tier=Tier.CERTIFIED))).tier is Tier.CERTIFIED
        assert Part("check", "", ()).tier is Tier.SAMPLED


def test_the_seed_reaches_the_checks(make_claim):
    claim = make_claim(tier=Tier.SAMPLED)
    claim.check("random")(lambda rng: [at_most("x", int(rng.integers(10**9)), 10**9)])
    findings = [verify(claim, seed).parts[1].evidence[0].finding for seed in (0, 0, 1)]
    assert findings[0] == findings[1] != findings[2]


def test_a_trace_shows_line_by_line(make_claim):
    claim = make_claim()
    with pytest.raises(KeyError, match="no trace of its proof"):
        trace(claim)
    claim.trace("three")(lambda: [at_most("first", 1, 2), at_most("second", 2, 3)])
    found = trace(claim)
    assert [one.what for one in found.lines] == ["first", "second"]
    assert "2. second: 2 ≤ 3 [holds]" in repr(found)
    assert "2 lines, all hold" in found._repr_html_()


def test_a_trace_that_breaks_is_open(make_claim):
    claim = make_claim()
    claim.trace("two")(lambda: [at_most("first", 1, 2), at_most("second", 3, 2)])
    shown = trace(claim)._repr_html_()
    assert '<details class="mcbook-trial" open>' in shown
    assert "1 of 2 lines do not hold" in shown
    assert '<li class="refuted">second' in shown


def test_the_trace_of_the_mistake_bound_holds_line_by_line():
    found = trace("thm-perceptron-mistake-bound")
    assert len(found.lines) > 15
    assert all(one.holds for one in found.lines)


def test_a_line_without_a_ratio_is_shown_last():
    lines = (holds("no ratio", True, Tier.EXACT), at_most("below nought", -2, 1), at_most("a ratio", 1, 1000))
    assert Part("check", "what", lines).shown.what == "a ratio"


def test_a_bound_marks_its_statement_in_an_extremal_instance(make_claim):
    claim = make_claim()
    claim.extremals.clear()
    claim.extremal("at one half")(lambda: [equal("x", HALF, HALF)])
    assert "mark it with statement=True" in only_complaint(claim)
