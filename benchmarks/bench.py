"""How fast we are beside scikit-learn: ``make bench``.

Ours and the peer's run by turns in one process, so that whatever else the machine does meets both.
Each row shows our median, the peer's and their ratio; all goes to ``benchmarks/results.json`` with
versions and the machine's size. No test asserts any of it.

``python benchmarks/bench.py forest`` runs the rows that have "forest" in their names, and keeps
nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
import tracemalloc
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import sklearn
from cases import CASES, Case, noisy, table_of, written

import dtree_lab as dt

RESULTS = Path(__file__).with_name("results.json")
SECONDS = 6.0  # about how long a row may take


@dataclass(frozen=True)
class Row:
    """One line of the table: medians in seconds; no peer's where there is none."""

    name: str
    ours: float
    peer: float | None
    ratio: float | None
    goal: float | None
    runs: int

    def __str__(self) -> str:
        ours = f"{self.name:62}{1000 * self.ours:>8.1f} ms"
        if self.peer is None:
            return ours
        return f"{ours}{1000 * self.peer:>8.1f} ms{self.ratio:>8.2f}{self.goal:>7}"


def measured(case: Case) -> Row:
    """Run both by turns and take the medians."""
    runs = [run for run in case.prepare() if run]
    times: list[list[float]] = [[] for _ in runs]
    begun = time.perf_counter()
    while len(times[0]) < 3 or (time.perf_counter() - begun < SECONDS and len(times[0]) < 200):
        for kept, run in zip(times, runs, strict=True):
            start = time.perf_counter()
            run()
            kept.append(time.perf_counter() - start)
    ours, *others = (statistics.median(kept) for kept in times)
    peer = others[0] if others else None
    return Row(case.name, ours, peer, ours / peer if peer else None, case.goal, len(times[0]))


def slope() -> float:
    """How growing scales: log time against log m, from 1,000 to 1,000,000 rows; fewer is better."""
    sizes = (1_000, 10_000, 100_000, 1_000_000)
    times = []
    for m in sizes:
        table = table_of(*noisy(m, d=5))
        grow = Case("", None, lambda t=table: (lambda: dt.id3(t, max_depth=12), None))
        times.append(measured(grow).ours)
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def memory() -> float:
    """Peak memory above the table while growing 100,000 x 20, in tables."""
    table = table_of(*noisy(100_000))
    size = sum(column.nbytes for column in (*table.columns, table.labels))
    dt.id3(table.take(range(1000)))  # what is made once
    tracemalloc.start()
    dt.id3(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / size


def memory_of_reading() -> float:
    """Peak memory while 15 MB of CSV are read, in sizes of the file."""
    path = written(100_000)
    dt.Table.read_csv(written(1_000), "y")  # what is made once
    tracemalloc.start()
    dt.Table.read_csv(path, "y")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / path.stat().st_size


def main() -> None:
    """Measure and print; write it down if that was everything."""
    parser = argparse.ArgumentParser(description="How fast we are beside scikit-learn.")
    parser.add_argument("part", nargs="?", default="", help="run only rows with this in the name")
    part = parser.parse_args().part
    print(f"{'':62}{'ours':>11}{'peer':>11}{'ratio':>8}{'goal':>7}")
    kept = []
    for case in CASES:
        if part in case.name:
            kept.append(measured(case))
            print(kept[-1], flush=True)
    if part:
        return
    growth, peak, read = slope(), memory(), memory_of_reading()
    print(f"{'growing, log time against log rows':62}{'slope':>22}{growth:>8.2f}{1.15:>7}")
    print(f"{'peak memory above the table, 100,000 x 20':62}{'tables':>22}{peak:>8.2f}{4:>7}")
    print(f"{'peak memory while read_csv reads 15 MB':62}{'files':>22}{read:>8.2f}{3:>7}")
    about = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
        "cores": os.cpu_count(),
        "machine": platform.machine(),
    }
    rows = [asdict(row) for row in kept]
    results = {"about": about, "rows": rows, "slope": growth, "peak_memory_in_tables": peak}
    results["peak_memory_of_read_csv_in_files"] = read
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
