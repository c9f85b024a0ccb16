"""The tolerance of tools/pictures.py lets rounding through and nothing that a reader could see."""

import io

import numpy as np
from matplotlib.figure import Figure
from PIL import Image

from tools import pictures


def png_of(figure):
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=100, metadata={"Software": None})
    return out.getvalue()


def curve(heights=(1, 4, 2, 3), colour="C0", title="Bound and truth", width=6.4):
    figure = Figure(figsize=(width, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(range(len(heights)), heights, color=colour)
    axes.set_xlabel("updates")
    axes.set_title(title)
    return png_of(figure)


def points(moved=0.0, colour_of_one="C0", index=1):
    rng = np.random.default_rng(0)
    places = rng.random((60, 2))
    places[10, 0] += moved
    colours = ["C0", "C1", "C2"] * 20
    colours[10] = colour_of_one
    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.add_subplot(xlim=(0, 1.1), ylim=(0, 1))
    axes.scatter(places[:, 0], places[:, 1], c=colours, s=20)
    axes.set_xlabel(f"$x_{index}$")
    return png_of(figure)


def regions(opacity=0.2):
    figure = Figure(figsize=(6.4, 4), layout="constrained")
    figure.add_subplot().fill([0, 1, 1], [0, 0, 1], color="C0", alpha=opacity, linewidth=0)
    return png_of(figure)


def with_levels(png, change):
    levels = pictures.pixels(png).copy()
    change(levels)
    out = io.BytesIO()
    Image.fromarray(np.clip(levels, 0, 255).astype(np.uint8)).save(out, format="PNG")
    return out.getvalue()


def test_same_figure_drawn_again_passes():
    for draw in (curve, points, regions):
        difference = pictures.compare(draw(), draw())
        assert difference.within_tolerance
        assert difference.rms == 0


def test_rounding_along_edges_passes():
    def round_differently(levels):
        smooth = (levels > 20) & (levels < 235)
        levels[smooth] += np.where(np.arange(smooth.sum()) % 2, 2, -2)

    old = curve()
    new = with_levels(old, round_differently)
    assert old != new
    assert pictures.compare(old, new).within_tolerance


def test_two_stray_pixels_pass_and_three_do_not():
    old = curve()
    for strays in (2, 3):

        def flip(levels, strays=strays):
            levels[100, 100 : 100 + strays] = 255 - levels[100, 100 : 100 + strays]

        assert pictures.compare(old, with_levels(old, flip)).within_tolerance is (strays == 2)


def test_what_a_reader_could_see_fails():
    for old, new in (
        (curve(), curve(heights=(1, 3.95, 2, 3))),
        (curve(), curve(heights=(1, 4, 2))),
        (curve(), curve(colour="C1")),
        (curve(), curve(title="Bound end truth")),
        (points(), points(moved=0.01)),
        (points(), points(colour_of_one="C2")),
        (points(), points(index=2)),
        (regions(), regions(opacity=0.22)),
    ):
        difference = pictures.compare(old, new)
        assert difference.same_size
        assert not difference.within_tolerance, difference


def test_other_size_fails_and_says_so():
    difference = pictures.compare(curve(), curve(width=6.5))
    assert not difference.within_tolerance
    assert str(difference) == "size 650 x 400 instead of 640 x 400 pixels"


def test_difference_image_is_dark_where_the_point_moved():
    shown = pictures.pixels(pictures.difference_image(points(), points(moved=0.01)))
    assert shown.min() == 0
    assert np.mean(shown == 255) > 0.99
    assert pictures.difference_image(curve(), curve(width=6.5)) is None
