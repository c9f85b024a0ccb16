"""A claim: one result of the book, with what puts it on trial."""

from __future__ import annotations

import difflib
import functools
import importlib
import importlib.resources
import pkgutil
import re
import sys
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from mcbook.claims.spine.evidence import Lines
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Scalar

PartFunction = TypeVar("PartFunction", bound=Callable[..., Lines])

# What kind of statement the book makes of a result, by the prefix of its label.
NATURES = {
    "thm": "theorem",
    "lem": "lemma",
    "prp": "proposition",
    "cor": "corollary",
    "def": "definition",
    "alg": "algorithm",
    # What experiments show.
    "obs": "observation",
}
BOUNDS = ("upper bound", "lower bound", "growth rate")
KINDS = ("identity", "equivalence", "existence", *BOUNDS)

REGISTRY: dict[str, Claim] = {}

_PACKAGE = "mcbook.claims"
_HEADER = re.compile(r"\bClaim\(\s*[\"']([a-z0-9-]+)[\"']")


class Claim:
    """A claim of the book, made of functions that yield `Evidence`.

        claim = Claim(
            "thm-perceptron-mistake-bound", "upper bound", "exact", source="mohri2018", implements=mistake_bound
        )

        @claim.check("runs on separable samples")                # rng -> evidence, all of which must hold
        @claim.extremal("equality for every k")                  # () -> evidence: the instance with the smallest slack
        @claim.trace("three classes, line by line")              # () -> evidence: the proof run on an instance
        @claim.control("Ties make ... false.")                   # () -> evidence, all of which must be refuted
        @claim.strengthened("...", by=Fraction(99, 100))         # factor -> evidence that holds at 1 and falls at `by`

    The label is that of its statement on the page, ``kind`` one of ``KINDS``, ``tier`` what its check must reach,
    ``source`` a key, or several, of the book's bibliography, ``where`` the place there, and ``errata`` the slips of the
    sources that the statement mends.  ``formula`` says which equations of the page state the values of which functions,
    and ``symbols`` how their formulas write what this statement alone uses; the rest stands in ``book/notation.toml``.

    A line of evidence that compares the two sides of the statement itself says ``statement=True``.  Where such a line
    of an extremal instance is exact and has equal sides, page, front page and ledger say that it is attained.

    A control is named by a sentence for the reader, with the values that it found in the place of ``{left}`` and
    ``{right}``: "With $k - 2$ in place of $k - 1$ it is false: {left}, not {right}."  With ``story=True`` the sentence
    stands open in the story of the page, else behind the verdict.

    ``strengthened`` is the best control: the same lines, on the same instance, hold for the statement as it is and are
    refuted for the statement made stronger by the factor.  Every control has to call one of the ``implements``, and
    every one of them has to be called by a check, an extremal instance or a trace.

    Where a part is missing on purpose the reason is written down: ``no_extremal``, ``no_control``, ``no_trace``,
    ``no_formula`` for a statement that has no closed form, and ``weaker_tier``, a tier and a reason, for a check that
    reaches just that tier where more is asked for.
    """

    def __init__(
        self,
        label: str,
        kind: str,
        tier: str,
        *,
        source: str | tuple[str, ...],
        implements: Callable[..., Any] | tuple[Callable[..., Any], ...],
        where: str = "",
        errata: tuple[str, ...] = (),
        weaker_tier: tuple[Tier, str] | None = None,
        no_extremal: str = "",
        no_control: str = "",
        no_trace: str = "",
        formula: Formula | tuple[Formula, ...] = (),
        no_formula: str = "",
        symbols: tuple[Reading, ...] = (),
    ) -> None:
        if label in REGISTRY:
            raise ValueError(f"{label} has a claim already: a statement has exactly one")
        if label.split("-")[0] not in NATURES:
            raise ValueError(f"expected a label that begins with one of {', '.join(NATURES)}, got {label!r}")
        if kind not in KINDS:
            raise ValueError(f"{label}: expected a kind among {', '.join(KINDS)}, got {kind!r}")
        if weaker_tier is not None and not weaker_tier[1].strip():
            raise ValueError(f"{label}: expected the reason for the tier '{weaker_tier[0].word}', got none")
        self.label, self.kind, self.tier = label, kind, Tier.of(tier)
        self.source = (source,) if isinstance(source, str) else source
        self.where, self.errata = where, errata
        # The chapter is the folder of the module in which the claim is made.
        module = sys._getframe(1).f_globals["__name__"]
        self.chapter = module.removeprefix(f"{_PACKAGE}.").partition(".")[0]
        self.implements = implements if isinstance(implements, tuple) else (implements,)
        self.weaker_tier = weaker_tier
        self.no_extremal, self.no_control, self.no_trace = no_extremal, no_control, no_trace
        self.formulas = formula if isinstance(formula, tuple) else (formula,)
        self.no_formula, self.symbols = no_formula, symbols
        self.checks: dict[str, Callable[..., Lines]] = {}
        self.extremals: dict[str, Callable[[], Lines]] = {}
        self.controls: dict[str, Callable[[], Lines]] = {}
        self.strengthenings: dict[str, tuple[Scalar, Callable[..., Lines]]] = {}
        self.traces: dict[str, Callable[[], Lines]] = {}
        # The controls that stand open in the story.
        self.story: list[str] = []
        REGISTRY[label] = self

    @property
    def nature(self) -> str:
        """What kind of statement the book makes of it."""
        return NATURES[self.label.split("-")[0]]

    @property
    def required(self) -> tuple[str, ...]:
        """The parts that it must have, unless it says why not.

        An identity or an existence has no slack whose smallest value could be shown; the proof of a bound that is a
        theorem is run line by line.
        """
        bound = self.kind in BOUNDS
        parts = {"check": True, "extremal instance": bound, "control": True}
        parts["trace of its proof"] = bound and self.nature == "theorem"
        return tuple(part for part, required in parts.items() if required)

    def check(self, what: str) -> Callable[[PartFunction], PartFunction]:
        return self._part(self.checks, what)

    def extremal(self, what: str) -> Callable[[PartFunction], PartFunction]:
        return self._part(self.extremals, what)

    def control(self, sentence: str, *, story: bool = False) -> Callable[[PartFunction], PartFunction]:
        self.story += [sentence] * story
        return self._part(self.controls, sentence)

    def strengthened(self, sentence: str, *, by: Scalar, story: bool = False) -> Callable[[PartFunction], PartFunction]:
        if by == 1:
            raise ValueError(f"{self.label}: expected a factor other than 1, at which {sentence!r} is to fall")
        self.story += [sentence] * story

        def add(function: PartFunction) -> PartFunction:
            self._part(self.strengthenings, sentence)((by, function))
            return function

        return add

    def trace(self, what: str) -> Callable[[PartFunction], PartFunction]:
        return self._part(self.traces, what)

    def _part(self, parts: dict[str, Any], what: str) -> Callable[[Any], Any]:
        def add(function: Any) -> Any:
            if what in parts:
                raise ValueError(f"{self.label} has a part {what!r} already: say how this one differs")
            parts[what] = function
            return function

        return add

    @property
    def parts(self) -> dict[str, tuple[Collection[object], str]]:
        """Of every kind of part that can be required: what the claim has, and why it has none."""
        return {
            "check": (self.checks, ""),
            "extremal instance": (self.extremals, self.no_extremal),
            "control": (self.controls or self.strengthenings, self.no_control),
            "trace of its proof": (self.traces, self.no_trace),
            "formula": (self.formulas, self.no_formula),
        }

    def __repr__(self) -> str:
        return f"<Claim {self.label}>"


def claims() -> dict[str, Claim]:
    """All claims by label, chapter by chapter."""
    for chapter in _headers():
        _load(chapter)
    return {label: REGISTRY[label] for labels in _headers().values() for label in labels}


def find_claim(label: str) -> Claim:
    """The claim with this label; loads no chapter but its own."""
    for chapter, labels in _headers().items():
        if label in labels:
            _load(chapter)
            return REGISTRY[label]
    known = [one for labels in _headers().values() for one in labels]
    near = " or ".join(difflib.get_close_matches(label, known, n=3)) or "the label of a statement, such as thm-..."
    raise KeyError(f"no claim is called {label!r}: expected {near}")


@functools.cache
def _headers() -> dict[str, list[str]]:
    """The labels of the claims of each chapter, as they stand in its modules."""
    found: dict[str, list[str]] = {}
    for folder in sorted(importlib.resources.files(_PACKAGE).iterdir(), key=lambda folder: folder.name):
        if folder.is_dir() and folder.name not in ("spine", "__pycache__"):
            modules = sorted((one for one in folder.iterdir() if one.name.endswith(".py")), key=lambda one: one.name)
            texts = (one.read_text(encoding="utf-8") for one in modules)
            found[folder.name] = [label for text in texts for label in _HEADER.findall(text)]
    return found


def _load(chapter: str) -> None:
    """Import the chapter's claims, which register themselves."""
    package = importlib.import_module(f"{_PACKAGE}.{chapter}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
