"""What counts as a call of an implementation, and what does not."""

from __future__ import annotations

import cProfile
import functools
import pstats
import sys

import numba
import pytest

from mcbook.claims.spine.calls import tracked_calls


def plain(x):
    return x + 1


@functools.cache
def remembered(x):
    return x + 1


@numba.njit("int64(int64)")
def compiled(x):
    return x + 1


def decorator(function):
    @functools.wraps(function)
    def wrapper(*arguments):
        return function(*arguments)

    return wrapper


@decorator
def decorated(x):
    return x + 1


@decorator
def decorated_as_well(x):
    return x + 2


class Base:
    def of_the_base(self):
        return 1


class Machine(Base):
    def method(self):
        return 1

    @property
    def value(self):
        return 2

    @functools.cached_property
    def kept(self):
        return 3

    @classmethod
    def made(cls):
        return cls()

    @staticmethod
    def helper(x):
        return x


class Sister(Base):
    pass


machine, other = Machine(), Machine()


@pytest.mark.parametrize(
    ("implementation", "call"),
    [
        (plain, lambda: plain(1)),
        (decorated, lambda: decorated(1)),
        (remembered, lambda: remembered(1)),
        (compiled, lambda: compiled.py_func(1)),
        (functools.partial(plain, 1), lambda: plain(1)),
        (Machine, lambda: machine.method()),
        (Machine, lambda: machine.value),
        (Machine, lambda: Machine().kept),
        (Machine, Machine.made),
        (Machine, lambda: Machine.helper(1)),
        (Machine, lambda: machine.of_the_base()),
        (Machine.method, lambda: machine.method()),
        (machine.method, lambda: machine.method()),
        (Machine.made, Machine.made),
        (machine, lambda: machine.method()),
    ],
)
def test_a_call_is_seen(implementation, call):
    call()  # what remembers its answers has one now
    with tracked_calls([implementation]) as called:
        assert not called
        call()
    assert called == {0}
    assert sys.getprofile() is None


@pytest.mark.parametrize(
    ("implementation", "call"),
    [
        (plain, lambda: remembered(7)),
        (remembered, lambda: remembered),
        (decorated, lambda: decorated_as_well(1)),
        (Machine, lambda: Sister().of_the_base()),
        (machine, lambda: other.method()),
        (Machine, lambda: isinstance(other, Machine)),
        # Python makes no event of it: name the function that calls the kernel as the implementation.
        (compiled, lambda: compiled(1)),
    ],
)
def test_what_only_looks_alike_is_no_call(implementation, call):
    with tracked_calls([implementation]) as called:
        call()
    assert called == set()


def test_each_is_seen_in_its_place():
    with tracked_calls([plain, Machine, remembered]) as called:
        remembered(1)
        plain(1)
    assert called == {0, 2}


def test_a_watcher_within_a_watcher_hides_nothing():
    with tracked_calls([plain, decorated]) as outer:
        plain(1)
        with tracked_calls([plain]) as inner:
            decorated(1)
            plain(1)
        machine.method()
    assert inner == {0}
    assert outer == {0, 1}
    assert sys.getprofile() is None


def test_the_outer_watcher_ends_without_pushing_the_inner_one_aside():
    with tracked_calls([decorated]) as outer, tracked_calls([plain]) as inner:
        decorated(1)
        plain(1)
    assert (outer, inner) == ({0}, {0})


def test_an_error_inside_leaves_no_watcher_behind():
    with pytest.raises(ZeroDivisionError), tracked_calls([plain]):
        plain(1 / 0)
    assert sys.getprofile() is None


def test_a_profiler_that_is_a_function_goes_on_seeing():
    seen = []
    sys.setprofile(lambda frame, event, argument: seen.append(frame.f_code.co_name))
    try:
        with tracked_calls([decorated]) as called:
            plain(1)
            decorated(1)
        plain(1)
    finally:
        sys.setprofile(None)
    assert called == {0}
    assert seen.count("plain") == 4, "call and return, twice"


def test_a_profiler_written_in_c_is_put_back():
    profile = cProfile.Profile()
    profile.enable()
    try:
        with tracked_calls([plain]) as called:
            plain(1)
        decorated(1)
    finally:
        profile.disable()
    assert called == {0}
    assert any(name == "decorated" for _, _, name in pstats.Stats(profile).stats)
