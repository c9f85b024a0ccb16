"""A claim: one entry of the ledger, with what puts it on trial."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from mcbook.claims.spine.entries import Entry, ledger
from mcbook.claims.spine.evidence import Lines
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Scalar

Part = TypeVar("Part", bound=Callable[..., Lines])

REGISTRY: dict[str, Claim] = {}


class Claim:
    """A claim of the book, made of functions that yield `Evidence`.

        claim = Claim("P.T", implements=mistake_bound)

        @claim.check("runs on separable samples")                # rng -> evidence, all of which must hold
        @claim.extremal("equality for every k")                  # () -> evidence: the instance with the smallest slack
        @claim.trace("three classes, line by line")              # () -> evidence: the proof run on an instance
        @claim.control("the bound less one")                     # () -> evidence, all of which must be refuted
        @claim.strengthened("the bound", by=Fraction(99, 100))   # factor -> evidence that holds at 1 and falls at `by`

    An extremal instance at which the statement itself holds with equality says ``attained=True``, and one of its lines
    has to show both sides equal, exactly; page, front page and ledger then say that the statement is attained.

    ``formula`` says which equations of the page state the values of which functions.

    A control of a main theorem is ``told`` in the story of the page, as a sentence with the values that it found in the
    place of ``{left}`` and ``{right}``: ``told="With $k - 2$ in place of $k - 1$ it is false: {left}, not {right}."``

    ``strengthened`` is the best control: the same lines, on the same instance, hold for the statement as it is and are
    refuted for the statement made stronger by the factor.  Every control has to call one of the ``implements``, and
    every one of them has to be called by a check, an extremal instance or a trace.

    Where a part is missing on purpose the reason is written down: ``no_extremal``, ``no_control``, ``no_trace``,
    ``no_formula`` for a statement that has no closed form, and ``weaker_tier``, a tier and a reason, for a check that
    reaches just that tier where the ledger asks for more.
    """

    def __init__(
        self,
        entry_id: str,
        *,
        implements: Callable[..., Any] | tuple[Callable[..., Any], ...],
        weaker_tier: tuple[Tier, str] | None = None,
        no_extremal: str = "",
        no_control: str = "",
        no_trace: str = "",
        formula: Formula | tuple[Formula, ...] = (),
        no_formula: str = "",
    ) -> None:
        if entry_id in REGISTRY:
            raise ValueError(f"the ledger entry {entry_id} has a claim already: an entry has exactly one")
        if entry_id not in ledger():
            raise KeyError(f"the ledger has no entry {entry_id!r}: write it into the ledger.toml of its chapter first")
        if weaker_tier is not None and not weaker_tier[1].strip():
            raise ValueError(f"{entry_id}: expected the reason for the tier '{weaker_tier[0].word}', got none")
        self.entry: Entry = ledger()[entry_id]
        self.implements = implements if isinstance(implements, tuple) else (implements,)
        self.weaker_tier = weaker_tier
        self.no_extremal, self.no_control, self.no_trace = no_extremal, no_control, no_trace
        self.formulas = formula if isinstance(formula, tuple) else (formula,)
        self.no_formula = no_formula
        self.checks: dict[str, Callable[..., Lines]] = {}
        self.extremals: dict[str, Callable[[], Lines]] = {}
        self.controls: dict[str, Callable[[], Lines]] = {}
        self.strengthenings: dict[str, tuple[Scalar, Callable[..., Lines]]] = {}
        self.traces: dict[str, Callable[[], Lines]] = {}
        self.attained: list[str] = []
        self.told: dict[str, str] = {}
        REGISTRY[entry_id] = self

    @property
    def id(self) -> str:
        return self.entry.id

    @property
    def label(self) -> str:
        return self.entry.label

    @property
    def required_tier(self) -> Tier:
        return self.entry.tier

    def check(self, what: str) -> Callable[[Part], Part]:
        return self._part(self.checks, what)

    def extremal(self, what: str, *, attained: bool = False) -> Callable[[Part], Part]:
        if attained:
            self.attained.append(what)
        return self._part(self.extremals, what)

    def control(self, what: str, *, told: str = "") -> Callable[[Part], Part]:
        self._tell(what, told)
        return self._part(self.controls, what)

    def strengthened(self, what: str, *, by: Scalar, told: str = "") -> Callable[[Part], Part]:
        if by == 1:
            raise ValueError(f"{self.id}: expected a factor other than 1, at which {what!r} is to fall")

        self._tell(f"{what}, times {by}", told)

        def add(function: Part) -> Part:
            self._part(self.strengthenings, what)((by, function))
            return function

        return add

    def _tell(self, what: str, sentence: str) -> None:
        if sentence and "{left}" not in sentence and "{right}" not in sentence:
            raise ValueError(f"{self.id}: expected {{left}} or {{right}} in what is told of {what!r}, got {sentence!r}")
        if sentence:
            self.told[what] = sentence

    def trace(self, what: str) -> Callable[[Part], Part]:
        return self._part(self.traces, what)

    def _part(self, parts: dict[str, Any], what: str) -> Callable[[Any], Any]:
        def add(function: Any) -> Any:
            if what in parts:
                raise ValueError(f"{self.id} has a part {what!r} already: say how this one differs")
            parts[what] = function
            return function

        return add

    @property
    def parts(self) -> dict[str, tuple[Collection[object], str]]:
        """Of every kind of part that a claim can owe: what it has, and why it has none."""
        return {
            "check": (self.checks, ""),
            "extremal instance": (self.extremals, self.no_extremal),
            "control": (self.controls or self.strengthenings, self.no_control),
            "trace of its proof": (self.traces, self.no_trace),
            "formula": (self.formulas, self.no_formula),
        }

    def __repr__(self) -> str:
        return f"<Claim {self.id} ({self.label}): {self.entry.title}>"


def claims() -> dict[str, Claim]:
    """All claims by the id of their ledger entry, in the ledger's order."""
    for chapter in dict.fromkeys(entry.chapter for entry in ledger().values()):
        _load(chapter)
    return {entry_id: REGISTRY[entry_id] for entry_id in ledger() if entry_id in REGISTRY}


def find_claim(name: str) -> Claim:
    """The claim with this ledger id or label of its statement; loads no chapter but its own."""
    for entry in ledger().values():
        if name in (entry.id, entry.label):
            _load(entry.chapter)
            if entry.id in REGISTRY:
                return REGISTRY[entry.id]
            raise KeyError(f"{name} is in the ledger but has no claim yet; `python -m mcbook ledger` shows which have")
    raise KeyError(f"no claim is called {name!r}: expected a ledger id such as P.T or a label such as thm-...")


def _load(chapter: str) -> None:
    """Import the chapter's claims, which register themselves; a chapter that is not written yet has none."""
    package = importlib.import_module(f"mcbook.claims.{chapter}")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
