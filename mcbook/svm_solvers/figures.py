"""Figures of the chapter on solvers."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from mcbook.binary_svm.figures import Array
from mcbook.foundation.figures import COLOURS, MARKERS


def gap_figure(curves: dict[str, tuple[Array, Array]], floor: float, work: str = "passes over the data") -> Figure:
    """Distance from the certified optimum, relative to it, against work; ``floor`` is how well the optimum is known."""
    figure, axes = plt.subplots()
    for i, (name, (amount, excess)) in enumerate(curves.items()):
        axes.plot(amount, excess, color=COLOURS[i], marker=MARKERS[i], markersize=4, label=name)
    axes.axhline(floor, color="black", linestyle=":", linewidth=1.2, label="accuracy of the certificate")
    axes.set(xscale="log", yscale="log", xlabel=work, ylabel="(primal − optimum) / optimum")
    axes.legend(fontsize=9, loc="lower left", bbox_to_anchor=(0, 0.07))
    return figure


def dimension_figure(dimensions: Sequence[int], errors: dict[str, Array]) -> Figure:
    """Test error of the two ways of training against the dimension."""
    figure, axes = plt.subplots(figsize=(6.0, 3.4))
    for i, (name, values) in enumerate(errors.items()):
        axes.plot(dimensions, 100 * values, color=COLOURS[i], marker=MARKERS[i], label=name)
    axes.set(xscale="log", xlabel="dimension $d$", ylabel="test error (%)", xticks=list(dimensions))
    axes.set_xticklabels([str(d) for d in dimensions])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.legend()
    return figure
