"""Measure what ``import dtree_lab`` costs beyond numpy's own import (at most 0.15 s is wanted).

Not a test: a busy machine would fail it. The test is which modules stay unloaded
(tests/test_house.py).
"""

from __future__ import annotations

import statistics
import subprocess
import sys

RUNS = 7
TIMER = "import time, numpy; start = time.perf_counter(); {}; print(time.perf_counter() - start)"


def seconds(statement: str) -> float:
    """Return the median time of a statement in fresh interpreters that have numpy."""
    code = TIMER.format(statement)
    command = [sys.executable, "-c", code]
    return statistics.median(float(subprocess.check_output(command)) for _ in range(RUNS))


for tried in (
    "import dtree_lab",
    "import dtree_lab as dt; dt.id3(dt.datasets.tax_fraud())",
):
    print(f"{seconds(tried):.3f} s  {tried}")
