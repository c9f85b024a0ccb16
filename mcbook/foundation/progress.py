"""A progress bar for fits that are long: the same for all estimators, drawn by tqdm, and only for those who ask."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Step(Protocol):
    """What is called after each step of a long fit, with the figures that the bar shall show beside it."""

    def __call__(self, **figures: float) -> None: ...


@contextmanager
def progress(n_steps: int, unit: str, *, verbose: int) -> Iterator[Step]:
    """A function to call after each of at most ``n_steps`` steps; with ``verbose`` it moves a bar.

    The bar stands on stderr, so that it does not mix with what a cell prints or returns, and it is wiped away when the
    steps end, early or by an error; what is said after that stands on a clean line.

    >>> with progress(2, "round", verbose=0) as step:
    ...     step(error=0.5)
    """
    if not verbose:
        yield _in_silence
        return
    # Only here, as most fits are silent and loading it takes a while.
    from tqdm import tqdm

    with tqdm(total=n_steps, unit=unit, file=sys.stderr, leave=False) as bar:

        def step(**figures: float) -> None:
            if figures:
                bar.set_postfix({name: f"{figure:.4f}" for name, figure in figures.items()}, refresh=False)
            bar.update()

        yield step


def _in_silence(**figures: float) -> None:
    """A step that nobody watches."""
