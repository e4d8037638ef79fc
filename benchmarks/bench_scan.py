"""Trees from rows in Parquet that DuckDB counts, within 2 GB, on two cores: ``make bench-scan``.

DuckDB makes the rows, 100 million of them: six words, four numbers of up to 1,000 different values,
two of as many as there are rows. Then each line is a process of its own: how long it took, by the
clock and of the processors, and its peak memory. It tells what rows, levels and attributes cost.

``python benchmarks/bench_scan.py 10_000_000`` takes so many rows.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
import warnings
from itertools import pairwise
from pathlib import Path

import duckdb

import dtree_lab as dt

ROWS = 100_000_000
WORDS = [f"chr(97 + (hash(i * 16 + {j}) % {4 + j})::INT) AS w{j}" for j in range(6)]
NUMBERS = [f"(hash(i * 16 + {6 + j}) % 1000)::SMALLINT AS n{j}" for j in range(4)]
FINE = [f"sqrt((hash(i * 16 + {10 + j}) >> 11)::DOUBLE) AS x{j}" for j in range(2)]
TARGET = """
    CASE WHEN hash(i * 16 + 15) % 20 = 0 THEN 'yes'
         WHEN n0 < 300 AND w0 IN ('a', 'b') OR x0 > 8e7 AND n1 >= 500 THEN 'yes'
         ELSE 'no' END AS y
"""
ALL = [*(f"w{j}" for j in range(6)), *(f"n{j}" for j in range(4)), "x0", "x1"]
FEW, SOME = ALL[:2] + ALL[6:8], ALL[:4] + ALL[6:10]
# What is grown: how many of the four files, the deepest question, attributes.
LINES = ((1, 2, SOME), (4, 2, SOME), (4, 4, SOME), (4, 4, FEW), (4, 4, ALL))


def make(folder: str, rows: int) -> None:
    """Rows in Parquet, in four files."""
    columns = ", ".join([*WORDS, *NUMBERS, *FINE])
    for part in range(4):
        begin, end = rows * part // 4, rows * (part + 1) // 4
        inner = f"SELECT {columns}, i FROM range({begin}, {end}) AS rows(i)"  # noqa: S608
        query = f"SELECT * EXCLUDE (i), {TARGET} FROM ({inner})"  # noqa: S608
        connected().sql(f"COPY ({query}) TO '{folder}/{part}.parquet' (FORMAT parquet)")


def connected() -> duckdb.DuckDBPyConnection:
    """A database on two cores that keeps within half of the memory."""
    database = duckdb.connect(config={"threads": 2, "memory_limit": "1GB"})
    database.sql("SET enable_progress_bar = false")
    return database


def line(folder: str, files: int, depth: int, attributes: list[str]) -> None:
    """Grow one tree and say what it took."""
    paths = [f"{folder}/{part}.parquet" for part in range(files)]
    source = connected().read_parquet(paths).project(", ".join([*attributes, "y"]))
    warnings.simplefilter("ignore", dt.TableWarning)
    clock = [(time.perf_counter(), time.process_time())]
    scan = dt.Table.scan(source, "y", max_rows=0)
    clock.append((time.perf_counter(), time.process_time()))
    tree = dt.id3(scan, max_depth=depth, min_rows=1000)
    clock.append((time.perf_counter(), time.process_time()))
    opened, grown = (
        f"{b[0] - a[0]:.0f} s ({b[1] - a[1]:.0f} s of processors)" for a, b in pairwise(clock)
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
    print(
        f"{scan.n_rows:>11,} rows, {len(attributes):>2} attributes, depth {depth}: looked at in"
        f" {opened}, grown in {grown}; {tree.n_nodes} nodes, {peak:.2f} GB at most",
        flush=True,
    )


def main(arguments: list[str]) -> None:
    """All lines, each in a process of its own."""
    if len(arguments) > 1:
        folder, files, depth, *attributes = arguments
        line(folder, int(files), int(depth), attributes)
        return
    rows = int(arguments[0]) if arguments else ROWS
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        make(folder, rows)
        size = sum(path.stat().st_size for path in Path(folder).iterdir()) / (1 << 20)
        print(f"{rows:,} rows made in {time.perf_counter() - begin:.0f} s, {size:,.0f} MB")
        for files, depth, attributes in LINES:
            asked = [folder, str(files), str(depth), *attributes]
            subprocess.run([sys.executable, __file__, *asked], check=True)  # noqa: S603


if __name__ == "__main__":
    main(sys.argv[1:])
