"""The house rules: imports go one way and in no circle, and a name stands for one thing."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dtree_lab"
# What lies in the checkout's root, and what kinds of files there are below it.
IN_ROOT = {
    *(".gitignore", ".pre-commit-config.yaml", "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md"),
    "LICENSE",
    *("Makefile", "README.md", "SECURITY.md", "conftest.py", "constraints.txt", "pyproject.toml"),
    *(".ci", ".github", "benchmarks", "docs", "dtree_lab", "notebooks", "tests", "tools"),
}
PICTURES = {".gif", ".png"}
KINDS = PICTURES | {
    *(".R", ".css", ".csv", ".html", ".ipynb", ".j2", ".js", ".json", ".md", ".mjs", ".py", ".pyi"),
    *(".sh", ".svg", ".toml", ".txt", ".typed", ".yaml", ".yml"),
}
# From the ground up: a room's files import from their own room and from those before it.
LAYERS = (
    ("base",),
    ("table",),
    ("datasets", "corpus", "populations", "criteria"),
    ("tree",),
    ("grow",),
    ("doors",),
    ("continuous",),
    ("ensemble",),
    ("evaluate", "images"),
    ("prune",),
    ("theory",),
    ("draw",),
    ("labs",),
    ("course",),
    ("stage",),
    ("grading",),
    ("cli", "sklearn"),
)
HEIGHT = {name: height for height, layer in enumerate(LAYERS) for name in layer}
# What can be shown finds out how only when it is shown, so that the drawing code stays unloaded.
# A tree's own methods that read one from a model, or make one, import who does when called.
UPWARD = {
    ("base/text.py", "dtree_lab.draw"),
    ("tree/exchange.py", "dtree_lab.doors.opening.tree_from_model"),
    ("tree/exchange.py", "dtree_lab.sklearn.exporting.estimator_of"),
}
# Code that a lecturer writes is given the public face, as a notebook is.
FACED = {"stage/opening.py"}
# The circles that are meant: what a thing looks like is found out when it is shown, and a class's
# own methods that read one from somewhere import the reader when they are called.
TOLD = {
    "base.text": {"draw"},
    "table.table": {
        *("table.csvcells", "table.csvfile", "table.reading", "table.report", "table.scan"),
        "table.sources",
    },
    "tree.exchange": {"doors.opening", "sklearn.exporting", "tree.saved"},
    "tree.tree": {"tree.leaves"},
}
# Where each library that is not Python's own may be imported, even inside a function.
HOMES = {
    "numpy": ("*",),
    "narwhals": ("table/scan.py", "table/sources.py"),
    "matplotlib": ("draw/mpl.py",),
    "ipywidgets": ("labs/*widget.py",),
    "anywidget": ("labs/*widget.py",),
    "traitlets": ("labs/*widget.py", "labs/traits.py"),
    "IPython": ("labs/*widget.py", "grading/runner.py"),
    "jupyterlab": ("cli/main.py",),
    "tornado": ("cli/demo.py", "stage/server.py", "stage/classroom.py"),
    "platformdirs": ("stage/server.py",),
    "yaml": ("stage/frontmatter.py",),
    "mistune": ("stage/words.py",),
    "latex2mathml": ("stage/words.py",),
    "segno": ("stage/server.py",),
    "nbgrader": ("grading/gradebook.py",),
    "sklearn": ("sklearn/*",),
    "scipy": ("sklearn/*",),
    "joblib": ("base/parallel.py",),
    "tqdm": ("base/parallel.py",),
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What several modules call by one name because it is one thing in each of them.
MANY_PLACES = {
    # Each command, and each program that another process is.
    "main": ("cli/*", "grading/runner.py", "grading/worker.py"),
    # The options that several commands share, added to each of them.
    "add_options": ("cli/*",),
    # What a lab's model can do; a question of the course is one too.
    **dict.fromkeys(
        ("start", "dump", "update", "work", "view"), ("labs/*", "course/asking/model.py")
    ),
    # The same, and in a lesson that of its own table.
    "load": ("labs/*", "course/lessons/*"),
}
# They say that something happened, and not what it is: `lines`, `sentence`, `candidates`, `row`.
PARTICIPLES = {"told", "said", "found", "one", "made", "asked"}
# What people type, or have kept.
PUBLIC = {
    "tree/differences.py": {"one", "told"},
    "continuous/intervals.py": {"asked"},
    "labs/lab_widget.py": {"told"},  # a trait, which saved notebooks hold
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
SOURCES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("*.py"))
}
# The face of the house names everything, and imports nothing before it is asked for.
ROOMS = {place: source for place, source in SOURCES.items() if place != "__init__.py"}
# Most rules ask each module, and reading one takes far longer than asking it.
parsed = cache(ast.parse)


@cache
def imports(source: str, package: str) -> set[str]:
    """Every module that a source imports, anywhere in it, by absolute name."""
    found: set[str] = set()
    for node in ast.walk(parsed(source)):
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
    """What a module at ``place``, such as ``"grow/recipe.py"``, imports against the rules."""
    path = Path(place)
    own = path.parts[0].removesuffix(".py")
    if own not in HEIGHT:
        return [f"{own} has no layer: put it in LAYERS"]
    package = ".".join(["dtree_lab", *path.parent.parts])
    found = []
    for name in sorted(imports(source, package)):
        top, *rest = name.split(".")
        if top == "dtree_lab":
            if rest and HEIGHT.get(rest[0], -1) > HEIGHT[own] and (place, name) not in UPWARD:
                found.append(f"{place} imports {name}, which is above it")
            if place not in FACED and (not rest or (len(rest) == 1 and rest[0] not in HEIGHT)):
                found.append(f"{place} imports {name} from the public face; import its module")
        elif top not in sys.stdlib_module_names and not any(
            fnmatch(place, home) for home in HOMES.get(top, ())
        ):
            found.append(f"{place} imports {top}, which has no place there")
    return found


def circles(sources: dict[str, str], told: dict[str, set[str]]) -> list[str]:
    """Modules that import each other on whatever way, for types only or late included."""
    names = {
        place: place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for place in sources
    }
    modules = set(names.values())
    leads: dict[str, set[str]] = defaultdict(set)
    for place, name in names.items():
        for full in imports(sources[place], ".".join(["dtree_lab", *Path(place).parent.parts])):
            inner = full.removeprefix("dtree_lab.")
            to = inner if inner in modules else inner.rpartition(".")[0]
            if to in modules and to != name and to not in told.get(name, ()):
                leads[name].add(to)
    below = {name: _reached(name, leads) for name in modules}
    return [
        f"{one} imports {other}, and is imported by it in the end"
        for one in sorted(below)
        for other in sorted(leads.get(one, ()))
        if one in below[other]
    ]


def _reached(start: str, leads: dict[str, set[str]]) -> set[str]:
    found, todo = set(), [start]
    while todo:
        new = leads.get(todo.pop(), set()) - found
        found |= new
        todo.extend(new)
    return found


def class_names(sources: dict[str, str]) -> dict[str, list[str]]:
    """Where each public class stands."""
    found = defaultdict(list)
    for place, source in sources.items():
        for node in parsed(source).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(place)
    return found


def function_names(sources: dict[str, str]) -> dict[str, list[str]]:
    """Where each public function of a module stands."""
    found = defaultdict(list)
    for place, source in sources.items():
        for name in {
            node.name
            for node in parsed(source).body
            if isinstance(node, FUNCTIONS) and not node.name.startswith("_")
        }:
            found[name].append(place)
    return found


def crossing_names(source: str) -> set[str]:
    """What a module hands out or takes: functions, parameters, attributes, names at its level."""
    tree = parsed(source)
    found = {node.id for top in tree.body for node in _targets(top)}
    for node in ast.walk(tree):
        match node:
            case ast.arguments():
                every = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
                found |= {arg.arg for arg in every if arg is not None}
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found.add(node.name)
            case ast.ClassDef():
                found |= {target.id for inner in node.body for target in _targets(inner)}
            case ast.Attribute(attr=name, ctx=ast.Store()):
                found.add(name)
    return found


def _targets(node: ast.AST) -> list[ast.Name]:
    """The names that an assignment gives values to."""
    if isinstance(node, ast.Assign):
        return [n for to in node.targets for n in ast.walk(to) if isinstance(n, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target]
    return []


def twice_named(source: str) -> dict[str, set[str]]:
    """The modules and names that a source imports under more than one name."""
    names: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                names[start + alias.name].add(alias.asname or alias.name)
    return {full: short for full, short in names.items() if len(short) > 1}


def test_imports_go_one_way():
    found = [line for place, source in ROOMS.items() for line in complaints(place, source)]
    assert not found, "\n".join(found)


def test_no_module_imports_itself_in_the_end():
    found = circles(ROOMS, TOLD)
    assert not found, "\n".join(found)


def test_the_circles_that_are_told_are_there():
    assert {line.split(" imports")[0] for line in circles(ROOMS, {})} > set(TOLD)


def test_a_class_name_stands_for_one_thing():
    found = {name: places for name, places in class_names(ROOMS).items() if len(places) > 1}
    # Every lab has a state, and it is never met beside another's.
    assert all(place.startswith("labs/") for place in found.pop("State", []))
    assert not found, "\n".join(f"{name}: {places}" for name, places in found.items())


def test_a_function_name_stands_for_one_thing():
    found = {name: places for name, places in function_names(ROOMS).items() if len(places) > 1}
    for name, places in MANY_PLACES.items():
        others = [at for at in found.pop(name, []) if not any(fnmatch(at, p) for p in places)]
        assert not others, (name, others)
    assert not found, "\n".join(f"{name}: {places}" for name, places in found.items())
    assert function_names({"a.py": "def f(): ...", "b.py": "async def f(): ..."})["f"] == [
        *("a.py", "b.py")
    ]


def test_a_name_says_what_a_thing_is():
    found = {
        place: names
        for place, source in ROOMS.items()
        if (names := (crossing_names(source) & PARTICIPLES) - PUBLIC.get(place, set()))
    }
    assert not found, "\n".join(f"{place}: {sorted(names)}" for place, names in found.items())
    for source in (
        *("def told(): ...", "def f(*, said): ...", "lambda one: 1", "class A:\n    made: int"),
        *("asked = 1", "def f(self):\n    self.found = 1", "class A:\n    def told(self): ..."),
    ):
        assert crossing_names(source) & PARTICIPLES, source
    assert not crossing_names("def f(lines):\n    found = [one for one in lines]") & PARTICIPLES


def test_what_a_file_imports_has_one_name_in_it():
    found = {place: names for place, source in SOURCES.items() if (names := twice_named(source))}
    assert not found
    assert twice_named("from a import b as c\nfrom a import b as d") == {"a.b": {"c", "d"}}
    assert twice_named("import a\ndef f():\n    import a\n    from a import b, c as d") == {}


def test_the_rules_catch():
    for place, source in (
        ("table/table.py", "from dtree_lab.tree.tree import Tree"),
        ("table/table.py", "def f():\n    import dtree_lab.tree"),
        ("table/table.py", "from dtree_lab import tree"),
        ("table/table.py", "from .. import tree"),
        ("grow/recipe.py", "from ..draw import svg"),
        ("grow/recipe.py", "from ..draw.as_svg import svg"),
        ("tree/tree.py", "from importlib import import_module\nimport_module('dtree_lab.draw')"),
        ("grow/recipe.py", "from dtree_lab import id3"),
        ("grow/recipe.py", "import dtree_lab as dt"),
        ("labs/entropy.py", "import traitlets"),
        ("draw/as_svg.py", "from matplotlib import pyplot"),
        ("grow/recipe.py", "import pandas"),
        ("nowhere/else.py", "import math"),
    ):
        assert complaints(place, source) != [], (place, source)
    assert (
        len(circles({"a.py": "from dtree_lab.b import x", "b.py": "import dtree_lab.a"}, {})) == 2
    )
    assert circles({"a.py": "from dtree_lab import b", "b.py": "def f():\n from .a import x"}, {})
    assert class_names({"a.py": "class A: ...", "b.py": "class A: ..."})["A"] == ["a.py", "b.py"]


def test_the_rules_allow():
    for place, source in (
        (
            "tree/tree.py",
            "import json\nimport numpy as np\nfrom dtree_lab.table.table import Table",
        ),
        ("grow/api.py", "from dtree_lab.grow.recipe import Recipe"),
        ("grow/api.py", "from .recipe import Recipe"),
        ("grow/api.py", "from dtree_lab.tree import splits as s"),
        ("base/text.py", "import importlib\nimportlib.import_module('dtree_lab.draw')"),
        ("labs/kit/widget.py", "import anywidget, traitlets, ipywidgets"),
        ("draw/mpl.py", "def f():\n    import matplotlib"),
    ):
        assert complaints(place, source) == [], (place, source)
    assert circles({"a.py": "from dtree_lab.b import x", "b.py": "import math"}, {}) == []


def strange(name: str, content: bytes) -> str:
    """Why a file does not belong in the checkout; nothing for one that does."""
    path = Path(name)
    if path.parts[0] not in IN_ROOT:
        return "the root has no such file: put it in IN_ROOT"
    if len(path.parts) > 1 and path.suffix not in KINDS and name != ".ci/run":
        return "files of this kind are not known: put it in KINDS"
    if path.suffix in PICTURES:
        return "" if name.startswith("docs/images/") else "pictures stand in docs/images"
    try:
        return "it is no text" if "\0" in content.decode() else ""
    except UnicodeDecodeError:
        return "it is no text"


def test_nothing_strange_lies_in_the_checkout():
    command = ("git", "ls-files", "-z")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in done.stdout.split("\0") if (ROOT / name).is_file()]
    assert "dtree_lab/__init__.py" in names
    found = [f"{n}: {why}" for n in names if (why := strange(n, (ROOT / n).read_bytes()))]
    assert not found, "\n".join(found)


def test_what_is_strange():
    for name, content in (
        ("some-1.0-py3-none-any.whl", b"PK"),
        ("notes.md", b"x"),
        ("tests/some.whl", b"PK"),
        ("tests/browser/picture.png", b""),
        ("dtree_lab/data/rows.csv", b"\xff\xfe1\0"),
        ("docs/a.md", b"a\0"),
        ("dtree_lab/binary", b""),
    ):
        assert strange(name, content), name
    assert strange("docs/images/a.png", b"\x89PNG\0") == strange("docs/a.md", b"a") == ""


# Whose name on the index is not that of its module.
CALLED = {"yaml": "pyyaml", "sklearn": "scikit-learn", "IPython": "ipython"}
# Rooms and files whose libraries come with an extra, and what only course staff bring along.
EXTRAS = {
    **dict.fromkeys(("cli", "stage"), "course"),
    **dict.fromkeys(("labs", "grading/runner.py"), "labs"),
    "base/parallel.py": "parallel",
    "draw/mpl.py": "plot",
    "sklearn": "sklearn",
}
BROUGHT = {"grading/gradebook.py": {"nbgrader"}, "sklearn/trees.py": {"scipy"}}


def undeclared(place: str, source: str, project: dict) -> set[str]:
    """The libraries that a module imports, late or not, and that its install need not bring."""
    needs = [*project["dependencies"]]
    extra = EXTRAS.get(place, EXTRAS.get(Path(place).parts[0], ""))
    needs += project["optional-dependencies"].get(extra, [])
    declared = {re.match(r"[\w-]+", need)[0] for need in needs} | BROUGHT.get(place, set())
    tops = {name.partition(".")[0] for name in imports(source, "dtree_lab")}
    others = tops - set(sys.stdlib_module_names) - {"dtree_lab"}
    return {CALLED.get(top, top) for top in others} - declared


def test_what_is_imported_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {place: undeclared(place, source, project) for place, source in SOURCES.items()}
    assert not {place: names for place, names in found.items() if names}
    late = "def f():\n    import_module('tornado.web')"
    assert undeclared("grow/api.py", late, project) == {"tornado"}
    assert undeclared("stage/server.py", late, project) == set()
    assert undeclared("sklearn/a.py", "import sklearn, yaml", project) == {"pyyaml"}
    assert undeclared("draw/as_svg.py", "import matplotlib", project) == {"matplotlib"}
    assert undeclared("labs/lab_widget.py", "import anywidget, joblib", project) == {"joblib"}


def test_importing_loads_no_more_than_numpy():
    code = f"import sys, dtree_lab; print(*sorted(set({LATE!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
