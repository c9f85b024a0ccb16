"""Makes the project's environment, .venv, from requirements.lock; does nothing where it is already up to date.

    python tools/bootstrap.py            make .venv, or bring it up to date
    python tools/bootstrap.py --newest   the same with the newest versions that pyproject.toml allows, not the lock's
    python tools/bootstrap.py --current  only say by the exit code whether .venv is up to date
    python tools/bootstrap.py --probe    only say whether this Python will do

It uses the standard library alone and no syntax younger than Python 2.7, so that an old Python is told what is wrong.
"""

from __future__ import print_function

import contextlib
import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

OLDEST, NEWEST = (3, 11), (3, 14)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOCK = os.path.join(ROOT, "requirements.lock")
PROJECT = os.path.join(ROOT, "pyproject.toml")
VENV = os.path.join(ROOT, ".venv")
VENV_ASIDE = os.path.join(ROOT, ".venv.previous")
STAMP = os.path.join(VENV, "mcbook-environment.json")
VENV_PYTHON = os.path.join(VENV, "Scripts", "python.exe") if os.name == "nt" else os.path.join(VENV, "bin", "python")

DISK_FULL = "The disk is full: free about 2 GB where the project lies and run the command again."
NOT_WRITABLE = "The project's directory cannot be written to: make it writable, or copy the project, and try again."
NO_INDEX = (
    "pip cannot reach its package index: check the network connection "
    "(or, behind a proxy or mirror, pip's settings) and run the command again."
)
# What pip or venv writes when it fails, and the sentence for it; the first that matches is said.
EXPLANATIONS = [
    (r"No space left on device|Disk quota exceeded|\[Errno 28\]", DISK_FULL),
    (r"Permission denied|Read-only file system", NOT_WRITABLE),
    (
        r"ensurepip is not available|No module named '?(ensurepip|pip|venv)\b",
        "This Python cannot make environments: on Debian and Ubuntu `sudo apt install python3-venv` helps.",
    ),
    (
        r"DO NOT MATCH THE HASHES",
        "A downloaded package differs from the one in requirements.lock, so nothing was installed: "
        "try again, and if it stays so, distrust the package index or the network in between.",
    ),
    (
        r"NewConnectionError|NameResolutionError|name resolution|[Cc]onnection refused|[Cc]onnection reset|timed out"
        r"|ConnectTimeout|Network is unreachable|ProxyError|SSLError|SSLCertVerification|Max retries exceeded"
        r"|ConnectionError|getaddrinfo failed|HTTP error 5\d\d|Could not fetch URL",
        NO_INDEX,
    ),
    (
        r"No matching distribution found for (?P<package>[\w.-]+)",
        "There is no ready-made package of {package} for this computer and this Python: "
        "try another Python from 3.11 to 3.14, as in `make PYTHON=python3.12 book`.",
    ),
]


class Failure(Exception):
    """One sentence for the person at the terminal: what is wrong and what to do."""


def main(arguments):
    unknown = set(arguments) - {"--newest", "--current", "--probe"}
    try:
        if unknown:
            raise Failure("Expected nothing, --newest, --current or --probe; got {}.".format(" ".join(sorted(unknown))))
        check_python()
        if "--current" in arguments:
            return 0 if is_current(read_stamp(), wanted_stamp("--newest" in arguments)) else 1
        if "--probe" not in arguments:
            bring_up_to_date(newest="--newest" in arguments)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    except EnvironmentError as error:
        print(explain_system_error(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; the environment is as it was before.", file=sys.stderr)
        return 130
    return 0


def check_python():
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        raise Failure(
            "Python {} ({}) is too {}: install Python 3.11, 3.12, 3.13 or 3.14, "
            "or name one that you have, as in `make PYTHON=/path/to/python3.12 book`.".format(
                spell(sys.version_info), sys.executable, "old" if sys.version_info[:2] < OLDEST else "new"
            )
        )
    from importlib.util import find_spec  # too young for the Pythons that the sentence above is for

    if not (find_spec("venv") and find_spec("ensurepip")):
        raise Failure(
            "Python {0} ({1}) cannot make environments, because its venv or ensurepip module is missing: "
            "on Debian and Ubuntu run `sudo apt install python{0}-venv`, then try again.".format(
                spell(sys.version_info), sys.executable
            )
        )


def spell(version):
    return "{}.{}".format(*version[:2])


def bring_up_to_date(newest):
    wanted, present = wanted_stamp(newest), read_stamp()
    if is_current(present, wanted):
        return
    if present is None and os.path.exists(VENV):
        adopt_foreign_environment(newest)
    elif has_same_packages(present, wanted):
        install_mcbook()
    else:
        with old_environment_kept_on_failure():
            create_environment()
            install_packages(newest)
            install_mcbook()
    write_stamp(dict(wanted, python=venv_version()))
    say(".venv is ready.")


def wanted_stamp(newest):
    project = digest_of(PROJECT)
    return {"root": ROOT, "packages": "newest " + project if newest else digest_of(LOCK), "project": project}


def digest_of(path):
    if not os.path.exists(path):
        name = os.path.basename(path)
        raise Failure("{0} is missing: get it back with `git checkout -- {0}` and run the command again.".format(name))
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def read_stamp():
    """None where .venv is absent or was not made here; an empty dict where it was made here but not finished."""
    if not os.path.exists(STAMP):
        return None
    with open(STAMP) as file:
        try:
            return json.load(file)
        except ValueError:
            return {}


def write_stamp(stamp):
    part = STAMP + ".part"
    with open(part, "w") as file:
        json.dump(stamp, file, indent=1, sort_keys=True)
    os.replace(part, STAMP)


def is_current(present, wanted):
    return has_same_packages(present, wanted) and present.get("project") == wanted["project"]


def has_same_packages(present, wanted):
    same = present and all(present.get(key) == wanted[key] for key in ("root", "packages"))
    return bool(same and has_asked_python(present) and venv_version())


def has_asked_python(present):
    """Whether .venv has the Python that the variable PYTHON asks for; where it is not set, any will do."""
    return not os.environ.get("PYTHON") or present.get("python") == spell(sys.version_info)


def venv_version():
    """The version of .venv's Python, or an empty string where it does not run (its base may have been uninstalled)."""
    command = [VENV_PYTHON, "-I", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        return subprocess.check_output(command, stderr=subprocess.DEVNULL, universal_newlines=True).strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def adopt_foreign_environment(newest):
    """Install into a .venv that someone made by hand; it is theirs, so it is not replaced."""
    if venv_version() not in [spell((3, minor)) for minor in range(OLDEST[1], NEWEST[1] + 1)]:
        raise Failure(
            "The directory .venv was not made by this project and holds no Python from {} to {}: "
            "move it away or delete it, then run the command again.".format(spell(OLDEST), spell(NEWEST))
        )
    install_packages(newest)
    install_mcbook()


@contextlib.contextmanager
def old_environment_kept_on_failure():
    """Whatever stops the making of the new environment, the old one, or none, is left, but no half of one."""
    shutil.rmtree(VENV_ASIDE, ignore_errors=True)
    if os.path.exists(VENV):
        os.rename(VENV, VENV_ASIDE)
    try:
        yield
    except BaseException:
        shutil.rmtree(VENV, ignore_errors=True)
        if os.path.exists(VENV_ASIDE):
            os.rename(VENV_ASIDE, VENV)
        raise
    shutil.rmtree(VENV_ASIDE, ignore_errors=True)


def create_environment():
    say("Making .venv with Python {} ...".format(spell(sys.version_info)))
    os.mkdir(VENV)
    write_stamp({})
    # The base: a Python that itself runs from .venv has just been moved aside.
    run([getattr(sys, "_base_executable", sys.executable), "-I", "-m", "venv", VENV])


def install_packages(newest):
    if newest:
        say("Installing the newest packages that pyproject.toml allows; this takes some minutes ...")
        pip_install("--upgrade", "--upgrade-strategy", "eager", "--prefer-binary", "-e", ROOT + "[book,test]")
        return
    with open(LOCK) as file:
        count = sum("==" in line for line in file if line[0].isalnum())
    say("Installing the {} packages of requirements.lock; this takes a minute or two ...".format(count))
    pip_install("--require-hashes", "--only-binary", ":all:", "-r", LOCK)


def install_mcbook():
    say("Installing mcbook itself ...")
    # Its build tools are in the lock, so nothing has to be fetched.
    pip_install("--no-deps", "--no-build-isolation", "-e", ROOT)


def pip_install(*arguments):
    pip = [VENV_PYTHON, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "2"]
    run(pip + ["install", "--quiet"] + list(arguments))


def run(command):
    process = subprocess.run(
        command,
        cwd=ROOT,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        errors="replace",
    )
    if process.returncode:
        raise Failure(explain(process.stdout))


def clean_environment():
    """The environment without what would make Python or pip look or install elsewhere than in .venv."""
    misleading = {"PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_CONSTRAINT"}
    return {name: value for name, value in os.environ.items() if name not in misleading}


def explain(output):
    for pattern, sentence in EXPLANATIONS:
        match = re.search(pattern, output)
        if match:
            return sentence.format(**match.groupdict())
    last_lines = "\n".join("    " + line for line in output.strip().splitlines()[-12:])
    return "The environment could not be made, for the reason in these last lines of the installer:\n" + last_lines


def explain_system_error(error):
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return DISK_FULL
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return NOT_WRITABLE
    return "The environment could not be made: {}.".format(error)


def say(line):
    print(line)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
