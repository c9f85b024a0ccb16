"""One look for all figures, and pictures that come out the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mcbook.foundation.types import Array, Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's palette: told apart by colour-blind readers too, and legible on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

# One meaning for one colour, in every chapter.  Class i has COLOURS[i] and MARKERS[i], and so has the i-th curve of a
# figure in which no class, sign, verdict or peer stands.
# Signs: with two classes, label 1 is the sign +1 and label 2 the sign -1.
PLUS, MINUS = COLOURS[0], COLOURS[1]
NEITHER = "#F2F2F2"  # the 0 of a code
# Verdicts: the colours of "holds" and "refuted" on the page.
RIGHT, WRONG = "#12633A", "#8F1F4B"
# Impurities of a leaf, and the losses whose least value in it they are.
MISCLASSIFICATION, GINI, ENTROPY = COLOURS[3], COLOURS[2], COLOURS[4]
# Comparisons with other programs.
OURS, PEER = COLOURS[6], COLOURS[7]
# What a theorem allows is dashed, what happened is solid.
ALLOWED = "--"

_STYLE: dict[str, object] = {
    "axes.grid": True,
    "axes.prop_cycle": None,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 11,
    "figure.constrained_layout.use": True,
    # Two pixels for each of the page's, so that figures are crisp on every screen.
    "figure.dpi": 192,
    # The page shows through, light or dark; in the dark it turns the lightness of the figure around.
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "figure.figsize": (6.4, 3.8),
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "mathtext.fontset": "cm",
    "svg.hashsalt": "mcbook",
}


def use_book_style() -> None:
    """Set matplotlib to the look of the book; in a notebook, also make its pictures reproducible."""
    import matplotlib as mpl
    from matplotlib.rcsetup import cycler

    mpl.rcParams.update(mpl.rcParamsDefault | {"backend": mpl.rcParams["backend"]})
    mpl.rcParams.update(_STYLE | {"axes.prop_cycle": cycler(color=list(COLOURS))})
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return
    shell = get_ipython()
    if shell is not None:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        set_matplotlib_formats("png", metadata={"Software": None}, bbox_inches=None)


def square_grid(reach: float, n_points: int) -> tuple[Floats, Floats]:
    """The coordinates of a grid on the square from -reach to reach, and its points, (n_points ** 2, 2).

    >>> line, points = square_grid(1.0, 3)
    >>> line.tolist(), points[:4].tolist()
    ([-1.0, 0.0, 1.0], [[-1.0, -1.0], [0.0, -1.0], [1.0, -1.0], [-1.0, 0.0]])
    """
    line = np.linspace(-reach, reach, n_points)
    return line, np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)


def tint(axes: Axes, x: Array, y: Array, labels: Array, n_classes: int, alpha: float = 0.16) -> None:
    """Tint the points of a grid by their classes 0 .. n_classes - 1; what has none, NaN, stays clear.

    >>> import matplotlib.pyplot as plt
    >>> axes = plt.figure().add_subplot()
    >>> tint(axes, np.arange(2), np.arange(2), np.array([[0, 1], [1, np.nan]]), n_classes=2)
    >>> axes.collections[0].get_clim()
    (-0.5, 1.5)
    """
    from matplotlib.colors import ListedColormap

    shades = ListedColormap(COLOURS[:n_classes])
    axes.pcolormesh(x, y, labels, cmap=shades, vmin=-0.5, vmax=n_classes - 0.5, alpha=alpha, rasterized=True)


def draw_against_bound(axes: Axes, bounds: Array, values: Array, classes: Array, line: str) -> None:
    """A dot for each instance, by its number of classes, and the line on which the bound would be attained.

    >>> import matplotlib.pyplot as plt
    >>> axes = plt.figure().add_subplot()
    >>> draw_against_bound(axes, np.array([0.5, 1.0]), np.array([0.25, 1.0]), np.array([3, 3]), "error = bound")
    >>> axes.get_legend_handles_labels()[1]
    ['$k=3$', 'error = bound']
    """
    for i, k in enumerate(np.unique(classes)):
        mine = classes == k
        axes.scatter(bounds[mine], values[mine], s=20, color=COLOURS[i], marker=MARKERS[i], label=f"$k={k}$", alpha=0.8)
    ends = np.array([min(bounds.min(), values.min()), bounds.max()])
    axes.plot(ends, ends, color="black", linewidth=1.2, label=line)
