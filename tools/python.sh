#!/bin/sh
# Runs its arguments with the first Python on this machine that the project can be built with: sh tools/python.sh SCRIPT ...
# Candidates are run, not only looked up: version managers leave names on the PATH that fail when called.
# PYTHON, where set, is the only candidate.

bootstrap=${0%/*}/bootstrap.py
runs=""
IFS=:
for candidate in ${PYTHON:-python3.13:python3.12:python3.11:python3.14:python3:python}; do
    "$candidate" -c "" >/dev/null 2>&1 || continue
    [ -n "$runs" ] || runs=$candidate
    "$candidate" "$bootstrap" --probe >/dev/null 2>&1 && exec "$candidate" "$@"
done
if [ -n "$runs" ]; then
    exec "$runs" "$bootstrap" --probe
fi
if [ -n "$PYTHON" ]; then
    echo "PYTHON is set to '$PYTHON', which cannot be run: set it to a Python 3.11, 3.12, 3.13 or 3.14, or unset it." >&2
else
    echo "No Python was found: install Python 3.11, 3.12, 3.13 or 3.14 (on Debian and Ubuntu: sudo apt install python3 python3-venv; on macOS: from python.org or Homebrew) and run the command again." >&2
fi
exit 1
