"""Figures of the chapter on the margins of output codes.  What a theorem allows is dashed, what happened is solid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.foundation.figures import ALLOWED, COLOURS, MARKERS
from mcbook.foundation.types import Array, Floats
from mcbook.output_code_margins import edge_factor, margin_threshold, soft_average

_ROUNDS = "Blues"


def _shades(n: int) -> list[tuple[float, ...]]:
    """From pale to dark, as rounds go by."""
    return [tuple(plt.get_cmap(_ROUNDS)(share)) for share in np.linspace(0.35, 1, n)]


def distributions_figure(margins: Mapping[int, Floats], errors: Mapping[str, Array]) -> Figure:
    """The share of margins below each value after some rounds, and errors against the rounds."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 6.5), width_ratios=(1.25, 1))
    for (n_rounds, values), colour in zip(margins.items(), _shades(len(margins)), strict=True):
        ordered = np.sort(values)
        left.plot(ordered, np.arange(1, len(ordered) + 1) / len(ordered), color=colour, label=f"{n_rounds} rounds")
    left.axvline(0, color="black", linewidth=0.8)
    left.set(xlabel=r"margin $\theta$", ylabel=r"share of training examples with margin $\leq\theta$", ylim=(0, 1))
    left.legend(loc="upper left")
    for i, (name, values) in enumerate(errors.items()):
        right.plot(np.arange(1, len(values) + 1), 100 * np.asarray(values), color=COLOURS[i], label=name)
    right.set(xscale="log", xlabel="rounds", ylabel="error (%)", ylim=(0, None))
    right.legend()
    return figure


def average_figure(vectors: Mapping[str, Array]) -> Figure:
    """The vote -A(eta, -z) against eta for some vectors z of answers, from their mean to the smallest of them."""
    figure, axes = plt.subplots(figsize=(7.4, 6.3))
    etas = np.geomspace(0.05, 300, 200)
    for i, (name, z) in enumerate(vectors.items()):
        votes = [-float(soft_average(-np.asarray(z, dtype=float), eta)) for eta in etas]
        axes.plot(etas, votes, color=COLOURS[i], label=name)
        axes.plot(etas[0], np.mean(z), color=COLOURS[i], marker=MARKERS[i], clip_on=False)
        axes.plot(etas[-1], np.min(z), color=COLOURS[i], marker=MARKERS[i], fillstyle="none", clip_on=False)
    axes.set(xscale="log", xlabel=r"$\eta$, the sum of the weights", ylabel=r"vote $\nu$", ylim=(-1.05, 1.05))
    axes.legend(loc="lower left")
    return figure


def worst_data_figure(
    rounds: Sequence[int], worst: Mapping[str, Sequence[float]], bounds: Mapping[str, Sequence[float]]
) -> Figure:
    """The largest share of small margins that any data leave, and what the theorem allows, for some theta."""
    figure, axes = plt.subplots(figsize=(7.4, 6.3))
    for i, name in enumerate(worst):
        axes.plot(rounds, np.minimum(bounds[name], 1), color=COLOURS[i], linestyle=ALLOWED)
        axes.plot(rounds, worst[name], color=COLOURS[i], marker=MARKERS[i], linestyle="", label=name)
    axes.set(yscale="log", xlabel="rounds $T$", ylabel=r"share of margins $\leq\theta$")
    axes.legend(loc="lower left")
    return figure


def threshold_figure(gammas: Floats) -> Figure:
    """Where the training bound decays: below theta*(gamma), which lies between gamma and 2 gamma."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 6.4))
    star = np.array([margin_threshold(float(gamma)) for gamma in gammas])
    left.fill_between(gammas, 0, star, color=COLOURS[2], alpha=0.15, linewidth=0)
    left.plot(gammas, star, color=COLOURS[2], label=r"$\theta^*(\gamma)$")
    left.plot(gammas, gammas, color=COLOURS[7], linewidth=1.2, label=r"$\gamma$")
    left.plot(gammas, 2 * gammas, color=COLOURS[1], linestyle=ALLOWED, label=r"$2\gamma$, the best there is")
    left.set(xlabel=r"edge $\gamma$", ylabel=r"margin $\theta$", xlim=(0, 0.5), ylim=(0, 1))
    left.legend(loc="upper left")
    thetas = np.linspace(0, 0.5, 60)
    right.axhline(1, color="black", linewidth=0.8)
    for i, gamma in enumerate((0.1, 0.2, 0.3)):
        right.plot(
            thetas,
            [edge_factor(gamma, float(theta)) for theta in thetas],
            color=COLOURS[i + 3],
            label=rf"$\gamma={gamma}$",
        )
        right.plot(margin_threshold(gamma), 1, color=COLOURS[i + 3], marker=MARKERS[i])
    right.set(xlabel=r"margin $\theta$", ylabel="what a round leaves of the bound, $b$")
    right.legend(loc="upper left")
    return figure


def funnel_figure(margins: Floats, edge: float) -> Figure:
    """All margins against the rounds, for a learner that helps no more than it must."""
    figure, axes = plt.subplots(figsize=(7.4, 6.3))
    rounds = np.arange(1, len(margins) + 1)
    axes.fill_between(
        rounds, margins.min(axis=1), margins.max(axis=1), color=COLOURS[0], alpha=0.25, linewidth=0, label="all of them"
    )
    axes.plot(rounds, np.median(margins, axis=1), color=COLOURS[0], label="median of the margins")
    for value, colour, style, text in (
        (margin_threshold(edge), COLOURS[2], "-", r"$\theta^*(\gamma)$"),
        (2 * edge, COLOURS[1], ALLOWED, r"$2\gamma$"),
    ):
        axes.axhline(value, color=colour, linestyle=style, linewidth=1.4)
        axes.annotate(text, (rounds[-1], value), (0, 5), textcoords="offset points", color=colour, ha="right")
    axes.set(xscale="log", xlabel="rounds", ylabel="margin")
    axes.legend(loc="lower right")
    return figure


def bound_figure(theta: float, shares: Floats, bounds: Floats) -> Figure:
    """The share of training margins that are theta or less, and what the theorem allows."""
    figure, axes = plt.subplots(figsize=(7.4, 6.2))
    rounds = np.arange(1, len(shares) + 1)
    axes.plot(
        rounds,
        np.where(bounds <= 1.6, bounds, np.nan),
        color=COLOURS[0],
        linestyle=ALLOWED,
        label="allowed by the theorem",
    )
    axes.plot(rounds, shares, color=COLOURS[0], label=rf"share of margins $\leq{theta:g}$")
    axes.set(xlabel="rounds", ylabel="share of training examples", ylim=(0, None), xscale="log")
    axes.legend()
    return figure


def excess_figure(sizes: Floats, excesses: Mapping[str, Array]) -> Figure:
    """What three bounds add to the share of small margins, against the number of examples."""
    figure, axes = plt.subplots(figsize=(7.4, 6.3))
    axes.axhspan(1, 1e3, color=COLOURS[7], alpha=0.2, linewidth=0)
    for i, (name, values) in enumerate(excesses.items()):
        axes.plot(sizes, values, color=COLOURS[i], linestyle=ALLOWED, label=name)
    axes.text(sizes[0], 1.15, " says nothing", color="#555555", va="bottom")
    axes.set(xscale="log", yscale="log", xlabel="examples $m$", ylabel=r"excess $\epsilon$", ylim=(0.02, 200))
    axes.legend()
    return figure
