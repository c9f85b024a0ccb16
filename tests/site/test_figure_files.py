"""The pages' copies of figures: smaller, and the same to the eye."""

from pathlib import Path

import numpy as np
from mcbook_figures import UNSEEN, shrink
from PIL import Image


def saved(path: Path, colours: np.ndarray) -> Path:
    Image.fromarray(colours.astype(np.uint8), "RGBA").save(path)
    return path


def curve() -> np.ndarray:
    """A blue line on a transparent ground, its edges faded."""
    rows, columns = np.mgrid[:300, :400]
    away = np.abs(rows - 150 - 100 * np.sin(columns / 40))
    cover = np.clip(3 - away, 0, 1)
    return np.dstack([np.zeros_like(cover), 114 * cover, 178 * cover, 255 * cover])


def test_a_drawing_gets_fewer_colours_and_looks_the_same(tmp_path: Path) -> None:
    path = saved(tmp_path / "curve.png", curve())
    size = path.stat().st_size
    shrink(path)
    assert path.stat().st_size < size
    with Image.open(path) as kept:
        assert kept.mode == "P"
        change = np.abs(np.asarray(kept.convert("RGBA"), dtype=float) - curve().astype(np.uint8))
    assert change.mean() < UNSEEN
    assert change.max() < 64
    # The second time nothing is written.
    before = path.stat().st_mtime_ns
    shrink(path)
    assert path.stat().st_mtime_ns == before
    assert [one.name for one in tmp_path.iterdir()] == ["curve.png"]


def test_what_would_look_different_is_left_as_it_is(tmp_path: Path) -> None:
    path = saved(tmp_path / "noise.png", np.random.default_rng(0).integers(0, 256, (200, 200, 4)))
    before = path.read_bytes()
    for _ in range(2):
        shrink(path)
        assert path.read_bytes() == before
