"""LaTeX is read as the book means it, what is ambiguous is refused, and values are exact as long as they can be."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from mcbook.claims import claims, find_claim
from mcbook.claims.spine.formulas.draws import table
from mcbook.claims.spine.formulas.equations import find_equation, pieces, sides, without_each_term
from mcbook.claims.spine.formulas.formula import BoundFormula, Formula, same
from mcbook.claims.spine.formulas.notation import Reading, Scope, read_notation
from mcbook.claims.spine.formulas.syntax import parse
from mcbook.claims.spine.formulas.tokens import TexError, literals, tokens_of
from mcbook.claims.spine.formulas.values import Surroundings
from mcbook.foundation.proof.exact import ball
from mcbook.perceptron import mistake_bound

BOOK = Path(__file__).resolve().parents[2] / "book"
SCOPE = Scope(
    (
        *(Reading(letter, "real") for letter in ("m", "n", "u", "\\rho", "\\bar\\varepsilon_{01}", "e")),
        Reading("a_i", "real", shape=("m",), slots=("i",)),
        Reading("K(x_i,x_j)", "real", shape=("m", "m"), slots=("i", "j")),
        Reading("y_i", "label", shape=("m",), slots=("i",)),
        Reading("v", "real", shape=("m",)),
        Reading("\\Phi_\\rho", of=("u",), means="\\max(0,1-u/\\rho)"),
    )
)
VALUES = {
    "m": Fraction(3),
    "n": Fraction(5),
    "u": Fraction(-1, 2),
    "\\rho": Fraction(2),
    "e": ball(1).exp(),
    "\\bar\\varepsilon_{01}": Fraction(7),
    "a_i": np.array([Fraction(1), Fraction(-2), Fraction(4)], dtype=object),
    "K(x_i,x_j)": np.array([[Fraction(10 * i + j) for j in (1, 2, 3)] for i in (1, 2, 3)], dtype=object),
    "y_i": np.array([Fraction(2), Fraction(3), Fraction(1)], dtype=object),
    "v": np.array([Fraction(3), Fraction(0), Fraction(4)], dtype=object),
    "\\Phi_\\rho": lambda u: max(Fraction(0), 1 - u / 2),
}


def value(tex: str) -> object:
    return table(parse(tokens_of(tex), SCOPE), Surroundings(VALUES, {}))


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\frac12m", Fraction(3, 2)),
        (r"\tfrac{m}2-\tfrac1{2m}", Fraction(4, 3)),
        (r"1-u/\rho", Fraction(5, 4)),
        (r"2\cdot4^m", 128),
        (r"-m^2", -9),
        (r"2\,m\,n", 30),
        (r"m(n-1)", 12),
        (r"\sqrt{\frac4{9}}", Fraction(2, 3)),
        (r"\Big(\sum_ia_i^2-n\Big)^{1/2}", 4),
        (r"\sum_{i=1}^2a_i-1", -2),
        (r"\sum_{i,j}K(x_i,x_j)", 198),
        (r"\sum_{j\ne y_i}K(x_i,x_j)", [24, 43, 65]),
        (r"\max_ia_i", 4),
        (r"\min(m,n,u)", Fraction(-1, 2)),
        (r"\arg\max_{1\le i\le m}a_i", 3),
        (r"\arg\min_ia_i^2", 1),
        (r"\#\{i:a_i>0\}", 2),
        (r"\prod_{i=1}^{3}a_i", -8),
        (r"a_{y_i}", [-2, 4, 1]),
        (r"\binom n2", 10),
        (r"n!", 120),
        (r"\lfloor\frac n2\rfloor+\lceil\log_2n\rceil", 5),
        (r"\lceil\log_28\rceil", 3),
        (r"|u|+\lVert v\rVert^2", Fraction(51, 2)),
        (r"\langle v,v\rangle-v\cdot v", 0),
        (r"[\![ m\le3 ]\!]+\mathbf 1[n<5]", 1),
        (r"\operatorname{sign}u\cdot m", -3),
        (r"\Phi_\rho(u)", Fraction(5, 4)),
        (r"\bar\varepsilon_{01}", 7),
        (r"\ln1", 0),
    ],
)
def test_rational_values_are_exact(tex, expected):
    found = value(tex)
    assert np.all(np.asarray(found) == np.asarray(expected))
    assert all(isinstance(number, Fraction) for number in np.asarray(found, dtype=object).ravel())


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\sqrt2", 2**0.5),
        (r"\ln\log_2(2n/\rho)", np.log(np.log2(5))),
        (r"e^{-u}+\ln\frac n2", np.exp(0.5) + np.log(2.5)),
        (r"\ln\frac{n-1}2\Big/\ln\frac n2", np.log(2) / np.log(2.5)),
        (r"1-\operatorname{erf}\Big(\frac um\Big)", 1 + math.erf(1 / 6)),
    ],
)
def test_irrational_values_are_balls(tex, expected):
    assert float(value(tex)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    "tex",
    [
        r"\frac1", r"m+", r"(m", r"m)", r"1/2m", r"\ln mn", r"\sum_{i=1}a_i", r"\sum a_i", r"w", r"a_i+b_i", r"\log m",
        r"\bar\varepsilon_{02}", r"\int_0^1u", r"{m", r"m}", r"[\![m]\!]",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(tex):
    with pytest.raises(TexError):
        parse(tokens_of(tex), SCOPE)


@pytest.mark.parametrize("tex", [r"\sum_{i=1}^4a_i", r"\binom{u}2", r"\sqrt{u}", r"\sum_j1", r"\lfloor\sqrt2^2\rfloor"])
def test_what_has_no_value_is_refused(tex):
    with pytest.raises(TexError):
        value(tex)


def test_a_display_falls_into_pieces_and_sides():
    tokens = tokens_of(r"\min_w f(w),\qquad a\ \le\ \max(b,c)=d\quad\text{for all }a,\ b .")
    found = [[" ".join(side) for side in sides(piece)] for piece in pieces(tokens)]
    assert found[1:3] == [["a", r"\max ( b , c )", "d"], ["a"]]
    assert len(found) == 4


def test_numbers_and_terms_are_found():
    tokens = tokens_of(r"-\frac{16k}{2m}+x^{10}-(a+1)")
    assert [tokens[place] for place in literals(tokens)] == ["16", "2", "10", "1"]
    assert len(without_each_term(tokens)) == 3
    assert without_each_term(tokens_of(r"2(a+b)")) == []


def test_a_cell_of_a_table_is_found_or_missed_aloud():
    page = BOOK / "losses.ipynb"
    assert find_equation(page, "thm-leaf-loss-is-splitting-criterion[square, minimum]") == r"\frac{4p^+p^-}s"
    with pytest.raises(TexError, match="one row"):
        find_equation(page, "thm-leaf-loss-is-splitting-criterion[cubic, minimum]")
    with pytest.raises(TexError, match="no equation"):
        find_equation(page, "eq-nowhere")


def test_only_numbers_that_are_known_well_are_equal():
    third = ball(1) / 3
    assert same(third, Fraction(1, 3))
    assert same(1 / 3, third)
    assert not same(third, Fraction(1, 3) * Fraction(101, 100))
    assert not same(Fraction(1, 3), Fraction(10**13 + 1, 3 * 10**13))
    assert not same(third + ball(0).union(ball(Fraction(1, 10**9))), Fraction(1, 3)), "a wide ball says nothing"
    assert not same(np.array([third, third], dtype=object), np.array([third], dtype=object))
    assert same(np.array([third, 1]), np.array([third, 1]))
    assert not same(np.array([third, 1]), np.array([third, 2])), "every entry counts"


def halved(squared_radius, squared_margin):
    return mistake_bound(squared_radius, squared_margin) / 2


def squared_too_often(squared_radius, squared_margin):
    return mistake_bound(squared_radius, squared_margin**2)


@pytest.mark.parametrize("function", [halved, squared_too_often])
def test_a_function_changed_alone_is_noticed(function):
    place = ("perceptron", "thm-perceptron-mistake-bound", BOOK)
    assert not BoundFormula(Formula("eq-mistake-bound", mistake_bound), *place).disagreement()
    assert "the page says" in BoundFormula(Formula("eq-mistake-bound", function), *place).disagreement()


def test_a_parameter_without_a_symbol_is_refused():
    def unheard_of(squared_radius, parsecs):
        return squared_radius / parsecs

    bound = BoundFormula(Formula("eq-mistake-bound", unheard_of), "perceptron", "thm-perceptron-mistake-bound", BOOK)
    with pytest.raises(TexError, match="parsecs"):
        bound.disagreement()


class TestNotation:
    def test_every_reading_can_be_read(self):
        """Extents, meanings and arguments use symbols that the notation has, in every place where it holds."""
        notation, chapter_of = read_notation(BOOK), {label: claim.chapter for label, claim in claims().items()}
        placed = [(place, one) for one in notation.readings for place in one.only or ("anywhere",)]
        placed += [(label, one) for label, claim in claims().items() for one in claim.symbols]
        for place, reading in placed:
            symbols = claims()[place].symbols if place in chapter_of else ()
            scope = Scope((*symbols, *notation.scope(chapter_of.get(place, place), place).readings))
            for name in (*reading.shape, *filter(None, [reading.part_of])):
                assert scope.reading(name)
            for tex in (reading.means, *reading.arguments.values()):
                assert not tex or scope.names(tex) or parse(tokens_of(tex), scope, reading.of)

    def test_the_statement_goes_before_the_chapter_and_the_chapter_before_the_book(self):
        claim = find_claim("thm-svm-dual")
        scope = BoundFormula(claim.formulas[0], "svm", claim.label, BOOK, claim.symbols).scope
        assert scope.reading("\\alpha").shape == ("m",)
        assert scope.argument("alpha") == "\\alpha"
        assert read_notation(BOOK).scope("svm", "thm-multiclass-svm-dual").argument("alpha") == "\\alpha_{iz}"

    def test_the_page_shows_every_section_of_the_data_once(self):
        shown = re.findall(r"^```{notation} (\w+)$", (BOOK / "notation.md").read_text(encoding="utf-8"), re.M)
        assert shown == list(dict.fromkeys(row.section for row in read_notation(BOOK).rows))

    def test_a_reading_that_says_too_little_is_refused(self, tmp_path):
        row = "[[row]]\nsection = 'a'\nsymbol = '$q$'\nmeaning = ''\ncode = ''\nreads = [{ tex = 'q', kind = 'odd' }]\n"
        (tmp_path / "notation.toml").write_text(row, encoding="utf-8")
        with pytest.raises(ValueError, match="needs a kind"):
            read_notation(tmp_path)
