"""Random exact values for the symbols of a formula, and what a function of the package gets in their place."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from mcbook.claims.spine.formulas.notation import Reading, Scope
from mcbook.claims.spine.formulas.syntax import Node, parse, walk
from mcbook.claims.spine.formulas.tokens import tokens_of
from mcbook.claims.spine.formulas.values import Surroundings, evaluate, extent, free_indices, is_exact
from mcbook.foundation.proof.exact import ball
from mcbook.foundation.types import Values

WHOLE_KINDS = ("count", "count from 2", "count from 3", "label", "sign", "code entry")


@dataclass(frozen=True)
class PageLoss:
    """A loss as a page uses it: exact where it can be, a ball elsewhere."""

    loss: Callable[[Values], Values]

    def __call__(self, z: Values) -> Values:
        value = self.loss(z)
        return value if is_exact(value) or not is_exact(z) else self.loss(ball(z))

    def __repr__(self) -> str:
        return repr(self.loss)


def _random_loss(rng: random.Random) -> Callable[[Values], Values]:
    """a max(0, 1 - z) + b (1 - z)^2 with its own a and b: rational, and with another L(0) each time."""
    a, b = _positive(rng), _positive(rng)
    return lambda z: a * np.maximum(1 - z, 0) + b * (1 - z) ** 2


def _positive(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(1, 12), rng.randint(1, 7))


def _probability(rng: random.Random) -> Fraction:
    below = rng.randint(3, 12)
    return Fraction(rng.randint(1, below - 1), below)


_DRAWS: dict[str, Callable[[random.Random], Values]] = {
    "count": lambda rng: Fraction(rng.randint(1, 6)),
    "count from 2": lambda rng: Fraction(rng.randint(2, 6)),
    "count from 3": lambda rng: Fraction(rng.randint(3, 8)),
    "real": lambda rng: rng.choice((-1, 1)) * Fraction(rng.randint(0, 12), rng.randint(1, 5)),
    "positive": _positive,
    "nonnegative": lambda rng: Fraction(rng.randint(0, 12), rng.randint(1, 7)),
    "share": lambda rng: rng.choice(
        (_probability, _probability, _probability, lambda rng: Fraction(rng.randint(0, 1)))
    )(rng),
    "probability": _probability,
    "sign": lambda rng: Fraction(rng.choice((-1, 1))),
    "code entry": lambda rng: Fraction(rng.choice((-1, 0, 1))),
    "loss": lambda rng: PageLoss(_random_loss(rng)),
    "catalogued loss": lambda rng: PageLoss(rng.choice(_catalogue())),
}


@dataclass
class Drawn(Mapping[str, Values]):
    """The symbols of one statement with their values, each drawn or computed when it is first asked for."""

    scope: Scope
    rng: random.Random
    given: Mapping[str, str]
    found: dict[str, Values] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Values:
        if name not in self.found:
            self.found[name] = self._computed(self.given[name]) if name in self.given else self._drawn(name)
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def _drawn(self, name: str) -> Values:
        reading = self.scope.reading(name)
        if reading.of:
            return self._function(reading)
        if reading.means:
            return self._computed(reading.means)
        shape = tuple(int(self[extent]) for extent in reading.shape)
        if reading.kind == "distribution":
            weights = [_positive(self.rng) for _ in range(shape[0])]
            return _array([weight / sum(weights) for weight in weights], shape)
        if reading.kind == "label":
            return _array([Fraction(self.rng.randint(1, int(self["k"]))) for _ in range(int(np.prod(shape)))], shape)
        if reading.kind == "symmetric":
            half = _array([_DRAWS["real"](self.rng) for _ in range(int(np.prod(shape)))], shape)
            return half + half.T
        return _array([_DRAWS[reading.kind](self.rng) for _ in range(int(np.prod(shape)))], shape)

    def _function(self, reading: Reading) -> Callable[..., Values]:
        tree = parse(tokens_of(reading.means), self.scope, reading.of)
        return lambda *values: evaluate(tree, Surroundings(self, dict(zip(reading.of, values, strict=True))))

    def _computed(self, tex: str) -> Values:
        return table(parse(tokens_of(tex), self.scope), Surroundings(self, {}))

    def argument(self, tex: str, numbers: str) -> Values:
        """What a function gets for this formula: the whole of a symbol that is named, else the value."""
        named = self.scope.names(tex)
        value = self[named.name] if named else self._computed(tex)
        if isinstance(value, PageLoss):
            return value.loss
        kind = self.scope.reading(named.name).kind if named else ""
        return _entrywise(lambda number: _handed_over(number, kind, numbers), value)


def _handed_over(number: Values, kind: str, numbers: str) -> Values:
    """Labels count from 0 in the code, and whole numbers are Python's."""
    if kind in WHOLE_KINDS:
        return int(number) - (kind == "label")
    if numbers == "balls":
        return ball(number) if is_exact(number) else number
    return float(number) if numbers == "floats" else number


def _entrywise(function: Callable[[Values], Values], value: Values) -> Values:
    if not isinstance(value, np.ndarray):
        return function(value)
    changed = [function(number) for number in value.ravel().tolist()]
    if all(isinstance(number, int) for number in changed):
        return np.array(changed, dtype=int).reshape(value.shape)
    return _array(changed, value.shape)


def _array(values: list[Values], shape: tuple[int, ...]) -> Values:
    if not shape:
        return values[0]
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array.reshape(shape)


def table(tree: Node, around: Surroundings, over: tuple[str, ...] | None = None) -> Values:
    """The value of a formula; where indices run free, the array of its values, one axis for each of them."""
    letters = tuple(dict.fromkeys(_letters(tree))) if over is None else over
    if not letters:
        return evaluate(tree, around)
    first, *rest = letters
    values = [table(tree, around.at(first, index), tuple(rest)) for index in range(1, extent(first, tree, around) + 1)]
    return np.array(values, dtype=object)


def _letters(tree: Node) -> list[str]:
    free = free_indices(tree)
    return [node.value for node in walk(tree) if node.kind == "index" and node.value in free]


def _catalogue() -> list[Values]:
    # Imported when it is asked for: the spine works in a book that has no chapter on losses.
    from mcbook.losses import CATALOGUE

    return list(CATALOGUE.values())
