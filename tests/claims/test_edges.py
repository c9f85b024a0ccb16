"""Ends of ranges in the spine that no claim comes to: what is drawn, what is watched, what is read anew."""

from __future__ import annotations

import os
import random
from fractions import Fraction
from typing import Any, cast

import pytest

from mcbook.claims import ledger
from mcbook.claims.spine.book import BookText
from mcbook.claims.spine.calls import watched
from mcbook.claims.spine.coverage import coverage
from mcbook.claims.spine.formulas.draws import Drawn
from mcbook.claims.spine.formulas.formula import BoundFormula, Formula
from mcbook.claims.spine.formulas.notation import Reading, Scope
from mcbook.foundation.proof.exact import sign_vectors

DRAWN = {
    "count": set(range(1, 7)),
    "count from 2": set(range(2, 7)),
    "count from 3": set(range(3, 9)),
    "real": {sign * Fraction(a, b) for sign in (-1, 1) for a in range(13) for b in range(1, 6)},
    "positive": {Fraction(a, b) for a in range(1, 13) for b in range(1, 8)},
    "nonnegative": {Fraction(a, b) for a in range(13) for b in range(1, 8)},
    "probability": {Fraction(a, b) for b in range(3, 13) for a in range(1, b)},
    "share": {0, 1} | {Fraction(a, b) for b in range(3, 13) for a in range(1, b)},
    "sign": {-1, 1},
    "code entry": {-1, 0, 1},
}


def drawn(kind: str, n: int) -> list[Any]:
    rng = random.Random(1)
    scope = Scope((Reading("x", kind),))
    return [Drawn(scope, rng, {})["x"] for _ in range(n)]


@pytest.mark.parametrize("kind", DRAWN)
def test_what_is_drawn_has_all_values_of_its_kind_and_no_others(kind):
    assert set(drawn(kind, 4000)) == DRAWN[kind]


def test_a_law_is_positive_and_sums_to_one_and_a_symmetric_table_is_one():
    scope = Scope((Reading("n", "count"), Reading("p_i", "law", shape=("n",)), Reading("S", "symmetric", ("n", "n"))))
    for seed in range(20):
        values = Drawn(scope, random.Random(seed), {})
        law, table = values["p_i"], values["S"]
        assert law.sum() == 1
        assert (law > 0).all()
        assert (table == table.T).all()
        assert law.shape == (values["n"],)
        assert table.shape == (values["n"], values["n"])


def test_a_function_that_runs_already_is_not_called_again():
    def outer() -> set[int]:
        with watched([outer]) as called:
            len("calls a function of C")
        return called

    assert outer() == set()


def test_an_entry_without_a_claim_has_no_formula(monkeypatch):
    monkeypatch.setattr("mcbook.claims.spine.coverage.claims", dict)
    states = coverage(BookText())
    assert [state.entry.id for state in states] == list(ledger())
    assert not any(state.n_formulas for state in states)


def test_notation_that_was_changed_is_read_anew_beside_an_old_page(tmp_path):
    (tmp_path / "page.ipynb").write_text("{}", encoding="utf-8")
    for changed, symbol in enumerate("qr"):
        row = "\n".join(["[[row]]", *(f"{name} = ''" for name in ("section", "symbol", "meaning", "code"))])
        file = tmp_path / "notation.toml"
        file.write_text(f"{row}\nreads = [{{ tex = '{symbol}', kind = 'real' }}]\n", encoding="utf-8")
        os.utime(file, ns=(changed, changed))
        bound = BoundFormula(cast(Formula, None), "page", "thm-a", tmp_path)
        assert [reading.tex for reading in bound.scope.readings] == [symbol]


def test_vectors_of_signs():
    assert list(sign_vectors(2)) == [(-1, -1), (-1, 1), (1, -1), (1, 1)]
