"""Fetching, checking and reading data sets.

Files come from the folder that the variable ``MCBOOK_DATA`` names, packed or not, or, where it is not set, from their
archive into the operating system's cache.  Nothing is read, and nothing comes into the cache, whose checksum is not
that of `DATASETS`.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcbook.experiments.sources import DATASETS, Source
from mcbook.experiments.unpacking import UnpackingError, unpacked
from mcbook.foundation.checks import require_one_of

if TYPE_CHECKING:
    from tqdm import tqdm

FOLDER = "MCBOOK_DATA"
_PACKINGS = ("", ".gz", ".Z")


class DataError(OSError):
    """A file of a data set is missing, truncated or altered.

    >>> source = DATASETS["glass"].files[0]
    >>> try:
    ...     checked_content(source, Path("no such file"))
    ... except DataError as error:
    ...     print(str(error).partition(",")[0])
    expected to read no such file
    """


def load(name: str) -> Any:
    """The data set of this name: a `Table`, or `Words` for "letters".

    >>> load("numbers")
    Traceback (most recent call last):
    ValueError: expected name to be one of 'letters', 'dermatology', 'satimage', 'glass', 'segmentation', 'ecoli', \
'pendigits', 'yeast', 'vowel', 'soybean', 'thyroid', 'audiology', 'isolet', 'letter'; got 'numbers'
    """
    dataset = DATASETS[require_one_of(name, list(DATASETS), "name")]
    folder = os.environ.get(FOLDER)
    paths = [_given(source, folder) for source in dataset.files] if folder else _cached(dataset.files, name)
    return dataset.read(*map(checked_content, dataset.files, paths))


def checked_content(source: Source, path: Path) -> bytes:
    """What is in the file, unpacked and in its canonical form, if its checksum is the right one."""
    try:
        return _checked(source, _opened(path.read_bytes(), path.name))
    except _Unlike as unlike:
        raise DataError(
            f"expected {path} to hold {_wanted(source)}, but it {unlike}; delete it, and fetch it again from "
            f"{source.url}"
        ) from unlike
    except OSError as error:
        raise DataError(
            f"expected to read {path}, which failed ({error}): give yourself the right to read it"
        ) from error


class _Unlike(Exception):
    """What the content is instead, in words."""


def _opened(content: bytes, name: str) -> bytes:
    try:
        return unpacked(content, name)
    except UnpackingError as error:
        raise _Unlike(f"does not unpack ({error}): the file is truncated or altered") from error


def _checked(source: Source, content: bytes) -> bytes:
    try:
        content = source.canonical(content) if source.canonical else content
    except ValueError as error:
        raise _Unlike(f"cannot be read ({error}): the file is truncated or altered") from error
    found = hashlib.sha256(content).hexdigest()
    if found != source.sha256:
        what = "truncated" if len(content) < source.n_bytes else "altered"
        raise _Unlike(f"has {len(content)} bytes{_of_values(source)} and the SHA-256 {found}: the file is {what}")
    return content


def _wanted(source: Source) -> str:
    return f"{source.n_bytes} bytes{_of_values(source)} with the SHA-256 {source.sha256}"


def _of_values(source: Source) -> str:
    return " of values" if source.canonical else ""


def _given(source: Source, folder: str) -> Path:
    """The file as it lies in the folder."""
    path = _found(source, Path(folder))
    if path is None:
        raise DataError(
            f"expected the file {source.path} in {folder}, where {FOLDER} points, or the same with .gz or .Z, found "
            f"none: fetch it from {source.url} (SHA-256 {source.sha256}{_of_values(source)} when unpacked), or unset "
            f"{FOLDER} to have it fetched"
        )
    return path


def _found(source: Source, folder: Path) -> Path | None:
    """The file in the folder, packed or not."""
    paths = (folder / (source.path + packing) for packing in _PACKINGS)
    return next((path for path in paths if path.is_file()), None)


def _cached(sources: Sequence[Source], name: str) -> list[Path]:
    """The files in the operating system's cache; those that are not there are fetched, under one bar."""
    import pooch

    cache = Path(pooch.os_cache("mcbook"))
    absent = [source for source in sources if _found(source, cache) is None]
    if absent:
        with _bar(name, sum(source.n_bytes for source in absent)) as bar:
            for source in absent:
                _fetch(source, cache / source.path, bar)
    return [_found(source, cache) or cache / source.path for source in sources]


def _fetch(source: Source, target: Path, bar: tqdm) -> None:
    """Fetch the file into the cache, where it comes unpacked, and only whole and with the right content."""
    import pooch

    def download(url: str, output_file: str, caller: object) -> None:
        pooch.HTTPDownloader(progressbar=_Share(bar, source.n_bytes))(url, output_file, caller)
        come = Path(output_file)
        content = _opened(come.read_bytes(), url)
        _checked(source, content)
        come.write_bytes(content)

    try:
        with _quiet(pooch.get_logger()):
            # The checksum is that of the content, which the download looks at itself.
            pooch.retrieve(source.url, known_hash=None, fname=target.name, path=target.parent, downloader=download)
    except _Unlike as unlike:
        raise DataError(
            f"expected {source.url} to hold {_wanted(source)}, but what came {unlike}, and was not kept; try again, or "
            f"put the right file into a folder as {source.path} and name the folder by {FOLDER}"
        ) from unlike
    except (OSError, ValueError) as error:
        raise DataError(
            f"expected to fetch {source.path} from {source.url} into {target.parent}, which failed ({error}): go "
            f"online, see that you may write there, or put the file into a folder as {source.path} and name the folder "
            f"by {FOLDER}"
        ) from error


@contextmanager
def _bar(name: str, n_bytes: int) -> Iterator[tqdm]:
    from tqdm.auto import tqdm

    with tqdm(total=n_bytes, desc=f"fetching {name}", unit="B", unit_scale=True) as bar:
        yield bar


@contextmanager
def _quiet(logger: logging.Logger) -> Iterator[None]:
    """The library's lines would break the bar, and speak of a checksum that is not the one that counts."""
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)


class _Share:
    """The part of the bar that is one file's, as the library's downloads want a bar to be.

    The bar counts the unpacked bytes, so what comes over the line is brought to that scale.
    """

    def __init__(self, bar: tqdm, n_bytes: int) -> None:
        self.bar, self.n_bytes = bar, n_bytes
        self.total = self.come = self.shown = 0

    def update(self, n: int) -> None:
        # The last piece counts as a whole one, and some servers do not say how much will come.
        self.come += n
        self._show(min(self.n_bytes, self.n_bytes * self.come // (self.total or self.n_bytes)))

    def reset(self) -> None:
        self.come = 0

    def close(self) -> None:
        self._show(self.n_bytes)

    def _show(self, reached: int) -> None:
        self.bar.update(max(reached - self.shown, 0))
        self.shown = max(reached, self.shown)
