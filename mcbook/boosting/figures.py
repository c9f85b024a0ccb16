"""Figures of the chapter on AdaBoost.  A point's size is its weight; what a hypothesis gets wrong is ringed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from mcbook.boosting.instances import PlaneStump
from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, MINUS, PLUS, RIGHT, WRONG
from mcbook.foundation.types import Array

# Marks of the signs: a plus, and a minus.
_SIGNS = {1: ("P", PLUS), -1: ("_", MINUS)}
_LABEL = {"color": "#333333", "linewidth": 0}
_BOX = (0, 10.6, 0, 10.9)


def rounds_figure(X: Array, y: Array, stumps: Sequence[PlaneStump], weights: Array, votes: Array) -> Figure:
    """The rounds in a row, and the vote: points as large as their weights before the round.

    ``weights (n_rounds, n_samples)`` are those before each round, ``votes (n_rounds,)`` the alphas.
    """
    figure, grid = plt.subplots(2, 2, figsize=(7.4, 7.2))
    for t, (axes, stump, D) in enumerate(zip(grid.flat, stumps, weights, strict=False)):
        wrong = stump.outputs(X)[:, 0] != y
        _shade(axes, lambda points, stump=stump: stump.outputs(points)[:, 0])
        _points(axes, X, y, D)
        axes.scatter(
            X[wrong, 0], X[wrong, 1], s=140 + 3400 * D[wrong], facecolors="none", edgecolors=WRONG, linewidths=1.6
        )
        axes.set_title(f"round {t + 1}: error {D[wrong].sum():.2f}, vote {votes[t]:.2f}")
    axes = grid.flat[-1]
    _shade(
        axes,
        lambda points: sum(v * stump.outputs(points)[:, 0] for v, stump in zip(votes, stumps, strict=True)),
    )
    _points(axes, X, y, np.full(len(X), 1 / len(X)))
    axes.set_title("the weighted vote of the three")
    return figure


def _points(axes: Axes, X: Array, y: Array, D: Array) -> None:
    for sign, (marker, colour) in _SIGNS.items():
        chosen = y == sign
        axes.scatter(X[chosen, 0], X[chosen, 1], s=30 + 1500 * D[chosen], marker=marker, color=colour, linewidths=2.6)
    axes.set(xlim=_BOX[:2], ylim=_BOX[2:], xticks=[], yticks=[])
    axes.grid(False)


def _shade(axes: Axes, score: Callable[..., Array]) -> None:
    grid = [np.linspace(_BOX[2 * axis], _BOX[2 * axis + 1], 400) for axis in (0, 1)]
    points = np.stack(np.meshgrid(*grid), axis=-1).reshape(-1, 2)
    values = np.sign(score(points)).reshape(400, 400)
    axes.contourf(*grid, values, levels=[-2, 0, 2], colors=[MINUS, PLUS], alpha=0.13)


def weights_figure(weights: Array, right: Array) -> Figure:
    """The weights before each round as stacked bars, what the round's hypothesis misses in another colour.

    ``weights`` and ``right`` have shape (n_rounds, n_samples); the missed ones stand below.
    """
    figure, axes = plt.subplots(figsize=(7.4, 4.4))
    for t, (D, hit) in enumerate(zip(weights, right, strict=True)):
        base = 0.0
        for part, colour in ((~hit, WRONG), (hit, RIGHT)):
            for weight in np.sort(D[part])[::-1]:
                axes.bar(t + 1, weight, bottom=base, color=colour, edgecolor="white", linewidth=1, width=0.7)
                base += weight
    axes.axhline(0.5, color="black", linewidth=1)
    axes.set(xlabel="round", ylabel="weight", xticks=range(1, len(weights) + 1), ylim=(0, 1))
    for place, colour, text in ((0.05, WRONG, "missed"), (0.93, RIGHT, "right")):
        axes.text(1, place, text, color="white", ha="center", bbox={"color": colour, "linewidth": 0})
    axes.grid(False)
    return figure


def descent_figure(curves: Sequence[tuple[float, Array, Array]], ends: Sequence[tuple[float, float]]) -> Figure:
    """The loss along the coordinate of each step, over the length of the path, and the lowest points.

    A curve is where it begins, the steps along it, and the loss there.
    """
    figure, axes = plt.subplots(figsize=(7.4, 4.5))
    for t, ((start, steps, losses), (step, least)) in enumerate(zip(curves, ends, strict=True)):
        colour = COLOURS[t % 6]
        axes.plot(start + steps, losses, color=colour)
        axes.plot(start + step, least, marker=MARKERS[0], color=colour, markersize=8)
        # To the left of the dot, where the next line does not run.
        axes.annotate(
            f"$\\alpha_{t + 1}={step:.2f}$", (start + step, least), (-7, -13), textcoords="offset points", ha="right"
        )
    axes.set(xlabel=r"way so far, $\alpha_1+\alpha_2+\dots$", ylabel=r"exponential loss $F/m$", ylim=(0, None))
    return figure


def log_odds_figure(shares: Array, scores: Array, losses: Array, least: Array) -> Figure:
    """The expected exponential loss of every score for some shares of +1, with the lowest points.

    ``losses (n_shares, n_scores)``; ``least`` are pairs of the best score and its loss.
    """
    figure, axes = plt.subplots(figsize=(7.4, 4.4))
    for i, (share, curve, (score, loss)) in enumerate(zip(shares, losses, least, strict=True)):
        axes.plot(scores, curve, color=COLOURS[i], label=f"$p={share:g}$")
        axes.plot(score, loss, marker=MARKERS[0], color=COLOURS[i])
    axes.set(xlabel="score $f$", ylabel=r"$p\,e^{-f}+(1-p)\,e^{f}$", ylim=(0, 3))
    axes.legend()
    return figure


def bound_figure(errors: Array, bounds: dict[str, Array], others: dict[str, Array] | None = None) -> Figure:
    """Training error against the rounds, with what the theorem allows, on a logarithmic axis."""
    figure, axes = plt.subplots(figsize=(7.4, 5.2))
    rounds = np.arange(1, len(errors) + 1)
    for i, (name, values) in enumerate(bounds.items()):
        axes.plot(rounds, values, color=COLOURS[i], linestyle=ALLOWED, label=name)
    for i, (name, values) in enumerate((others or {}).items()):
        axes.plot(rounds, values, color=COLOURS[2 + i], label=name)
    shown = np.where(errors > 0, errors, np.nan)
    axes.plot(rounds, shown, color=COLOURS[0], label="training error")
    axes.set(xlabel="rounds $T$", ylabel="share of the sample", yscale="log")
    axes.legend()
    return figure


def worst_figure(H: Array, weights: Array) -> Figure:
    """Who is missed in which round: rows are examples, as high as their weights, columns the rounds.

    ``H (n_rounds, n_samples)`` are agreements.
    """
    figure, axes = plt.subplots(figsize=(7.4, 5.2))
    order = np.argsort((H < 0).sum(axis=0), kind="stable")
    heights = np.concatenate([[0.0], np.cumsum(weights[order])])
    missed = np.asarray(H[:, order] < 0).T
    doomed = (H < 0).any(axis=0)
    axes.pcolormesh(
        np.arange(len(H) + 1) + 0.5,
        heights,
        missed,
        cmap=ListedColormap([RIGHT, WRONG]),
    )
    share = weights[doomed].sum()
    for height, text in (
        ((1 - share) / 2, "never missed"),
        (1 - share / 2, "missed in half of the rounds, to the very end"),
    ):
        axes.text(0.5 + len(H) / 2, height, text, color="white", ha="center", va="center", bbox=_LABEL)
    axes.vlines(np.arange(1, len(H)) + 0.5, 0, 1, color="white", linewidth=1.5)
    axes.set(
        xlabel="rounds", ylabel="first weights of the examples, summed", ylim=(0, 1), xticks=range(2, len(H) + 1, 2)
    )
    axes.grid(False)
    return figure


def shares_figure(rounds: Sequence[int], curves: dict[str, Sequence[float]]) -> Figure:
    """What share of the product bound is reached, against the rounds."""
    figure, axes = plt.subplots(figsize=(7.4, 5.0))
    axes.axhline(1, color="black", linestyle=ALLOWED, linewidth=1.2)
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(rounds[: len(values)], values, color=COLOURS[i], marker=MARKERS[i], label=name)
    axes.set(xlabel="rounds $T$", ylabel="training error / product bound", ylim=(0, 1.06), xticks=rounds)
    axes.legend(loc="center right")
    return figure


def margins_figure(margins: dict[str, Array], train: Array, test: Array, least: Array) -> Figure:
    """Errors and the smallest margin against the rounds, and the distribution of the margins after some of them."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.2, 5.0))
    rounds = np.arange(1, len(train) + 1)
    left.plot(rounds, 100 * test, color=COLOURS[1], label="test error (%)")
    left.plot(rounds, 100 * train, color=COLOURS[0], label="training error (%)")
    left.plot(rounds, 100 * least, color=COLOURS[2], label="smallest margin (%)")
    left.axhline(0, color="black", linewidth=0.8)
    left.set(xlabel="rounds", xscale="log", ylim=(-12, 24))
    left.legend()
    for i, (name, values) in enumerate(margins.items()):
        ordered = np.sort(values)
        right.plot(ordered, np.arange(1, len(values) + 1) / len(values), color=COLOURS[3 + i], label=name)
    right.axvline(0, color="black", linewidth=0.8)
    right.set(xlabel="margin", ylabel="share of the sample at most this", ylim=(0, 1))
    right.legend()
    return figure


def learners_figure(errors: dict[str, Array]) -> Figure:
    """Test errors of several weak learners against the rounds."""
    figure, axes = plt.subplots(figsize=(7.4, 5.0))
    for i, (name, values) in enumerate(errors.items()):
        axes.plot(np.arange(1, len(values) + 1), 100 * values, color=COLOURS[i], label=name)
    axes.set(xlabel="rounds", ylabel="test error (%)", xscale="log", ylim=(0, None))
    axes.legend()
    return figure
