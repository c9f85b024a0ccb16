"""Are two PNG figures the same picture?

The tolerance answers one question: may this difference come from rounding? Under the lock a figure comes out the same
to the last bit, and so it did from one patch release of matplotlib to another. What may differ between two machines is
the last bit of a sum: it shows as a grey level or two along smooth edges, or as a stray pixel where two regions tie.

    RMS over all pixels and channels   at most 1 of 255 grey levels
    pixels off by more than 32 levels  at most 1 in 100 000, which is two or three pixels of a usual figure

Measured on figures of about 640 x 400 pixels: one point of a scatter plot moved by a hundredth of the axis has an RMS
of 2.4 and 83 pixels clearly off; one letter of a title changed has 1.8 and 56; one index of an axis label 1.0 and 20;
a pale region made paler or darker by five levels has no pixel clearly off, but an RMS of 2.4. Each number catches what
the other does not.

A release of matplotlib that sets or hints text anew changes every letter, and no tolerance tells that from a changed
word: then run `make notebooks` and look at the figures.
"""

import base64
import io
from dataclasses import dataclass

import numpy as np
from PIL import Image

MAX_RMS = 1.0
CLEAR_LEVELS = 32
MAX_CLEAR_SHARE = 1e-5


@dataclass(frozen=True)
class Difference:
    sizes: tuple[tuple[int, int], tuple[int, int]]
    rms: float
    clear_share: float

    @property
    def same_size(self) -> bool:
        return self.sizes[0] == self.sizes[1]

    @property
    def within_tolerance(self) -> bool:
        return self.same_size and self.rms <= MAX_RMS and self.clear_share <= MAX_CLEAR_SHARE

    def __str__(self) -> str:
        if not self.same_size:
            (w, h), (new_w, new_h) = self.sizes
            return f"size {new_w} x {new_h} instead of {w} x {h} pixels"
        return (
            f"RMS {self.rms:.2f} grey levels (at most {MAX_RMS:g}), "
            f"share of pixels off by over {CLEAR_LEVELS} levels {self.clear_share:.1e} (at most {MAX_CLEAR_SHARE:g})"
        )


def from_base64(text: str | list[str]) -> bytes:
    """The bytes of an image as a notebook holds it: one string, or a list of its lines."""
    return base64.b64decode(text if isinstance(text, str) else "".join(text))


def pixels(png: bytes) -> np.ndarray:
    """RGB levels (height, width, 3), transparent parts laid on white as on a light page."""
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    paper = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(paper, image).convert("RGB"), dtype=np.int16)


def compare(old: bytes, new: bytes) -> Difference:
    a, b = pixels(old), pixels(new)
    sizes = (a.shape[1::-1], b.shape[1::-1])
    if a.shape != b.shape:
        return Difference(sizes, rms=float("inf"), clear_share=1.0)
    gaps = np.abs(a - b)
    return Difference(
        sizes,
        rms=float(np.sqrt(np.mean(np.square(gaps, dtype=float)))),
        clear_share=float(np.mean(gaps.max(axis=2) > CLEAR_LEVELS)),
    )


def difference_image(old: bytes, new: bytes) -> bytes | None:
    """A grey PNG, white where nothing differs and black where most does; None where the sizes differ."""
    a, b = pixels(old), pixels(new)
    if a.shape != b.shape:
        return None
    gaps = np.abs(a - b).max(axis=2)
    scaled = (255 - gaps * (255 / max(1, gaps.max()))).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(scaled).save(out, format="PNG")
    return out.getvalue()
