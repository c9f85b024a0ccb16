"""A tree grown in full and pruned by ten-fold cross-validation, beside rpart, which also prunes each fold in one pass.

rpart is a package of R and runs as a program of its own: it reads the sample once, and only its work is timed.  Where
there is no Rscript with rpart it is left out.  Its memory is not ours, so the figure for it says nothing.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.data import Sample, digits, letter_like, mkcl, tiny
from benchmarks.harness import Case, Contender
from mcbook import PrunedTree
from mcbook.pruning.estimator import fold_numbers

FOLDS = 10
_PROGRAM = """
suppressMessages(library(rpart))
input <- file("stdin", "r")
repeat {
  line <- readLines(input, 1)
  if (length(line) == 0) break
  if (file.exists(line)) { d <- read.csv(line); d$y <- factor(d$y); cat("read\\n"); flush(stdout()); next }
  fit <- rpart(y ~ . - fold, d, method = "class", control = rpart.control(cp = 0, minsplit = 2, minbucket = 1,
               xval = d$fold, maxsurrogate = 0, maxcompete = 0, usesurrogate = 0))
  cat(min(fit$cptable[, "xerror"]) * fit$frame$dev[1] / nrow(d), "\\n"); flush(stdout())
}
"""


def cases() -> list[Case]:
    """Everyone grows until the leaves are pure, with the same folds, and prunes by errors."""
    there = Contender("rpart", _rpart, needs=None if has_rpart() else "rpart (a package of R)")
    contenders = (Contender("mcbook", _ours), there)
    samples = {"digits": digits, "letter-like 12800x16x26": letter_like, "mkcl 15000x50x10": mkcl}
    return [
        Case(f"pruning by ten folds: {name}", data, tiny, contenders, standard_errors_above_ours, 2, 3)
        for name, data in samples.items()
    ]


def standard_errors_above_ours(data: Sample, least: float) -> float:
    """By how many standard errors the least share of held-out errors is above ours; ties are broken in other ways."""
    ours = _ours(data, None)
    return float((least - ours) / np.sqrt(ours * (1 - ours) / len(data.y)))


def _folds(data: Sample) -> np.ndarray:
    return fold_numbers(data.X, data.y, FOLDS, 0)


def _ours(data: Sample, setting: None) -> float:
    folds = _folds(data)
    pairs = [(np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)) for fold in range(FOLDS)]
    model = PrunedTree(cv=pairs).fit(data.X, data.y)
    return model.validation_.least / len(data.y)


def _rpart(data: Sample, setting: None) -> float:
    return _Server.of(data).work()


@cache
def has_rpart() -> bool:
    program = shutil.which("Rscript")
    if program is None:
        return False
    asked = subprocess.run([program, "-e", "library(rpart)"], capture_output=True, check=False)
    return asked.returncode == 0


class _Server:
    """R with a sample in its memory; there is one for the sample that was asked for last."""

    current: _Server | None = None

    def __init__(self, data: Sample) -> None:
        self.data = data
        self.folder = tempfile.TemporaryDirectory()
        program, sample = (Path(self.folder.name) / name for name in ("work.R", "sample.csv"))
        program.write_text(_PROGRAM, encoding="utf-8")
        table = np.c_[data.X, data.y, 1 + _folds(data)]
        names = ",".join([*(f"x{j}" for j in range(data.X.shape[1])), "y", "fold"])
        np.savetxt(sample, table, delimiter=",", header=names, comments="", fmt="%.17g")
        self.process = subprocess.Popen(
            ["Rscript", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ask(str(sample))

    @classmethod
    def of(cls, data: Sample) -> _Server:
        if cls.current is None or cls.current.data is not data:
            if cls.current is not None:
                cls.current.close()
            cls.current = cls(data)
            atexit.register(cls.current.close)
        return cls.current

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise RuntimeError(f"Rscript ended at {line!r}: run it by hand to see why")
        return answer

    def work(self) -> float:
        return float(self.ask("work"))

    def close(self) -> None:
        if self.process.stdin is not None and not self.process.stdin.closed:
            self.process.stdin.close()
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process.wait(timeout=60)
        self.folder.cleanup()
