"""The spine bites: every claim of the book stands, and a claim that should not stand does not."""

from __future__ import annotations

import dataclasses
import json
import math
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from mcbook.__main__ import main
from mcbook.claims import Claim, at_least, at_most, claims, covered, equal, holds, ledger, less_than, trace, verify
from mcbook.claims.spine.book import read_book
from mcbook.claims.spine.coverage import STEPS, Covered, coverage, discrepancies, summary
from mcbook.foundation.proof import Known, Tier, Verdict
from mcbook.foundation.proof.statistical import Coverage

BOOK = Path(__file__).resolve().parent.parent / "book"


@pytest.mark.parametrize("entry_id", claims())
def test_every_claim_of_the_book_stands(entry_id):
    trial = verify(entry_id)
    assert trial.stands, "\n".join(trial.complaints)


def test_the_book_states_what_is_claimed_and_claims_what_it_states():
    assert not discrepancies(read_book(BOOK))


def test_a_chapter_that_is_there_is_whole():
    book = read_book(BOOK)
    written = set(book.chapter_of.values())
    lacking = [
        f"{state.entry.id}: {state.status}"
        for state in coverage(book)
        if state.entry.chapter in written and not state.done
    ]
    assert not lacking, f"entries of written chapters that are not done: {lacking}"


class TestLedger:
    def test_all_188_entries_of_the_sources_are_there(self):
        assert len(ledger()) == 188

    def test_every_entry_says_something_and_names_its_sources(self):
        sources = {f"{{{key}," for entry in ledger().values() for key in entry.source}
        references = (BOOK / "references.bib").read_text(encoding="utf-8")
        assert all(source in references for source in sources)
        assert all(entry.says and entry.title and entry.tier_from for entry in ledger().values())


@pytest.fixture
def make_claim(monkeypatch):
    """Claims on an entry of the ledger that no chapter claims, forgotten again after the test."""
    monkeypatch.setattr("mcbook.claims.spine.claim.REGISTRY", {})
    entry = dataclasses.replace(next(iter(ledger().values())), kind="upper bound", tier=Tier.EXACT, label="lem-test")

    def make(tier=Tier.EXACT, **options):
        monkeypatch.setattr(
            "mcbook.claims.spine.claim.ledger", lambda: {entry.id: dataclasses.replace(entry, tier=tier)}
        )
        claim = Claim(entry.id, implements=at_most, **options)
        claim.check("one third is at most one half")(lambda rng: [at_most("x", Fraction(1, 3), Fraction(1, 2))])
        claim.extremal("one half")(lambda: [equal("x", Fraction(1, 2), Fraction(1, 2))])
        claim.control("one half less a bit")(lambda: [at_most("x", Fraction(1, 2), Fraction(49, 100))])
        return claim

    return make


class TestTrial:
    def test_a_whole_claim_stands(self, make_claim):
        trial = verify(make_claim())
        assert trial.stands
        assert "stands" in repr(trial)
        assert "mcbook-verdict" in trial._repr_html_()
        assert '<td class="refuted">refuted</td></tr>' in trial._repr_html_()

    def test_a_check_that_fails_is_a_complaint(self, make_claim):
        claim = make_claim()
        claim.check("false")(lambda rng: [at_most("x", 1, 2), at_most("x", 3, 2)])
        assert "3 ≤ 2 is refuted" in verify(claim).complaints[0]

    def test_a_control_that_is_not_refuted_is_a_complaint(self, make_claim):
        claim = make_claim()
        claim.control("weakened")(lambda: [at_most("x", Fraction(1, 2), Fraction(1, 2))])
        assert "should be refuted" in verify(claim).complaints[0]

    def test_a_control_that_is_refuted_only_here_and_there_is_a_complaint(self, make_claim):
        claim = make_claim()
        claim.control("half")(lambda: [at_most("x", 2, 1), at_most("x", 1, 2)])
        assert not verify(claim).stands

    @pytest.mark.parametrize("part", ["check", "extremal", "control"])
    def test_no_evidence_is_no_evidence(self, make_claim, part):
        claim = make_claim()
        getattr(claim, part)("empty")(lambda *rng: [])
        assert "yielded no evidence" in verify(claim).complaints[0]
        assert f"{part} | empty | no evidence | undecided" in repr(verify(claim))

    def test_a_missing_control_is_a_complaint_unless_the_reason_is_written(self, make_claim):
        claim = make_claim()
        claim.controls.clear()
        assert "no control" in verify(claim).complaints[0]
        claim.no_control = "nothing near it is false"
        assert verify(claim).stands

    def test_a_weaker_tier_is_a_complaint_unless_the_reason_is_written(self, make_claim):
        claim = make_claim(tier=Tier.RIGOROUS)
        assert "'exact', the ledger asks for 'rigorous'" in verify(claim).complaints[0]
        claim.weaker_tier = "no proof for all inputs is known"
        assert verify(claim).stands

    def test_the_tier_is_that_of_the_weakest_evidence(self, make_claim):
        claim = make_claim()
        claim.check("floats")(lambda rng: [at_most("x", 0.1, 0.2)])
        assert verify(claim).tier is Tier.SAMPLED
        assert not verify(claim).stands

    def test_the_table_shows_the_tightest_evidence_or_the_first_that_spoils(self, make_claim):
        claim = make_claim()
        claim.check("three")(lambda rng: [at_most("a", 1, 9), at_most("b", 8, 9), at_most("c", 2, 9)])
        assert "check | three | 3 comparisons; tightest: b: 8 ≤ 9 | holds" in repr(verify(claim))
        claim.check("spoilt")(lambda rng: [at_most("a", 8, 9), at_most("b", 3, 2), at_most("c", 5, 2)])
        assert "check | spoilt | 3 comparisons; worst: b: 3 ≤ 2 | refuted" in repr(verify(claim))
        assert "one third is at most one half | x: 1/3 ≤ 1/2 | holds" in repr(verify(claim))

    def test_two_claims_on_one_entry_are_refused(self, make_claim):
        make_claim()
        with pytest.raises(ValueError, match="exactly one"):
            make_claim()

    def test_names_that_do_not_exist(self):
        with pytest.raises(KeyError, match="no claim is called"):
            verify("thm-nothing")
        unclaimed = next(entry for entry in ledger() if entry not in claims())
        with pytest.raises(KeyError, match="no claim yet"):
            verify(unclaimed)


class TestEvidence:
    third = Known(Fraction(33, 100), Fraction(34, 100), Tier.CERTIFIED)

    @pytest.mark.parametrize(
        ("evidence", "verdict"),
        [
            (at_most("", third, Fraction(34, 100)), Verdict.HOLDS),
            (at_most("", third, Fraction(1, 3)), Verdict.UNDECIDED),
            (at_most("", third, Fraction(32, 100)), Verdict.REFUTED),
            (at_least("", third, Fraction(33, 100)), Verdict.HOLDS),
            (less_than("", 1, 1), Verdict.REFUTED),
            (less_than("", third, Fraction(34, 100)), Verdict.UNDECIDED),
            (equal("", third, Fraction(1, 3)), Verdict.UNDECIDED),
            (equal("", third, Fraction(1, 3), within=0.01), Verdict.HOLDS),
            (equal("", third, Fraction(1, 2), within=0.01), Verdict.REFUTED),
            (equal("", 0.1 + 0.2, 0.3), Verdict.UNDECIDED),
            (equal("", Fraction(1, 10) + Fraction(2, 10), Fraction(3, 10)), Verdict.HOLDS),
            (holds("", False, Tier.EXACT), Verdict.REFUTED),
        ],
    )
    def test_verdicts(self, evidence, verdict):
        assert evidence.verdict is verdict

    def test_evidence_is_as_strong_as_its_weaker_side(self):
        assert at_most("", self.third, 1).tier is Tier.CERTIFIED
        assert at_most("", self.third, 1.0).tier is Tier.SAMPLED

    wide, far = Known(0, 2, Tier.CERTIFIED), Known(3, 4, Tier.CERTIFIED)

    @pytest.mark.parametrize(
        ("left", "right", "within", "verdict"),
        [
            # The middle of the first is 1, which proves nothing about the number itself.
            (wide, 1, 0, Verdict.UNDECIDED),
            (1, wide, 0, Verdict.UNDECIDED),
            (wide, wide, 0, Verdict.UNDECIDED),
            (wide, 1, Fraction(1, 2), Verdict.UNDECIDED),
            (1, wide, Fraction(1, 2), Verdict.UNDECIDED),
            (wide, 1, 1, Verdict.HOLDS),
            (wide, wide, 2, Verdict.HOLDS),
            (wide, far, 0, Verdict.REFUTED),
            (far, wide, 0, Verdict.REFUTED),
            (wide, far, 1, Verdict.UNDECIDED),
            (far, wide, 1, Verdict.UNDECIDED),
            (wide, far, 4, Verdict.HOLDS),
            (wide, Known(2, 3, Tier.CERTIFIED), 0, Verdict.UNDECIDED),
        ],
    )
    def test_equality_is_judged_from_the_ends_and_not_from_the_middle(self, left, right, within, verdict):
        assert equal("", left, right, within).verdict is verdict

    @pytest.mark.parametrize(
        ("compare", "left", "right", "verdict"),
        [
            (at_most, wide, 2, Verdict.HOLDS),
            (at_most, wide, Fraction(3, 2), Verdict.UNDECIDED),
            (at_most, wide, 0, Verdict.UNDECIDED),
            (at_most, far, wide, Verdict.REFUTED),
            (at_most, 1, wide, Verdict.UNDECIDED),
            (at_least, wide, 0, Verdict.HOLDS),
            (at_least, wide, far, Verdict.REFUTED),
            (at_least, wide, 2, Verdict.UNDECIDED),
            (less_than, wide, far, Verdict.HOLDS),
            (less_than, wide, 2, Verdict.UNDECIDED),
            (less_than, wide, 0, Verdict.REFUTED),
            (less_than, 2, wide, Verdict.REFUTED),
        ],
    )
    def test_order_is_judged_from_the_ends(self, compare, left, right, verdict):
        assert compare("", left, right).verdict is verdict

    @pytest.mark.parametrize(
        ("left", "right", "tightness"),
        [(1, 4, 0.25), (0, 0, 1.0), (1, 0, None), (math.inf, math.inf, 1.0), (1, math.inf, None), (math.inf, 1, None)],
    )
    def test_tightness_is_the_ratio_where_there_is_one(self, left, right, tightness):
        assert at_most("", left, right).tightness == tightness
        assert at_least("", right, left).tightness == tightness

    def test_the_finding_says_what_was_compared(self):
        found = [at_most("", 1, 2), at_least("", 1, 2), less_than("", 1, 2), equal("", 1, 2), equal("", 1, 2, within=1)]
        assert [one.finding for one in found] == ["1 ≤ 2", "1 ≥ 2", "1 < 2", "1 = 2", "1 ≈ 2"]
        assert [holds("", True).finding, holds("", False).finding, holds("", True, "3 of 3").finding] == [
            "yes",
            "no",
            "3 of 3",
        ]

    def test_a_yes_or_no_is_judged_as_it_is_answered(self):
        assert holds("", True).verdict is Verdict.HOLDS
        assert holds("", False).verdict is Verdict.REFUTED

    def test_coverage_tells_the_rate_of_failures_against_delta(self):
        found = covered("", Coverage(5, 1000, 0.05))
        assert found.tightness == pytest.approx(0.1)
        assert (found.verdict, found.tier) == (Verdict.HOLDS, Tier.STATISTICAL)
        assert covered("", Coverage(100, 1000, 0.05)).verdict is Verdict.REFUTED


class TestCoverage:
    def test_the_status_says_how_far_an_entry_has_come(self):
        entry = ledger()["P.T"]

        def status(*done):
            return Covered(entry, {step: step in done for step in STEPS}).status

        assert status(*STEPS) == "done"
        assert status() == "not yet"
        assert status("statement", "check") == "only statement, check"


class TestBook:
    def notebook(self, folder, *markdown, code="from mcbook.perceptron import mistake_bound\nverify('P.T')"):
        cells = [{"cell_type": "markdown", "source": text} for text in markdown]
        cells.append({"cell_type": "code", "source": code})
        (folder / "perceptron.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        return read_book(folder)

    def statement(self, label, text="text"):
        return f"::::{{prf:theorem}} Bound\n:label: {label}\n\n{text}\n::::\n"

    def mistake_bound_with(self, folder, formula):
        """The state of the entry in a book of this one statement."""
        shutil.copy(BOOK / "notation.toml", folder)
        label = ledger()["P.T"].label
        proof = f":::{{prf:proof}}\n:class: dropdown\n\nFor {{prf:ref}}`{label}`. By algebra.\n:::\n"
        book = self.notebook(folder, self.statement(label, f"$$\n{formula}\n$$ (eq-mistake-bound)"), proof)
        return next(state for state in coverage(book) if state.entry.id == "P.T")

    def test_a_statement_and_its_proof_are_found(self, tmp_path):
        state = self.mistake_bound_with(tmp_path, r"\frac{R^2}{\gamma^2}")
        assert state.done
        assert summary([state]) == "theorem coverage: 1 of 1 ledger entries (100.0%)"

    @pytest.mark.parametrize(
        "formula", [r"\frac{R^2}{\gamma^3}", r"\frac{2R^2}{\gamma^2}", r"\frac{S^2}{\gamma^2}", "R^2 +"]
    )
    def test_a_formula_changed_on_the_page_alone_is_noticed(self, tmp_path, formula):
        assert self.mistake_bound_with(tmp_path, formula).lacking == ["formula"]

    def test_a_statement_taken_out_is_noticed(self, tmp_path):
        found = discrepancies(self.notebook(tmp_path, "no statement at all"))
        assert any("the claim P.T has no statement" in line for line in found)

    def test_a_statement_without_a_claim_is_noticed(self, tmp_path):
        found = discrepancies(self.notebook(tmp_path, self.statement("thm-made-up")))
        assert any("states thm-made-up, and no claim has that label" in line for line in found)

    def test_a_statement_without_a_label_is_noticed(self, tmp_path):
        found = discrepancies(self.notebook(tmp_path, "```{prf:lemma}\nunlabelled\n```\n"))
        assert any("has no label" in line for line in found)

    def test_a_claim_that_is_not_shown_is_noticed(self, tmp_path):
        label = ledger()["P.T"].label
        found = discrepancies(self.notebook(tmp_path, self.statement(label), code="pass"))
        assert any("the claim P.T is nowhere shown" in line for line in found)

    def test_examples_and_remarks_need_no_claim(self, tmp_path):
        book = self.notebook(tmp_path, ":::{prf:example}\n:label: ex-a\ntext\n:::\n")
        assert not book.chapter_of


class TestCommandLine:
    def test_verify_names_and_exit_code(self, capsys):
        assert main(["verify", "P.T", "S.lin"]) == 0
        assert "2 of 2 claims stand" in capsys.readouterr().out

    def test_a_claim_that_falls_gives_exit_code_1(self, capsys, monkeypatch):
        monkeypatch.setattr(
            "mcbook.claims.perceptron.mistakes.mistake_bound", lambda radius, margin: radius / margin / 2
        )
        assert main(["verify", "P.T"]) == 1
        assert "FAILS" in capsys.readouterr().out

    def test_an_unknown_name_gives_one_sentence(self, capsys):
        assert main(["verify", "nothing"]) == 2
        assert "no claim is called 'nothing'" in capsys.readouterr().err

    def test_json(self, capsys):
        assert main(["verify", "S.lin", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)[0]["stands"] is True
        assert main(["ledger", "--json", "--book", str(BOOK)]) == 0
        assert len(json.loads(capsys.readouterr().out)) == 188

    def test_sweep_uses_other_seeds(self, capsys):
        assert main(["verify", "P.norm", "--sweep", "3"]) == 0


def test_the_trace_of_the_mistake_bound_holds_line_by_line():
    found = trace("P.T")
    assert len(found.lines) > 15
    assert all(line.holds for line in found.lines)
    assert "mcbook-verdict" in found._repr_html_()
