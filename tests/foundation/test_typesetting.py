"""Mathematics in plain text becomes TeX; words stay words."""

import re

from mcbook.foundation.typesetting import formula, inline_html, number, tex_of, typeset


def plain(html):
    return re.sub(r'<span class="math notranslate nohighlight">\\\((.*?)\\\)</span>', r"$\1$", html)


TEXTS = {
    "for all z ≠ 0: logistic": r"for all $z \ne 0$: logistic",
    "at most √(ln(1/δ)/2m)": r"at most $\sqrt{\ln (1/\delta )/2m}$",
    "2 binom(2m, m) / 4^m": r"$2 \binom{2m}{m} / 4^{m}$",
    "‖W_1‖², 2 t R²": r"$\|W_{1}\|^{2}$, $2 t R^{2}$",
    r"with $\frac{1}{k} < 1$ it is": r"with $\frac{1}{k} &lt; 1$ it is",
    # Names of operators belong to a formula where one follows, signs where they stand between two.
    "the max of it": "the max of it",
    "max x_i is large": r"$\max x_{i}$ is large",
    "x = y, so": "$x = y$, so",
    "n - 1 of them": "$n - 1$ of them",
    # Punctuation ends a formula, unless it stands in brackets.
    "f(a, b), g(c)": "$f(a, b)$, $g(c)$",
    "⟨w, x⟩ > 0": r"$\langle w, x\rangle \gt 0$",
    "in (0, 1] or [0, 1)": "in $(0, 1]$ or $[0, 1)$",
    "an open (bracket": "an open (bracket",
    # Words, also foreign ones, and whole numbers among them stay.
    "one-vs-rest < all pairs & more": "one-vs-rest &lt; all pairs &amp; more",
    "the k-th x": "the k-th $x$",
    "o'clock": "o'clock",
    "I am": "I am",
    "50% of x": r"$50\%$ of $x$",
    "": "",
}
FORMULAS = {
    "a√bc": r"a\sqrt{b}c",
    "√(a+b)·√c": r"\sqrt{a+b}\cdot \sqrt{c}",
    "W**2*b": r"W^{2}\cdot b",
    "x_i^2": "x_{i}^{2}",
    "x⁻¹⁰y": "x^{-10}y",
    "wᵀx": "w^{T}x",
    "argmax_i x": r"\operatorname{argmax}_{i} x",
    "binom(n, k)/2": r"\binom{n}{k}/2",
    "⟦a⟧": r"[\![a]\!]",
    "½x": r"\tfrac12x",
}
UNREADABLE = ["(a⟩", ")", "(x", "())", "a|b", "x ∀ y", "rank(A)", "maxx", "abc", "'a", "a^", "a$", "a\\", "x#", "é"]
NUMBERS = {
    "-3/4": r"-\tfrac{3}{4}",
    "1234/5678": r"\tfrac{1234}{5678}",
    "12345/2": "12345/2",
    "35.3589": "35.36",
    "4.04915e-16": r"4.049 \cdot 10^{-16}",
    "-0.00001234": "-0.00001234",
    "abc def": r"\text{abc def}",
}


def test_formulas_are_found_among_words():
    assert {text: plain(typeset(text)) for text in TEXTS} == TEXTS
    assert plain(typeset("so $a_1 < b$ & then")) == "so $a_1 &lt; b$ &amp; then"


def test_signs_of_a_formula():
    assert {text: tex_of(text) for text in FORMULAS} == FORMULAS
    assert [text for text in UNREADABLE if tex_of(text)] == []


def test_numbers_are_short():
    assert {shown: number(shown) for shown in NUMBERS} == NUMBERS


def test_what_is_marked_up_is_a_formula_or_code_and_the_rest_is_escaped():
    assert plain(inline_html('a `b` $c<d$ <e> "f" `&`')) == 'a <code>b</code> $c&lt;d$ &lt;e&gt; "f" <code>&amp;</code>'
    assert plain(inline_html("*if*, *each one* and $a*b$ but y*, z* and 2 * 3 * 4")) == (
        "<em>if</em>, <em>each one</em> and $a*b$ but y*, z* and 2 * 3 * 4"
    )
    assert formula('a<"b"') == r'<span class="math notranslate nohighlight">\(a&lt;"b"\)</span>'
