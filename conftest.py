"""What concerns all of pytest's runs, of tests/ and of the notebooks in book/."""

import os
import sys

# nbval imports jsonschema, which would build a grammar of internationalised addresses: two seconds in each process, for
# a format that no notebook's schema names. So nbval is loaded here (addopts keep it from loading itself), without it.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None says that there is none

# Only here may pytest be told of plug-ins: the notebooks it runs lie outside of tests/.
pytest_plugins = [*(["nbval.plugin"] if "nbval.plugin" not in sys.modules else []), "notebook_plugin"]

# The number that OpenMP would take by itself. Where it is set, scikit-learn need not ask joblib for the physical cores,
# which warns where the system does not tell, as in a container without /sys. To set LOKY_MAX_CPU_COUNT to the same
# number would not keep joblib from asking.
usable_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
os.environ.setdefault("OMP_NUM_THREADS", str(usable_cores))
