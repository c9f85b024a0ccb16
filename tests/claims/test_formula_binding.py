"""From an equation of a page to the values that are compared: which side, which arguments, how many draws."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from test_formula_reading import SCOPE

from mcbook.claims.spine.formulas import draws
from mcbook.claims.spine.formulas.draws import Drawn, PageLoss
from mcbook.claims.spine.formulas.equations import find_equation
from mcbook.claims.spine.formulas.formula import BoundFormula, Formula
from mcbook.claims.spine.formulas.notation import Reading, Scope
from mcbook.claims.spine.formulas.tokens import TexError, tokens_of
from mcbook.foundation.proof.exact import ball

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


HALF = Fraction(1, 2)
SIZES = Scope(
    (
        Reading("u", "real", arguments={"size": "u"}),
        Reading("n", "count", arguments={"count": "n"}),
        Reading("a_i", "real", shape=("n",), slots=("i",), arguments={"numbers": "a_i"}),
    )
)
TABLE = """::::{prf:theorem} Losses
:label: thm-table

| loss         | *value* $V$ | at most |
| ------------ | ----------- | ------- |
| square $L_1$ | $u^2$       | $n$     |
| hinge        | $u$         | $2n$    |
::::
"""


@pytest.fixture
def bind(tmp_path):
    """A formula in a book of one page with this equation."""

    def make(tex, of=lambda size: size, scope=SIZES, **options):
        sources = [f"$$\n{tex}\n$$ (eq-a)", TABLE]
        cells = [{"cell_type": "markdown", "source": source} for source in sources]
        cells.append({"cell_type": "code", "source": "$$\nn\n$$ (eq-a)"})
        (tmp_path / "page.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        bound = BoundFormula(Formula("eq-a", of, **options), "page", "thm-a", tmp_path)
        vars(bound)["scope"] = scope
        return bound

    return make


class TestEquations:
    @pytest.mark.parametrize(
        ("cell", "tex"),
        [("square, value V", "u^2"), ("square, at most", "n"), ("hinge, value V", "u"), ("hinge, at most", "2n")],
    )
    def test_a_cell_of_a_table(self, bind, cell, tex):
        assert find_equation(bind("u").read_from[0], f"thm-table[{cell}]") == tex

    @pytest.mark.parametrize("cell", ["------------, at most", "loss, at most", "square, most", "u^2, at most"])
    def test_what_is_no_cell(self, bind, cell):
        with pytest.raises(TexError, match="expected one row"):
            find_equation(bind("u").read_from[0], f"thm-table[{cell}]")

    def test_a_statement_without_a_table_has_no_cells(self, bind):
        with pytest.raises(TexError, match="expected one row"):
            find_equation(bind("u").read_from[0], "eq-a[square, value V]")


class TestSides:
    @pytest.mark.parametrize(
        ("options", "chosen"),
        [
            ({}, ["c"]),
            ({"side": "left"}, ["a"]),
            ({"side": 1}, ["b"]),
            ({"side": "excess"}, ["a", "b"]),
            ({"piece": 1}, ["d"]),
            ({"piece": 1, "side": "left"}, ["e"]),
        ],
    )
    def test_which_side_is_compared(self, bind, options, chosen):
        letters = Scope(tuple(Reading(letter, "real") for letter in "abcde"))
        assert bind(r"a=b\le c,\quad e=d", scope=letters, **options).chosen() == [(one,) for one in chosen]

    def test_a_piece_that_is_not_there(self, bind):
        with pytest.raises(TexError, match="has 1 pieces"):
            bind("u=n", piece=1).chosen()

    @pytest.mark.parametrize(
        ("tex", "over", "objective"),
        [
            (r"\min_{\rho}u+1", None, "u+1"),
            (r"\max_ia_i", None, r"\max_ia_i"),
            (r"\max_ia_i", "i", "a_i"),
            (r"\max_ia_i", "m", r"\max_ia_i"),
            ("u+1", "i", "u+1"),
            ("u", None, "u"),
        ],
    )
    def test_what_is_optimised(self, bind, tex, over, objective):
        assert bind(tex, scope=SCOPE, over=over).chosen() == [tokens_of(objective)]

    @pytest.mark.parametrize(("given", "tex"), [("eq-a 0 1", "n"), ("eq-a 0 0", "u"), ("eq-a 1", "2 u"), ("2n", "2n")])
    def test_what_is_given_may_be_read_from_the_page(self, bind, given, tex):
        assert bind(r"u=n=u,\quad n=2u", given={"u": given}).given == {"u": tex}


class TestNames:
    @pytest.mark.parametrize(
        ("options", "name"),
        [
            ({}, "eq-a halved"),
            ({"side": "left"}, "eq-a 0:left halved"),
            ({"piece": 1}, "eq-a 1:right halved"),
            ({"side": 2, "piece": 1}, "eq-a 1:2 halved"),
        ],
    )
    def test_tell_formulas_apart(self, options, name):
        def halved(size):
            return size / 2

        assert Formula("eq-a", halved, **options).name == name
        assert Formula("eq-a", SimpleNamespace(name="hinge"), **options).name == name.replace("halved", "hinge")


class TestArguments:
    @pytest.mark.parametrize(
        ("tex", "options", "arguments"),
        [
            ("u", {}, {"size": "u"}),
            ("un", {}, {"size": "u", "count": "n"}),
            ("u", {"given": {"n": "2"}}, {"size": "u", "count": "n"}),
            ("u", {"arguments": {"count": "3"}}, {"size": "u", "count": "3"}),
            ("un", {"arguments": {"size": "2u"}}, {"size": "2u", "count": "n"}),
            ("un", {"fixed": {"count": 2}}, {"size": "u"}),
        ],
    )
    def test_a_default_is_kept_where_its_symbols_do_not_occur(self, bind, tex, options, arguments):
        def function(size, count=7, unheard_of=1):
            return size

        assert bind(tex, function, **options)._arguments() == arguments

    def test_a_default_of_the_only_symbol_is_replaced(self, bind):
        assert bind("u", lambda size=0: size)._arguments() == {"size": "u"}

    def test_a_function_of_any_number_of_values(self, bind):
        bound = bind(r"\sum_ia_i", lambda *numbers: sum(numbers))
        assert not bound.disagreement()
        assert "the page says" in bind(r"\sum_ia_i+1", lambda *numbers: sum(numbers)).disagreement()


class TestDraws:
    @pytest.mark.parametrize(("options", "n"), [({}, 12), ({"n_draws": 5}, 5), ({"n_draws": 1}, 1)])
    def test_as_many_as_are_asked_for(self, bind, options, n):
        assert len(bind("u", **options).samples) == n

    def test_only_where_the_condition_holds(self, bind):
        drawn = [values for values, _ in bind("u", where="u>1", n_draws=30).samples]
        assert len(drawn) == 30
        assert all(values["u"] > 1 for values in drawn)
        with pytest.raises(TexError, match="no values with"):
            assert bind("u", where="u>13").samples

    def test_labels_and_symmetric_tables(self):
        readings = (
            Reading("k", "count"),
            Reading("m", "count"),
            Reading("y_i", "label", ("m",), ("i",)),
            Reading("S", "symmetric", ("m", "m")),
            Reading("p_i", "distribution", ("m",), ("i",)),
        )
        labels, tables = set(), set()
        for seed in range(60):
            values = Drawn(Scope(readings), random.Random(seed), {"k": "4"})
            labels |= set(values["y_i"])
            tables |= set(np.diag(values["S"]) / 2)
            assert values["y_i"].shape == values["p_i"].shape == (values["m"],)
            assert set(values) == {"k", "m", "y_i", "S", "p_i"}
            assert len(values) == 5
        assert labels == {1, 2, 3, 4}
        assert tables <= DRAWN["real"]

    @pytest.mark.parametrize("z", [-1, 0, HALF, 1, 2, 3])
    def test_the_random_loss(self, z):
        rng = random.Random(3)
        a, b = draws._positive(rng), draws._positive(rng)
        assert draws._random_loss(random.Random(3))(z) == a * max(0, 1 - z) + b * (1 - z) ** 2

    def test_a_loss_is_exact_where_it_can_be_and_a_ball_elsewhere(self):
        def loss(z):
            asked.append(z)
            return HALF if z == 0 else 2 * z if not isinstance(z, Fraction) else float(z)

        asked = []
        assert PageLoss(loss)(Fraction(0)) == HALF
        assert asked == [0]
        assert type(PageLoss(loss)(HALF)) is type(ball(1))
        assert asked[1] == HALF
        assert PageLoss(loss)(ball(3)) == 6
        assert len(asked) == 4

    @pytest.mark.parametrize(
        ("number", "kind", "numbers", "expected"),
        [
            (Fraction(3), "label", "exact", 2),
            (Fraction(3), "count", "floats", 3),
            (Fraction(-1), "sign", "balls", -1),
            (HALF, "real", "exact", HALF),
            (HALF, "real", "floats", 0.5),
            (ball(2), "real", "exact", ball(2)),
            (ball(2), "real", "balls", ball(2)),
            (HALF, "real", "balls", ball(HALF)),
        ],
    )
    def test_what_a_function_gets(self, number, kind, numbers, expected):
        found = draws._handed_over(number, kind, numbers)
        assert found == expected
        assert type(found) is type(expected)

    def test_arrays_are_of_whole_numbers_only_where_all_are(self):
        mixed = draws._entrywise(lambda number: number, np.array([[1, HALF]], dtype=object))
        assert mixed.tolist() == [[1, HALF]]
        whole = draws._entrywise(lambda number: number + 1, np.array([[1, 2]], dtype=object))
        assert (whole.tolist(), whole.dtype) == ([[2, 3]], np.dtype(int))


class TestChanges:
    def test_of_one_side(self, bind):
        found = [tokens for _, tokens in bind("2u-3").changed()]
        enlarged = tokens_of(r"\frac{101}{100}\cdot(2u-3)")
        assert found == [[tokens_of(tex)] for tex in ("3u-3", "2u-4", "-3", "2u")] + [[enlarged]]

    def test_of_both_sides_of_an_excess(self, bind):
        found = [tokens for _, tokens in bind(r"2u\le3n", side="excess").changed()]
        left, right = tokens_of("2u"), tokens_of("3n")
        assert found[0] == [tokens_of("3u"), right]
        assert found[2] == [left, tokens_of("4n")]
        assert [len(tokens) for tokens in found] == [2, 2, 2, 2]

    def test_an_excess_is_the_difference_of_two_sides(self, bind):
        assert not bind(r"2u\le u", side="excess").disagreement()
        assert "the page says" in bind(r"2u\le-u", side="excess").disagreement()


@pytest.mark.parametrize("kind", DRAWN)
def test_what_is_drawn_has_all_values_of_its_kind_and_no_others(kind):
    rng, scope = random.Random(1), Scope((Reading("x", kind),))
    assert {Drawn(scope, rng, {})["x"] for _ in range(4000)} == DRAWN[kind]
