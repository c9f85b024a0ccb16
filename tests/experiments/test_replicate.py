"""The grid of experiments on the tiny data set: cells, records, the runner, the cluster, the command."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mcbook.__main__ import main
from mcbook.experiments import DATASETS, part
from mcbook.experiments.cluster import attempt_with, cluster_workers
from mcbook.experiments.costs import expected_seconds, work
from mcbook.experiments.grid import Cell, Part, cells_of, n_parts, parts_of, training_rows
from mcbook.experiments.records import Records
from mcbook.experiments.runner import local_workers, replicate

ROOT = Path(__file__).resolve().parents[2]
CODES = ["one-vs-rest", "all-pairs"]


def everything(folder):
    """The bytes of all records, without the seconds."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix == ".jsonl" and "seconds" not in path.parts
    }


def run_tiny(folder, workers=None, codes=CODES, **options):
    if workers is not None:
        return replicate(cells_of("table2", ["tiny"], codes), workers, records=Records(folder), **options)
    with local_workers(1) as workers:
        return run_tiny(folder, workers, codes, **options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The records of a run on one core."""
    folder = tmp_path_factory.mktemp("records")
    summary = run_tiny(folder)
    assert summary == (0, 20, {})
    return everything(folder)


class TestGrid:
    def test_the_tables_have_the_cells_of_the_paper_and_those_that_it_left_out(self):
        cells = cells_of("table2")
        assert len(cells) == 13 * 5 - 5
        assert {cell.data for cell in cells_of("table2", codes=["complete"])} == {
            *("dermatology", "satimage", "glass", "segmentation", "ecoli", "pendigits", "yeast", "vowel")
        }
        assert len(cells_of("modern", ["glass"], ["dense"])) == 2
        assert sum(n_parts(cell) for cell in cells) == len(list(parts_of(cells)))

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (("table4",), "expected table to be one of 'table2', 'table3', 'modern', 'sensitivity'; got 'table4'"),
            (("table2", ["iris"]), "expected --datasets to be one of .*; got 'iris'"),
            (("table2", ["glass"], ["best"]), "expected --codes to be one of .*; got 'best'"),
        ],
    )
    def test_unknown_names_are_refused(self, arguments, says):
        with pytest.raises(ValueError, match=says):
            cells_of(*arguments)

    def test_ten_equal_folds_test_everything_but_what_is_left_over(self):
        tested = np.array([~training_rows(214, None, fold) for fold in range(10)])
        assert tested.sum(axis=1).tolist() == [21] * 10
        assert tested.sum(axis=0).max() == 1
        assert tested.sum() == 210


class TestRecords:
    def test_a_record_says_what_it_depends_on_and_what_was_found(self, whole):
        kept = json.loads(whole["adaboost.jsonl"].splitlines()[0])
        given = part.depends_on(Cell("adaboost", "tiny", "all-pairs"))
        assert kept == kept | given
        assert set(kept) == {"learner", "data", "code", "parts", *given}
        assert kept["matrix"]["columns"] == 6
        assert kept["matrix"]["rho"] == "7/2"
        assert [one["fold"] for one in kept["parts"]] == list(range(10))
        for one in kept["parts"]:
            assert (one["train"]["n"], one["test"]["n"]) == (76, 8)
            assert all(0 <= wrong <= tied for wrong, tied in zip(*_counts(one["test"]), strict=True))
            assert one["test"]["asked"] == 8 * 3

    def test_what_was_found_with_other_settings_is_run_again(self, tmp_path):
        cell = Cell("adaboost", "tiny", "all-pairs")
        records, given = Records(tmp_path), {"settings": {"costs": (1.0, 10.0)}, "versions": {"numpy": "1"}}
        records.add(Part(cell, 3), given, {"n": 1}, 0.5)
        assert records.finished(cell, given) == {3}
        records.add(Part(cell, 5), given, {"n": 1}, 0.5)
        assert records.finished(cell, given) == {3, 5}
        other = given | {"settings": {"costs": (1.0,)}}
        assert records.finished(cell, other) == set()
        records.add(Part(cell, 4), other, {"n": 2}, 0.25)
        assert records.finished(cell, other) == {4}
        assert records.seconds()[cell] == [0.25]

    def test_no_record_mixes_versions_and_a_complete_one_outlives_them(self, tmp_path):
        cell = Cell("adaboost", "tiny", "all-pairs")
        records, given = Records(tmp_path), {"versions": {"numpy": "1"}}
        newer = {"versions": {"numpy": "2"}}
        for fold in range(10):
            assert records.finished(cell, newer) == set()
            records.add(Part(cell, fold), given, {}, 0.5)
        assert records.finished(cell, newer) == set(range(10))

    def test_a_record_that_was_broken_is_named(self, tmp_path):
        run_tiny(tmp_path, codes=["all-pairs"])
        path = tmp_path / "adaboost.jsonl"
        path.write_text(path.read_text(encoding="utf-8")[:-20], encoding="utf-8")
        summary = run_tiny(tmp_path)
        assert (summary.before, summary.run, len(summary.faults)) == (0, 0, 20)
        (fault,) = set(summary.faults.values())
        assert re.search(r"line 1 of .*adaboost.jsonl to be the record of a cell, .*: delete the line, and its", fault)
        path.write_text("", encoding="utf-8")
        assert run_tiny(tmp_path) == (0, 20, {})


def _counts(found):
    return list(found["wrong"].values()), list(found["tied"].values())


class TestRunner:
    def test_two_cores_write_the_same_bytes_as_one(self, whole, tmp_path):
        with local_workers(2) as workers:
            run_tiny(tmp_path, workers)
        assert everything(tmp_path) == whole

    def test_a_killed_run_leaves_whole_records_and_goes_on(self, whole, tmp_path):
        command = [sys.executable, "-c", _SLOW_RUN, str(tmp_path)]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert process.stdout is not None
        for _ in range(4):
            assert process.stdout.readline().startswith("begun")
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kept = sum(len(json.loads(content)["parts"]) for content in everything(tmp_path).values())
        # The fourth part had begun, so three were finished.
        assert kept >= 3
        summary = run_tiny(tmp_path)
        assert summary == (kept, 20 - kept, {})
        assert everything(tmp_path) == whole


# Parts of a tenth of a second, each announced, so that the run can be killed in the middle.
_SLOW_RUN = """
import sys, time
from pathlib import Path
sys.path.insert(0, "tests/experiments")
from mcbook.experiments import runner
def slowly(parts):
    for one in parts:
        print("begun", flush=True)
        time.sleep(0.1)
        yield runner.attempt(one)
from test_replicate import run_tiny
run_tiny(Path(sys.argv[1]), slowly)
"""


class TestCosts:
    def test_what_was_measured_counts_and_else_the_work_at_the_pace_of_the_learner(self):
        known = Cell("adaboost", "glass", "dense")
        assert expected_seconds(known, {known: [2.0, 4.0]}) == 3.0
        other = Cell("adaboost", "letter", "sparse")
        assert expected_seconds(other, {known: [3.0]}) == pytest.approx(3.0 * work(other) / work(known))
        assert expected_seconds(Cell("svm", "glass", "dense"), {known: [3.0]}) > 0


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and two workers, processes of their own; the address, and the processes of the workers."""
    environment, started = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}, []

    def start(*arguments):
        command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
        started.append(subprocess.Popen(command, cwd=ROOT, env=environment, **pipes))
        return started[-1]

    scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    address = next(re.search(r"tcp://\S+", line)[0] for line in scheduler.stderr if "Scheduler at:" in line)
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
    yield address, [start("dask_worker", address, *options) for _ in range(2)]
    for process in started:
        process.kill()
        process.communicate()


class TestCluster:
    def test_a_worker_is_killed_in_the_middle_and_nothing_is_missing_or_different(self, cluster, whole, tmp_path):
        address, processes = cluster
        with cluster_workers(address) as workers:
            _wait_for_workers(address, 2)

            def with_a_death(parts):
                for count, result in enumerate(workers(parts)):
                    yield result
                    if count == 2:
                        processes[0].send_signal(signal.SIGKILL)
                        processes[0].wait()

            summary = run_tiny(tmp_path, with_a_death)
        assert summary == (0, 20, {})
        assert everything(tmp_path) == whole
        assert processes[0].returncode == -signal.SIGKILL
        assert processes[1].poll() is None

    def test_a_worker_with_other_libraries_runs_nothing(self):
        one, known = Part(Cell("adaboost", "tiny", "dense"), 0), part.versions()
        outcome = attempt_with(one, known).outcome
        assert outcome is not None
        assert outcome.found == part.run_part(one).found
        refused = attempt_with(one, known | {"numpy": "1.0"})
        assert refused.outcome is None
        assert re.match(r"expected a worker with .*'numpy': '1.0'.*, got one with .*: give all workers", refused.fault)

    def test_where_no_scheduler_answers_it_is_said_what_to_do(self, monkeypatch):
        monkeypatch.setattr("mcbook.experiments.cluster._TIMEOUT", "0.5s")
        with pytest.raises(ValueError, match=r"expected a Dask scheduler at tcp://127\.0\.0\.1:9, .*: start one"):
            cluster_workers("tcp://127.0.0.1:9").__enter__()

    @pytest.mark.parametrize("address", ["foo", "tcp://127.0.0.1:nine", ""])
    def test_what_is_no_address_is_answered_at_once_and_in_one_sentence(self, address, tmp_path, capsys, monkeypatch):
        monkeypatch.setattr(
            "distributed.Client", None
        )  # one with a wrong address makes a traceback half a minute later
        arguments = ["replicate", "table2", "--datasets", "tiny", "--results", str(tmp_path), "--scheduler", address]
        assert main(arguments) == 2
        assert re.fullmatch(r"mcbook: expected a Dask scheduler at .*: start one by .*\n", capsys.readouterr().err)


def _wait_for_workers(address, count):
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=30)


class TestCommand:
    def test_it_runs_a_table_and_says_where_the_records_are(self, tmp_path, capsys):
        arguments = ["replicate", "table2", "--datasets", "tiny", "--codes", *CODES, "--results", str(tmp_path)]
        assert main(arguments) == 0
        assert "20 parts run, 0 recorded before" in capsys.readouterr().out
        assert main(arguments) == 0
        assert "0 parts run, 20 recorded before" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("content", "found", "jobs"),
        [
            (None, "found none: fetch it from", "1"),
            (b"1,1.52\n" * 3000, "the file is altered; delete it, and fetch it again from", "2"),
        ],
    )
    def test_a_bad_file_of_one_data_set_does_not_stop_the_others(
        self, whole, tmp_path, capsys, monkeypatch, content, found, jobs
    ):
        (source,) = DATASETS["glass"].files
        file = tmp_path / "data" / source.path
        file.parent.mkdir(parents=True)
        if content is not None:
            file.write_bytes(content)
        monkeypatch.setenv("MCBOOK_DATA", str(tmp_path / "data"))
        table = ["replicate", "table2", "--datasets", "glass", "tiny", "--codes", *CODES, "--jobs", jobs]
        assert main([*table, "--results", str(tmp_path / "records")]) == 1
        said = capsys.readouterr()
        assert "20 parts run, 0 recorded before, 20 left out" in said.out
        assert everything(tmp_path / "records") == whole
        assert "left out, 20 parts: adaboost, glass, all-pairs; adaboost, glass, one-vs-rest\n" in said.err
        assert said.err.endswith("which runs no more than what is missing\n")
        wanted = [source.path, source.sha256, found, source.url]
        for text in wanted if content is None else [*wanted, hashlib.sha256(content).hexdigest()]:
            # Once before the others are run, and once in the end.
            assert said.err.count(text) >= 2

    @pytest.mark.parametrize("jobs", ["0", "-1"])
    def test_fewer_than_one_process_is_an_error_of_the_user(self, jobs, tmp_path, capsys):
        assert main(["replicate", "table2", "--datasets", "tiny", "--results", str(tmp_path), "--jobs", jobs]) == 2
        assert re.fullmatch(
            r"mcbook: expected --jobs with 1 or more processes, got -?\d: .*\n", capsys.readouterr().err
        )
