"""The command line: exit codes, what is printed, what is recorded, and what is known outside of a checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mcbook.__main__ import main
from mcbook.claims import claims
from mcbook.claims.spine.record import PLACE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """The pages of a checkout, to record in."""
    shutil.copy(ROOT / "_toc.yml", tmp_path)
    (tmp_path / "book").mkdir()
    for page in (ROOT / "book").glob("*.ipynb"):
        shutil.copy(page, tmp_path / "book")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def wrong_bound(monkeypatch):
    monkeypatch.setattr("mcbook.claims.perceptron.mistakes.mistake_bound", lambda radius, margin: radius / margin / 2)


class TestVerify:
    def test_names_and_exit_code(self, capsys):
        assert main(["verify", "prp-frobenius-is-euclidean", "prp-linear-classifier-invariances"]) == 0
        assert "2 of 2 claims stand" in capsys.readouterr().out

    def test_a_claim_that_falls_gives_exit_code_1(self, capsys, wrong_bound):
        assert main(["verify", "thm-perceptron-mistake-bound", "prp-linear-classifier-invariances"]) == 1
        out = capsys.readouterr().out
        assert "FAILS" in out
        assert "seed 0: " in out
        assert "1 of 2 claims stand" in out

    def test_an_unknown_name_gives_one_sentence(self, capsys):
        assert main(["verify", "nothing"]) == 2
        assert "no claim is called 'nothing'" in capsys.readouterr().err

    def test_a_sweep_uses_other_seeds(self, capsys, monkeypatch):
        seeds = []
        from mcbook.commands import main as command

        tried = command.verify
        monkeypatch.setattr(command, "verify", lambda claim, seed: seeds.append(seed) or tried(claim, seed))
        assert main(["verify", "prp-linear-classifier-invariances", "--sweep", "3"]) == 0
        assert seeds == [0, 1, 2, 3]

    def test_fewer_seeds_than_none_are_an_error_of_the_user(self, capsys):
        assert main(["verify", "prp-linear-classifier-invariances", "--sweep", "-1"]) == 2
        said = capsys.readouterr().err
        assert said == "mcbook: expected --sweep with 0 or more further seeds, got -1: leave it out for none\n"


class TestRecord:
    def test_keeps_what_was_found_and_nothing_else(self, checkout, capsys):
        assert main(["verify", "prp-linear-classifier-invariances", "--record"]) == 0
        assert list(json.loads((checkout / PLACE).read_text(encoding="utf-8"))) == ["prp-linear-classifier-invariances"]

    def test_without_it_nothing_is_written(self, checkout):
        assert main(["verify", "prp-linear-classifier-invariances"]) == 0
        assert not (checkout / PLACE).exists()

    def test_a_claim_that_stands_but_whose_page_has_changed_gives_exit_code_1(self, checkout, capsys):
        assert main(["verify", "thm-perceptron-mistake-bound", "--record"]) == 0
        assert main(["verify", "thm-perceptron-mistake-bound"]) == 0
        page = checkout / "book" / "perceptron.ipynb"
        text = page.read_text(encoding="utf-8")
        bound = r"\\frac{R^2}{\\gamma^2}"
        assert bound in text
        page.write_text(text.replace(bound, r"\\frac{R^2}{2\\gamma^2}"), encoding="utf-8")
        capsys.readouterr()
        assert main(["verify", "thm-perceptron-mistake-bound"]) == 1
        out = capsys.readouterr().out
        assert "stands certified" in out
        assert "not as recorded: the statement on the page has changed" in out
        assert f"1 not as {PLACE} has it: where this is as it should be, add --record" in out
        assert main(["verify", "thm-perceptron-mistake-bound", "--record"]) == 1
        assert "not recorded: nothing that puts it on trial has changed with it" in capsys.readouterr().out
        assert main(["verify", "thm-perceptron-mistake-bound"]) == 1
        reworded = ["--record", "--reworded", "thm-perceptron-mistake-bound"]
        assert main(["verify", "thm-perceptron-mistake-bound", *reworded]) == 0
        assert "recorded: the statement on the page has changed" in capsys.readouterr().out
        assert main(["verify", "thm-perceptron-mistake-bound"]) == 0

    def test_better_words_are_named_by_labels_and_recorded(self, checkout, capsys):
        label = "prp-linear-classifier-invariances"
        assert main(["verify", label, "--reworded", label]) == 2
        assert "expected --reworded with --record" in capsys.readouterr().err
        assert main(["verify", label, "--record", "--reworded", "thm-perceptron-bound"]) == 2
        assert "thm-perceptron-mistake-bound" in capsys.readouterr().err

    def test_a_claim_that_falls_is_not_recorded(self, checkout, wrong_bound):
        assert main(["verify", "thm-perceptron-mistake-bound", "--record"]) == 1
        assert not (checkout / PLACE).exists()

    def test_outside_of_a_checkout_it_is_refused(self, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        assert main(["verify", "prp-linear-classifier-invariances", "--record"]) == 2
        assert "checkout of the book" in capsys.readouterr().err


class TestLedger:
    def test_in_a_checkout(self, capsys, monkeypatch):
        monkeypatch.chdir(ROOT / "tests")
        assert main(["ledger"]) == 0
        out = capsys.readouterr().out
        assert f"of {len(claims())} claims" in out
        assert "done" in out

    def test_outside_of_a_checkout_it_says_what_is_known(self, tmp_path):
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "mcbook", "ledger"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert f"{len(claims())} claims. This is no checkout of the book" in done.stdout
        assert "thm-perceptron-mistake-bound" in done.stdout

    def test_a_folder_that_is_not_there(self, capsys):
        assert main(["ledger", "--book", "nowhere"]) == 2
        assert "the folder of the book's notebooks" in capsys.readouterr().err

    @pytest.mark.parametrize("options", [[], ["--formulas"]])
    def test_who_stops_reading_gets_no_complaint(self, options):
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "mcbook", "ledger", *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as process:
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 1


def test_what_a_change_of_a_statement_touches(capsys):
    assert main(["affected", "thm-perceptron-mistake-bound"]) == 0
    used, tried, *files = capsys.readouterr().out.splitlines()
    assert "prp-kesler-embedding" in used
    assert tried == "on trial for it: mistake_bound"
    touched = {line.split(":")[0] for line in files}
    assert {"book/perceptron.ipynb", "mcbook/perceptron/theory.py", "mcbook/claims/perceptron/mistakes.py"} <= touched
    assert main(["affected", "thm-nothing"]) == 2
