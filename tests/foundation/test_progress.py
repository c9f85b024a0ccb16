"""The progress bar: only for those who ask, on stderr, and gone when the steps end."""

import sys
from functools import partial

import pytest
from tqdm import tqdm

from mcbook.foundation.progress import progress


def test_silence_draws_nothing_and_loads_nothing(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with progress(3, "round", verbose=0) as step:
        step(error=0.5)
    assert capsys.readouterr() == ("", "")


def test_a_bar_moves_on_stderr_and_is_wiped_away(capsys, monkeypatch):
    """What is written after it stands on a clean line, also where the steps end early."""
    # Drawn after every step, however little time it took.
    monkeypatch.setattr("tqdm.tqdm", partial(tqdm, mininterval=0))
    for n_made in (3, 2):
        with progress(3, "round", verbose=1) as step:
            for error in (0.5, 0.25, 0.125)[:n_made]:
                step(error=error)
        out, err = capsys.readouterr()
        assert [f"{n}/3" in err for n in (1, 2, 3)] == [True, True, n_made == 3]
        assert ("error=0.2500" in err, "round" in err, "\n" in err, out) == (True, True, False, "")
        assert "".join(err.split("\r")[-2:]).strip() == ""


def test_an_error_leaves_a_clean_line(capsys):
    def fail():
        with progress(3, "round", verbose=1) as step:
            step()
            raise ValueError("no weights")

    with pytest.raises(ValueError, match="no weights"):
        fail()
    assert capsys.readouterr().err.split("\r")[-1].strip() == ""
