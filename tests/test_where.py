"""docs/where-is.md: whatever it names is there, and no larger file is missing from it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from cases import each

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dtree_lab"
PAGE = (ROOT / "docs/where-is.md").read_text(encoding="utf-8")
TICKED = re.compile(r"`([^`]+)`")
A_FILE = re.compile(r"[\w./-]+\.(?:py|pyi|mjs|cff|css|md|toml|txt|sh|yml)")
ROOM = re.compile(r"^- \*\*`([\w/]+)/`\*\* (.*(?:\n  .*)*)", re.MULTILINE)
# A file of so many lines has to be found from the page.
LARGE = 100


def rows(page):
    """What is looked for, and the other two cells, of each row of its tables."""
    for line in page.splitlines():
        if line.startswith("| ") and not line.startswith("| What you look for"):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def place(name, room=None):
    """The file that a path of the page means."""
    inside = PACKAGE / (room or "") / name
    return inside if room or inside.exists() else ROOT / name


def named(text, room=None):
    """The files that a text names, each with the names that are said to stand in it."""
    found = []
    for ticked in TICKED.findall(text):
        if A_FILE.fullmatch(ticked):
            found.append((place(ticked, room), []))
        elif found:
            found[-1][1].append(ticked)
    return found


def defined(path):
    """What a file defines: functions, classes, variables, and ``Class.attribute``."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".mjs":
        return set(
            re.findall(r"^(?:export )?(?:async )?(?:function|const) (\w+)", source, re.MULTILINE)
        )
    if not path.suffix.startswith(".py"):
        return set()
    found = set(_bound(ast.parse(source)))
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}" for name in _bound(node)}
    return found


def _bound(scope):
    for node in scope.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                yield from (to.id for to in targets if isinstance(to, ast.Name))


def missing(page):
    """What a page names and is not there."""
    cells = [(cell, None) for row in rows(page) for cell in row[1:]]
    cells += [(text, room) for room, text in ROOM.findall(page)]
    for text, room in cells:
        for path, names in named(text, room):
            if not path.is_file():
                yield path.relative_to(ROOT).as_posix()
            elif names:
                there = defined(path)
                yield from (f"{path.name}: {name}" for name in names if name not in there)


def forgotten(page):
    """The larger files, tests and folders of one lesson or lab aside, that a page does not name."""
    told = {path for row in rows(page) for path, _ in named(" ".join(row[1:]))}
    told |= {path for room, text in ROOM.findall(page) for path, _ in named(text, room)}
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.mjs")]):
        inside = path.relative_to(PACKAGE).as_posix()
        one_of_many = "course/lessons/" in inside or (path.parent / "widget.py").exists()
        if one_of_many and path.name != "__init__.py":
            continue
        n_lines = path.read_text(encoding="utf-8").count("\n")
        if n_lines >= LARGE and path not in told:
            yield inside


def test_whatever_it_names_is_there():
    found = list(missing(PAGE))
    assert not found, "docs/where-is.md names what is not there:\n" + "\n".join(found)


def test_every_larger_file_is_found_from_it():
    found = list(forgotten(PAGE))
    assert not found, "docs/where-is.md does not name:\n" + "\n".join(found)


def test_every_row_says_where():
    found = list(rows(PAGE))
    assert len(found) > 35
    assert all(len(row) == 3 and named(row[1]) for row in found)


@each(
    "line, wrong",
    [
        ("| a | `base/text.py` `number` | `tests/test_where.py` |", []),
        ("| a | `base/text.py` `nummer` | |", ["text.py: nummer"]),
        ("| a | `base/texts.py` | |", ["base/texts.py"]),
        ("| a | `tree/tree.py` `Tree.predict`, `Tree.predicts` | |", ["tree.py: Tree.predicts"]),
        ("| a | `labs/browser/frame.mjs` `frame`, `fame` | |", ["frame.mjs: fame"]),
        ("| a | `base/text.py` | `tests/no_test.py` |", ["tests/no_test.py"]),
        (
            "- **`base/`** all. `text.py`, `texts.py`\n  (and) `tixt.py`",
            ["base/texts.py", "base/tixt.py"],
        ),
    ],
)
def test_what_is_not_there_is_noticed(line, wrong):
    found = list(missing(line))
    assert len(found) == len(wrong)
    assert all(one.endswith(end) for one, end in zip(found, wrong, strict=True))


def test_a_file_that_is_not_named_is_noticed():
    assert {"base/text.py", "grow/api.py", "labs/browser/frame.mjs"} <= set(forgotten(""))
