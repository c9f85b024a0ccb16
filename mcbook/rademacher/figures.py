"""Figures of the chapter on Rademacher complexity."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from mcbook.foundation.figures import COLOURS, MARKERS
from mcbook.foundation.types import Array


def noise_figure(signs: Array, best: dict[str, Array]) -> Figure:
    """Random signs along a line, and for each class its function that agrees with them best."""
    places = np.arange(len(signs))
    figure, rows = plt.subplots(len(best), 1, figsize=(6.4, 1.35 * len(best) + 0.4), sharex=True)
    for i, (axes, (name, values)) in enumerate(zip(rows, best.items(), strict=True)):
        right = signs == values
        axes.step(places, values, where="mid", color=COLOURS[i], linewidth=2.2)
        axes.scatter(places[right], signs[right], color="black", s=26, zorder=3)
        axes.scatter(places[~right], signs[~right], facecolor="white", edgecolor="black", s=26, zorder=3)
        axes.set_title(f"{name}: correlation {np.mean(signs * values):+.2f}", loc="left")
        axes.set(ylim=(-1.5, 1.5), yticks=[-1, 1], xticks=[])
        axes.grid(False)
    rows[-1].set_xlabel("the sample, in order along the line")
    return figure


def decay_figure(sizes: Sequence[int], curves: dict[str, Sequence[float]]) -> Figure:
    """Complexities against the size of the sample, both on logarithmic axes."""
    figure, axes = plt.subplots()
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(sizes, values, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    reference = 1 / np.sqrt(np.array(sizes, dtype=float))
    axes.plot(sizes, reference, color="black", linestyle=":", label=r"$1/\sqrt{m}$")
    ticks = [size for size in sizes if size & (size - 1) == 0]
    axes.set(xscale="log", yscale="log", xlabel="size of the sample $m$", ylabel="complexity")
    axes.set_xticks(ticks, [str(size) for size in ticks])
    axes.set_yticks([0.2, 0.3, 0.5, 0.7, 1.0], ["0.2", "0.3", "0.5", "0.7", "1"])
    axes.minorticks_off()
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def deviation_figure(deviations: Array, probabilities: Array, marks: dict[str, float]) -> Figure:
    """The law of the largest deviation over a class, with the levels that a bound speaks of."""
    figure, axes = plt.subplots()
    axes.vlines(deviations, 0, probabilities, color=COLOURS[0], linewidth=3)
    for i, (name, level) in enumerate(marks.items(), 1):
        axes.axvline(level, color=COLOURS[i], linestyle="--", linewidth=1.6, label=f"{name}: {level:.3f}")
    axes.set(xlabel=r"largest deviation $\sup_g\,(E g-\hat E_S\,g)$", ylabel="probability")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)
    return figure


def intervals_figure(draws: Sequence[int], lower: Array, upper: Array, estimates: Array, exact: float) -> Figure:
    """Confidence intervals against the number of draws, and the true value."""
    figure, axes = plt.subplots(figsize=(6.4, 3.4))
    axes.vlines(draws, lower, upper, color=COLOURS[0], linewidth=2)
    axes.scatter(draws, estimates, color=COLOURS[0], s=20, zorder=3, label="estimate and interval")
    axes.axhline(exact, color=COLOURS[1], linewidth=1.4, label="exact value")
    axes.set(xscale="log", xlabel="sign vectors drawn", ylabel="complexity")
    axes.legend()
    return figure


def maxima_figure(clouds: dict[str, tuple[Array, Array]]) -> Figure:
    """The complexity of the class of combinations against the sum of the complexities."""
    figure, axes = plt.subplots(figsize=(5.4, 4.4))
    for i, (name, (sums, values)) in enumerate(clouds.items()):
        size = 70 if i == len(clouds) - 1 else 20
        axes.scatter(sums, values, s=size, color=COLOURS[i], marker=MARKERS[i], label=name, alpha=0.8, zorder=2 + i)
    end = max(float(sums.max()) for sums, _ in clouds.values())
    axes.plot([0, end], [0, end], color="black", linewidth=1.2, label="equal")
    axes.set(xlabel="sum of the complexities", ylabel="complexity of the combined class")
    axes.legend()
    return figure


def strip_figure(sizes: Sequence[int], curves: dict[str, Sequence[float]]) -> Figure:
    """Complexity of a ball of linear functions as a share of its bound, between 1/sqrt 2 and 1."""
    figure, axes = plt.subplots()
    axes.axhspan(1 / np.sqrt(2), 1, color=COLOURS[7], alpha=0.15)
    for i, (name, values) in enumerate(curves.items()):
        axes.plot(sizes, values, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    axes.axhline(np.sqrt(2 / np.pi), color="black", linestyle=":", linewidth=1.2, label=r"$\sqrt{2/\pi}$")
    axes.set(xlabel="size of the sample $m$", ylabel="share of the bound", ylim=(0.68, 1.02))
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure
