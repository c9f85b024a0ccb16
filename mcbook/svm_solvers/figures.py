"""Figures of the chapter on solvers."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.binary_svm.figures import draw_predictions
from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS
from mcbook.foundation.types import Array
from mcbook.perceptron.figures import draw_points


def gap_figure(curves: dict[str, tuple[Array, Array]], floor: float, work: str = "passes over the data") -> Figure:
    """Distance from the certified optimum, relative to it, against work, down to the ``floor``."""
    figure, axes = plt.subplots(figsize=(6.4, 4.6))
    for i, (name, (amount, excess)) in enumerate(curves.items()):
        axes.plot(amount, excess, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    axes.axhline(floor, color="black", linestyle=":", linewidth=1.2, label="drawn down to here")
    axes.set(xscale="log", yscale="log", xlabel=work, ylabel="(primal − optimum) / optimum")
    axes.legend(fontsize=9, loc="lower left", bbox_to_anchor=(0, 0.07))
    return figure


def dimension_figure(dimensions: Sequence[int], errors: dict[str, Array]) -> Figure:
    """Test error of the two ways of training against the dimension."""
    figure, axes = plt.subplots(figsize=(6.4, 4.6))
    for i, (name, values) in enumerate(errors.items()):
        axes.plot(dimensions, 100 * values, color=COLOURS[i], marker=MARKERS[i], label=name)
    axes.set(xscale="log", xlabel="dimension $d$", ylabel="test error (%)", xticks=list(dimensions))
    axes.set_xticklabels([str(d) for d in dimensions])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.legend()
    return figure


def steps_figure(X: Array, signs: Array, C: float, met: Array, means: Array, best: Array, shown: int) -> Figure:
    """The first stochastic steps over level lines of the objective, and its excess at all steps and at their means."""
    figure, (plane, falling) = plt.subplots(1, 2, figsize=(7.4, 4.4))

    def objective(W: Array) -> Array:
        return np.asarray((W**2).sum(axis=-1) / 2 + C * np.maximum(0, 1 - signs * (W @ X.T)).sum(axis=-1))

    reach = 1.6 * float(np.linalg.norm(best))
    a, b = (np.linspace(c - reach, c + reach, 120) for c in best)
    plane.contour(a, b, objective(np.stack(np.meshgrid(a, b), axis=-1)), levels=12, colors=COLOURS[7], linewidths=0.8)
    numbers = np.arange(1, len(met) + 1)
    for i, (path, name) in enumerate(((met, "step"), (means, "mean of the steps"))):
        plane.plot(*path[:shown].T, color=COLOURS[i], linewidth=0.9, marker=".", markersize=3)
        falling.plot(numbers, objective(path) - objective(best), color=COLOURS[i], linewidth=1.1, label=name)
    plane.plot(*best, marker="*", color="black", markersize=12, zorder=4)
    plane.set(xlim=(a[0], a[-1]), ylim=(b[0], b[-1]), xlabel="$w_1$", ylabel="$w_2$", title=f"{shown} steps")
    plane.grid(False)
    falling.set(xscale="log", yscale="log", xlabel="step", ylabel="objective above its minimum")
    falling.legend(loc="lower left", fontsize=9)
    return figure


def regret_figure(steps: Array, bound: Array, curves: dict[str, Array]) -> Figure:
    """The mean excess of runs of stochastic steps against their number, and what the bound allows."""
    figure, axes = plt.subplots(figsize=(6.4, 4.6))
    axes.plot(steps, bound, color="black", linestyle=ALLOWED, label="bound")
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(steps, values, color=COLOURS[i], label=name)
    axes.set(xscale="log", yscale="log", xlabel="steps $T$", ylabel="mean excess")
    axes.legend(loc="lower left")
    return figure


def projection_figure(v: Array, total: float, projected: Array, theta: float) -> Figure:
    """The projection of three numbers on a simplex: as a point of the triangle, and as bars above a level."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.9))
    corners = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])
    left.fill(*corners.T, color=COLOURS[2], alpha=0.15)
    left.plot(*corners[[0, 1, 2, 0]].T, color=COLOURS[2])
    start = (v + (total - v.sum()) / 3) / total @ corners
    end = projected / total @ corners
    left.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": "black", "lw": 1.6})
    left.plot(*start, "o", color=COLOURS[0])
    left.plot(*end, "o", color="black")
    left.text(*(start + 0.04), "$v$", color=COLOURS[0], fontsize=13)
    left.text(end[0] - 0.1, end[1] - 0.04, "$p$", fontsize=13)
    left.set(aspect="equal", xticks=[], yticks=[], title="$p\\geq0$, $p_1+p_2+p_3=C$")
    left.grid(False)
    places = np.arange(len(v))
    right.bar(places, v, width=0.6, color=COLOURS[7], alpha=0.5)
    right.bar(places, projected, bottom=theta, width=0.6, color=COLOURS[2])
    right.axhline(theta, color="black", linestyle="--", linewidth=1.2)
    right.text(2.42, theta + 0.05, r"$\theta$", fontsize=13)
    right.axhline(0, color="black", linewidth=0.8)
    right.set(xticks=places, xticklabels=["$v_1$", "$v_2$", "$v_3$"], title="what stands above the level")
    return figure


def smoothed_figure(z: Array, hinge: Array, curves: dict[str, Array]) -> Figure:
    """The hinge and what smoothing about a centre makes of it."""
    figure, axes = plt.subplots(figsize=(6.4, 4.4))
    axes.plot(z, hinge, color="black", label="hinge")
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(z, values, color=COLOURS[i], linestyle="--", label=name)
    axes.set(xlabel=r"lead $(w_y-w_z)\cdot x$", ylabel="loss of the example")
    axes.legend()
    return figure


def two_ways_figure(X: Array, y: Array, classifiers: dict[str, Array]) -> Figure:
    """The regions of two linear SVMs on the same sample, whose last feature is constant."""
    figure, panels = plt.subplots(1, len(classifiers), figsize=(7.4, 3.7))
    for axes, (title, W) in zip(panels, classifiers.items(), strict=True):

        def scores(points: Array, W: Array = W) -> Array:
            return np.asarray(np.c_[points, np.ones(len(points))] @ W.T)

        draw_predictions(axes, scores, len(W), 1.1 * float(np.abs(X).max()))
        draw_points(axes, X, y, s=12)
        axes.set_title(title)
    return figure


def centres_figure(curves: dict[str, Array], goal: float) -> Figure:
    """A number after each proximal step, for several taus, and where it has to arrive."""
    figure, axes = plt.subplots(figsize=(6.4, 4.2))
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(np.arange(1, len(values) + 1), values, color=COLOURS[i], marker=MARKERS[i], markersize=5, label=name)
    axes.axhline(goal, color="black", linestyle=":", linewidth=1.2)
    axes.set(xlabel="proximal step", ylabel="weight of the label", xticks=range(1, 1 + max(map(len, curves.values()))))
    axes.legend(loc="lower right")
    return figure


def cost_figure(C: Array, shares: dict[str, Array]) -> Figure:
    """Shares of the digits that are misclassified, against the cost of slack."""
    figure, axes = plt.subplots(figsize=(6.4, 4.4))
    for i, (name, values) in enumerate(shares.items()):
        axes.plot(C, 100 * values, color=COLOURS[i], marker=MARKERS[i], markersize=5, label=name)
    axes.set(xscale="log", xlabel="$C$", ylabel="validation errors (%)", ylim=(0, None))
    axes.legend()
    return figure
