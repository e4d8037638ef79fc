"""Every engine that counts rows for ``dt.Table.scan``: run by hand, with what of them is installed.

    python tools/peers/engines.py     polars, DuckDB, Dask on two workers, Spark on this machine
    python tools/peers/engines.py pyspark

Each is held to what is grown from the rows themselves: from the penguins, with their gaps, and from
rows of all kinds whose numbers are counted in cells.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd

import dtree_lab as dt
from dtree_lab.table import scan as scanning

GROWERS = (dt.id3, dt.cart)
Frames = Callable[[pd.DataFrame], Any]


@contextmanager
def polars() -> Iterator[Frames]:
    """A lazy frame."""
    module = import_module("polars")
    yield lambda frame: module.from_pandas(frame).lazy()


@contextmanager
def duckdb() -> Iterator[Frames]:
    """A relation of a database in memory."""
    yield import_module("duckdb").connect().from_df


@contextmanager
def dask() -> Iterator[Frames]:
    """A frame in three parts, on two workers."""
    frames = import_module("dask.dataframe")
    few = import_module("dask").config.set({"dataframe.shuffle.method": "tasks"})
    with few, import_module("distributed").Client(n_workers=2, threads_per_worker=1):
        yield lambda frame: frames.from_pandas(frame, npartitions=3)


@contextmanager
def pyspark() -> Iterator[Frames]:
    """A data frame of Spark in local mode."""
    builder = import_module("pyspark.sql").SparkSession.builder.master("local[2]")
    quiet = builder.config("spark.ui.enabled", "false")
    session = quiet.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session.createDataFrame
    session.stop()


def of_all_kinds() -> pd.DataFrame:
    """Words, truth values, whole numbers and fractions with gaps, and a name with a dot."""
    rng = np.random.default_rng(7)
    n = 2000
    x = np.exp(rng.normal(size=n))
    words, truth = rng.choice(["p", "q", "r"], n).astype(object), rng.integers(0, 2, n) > 0
    y = np.where((x > 1) ^ (words == "p") ^ (rng.permutation(n) < n // 10), "yes", "no")
    x[rng.permutation(n) < n // 10] = np.nan
    whole = rng.integers(0, 9, n)
    return pd.DataFrame({"a.b": words, "x": x, "truth": truth, "whole": whole, "y": y})


def penguins() -> pd.DataFrame:
    """The course's, gaps included."""
    birds = dt.datasets.penguins(missing="keep")
    return pd.DataFrame({name: birds.column(name) for name in (*birds.names, birds.target.name)})


def differing(frame: pd.DataFrame, source: Any, coarse: list[Any]) -> list[str]:
    """What does not come out as from the rows; `coarse` is what other engines' cells have grown."""
    target = frame.columns[-1]
    rows = dt.Table.from_frame(frame, target, missing="keep")
    few = dt.Table.scan(source, target, missing="keep")
    scan = dt.Table.scan(source, target, missing="keep", max_rows=0)
    wrong = [] if few.n_ticks == rows.n_rows else ["rows"]
    for grow in GROWERS:
        tree = grow(rows, max_depth=3)
        wrong += [f"{grow.__name__} of counted rows"] * (grow(few, max_depth=3) != tree)
        wrong += [f"{grow.__name__} of counts"] * (grow(scan, max_depth=3) != tree)
        wrong += ["an error"] * (tree.error(scan) != tree.error(rows))
    most, scanning.MOST_VALUES = scanning.MOST_VALUES, 50
    cells = dt.Table.scan(source, target, missing="keep", max_rows=0)
    scanning.MOST_VALUES = most
    coarse.append((cells.coarse, dt.cart(cells, max_depth=2)))
    return wrong + ["cells"] * (coarse[0] != coarse[-1])


def main(names: list[str]) -> int:
    """Say of each engine what differs; 1 if something does."""
    warnings.simplefilter("ignore")
    wrong = 0
    coarse: dict[str, list[Any]] = {"penguins": [], "all kinds": []}
    engines = (polars, duckdb, dask, pyspark)
    for engine in [one for one in engines if one.__name__ in (names or one.__name__)]:
        try:
            with engine() as read:
                for name, frame in (("penguins", penguins()), ("all kinds", of_all_kinds())):
                    found = differing(frame, read(frame), coarse[name])
                    wrong += len(found)
                    print(
                        f"{engine.__name__:8} {name}: {', '.join(found) or 'the same'}", flush=True
                    )
        except ImportError as error:
            print(f"{engine.__name__:8} not installed ({error.name})")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
