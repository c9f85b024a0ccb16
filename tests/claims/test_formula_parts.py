"""Formulas piece by piece: what each operation yields, where a range or an index ends, what is taken for a symbol."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from test_formula_reading import SCOPE, value

from mcbook.claims.spine.formulas import values
from mcbook.claims.spine.formulas.equations import pieces, sides, without_each_term
from mcbook.claims.spine.formulas.formula import same
from mcbook.claims.spine.formulas.notation import Notation, Reading, Scope
from mcbook.claims.spine.formulas.syntax import group_end, parse
from mcbook.claims.spine.formulas.tokens import TexError, tokens_of
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.proof.exact import ball

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"1.5m", Fraction(9, 2)),
        (r"m|u|", Fraction(3, 2)),
        (r"|u\lVert v\rVert|", Fraction(5, 2)),
        (r"\lVert v\rVert_F+1", 6),
        (r"\lVert u\rVert", HALF),
        (r"v^\top v", 25),
        (r"2v^\top v+1", 51),
        (r"\sum_{i\ne1}a_i", 2),
        (r"+m-n", -2),
        (r"a_m", 4),
        (r"\sum_{a=1}^2a_2", -4),
        (r"\max(n,m,u)+\max(m,n,u)", 10),
        (r"\min(u,m,n)+\min(m,u,n)", -1),
        (r"\lceil\frac n2\rceil-\lfloor\frac n2\rfloor", 1),
        (r"\lceil\sqrt2\rceil-\lfloor\sqrt2\rfloor", 1),
        (r"\exp(0)", 1),
        (r"[\![\sqrt2<2]\!]+[\![2<\sqrt2]\!]", 1),
        (r"[\![1<m<2]\!]+[\![m<2<n]\!]", 0),
        (r"[\![1<2<m]\!]", 1),
    ],
)
def test_values_that_are_exact(tex, expected):
    found = value(tex)
    assert found == expected
    assert isinstance(found, Fraction)


@pytest.mark.parametrize(
    ("sign", "below", "equal", "above"),
    [("=", 0, 1, 0), (r"\ne", 1, 0, 1), ("<", 1, 0, 0), (r"\le", 1, 1, 0), (">", 0, 0, 1), (r"\ge", 0, 1, 1)],
)
def test_relations(sign, below, equal, above):
    assert [value(rf"[\![m{sign}{n}]\!]") for n in (4, 3, 2)] == [below, equal, above]


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\exp(1)", math.e),
        (r"\exp(-1)", 1 / math.e),
        (r"e^3", math.e**3),
        (r"2^{1/3}", 2 ** (1 / 3)),
        (r"2^u", 2**-0.5),
        (r"2^{\sqrt2}", 2**2**0.5),
        (r"\ln2", math.log(2)),
        (r"\log_2\sqrt2", 0.5),
        (r"\log_23", math.log2(3)),
        (r"\max(\sqrt2,1)", 2**0.5),
        (r"\max(1,\sqrt2)", 2**0.5),
        (r"\min(\sqrt2,2)", 2**0.5),
        (r"\min(2,\sqrt2)", 2**0.5),
        (r"\sqrt2+\sqrt3", 2**0.5 + 3**0.5),
        (r"\sqrt2-\sqrt3", 2**0.5 - 3**0.5),
        (r"\sqrt2\sqrt3", 6**0.5),
        (r"\frac{\sqrt2}{\sqrt3}", (2 / 3) ** 0.5),
    ],
)
def test_values_that_are_balls(tex, expected):
    assert float(value(tex)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("number", "sign"), [(HALF, 1), (-HALF, -1), (Fraction(0), 0), (3, 1), (-3, -1)])
def test_signs_of_numbers_and_balls(number, sign):
    assert values.sign(number) == sign
    if number:
        assert float(values.sign(ball(number))) == sign


def test_products_of_matrices_and_vectors():
    left = np.array([[Fraction(i + 2 * j) for j in range(3)] for i in range(2)], dtype=object)
    right = np.array([[Fraction(i - j * j) for j in range(4)] for i in range(3)], dtype=object)
    vector = np.array([Fraction(1), Fraction(-2), Fraction(5)], dtype=object)
    for a, b in ((left, right), (left, vector), (vector, right), (left.T, left), (vector, vector)):
        assert np.array_equal(values.times(a, b), a @ b)
    assert values.dot(left, left) == (left * left).sum()
    assert np.array_equal(values.times(Fraction(2), vector), 2 * vector)
    assert np.array_equal(values.times(vector, Fraction(2)), 2 * vector)
    assert np.array_equal(values.plus(vector, vector), 2 * vector)


def test_an_operation_on_two_numbers_works_on_arrays_entry_by_entry():
    larger = values._with_both(max, lambda a, b: "balls")
    vector = np.array([Fraction(1), Fraction(-2), Fraction(5)], dtype=object)
    assert larger(vector, 2).tolist() == larger(2, vector).tolist() == [2, 2, 5]
    assert larger(vector, -vector).tolist() == [1, 2, 5]
    assert (larger(1, 2), larger(1, ball(2)), larger(ball(1), 2)) == (2, "balls", "balls")


@pytest.mark.parametrize(
    "tex",
    [
        r"\sum_ia_i+i",
        r"\max_ia_i+i",
        r"\#\{i:a_i>0\}+i",
        r"\sum(m)",
        r"\sum_{W}u",
        r"\prod_{\theta}u",
        r"a_+",
        r"a_{",
        "a",
    ],
)
def test_more_that_cannot_be_read(tex):
    with pytest.raises(TexError):
        parse(tokens_of(tex), SCOPE)


@pytest.mark.parametrize(
    ("tex", "kind"),
    [
        (r"\max_ia_i+1", "plus"),
        (r"\sum_ia_i+1", "plus"),
        (r"\min_{\rho}u+1", "optimum"),
        (r"\min_uu", "optimum"),
        (r"\min_{W}u", "optimum"),
        (r"\min_{\theta}u", "optimum"),
        (r"\min_{\theta,i}u", "optimum"),
        (r"\min_{u,i}m", "optimum"),
        (r"\min_im", "range"),
        (r"\min_{i,j}m", "range"),
    ],
)
def test_an_operator_ranges_over_letters_or_optimises_over_symbols(tex, kind):
    assert parse(tokens_of(tex), SCOPE).kind == kind


def test_tokens_of_an_argument_in_braces():
    assert tokens_of("x^{10}") == tokens_of("x^{{10}}")[:2] + tokens_of("x^{{10}}")[3:-1] == ("x", "^", "{", "10", "}")


def test_where_a_group_ends():
    tokens = ("x", "{", "a", "{", "b", "}", "}", "c")
    assert (group_end(tokens, 1), group_end(tokens, 3), group_end(tokens[:7], 1)) == (7, 6, 7)
    with pytest.raises(TexError, match="not closed"):
        group_end(tokens[:6], 1)


class TestDisplays:
    @pytest.mark.parametrize(
        ("tokens", "expected"),
        [
            (("a", "+", "b", "."), [("a", "+", "b")]),
            (("a", "."), [("a",)]),
            (("a", ",", ".", ","), [("a",)]),
            (("a", ",", "b", ";", "c"), [("a",), ("b",), ("c",)]),
            (("(", "a", ",", "b", ")", r"\quad", "c"), [("(", "a", ",", "b", ")"), ("c",)]),
            (("a", r"\text", "{", "o", "r", "}", "b"), [("a",), ("b",)]),
        ],
    )
    def test_pieces(self, tokens, expected):
        assert pieces(tokens) == expected

    def test_sides(self):
        tokens = (r"\{", "a", "=", "b", r"\}", "=", "(", "c", ")", "<", "d")
        assert sides(tokens) == [tokens[:5], ("(", "c", ")"), ("d",)]

    @pytest.mark.parametrize(
        ("side", "expected"),
        [
            ("a+b-c", ["+b-c", "a-c", "a+b"]),
            ("-a+b", ["+b", "-a"]),
            ("(a+b)+c", ["+c", "(a+b)"]),
            ("a/-b+c", ["+c", "a/-b"]),
            ("a+b/-c", ["+b/-c", "a"]),
            ("a(b-c)", []),
            ("-a", []),
        ],
    )
    def test_a_term_left_out(self, side, expected):
        assert without_each_term(tuple(side)) == [tuple(one) for one in expected]
        dotted = tuple(r"\cdot" if token == "/" else token for token in side)
        assert len(without_each_term(dotted)) == len(expected)


class TestReadings:
    ENTRY = Reading("a_i", "real", shape=("m",), slots=("i",))

    @pytest.mark.parametrize("tokens", [("a",), ("a", "_"), ("a", "_", "{"), tuple("a_{+}"), tuple("b_{i}"), ()])
    def test_what_is_not_the_whole_symbol_is_none(self, tokens):
        assert self.ENTRY.match(tokens, 0) is None

    @pytest.mark.parametrize("index", [("i",), ("2",), (r"\cdot",), tuple("y_{i}")])
    def test_what_an_index_may_be(self, index):
        found = self.ENTRY.match(("x", "a", "_", "{", *index, "}", "b"), 1)
        assert found is not None
        assert (found.indices, found.end) == ((index,), 5 + len(index))

    def test_a_function_is_one_where_it_is_applied(self):
        loss = Reading("L", "loss")
        assert loss.match(("L", "(", "z", ")"), 0) is not None
        assert loss.match(("L", "+"), 0) is None
        assert loss.match(("L",), 0) is None

    def test_the_longest_and_among_equals_the_first(self):
        short, long, again = Reading("a", "real"), Reading("ab", "real"), Reading("ab", "real", part_of="c")
        found = Scope((short, long, again)).match("abc", 0)
        assert found is not None
        assert (found.name, found.end) == ("ab", 2)

    def test_the_most_special_reading_goes_first(self):
        everywhere, chapter, statement, elsewhere = (
            Reading("a", "real", only=only) for only in ((), ("svm",), ("thm-a",), ("trees",))
        )
        notation = Notation((), (everywhere, elsewhere, chapter, statement))
        assert notation.scope("svm", "thm-a").readings == (statement, chapter, everywhere)
        assert notation.scope("svm", "thm-b").readings == (chapter, everywhere)
        assert notation.scope("problem", "thm-b").readings == (everywhere,)


class TestSame:
    @pytest.mark.parametrize("scale", [1, 1000, -1000])
    def test_numbers_that_are_known_to_twelve_digits(self, scale):
        def around(width):
            ends = sorted((scale * (1 - Fraction(width)), scale * (1 + Fraction(width))))
            return Known(*ends, Tier.CERTIFIED)

        assert same(around("9.9e-13"), scale)
        assert same(scale, around("9.9e-13"))
        assert not same(around("1.005e-12"), scale)
        assert not same(scale, around("1.005e-12"))

    def test_near_nought_to_fifteen_digits_behind_the_point(self):
        assert same(Known(-0.995e-15, 0.995e-15, Tier.CERTIFIED), 0)
        assert not same(Known(-1.005e-15, 1.005e-15, Tier.CERTIFIED), 0)

    def test_a_width_that_is_just_allowed(self):
        half = Fraction(2 * values.NARROW) / 2
        assert same(Known(1 - half, 1 + half, Tier.CERTIFIED), 1)

    def test_numbers_that_touch(self):
        right = Known(1, 1 + Fraction(1, 10**13), Tier.CERTIFIED)
        assert same(1, right)
        assert same(right, 1)
        assert not same(1, 2)
        assert not same(2, 1)
