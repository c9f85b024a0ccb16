"""Figures of the chapter on Winnow.  Winnow has the first colour and the Perceptron the second throughout."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS
from mcbook.foundation.types import Array
from mcbook.winnow.algorithm.comparison import Mistakes

WINNOW, PERCEPTRON, FAINT = COLOURS[0], COLOURS[1], COLOURS[7]


def draw_mistakes(axes: Axes, sizes: Sequence[int], made: Sequence[Mistakes]) -> None:
    """Mistakes of both against what grows, on logarithmic axes."""
    axes.plot(sizes, [each.perceptron for each in made], color=PERCEPTRON, marker=MARKERS[1], label="Perceptron")
    axes.plot(sizes, [each.winnow for each in made], color=WINNOW, marker=MARKERS[0], label="Winnow")
    axes.set(xscale="log", yscale="log", ylabel="mistakes")


def attributes_figure(sizes: Sequence[int], made: Sequence[Mistakes], allowed: Array, n_samples: int) -> Figure:
    """Mistakes on a stream against the number of attributes, with Winnow's bound and the mistakes of guessing."""
    figure, axes = plt.subplots(figsize=(7.4, 5.2))
    axes.axhline(n_samples / 2, color=FAINT, linewidth=1.2)
    axes.text(sizes[0], n_samples / 2 * 1.05, "guessing", color="#666666", va="bottom")
    draw_mistakes(axes, sizes, made)
    axes.set(ylim=(None, 0.75 * n_samples))
    axes.plot(sizes, allowed, color=WINNOW, linestyle=ALLOWED, label="Winnow, at most")
    axes.set(xlabel="attributes $d$, three of which decide")
    axes.legend(loc="lower right")
    return figure


def relevant_figure(sizes: Sequence[int], made: Sequence[Mistakes], n_features: int) -> Figure:
    """Mistakes on a stream against the number of relevant attributes."""
    figure, axes = plt.subplots(figsize=(7.4, 5.4))
    draw_mistakes(axes, sizes, made)
    axes.set(xlabel=f"relevant attributes $s$ of {n_features}", xticks=sizes, xticklabels=sizes)
    axes.minorticks_off()
    axes.legend()
    return figure


def disjunction_figure(weights: Array, promotions: Array) -> Figure:
    """The weights before each mistake and after the last: a row for each attribute, shaded by the logarithm."""
    figure, axes = plt.subplots(figsize=(7.4, 5.9))
    levels = np.log2(np.where(weights > 0, weights, 1).astype(float))
    shown = np.ma.masked_array(levels, mask=weights == 0).T
    # Attributes are counted from 1, mistakes from 0.
    extent = (-0.5, shown.shape[1] - 0.5, shown.shape[0] + 0.5, 0.5)
    image = axes.imshow(shown, aspect="auto", cmap="Blues", vmin=-0.6, interpolation="nearest", extent=extent)
    axes.axvline(len(promotions) - 0.5, color="black", linewidth=1.2)
    for x, align, text in ((-0.6, "right", "promotions "), (-0.4, "left", " eliminations")):
        axes.text(len(promotions) + x, 0.1, text, ha=align, va="bottom")
    bar = figure.colorbar(image, ax=axes, ticks=range(int(levels.max()) + 1))
    bar.ax.set_yticklabels([str(2**level) for level in range(int(levels.max()) + 1)])
    bar.set_label("weight")
    axes.set(xlabel="mistakes made", ylabel="attribute", yticks=[1, *range(5, len(shown) + 1, 5)])
    axes.grid(False)
    return figure


def worst_case_figure(sizes: Sequence[int], exact: Array, stated: Array, made: Array) -> Figure:
    """What the adversary gets, the exact worst case and Littlestone's bound against the number of attributes."""
    figure, axes = plt.subplots(figsize=(7.4, 5.2))
    axes.plot(sizes, stated, color=FAINT, linestyle=ALLOWED, label="Littlestone's bound")
    axes.plot(sizes, exact, color=WINNOW, linestyle=ALLOWED, label="exact worst case")
    axes.plot(sizes, made, color=WINNOW, marker=MARKERS[0], linestyle="", label="mistakes against the adversary")
    axes.set(xlabel="attributes $d$", ylabel="mistakes", ylim=(0, None))
    axes.legend(loc="lower right")
    return figure


def weights_figure(winnow: Array, perceptron: Array, n_relevant: int) -> Figure:
    """The difference of the two classes' weights, attribute by attribute, update after update; both sum to 1 in size.

    ``winnow`` and ``perceptron`` have shape (n_updates + 1, n_features).
    """
    figure, pair = plt.subplots(1, 2, figsize=(8.2, 5.2), sharey=True)
    for axes, name, colour, weights in (
        (pair[0], "Winnow", WINNOW, winnow),
        (pair[1], "Perceptron", PERCEPTRON, perceptron),
    ):
        size = np.abs(weights).sum(axis=1, keepdims=True)
        shares = np.divide(weights, size, out=np.zeros_like(weights), where=size > 0)
        # A few of the others show as much as all of them.
        axes.plot(shares[:, n_relevant::20], color=FAINT, linewidth=0.7)
        axes.plot(shares[:, :n_relevant], color=colour, linewidth=2)
        axes.set(title=name, xlabel="updates")
    pair[0].set(ylabel="share of all weight")
    return figure


def potential_figure(curves: dict[str, tuple[Array, float]]) -> Figure:
    """What is left of the distance KL(U, W) after each update, and the line below which each update must take it."""
    figure, row = plt.subplots(1, len(curves), figsize=(8.2, 5.1))
    for axes, (name, (left, gain)) in zip(np.atleast_1d(row), curves.items(), strict=True):
        t = np.arange(len(left))
        end = left[0] / gain
        axes.plot([0, end], [left[0], 0], color=WINNOW, linestyle=ALLOWED, label=r"at most: $D(\gamma)$ less each time")
        # A short run is drawn as points, through which the line of the bound is seen.
        drawn = {"marker": MARKERS[0], "linestyle": ""} if len(t) < 12 else {}
        axes.plot(t, left, color=WINNOW, label=r"$\mathrm{KL}(U\,\|\,W_t)$", **drawn)
        axes.set(title=name, xlabel="updates $t$", ylim=(-0.03 * left[0], 1.05 * left[0]))
        axes.legend()
    np.atleast_1d(row)[0].set_ylabel("distance (nats)")
    return figure


def hadamard_figure(H: Array, sizes: Sequence[int], winnow: Array, perceptron: Array, allowed: Array) -> Figure:
    """The rows that are shown, the one column that decides, and the updates of both against their number.

    ``allowed`` is Winnow's bound for the factor of the runs.
    """
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.2, 5.2), width_ratios=(1, 1.25))
    left.imshow(H, cmap="Greys", vmin=-1.6, vmax=2.6, interpolation="nearest")
    d = len(H)
    left.plot([d - 1.5, d - 0.5, d - 0.5, d - 1.5, d - 1.5], [-0.5, -0.5, d - 0.5, d - 0.5, -0.5], color=WINNOW)
    left.set(xlabel="attribute", ylabel="example", title=f"$d={d}$: the last column decides")
    counted = np.arange(d // 4, d + 1, d // 4)
    left.set(xticks=counted - 1, xticklabels=counted, yticks=counted - 1, yticklabels=counted)
    left.grid(False)
    # Points alone: the lines of the bounds run through them.
    right.plot(sizes, perceptron, color=PERCEPTRON, marker=MARKERS[1], linestyle="", label="Perceptron")
    right.plot(sizes, winnow, color=WINNOW, marker=MARKERS[0], linestyle="", label="Winnow")
    right.plot(sizes, sizes, color=PERCEPTRON, linestyle=ALLOWED, label="Perceptron, at most $d$")
    right.plot(sizes, allowed, color=WINNOW, linestyle=ALLOWED, label="Winnow, at most")
    right.set(xscale="log", yscale="log", xlabel="attributes $d$", ylabel="updates")
    right.legend()
    return figure


def noise_figure(sizes: Sequence[int], errors: dict[str, Sequence[float]]) -> Figure:
    """Test error of both against the number of attributes of noise that were added."""
    figure, axes = plt.subplots(figsize=(7.4, 5.4))
    for i, (name, values) in enumerate(errors.items()):
        axes.plot(range(len(sizes)), 100 * np.array(values), color=COLOURS[i], marker=MARKERS[i], label=name)
    axes.set(xticks=range(len(sizes)), xticklabels=sizes, ylim=(0, None))
    axes.set(xlabel="attributes of noise beside the 64 pixels", ylabel="test error (%)")
    axes.legend()
    return figure
