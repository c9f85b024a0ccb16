"""The limit on the threads of the linear algebra libraries."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

from mcbook.foundation import blas
from mcbook.foundation.blas import limited_blas
from mcbook.svm_solvers import MulticlassSVM


def threads_now():
    return [pool["num_threads"] for pool in ThreadpoolController().info() if pool["user_api"] == "blas"]


@pytest.fixture
def before():
    """Two threads for each library that is loaded by now, whatever the machine has, so that a limit of one shows."""
    blas._pools.cache_clear()
    with ThreadpoolController().limit(limits=2, user_api="blas"):
        yield threads_now()


def test_blocks_that_overlap_leave_what_the_first_found(before):
    first, second = limited_blas(1), limited_blas(1)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(threads_now()) == {1}
    second.__exit__(None, None, None)
    assert threads_now() == before


def test_the_fewest_threads_asked_for_hold(before):
    with limited_blas(2):
        with limited_blas(1):
            assert set(threads_now()) == {1}
            with limited_blas(2), limited_blas(None):
                assert set(threads_now()) == {1}
        assert threads_now() == before
    assert threads_now() == before


def test_an_error_in_a_block_lifts_its_limit(before):
    with pytest.raises(ZeroDivisionError), limited_blas(1):
        _ = 1 / 0
    assert threads_now() == before


def test_ten_threads_that_fit_at_once_leave_the_limit_as_it_was(before):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 8)), rng.integers(0, 4, 300)
    barrier = Barrier(10)

    def fit(seed):
        barrier.wait()
        return MulticlassSVM(solver="newton", random_state=seed).fit(X, y).primal_

    for _ in range(3):
        with ThreadPoolExecutor(10) as pool:
            assert np.ptp(list(pool.map(fit, range(10)))) < 1e-5
        assert threads_now() == before
