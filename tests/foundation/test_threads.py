"""Pieces of work in threads: all of it is done, in order, and threads do not wait for each other."""

import threading

import pytest

from mcbook.foundation import threads
from mcbook.foundation.threads import at_the_same_time, in_pieces


def test_pieces_cover_the_range_once(monkeypatch):
    for size, least, cores, n in ((10, 3, 2, 2), (10, 3, 8, 3), (10, 11, 8, 1), (2, 1, 1, 1), (2, 1, 2, 2)):
        monkeypatch.setattr(threads, "n_threads", lambda cores=cores: cores)
        pieces = in_pieces(lambda begin, end: list(range(begin, end)), size, least)
        assert [i for piece in pieces for i in piece] == list(range(size))
        assert len(pieces) == n
        assert all(len(piece) >= min(least, size) for piece in pieces)


def test_work_within_work_takes_no_further_threads(monkeypatch):
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda _: range(4), raising=False)
    seen = at_the_same_time([lambda: in_pieces(lambda begin, end: threading.get_ident(), 100)] * 3)
    assert [len(inner) for inner in seen] == [1, 1, 1]


def test_what_a_piece_raises_is_raised(monkeypatch):
    monkeypatch.setattr(threads, "n_threads", lambda: 2)

    def fail(begin, end):
        raise ValueError(f"in {begin}")

    with pytest.raises(ValueError, match="in 0"):
        in_pieces(fail, 10)
    assert at_the_same_time([lambda: 1, lambda: 2], n_jobs=1) == [1, 2]


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_who_waits_is_told_of_each_task_that_is_done(monkeypatch, n_jobs):
    monkeypatch.setattr(threads, "n_threads", lambda: 4)
    told = []
    found = at_the_same_time([lambda n=n: n for n in range(5)], n_jobs, lambda: told.append(threading.get_ident()))
    assert found == list(range(5))
    assert told == [threading.get_ident()] * 5
