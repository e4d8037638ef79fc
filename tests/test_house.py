"""The house rules that imports must keep: one direction, and each peer in its own place."""

from __future__ import annotations

import ast
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
from cases import each

PACKAGE = Path(__file__).parents[1] / "dtree_lab"
# From the ground up: a module imports from its own layer and from those before it.
LAYERS = (
    ("shown", "escape", "terminal", "unquoted"),
    ("doubts", "numerals", "table", "reading", "sources", "csvfile", "csvcells", "encoding"),
    ("datasets", "images", "populations", "corpus"),
    ("criteria", "variance"),
    ("splits",),
    ("routing",),
    ("tree", "flat", "treejson"),
    ("learn",),
    ("evaluate", "theory", "prune"),
    ("draw",),
    ("widgets",),
    ("course",),
    ("cli", "cli_assignment", "cli_demo", "workcopy", "sklearn"),
)
HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}
# What can be shown finds out how only when it is shown, so that the drawing code stays unloaded.
UPWARD = {("shown", "draw")}
# Where each library that is not Python's own may be imported, even inside a function.
HOMES = {
    "numpy": ("*",),
    "narwhals": ("sources.py",),
    "matplotlib": ("draw/mpl.py",),
    "ipywidgets": ("widgets/*widget.py",),
    "anywidget": ("widgets/*widget.py",),
    "traitlets": ("widgets/*widget.py",),
    "IPython": ("widgets/*widget.py",),
    "jupyterlab": ("cli.py",),
    "voila": ("cli_demo.py",),
    "tornado": ("cli_demo.py",),
    "sklearn": ("sklearn/*",),
    "joblib": ("learn/repeats.py",),
    "tqdm": ("learn/repeats.py",),
}
# What `import dtree_lab` leaves for the moment when it is used.
LATE = (
    "anywidget",
    "IPython",
    "ipywidgets",
    "matplotlib",
    "narwhals",
    "pandas",
    "sklearn",
    "traitlets",
)


def imports(source: str, package: str) -> set[str]:
    """Every module that a source imports, anywhere in it, by absolute name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=module, names=names, level=level):
                base = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                start = ".".join([*base, *([module] if module else [])])
                # `from dtree_lab import tree` imports a module too.
                found |= {f"{start}.{alias.name}" for alias in names}
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__")
                | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                found.add(name)
    return found


def complaints(place: str, source: str) -> list[str]:
    """What a module at ``place``, such as ``"learn/grow.py"``, imports against the rules."""
    path = Path(place)
    own = path.parts[0].removesuffix(".py")
    package = ".".join(["dtree_lab", *path.parent.parts])
    found = []
    for name in sorted(imports(source, package)):
        top, *rest = name.split(".")
        if top == "dtree_lab":
            above = rest and HEIGHT.get(rest[0], -1) > HEIGHT[own] and (own, rest[0]) not in UPWARD
            if above:
                found.append(f"{place} imports {name}, which is above it")
            if not rest or (len(rest) == 1 and rest[0] not in HEIGHT):
                found.append(f"{place} imports {name} from the public face; import its module")
        elif top not in sys.stdlib_module_names and not any(
            fnmatch(place, home) for home in HOMES.get(top, ())
        ):
            found.append(f"{place} imports {top}, which has no place there")
    return found


MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


@each("place", [name for name in MODULES if name != "__init__.py"])
def test_imports_go_one_way(place):
    own = Path(place).parts[0].removesuffix(".py")
    assert own in HEIGHT, f"{own} has no layer: put it in LAYERS"
    assert complaints(place, (PACKAGE / place).read_text(encoding="utf-8")) == []


@each(
    ("place", "source"),
    [
        ("table.py", "from dtree_lab.tree import Tree"),
        ("table.py", "def f():\n    import dtree_lab.tree"),
        ("table.py", "from dtree_lab import splits"),
        ("table.py", "from . import splits"),
        ("learn/grow.py", "from ..draw import svg"),
        ("learn/grow.py", "from ..draw.svg import picture"),
        ("tree.py", "from importlib import import_module\nimport_module('dtree_lab.draw')"),
        ("learn/grow.py", "from dtree_lab import id3"),
        ("learn/grow.py", "import dtree_lab as dt"),
        ("widgets/treebuilder/model.py", "import traitlets"),
        ("draw/svg.py", "from matplotlib import pyplot"),
        ("learn/grow.py", "import pandas"),
    ],
)
def test_the_rules_catch(place, source):
    assert complaints(place, source) != []


@pytest.mark.parametrize(
    ("place", "source"),
    [
        ("tree.py", "import json\nimport numpy as np\nfrom dtree_lab.table import Table"),
        ("learn/grow.py", "from dtree_lab.learn.recipe import Recipe"),
        ("learn/grow.py", "from .recipe import Recipe"),
        ("learn/grow.py", "from dtree_lab import splits as s"),
        ("shown.py", "import importlib\nimportlib.import_module('dtree_lab.draw')"),
        ("widgets/treebuilder/widget.py", "import anywidget, traitlets"),
        ("widgets/shared/widget.py", "import ipywidgets"),
        ("draw/mpl.py", "def f():\n    import matplotlib"),
    ],
)
def test_the_rules_allow(place, source):
    assert complaints(place, source) == []


def test_importing_loads_no_more_than_numpy():
    code = f"import sys, dtree_lab; print(*sorted(set({LATE!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
