"""Figures of the chapter on boosting many labels: MH has the first colour, MR the second, the half start the third."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.boosting_many_labels.theory import half_start_square
from mcbook.foundation.figures import ALLOWED, COLOURS, MINUS, PLUS
from mcbook.foundation.types import Array

MH, MR, HALF, FAINT = COLOURS[0], COLOURS[1], COLOURS[2], COLOURS[7]


def class_weights_figure(tables: dict[str, Array]) -> Figure:
    """The share of all weight on the pairs of a class (rows) and a label (columns), one table for each moment."""
    figure, row = plt.subplots(1, len(tables), figsize=(8.4, 3.8), sharey=True)
    for axes, (title, table) in zip(row, tables.items(), strict=True):
        axes.imshow(table, cmap="Blues", vmin=0, vmax=np.quantile(table, 0.98), interpolation="nearest")
        k = len(table)
        axes.set(title=title, xlabel="asked: is it this digit?", xticks=range(k), yticks=range(k))
        axes.grid(False)
    row[0].set(ylabel="the digit that it is")
    return figure


def small_rounds_figure(weights: Sequence[Array], wrong: Sequence[Array]) -> Figure:
    """The weights of all pairs before each round, as fractions; framed are those that the round's hypothesis misses."""
    figure, row = plt.subplots(1, len(weights), figsize=(8.4, 3.9))
    top = max(float(table.max()) for table in weights)
    for t, (axes, table, missed) in enumerate(zip(row, weights, wrong, strict=True)):
        axes.imshow(table.astype(float), cmap="Blues", vmin=0, vmax=1.6 * top)
        for (i, z), value in np.ndenumerate(table):
            axes.text(z, i, str(value), ha="center", va="center", fontsize=11)
            if missed[i, z]:
                axes.add_patch(plt.Rectangle((z - 0.45, i - 0.45), 0.9, 0.9, fill=False, edgecolor=MR, linewidth=2))
        axes.set(title=f"round {t + 1}", xticks=range(3), yticks=range(3), xlabel="label")
        axes.set(xticklabels=range(1, 4), yticklabels=range(1, 4))
        axes.grid(False)
    row[0].set(ylabel="example")
    return figure


def training_figure(curves: dict[str, tuple[Array, Array]]) -> Figure:
    """Shares of mistakes on the sample and what the theorem allows, round by round, one panel for each kind."""
    figure, row = plt.subplots(1, len(curves), figsize=(8.4, 6.5), sharey=True)
    for axes, (title, (made, allowed)) in zip(row, curves.items(), strict=True):
        rounds = np.arange(1, len(made) + 1)
        axes.plot(rounds, allowed, color=MH, linestyle=ALLOWED, label="at most")
        axes.plot(rounds, np.where(made > 0, made, np.nan), color=MH, label="mistakes on the sample")
        axes.axhline(1, color=FAINT, linewidth=0.8)
        axes.set(title=title, xlabel="rounds", yscale="log")
        axes.legend(loc="lower left")
    row[0].set(ylabel="share")
    return figure


def start_figure(n_rounds: int) -> Figure:
    """The constants of both starts against the number of labels, and the attained share of the better bound."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 6.3))
    k = np.arange(2, 101)
    left.plot(k, k / 2, color=MH, linestyle=ALLOWED, label=r"all pairs alike: $k/2$")
    left.plot(k, np.sqrt(k - 1), color=HALF, linestyle=ALLOWED, label=r"half on the label: $\sqrt{k-1}$")
    left.set(xlabel="labels $k$", ylabel=r"constant in front of $\prod Z_t$")
    left.legend()
    T = np.arange(1, n_rounds + 1)
    for colour, n_labels in zip(COLOURS[3:6], (3, 10, 100), strict=True):
        used = [1 / np.sqrt((n_labels - 1) * float(half_start_square(n_labels, int(t)))) for t in T]
        right.plot(T, used, color=colour, label=f"$k={n_labels}$")
    right.axhline(1, color=HALF, linestyle=ALLOWED)
    right.set(xlabel="rounds", xscale="log", ylabel="error as a share of the bound", ylim=(None, 1.03))
    right.legend(loc="lower right")
    return figure


def misleading_figure(objective: Array, wrong: Array) -> Figure:
    """G/m falling round by round while the share of wrong pairs stays where it is."""
    figure, axes = plt.subplots(figsize=(7.4, 5.8))
    rounds = np.arange(len(objective))
    axes.plot(rounds, objective, color=MH, label="$G/m$")
    axes.plot(rounds, wrong, color=MR, label="wrong pairs")
    axes.set(xlabel="rounds", ylim=(0, 1.05), ylabel="share")
    axes.legend()
    return figure


def losses_figure(root: Array, plain: Array, shifted: Array, n_classes: int) -> Figure:
    """What each example pays in AdaBoost.MH against the root of what it pays in MR, plain and with its best shift."""
    figure, axes = plt.subplots(figsize=(7.4, 6.8))
    ends = np.array([root.min(), root.max()])
    axes.plot(ends, 2 * ends / n_classes, color=FAINT, linestyle=ALLOWED, label="2/k times the root")
    axes.scatter(root, plain, s=9, color=MH, alpha=0.6, linewidth=0, label="MH, scores as they are")
    axes.scatter(root, shifted, s=5, color=MR, linewidth=0, label="MH, scores with the best shift")
    axes.set(xscale="log", yscale="log", xlabel="root of the MR loss of an example", ylabel="its MH loss")
    axes.legend()
    return figure


def squares_figure(X: Array, Y: Array, grid: Array, scores: dict[str, Array], names: Sequence[str]) -> Figure:
    """Where each label's score is positive, in columns, after some rounds, in rows; the sample as points."""
    figure, table = plt.subplots(len(scores), len(names), figsize=(8.4, 3.2 * len(scores)), sharex=True, sharey=True)
    size = round(len(grid) ** 0.5)
    for row, (title, values) in zip(np.atleast_2d(table), scores.items(), strict=True):
        for z, axes in enumerate(row):
            answers = values[:, z].reshape(size, size) > 0
            axes.contourf(answers, levels=[-0.5, 0.5, 1.5], colors=[MINUS, PLUS], alpha=0.25, extent=(0, 1, 0, 1))
            for sign, colour in ((1, PLUS), (-1, MINUS)):
                axes.plot(*X[Y[:, z] == sign].T, linestyle="", marker="o", markersize=2.2, color=colour)
            axes.set(xticks=[], yticks=[], aspect="equal")
            axes.grid(False)
        row[0].set(ylabel=title)
    for axes, name in zip(np.atleast_2d(table)[0], names, strict=True):
        axes.set(title=name)
    return figure


def rounds_figure(errors: dict[str, Array]) -> Figure:
    """Test error round by round, one curve for each algorithm."""
    figure, axes = plt.subplots(figsize=(7.4, 6.6))
    for colour, (name, values) in zip((MH, HALF, MR, COLOURS[4]), errors.items(), strict=False):
        axes.plot(np.arange(1, len(values) + 1), 100 * np.asarray(values), color=colour, label=name)
    axes.set(xlabel="rounds", ylabel="test error (%)", yscale="log")
    axes.set(yticks=[4, 6, 10, 20, 40, 80], yticklabels=[4, 6, 10, 20, 40, 80])
    axes.minorticks_off()
    axes.legend()
    return figure
