"""Decision trees to learn and to teach with: grow them by hand, step by step, or at once.

>>> import dtree_lab as dt
>>> table = dt.datasets.tax_fraud()
>>> tree = dt.id3(table)
>>> tree.predict({"Refund": "No", "Marital Status": "Single", "Taxable Income": 85})
'Yes'

Everything is loaded when it is first used, so that ``import dtree_lab`` costs next to nothing.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

# The list of what people call stands once, where type checkers look for it: in lines such as
# `from dtree_lab.grow.api import id3 as id3`.
_LISTED = re.compile(r"^from (dtree_lab[\w.]*) import (\w+) as \w+$", re.MULTILINE)
_LIST = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOME = {name: home for home, name in _LISTED.findall(_LIST)}

__all__ = sorted(_HOME)  # noqa: PLE0605 - computed, so that it cannot lag behind


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    home = _HOME[name]
    if home == __name__:
        return import_module(f"{home}.{name}")
    found = getattr(import_module(home), name)
    globals()[name] = found  # the next look-up is an ordinary one
    return found


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def _in_notebooks() -> None:
    """A notebook shows a sentence for a guess without quotes, from its first guess on."""
    running = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if running is not None:
        import_module(f"{__name__}.base.unquoted").watch(running)


_in_notebooks()
