"""Thresholds and small cases of the spine: what is just allowed, shown first, left out, or taken for something else."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path

import pytest
from claims_helpers import HALF, bound

from mcbook.claims import Evidence, at_least, at_most, claims, coverage, equal, holds, less_than, verify
from mcbook.claims.spine import fingerprint
from mcbook.claims.spine.book import BookText
from mcbook.claims.spine.calls import watched
from mcbook.claims.spine.coverage import agrees, bound_formulas, reasons
from mcbook.claims.spine.glossary import Finder, Term
from mcbook.claims.spine.page_code import PageCode
from mcbook.claims.spine.telling import Compared, compared, line_of, part_sentence
from mcbook.claims.spine.trial import Part
from mcbook.foundation.proof import Known, Tier, Verdict


def line(what="x", verdict=Verdict.HOLDS, tier=Tier.EXACT, tightness=None):
    return Evidence(what, "", verdict, tier, tightness)


class TestAccuracy:
    @pytest.mark.parametrize(("left", "right", "within"), [(0, 0, 0.01), (1, 1, 0.05), (1, 2, 0.1), (2, 1, 0.1)])
    def test_that_is_just_small_enough(self, left, right, within):
        assert equal("", left, right, within=within).holds is (left == right)

    @pytest.mark.parametrize(("number", "within"), [(0, 0.01005), (1, 0.0505)])
    def test_that_is_just_too_large(self, number, within):
        with pytest.raises(ValueError, match="expected an accuracy"):
            equal("", number, number, within=within)

    def test_ratios_to_one_and_to_minus_one(self):
        assert at_most("", HALF, 1).tightness == 0.5
        assert at_most("", -2, -1).tightness == 2
        assert at_least("", 1, HALF).tightness == 0.5


class TestVerdicts:
    def test_of_yes_and_no(self):
        yes, no = holds("x", True, Tier.EXACT), holds("x", False, Tier.EXACT, "three of four")
        assert (yes.holds, yes.refuted, yes.finding) == (True, False, "yes")
        assert (no.holds, no.refuted, no.finding) == (False, True, "three of four")

    def test_at_the_border(self):
        assert at_most("", 1, 1).holds
        assert less_than("", 1, 1).refuted
        assert equal("", 1, 1).holds
        assert equal("", 1, Fraction(101, 100), within=Fraction(1, 100)).holds
        assert at_most("", Known(1, 2, Tier.CERTIFIED), 1).verdict is Verdict.UNDECIDED


class TestPart:
    @pytest.mark.parametrize(
        ("tier", "below", "shown"),
        [
            (Tier.SAMPLED, 0.99e-6, "first"),
            (Tier.SAMPLED, 0.75e-6, "first"),
            (Tier.SAMPLED, 1.005e-6, "second"),
            (Tier.CERTIFIED, 0.75e-6, "first"),
            (Tier.EXACT, 0.75e-6, "second"),
            (Tier.EXACT, 0, "first"),
        ],
    )
    def test_of_lines_that_only_rounding_tells_apart_the_first_is_shown(self, tier, below, shown):
        lines = (line("first", tier=tier, tightness=1 - below), line("second", tier=tier, tightness=1.0))
        assert Part("check", "", lines).telling.what == shown

    def test_the_first_line_that_spoils_it_is_shown(self):
        bad, worse = (line(what, Verdict.REFUTED) for what in ("bad", "worse"))
        assert Part("check", "", (line(), bad, worse)).telling is bad
        assert Part("control", "", (bad,), by="2", unstrengthened=(line(), worse, bad)).telling is worse

    def test_one_line_is_not_counted(self):
        assert Part("check", "", (line(),)).row[2] == "x: "
        assert Part("check", "", (line(), line())).row[2].startswith("2 comparisons; tightest: ")

    def test_every_line_has_to_hold_at_the_factor_1(self):
        refuted = (line(verdict=Verdict.REFUTED),) * 2
        assert Part("control", "", refuted, by="2", unstrengthened=(line(), line())).passed
        assert not Part("control", "", refuted, by="2", unstrengthened=(line(), refuted[0])).passed


class TestTelling:
    @pytest.mark.parametrize(
        ("what", "parts"),
        [
            ("k = 2", ("", "k = 2", "", "")),
            ("error, k = 2", ("", "error", "", "k = 2")),
            ("a, b, k = 2, m = 3", ("", "a", "b", "k = 2, m = 3")),
            ("a, b, c", ("", "a, b, c", "", "")),
            ("where: a, b; 3 atoms", ("where", "a", "b", "3 atoms")),
            ("a (k = 2); m = 3", ("", "a", "", "m = 3")),
            ("a (k = 2), b", ("", "a (k = 2)", "b", "")),
            ("f(x, g[y, z]), {u, v}, k = 2", ("", "f(x, g[y, z])", "{u, v}", "k = 2")),
        ],
    )
    def test_what_a_line_compares(self, what, parts):
        assert compared(what) == Compared(*parts)

    def test_few_digits_are_shown_unless_they_hide_the_difference(self):
        assert r"13 \le 35.36" in line_of(at_most("x, y", 13, 35.3589))
        assert r"1 \approx 1" in line_of(equal("x, y", 1.00001, 1.00001, within=1e-3))

    def test_of_one_line_it_is_said_that_it_was_found(self):
        one, two = at_most("x", 1, 2), at_most("x", 1, 3)
        assert "Found: " in part_sentence(Part("check", "what", (one,)))
        assert "Closest of 2 comparisons: " in part_sentence(Part("check", "what", (one, two)))
        assert "Worst of 2 comparisons: " in part_sentence(Part("check", "what", (one, at_most("x", 2, 1))))

    def test_only_a_control_that_is_refuted_says_what_it_would_need(self):
        true, false = at_most("x, y", 1, 2), at_most("x, y", 2, 1)
        assert "It would need" in part_sentence(Part("control", "what", (false,)))
        assert "It would need" not in part_sentence(Part("check", "what", (false,)))
        assert "It would need" not in part_sentence(Part("control", "what", (true,)))

    def test_a_proof_attains_what_it_says(self, make_claim):
        claim = make_claim()
        claim.extremal("equality for all", attained=True)(lambda: [line(tier=Tier.RIGOROUS)])
        assert verify(claim).stands


class Base:
    __module__ = "package.base"

    def of_the_base(self):
        return 1


class Foreign:
    __module__ = "elsewhere.machine"

    def foreign(self):
        return 1


class Machine(Base, Foreign):
    __module__ = "package.machine"

    def scaled(self, factor):
        return 2 * factor


@pytest.mark.parametrize(("method", "seen"), [("of_the_base", {0}), ("foreign", set())])
def test_what_is_inherited_counts_within_one_package(method, seen):
    with watched([Machine]) as called:
        getattr(Machine(), method)()
    assert called == seen


def test_a_method_with_arguments_is_that_of_its_first():
    machine, other = Machine(), Machine()
    with watched([machine, Machine, other]) as called:
        machine.scaled(2)
    assert called == {0, 1}


class TestCoverage:
    def test_every_formula_has_to_agree(self, monkeypatch):
        claim = next(claim for claim in claims().values() if len(claim.formulas) > 1)
        book = BookText(folder=Path("nowhere"))
        for agreeing, done in ((claim.formulas, True), (claim.formulas[:1], False), ((), False)):
            monkeypatch.setattr("mcbook.claims.spine.coverage.agrees", lambda one, yes=agreeing: one.formula in yes)
            (state,) = (state for state in coverage(book) if state.entry is claim.entry)
            assert state.steps["formula"] is done

    def test_without_page_or_notation_nothing_agrees(self, tmp_path):
        (formula, *_) = bound_formulas(claims()["P.T"], tmp_path)
        for path in (*formula.read_from, None):
            assert not agrees(formula)
            for file in formula.read_from:
                file.unlink(missing_ok=True)
            if path is not None:
                path.write_text("", encoding="utf-8")

    def test_without_a_book_or_a_claim_there_is_nothing_to_do(self, monkeypatch, tmp_path):
        (state,) = (state for state in coverage(BookText()) if state.entry.id == "P.T")
        assert list(reasons(state, BookText())) == []
        monkeypatch.setattr("mcbook.claims.spine.coverage.claims", dict)
        assert list(reasons(state, BookText(folder=tmp_path))) == []

    def test_a_claim_without_formula_and_reason_is_told(self, monkeypatch, tmp_path):
        (state,) = (state for state in coverage(BookText()) if state.entry.id == "P.T")
        monkeypatch.setattr(claims()["P.T"], "formulas", ())
        assert "the claim names no formula and gives no reason in no_formula" in list(
            reasons(state, BookText(folder=tmp_path))
        )


@pytest.mark.parametrize("names", [("margin", "margin loss"), ("margin loss", "margin")])
def test_of_two_terms_the_longer_is_found(names):
    text = "Margin losses, a margin"
    found = Finder([Term(name, "") for name in names]).finds(text)
    assert [(term.term, text[start:end]) for term, start, end in found] == [
        ("margin loss", "Margin losses"),
        ("margin", "margin"),
    ]


def test_a_trial_may_be_given_its_seed_by_place():
    code = PageCode()
    assert not code.read("from mcbook import verify\nverify('thm-a', 3)")
    assert code.verified == {"thm-a"}


def test_code_as_nested_lists():
    constant = ["Constant", ("value", ["1"])]
    call = ["Call", ("func", [["Name", ("id", ["'f'"])]]), ("args", [constant])]
    assert list(fingerprint._code(ast.parse("'text'\nf(1)"))) == ["Module", ("body", [["Expr", ("value", [call])]])]
    choice = ["IfExp", ("test", [call]), ("body", [constant]), ("orelse", [constant])]
    assert list(fingerprint._code(ast.parse("1 if f(1) else 1", mode="eval").body)) == choice


def test_a_strengthened_statement_is_tried_at_1_and_at_its_factor(make_claim):
    claim, factors = make_claim(), []

    def tried(by):
        factors.append(by)
        return [at_most("x", HALF, by * bound(HALF)), holds("a bound", bound(by) == 1, Tier.EXACT)]

    claim.strengthened("the bound", by=Fraction(99, 100))(tried)
    assert verify(claim).stands
    assert factors == [Fraction(99, 100), 1]
