"""Fetching, checking and reading data sets.

Files come from the folder that the variable ``MCBOOK_DATA`` names, packed by gzip or not, or, where it is not set, from
their archive into the operating system's cache.  Nothing is read whose checksum is not that of `DATASETS`.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from pathlib import Path
from typing import Any

from mcbook.experiments.sources import DATASETS, Source
from mcbook.foundation.checks import require_one_of

FOLDER = "MCBOOK_DATA"


class DataError(OSError):
    """A file of a data set is missing, truncated or altered."""


def load(name: str) -> Any:
    """The data set of this name as arrays.

    >>> load("numbers")
    Traceback (most recent call last):
    ValueError: expected name to be one of 'letters'; got 'numbers'
    """
    dataset = DATASETS[require_one_of(name, list(DATASETS), "name")]
    return dataset.read(*(checked_content(source) for source in dataset.files))


def checked_content(source: Source) -> bytes:
    """What is in the file, unpacked, if its checksum is the right one."""
    path = _given(source)
    content = path.read_bytes()
    if path.suffix == ".gz":
        try:
            content = gzip.decompress(content)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _unlike(path, source, f"does not unpack ({error})", "truncated or altered") from error
    found = hashlib.sha256(content).hexdigest()
    if found != source.sha256:
        what = "truncated" if len(content) < source.n_bytes else "altered"
        raise _unlike(path, source, f"has {len(content)} bytes and the SHA-256 {found}", what)
    return content


def _unlike(path: Path, source: Source, found: str, what: str) -> DataError:
    return DataError(
        f"expected {path} to hold {source.n_bytes} bytes with the SHA-256 {source.sha256}, but it {found}: the file is "
        f"{what}; delete it, and fetch it again from {source.url}"
    )


def _given(source: Source) -> Path:
    """The file as it is there, packed or not."""
    folder = os.environ.get(FOLDER)
    if not folder:
        return _fetched(source)
    plain = Path(folder) / source.path
    packed = plain.with_name(plain.name + ".gz")
    for path in (plain, packed):
        if path.is_file():
            return path
    raise DataError(
        f"expected the file {source.path} or {source.path}.gz in {folder}, where {FOLDER} points, found neither: fetch "
        f"it from {source.url} (SHA-256 {source.sha256} when unpacked), or unset {FOLDER} to have it fetched"
    )


def _fetched(source: Source) -> Path:
    """The file in the operating system's cache, fetched from its archive if it is not there."""
    import pooch

    target = Path(pooch.os_cache("mcbook")) / source.path
    name = target.name + (".gz" if source.url.endswith(".gz") else "")
    try:
        # The checksum is that of the content, looked at after unpacking.
        return Path(pooch.retrieve(source.url, known_hash=None, fname=name, path=target.parent))
    except (OSError, ValueError) as error:
        raise DataError(
            f"expected to fetch {source.path} from {source.url}, which failed ({error}): go online, or put the file "
            f"into a folder and name it by {FOLDER}"
        ) from error
