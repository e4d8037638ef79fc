"""Keep the whole suite, notebooks and browser included, out of the user's home folder.

And how thorough it is: ``make test`` runs the quick profile, the same examples each time, and
``make thorough`` all there is, with new ones. What those find becomes an example of its test.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from effort import EFFORT, profile, scale
from hypothesis import HealthCheck, settings

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LEFT_OUT = pytest.StashKey[int]()  # how many tests
for _name in EFFORT:
    # No test is timed: a busy machine must not fail one.
    settings.register_profile(
        _name,
        deadline=None,
        derandomize=_name != "thorough",  # what is green today is green tomorrow
        max_examples=100,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("quick")  # unless pytest is given --hypothesis-profile

FOLDERS = {
    "IPYTHONDIR": "ipython",
    "JUPYTER_CONFIG_DIR": "jupyter/config",
    "JUPYTER_DATA_DIR": "jupyter/data",
    "JUPYTER_RUNTIME_DIR": "jupyter/runtime",
    # Kept from run to run: matplotlib's first look at the fonts takes seconds.
    "MPLCONFIGDIR": "matplotlib",
}


def pytest_configure(config: pytest.Config) -> None:
    """Move what Jupyter, IPython and matplotlib write; the kernels that we start inherit it."""
    home = _home(config)
    # Many containers forbid bytecode, and then each worker, kernel and server compiles all that it
    # loads anew: more than half of a kernel's start. It lies beside the sources, as is usual, where
    # programs without our environment have it, too: a learner's, when it is judged.
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        sys.dont_write_bytecode = False
    # A progress bar comes when the machine is slow, and would be one output more in a notebook.
    os.environ["TQDM_DISABLE"] = "1"
    for variable, folder in FOLDERS.items():
        os.environ[variable] = str(home / folder)


def _home(config: pytest.Config) -> Path:
    """A folder that is kept from run to run; one for this run where pytest is to keep nothing."""
    if hasattr(config, "cache"):
        return config.cache.mkdir("home")
    folder = tempfile.TemporaryDirectory(prefix="dtree-lab-tests-")
    config.add_cleanup(folder.cleanup)
    return Path(folder.name)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[Any, Any, Any]:
    """Collect while the workers that come later wait for what the first of them compiles.

    Each would rewrite and compile all tests and all that they load anew: more than half of its
    work. What has been loaded stays to the end, and is not looked through for garbage: pytest does
    that ten times when it ends, which would take as long as loading does.
    """
    gc.disable()
    try:
        with _turn(session.config):
            return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)  # of what tests make, too, a tenth of the time went into looking
        gc.enable()


@contextmanager
def _turn(config: pytest.Config) -> Iterator[None]:
    """Hold all other workers up, where none of this run has collected yet."""
    worker = getattr(config, "workerinput", None)
    if worker is None or fcntl is None:
        yield
        return
    with (_home(config) / "collected").open("a+", encoding="utf-8") as last:
        fcntl.flock(last, fcntl.LOCK_EX)  # which a worker that dies lets go of, too
        last.seek(0)
        if last.read() != worker["testrunuid"]:
            yield
            last.truncate(0)
            last.write(worker["testrunuid"])
            return
    yield


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Generator[Any, Any, Any]:
    """Give a notebook that nbval has collected one test more, of the whole (keptnotebooks.py)."""
    collectors = yield
    if file_path.suffix != ".ipynb" or not any(collectors):
        return collectors
    from keptnotebooks import KeptNotebook  # noqa: PLC0415 - nbval may be left out

    return [KeptNotebook.from_parent(parent, path=file_path)]


@pytest.hookimpl(trylast=True)  # all marks have been set
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give each property its number of examples; leave the long tests to ``make thorough``."""
    for test in {id(test): test for test in map(_function, items)}.values():
        scale(test)
    if profile() == "thorough":
        return
    long = [item for item in items if item.get_closest_marker("thorough")]
    if long:
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=long)
    config.stash[LEFT_OUT] = len(long)


def _function(item: pytest.Item) -> Any:
    test = getattr(item, "obj", None)
    return getattr(test, "__func__", test)


@pytest.hookimpl(optionalhook=True)  # one of pytest-xdist's
def pytest_xdist_auto_num_workers() -> int:
    """Two for each core: who drives a browser or a kernel waits half the time."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(optionalhook=True)  # one of pytest-xdist's
def pytest_testnodedown(node: Any) -> None:
    """Keep what a worker says; each of them left out all of these."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the main process, from a worker, how many tests were left out."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = session.config.stash.get(LEFT_OUT, 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how many tests were left out, and how to run them."""
    left = config.stash.get(LEFT_OUT, 0)
    if left:
        terminalreporter.write_line(f"{left} long tests were left out: make thorough runs them too")
