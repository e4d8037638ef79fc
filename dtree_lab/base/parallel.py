"""Doing the same thing many times: on as many cores, or machines, as joblib is told to use.

Everything that is repeated goes through :func:`parallel_map`, so ``joblib.parallel_config`` moves
any of it: ``with joblib.parallel_config(n_jobs=4):`` to four cores, ``backend="dask"`` to a
cluster. The results are the same wherever they were worked out.

Several cores mean several processes: what is repeated are many short calls of numpy, between which
threads wait for each other longer than they work. A process takes half a second to start, so the
work begins here; others are started when what is left takes longer than that, they take over what
is still left once they are there, and meanwhile the work goes on here.
"""

from __future__ import annotations

import os
import pickle
import signal
import tempfile
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from dtree_lab.base.installing import missing

T = TypeVar("T")

# A bar that comes and goes within a moment only disturbs.
_SECONDS = 2.0
# Other processes are asked if the rest takes at least so many seconds: if they have to be started,
# and if they are still there.
_TO_START, _TO_SEND = 0.5, 0.1
# So long they stay when there is nothing to do.
_IDLE = 60


def parallel_map(
    task: Callable[..., T],
    arguments: Iterable[tuple[Any, ...]],
    *,
    what: str,
    n_jobs: int | None = None,
    common: tuple[Any, ...] = (),
) -> list[T]:
    """What a task returns for each of some arguments, in their order.

    `task` can be pickled. `what` is done, for the progress bar: ``"growing trees"``. `n_jobs` run
    at once; ``None`` leaves it to ``joblib.parallel_config``, -1 takes all cores. `common` comes
    before each run's own arguments; a process is sent it once.
    """
    each = list(arguments)
    jobs = min(at_once(n_jobs), len(each))
    nested = getattr(_inside, "one_of_many", False)
    if not nested and (joblib := _joblib(n_jobs)):
        backend, _ = joblib.parallel.get_active_backend()
        nested = getattr(backend, "nesting_level", 0)
        if not nested and type(backend).__name__ != "LokyBackend":  # somebody has chosen another
            pool = joblib.Parallel(n_jobs=n_jobs, return_as="generator")
            results = pool(joblib.delayed(_run)(task, *common, *one) for one in each)
            return list(watched(results, what=what, total=len(each)))
    alone = nested or jobs == 1
    done = _here(task, each, common) if alone else _shared(task, each, common, jobs)
    with closing(done):
        found = dict(watched(done, what=what, total=len(each)))
    return [found[i] for i in range(len(each))]


def at_once(n_jobs: int | None) -> int:
    """How many runs go at once; `n_jobs` as in :func:`parallel_map`."""
    joblib = _joblib(n_jobs)
    return joblib.effective_n_jobs(n_jobs) if joblib else 1


def _joblib(n_jobs: int | None) -> Any:
    """joblib, loaded when something is repeated; None where it is missing and one job will do."""
    try:
        return import_module("joblib")
    except ModuleNotFoundError as problem:
        if n_jobs in (None, 1):
            return None
        raise missing(problem.name, "parallel", f"n_jobs={n_jobs} needs") from problem


def watched(each: Iterable[T], *, what: str, total: int) -> Iterator[T]:
    """Some things one after the other, with a progress bar if they take more than two seconds.

    The environment variable TQDM_DISABLE turns the bar off; without tqdm there is none.
    """
    bars = _bars()
    if bars is None:
        yield from each
        return
    # disable=None: no bar where nobody looks, such as a log file. Given, it outdoes the variable.
    off = True if os.environ.get("TQDM_DISABLE") else None
    yield from bars.tqdm(each, what, total, leave=False, delay=_SECONDS, disable=off)


def run_watched(events: Generator[Any, None, T], ends_round: type, *, what: str, total: int) -> T:
    """What a generator of events returns at its end; :func:`watched` counts those of a kind."""
    results: list[T] = []

    def to_the_end() -> Iterator[Any]:
        results.append((yield from events))

    for _ in watched(
        (e for e in to_the_end() if isinstance(e, ends_round)), what=what, total=total
    ):
        pass
    return results[0]


@lru_cache(maxsize=1)  # once: what is ignored meanwhile is ignored in all threads
def _bars() -> Any:
    """tqdm, loaded when something is watched; None where it is missing, for a bar is a courtesy."""
    try:
        with warnings.catch_warnings():  # of a notebook without ipywidgets: the bar is text there
            warnings.simplefilter("ignore")
            return import_module("tqdm.auto")
    except ModuleNotFoundError:
        return None


def _run(task: Callable[..., T], *arguments: Any) -> T:
    """Run a task: a plain function, because Dask hashes what it calls but not what it hands on."""
    return task(*arguments)


# -- here, and in other processes ----------------------------------------------------------------

# What runs as one of many does not start processes of its own.
_inside = threading.local()


def _here(
    task: Callable[..., T], each: Sequence[tuple[Any, ...]], common: tuple[Any, ...]
) -> Generator[tuple[int, T], None, None]:
    for i, one in enumerate(each):
        yield i, task(*common, *one)


def _shared(
    task: Callable[..., T], each: Sequence[tuple[Any, ...]], common: tuple[Any, ...], jobs: int
) -> Generator[tuple[int, T], None, None]:
    """The results with their places, as they come: the first from here, where the work goes on."""
    left = deque(enumerate(each))
    begun = perf_counter()
    while left:
        i, one = left.popleft()
        yield i, _one_of_many(task, common, one)
        rest = (perf_counter() - begun) / (len(each) - len(left)) * len(left)
        if rest > (_TO_SEND if _idle(jobs - 1) else _TO_START):
            break
    if left:
        with _workers(jobs - 1) as pool, _written((task, common)) as path:
            try:
                yield from _Dealt(pool, path, left).results(task, common, jobs - 1)
            finally:
                left.clear()  # after an error nobody takes any more


class _Dealt:
    """Work that is dealt from both ends: here from the front, to the others from the back."""

    def __init__(self, pool: Any, path: str, left: deque[tuple[int, tuple[Any, ...]]]) -> None:
        self.pool, self.path, self.left = pool, path, left
        self.lock = threading.Condition()
        self.away = 0  # how many runs the others have
        self.back: deque[tuple[int, Future[Any]]] = deque()

    def results(
        self, task: Callable[..., T], common: tuple[Any, ...], workers: int
    ) -> Iterator[tuple[int, T]]:
        for _ in range(workers):  # each that is there asks for work
            self.pool.submit(_load, self.path).add_done_callback(self._asked)
        while True:
            with self.lock:
                mine = self.left.popleft() if self.left else None
                while mine is None and self.away and not self.back:
                    self.lock.wait()
                back = list(self.back)
                self.back.clear()
            for i, future in back:
                yield i, future.result()
            if mine is not None:
                yield mine[0], _one_of_many(task, common, mine[1])
            elif not back:
                return

    def _asked(self, future: Future[Any]) -> None:
        """Give work to who is ready; who could not be started gets none."""
        if not future.cancelled() and future.exception() is None:
            with self.lock:
                self._give()

    def _give(self) -> None:
        if self.left:
            i, one = self.left.pop()
            try:
                future = self.pool.submit(_far, self.path, one)
            except RuntimeError:  # the pool is broken or closed
                self.left.append((i, one))
                return
            self.away += 1
            future.add_done_callback(lambda done: self._came(i, done))

    def _came(self, i: int, future: Future[Any]) -> None:
        with self.lock:
            self.away -= 1
            self.back.append((i, future))
            if future.cancelled() or future.exception() is not None:
                self.left.clear()  # the error ends it all
            self._give()
            self.lock.notify()


def _one_of_many(task: Callable[..., T], common: tuple[Any, ...], arguments: tuple[Any, ...]) -> T:
    before = getattr(_inside, "one_of_many", False)
    _inside.one_of_many = True
    try:
        return task(*common, *arguments)
    finally:
        _inside.one_of_many = before


@contextmanager
def _written(what: Any) -> Iterator[str]:
    """A file with something that is the same for all runs, which each process reads once."""
    from joblib.externals.loky.backend.reduction import (  # noqa: PLC0415
        dump,  # takes what a notebook defines, too
    )

    with tempfile.TemporaryDirectory(prefix="dtree-lab-") as folder:
        path = Path(folder, "common.pickle")
        with path.open("wb") as file:
            dump(what, file, protocol=pickle.HIGHEST_PROTOCOL)
        yield str(path)


# -- the other processes -------------------------------------------------------------------------

# A pool that nobody uses at the moment: whose it is, how many processes, and until when they stay.
_waiting: list[tuple[int, int, float, Any]] = []


def _idle(workers: int) -> bool:
    """Whether so many processes wait for work."""
    now = perf_counter()
    return any(
        (pid, n) == (os.getpid(), workers) and now < until for pid, n, until, _ in _waiting[:]
    )


@contextmanager
def _workers(workers: int) -> Iterator[Any]:
    """Processes that work, those of last time if they still wait; they are gone after an error."""
    from joblib.externals import loky  # noqa: PLC0415

    pool = None
    while _waiting:
        pid, n, _, kept = _waiting.pop()
        if (pid, n) == (os.getpid(), workers):
            pool = kept
            break
        if pid == os.getpid():
            kept.shutdown(wait=False)
    if pool is None or not _works(pool):
        pool = loky.ProcessPoolExecutor(workers, timeout=_IDLE, initializer=_begin)
    try:
        yield pool
    except Exception:  # what the others have begun, they end
        pool.shutdown(wait=False)
        raise
    except BaseException:  # Ctrl+C, or nobody wants the rest
        _stop(pool)
        raise
    if _waiting:  # another thread was quicker
        pool.shutdown(wait=False)
    else:
        _waiting.append((os.getpid(), workers, perf_counter() + _IDLE, pool))


def _stop(pool: Any) -> None:
    """End processes in their work: the pool's own way fails if a result comes just then."""
    for process in list(pool._processes.values()):  # noqa: SLF001
        process.terminate()
    pool.shutdown(wait=True)


def _works(pool: Any) -> bool:
    """Whether a pool still takes work; one whose process was killed does not."""
    try:
        pool.submit(os.getpid)
    except RuntimeError:
        return False
    return True


def _begin() -> None:
    """What a process does first: Ctrl+C is for the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _load(path: str) -> None:
    """Get ready: what is read stays until something else is."""
    _read(path)


@lru_cache(maxsize=1)
def _read(path: str) -> Any:
    with Path(path).open("rb") as file:
        return pickle.load(file)  # noqa: S301 - written by the process that started this one


def _far(path: str, arguments: tuple[Any, ...]) -> Any:
    """Run the task of a file."""
    task, common = _read(path)
    return _one_of_many(task, common, arguments)
