"""Decision trees to learn and to teach with: grow them by hand, step by step, or at once.

>>> import dtree_lab as dt
>>> table = dt.datasets.tax_fraud()
>>> tree = dt.id3(table)
>>> tree.predict({"Refund": "No", "Marital Status": "Single", "Taxable Income": 85})
'Yes'

A table      dt.Table.read_csv(path, target=…), from_frame, _columns, _rows; scan; dt.datasets
             table.report(): what is suspicious; drop= an id; missing= for gaps; weights=
A tree       dt.id3, c45, cart(table, min_leaf=5), stump, by_hand; dt.compare: what each would gain
Many         dt.random_forest, bagged, adaboost, gradient_boosting; dt.gaussian_tree; n_jobs=2
Ask it       tree.predict(rows); shares: probabilities; importance(), leaves(table), explain(row)
How good     tree.error(table); dt.evaluate.holdout, accuracy, confusion, cross_validate, paired
Smaller      dt.prune; dt.prune.choose_alpha(dt.cart, table)
A picture    a tree that a cell ends with; dt.draw.plot (matplotlib), svg, text, rules, dot
Keep it      tree.to_json(), dt.Tree.from_json(text); dt.draw.python, sql; tree.to_sklearn()
How it grew  dt.steps, step by step
By hand      dt.TreeBuilder(table, tree=tree) in a notebook; other labs: dt.demo() names them
The course   dt.course; `dtree-lab` in a terminal opens it, dt.lecture gives a lecture
Further      dt.theory, populations, corpus, images; dtree_lab.sklearn for pipelines

dir(dt) lists every name, help(dt.id3) or dt.id3? explains one. In the project's folder:
docs/your-table.md, docs/peers.md (the same in scikit-learn, rpart and Weka), docs/library.md;
`make site` writes the reference, of every name and all that calls return, with a search.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dtree_lab.base.peers import MODULE, RETIRING, no_attribute, retiring

__version__ = "0.2.0"

# The list of what people call stands once, where type checkers look for it: in lines such as
# `from dtree_lab.grow.api import id3 as id3`.
_LISTED = re.compile(r"^from (dtree_lab[\w.]*) import (\w+) as \w+$", re.MULTILINE)
_LIST = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOME = {name: home for home, name in _LISTED.findall(_LIST)}


def _names() -> list[str]:
    """All names that can be had here: without the extra `labs`, none of a lab."""
    widgets = find_spec("anywidget") is not None
    return sorted(name for name, home in _HOME.items() if widgets or not home.endswith(".widget"))


def __getattr__(name: str) -> Any:
    if name == "__all__":
        # Of each of these help() would print all that there is to say: eight thousand lines.
        asker = sys._getframe(1).f_globals.get("__name__")  # noqa: SLF001 - as warnings find theirs
        if asker != "pydoc":
            return _names()
    if name in RETIRING:
        return retiring(name)
    if name not in _HOME:
        raise no_attribute(f"module {__name__!r}", name, MODULE)
    home = _HOME[name]
    if home == __name__:
        return import_module(f"{home}.{name}")
    found = getattr(import_module(home), name)
    globals()[name] = found  # the next look-up is an ordinary one
    return found


def __dir__() -> list[str]:
    return [name for name in globals() if name.startswith("__")] + _names()


def _in_notebooks() -> None:
    """A notebook shows a sentence for a guess without quotes, from its first guess on."""
    running = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if running is not None:
        import_module(f"{__name__}.base.unquoted").watch(running)


_in_notebooks()
