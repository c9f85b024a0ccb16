"""How a loop is compiled that makes no arrays of its own.

References to the arrays are not counted in it: a count costs as much as several steps of a loop, and threads that look
at the same array would wait for one another's counts.

What a loop is given begins as np.int64(0) where it is a count: for a plain 0, a number that the compiler knows, the
whole loop would be compiled once more.
"""

from __future__ import annotations

from numba import njit

loop = njit(cache=True, nogil=True, error_model="numpy", _nrt=False)
# Loops call functions that make arrays, as long as they keep them to themselves.
making_arrays = njit(cache=True, nogil=True, error_model="numpy", _nrt=True)
