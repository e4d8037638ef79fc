"""How fast we are beside scikit-learn: ``make bench``.

Ours and the peer's run by turns in one process, so that whatever else the machine does meets both.
Each row shows our median, the peer's and their ratio; all goes to ``benchmarks/results.json`` with
versions and the machine's size. No test asserts any of it.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
import tracemalloc
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn
from sklearn.datasets import load_digits, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

import dtree_lab as dt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RESULTS = Path(__file__).with_name("results.json")
SECONDS = 6.0  # about how long a row may take


@dataclass(frozen=True)
class Row:
    """One line of the table: medians in seconds, and the ratio to reach."""

    name: str
    ours: float
    peer: float
    ratio: float
    goal: float | None
    runs: int


def measured(
    name: str, ours: Callable[[], Any], peer: Callable[[], Any], goal: float | None
) -> Row:
    """Run both by turns and take the medians."""
    times: tuple[list[float], list[float]] = ([], [])
    begun = time.perf_counter()
    while len(times[0]) < 3 or (time.perf_counter() - begun < SECONDS and len(times[0]) < 200):
        for kept, run in zip(times, (ours, peer), strict=True):
            start = time.perf_counter()
            run()
            kept.append(time.perf_counter() - start)
    a, b = (statistics.median(kept) for kept in times)
    return Row(name, a, b, a / b, goal, len(times[0]))


def table_of(x: np.ndarray, y: np.ndarray) -> dt.Table:
    """A table of continuous columns with a discrete target."""
    columns = {f"x{i}": x[:, i] for i in range(x.shape[1])}
    return dt.Table.from_columns({**columns, "y": y}, target="y", kinds={"y": "discrete"})


def noisy(m: int, d: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Continuous columns of which three matter, and a noisy label."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(m, d))
    return x, (x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=m) > 0).astype(int)


def five_values(m: int = 200_000, d: int = 15) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers from 0 to 4, and a label that is wrong in a fifth of the rows."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, (m, d)).astype(float)
    return x, ((x[:, 0] + x[:, 1] > 1.5 * x[:, 2]) ^ (rng.random(m) < 0.2)).astype(int)


def growing(name: str, data: tuple[np.ndarray, np.ndarray], goal: float) -> Row:
    """Grow fully, by entropy; tables and arrays are ready for both."""
    table = table_of(*data)
    return measured(
        name,
        lambda: dt.id3(table),
        lambda: DecisionTreeClassifier(criterion="entropy", random_state=0).fit(*data),
        goal,
    )


def strings(goal: float) -> Row:
    """ID3 on words, which the peer has to encode first."""
    rng = np.random.default_rng(0)
    words = np.array(["red", "green", "blue", "black", "white", "grey"])
    x = words[rng.integers(0, 6, (100_000, 10))]
    y = np.where((x[:, 0] == x[:, 1]) ^ (rng.random(100_000) < 0.1), "yes", "no")
    table = dt.Table.from_columns({**{f"x{i}": x[:, i] for i in range(10)}, "y": y}, target="y")
    frame = x.astype(object)
    peer = make_pipeline(OrdinalEncoder(), DecisionTreeClassifier(criterion="entropy"))
    name = "strings 100,000 x 10, ID3 against encoding and growing"
    return measured(name, lambda: dt.id3(table), lambda: peer.fit(frame, y), goal)


def predicting(goal: float) -> Row:
    """Predict a million rows with trees grown on ten thousand."""
    x, y = noisy(10_000)
    ours, peer = dt.id3(table_of(x, y)), DecisionTreeClassifier(criterion="entropy").fit(x, y)
    many, labels = noisy(1_000_000)
    table = table_of(many, labels)
    name = "predict 1,000,000 x 20"
    return measured(name, lambda: ours.predict(table), lambda: peer.predict(many), goal)


def rows() -> Iterator[Row]:
    """Every row of the table."""
    iris, digits = load_iris(), load_digits()
    yield growing("iris 150 x 4, entropy", (iris.data, iris.target), 1.0)
    yield growing("digits 1,797 x 64, entropy", (digits.data, digits.target), 1.0)
    yield growing("10,000 x 20 continuous, two classes", noisy(10_000), 0.5)
    yield growing("100,000 x 20 continuous, two classes", noisy(100_000), 0.35)
    yield growing("200,000 x 15 integers of five values", five_values(), 0.5)
    yield strings(0.3)
    yield predicting(1.0)


def slope() -> float:
    """How growing scales: log time against log m, from 1,000 to 1,000,000 rows; fewer is better."""
    sizes = (1_000, 10_000, 100_000, 1_000_000)
    times = []
    for m in sizes:
        table = table_of(*noisy(m, d=5))
        times.append(measured("", lambda t=table: dt.id3(t, max_depth=12), lambda: None, None).ours)
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


def main() -> None:
    """Measure, print and write everything."""
    print(f"{'':56}{'ours':>10}{'peer':>10}{'ratio':>8}{'goal':>7}")
    kept = []
    for row in rows():
        kept.append(asdict(row))
        times = f"{1000 * row.ours:>7.1f} ms{1000 * row.peer:>7.1f} ms"
        print(f"{row.name:56}{times}{row.ratio:>8.2f}{row.goal:>7}", flush=True)
    growth, peak = slope(), memory()
    print(f"{'growing, log time against log rows':56}{'slope':>20}{growth:>8.2f}{1.15:>7}")
    print(f"{'peak memory above the table, 100,000 x 20':56}{'tables':>20}{peak:>8.2f}{4:>7}")
    about = {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
        "cores": os.cpu_count(),
        "machine": platform.machine(),
    }
    results = {"about": about, "rows": kept, "slope": growth, "peak_memory_in_tables": peak}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
