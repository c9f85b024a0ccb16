"""Figures of the chapter on margin bounds."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS, NEITHER, RIGHT, WRONG
from mcbook.foundation.types import Array, Scalar


def looseness_figure(
    x: Sequence[float],
    *,
    bound: Sequence[float],
    risk: Sequence[float],
    loss: Sequence[float],
    xlabel: str,
    mark: float = 0,
    scale: str = "log",
) -> Figure:
    """Bound, true risk and margin loss against ``x``, both axes of one scale; a bound above 1 says nothing.

    ``mark`` is the place on the axis from which on the bound is below 1.
    """
    figure, axes = plt.subplots(figsize=(6.4, 4.0))
    axes.set(xscale=scale, yscale=scale, xlabel=xlabel, ylabel="probability of an error")
    _shade_useless(axes, min(*bound, *risk, *loss) if scale == "log" else 0, max(*bound, *risk, *loss))
    curves = (("margin bound", bound, "--o"), ("true risk", risk, "-s"), ("margin loss on the sample", loss, "-^"))
    for colour, (name, values, style) in zip(COLOURS, curves, strict=False):
        axes.plot(x, values, style, color=colour, markersize=5, label=name)
    if mark:
        axes.axvline(mark, color="black", linestyle="-.", linewidth=1.2, label="from here it says something")
    axes.legend(fontsize=9)
    return figure


def _shade_useless(axes: Axes, lowest: float, highest: float) -> None:
    """Limits around the curves, and grey where a bound on a probability is larger than 1."""
    axes.set_ylim(0.7 * lowest, 1.4 * highest)
    if highest > 1:
        axes.axhspan(1, 1.4 * highest, color=COLOURS[7], alpha=0.18, linewidth=0)
        axes.text(0.98, 0.97, "above 1: says nothing", transform=axes.transAxes, ha="right", va="top", fontsize=9)


def classes_figure(
    sizes: Sequence[int], ratios: dict[int, Sequence[float]], limits: dict[int, Sequence[float]]
) -> Figure:
    """The complexity term of the block class against the sample size, one curve for each number of classes."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0))
    for i, (k, values) in enumerate(ratios.items()):
        axes.plot(sizes, values, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=f"$k={k}$")
        axes.plot(sizes, limits[k], color=COLOURS[i], linestyle=":", linewidth=1.2)
    axes.axhline(2, color="black", linestyle="--", linewidth=1.2, label="limit")
    axes.axhline(1, color="black", linewidth=1.2, label="what is needed")
    axes.set(
        xscale="log",
        xlabel="sample size $m$",
        ylabel=r"$(4k/\rho)\,\mathfrak{R}_m(\Pi_1(\mathcal{H}))$",
        ylim=(0.8, 4.2),
    )
    axes.legend(ncols=2, fontsize=9)
    return figure


def tails_figure(distribution: Sequence[tuple[Scalar, Scalar]], thresholds: Array, claimed: dict[str, Array]) -> Figure:
    """Exact probability that the supremum exceeds t, and what bounds say about it."""
    deviations = np.array([float(d) for d, _ in distribution])
    probabilities = np.array([float(p) for _, p in distribution])
    exact = np.array([probabilities[deviations > t].sum() for t in thresholds])
    figure, axes = plt.subplots(figsize=(6.4, 3.8))
    axes.step(thresholds, np.where(exact > 0, exact, np.nan), where="post", color=COLOURS[0], label="exact probability")
    for i, (name, values) in enumerate(claimed.items(), 1):
        axes.plot(thresholds, values, color=COLOURS[i], linestyle=("--", "-.", ":")[i - 1], label=name)
    axes.set(yscale="log", ylim=(1e-9, 2), xlabel="$t$", ylabel=r"$\Pr[\sup_h(R-\hat{R}_{S,\rho})>t]$")
    axes.legend(fontsize=9)
    return figure


def margins_figure(table: Array, truncated: Array, rho: float) -> Figure:
    """The truncated margin against the margin, and the loss of either."""
    figure, axes = plt.subplots(figsize=(5.6, 3.4))
    axes.plot(table, table, color=COLOURS[7], linestyle=":", label=r"$\rho_h$")
    axes.plot(table, truncated, color=COLOURS[0], label=r"$\rho_{\theta,h}=\min(\rho_h,\theta)$, $\theta=2\rho$")
    loss = np.clip(1 - table / rho, 0, 1)
    axes.plot(table, loss, color=COLOURS[1], linestyle="--", label=r"$\Phi_\rho$ of either")
    axes.set(xlabel=r"margin $\rho_h(x,y)$", xticks=[0, rho, 2 * rho], xticklabels=["0", r"$\rho$", r"$2\rho$"])
    axes.legend(fontsize=9)
    return figure


def rows_figure(lengths: dict[str, Array]) -> Figure:
    """Lengths of the rows of W, class by class, for SVMs that bound them in different norms."""
    figure, axes = plt.subplots(figsize=(6.0, 3.2))
    n_svms = len(lengths)
    for i, (name, values) in enumerate(lengths.items()):
        places = np.arange(len(values)) + (i - (n_svms - 1) / 2) * 0.36
        axes.bar(places, values, width=0.34, color=COLOURS[i], hatch=("", "//")[i], edgecolor="white", label=name)
    axes.set(xlabel="class", ylabel=r"length of its row $\|w_l\|$", xticks=range(len(values)))
    axes.set_xticklabels([str(label + 1) for label in range(len(values))])
    axes.legend(fontsize=9)
    return figure


def histogram_figure(margins: Array, rho: float) -> Figure:
    """How many examples have which margin, and the loss that is charged for it."""
    figure, axes = plt.subplots(figsize=(7.0, 4.0))
    step = 0.04
    ends = np.arange(np.floor(margins.min() / step), np.ceil(margins.max() / step) + 1) * step
    for name, colour, values in (("wrong", WRONG, margins[margins <= 0]), ("right", RIGHT, margins[margins > 0])):
        axes.hist(values, bins=ends, color=colour, alpha=0.75, label=name, edgecolor="white", linewidth=0.5)
    axes.set(xlabel=r"margin $\rho_h(x,y)$", ylabel="examples")
    losses = axes.twinx()
    losses.spines["right"].set_visible(True)
    grid = np.linspace(ends[0], ends[-1], 300)
    label = rf"$\Phi_\rho$, $\rho={rho:g}$"
    losses.plot(grid, np.clip(1 - grid / rho, 0, 1), color="black", linestyle=ALLOWED, label=label)
    losses.set(ylabel="margin loss", ylim=(0, 1.15))
    losses.grid(False)
    handles = [one for part in (axes, losses) for one in part.get_legend_handles_labels()[0]]
    losses.legend(handles=handles, loc="upper right")
    return figure


def grid_figure(rhos: Array, *, fixed: Array, grid: Array, uniform: Array) -> Figure:
    """Three bounds against rho: fixed beforehand, from the next margin of the grid below, and for all rho at once."""
    figure, axes = plt.subplots(figsize=(7.0, 4.2))
    axes.plot(rhos, uniform, color=COLOURS[0], linestyle=ALLOWED, label=r"for all $\rho$ at once")
    axes.plot(rhos, grid, color=COLOURS[1], label=r"from the next $\rho_j<\rho$ of the grid")
    axes.plot(rhos, fixed, color=COLOURS[2], linestyle=":", label=r"for one $\rho$, fixed beforehand")
    axes.set(xscale="log", yscale="log", xlabel=r"margin $\rho$", ylabel="bound less the margin loss")
    axes.set_xticks([1 / 16, 1 / 8, 1 / 4, 1 / 2, 1], ["1/16", "1/8", "1/4", "1/2", "1"])
    axes.minorticks_off()
    axes.legend()
    return figure


def sizes_figure(classes: Array, sizes: dict[str, Array]) -> Figure:
    """Sample sizes from which on a bound says something, against the number of classes."""
    figure, axes = plt.subplots(figsize=(7.0, 4.2))
    for i, (name, values) in enumerate(sizes.items()):
        axes.plot(classes, values, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    axes.set(xscale="log", yscale="log", xlabel="number of classes $k$", ylabel="examples needed")
    axes.set_xticks(classes, [str(k) for k in classes])
    axes.minorticks_off()
    axes.legend()
    return figure


def costs_figure(weights: Array, costs: dict[str, Array]) -> Figure:
    """What a weight costs in all, norm and losses, with its best value marked, for each of several losses."""
    figure, axes = plt.subplots(figsize=(7.0, 4.0))
    for i, (name, values) in enumerate(costs.items()):
        best = int(np.argmin(values))
        axes.plot(weights, values, color=COLOURS[i], label=f"{name}: best at {weights[best]:.2f}")
        axes.plot(weights[best], values[best], MARKERS[i], color=COLOURS[i], markersize=9)
    axes.set(xlabel="weight $w$", ylabel=r"$\frac{1}{2}w^2$ + half the sum of the losses")
    axes.legend()
    return figure


def blocks_figure(kinds: Array) -> Figure:
    """The scores of the block class, labels against blocks: 0 for the true label, free (``nan``), or -rho."""
    n_labels, n_blocks = kinds.shape
    figure, axes = plt.subplots(figsize=(6.4, 4.0))
    for label in range(n_labels):
        for block in range(n_blocks):
            free, own = bool(np.isnan(kinds[label, block])), kinds[label, block] == 0
            colour = COLOURS[label] if free else NEITHER if own else COLOURS[7]
            axes.add_patch(Rectangle((block, -label), 1, 1, facecolor=colour, edgecolor="white", linewidth=2))
            text = "free:\n0 or $-\\rho$" if free else "true: 0" if own else "$-\\rho$"
            axes.text(block + 0.5, 0.5 - label, text, ha="center", va="center", color="white" if free else "black")
    axes.set(xlim=(0, n_blocks), ylim=(1 - n_labels, 1), aspect=0.5)
    axes.set_xticks(np.arange(n_blocks) + 0.5, [f"block {block + 1}" for block in range(n_blocks)])
    axes.set_yticks(0.5 - np.arange(n_labels), [f"label {label + 1}" for label in range(n_labels)])
    axes.tick_params(length=0)
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure
