"""The data sets: a name, the files with their checksums, the function that reads them.

A checksum is that of the file as it is used, after unpacking: copies that were packed differently are the same data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcbook.experiments.parsing import read_words


@dataclass(frozen=True)
class Source:
    """One file: its path within the folder of the data, the checksum of its content, its size, and where it is."""

    path: str
    sha256: str
    n_bytes: int
    url: str


@dataclass(frozen=True)
class Dataset:
    """A data set: what to cite, its files, and ``read``, which makes arrays of what is in them."""

    name: str
    says: str
    cite: str
    files: tuple[Source, ...]
    read: Callable[..., Any]


DATASETS = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            "letters",
            "6877 handwritten words without their first letters: 52152 letters of 16 x 8 pixels, in ten folds",
            "taskar2003",
            (
                Source(
                    "ocr/letter.data",
                    "535363d0b7bc34246b1f8731719540f526b6807b12dda5d430d011d160bc7882",
                    14557249,
                    "https://ai.stanford.edu/~btaskar/ocr/letter.data.gz",
                ),
            ),
            read_words,
        ),
    )
}
