"""Estimators whose fits are long show one and the same progress bar, on stderr, and only if they are asked to."""

import re
from functools import partial

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from tqdm import tqdm

from mcbook.boosting import AdaBoost
from mcbook.boosting_many_labels import AdaBoostMH, AdaBoostMR
from mcbook.forests import Bagging, RandomForest
from mcbook.output_code_margins import AdaBoostMO

WEAK = LogisticRegression()
# With what they are made, how many steps a whole bar has, and the word for a step.
LONG = [
    (AdaBoost(n_estimators=6), 6, "round"),
    (AdaBoost(WEAK, n_estimators=3), 3, "round"),
    (AdaBoostMH(n_estimators=6), 6, "round"),
    (AdaBoostMH("real stump", n_estimators=4), 4, "round"),
    (AdaBoostMR(n_estimators=6), 6, "round"),
    (AdaBoostMR(WEAK, n_estimators=2), 2, "round"),
    (AdaBoostMO(n_estimators=6), 6, "round"),
    (AdaBoostMO(n_estimators=4, code=[[1, -1], [-1, 1]], single_call=False), 8, "round"),
    (RandomForest(5, random_state=0), 5, "tree"),
    (RandomForest(5, random_state=0, n_jobs=2), 5, "tree"),
    (Bagging(n_estimators=5, random_state=0), 5, "copy"),
]


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    # Two classes, of which the votes of a few rounds leave some wrong.
    return X, (X @ [1.0, 2.0, -1.0] + rng.normal(size=60) > 0).astype(int)


@pytest.mark.parametrize(("model", "n_steps", "unit"), LONG)
def test_long_fits_show_a_bar_to_those_who_ask(model, n_steps, unit, sample, capfd, monkeypatch):
    monkeypatch.setattr("tqdm.tqdm", partial(tqdm, mininterval=0))
    quiet = model.fit(*sample).predict(sample[0])
    assert capfd.readouterr() == ("", "")
    watched = model.set_params(verbose=1).fit(*sample).predict(sample[0])
    out, err = capfd.readouterr()
    assert out == ""
    assert re.findall(r"(\d+)/\d+ \[", err)[-1] == str(n_steps)
    assert f"{unit}/s" in err or f"s/{unit}" in err
    assert ("error=0." in err) == (unit == "round")
    assert (quiet == watched).all()
    model.set_params(verbose=0)


def test_a_run_that_ends_early_says_so_below_the_bar(capsys):
    with pytest.warns(ConvergenceWarning, match="richer class"):
        AdaBoost(verbose=1).fit([[0.0], [0.0]], [0, 1])
    assert capsys.readouterr().err.split("\r")[-1].strip() == ""
    model = AdaBoost(n_estimators=9, verbose=1).fit([[0.0], [1.0], [2.0]], ["no", "yes", "yes"])
    assert (model.ending_, model.n_iter_) == ("perfect", 1)
