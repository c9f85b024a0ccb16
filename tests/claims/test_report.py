"""What a trial says to the reader of a page: one quiet line, sentences behind it, a control shown in the story."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from claims_helpers import HALF, bound

from mcbook.claims import at_most, claims, equal, holds, less_than, verify
from mcbook.claims.spine.report import line_of, story, verdict_line
from mcbook.foundation.proof import Tier

# Their pages tell what fails when they are made stronger.
MAIN_THEOREMS = (
    "thm-perceptron-mistake-bound",
    "thm-multiclass-margin-bound",
    "lem-rademacher-of-maxima",
    "thm-loss-based-decoding",
    "thm-one-vs-one-error",
    "thm-hard-svm-in-kesler-space",
)


def plain(html):
    """The sentence with its formulas between dollars."""
    html = re.sub(r'<span class="math notranslate nohighlight">\\\((.*?)\\\)</span>', r"$\1$", html)
    return re.sub(r"<[^>]+>", "", html)


class TestTheLine:
    def test_counts_checks_and_stronger_versions(self, make_claim):
        claim = make_claim()
        assert verdict_line(verify(claim)) == "1 check, exact · attained with equality · 1 stronger version refuted"
        claim.check("another")(lambda rng: [at_most("x", 1, 2)])
        claim.strengthened("the bound", by=Fraction(99, 100))(lambda by: [at_most("x", HALF, by * bound(HALF))])
        assert verdict_line(verify(claim)).startswith("2 checks, exact")
        assert verdict_line(verify(claim)).endswith("2 stronger versions refuted")

    def test_says_how_tight_the_statement_is(self, make_claim):
        claim = make_claim()
        claim.extremals.clear()
        claim.extremal("something else")(lambda: [equal("x", HALF, HALF)])
        assert "· tightest case worked out ·" in verdict_line(verify(claim))
        claim.extremal("at 89/99")(lambda: [at_most("x", Fraction(89, 99), 1, statement=True)])
        assert "· reaches 89 % of the bound ·" in verdict_line(verify(claim))
        claim.extremal("nearly")(lambda: [equal("x", 0.5, 0.5, within=1e-9, statement=True)])
        assert "· attained within rounding ·" in verdict_line(verify(claim))
        claim.extremal("at one half")(lambda: [equal("x", HALF, HALF, statement=True)])
        assert "· attained with equality ·" in verdict_line(verify(claim))
        assert verify(claim).stands

    def test_leaves_out_what_there_is_not(self, make_claim):
        claim = make_claim(no_extremal="none", no_control="none")
        claim.extremals.clear()
        claim.controls.clear()
        assert verdict_line(verify(claim)) == "1 check, exact"

    def test_says_that_the_proof_was_run(self, make_claim):
        claim = make_claim()
        claim.trace("on one instance")(lambda: [at_most("x", 1, 2)])
        assert "· proof run on an instance ·" in verdict_line(verify(claim))


class TestSentences:
    @pytest.mark.parametrize(
        ("line", "sentence"),
        [
            (at_most("updates ≤ R² / γ²", 13, 35), r"updates ≤ $R^{2} / \gamma ^{2}$: $13 \le 35$"),
            (equal("error and bound", 1, 1, at="k = 2"), "error and bound ($k = 2$): $1 = 1$"),
            (less_than("failure < δ", 0, 1, at="2 atoms"), r"failure &lt; $\delta$ (2 atoms): $0 \lt 1$"),
            (equal("h(x, y) = k R_m", HALF, HALF), r"$h(x, y) = k R_{m}$: $\tfrac{1}{2} = \tfrac{1}{2}$"),
            (holds("ρ = 2 is refused", True, Tier.EXACT), r"$\rho = 2$ is refused"),
            (holds("another label wins", False, Tier.EXACT), "another label wins: this is not so"),
        ],
    )
    def test_say_what_was_compared_and_how_close(self, line, sentence):
        assert plain(line_of(line)) == sentence

    def test_keep_the_digits_that_tell_two_numbers_apart(self):
        assert r"1.00001 \le 1.00002" in line_of(at_most("x ≤ y", 1.00001, 1.00002))

    def test_a_control_says_its_sentence_with_its_values(self, make_claim):
        claim = make_claim()
        claim.control("With one more it is false: {left}, not {right}.")(lambda: [at_most("x ≤ y", bound(2), 1)])
        claim.control("It is not red.")(lambda: [holds("it is red", bound(False), Tier.EXACT)])
        shown = plain(verify(claim)._repr_html_())
        assert "Refuted, as it must be: With one more it is false: $2$, not $1$." in shown
        assert "Refuted, as it must be: It is not red." in shown

    def test_say_how_many_comparisons_there_were(self, make_claim):
        claim = make_claim()
        claim.check("three")(lambda rng: [at_most("x", n, 4) for n in (1, 3, 2)])
        assert "Checked: three. Closest of 3 comparisons: $x$: $3 \\le 4$." in plain(verify(claim)._repr_html_())

    def test_never_name_the_claim_by_its_id(self, make_claim):
        claim = make_claim()
        assert claim.label not in plain(verify(claim)._repr_html_())

    def test_escape_what_html_would_read(self):
        assert "<script>" not in line_of(holds("a <script> in the text", True, Tier.EXACT))


class TestTheStory:
    def test_a_control_stands_open_with_its_values(self, make_claim):
        claim = make_claim()
        claim.control("With $k$ it is {left}, not {right}.", story=True)(lambda: [at_most("x", bound(2), 1)])
        assert [plain(sentence) for sentence in story(verify(claim))] == ["With $k$ it is $2$, not $1$."]
        assert '<p class="mcbook-story">With' in verify(claim)._repr_html_()

    def test_so_is_a_strengthened_statement(self, make_claim):
        claim = make_claim()
        add = claim.strengthened("{left} against {right}.", by=Fraction(99, 100), story=True)
        add(lambda by: [at_most("x", HALF, by * bound(HALF))])
        assert [plain(one) for one in story(verify(claim))] == [r"$\tfrac{1}{2}$ against $\tfrac{99}{200}$."]

    def test_values_that_the_control_does_not_find_are_a_complaint(self, make_claim):
        claim = make_claim()
        claim.control("{left}")(lambda: [holds("x", bound(False), Tier.EXACT)])
        assert "compares no two values" in " ".join(verify(claim).complaints)

    @pytest.mark.parametrize("label", MAIN_THEOREMS)
    def test_main_theorems_say_what_is_false(self, label):
        (claim,) = (claim for claim in claims().values() if claim.label == label)
        assert claim.story, f"{label}: give a control of it story=True"
