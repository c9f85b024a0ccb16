"""Figures of the chapter on margin losses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, ENTROPY, GINI, MISCLASSIFICATION, RIGHT, WRONG
from mcbook.foundation.types import Scalar
from mcbook.losses import (
    CATALOGUE,
    MarginLoss,
    best_leaf_value,
    empirical_margin_loss,
    leaf_loss,
    margin_loss,
    share_of_small_margins,
    splitting_criterion,
    symmetrised,
)

_DASHES = ("-", "--", "-.", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)))
# A loss looks the same in every figure of the chapter, and has the colour of the impurity that it leads to.
_COLOURS = {
    "hinge": MISCLASSIFICATION,
    "logistic": ENTROPY,
    "square": GINI,
    "exponential": COLOURS[0],
    "sigmoid": COLOURS[1],
    "zero-one": COLOURS[5],
}
_LOOK: dict[str, dict[str, Any]] = {
    name: {"color": _COLOURS[name], "linestyle": dash} for name, dash in zip(CATALOGUE, _DASHES, strict=True)
}


def spoken(loss: MarginLoss) -> str:
    """What the text calls the loss."""
    return "count of errors" if loss.name == "zero-one" else loss.name


def catalogue_figure(losses: Iterable[MarginLoss], marked: Iterable[float] = ()) -> Figure:
    """The losses against the margin, in one picture, and a few margins marked: right ones and wrong ones."""
    z = np.linspace(-2.2, 3.4, 561)
    figure, axes = plt.subplots(figsize=(7.9, 5.0))
    for margin in marked:
        axes.axvline(margin, color=RIGHT if margin > 0 else WRONG, linewidth=5, alpha=0.2)
    for loss in losses:
        axes.plot(z, _with_gap(loss, z), **_LOOK[loss.name], label=f"{spoken(loss)}: ${loss.formula}$")
        _draw_jump(axes, loss, **_LOOK[loss.name])
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set(xlim=(-2.2, 3.4), ylim=(-0.05, 4), xlabel="margin $z = y f(x)$", ylabel="loss $L(z)$")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    return figure


def _draw_jump(axes: Axes, loss: MarginLoss, **style: Any) -> None:
    """The value at a jump, as a point."""
    if loss.name == "zero-one":
        axes.plot(0, float(loss.at_zero), "o", color=style["color"], markersize=6, zorder=4)


def _with_gap(loss: MarginLoss, z: np.ndarray) -> np.ndarray:
    """The values, with a gap where the loss jumps, so that no line is drawn across."""
    values = np.asarray(loss(z), dtype=float)
    jumps = np.abs(z) < 1e-12 if loss.name == "zero-one" else np.zeros(len(z), dtype=bool)
    return np.where(jumps, np.nan, values)


def condition_figure(losses: Iterable[MarginLoss], columns: int = 3) -> Figure:
    """For each loss the loss itself, its symmetrised form, and the level L(0)."""
    losses = list(losses)
    z = np.linspace(-2.5, 2.5, 501)
    rows = -(-len(losses) // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(8.1, 3.0 * rows if columns > 2 else 3.6 * rows), squeeze=False, sharex=True
    )
    for axes, loss in zip(grid.flat, losses, strict=True):
        level, mean = float(loss.at_zero), symmetrised(loss, z)
        axes.plot(z, _with_gap(loss, z), color=COLOURS[7], linewidth=1.4, label="$L(z)$")
        _draw_jump(axes, loss, color=COLOURS[7])
        axes.plot(z, mean, color=COLOURS[0], label=r"$\frac{1}{2}(L(z)+L(-z))$")
        axes.axhline(level, color="black", linestyle=ALLOWED, linewidth=1.2, label="$L(0)$")
        below = mean < level * (1 - 1e-12)
        axes.fill_between(z, mean, level, where=below, color=WRONG, alpha=0.3, linewidth=0)
        axes.set(title=spoken(loss), ylim=(-0.1, 4.2 * level))
    for axes in grid[-1]:
        axes.set_xlabel("margin $z$")
    grid[0, 0].legend(fontsize=9)
    return figure


def margin_loss_figure(rho: float) -> Figure:
    """The margin loss between the two indicators, and below the hinge."""
    u = np.linspace(-1.5, 2.5, 401)
    figure, axes = plt.subplots(figsize=(7.9, 4.2))
    axes.fill_between(u, u <= 0, u <= rho, step="mid", color=COLOURS[7], alpha=0.25, label="between the two counts")
    axes.plot(u, np.maximum(0, 1 - u / rho), color=COLOURS[1], linestyle="--", label=r"$\max(0,\,1-u/\rho)$")
    axes.plot(u, margin_loss(u, rho), color=COLOURS[0], label=r"$\Phi_\rho(u)$")
    axes.set(xlabel="margin $u$", ylabel="loss", ylim=(-0.05, 1.6), xticks=[0, rho], xticklabels=["0", r"$\rho$"])
    axes.legend()
    return figure


def leaf_figure(names: Iterable[str], p_plus: float, p_minus: float) -> Figure:
    """The loss of one leaf against its value f, with the best value of each loss."""
    f = np.linspace(-1.6, 2.2, 401)
    figure, axes = plt.subplots(figsize=(7.9, 4.5))
    for name in names:
        axes.plot(f, leaf_loss(name, p_plus, p_minus, f), **_LOOK[name], label=name)
        best = best_leaf_value(name, p_plus, p_minus)
        axes.plot(best, splitting_criterion(name, p_plus, p_minus), "o", color=_LOOK[name]["color"], markersize=7)
    axes.set(xlabel="value $f$ of the leaf", ylabel="loss of the leaf", ylim=(0, 2))
    axes.legend()
    return figure


def criteria_figure(names: dict[str, str]) -> Figure:
    """The least loss of a leaf against the share of positive examples, each loss in units of its value at one half."""
    share = np.linspace(1e-6, 1 - 1e-6, 401)
    figure, axes = plt.subplots(figsize=(7.9, 4.5))
    for name, rule in names.items():
        values = splitting_criterion(name, share, 1 - share) / splitting_criterion(name, 0.5, 0.5)
        axes.plot(share, values, **_LOOK[name], label=f"{name}: {rule}")
    axes.set(xlabel="share of positive examples in the leaf", ylabel="least loss, relative to one half", ylim=(0, 1.05))
    axes.legend(loc="lower center")
    return figure


def sample_figure(margins: np.ndarray, losses: Iterable[MarginLoss]) -> Figure:
    """The margins of a sample; beside them the mean of each loss over L(0), which the share of errors cannot exceed."""
    losses = list(losses)
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.1, 4.3), width_ratios=(1.2, 1))
    edges = np.linspace(-3, 3, 61)
    for mine, colour, name in ((margins > 0, RIGHT, "right"), (margins <= 0, WRONG, "wrong")):
        left.hist(np.clip(margins[mine], -3, 3), bins=edges, color=colour, label=f"{name}: {mine.sum()}")
    left.set(xlabel="margin $z$", ylabel="examples")
    left.legend()
    means = [float(np.mean(loss(margins))) / float(loss.at_zero) for loss in losses]
    right.barh(range(len(losses)), means, color=[_LOOK[loss.name]["color"] for loss in losses], alpha=0.75)
    right.axvline(float(np.mean(margins <= 0)), color=WRONG, linewidth=2, label="share of errors")
    right.set_yticks(range(len(losses)), [spoken(loss) for loss in losses])
    right.invert_yaxis()
    right.set(xlabel="mean loss over $L(0)$")
    right.legend()
    return figure


def votes_figure(outputs: Iterable[float], losses: Iterable[MarginLoss]) -> Figure:
    """What each class is charged by classifiers that tell it from the rest, one bar for each margin it meets."""
    outputs, losses = np.asarray(list(outputs)), list(losses)
    signs = 2 * np.eye(len(outputs)) - 1
    figure, grid = plt.subplots(1, len(losses), figsize=(4.0 * len(losses), 3.7), squeeze=False)
    for axes, loss in zip(grid.flat, losses, strict=True):
        charged = np.array([[float(loss(margin)) for margin in row] for row in signs * outputs])
        floor = np.zeros(len(outputs))
        for i, part in enumerate(charged.T):
            axes.bar(range(1, len(outputs) + 1), part, bottom=floor, color=COLOURS[i])
            floor += part
        axes.set(title=spoken(loss), xlabel="class", xticks=range(1, len(outputs) + 1), ylabel="charged in all")
    return figure


def empirical_figure(margins: np.ndarray, largest: float) -> Figure:
    """The empirical margin loss of a sample against the width, beside the share of small margins."""
    widths = np.linspace(largest / 200, largest, 200)
    losses = [float(empirical_margin_loss(margins, width)) for width in widths]
    shares = [float(share_of_small_margins(margins, width)) for width in widths]
    figure, axes = plt.subplots(figsize=(7.9, 4.1))
    axes.plot(widths, shares, color=COLOURS[1], label=r"share of margins at most $\rho$")
    axes.plot(widths, losses, color=COLOURS[0], label=r"empirical margin loss $\widehat{R}_{S,\rho}$")
    axes.axhline(float(np.mean(margins <= 0)), color=WRONG, linewidth=1.4, label="share of errors")
    axes.set(xlabel=r"width $\rho$", ylabel="share of the sample", ylim=(0, None))
    axes.legend()
    return figure


def split_figure(
    names: dict[str, str], parent: tuple[Scalar, Scalar], children: Iterable[tuple[Scalar, Scalar]]
) -> Figure:
    """What the criteria charge for a leaf and for its children together, in units of what they charge for the leaf."""
    figure, axes = plt.subplots(figsize=(7.9, 3.7))
    children = list(children)
    for i, name in enumerate(names):
        before = float(splitting_criterion(name, *parent))
        after = sum(float(splitting_criterion(name, *child)) for child in children if min(child) > 0)
        axes.bar([i - 0.19, i + 0.19], [1, after / before], width=0.34, color=[COLOURS[7], _LOOK[name]["color"]])
        axes.text(i + 0.19, after / before + 0.02, f"{after / before:.2f}", ha="center")
    axes.set_xticks(range(len(names)), [f"{name}:\n{rule}" for name, rule in names.items()])
    axes.set(ylabel="criterion, leaf = 1", ylim=(0, 1.15))
    return figure
