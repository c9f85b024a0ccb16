"""Whether the book keeps step with its claims: every way in which it does not is noticed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mcbook.claims import claims, coverage, discrepancies, find_claim
from mcbook.claims.spine.book import BookText, Statement, read_book
from mcbook.claims.spine.coverage import (
    SHORTEST_PROOF,
    STEPS,
    Covered,
    formula_lines,
    formula_summary,
    reasons,
    summary,
)
from mcbook.claims.spine.page_code import PageCode

BOOK = Path(__file__).resolve().parents[2] / "book"

THEOREM = find_claim("thm-perceptron-mistake-bound")
CODE = (
    "from mcbook import verify\nfrom mcbook.perceptron import mistake_bound\n"
    "mistake_bound(1, 1)\nverify('thm-perceptron-mistake-bound')"
)
REASON = "x" * SHORTEST_PROOF


def book_with(title="Title", proof=REASON, code=CODE, label=THEOREM.label, chapter="perceptron"):
    page = PageCode()
    assert not page.read(code)
    return BookText(
        folder=BOOK,
        chapters=[chapter],
        statements={label: Statement(chapter, title, "text")},
        proofs={label: f"For {{prf:ref}}`{label}`. {proof}"},
        code={chapter: page},
    )


@pytest.fixture
def formulas_agree(monkeypatch):
    """Here it is not about formulas, which are read from the page's file."""
    monkeypatch.setattr("mcbook.claims.spine.coverage.agrees", lambda bound: True)


def about_the_theorem(book):
    return [line for line in discrepancies(book) if THEOREM.label in line]


def state(book):
    return next(one for one in coverage(book) if one.claim is THEOREM)


class TestTheBook:
    def test_says_what_is_claimed_and_claims_what_it_says(self):
        assert not discrepancies(read_book(BOOK))

    def test_has_no_half_chapters(self):
        book = read_book(BOOK)
        states = [one for one in coverage(book) if one.claim.chapter in book.chapters]
        lacking = [f"{one.claim.label}: {one.status}" for one in states if not one.done]
        assert not lacking, f"claims of written chapters that are not done: {lacking}"


class TestDiscrepancies:
    def test_none_where_all_is_well(self):
        assert about_the_theorem(book_with()) == []

    def test_a_statement_taken_out(self):
        (found,) = about_the_theorem(book_with(label="thm-made-up", code=CODE))
        assert f"the claim {THEOREM.label} has no statement in perceptron" in found

    def test_a_statement_in_another_chapter(self):
        book = book_with()
        book.statements[THEOREM.label] = Statement("svm", "Title", "text")
        assert "has no statement in perceptron" in about_the_theorem(book)[0]

    def test_a_statement_without_a_claim(self):
        found = discrepancies(book_with(label="thm-made-up"))
        assert "perceptron states thm-made-up, and no claim has that label" in found

    @pytest.mark.parametrize("label", ["def-made-up", "alg-made-up"])
    def test_definitions_and_algorithms_assert_nothing(self, label):
        assert not any(label in problem for problem in discrepancies(book_with(label=label)))

    @pytest.mark.parametrize("proof", ["Obvious.", "", REASON[:-1]])
    def test_a_proof_without_an_argument(self, proof):
        (found,) = about_the_theorem(book_with(proof=proof))
        assert "a reader needs the reason" in found

    @pytest.mark.parametrize(
        "code", ["pass", CODE.replace("verify('", "# verify('"), CODE.replace("thm-perceptron", "thm-winnow")]
    )
    def test_a_claim_that_is_not_shown(self, code):
        (found,) = about_the_theorem(book_with(code=code))
        shown = f"end a cell of perceptron with verify('{THEOREM.label}')"
        assert f"the claim {THEOREM.label} is not shown to the reader: {shown}" in found

    def test_a_claim_shown_in_another_chapter_only(self):
        book = book_with(code="pass")
        book.code["svm"] = PageCode()
        book.code["svm"].read(CODE)
        assert "is not shown to the reader" in about_the_theorem(book)[0]

    def test_of_a_chapter_that_is_left_out_there_are_none(self):
        assert discrepancies(BookText()) == []

    def test_of_one_chapter_alone(self):
        book = book_with()
        book.chapters.append("svm")
        book.code["svm"] = PageCode()
        book.statements["thm-x"] = Statement("svm", "x", "x")
        book.problems = ["perceptron: is wrong", "svm: is wrong"]
        mine, theirs = discrepancies(book, "perceptron"), discrepancies(book, "svm")
        assert not set(mine) & set(theirs)
        assert sorted([*mine, *theirs]) == sorted(discrepancies(book))
        assert "svm: is wrong" in theirs


@pytest.mark.usefixtures("formulas_agree")
class TestSteps:
    def test_all_done(self):
        one = state(book_with())
        assert one.done
        assert (one.status, one.lacking) == ("done", [])

    def test_no_statement(self):
        assert state(book_with(chapter="svm")).lacking == ["statement", "implementation"]

    def test_no_proof(self):
        book = book_with()
        book.proofs.clear()
        assert state(book).lacking == ["derivation"]

    def test_what_experiments_show_needs_no_proof(self):
        observation = next(claim for claim in claims().values() if claim.nature == "observation")
        (one,) = (state for state in coverage(BookText()) if state.claim is observation)
        assert one.steps["derivation"]

    def test_a_function_that_is_imported_and_not_used(self):
        one = state(book_with(code=CODE.replace("mistake_bound(1, 1)", "")))
        assert one.lacking == ["implementation"]
        assert one.status == "only statement, derivation, check, control, formula"

    def test_a_function_that_has_the_name_only(self):
        assert state(book_with(code=CODE.replace("from mcbook.perceptron", "from elsewhere"))).lacking == [
            "implementation"
        ]

    @pytest.mark.parametrize(("missing", "lacking"), [("checks", ["check"]), ("controls", ["control"])])
    def test_a_claim_without_a_part(self, monkeypatch, missing, lacking):
        claim = claims()["thm-perceptron-mistake-bound"]
        monkeypatch.setattr(claim, missing, {})
        monkeypatch.setattr(claim, "strengthenings", {} if missing == "controls" else claim.strengthenings)
        assert state(book_with()).lacking == lacking

    def test_a_reason_does_for_a_control(self, monkeypatch):
        claim = claims()["thm-perceptron-mistake-bound"]
        for name, value in (("controls", {}), ("strengthenings", {}), ("no_control", "nothing near it is false")):
            monkeypatch.setattr(claim, name, value)
        assert state(book_with()).done


class TestFormula:
    @pytest.fixture
    def state_with(self, tmp_path):
        """The state of the mistake bound in a book whose page has this formula."""

        def make(formula):
            shutil.copy(BOOK / "notation.toml", tmp_path)
            text = f"::::{{prf:theorem}} Bound\n:label: {THEOREM.label}\n\n$$\n{formula}\n$$ (eq-mistake-bound)\n::::\n"
            proof = f"::::{{prf:proof}}\nFor {{prf:ref}}`{THEOREM.label}`. {REASON}\n::::\n"
            cells = [{"cell_type": "markdown", "source": one} for one in (text, proof)]
            cells.append({"cell_type": "code", "source": CODE})
            (tmp_path / "perceptron.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
            return state(read_book(tmp_path))

        return make

    def test_the_page_and_the_function_agree(self, state_with):
        assert state_with(r"\frac{R^2}{\gamma^2}").done

    @pytest.mark.parametrize(
        "formula", [r"\frac{R^2}{\gamma^3}", r"\frac{2R^2}{\gamma^2}", r"\frac{S^2}{\gamma^2}", "R^2 +"]
    )
    def test_a_formula_changed_on_the_page_alone_is_noticed(self, state_with, formula):
        assert state_with(formula).lacking == ["formula"]

    def test_without_the_symbols_nothing_is_tested(self):
        book = book_with()
        book.folder = BOOK.parent / "nowhere"
        assert state(book).lacking == ["formula"]

    def test_what_has_none_is_listed_with_its_reason_and_counted_apart(self):
        steps = dict.fromkeys(STEPS, True)
        experiment = next(claim for claim in claims().values() if claim.no_formula)
        tested, excused = Covered(THEOREM, steps), Covered(experiment, steps)
        broken = Covered(THEOREM, steps | {"formula": False})
        unwritten = Covered(THEOREM, dict.fromkeys(STEPS, False))
        assert tested.has_tested_formula
        assert not any(one.has_tested_formula for one in (excused, broken, unwritten))
        states = [tested, excused, broken, unwritten]
        assert formula_lines(states) == [
            f"{experiment.label}: {experiment.no_formula}",
            f"{THEOREM.label}: no formula is bound, or page and function disagree",
        ]
        assert formula_summary(states).startswith(
            "formulas: 1 of 3 statements are tested as printed (1 formulas), 1 say"
        )
        assert formula_summary(states).endswith("1 are untested")


@pytest.mark.usefixtures("formulas_agree")
def test_the_share_that_is_done():
    done, other = state(book_with()), state(BookText())
    assert summary([done]) == "theorem coverage: 1 of 1 claims (100.0%)"
    assert summary([done, done, other]) == "theorem coverage: 2 of 3 claims (66.7%)"
    assert [one.claim for one in coverage(BookText())] == list(claims().values())


class TestReasons:
    def test_none_where_all_is_done(self):
        assert list(reasons(state(book_with()), book_with())) == []

    def test_the_page_uses_none_of_the_functions(self):
        book = book_with(code="from mcbook import verify\nverify('thm-perceptron-mistake-bound')")
        (found,) = reasons(state(book), book)
        assert found == "no cell of perceptron uses mistake_bound"

    def test_the_formula_cannot_be_read_or_differs(self, monkeypatch):
        bound = "mcbook.claims.spine.formulas.formula.BoundFormula.disagreement"
        monkeypatch.setattr(bound, lambda self: "the page says 1, the function 2")
        (found,) = reasons(state(book_with()), book_with())
        assert found == "eq-mistake-bound: the page says 1, the function 2"

        def fail(self):
            raise LookupError("no equation")

        monkeypatch.setattr(bound, fail)
        (found,) = reasons(state(book_with()), book_with())
        assert found == "eq-mistake-bound: no equation"
