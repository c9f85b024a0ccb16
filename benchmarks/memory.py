"""The largest size of this process, in megabytes."""

from __future__ import annotations

import sys
from pathlib import Path

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def start() -> float:
    """The size now; on Linux the record of the largest size begins anew here."""
    if _RESET.exists():
        _RESET.write_text("5", encoding="ascii")
    return peak()


def peak() -> float:
    """The largest size so far, since `start` where the system can forget what came before."""
    if _STATUS.exists():
        line = next(line for line in _STATUS.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
