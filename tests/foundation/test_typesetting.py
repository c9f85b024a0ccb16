"""Mathematics in plain text becomes TeX; words stay words."""

import re

import pytest

from mcbook.foundation.typesetting import number, tex_of, typeset


def plain(html):
    return re.sub(r'<span class="math notranslate nohighlight">\\\((.*?)\\\)</span>', r"$\1$", html)


@pytest.mark.parametrize(
    ("text", "set_text"),
    [
        ("for all z ≠ 0: logistic", r"for all $z \ne 0$: logistic"),
        ("margin in (0, ρ]", r"margin in $(0, \rho ]$"),
        ("at most √(ln(1/δ)/2m)", r"at most $\sqrt{\ln (1/\delta )/2m}$"),
        ("2 binom(2m, m) / 4^m", r"$2 \binom{2m}{m} / 4^{m}$"),
        ("‖W_1‖², 2 t R²", r"$\|W_{1}\|^{2}$, $2 t R^{2}$"),
        ("a matrix with 3 rows", "a matrix with 3 rows"),
        ("the union (of both)", "the union (of both)"),
        ("W* separates", "$W^{*}$ separates"),
        ("equal to u*(u + 1)**2", r"equal to $u\cdot (u + 1)^{2}$"),
        ("one-vs-rest < all pairs & more", "one-vs-rest &lt; all pairs &amp; more"),
        (r"with $\frac{1}{k} < 1$ it is", r"with $\frac{1}{k} &lt; 1$ it is"),
        ("an open (bracket", "an open (bracket"),
        ("", ""),
    ],
)
def test_formulas_are_found_in_the_text(text, set_text):
    assert plain(typeset(text)) == set_text


@pytest.mark.parametrize(
    ("shown", "tex"),
    [
        ("13", "13"),
        ("-3/4", r"-\tfrac{3}{4}"),
        ("1234321/100000", "1234321/100000"),
        ("35.3589", "35.36"),
        ("4.04915e-16", r"4.049 \cdot 10^{-16}"),
        ("-2.5e+07", r"-2.5 \cdot 10^{7}"),
    ],
)
def test_numbers_are_short(shown, tex):
    assert number(shown) == tex


@pytest.mark.parametrize("text", ["x ∀ y", "(x", "x | y", "rank(A)"])
def test_what_cannot_be_read_is_left_alone(text):
    assert tex_of(text) == ""
