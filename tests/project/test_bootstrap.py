"""tools/bootstrap.py and tools/python.sh: each thing that can be wrong gets one sentence, and work is done once."""

import ast
import errno
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tools import bootstrap

ROOT = Path(__file__).resolve().parents[2]
OFFLINE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_NO_CACHE_DIR": "1",
}


@pytest.fixture
def project(tmp_path):
    """A project of the same shape whose lock holds one package."""
    folder = tmp_path / "a project"
    (folder / "tools").mkdir(parents=True)
    for name in ("tools/bootstrap.py", "tools/python.sh", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "requirements.lock").write_text(f"six==1.17.0 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    return folder


def say(command, folder=ROOT, **variables):
    """Exit code and lines on stderr of a command."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHON"}
    finished = subprocess.run(
        command, cwd=folder, env=inherited | variables, capture_output=True, text=True, check=False
    )
    return finished.returncode, finished.stderr.strip().splitlines()


def with_altered_python(statement):
    """A command that probes this Python after the statement has altered it."""
    program = f"import runpy, sys; {statement}; sys.argv = ['bootstrap.py', '--probe']; "
    program += f"runpy.run_path({str(ROOT / 'tools/bootstrap.py')!r}, run_name='__main__')"
    return [sys.executable, "-c", program]


def assert_one_sentence(answer, *expected):
    code, lines = answer
    assert code != 0
    assert len(lines) == 1, lines
    for words in expected:
        assert words in lines[0]


def test_this_python_will_do():
    assert say([sys.executable, ROOT / "tools/bootstrap.py", "--probe"]) == (0, [])


def test_too_old_python():
    altered = with_altered_python("sys.version_info = (3, 10, 4)")
    assert_one_sentence(say(altered), "Python 3.10", "too old", "install Python 3.11")


def test_too_new_python():
    altered = with_altered_python("sys.version_info = (3, 15, 0)")
    assert_one_sentence(say(altered), "Python 3.15", "too new", "make PYTHON=")


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_missing_venv_module(module):
    altered = with_altered_python(f"sys.modules[{module!r}] = None")
    assert_one_sentence(say(altered), "venv or ensurepip module is missing", "sudo apt install")


def test_unknown_option():
    answer = say([sys.executable, ROOT / "tools/bootstrap.py", "--fast"])
    assert_one_sentence(answer, "Expected nothing, --newest, --current or --probe; got --fast")


def test_bootstrap_is_parsed_by_old_pythons():
    """No syntax that Python 2.7 does not know: it would fail on it before it could say that it is too old."""
    too_young = (
        ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Nonlocal, ast.YieldFrom, ast.Match
    )  # fmt: skip
    for node in ast.walk(ast.parse((ROOT / "tools/bootstrap.py").read_text(encoding="utf-8"))):
        assert not isinstance(node, too_young), ast.unparse(node)
        if isinstance(node, ast.Raise):
            assert not node.cause, ast.unparse(node)
        if isinstance(node, ast.FunctionDef):
            annotated = [node.returns, *(argument.annotation for argument in node.args.args)]
            assert [*filter(None, annotated), *node.args.kwonlyargs, *node.args.posonlyargs] == [], node.name
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            assert not any(isinstance(element, ast.Starred) for element in node.elts), ast.unparse(node)


def executable(folder, name, text):
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def choose(path, **variables):
    return say(["/bin/sh", ROOT / "tools/python.sh", "-c", "import sys; sys.exit('ran')"], PATH=str(path), **variables)


def test_no_python_at_all(tmp_path):
    assert_one_sentence(choose(tmp_path), "No Python was found", "install Python 3.11")


def test_python_variable_that_cannot_be_run(tmp_path):
    assert_one_sentence(choose(tmp_path, PYTHON="/no/such python"), "'/no/such python', which cannot be run")


def test_names_that_fail_when_called_are_passed_over(tmp_path):
    executable(tmp_path, "python3.13", "echo 'no such version' >&2; exit 127")
    executable(tmp_path, "python3.11", f"exec '{sys.executable}' \"$@\"")
    assert choose(tmp_path) == (1, ["ran"])


def test_python_without_venv_is_passed_over_for_one_with_it(tmp_path):
    executable(tmp_path, "python3.13", 'case "$*" in *probe*) echo "no venv" >&2; exit 1;; esac')
    executable(tmp_path, "python3", f"exec '{sys.executable}' \"$@\"")
    assert choose(tmp_path) == (1, ["ran"])


def test_where_no_python_serves_the_first_says_why(tmp_path):
    executable(tmp_path, "python3.13", 'case "$*" in *probe*) echo "no venv" >&2; exit 1;; esac')
    assert_one_sentence(choose(tmp_path), "no venv")


def test_no_network_leaves_no_environment(project):
    answer = say([sys.executable, "tools/bootstrap.py"], project, **OFFLINE)
    assert_one_sentence(answer, "pip cannot reach its package index", "check the network connection")
    assert not (project / ".venv").exists()


def test_no_network_leaves_the_old_environment(project):
    old = project / ".venv"
    old.mkdir()
    (old / "mcbook-environment.json").write_text('{"packages": "of an older lock"}', encoding="utf-8")
    answer = say([sys.executable, "tools/bootstrap.py"], project, **OFFLINE)
    assert_one_sentence(answer, "pip cannot reach its package index")
    assert (old / "mcbook-environment.json").read_text(encoding="utf-8") == '{"packages": "of an older lock"}'
    assert not (project / ".venv.previous").exists()


def test_missing_lock(project):
    (project / "requirements.lock").unlink()
    assert_one_sentence(say([sys.executable, "tools/bootstrap.py"], project), "requirements.lock is missing")


def test_environment_of_someone_else_without_python_is_not_touched(project):
    (project / ".venv").mkdir()
    (project / ".venv" / "theirs").touch()
    answer = say([sys.executable, "tools/bootstrap.py"], project)
    assert_one_sentence(answer, ".venv was not made by this project", "move it away or delete it")
    assert (project / ".venv" / "theirs").exists()


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disk is full"),
        ("THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "differs from the one in"),
        ("ERROR: No matching distribution found for numba==0.68.1", "no ready-made package of numba"),
        ("WARNING: Retrying: NewConnectionError\nERROR: No matching distribution found for six", "index"),
        ("The virtual environment was not created successfully because ensurepip is not available", "apt install"),
        ("something nobody thought of", "    something nobody thought of"),
    ],
)
def test_what_pip_says_is_explained(output, expected):
    assert expected in bootstrap.explain(output)


@pytest.mark.parametrize(
    ("number", "expected"),
    [(errno.ENOSPC, "disk is full"), (errno.EACCES, "cannot be written to"), (errno.EIO, "Input/output error")],
)
def test_what_the_system_says_is_explained(number, expected):
    assert expected in bootstrap.explain_system_error(OSError(number, os.strerror(number)))


@pytest.fixture
def steps(project, monkeypatch):
    """The list of the steps that bootstrap takes in the small project, with the slow ones replaced."""
    taken = []
    for name, path in {"ROOT": "", "LOCK": "requirements.lock", "PROJECT": "pyproject.toml", "VENV": ".venv",
                       "VENV_ASIDE": ".venv.previous", "STAMP": ".venv/mcbook-environment.json"}.items():  # fmt: skip
        monkeypatch.setattr(bootstrap, name, str(project / path))
    monkeypatch.setattr(bootstrap, "VENV_PYTHON", sys.executable)
    monkeypatch.setattr(bootstrap, "run", lambda command: taken.append("venv"))
    monkeypatch.setattr(bootstrap, "install_packages", lambda newest: taken.append("newest" if newest else "lock"))
    monkeypatch.setattr(bootstrap, "install_mcbook", lambda: taken.append("mcbook"))
    monkeypatch.delenv("PYTHON", raising=False)
    assert bootstrap.main([]) == 0
    assert taken == ["venv", "lock", "mcbook"]
    taken.clear()
    return taken


def test_second_run_does_nothing(steps):
    assert bootstrap.main(["--current"]) == 0
    assert bootstrap.main([]) == 0
    assert steps == []


def test_changed_lock_makes_a_new_environment(steps, project):
    with (project / "requirements.lock").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    (project / ".venv" / "left over").touch()
    assert bootstrap.main(["--current"]) == 1
    assert bootstrap.main([]) == 0
    assert steps == ["venv", "lock", "mcbook"]
    assert not (project / ".venv" / "left over").exists()
    assert not (project / ".venv.previous").exists()


def test_changed_project_installs_only_mcbook(steps, project):
    with (project / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert bootstrap.main(["--current"]) == 1
    assert bootstrap.main([]) == 0
    assert steps == ["mcbook"]


def test_newest_versions_are_an_environment_of_their_own(steps):
    assert bootstrap.main(["--newest"]) == 0
    assert bootstrap.main(["--newest"]) == 0
    assert steps == ["venv", "newest", "mcbook"]
    assert bootstrap.main(["--current"]) == 1


def test_another_python_makes_a_new_environment(steps, project, monkeypatch):
    stamp = project / ".venv" / "mcbook-environment.json"
    stamp.write_text(json.dumps(json.loads(stamp.read_text()) | {"python": "3.99"}), encoding="utf-8")
    assert bootstrap.main([]) == 0
    assert steps == []
    monkeypatch.setenv("PYTHON", sys.executable)
    assert bootstrap.main([]) == 0
    assert steps == ["venv", "lock", "mcbook"]


def test_unfinished_environment_is_made_anew(steps, project):
    (project / ".venv" / "mcbook-environment.json").write_text("{}", encoding="utf-8")
    assert bootstrap.main([]) == 0
    assert steps == ["venv", "lock", "mcbook"]


def test_environment_of_someone_else_gets_the_packages(steps, project):
    (project / ".venv" / "mcbook-environment.json").unlink()
    (project / ".venv" / "theirs").touch()
    assert bootstrap.main([]) == 0
    assert steps == ["lock", "mcbook"]
    assert (project / ".venv" / "theirs").exists()


def test_interruption_leaves_the_old_environment(steps, project, monkeypatch):
    def interrupted(newest):
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "install_packages", interrupted)
    before = (project / ".venv" / "mcbook-environment.json").read_text()
    (project / "requirements.lock").write_text("# changed\n", encoding="utf-8")
    assert bootstrap.main([]) == 130
    assert (project / ".venv" / "mcbook-environment.json").read_text() == before
