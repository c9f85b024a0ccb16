#!/bin/sh
# Runs its arguments with the first Python of this machine that can make the environment: sh tools/python.sh -m venv .venv
# Candidates are run, not only looked up: version managers leave names on the PATH that fail when called.
# PYTHON, where set, is the only candidate.

for candidate in ${PYTHON:-python3.13 python3.12 python3.11 python3.14 python3 python}; do
    "$candidate" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' \
        >/dev/null 2>&1 && exec "$candidate" "$@"
done
echo "Expected a Python from 3.11 to 3.14 with its module venv, got ${PYTHON:-none on the PATH}: install one (on" \
    "Debian and Ubuntu: sudo apt install python3 python3-venv; on macOS: from python.org or Homebrew)," \
    "or name it, as in: make PYTHON=/path/to/python3.12 book" >&2
exit 1
