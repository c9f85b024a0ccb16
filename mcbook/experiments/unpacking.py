"""Unpacking files: gzip's, and those of the old program "compress", in which the archive keeps isolet."""

from __future__ import annotations

import gzip
import zlib

_MAGIC = b"\x1f\x9d"
_HEADER = 3
# In the third byte: the greatest width of a number, and whether the number 256 empties the table.
_WIDTH, _CLEARS = 0x1F, 0x80
_CLEAR, _FIRST_WIDTH = 256, 9


class UnpackingError(ValueError):
    """What is there is not what its name says, or not all of it."""


def unpacked(content: bytes, name: str) -> bytes:
    """The content of a file with this name: ".gz" and ".Z" at its end say how it was packed.

    >>> unpacked(gzip.compress(b"1,2"), "some.data.gz"), unpacked(b"1,2", "some.data")
    (b'1,2', b'1,2')
    """
    if name.endswith(".gz"):
        try:
            return gzip.decompress(content)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UnpackingError(str(error)) from error
    return _decompressed(content) if name.endswith(".Z") else content


def _decompressed(packed: bytes) -> bytes:
    """Lempel, Ziv and Welch's code, in numbers of 9 bits and, as the table grows, of up to 16.

    A number stands for a string of the table; each step adds to it the string before, with the first byte of this one.
    """
    if packed[:2] != _MAGIC or len(packed) < _HEADER:
        raise UnpackingError("Not a compressed file")
    greatest, clears = packed[2] & _WIDTH, bool(packed[2] & _CLEARS)
    first = [bytes([byte]) for byte in range(256)] + [b""] * clears
    table, before, width = list(first), b"", _FIRST_WIDTH
    pieces = []
    place = begin = 8 * _HEADER
    while place + width <= 8 * len(packed):
        at = place // 8
        number = int.from_bytes(packed[at : at + 3], "little") >> place % 8 & (1 << width) - 1
        place += width
        if clears and number == _CLEAR:
            begin = place = _next_group(place, begin, width)
            table, before, width = list(first), b"", _FIRST_WIDTH
            continue
        if number > len(table) or (number == len(table) and not before):
            raise UnpackingError(f"The number {number} at byte {at} stands for nothing")
        piece = table[number] if number < len(table) else before + before[:1]
        pieces.append(piece)
        if before and len(table) < 1 << greatest:
            table.append(before + piece[:1])
        before = piece
        if len(table) == 1 << width and width < greatest:
            begin = place = _next_group(place, begin, width)
            width += 1
    return b"".join(pieces)


def _next_group(place: int, begin: int, width: int) -> int:
    """Numbers of one width come in groups of eight, the last of which is filled up."""
    group = 8 * width
    return begin + -(-(place - begin) // group) * group
