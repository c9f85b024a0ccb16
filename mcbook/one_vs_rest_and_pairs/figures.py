"""Figures of the chapter on one-vs-rest and all pairs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, OURS, WRONG, draw_against_bound, square_grid, tint
from mcbook.foundation.types import Array
from mcbook.one_vs_rest_and_pairs import champion, training_cost_ratio


def reductions_figure(one_vs_rest: BaseEstimator, all_pairs: BaseEstimator, X: Array, y: Array) -> Figure:
    """Both reductions on one sample: their binary borders, their regions, and where the binary answers conflict."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.8, 4.8), sharey=True)
    reach = 1.1 * float(np.abs(X).max())
    rest_conflict = _draw_reduction(left, one_vs_rest, X, y, reach, lambda F: (F > 0).sum(axis=1) != 1)
    n_classes = len(all_pairs.classes_)
    pair_conflict = _draw_reduction(right, all_pairs, X, y, reach, lambda F: champion(F, n_classes) < 0)
    left.set_title(f"one-vs-rest: conflict on {100 * rest_conflict:.0f} % of the square")
    right.set_title(f"all pairs: conflict on {100 * pair_conflict:.2f} %")
    left.set_ylabel("second feature")
    return figure


def _draw_reduction(
    axes: Axes, model: BaseEstimator, X: Array, y: Array, reach: float, conflict: Callable[[Array], Array]
) -> float:
    line, points = square_grid(reach, 300)
    labels, outputs = model.predict(points).reshape(300, 300), model.outputs(points)
    tint(axes, line, line, labels, len(model.classes_), alpha=0.22)
    hatched = conflict(outputs).reshape(300, 300)
    axes.contourf(line, line, hatched.astype(float), levels=[0.5, 1.5], colors="none", hatches=["////"])
    for column in outputs.T:
        axes.contour(line, line, column.reshape(300, 300), levels=[0], colors="black", linewidths=0.8)
    for label in np.unique(y):
        mine = X[y == label]
        axes.scatter(
            mine[:, 0], mine[:, 1], color=COLOURS[label], marker=MARKERS[label], s=22, edgecolor="white", linewidth=0.5
        )
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="first feature")
    axes.grid(False)
    return float(hatched.mean())


def rescaling_figure(points: Array, labels: Array, factors: Sequence[float], table: Array) -> Figure:
    """Points in the plane of two scores, the borders of some rescalings, and the border of a recalibration."""
    figure, axes = plt.subplots(figsize=(8.0, 5.2))
    reach = 5.0
    for i, factor in enumerate(factors):
        axes.plot([0, reach], [0, factor * reach], color="grey", linestyle=(0, (4, 1 + i)), label=f"$c={factor:g}$")
    axes.plot(table[:, 0], table[:, 1], color="black", linewidth=2.4, label="recalibrated")
    for label in np.unique(labels):
        mine = points[labels == label].astype(float)
        axes.scatter(mine[:, 0], mine[:, 1], s=90, color=COLOURS[label], marker=MARKERS[label], zorder=3)
        for first, second in mine:
            # Between the lines, which pass on the one side of the first point and on the other of the second.
            away = (-9, -4) if label else (1, 14)
            side = "right" if label else "left"
            axes.annotate(f"class {label + 1}", (first, second), away, textcoords="offset points", ha=side)
    axes.set(xlim=(0, reach), ylim=(0, reach), xlabel="score $f_1$", ylabel="score $f_2$")
    axes.legend(loc="lower right")
    return figure


def score_lines_figure(line: Array, panels: dict[str, Array], X: Array, y: Array) -> Figure:
    """Scores of the classes against the one feature, a panel for each way of training."""
    figure, grid = plt.subplots(1, len(panels), figsize=(2.95 * len(panels), 4.4))
    for axes, (name, table) in zip(grid, panels.items(), strict=True):
        for label, scores in enumerate(table.T):
            axes.plot(line, scores, color=COLOURS[label], label=f"$f_{label + 1}$")
        best = table.max(axis=1)
        floor = table.min() - 0.1 * (table.max() - table.min())
        axes.plot(line, best, color="black", linewidth=0.9, linestyle=":", label="highest")
        for label in np.unique(y):
            axes.scatter(
                X[y == label, 0], np.full((y == label).sum(), floor), color=COLOURS[label], marker=MARKERS[label]
            )
        axes.set(title=name, xlabel="$x$")
    grid[0].set_ylabel("score")
    grid[-1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def looseness_figure(bounds: Array, errors: Array, classes: Array) -> Figure:
    """Error of one-vs-one against the bound (k - 1) r over many distributions."""
    figure, axes = plt.subplots(figsize=(8.2, 5.4))
    draw_against_bound(axes, bounds, errors, classes, "error = bound")
    axes.set(xlim=(0, None), ylim=(0, 1), xlabel="bound $(k-1)r$", ylabel="error of one-vs-one")
    axes.legend()
    return figure


def tournaments_figure(tournaments: Sequence[Array], n_classes: int, titles: Sequence[str]) -> Figure:
    """Tournaments as graphs: a disc is a class, its wins beside it; an arrow runs from a duel's winner to its loser."""
    figure, grid = plt.subplots(1, len(tournaments), figsize=(2.3 * len(tournaments), 2.9))
    for axes, outcomes, title in zip(grid, tournaments, titles, strict=True):
        _draw_tournament(axes, outcomes, n_classes)
        axes.set_title(title)
    return figure


def _draw_tournament(axes: Axes, outcomes: Array, n_classes: int) -> None:
    angles = np.pi / 2 - 2 * np.pi * (np.arange(n_classes) + 0.5) / n_classes
    places = np.c_[np.cos(angles), np.sin(angles)]
    wins = np.zeros(n_classes, dtype=int)
    for (i, j), outcome in zip(itertools.combinations(range(n_classes), 2), outcomes, strict=True):
        winner, loser = (i, j) if outcome > 0 else (j, i)
        wins[winner] += 1
        arrow = {"arrowstyle": "-|>", "color": "0.35", "shrinkA": 11, "shrinkB": 11, "linewidth": 1.3}
        axes.annotate("", xy=tuple(places[loser]), xytext=tuple(places[winner]), arrowprops=arrow)
    for label, ((x, y), count) in enumerate(zip(places, wins, strict=True)):
        axes.scatter(x, y, s=330, color=COLOURS[label], zorder=3)
        axes.text(x, y, str(label + 1), ha="center", va="center", color="white", fontweight="bold", zorder=4)
        axes.text(1.52 * x, 1.52 * y, _wins(count), ha="center", va="center", fontsize=10)
    axes.set(xlim=(-1.7, 1.7), ylim=(-1.5, 1.5), aspect="equal")
    axes.axis("off")


def answers_figure(scores: Array, outcomes: Array) -> Figure:
    """What the binary classifiers say of one example: the scores of one-vs-rest, and the duels of all pairs."""
    figure, (bars, graph) = plt.subplots(1, 2, figsize=(8.0, 3.7))
    names = [f"class {label + 1}" for label in range(len(scores))]
    bars.bar(names, scores, color=COLOURS[: len(scores)], width=0.6)
    bars.axhline(0, color="black", linewidth=0.9)
    bars.set(ylim=(-0.6, 0.1), ylabel="score", title="against the rest: all say no")
    _draw_tournament(graph, outcomes, len(scores))
    graph.set_title("duels: class 2 beats both")
    return figure


def extremal_figure(classes: Sequence[int], of_duels: Sequence[float], of_vote: Sequence[float]) -> Figure:
    """Error of each duel, of the vote, and the bound, on the distributions that attain it, against the number of classes."""
    figure, axes = plt.subplots(figsize=(8.0, 4.4))
    sharpened = [(k - 1) * r for k, r in zip(classes, of_duels, strict=True)]
    axes.plot(classes, of_duels, marker="o", color=OURS, label="error $r$ of every duel")
    axes.plot(classes, of_vote, marker="s", color=WRONG, label="error of the vote")
    axes.plot(classes, sharpened, linestyle=ALLOWED, color="black", label="bound $(k-1)r$")
    axes.set(xlabel="number of classes $k$", ylabel="error", ylim=(0, 1.08), xticks=list(classes))
    axes.legend(loc="center right")
    return figure


def _wins(count: int) -> str:
    return "1 win" if count == 1 else f"{count} wins"


def duels_figure(model: BaseEstimator, X: Array, y: Array, names: Sequence[str]) -> Figure:
    """How often each duel goes wrong on a sample, row against column, in percent of the examples of the two classes."""
    labels = np.searchsorted(model.classes_, y)
    entries = model.code_[labels]
    wrong = (entries != 0) & (entries * model.outputs(X) <= 0)
    shares = 100 * wrong.sum(axis=0) / (entries != 0).sum(axis=0)
    table = np.full((len(names), len(names)), np.nan)
    for (i, j), share in zip(itertools.combinations(range(len(names)), 2), shares, strict=True):
        table[j, i] = share
    figure, axes = plt.subplots(figsize=(8.2, 5.9))
    image = axes.imshow(table, cmap="Greys", vmin=0, vmax=max(1.0, float(np.ceil(shares.max()))))
    for (j, i), share in np.ndenumerate(table):
        if not np.isnan(share):
            colour = "white" if share > shares.max() / 2 else "black"
            axes.text(i, j, f"{share:.1f}" if share else "0", ha="center", va="center", color=colour)
    axes.set(xticks=range(len(names)), yticks=range(len(names)), xticklabels=names, yticklabels=names)
    axes.set(xlabel="class", ylabel="against class")
    axes.grid(False)
    figure.colorbar(image, label="duels lost in %")
    return figure


def cost_ratio_figure(classes: Sequence[int], exponents: dict[int, float]) -> Figure:
    """Training cost of one-vs-one over that of one-vs-rest against the exponent of the learner's cost."""
    alpha = np.linspace(0, 3, 200)
    figure, axes = plt.subplots(figsize=(8.2, 5.4))
    for i, k in enumerate(classes):
        axes.plot(alpha, training_cost_ratio(k, alpha), color=COLOURS[i], label=f"$k={k}$")
        axes.plot(exponents[k], 1, marker=MARKERS[i], color=COLOURS[i], markersize=7)
    axes.axhline(1, color="black", linewidth=0.9)
    axes.set(yscale="log", xlabel=r"exponent $\alpha$", ylabel="training cost, one-vs-one / one-vs-rest")
    axes.legend()
    return figure
