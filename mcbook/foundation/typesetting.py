"""Mathematics written as plain text, as claims and tables have it ("‖W_1‖² ≤ 2 t R²"), typeset for a page.

The text stays what it is in a terminal; on a page its formulas become TeX, which MathJax sets in the book and in
Jupyter.  A formula is recognised by its characters: a run of symbols, numbers and single letters.  What this
cannot read it leaves as it is.
"""

from __future__ import annotations

import html
import re

_GREEK_LETTERS = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"
_GREEK_NAMES = (
    r"\alpha \beta \gamma \delta \varepsilon \zeta \eta \theta \iota \kappa \lambda \mu \nu \xi \pi \rho \sigma \tau "
    r"\upsilon \varphi \chi \psi \omega \Gamma \Delta \Theta \Lambda \Xi \Pi \sum \Phi \Psi \Omega"
)
_GREEK = dict(zip(_GREEK_LETTERS, _GREEK_NAMES.split(), strict=True))
_SIGNS = {
    "≤": r"\le",
    "≥": r"\ge",
    "≠": r"\ne",
    "≈": r"\approx",
    "<": r"\lt",
    ">": r"\gt",
    "·": r"\cdot",
    "×": r"\times",
    "−": "-",
    "±": r"\pm",
    "∞": r"\infty",
    "∈": r"\in",
    "ℓ": r"\ell",
    "‖": r"\|",
    "⟨": r"\langle",
    "⟩": r"\rangle",
    "⟦": r"[\![",
    "⟧": r"]\!]",
    "½": r"\tfrac12",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "→": r"\to",
    "∫": r"\int",
    "∂": r"\partial",
    "∪": r"\cup",
    "∩": r"\cap",
    "…": r"\dots",
}
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵏᵐⁿᵀᵇ", "0123456789+-kmnTb", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₘₖᵢⱼₙₓₜₚₗ", "0123456789+-mkijnxtpl", strict=True))
_OPERATORS = ("ln", "log", "exp", "sup", "inf", "max", "min", "argmax", "argmin", "sinh", "cosh", "tanh", "Pr")
_FUNCTIONS = (*_OPERATORS, "binom")
_INFIX = frozenset("≤≥≠≈<>=+-−·×/∈→±")

_WORD = re.compile(r"[A-Za-z]{2,}(?:['’-][A-Za-z]+)*|[aAI]")
_MATH_WORD = re.compile(rf"(?:{'|'.join(_OPERATORS)})|[A-Z]{{2}}")
_OPENING, _CLOSING = "([{⟨⟦", ")]}⟩⟧"
_TEX = re.compile(r"\$([^$]+)\$")
# A formula between dollars, code between backticks, or words between asterisks, which stress them.
MARKED_UP = re.compile(r"\$([^$]+)\$|`([^`]+)`|(?<![\w*])\*(\w(?:[^*$`]*\w)?)\*(?![\w*])")


def typeset(text: str) -> str:
    """The text as HTML; what stands between dollars in it is TeX already."""
    parts = _TEX.split(text)
    return "".join(formula(part) if i % 2 else _text(part) for i, part in enumerate(parts))


def inline_html(text: str) -> str:
    """Text with formulas between dollars, code between backticks and stress between asterisks, as HTML."""
    return MARKED_UP.sub(_marked_up, html.escape(text, quote=False))


def _marked_up(match: re.Match[str]) -> str:
    if match[1]:
        return formula(html.unescape(match[1]))
    return f"<code>{match[2]}</code>" if match[2] else f"<em>{match[3]}</em>"


def formula(tex: str) -> str:
    """TeX as a page of the book has it, and Jupyter sets it."""
    return rf'<span class="math notranslate nohighlight">\({html.escape(tex, quote=False)}\)</span>'


def number(shown: str) -> str:
    """A number as it is printed, in TeX: short fractions stacked, powers of ten raised, four digits of a float."""
    if match := re.fullmatch(r"(-?)(\d{1,4})/(\d{1,4})", shown):
        return rf"{match[1]}\tfrac{{{match[2]}}}{{{match[3]}}}"
    if match := re.fullmatch(r"(-?[\d.]+)e([+-]\d+)", shown):
        return rf"{float(match[1]):.4g} \cdot 10^{{{int(match[2])}}}"
    if re.fullmatch(r"-?\d+\.\d+", shown):
        short = f"{float(shown):.4g}"
        return shown if "e" in short else short
    return tex_of(shown) or rf"\text{{{shown}}}"


def _text(text: str) -> str:
    """Words escaped, and runs of mathematics as formulas."""
    tokens = text.split()
    kinds = _kinds(tokens)
    out: list[str] = []
    place = 0
    while place < len(tokens):
        end = _end_of_run(tokens, kinds, place)
        run = " ".join(tokens[place:end])
        # A whole number among words reads best as it is.
        formulas = "" if re.fullmatch(r"\d*[,;:.]?", run) else _set(run)
        out.append(formulas or html.escape(tokens[place], quote=False))
        place = end if formulas else place + 1
    # The spaces beside TeX of the author's.
    before = text[: len(text) - len(text.lstrip())]
    return before + " ".join(out) + (text[len(text.rstrip()) :] if tokens else "")


def _end_of_run(tokens: list[str], kinds: list[bool], start: int) -> int:
    """Where the formula that begins here ends: before a word, or with punctuation that is in no brackets."""
    end, depth = start, 0
    while end < len(tokens) and (kinds[end] or depth > 0):
        depth += _depth(tokens[end])
        end += 1
        if depth <= 0 and tokens[end - 1][-1] in ",;:.":
            break
    return end


def _kinds(tokens: list[str]) -> list[bool]:
    """Which tokens belong to a formula: signs only between two that do, names of operators only before one."""
    kinds = [_is_mathematics(token.rstrip(",;:.")) for token in tokens]
    for i in reversed(range(len(tokens))):
        if tokens[i] in _OPERATORS:
            kinds[i] = i + 1 < len(tokens) and kinds[i + 1]
        elif tokens[i] in _INFIX:
            after = i + 1 < len(tokens) and (kinds[i + 1] or tokens[i + 1] in _OPERATORS)
            before = i > 0 and _is_mathematics(tokens[i - 1]) and tokens[i - 1][-1] not in ",;:"
            kinds[i] = after and before
    return kinds


def _is_mathematics(token: str) -> bool:
    if not token or token in ("...", "…") or token in _INFIX:
        return False
    if _MATH_WORD.fullmatch(token):
        return token not in _OPERATORS
    return not _WORD.fullmatch(token.strip("()'\"“”’")) and not _has_foreign_words(token)


def _has_foreign_words(token: str) -> bool:
    return _has_words(token) or bool(re.search(r"[a-z]-[a-z]{2}|^'|’", token))


def _has_words(text: str) -> bool:
    return any(word not in _FUNCTIONS for word in re.findall(r"[A-Za-z]{3,}", text))


def _depth(token: str) -> int:
    return sum(token.count(c) for c in _OPENING) - sum(token.count(c) for c in _CLOSING)


def _set(run: str) -> str:
    """A run as a formula and the punctuation after it; '' where it is none."""
    core = run.rstrip(",;:.")
    tex = tex_of(core) if core else ""
    return formula(tex) + html.escape(run[len(core) :]) if tex else ""


def tex_of(text: str) -> str:
    """Plain text that is one formula, in TeX; '' where it has words, brackets that do not match, or signs unknown."""
    unreadable = re.search(r"['\"“”’]\S|[\\$&#~^]$", text)
    if unreadable or not _balanced(text) or text.count("|") % 2 or _has_words(text):
        return ""
    tex = text.replace("**", "^").replace(">=", "≥").replace("<=", "≤")
    tex = _grouped(tex, "√", r"\sqrt")
    tex = _binomials(tex)
    tex = re.sub(r"\^\(([^()]*)\)", r"^⦃\1⦄", tex)
    tex = re.sub(r"\^([-−]?[\w.]+)", r"^⦃\1⦄", tex)
    tex = re.sub(r"_(\w+)", r"_⦃\1⦄", tex)
    tex = _scripts(tex)
    tex = re.sub(r"\*(?=[\w(\\])", r"·" if "*" in text.replace("**", "") else "*", tex)
    tex = re.sub(r"\*", r"^⦃*⦄", tex)
    tex = re.sub(rf"(?<![A-Za-z\\])({'|'.join(_OPERATORS)})(?![A-Za-z])", _operator, tex)
    for sign, command in {**_SIGNS, **_GREEK}.items():
        tex = tex.replace(sign, command + (" " if command[-1].isalpha() else ""))
    tex = re.sub(r"  +", " ", tex)
    tex = tex.replace("⦃", "{").replace("⦄", "}")
    return tex.strip() if tex.isascii() else ""


def _operator(match: re.Match[str]) -> str:
    name = match[1]
    return rf"\operatorname⦃{name}⦄" if name in ("argmax", "argmin") else rf"\{name} "


def _balanced(text: str) -> bool:
    expected: list[str] = []
    for sign in text:
        if sign in _OPENING:
            expected.append(_CLOSING[_OPENING.index(sign)])
        # A half-open interval ends with a bracket of the other kind.
        elif sign in _CLOSING and (not expected or (expected.pop() != sign and sign not in ")]")):
            return False
    return not expected


def _scripts(tex: str) -> str:
    """Raised and lowered characters as exponents and indices."""
    for signs, mark in ((_RAISED, "^"), (_LOWERED, "_")):
        plain = str.maketrans(signs)
        parts = re.split(f"([{''.join(signs)}]+)", tex)
        tex = "".join(f"{mark}⦃{part.translate(plain)}⦄" if i % 2 else part for i, part in enumerate(parts))
    return tex


def _grouped(tex: str, sign: str, command: str) -> str:
    """The sign with what it stands before: a group in brackets, or one symbol."""
    while (at := tex.find(sign)) >= 0:
        rest = tex[at + 1 :]
        if rest.startswith("(") and (end := _end_of_group(rest)):
            inner, rest = rest[1:end], rest[end + 1 :]
        else:
            inner, rest = rest[:1], rest[1:]
        tex = f"{tex[:at]}{command}⦃{inner}⦄{rest}"
    return tex


def _binomials(tex: str) -> str:
    return re.sub(r"binom\(([^(),]+), ?([^(),]+)\)", r"\\binom⦃\1⦄⦃\2⦄", tex)


def _end_of_group(text: str) -> int:
    depth = 0
    for i, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return i
    return 0
