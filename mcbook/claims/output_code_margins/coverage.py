"""Distributions on which the statements 'with probability 1 - delta' are tried."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Evidence, at_most, covered
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.statistical import Coverage
from mcbook.foundation.types import Ball, Scalar
from mcbook.output_code_margins import decoding_margins
from mcbook.output_code_margins.theory.generalisation import memorised_share
from mcbook.rademacher import bounded_differences_tail

N_TRIALS = 200


def coverage_of(excess: Callable[[int], Ball], setting: dict[str, Any], m: int, rng: np.random.Generator) -> Evidence:
    """How often some f of a class of dimension 2, with some eta, breaks the bound on a sample of m examples.

    Three classes, the code one-vs-rest, and two inputs: the class has a sign for each input, so its convex
    combinations are all pairs of answers, tried on a grid.  Every label is noisy.
    """
    theta, allowed = float(setting["theta"]), float(excess(m).upper())
    M = 2 * np.eye(3, dtype=int) - 1
    probabilities = np.array([5, 2, 1, 1, 4, 3]) / 16
    y = np.tile(np.arange(3), 2)
    risks, small = [], []
    for (a, b), eta in itertools.product(itertools.product(np.linspace(-1, 1, 9), repeat=2), (0.1, 1.0, 5.0, 100.0)):
        # The column enters by a known sign: the answers of input 1 are a (+, -, -), those of input 2 b (-, +, -).
        F = np.concatenate([np.tile(a * M[0], (3, 1)), np.tile(b * M[1], (3, 1))]).astype(float)
        margins = decoding_margins(F, M, y, eta)
        risks.append(probabilities @ (margins <= 0))
        small.append(margins <= theta)
    counts = rng.multinomial(m, probabilities, size=N_TRIALS) / m
    failures = (np.array(risks) > counts @ np.array(small).T + allowed).any(axis=1).sum()
    return covered(
        "samples on which some f and η break the bound", Coverage(int(failures), N_TRIALS, float(setting["delta"]))
    )


def falls_on_memorisers(allowed: Callable[[int], Scalar], m: int, name: str) -> Evidence:
    """A class of all functions on m equally likely atoms, right on the sample with margin 1 and wrong elsewhere.

    Its risk is the share of atoms that were not seen, and this is below its mean by 1/30 with a probability of less
    than 1 / 10^6 (bounded differences), so a statement that holds with probability 19/20 allows as much.
    """
    off = Fraction(1, 30)
    unlikely = bounded_differences_tail(1 / 30, [1 / m] * m)
    if not unlikely < 1e-6:
        raise ValueError(f"expected a sample so large that the share is near its mean, got {m} examples")
    # (1 - 1/m)^m grows with m, and its value for 1000 is a fraction that is short enough.
    return at_most(
        f"share of atoms not seen ≤ {name}", ball(memorised_share(1000, 1000) - off), allowed(m), statement=True
    )
