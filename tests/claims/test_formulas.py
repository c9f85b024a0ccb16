"""The printed formula is the tested formula: every formula of the pages is compared with its function, and bites."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import numpy as np
import pytest

from mcbook.claims import claims
from mcbook.claims.spine.coverage import bound_formulas
from mcbook.claims.spine.formulas.formula import BoundFormula
from mcbook.losses import MarginLoss

BOOK = Path(__file__).resolve().parents[2] / "book"
BOUND = [
    pytest.param(bound, id=f"{claim.label}: {bound.formula.name}")
    for claim in claims().values()
    for bound in bound_formulas(claim, BOOK)
]
every_formula = pytest.mark.parametrize("bound", BOUND)


def test_every_claim_has_a_formula_or_the_reason_why_it_has_none():
    lacking = [claim.label for claim in claims().values() if bool(claim.formulas) == bool(claim.no_formula)]
    assert not lacking, f"claims that need a formula or no_formula, and not both: {lacking}"


@every_formula
def test_page_and_function_agree(bound: BoundFormula):
    assert not bound.disagreement()


@every_formula
def test_the_function_is_one_on_trial(bound: BoundFormula):
    """The function itself, a small function of the claim's that calls it or that its trial calls, or a loss."""
    claim = next(claim for claim in claims().values() if claim.label == bound.statement)
    of = bound.formula.of
    if not isinstance(of, MarginLoss) and of not in claim.implements:
        neighbours = [f for f in vars(sys.modules[of.__module__]).values() if inspect.isfunction(f)]
        calls_it = set(of.__code__.co_names) & {function.__name__ for function in claim.implements}
        assert calls_it or any(of.__name__ in f.__code__.co_names for f in neighbours)


@every_formula
def test_every_symbol_takes_values_that_matter(bound: BoundFormula):
    """At least two that are neither 0 nor 1; of a sign both; of a loss two."""
    seen: dict[str, set[str]] = {}
    for drawn, _ in bound.samples:
        for name, value in drawn.found.items():
            seen.setdefault(name, set()).update(map(_text, np.asarray(value, dtype=object).ravel().tolist()))
    for name, values in seen.items():
        if name in bound.formula.given or bound.scope.reading(name).means:
            continue
        neutral = set() if bound.scope.reading(name).kind in ("sign", "code entry", "label") else {"0", "1"}
        assert len(values - neutral) >= 2, f"{name} takes the values {sorted(values)} only"


def _text(value: object) -> str:
    return str(value)


@every_formula
def test_a_changed_constant_or_a_term_left_out_is_seen(bound: BoundFormula):
    changes = list(bound.changed())
    unseen = [what for what, tokens in changes if not bound.disagreement(tokens)]
    assert changes
    assert not unseen, "changes of the page's formula that nothing shows:\n" + "\n".join(unseen)
