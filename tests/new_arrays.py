"""What the tests of kernels that run as plain Python share."""

import numba
import numpy as np


def fill_new_arrays_with_nan(monkeypatch):
    """Arrays that ``np.empty`` makes hold what nobody could take for a result, instead of what was there by chance.

    Compiled kernels make their arrays themselves.
    """
    if numba.config.DISABLE_JIT:
        monkeypatch.setattr(np, "empty", _filled_with_nan)


def _filled_with_nan(shape, dtype=float):
    return np.full(shape, np.nan if np.issubdtype(dtype, np.floating) else np.iinfo(dtype).min, dtype)
