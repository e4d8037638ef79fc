"""What people call is documented as numpydoc wants it; inside, a docstring is a sentence or few."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dtree_lab"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_HEAD = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
_IMPORT = re.compile(r"^from (dtree_lab[\w.]*) import (.+)$", re.MULTILINE)


@cache
def trees() -> dict[str, ast.Module]:
    """Every file of the package as it is parsed, by its place in it."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py*"))
        if path.suffix in {".py", ".pyi"}
    }


@cache
def classes() -> dict[str, tuple[str, ast.ClassDef]]:
    """Each class of the package: the file that it stands in, and itself."""
    return {
        node.name: (place, node)
        for place, tree in trees().items()
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }


def sections(node: ast.AST) -> dict[str, list[str]]:
    """The numpydoc sections of a docstring, each with the names that it tells of."""
    _, *parts = _HEAD.split(ast.get_docstring(node) or "")
    return {
        head: [
            name.strip().lstrip("*")
            for line in body.splitlines()
            if line[:1].strip()
            for name in line.partition(" : ")[0].split(",")
        ]
        for head, body in zip(parts[::2], parts[1::2], strict=True)
    }


def parameters(node: ast.AST) -> set[str]:
    """What a function takes; of a class, what its constructor takes, or its fields."""
    if isinstance(node, FUNCTIONS):
        a = node.args
        every = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
        return {arg.arg for arg in every if arg is not None} - {"self", "cls"}
    names = set()
    for inner in node.body:
        if isinstance(inner, FUNCTIONS) and inner.name == "__init__":
            names |= parameters(inner)
        elif isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
            names.add(inner.target.id)
    return names.union(*(parameters(classes()[base][1]) for base in bases(node)))


def named(node: ast.AST | None) -> set[str]:
    """All names in an annotation, or among the bases."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} if node else set()


def bases(node: ast.ClassDef) -> set[str]:
    return set().union(*map(named, node.bases)) & classes().keys()


def home(module: str, name: str) -> tuple[str, str] | None:
    """The place of the function or class that a module has under a name, made there or not."""
    path = module.removeprefix("dtree_lab").strip(".").replace(".", "/")
    place = next((p for p in (f"{path}.py", f"{path}/__init__.py") if p in trees()), None)
    for node in ast.walk(trees()[place]) if place else ():
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.name == name:
            return place, name
        if isinstance(node, ast.ImportFrom) and name in {a.asname or a.name for a in node.names}:
            return home(node.module or "", name)
    return None


def nodes(places: set[tuple[str, str]]) -> list[ast.AST]:
    """The functions and classes of some places, and the public methods of these."""
    found = [
        node
        for place, name in places
        for node in trees()[place].body
        if getattr(node, "name", "") == name
        and "overload" not in set().union(*map(named, node.decorator_list))
    ]
    return found + [
        inner
        for node in found
        if isinstance(node, ast.ClassDef)
        for inner in node.body
        if isinstance(inner, FUNCTIONS) and (inner.name[0] != "_" or inner.name == "__call__")
    ]


@cache
def public() -> set[tuple[str, str]]:
    """What `__init__.pyi` and every `__all__` but the lessons' name, and the data sets."""
    asked = set(_IMPORT.findall((PACKAGE / "__init__.pyi").read_text(encoding="utf-8")))
    asked = {(module, name.partition(" as ")[0]) for module, name in asked}
    for place, tree in trees().items():
        module = "dtree_lab." + place.removesuffix(".py").removesuffix("/__init__")
        for node in tree.body:
            if isinstance(node, ast.Assign) and named(node.targets[0]) == {"__all__"}:
                if place.startswith("course/lessons/") or not isinstance(node.value, ast.List):
                    continue
                asked |= {(module.replace("/", "."), one.value) for one in node.value.elts}
            elif place == "datasets.py" and isinstance(node, FUNCTIONS) and node.name[0] != "_":
                asked.add((module, node.name))
    return {where for module, name in asked if (where := home(module, name))}


@cache
def met() -> set[tuple[str, str]]:
    """What people get, by and by, from what is public or in the docs: it may have sections."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")]
    lines = [line for text in texts for line in _IMPORT.findall(text)]
    written = {home(module, name.strip()) for module, names in lines for name in names.split(",")}
    found, before = public() | (written - {None}), set()
    while found != before:
        before = found
        names = set().union(*(named(getattr(node, "returns", None)) for node in nodes(found)))
        # A class has the methods of those that it is made from.
        names |= set().union(*(bases(classes()[name][1]) for _, name in found if name in classes()))
        found = found | {(classes()[name][0], name) for name in names & classes().keys()}
    return found


def against(node: ast.AST, *, may_have_sections: bool) -> str:
    """What in a docstring is against the rules; nothing for a good one."""
    told = sections(node)
    if told and not may_have_sections:
        return f"has {', '.join(told)}: a sentence is enough for what nobody outside calls"
    listed, taken = set(told.get("Parameters", ())), parameters(node)
    if listed - taken:
        return f"tells of {sorted(listed - taken)}, which it does not take"
    if isinstance(node, FUNCTIONS) and listed and taken - listed:
        return f"does not tell of {sorted(taken - listed)}"
    return ""


def untold(node: ast.ClassDef) -> list[str]:
    """What a class takes, its bases do not, and its sections leave out, if it has any."""
    told = sections(node)
    names = {*told.get("Parameters", ()), *told.get("Attributes", ())}
    own = parameters(node).difference(*(parameters(classes()[base][1]) for base in bases(node)))
    lack = sorted(name for name in own - names if not name.startswith("_"))
    return lack if names else []


def test_a_docstring_tells_of_what_is_taken_and_sections_are_for_what_people_meet():
    allowed = {id(node) for node in nodes(met())}
    found = []
    for place, tree in trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                continue
            if why := against(node, may_have_sections=id(node) in allowed):
                found.append(f"{place}:{node.lineno} {node.name} {why}")
    assert not found, "\n".join(found)


def test_whatever_is_public_is_documented():
    found = []
    for node in nodes(public()):
        text = ast.get_docstring(node) or ""
        if not text and isinstance(node, FUNCTIONS):
            found.append(f"{node.name} has no docstring")
        # Who takes three things or more explains each, or says who else does.
        many = isinstance(node, FUNCTIONS) and len(parameters(node)) > 2
        if many and "Parameters" not in sections(node) and not re.search(r":(func|meth):", text):
            found.append(f"{node.name} does not tell of {sorted(parameters(node))}")
        if isinstance(node, ast.ClassDef) and (lack := untold(node)):
            found.append(f"{node.name} does not tell of {lack}")
    assert not found, "\n".join(found)


def test_what_is_public_is_found():
    names = {name for _, name in public()}
    assert names >= {"id3", "Tree", "random_forest", "tax_fraud", "plot", "cost_complexity"}
    assert ("ensemble/boosted.py", "Boosted") in met()  # which `dt.adaboost` returns
    assert ("grow/recipe.py", "Recipe") not in met()


def test_the_rules_catch():
    def why(source: str, *, free: bool = True) -> str:
        return against(ast.parse(source).body[0], may_have_sections=free)

    text = '"""It.\n\n    Parameters\n    ----------\n    {}\n        That.\n    """'
    assert why(f"def f(a):\n    {text.format('b')}") == "tells of ['b'], which it does not take"
    assert why(f"def f(a, b):\n    {text.format('a')}") == "does not tell of ['b']"
    assert why(f"class A:\n    {text.format('b')}\n    a: int").startswith("tells of ['b']")
    assert why(f"def f(a):\n    {text.format('a')}", free=False).startswith("has Parameters")
    assert why(f"def f(a, *b, **c):\n    {text.format('a, *b, **c')}") == ""
    assert why('def f(a):\n    """It."""', free=False) == ""
