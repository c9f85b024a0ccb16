"""Figures of the chapter on weak and strong learning.  What a theorem allows is dashed; what holds is green."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, RIGHT, WRONG
from mcbook.foundation.types import Array, Signs
from mcbook.weak_learning.algorithm.game import solve_game
from mcbook.weak_learning.algorithm.selection import choice_fails
from mcbook.weak_learning.theory import (
    all_runs_fail,
    majority_value,
    rounds_by_majority,
    rounds_by_product,
    rounds_until_perfect,
    selection_bound,
    unseen_error,
)

# The corners of the triangle of weights on three examples.
_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(3) / 2]])


def weights_triangle(pools: dict[str, Signs]) -> Figure:
    """The best edge of pools on three examples, over all weightings of them; the star is at the worst weights."""
    figure, panels = plt.subplots(1, len(pools), figsize=(4.3 * len(pools), 4.4))
    steps = 120
    grid = np.array([(i, j, steps - i - j) for i in range(steps + 1) for j in range(steps + 1 - i)]) / steps
    for axes, (name, A) in zip(panels, pools.items(), strict=True):
        edges = (grid @ A.T).max(axis=1) / 2
        places = grid @ _CORNERS
        drawn = axes.tricontourf(*places.T, edges, levels=np.linspace(0, 0.5, 11), cmap="Blues")
        axes.tricontour(*places.T, edges, levels=np.linspace(0, 0.5, 11), colors="white", linewidths=0.6)
        worst = np.array(solve_game(A).D, dtype=float) @ _CORNERS
        axes.plot(*_CORNERS.mean(axis=0), MARKERS[0], color="black", markersize=7, label="equal weights")
        axes.plot(*worst, "*", color=WRONG, markersize=17, markeredgecolor="white", label="worst weights")
        for number, corner in enumerate(_CORNERS):
            away = 0.09 * (corner - _CORNERS.mean(axis=0))
            axes.text(*(corner + 1.3 * away), f"$x_{number + 1}$", ha="center", va="center")
        axes.set(title=name, aspect="equal", xlim=(-0.12, 1.12), ylim=(-0.12, 1.0))
        axes.axis("off")
    bar = figure.colorbar(drawn, ax=panels, orientation="horizontal", fraction=0.06, pad=0.02)
    bar.set_label("best edge of the pool")
    panels[0].legend(loc="upper left", fontsize=9, borderaxespad=0)
    return figure


def sandwich_figure(correlations: Array, margins: Array, value: Fraction, images: Array, weights: Array) -> Figure:
    """Mean correlation and least margin by rounds on both sides of the value; below, the examples that weigh most.

    ``images (n, 8, 8)`` are in the order of their ``weights``, the heaviest first.
    """
    figure = plt.figure(figsize=(8.2, 6.9))
    grid = figure.add_gridspec(2, len(images), height_ratios=(3, 1))
    axes = figure.add_subplot(grid[0, :])
    rounds = np.arange(1, len(margins) + 1)
    axes.plot(rounds, correlations, color=COLOURS[0], label="mean correlation of the answers: twice the mean edge")
    axes.plot(rounds, margins, color=COLOURS[1], label="least margin of the vote")
    axes.axhline(float(value), linestyle=ALLOWED, color=RIGHT, label="value of the game")
    axes.set(xlabel="rounds", xlim=(1, len(rounds)), ylim=(-1, 1))
    axes.legend(loc="lower right")
    for place, (image, weight) in enumerate(zip(images, weights, strict=True)):
        cell = figure.add_subplot(grid[1, place])
        cell.imshow(image, cmap="Greys", interpolation="nearest")
        cell.set(xticks=[], yticks=[])
        cell.set_title(f"{100 * weight:.0f} %", fontsize=9)
        cell.grid(visible=False)
    return figure


def sinking_figure(runs: dict[str, tuple[Array, Array]]) -> Figure:
    """Edges and training errors of AdaBoost by rounds, of pools by name."""
    figure, panels = plt.subplots(1, 2, figsize=(8.6, 4.5))
    for i, (name, (edges, lost)) in enumerate(runs.items()):
        rounds = np.arange(1, len(edges) + 1)
        for axes, values in zip(panels, (edges, lost), strict=True):
            axes.plot(rounds, values.astype(float), MARKERS[i] + "-", color=COLOURS[i], markersize=4, label=name)
    for axes, title in zip(panels, ("edge of the round", "training error of the vote"), strict=True):
        axes.set(xlabel="round", title=title, ylim=(-0.02, 0.55), xticks=range(0, 21, 5))
    panels[0].legend(fontsize=9)
    return figure


def unseen_figure(sizes: Sequence[int], most: int) -> Figure:
    """The mean error that no learner goes below, against the number of examples, for points in number 2^n."""
    figure, axes = plt.subplots(figsize=(7.6, 4.5))
    examples = np.unique(np.logspace(0, math.log10(most), 80).astype(int))
    for i, n in enumerate(sizes):
        values = [float(unseen_error(2.0**n, int(m))) for m in examples]
        axes.semilogx(examples, values, color=COLOURS[i], label=f"$M=2^{{{n}}}$ points")
    axes.set(xlabel="examples $m$", ylabel="mean error, at least", ylim=(0, 0.14))
    axes.legend()
    return figure


def rounds_figure(edge: Fraction, most: int, sizes: Sequence[int]) -> Figure:
    """What T rounds of one edge are worth, and how many rounds samples of some sizes need, by three guarantees."""
    figure, panels = plt.subplots(1, 2, figsize=(8.8, 4.6))
    odd = np.arange(1, most + 1, 2)
    values = [float(majority_value(edge, int(T))) for T in odd]
    base = 1 - 4 * float(edge) ** 2
    names = ("by majority: $V_T$", "AdaBoost: product", "its exponential form")
    curves = (values, base ** (odd / 2), np.exp(-2 * float(edge) ** 2 * odd))
    for i, (name, curve) in enumerate(zip(names, curves, strict=True)):
        panels[0].semilogy(odd, curve, color=COLOURS[i], linestyle="-" if i == 0 else ALLOWED, label=name)
    panels[0].set(xlabel="rounds $T$", ylabel="share of mistakes, at most")
    panels[0].legend(fontsize=9)
    counts = (rounds_by_majority, rounds_by_product, rounds_until_perfect)
    for i, count in enumerate(counts):
        needed = [count(edge, m) for m in sizes]
        style = MARKERS[i] + ("-" if i == 0 else ALLOWED)
        panels[1].semilogx(sizes, needed, style, color=COLOURS[i])
    panels[1].set(xlabel="examples $m$", ylabel="rounds until no mistake is left", ylim=(0, None))
    return figure


def memory_figure(drawn: Sequence[int], stored: Sequence[int], limit: int) -> Figure:
    """Examples drawn up to each round, and what is in store then, on one logarithmic axis."""
    figure, axes = plt.subplots(figsize=(7.6, 4.5))
    rounds = np.arange(1, len(drawn) + 1)
    axes.semilogy(rounds, np.cumsum(drawn), MARKERS[0] + "-", color=COLOURS[0], label="examples drawn so far")
    axes.semilogy(rounds, stored, MARKERS[1] + "-", color=COLOURS[1], label="hypotheses and examples in store")
    axes.axhline(limit, linestyle=ALLOWED, color=RIGHT, label="$T+n$")
    axes.set(xlabel="round", ylim=(10, None))
    axes.legend(loc="upper left")
    return figure


def runs_figure(successes: Sequence[Fraction], delta: Fraction, most: int) -> Figure:
    """The probability that all runs fail, against their number, and where it has to be."""
    figure, axes = plt.subplots(figsize=(7.6, 4.5))
    runs = np.arange(most + 1)
    for i, success in enumerate(successes):
        values = [float(all_runs_fail(success, int(k))) for k in runs]
        axes.semilogy(runs, values, MARKERS[i] + "-", color=COLOURS[i], markersize=4, label=rf"$\delta_0={success}$")
    axes.axhline(float(delta) / 2, linestyle=ALLOWED, color=RIGHT, label=r"$\delta/2$")
    axes.set(xlabel="independent runs $k$", ylabel="probability that all of them fail", ylim=(1e-3, 1.3))
    axes.legend()
    return figure


def fresh_figure(success: Fraction, n_runs: int, epsilon: Fraction, gamma: Fraction, most: int) -> Figure:
    """The probability that the choice fails, exactly and by two bounds, against the number of fresh examples."""
    figure, axes = plt.subplots(figsize=(7.8, 4.6))
    sizes = np.arange(0, most + 1, 5)
    none_good = float(all_runs_fail(success, n_runs))
    exact = [float(choice_fails(success, n_runs, int(n), epsilon, epsilon + gamma)) for n in sizes]
    sharp = [float(selection_bound(success, n_runs, float(epsilon), float(gamma), int(n))) for n in sizes]
    tails = none_good + 2 * n_runs * np.exp(-sizes * float(gamma) ** 2 / 2)
    axes.semilogy(sizes, exact, color=COLOURS[0], label="exactly, errors independent")
    axes.semilogy(sizes, sharp, ALLOWED, color=COLOURS[2], label="bound of this theorem")
    axes.semilogy(sizes, tails, ALLOWED, color=COLOURS[1], label="bound of the theorem before")
    axes.axhline(none_good, color=COLOURS[7], label="no run is good")
    axes.set(xlabel="fresh examples $n$", ylabel="probability that the choice fails", ylim=(none_good / 2, 2))
    axes.legend()
    return figure


def sizes_figure(gammas: Sequence[float], curves: dict[str, Sequence[int]]) -> Figure:
    """Numbers of fresh examples against the difference that is to be seen, by name."""
    figure, axes = plt.subplots(figsize=(7.6, 4.4))
    for i, (name, sizes) in enumerate(curves.items()):
        axes.loglog(gammas, sizes, MARKERS[i] + "-", color=COLOURS[i], label=name)
    axes.set(xlabel=r"$\gamma=\varepsilon$", ylabel="fresh examples")
    axes.legend()
    return figure
