"""Figures of the chapter on margin losses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.foundation.figures import COLOURS
from mcbook.losses import (
    CATALOGUE,
    MarginLoss,
    best_leaf_value,
    leaf_loss,
    margin_loss,
    splitting_criterion,
    symmetrised,
)

_DASHES = ("-", "--", "-.", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)))
# A loss looks the same in every figure of the chapter.
_LOOK: dict[str, dict[str, Any]] = {
    name: {"color": colour, "linestyle": dash} for name, colour, dash in zip(CATALOGUE, COLOURS, _DASHES, strict=False)
}


def catalogue_figure(losses: Iterable[MarginLoss]) -> Figure:
    """The losses against the margin, in one picture."""
    z = np.linspace(-2, 3, 501)
    figure, axes = plt.subplots(figsize=(6.4, 4.2))
    for loss in losses:
        axes.plot(z, _with_gap(loss, z), **_LOOK[loss.name], label=f"{loss.name}: ${loss.formula}$")
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set(xlim=(-2, 3), ylim=(-0.05, 4), xlabel="margin $z = y f(x)$", ylabel="loss $L(z)$")
    axes.legend(fontsize=9)
    return figure


def _with_gap(loss: MarginLoss, z: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The values, with a gap where the loss jumps, so that no line is drawn across."""
    values = np.asarray(loss(z), dtype=float)
    jumps = np.abs(z) < 1e-12 if loss.name == "zero-one" else np.zeros(len(z), dtype=bool)
    return np.where(jumps, np.nan, values)


def condition_figure(losses: Iterable[MarginLoss], columns: int = 2) -> Figure:
    """For each loss the loss itself, its symmetrised form, and the level L(0)."""
    losses = list(losses)
    z = np.linspace(-2.5, 2.5, 501)
    rows = -(-len(losses) // columns)
    figure, grid = plt.subplots(rows, columns, figsize=(3.3 * columns, 2.5 * rows), squeeze=False, sharex=True)
    for axes, loss in zip(grid.flat, losses, strict=True):
        level, mean = float(loss.at_zero), symmetrised(loss, z)
        axes.plot(z, _with_gap(loss, z), color=COLOURS[7], linewidth=1.4, label="$L(z)$")
        axes.plot(z, mean, color=COLOURS[0], label=r"$\frac{1}{2}(L(z)+L(-z))$")
        axes.axhline(level, color=COLOURS[1], linestyle="--", linewidth=1.3, label="$L(0)$")
        below = mean < level * (1 - 1e-12)
        axes.fill_between(z, mean, level, where=below, color=COLOURS[1], alpha=0.25, linewidth=0)
        axes.set(title=loss.name, ylim=(-0.1, 4.2 * level))
    for axes in grid[-1]:
        axes.set_xlabel("margin $z$")
    grid[0, 0].legend(fontsize=9)
    return figure


def margin_loss_figure(rho: float) -> Figure:
    """The margin loss between the two indicators, and below the hinge."""
    u = np.linspace(-1.5, 2.5, 401)
    figure, axes = plt.subplots(figsize=(6.0, 3.2))
    axes.fill_between(u, u <= 0, u <= rho, step="mid", color=COLOURS[7], alpha=0.25, label="between the two counts")
    axes.plot(u, np.maximum(0, 1 - u / rho), color=COLOURS[1], linestyle="--", label=r"$\max(0,\,1-u/\rho)$")
    axes.plot(u, margin_loss(u, rho), color=COLOURS[0], label=r"$\Phi_\rho(u)$")
    axes.set(xlabel="margin $u$", ylabel="loss", ylim=(-0.05, 1.6), xticks=[0, rho], xticklabels=["0", r"$\rho$"])
    axes.legend()
    return figure


def leaf_figure(names: Iterable[str], p_plus: float, p_minus: float) -> Figure:
    """The loss of one leaf against its value f, with the best value of each loss."""
    f = np.linspace(-1.6, 2.2, 401)
    figure, axes = plt.subplots(figsize=(6.4, 4.0))
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
    figure, axes = plt.subplots(figsize=(6.4, 3.8))
    for name, rule in names.items():
        values = splitting_criterion(name, share, 1 - share) / splitting_criterion(name, 0.5, 0.5)
        axes.plot(share, values, **_LOOK[name], label=f"{name}: {rule}")
    axes.set(xlabel="share of positive examples in the leaf", ylabel="least loss, relative to one half", ylim=(0, 1.05))
    axes.legend(loc="lower center")
    return figure
