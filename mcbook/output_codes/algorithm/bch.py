"""Binary BCH codes: cyclic codes whose generator polynomial has chosen powers of a primitive element as roots.

Polynomials over the field of two elements are integers here, bit i being the coefficient of x^i.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

# One primitive polynomial for each degree.
_PRIMITIVE = {
    2: 0b111,
    3: 0b1011,
    4: 0b10011,
    5: 0b100101,
    6: 0b1000011,
    7: 0b10001001,
    8: 0b100011101,
    9: 0b1000010001,
    10: 0b10000001001,
}


def bch_generator(length: int, min_dimension: int) -> tuple[int, int]:
    """The generator polynomial of the BCH code of this length that corrects most errors, and that number of errors.

    Among the codes with at least 2^min_dimension words; the words differ in 2 t + 1 places or more.
    """
    degree = (length + 1).bit_length() - 1
    if length + 1 != 1 << degree or degree not in _PRIMITIVE:
        lengths = ", ".join(str(2**p - 1) for p in _PRIMITIVE)
        raise ValueError(f"expected the length of a BCH code, one of {lengths}; got {length}")
    generator, n_errors, roots = 1, 0, set[int]()
    while True:
        wider = generator
        for coset in _cosets(length, (2 * n_errors + 1, 2 * n_errors + 2)):
            if not coset <= roots:
                roots |= coset
                wider = _multiply(wider, _minimal_polynomial(degree, coset))
        if length - (wider.bit_length() - 1) < min_dimension:
            break
        generator, n_errors = wider, n_errors + 1
    if n_errors == 0:
        raise ValueError(
            f"no BCH code of length {length} with a distance above 1 has 2^{min_dimension} words: take a longer one"
        )
    return generator, n_errors


def bch_words(length: int, generator: int, messages: list[int]) -> NDArray[np.int64]:
    """The words of the given messages as rows of 0 and 1: message times generator."""
    words = [_multiply(message, generator) for message in messages]
    return np.array([[word >> place & 1 for place in range(length)] for word in words])


def _cosets(length: int, exponents: tuple[int, ...]) -> list[frozenset[int]]:
    """The exponents of the conjugates of each power: doubling an exponent squares the root."""
    found = []
    for exponent in exponents:
        coset = {exponent % length}
        while (exponent := 2 * exponent % length) not in coset:
            coset.add(exponent)
        found.append(frozenset(coset))
    return found


def _minimal_polynomial(degree: int, coset: frozenset[int]) -> int:
    """The product of x - a^e over the coset; its coefficients are 0 and 1 although the a^e are not."""
    powers, logarithm = _field(degree)
    order = len(powers)
    coefficients = [1]
    for exponent in sorted(coset):
        shifted = [0, *coefficients]
        scaled = [powers[(logarithm[c] + exponent) % order] if c else 0 for c in coefficients] + [0]
        coefficients = [a ^ b for a, b in zip(shifted, scaled, strict=True)]
    return sum(c << place for place, c in enumerate(coefficients))


@functools.cache
def _field(degree: int) -> tuple[list[int], dict[int, int]]:
    """The powers of a primitive element of the field of 2^degree elements, and the exponent of each element."""
    powers = [1]
    while len(powers) < 2**degree - 1:
        element = powers[-1] << 1
        powers.append(element ^ _PRIMITIVE[degree] if element >> degree else element)
    return powers, {element: exponent for exponent, element in enumerate(powers)}


def _multiply(a: int, b: int) -> int:
    product = 0
    while b:
        if b & 1:
            product ^= a
        a, b = a << 1, b >> 1
    return product
