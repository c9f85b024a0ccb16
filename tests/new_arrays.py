"""What the tests of kernels that run as plain Python share."""

import numba
import numpy as np


def spoil_new_arrays(monkeypatch):
    """Arrays that ``np.empty`` makes hold what nobody could take for a result, instead of what was there by chance.

    Compiled kernels make their arrays themselves.
    """
    if numba.config.DISABLE_JIT:
        monkeypatch.setattr(np, "empty", _spoilt)


def _spoilt(shape, dtype=float):
    return np.full(shape, np.nan if np.issubdtype(dtype, np.floating) else np.iinfo(dtype).min, dtype)
