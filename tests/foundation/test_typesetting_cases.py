"""What of a line of text is a formula, case by case, and how each sign of one is set."""

from __future__ import annotations

import re

import pytest

from mcbook.foundation.typesetting import formula, inline_html, number, tex_of, typeset


def plain(html):
    return re.sub(r'<span class="math notranslate nohighlight">\\\((.*?)\\\)</span>', r"$\1$", html)


TEXTS = {
    # Names of operators belong to a formula where one follows, signs where they stand between two.
    "the max of it": "the max of it",
    "max x_i is large": r"$\max x_{i}$ is large",
    "z = max b": r"$z = \max b$",
    "max": "max",
    "inf": "inf",
    "log m / m": r"$\log m / m$",
    "log of m": "log of $m$",
    "x = y, so": "$x = y$, so",
    "x =": "$x$ =",
    "x +": "$x$ +",
    "= y here": "= $y$ here",
    "x, = y": "$x$, = $y$",
    "n - 1 of them": "$n - 1$ of them",
    "one - two": "one - two",
    "3 ≤ 4": r"$3 \le 4$",
    "(e^−z + e^z)/2": "$(e^{-z} + e^{z})/2$",
    # Punctuation ends a formula, unless it stands in brackets.
    "f(a, b), g(c)": "$f(a, b)$, $g(c)$",
    "⟨w, x⟩ > 0": r"$\langle w, x\rangle \gt 0$",
    "with x: y": "with $x$: $y$",
    "r. x": "$r$. $x$",
    "m = 10, k = 3": "$m = 10$, $k = 3$",
    "sum over (i, j) of them": "sum over $(i, j)$ of them",
    "in (0, 1] or [0, 1)": "in $(0, 1]$ or $[0, 1)$",
    "(x and y)": "(x and y)",
    "p(x | y)": "p(x | y)",
    "√(a + b) c": r"$\sqrt{a + b} c$",
    # Words, also foreign ones, and whole numbers among them stay.
    "3 rows, 4.": "3 rows, 4.",
    "12 and 7; ok": "12 and 7; ok",
    "k-means is x-y": "k-means is $x-y$",
    "the k-th x": "the k-th $x$",
    "f(abc) = x": "f(abc) = $x$",
    "it's x'": "it's $x'$",
    "o'clock": "o'clock",
    "ABC = c": "ABC = $c$",
    "AB = c": "$AB = c$",
    "I am": "I am",
    "“x”": "“x”",
    "the (very x) thing": "the (very x) thing",
    "x ... y": "$x$ ... $y$",
    "x, …, y": "$x$, …, $y$",
    "50% of x": r"$50\%$ of $x$",
    # The spaces around all of it.
    " x ≤ y ": r" $x \le y$ ",
    "  ": "  ",
}


@pytest.mark.parametrize("text", TEXTS)
def test_formulas_among_words(text):
    assert plain(typeset(text)) == TEXTS[text]


FORMULAS = {
    "√x": r"\sqrt{x}",
    "a√bc": r"a\sqrt{b}c",
    "√((a)b)c": r"\sqrt{(a)b}c",
    "√(a+b)·√c": r"\sqrt{a+b}\cdot \sqrt{c}",
    "W* x": "W^{*} x",
    "a*(b)": r"a\cdot (b)",
    "2**3": "2^{3}",
    "W**2*b": r"W^{2}\cdot b",
    "x^(a+b)": "x^{a+b}",
    "x^-2": "x^{-2}",
    "x_i^2": "x_{i}^{2}",
    "x⁻¹⁰y": "x^{-10}y",
    "x₁₂": "x_{12}",
    "wᵀx": "w^{T}x",
    "a >= b <= c": r"a \ge b \le c",
    "argmax_i x": r"\operatorname{argmax}_{i} x",
    "argmin f": r"\operatorname{argmin} f",
    "sup_x f": r"\sup _{x} f",
    "binom(n,k)": r"\binom{n}{k}",
    "binom(n, k)/2": r"\binom{n}{k}/2",
    "(0,1]": "(0,1]",
    "[0,1)": "[0,1)",
    "{a}": r"\{a\}",
    "⟦a⟧": r"[\![a]\!]",
    "|x|": "|x|",
    "½x": r"\tfrac12x",
    "ψ≤Ψ": r"\psi \le \Psi",
    "a  b": "a b",
    "ab": "ab",
    "x…y": r"x\dots y",
}


@pytest.mark.parametrize("text", FORMULAS)
def test_signs_of_a_formula(text):
    assert tex_of(text) == FORMULAS[text]


UNREADABLE = [
    "(a⟩",
    ")",
    "(",
    "())",
    "a|b",
    "maxx",
    "lnx",
    "abc",
    "'a",
    "f’s",
    "a^",
    "a$",
    "a\\",
    "x#",
    "x&",
    "x~",
    "é",
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_is_no_formula_has_no_tex(text):
    assert tex_of(text) == ""


NUMBERS = {
    "1/2": r"\tfrac{1}{2}",
    "1234/5678": r"\tfrac{1234}{5678}",
    "1234/12345": "1234/12345",
    "12345/2": "12345/2",
    "1e-05": r"1 \cdot 10^{-5}",
    "3.14159": "3.142",
    "-0.00001234": "-0.00001234",
    "1234567.5": "1234567.5",
    "x_1": "x_{1}",
    "abc def": r"\text{abc def}",
    "-7": "-7",
}


@pytest.mark.parametrize("shown", NUMBERS)
def test_numbers_as_they_are_printed(shown):
    assert number(shown) == NUMBERS[shown]


def test_what_is_marked_up_is_a_formula_or_code_and_the_rest_is_escaped():
    assert plain(inline_html('a `b` $c<d$ <e> "f" `&`')) == (
        'a <code>b</code> $c&lt;d$ &lt;e&gt; "f" <code>&amp;</code>'
    )
    assert plain(inline_html("*if*, *each one* and $a*b$ but y*, z* and 2 * 3 * 4")) == (
        "<em>if</em>, <em>each one</em> and $a*b$ but y*, z* and 2 * 3 * 4"
    )
    assert formula('a<"b"') == r'<span class="math notranslate nohighlight">\(a&lt;"b"\)</span>'
    assert plain(typeset("so $a_1 < b$ & then")) == "so $a_1 &lt; b$ &amp; then"
