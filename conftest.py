"""Keep the whole suite, notebooks and browser included, out of the user's home folder."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import pytest

# No test is timed: a busy machine must not fail one.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

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
    home = config.cache.mkdir("home")
    # Many containers forbid bytecode, and then each worker, kernel and server compiles all that it
    # loads anew: more than half of a kernel's start. Ours goes where nobody minds it.
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(home / "bytecode")
        sys.dont_write_bytecode = False
    # A progress bar comes when the machine is slow, and would be one output more in a notebook.
    os.environ["TQDM_DISABLE"] = "1"
    for variable, folder in FOLDERS.items():
        os.environ[variable] = str(home / folder)
