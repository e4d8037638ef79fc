"""Doing the same thing many times: on as many cores, or machines, as joblib is told to use.

Everything that is repeated goes through :func:`repeated`, so ``joblib.parallel_config`` moves any
of it: ``with joblib.parallel_config(n_jobs=4):`` to four cores, ``backend="dask"`` to a cluster.
The results are the same wherever they were worked out.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

# A bar that comes and goes within a moment only disturbs.
_SECONDS = 2.0


def repeated(
    task: Callable[..., T],
    arguments: Iterable[tuple[Any, ...]],
    *,
    what: str,
    n_jobs: int | None = None,
    threads: bool = False,
) -> list[T]:
    """What a task returns for each of some arguments, in their order.

    Parameters
    ----------
    task
        A function that can be pickled, unless it runs in threads.
    arguments
        For each run of the task what it is called with.
    what
        What is done, for the progress bar: ``"growing trees"``. It shows after two seconds.
    n_jobs
        How many at once; ``None`` leaves it to ``joblib.parallel_config``, -1 takes all cores.
    threads
        Prefer threads: for tasks that spend their time inside numpy.
    """
    import joblib  # noqa: PLC0415 - loaded when something is repeated

    each = list(arguments)
    pool = joblib.Parallel(
        n_jobs=n_jobs, prefer="threads" if threads else None, return_as="generator"
    )
    done = pool(joblib.delayed(_run)(task, *one) for one in each)
    return list(watched(done, what=what, total=len(each)))


def watched(each: Iterable[T], *, what: str, total: int) -> Iterator[T]:
    """Some things one after the other, with a progress bar if they take more than two seconds.

    For what cannot be done at once, such as the rounds of boosting. As everywhere in tqdm, the
    environment variable TQDM_DISABLE turns the bar off.
    """
    from tqdm.auto import tqdm  # noqa: PLC0415 - loaded when something is watched

    # disable=None: no bar where nobody looks, such as a log file. Given, it outdoes the variable.
    off = True if os.environ.get("TQDM_DISABLE") else None
    yield from tqdm(each, what, total, leave=False, delay=_SECONDS, disable=off)


def _run(task: Callable[..., T], *arguments: Any) -> T:
    """Run a task: a plain function, because Dask hashes what it calls but not what it hands on."""
    return task(*arguments)
