"""From the files of the UCI data sets to tables; what has to be known about a file stands with its function.

In all of them "?" is a value that nobody wrote down, and becomes NaN.  What "does not apply" (soybean's ``dna``) or
is "unmeasured" (audiology) is a category like others, as the files have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mcbook.experiments import attributes
from mcbook.experiments.attributes import Categories
from mcbook.foundation.types import Array, Booleans, Floats, Labels

_MISSING = "?"
# The values of isolet have four decimals.
_ISOLET_UNIT = 10_000
_LETTER_TRAINING = 16_000


@dataclass(frozen=True, eq=False)
class Table:
    """Examples with attributes and a class: a row for each example, in the order of the files.

    ``X (n_samples, n_attributes)`` holds numbers, NaN where a value is missing, and for a nominal attribute the place
    of the value in ``categories``, which is empty for numeric ones.  ``y (n_samples,)`` are the classes as the file
    writes them, strings or ints, ``classes`` the different ones in order.  ``names`` and the mask ``nominal`` are those
    of the attributes.  ``test`` marks the rows of the official test set, None where there is none.

    >>> from mcbook.experiments.tiny import tiny_table
    >>> table = tiny_table()
    >>> table.X.shape, table.classes.tolist(), table.labels[:5].tolist()
    ((84, 3), [0, 1, 2, 3], [0, 1, 2, 3, 0])
    """

    name: str
    X: Floats
    y: Array
    classes: Array
    names: tuple[str, ...]
    nominal: Booleans
    categories: tuple[tuple[str, ...], ...]
    test: Booleans | None

    @property
    def labels(self) -> Labels:
        """The classes as 0 .. n_classes - 1, the row of a code matrix for each example."""
        return np.searchsorted(self.classes, self.y).astype(np.int64)

    @property
    def n_missing(self) -> int:
        return int(np.isnan(self.X).sum())


def read_dermatology(content: bytes) -> Table:
    """366 patients: degrees from 0 to 3, family history as 0 or 1, the age, which 8 times is "?", and the disease."""
    rows = _rows(content, ",")
    numbers, y = _without(rows, -1), [int(row[-1]) for row in rows]
    return _table("dermatology", numbers, y, attributes.DERMATOLOGY, attributes.DERMATOLOGY_NOMINAL)


def read_satimage(training: bytes, test: bytes) -> Table:
    """36 numbers and the kind of soil as 1, 2, 3, 4, 5 or 7: class 6, the mixtures, was taken out of the files."""
    rows, is_test = _both(_rows(training), _rows(test))
    return _table("satimage", _without(rows, -1), [int(row[-1]) for row in rows], attributes.SATIMAGE, test=is_test)


def read_glass(content: bytes) -> Table:
    """A number of the example, which is dropped, 9 measurements, and the kind of glass: no example has kind 4 of 7."""
    rows = _rows(content, ",")
    return _table("glass", _without(rows, 0, -1), [int(row[-1]) for row in rows], attributes.GLASS)


def read_segmentation(first: bytes, second: bytes) -> Table:
    """Regions of pictures: two files of 210 and 2100, which count as one set.

    Each begins with two lines of comment, an empty line, a line with the names of the attributes, and an empty line.
    The class stands first.
    """
    header = first.decode("ascii").splitlines()[3].lower().split(",")
    rows = [row for content in (first, second) for row in _rows(content, ",", skip=5)]
    return _table("segmentation", _without(rows, 0), [row[0] for row in rows], tuple(header))


def read_ecoli(content: bytes) -> Table:
    """Proteins: a name, which is dropped, 7 numbers, and the place where they are found in the cell."""
    rows = _rows(content)
    return _table("ecoli", _without(rows, 0, -1), [row[-1] for row in rows], attributes.ECOLI)


def read_pendigits(training: bytes, test: bytes) -> Table:
    """Handwritten digits: eight points of the pen's way as x and y from 0 to 100, and the digit."""
    rows, is_test = _both(_rows(training, ","), _rows(test, ","))
    return _table("pendigits", _without(rows, -1), [int(row[-1]) for row in rows], attributes.PENDIGITS, test=is_test)


def read_yeast(content: bytes) -> Table:
    """Proteins: a name, which is dropped, 8 numbers, and the place where they are found in the cell."""
    rows = _rows(content)
    return _table("yeast", _without(rows, 0, -1), [row[-1] for row in rows], attributes.YEAST)


def read_vowel(content: bytes) -> Table:
    """Vowels in words: 0 for training or 1 for test, speaker and sex, both dropped, 10 numbers, the vowel from 0 to 10.

    The training speakers are not those of the test.
    """
    rows = _rows(content)
    is_test = np.array([row[0] == "1" for row in rows])
    return _table("vowel", _without(rows, 0, 1, 2, -1), [int(row[-1]) for row in rows], attributes.VOWEL, test=is_test)


def read_soybean(training: bytes, test: bytes) -> Table:
    """Sick soybeans: the disease first, then 35 nominal attributes as codes 0, 1, ...; 2337 of them are "?".

    Some attributes have an order (the date by months); as in the files, all are nominal.
    """
    rows, is_test = _both(_rows(training, ","), _rows(test, ","))
    codes, y, meaning = _without(rows, 0), [row[0] for row in rows], attributes.SOYBEAN_NOMINAL
    return _table("soybean", codes, y, attributes.SOYBEAN, meaning, is_test, as_codes=True)


def read_thyroid(content: bytes) -> Table:
    """Patients: 29 attributes, and a diagnosis with the number of the record in brackets, as ``AK[841018003]``.

    A diagnosis has one letter for each condition, "-" for none, and "C|I" for "as C, but rather I".  The class is its
    first character: A to S and "-", the 20 classes of the published experiments.  14629 values are "?".  Ages of 455,
    65511, 65512 and 65526 stand in the file, and are kept.
    """
    rows = _rows(content, ",")
    numbers, y = _without(rows, -1), [row[-1][0] for row in rows]
    return _table("thyroid", numbers, y, attributes.THYROID, attributes.THYROID_NOMINAL)


def read_audiology(training: bytes, test: bytes) -> Table:
    """Patients: 69 nominal attributes, the number of the case, which is dropped, and the diagnosis, one of 24.

    The 200 cases of one file are for training, the 26 of the other for test.
    """
    rows, is_test = _both(_rows(training, ","), _rows(test, ","))
    values, y = _without(rows, -2, -1), [row[-1] for row in rows]
    return _table("audiology", values, y, attributes.AUDIOLOGY, attributes.AUDIOLOGY_NOMINAL, test=is_test)


def canonical_isolet(content: bytes) -> bytes:
    """The values of a file of isolet, in ten-thousandths, and the classes 1 to 26, as little-endian int32 row by row.

    The file is text, "-0.4394, -0.0930, ..., 1." with 617 values and the class, and copies of it are spaced and ended
    in different ways: the same numbers are the same data.  Raises ValueError for what cannot be such a file.
    """
    values = np.array(content.replace(b"\n", b",").rstrip(b", \r").split(b","), dtype=float)
    n_columns = len(attributes.ISOLET) + 1
    if values.size % n_columns:
        raise ValueError(f"{values.size} numbers are no rows of {n_columns}")
    rows = values.reshape(-1, n_columns)
    rows[:, :-1] *= _ISOLET_UNIT
    whole = np.rint(rows)
    if not np.abs(rows - whole).max() < 1e-6:
        raise ValueError("it holds numbers of more than four decimals, or none")
    return whole.astype("<i4").tobytes()


def read_isolet(training: bytes, test: bytes) -> Table:
    """Spoken letters: 617 numbers from -1 to 1 and the letter, 1 to 26; the fifth group of 30 speakers is the test.

    It takes what `canonical_isolet` makes of the two files.
    """
    parts = [np.frombuffer(part, "<i4").reshape(-1, len(attributes.ISOLET) + 1) for part in (training, test)]
    rows = np.concatenate(parts)
    is_test = np.repeat([False, True], [len(part) for part in parts])
    # A quotient of whole numbers is the float nearest to the decimal, as a parser finds it.
    X, y = rows[:, :-1] / _ISOLET_UNIT, rows[:, -1].astype(np.int64)
    return _finished("isolet", X, y, attributes.ISOLET, ((),) * X.shape[1], is_test)


def read_letter(content: bytes) -> Table:
    """Printed letters: the letter, and 16 numbers from 0 to 15; the first 16000 rows are for training."""
    rows = _rows(content, ",")
    is_test = np.arange(len(rows)) >= _LETTER_TRAINING
    return _table("letter", _without(rows, 0), [row[0] for row in rows], attributes.LETTER, test=is_test)


def _rows(content: bytes, separator: str | None = None, skip: int = 0) -> list[list[str]]:
    """The fields of the lines, without blanks around them."""
    lines = content.decode("ascii").splitlines()[skip:]
    return [[field.strip() for field in line.split(separator)] for line in lines]


def _without(rows: list[list[str]], *places: int) -> list[list[str]]:
    """The rows without the fields at these places, the negative ones counted from the end."""
    dropped = {place % len(rows[0]) for place in places}
    return [[field for place, field in enumerate(row) if place not in dropped] for row in rows]


def _both(training: list[list[str]], test: list[list[str]]) -> tuple[list[list[str]], Booleans]:
    return training + test, np.repeat([False, True], [len(training), len(test)])


def _table(
    name: str,
    rows: list[list[str]],
    y: Sequence[str] | Sequence[int],
    names: tuple[str, ...],
    nominal: Categories | None = None,
    test: Booleans | None = None,
    *,
    as_codes: bool = False,
) -> Table:
    """A table of fields as they are written; ``nominal`` has the values of nominal attributes, or what codes mean."""
    categories = tuple((nominal or {}).get(attribute, ()) for attribute in names)
    columns = [
        _codes(column, values) if values and not as_codes else _numbers(column)
        for column, values in zip(zip(*rows, strict=True), categories, strict=True)
    ]
    return _finished(name, np.column_stack(columns), np.array(y), names, categories, test)


def _finished(
    name: str,
    X: Floats,
    y: Array,
    names: tuple[str, ...],
    categories: tuple[tuple[str, ...], ...],
    test: Booleans | None,
) -> Table:
    nominal = np.array([len(values) > 0 for values in categories])
    return Table(name, np.ascontiguousarray(X), y, np.unique(y), names, nominal, categories, test)


def _numbers(column: Sequence[str]) -> Floats:
    return np.array(["nan" if field == _MISSING else field for field in column], dtype=float)


def _codes(column: Sequence[str], values: Sequence[str]) -> Floats:
    """The places of the fields among the values; one that is not among them is an error."""
    codes = {_MISSING: np.nan} | {value: float(code) for code, value in enumerate(values)}
    return np.array([codes[field] for field in column])
