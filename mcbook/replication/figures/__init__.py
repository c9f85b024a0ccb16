"""Figures of the chapter on the replication: ours is black and filled, what was published is grey and hollow."""

from mcbook.replication.figures.comparison import (
    bars_figure,
    conclusions_figure,
    dots_figure,
)
from mcbook.replication.figures.experiments import (
    binary_figure,
    bounds_figure,
    methods_figure,
    modern_figure,
    speed_figure,
    synthetic_figure,
)

__all__ = [
    "bars_figure",
    "binary_figure",
    "bounds_figure",
    "conclusions_figure",
    "dots_figure",
    "methods_figure",
    "modern_figure",
    "speed_figure",
    "synthetic_figure",
]
