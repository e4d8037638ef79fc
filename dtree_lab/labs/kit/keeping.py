"""States as short texts that recreate them, and how one is written into the cell of its lab.

The call ``dt.TreeBuilder(table)`` becomes ``dt.TreeBuilder(table, state='…')``: run again, by hand
or by a grader, the cell gives the lab as it stands. A question's card keeps its answer likewise:
``dt.course.ask("…", answer="B")``.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dtree_lab.base.text import is_encodable, plural
from dtree_lab.labs.kit.place import compact_json
from dtree_lab.labs.kit.taking import origin
from dtree_lab.table.table import Attribute, Table


def fingerprint(table: Table) -> str:
    """A short check sum of a table's attributes and rows; of what a lab took, of the whole."""
    table = origin(table)
    sum_ = 0
    for attribute in (*table.attributes, table.target):
        sum_ = zlib.crc32(repr((attribute.name, attribute.values)).encode(), sum_)
    for column in (*table.columns, table.labels):
        sum_ = zlib.crc32(column.tobytes(), sum_)
    return f"{sum_:08x}"


def fits(mark: object, table: Table) -> bool:
    """Whether a check sum is a table's, also if whole numbers of a file were once read as text."""
    table = origin(table)
    once = [_in_digits(a) for a in (*table.attributes, table.target)]
    old = Table(tuple(once[:-1]), once[-1], table.columns, table.labels)
    return mark in (fingerprint(table), fingerprint(old))


def _in_digits(attribute: Attribute) -> Attribute:
    values = attribute.values or ()
    if not all(isinstance(v, int) and not isinstance(v, bool) for v in values):
        return attribute
    return Attribute(attribute.name, attribute.values and tuple(map(str, values)))


def kept(lab: str, table: Table | None, settings: Mapping[str, Any]) -> str:
    """The text of a state."""
    mark = {} if table is None else {"table": fingerprint(table)}
    return compact_json({"format": f"dtree_lab.{lab}/1", **mark, **settings})


def settings_of(
    text: str,
    lab: str,
    table: Table | None,
    kinds: Mapping[str, type | tuple[type, ...]],
    optional: Collection[str] = (),
) -> dict[str, Any]:
    """The settings of a text, in which those that are optional may be missing."""
    name = f"dtree_lab.{lab}/1"
    try:
        data = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("format") != name or not is_encodable(data):
        msg = f"state must be a text from .state of a {lab} ({name}); got {_short(text)}"
        raise ValueError(msg)
    if table is not None and not fits(data.get("table"), table):
        whole = origin(table)
        raise ValueError(
            "this state was made on another table: it would mean something else on this one, which"
            f" has {plural(whole.n_rows, 'row')} and the columns {list(whole.names)}"
        )
    there = {key: kind for key, kind in kinds.items() if key in data or key not in optional}
    for key, kind in there.items():
        wanted = kind if isinstance(kind, tuple) else (kind,)
        found = data.get(key)
        right = isinstance(found, wanted) and (bool in wanted or not isinstance(found, bool))
        if key not in data or not right:  # None may be right, but it must be said
            raise ValueError(f"the state is damaged: its {key!r} is missing or of the wrong sort")
    return {key: data[key] for key in there}


def _short(text: object) -> str:
    shown = repr(text)
    return shown if len(shown) <= 60 else shown[:57] + "..."  # noqa: PLR2004


_MOST = 200_000
# What IPython understands and Python does not: a line of it, and a whole cell.
_MAGIC = re.compile(r"^([ \t]*)(?:[%!?].*|[\w.]+\?\??)$", re.MULTILINE)
_CELL_MAGIC = re.compile(r"\A\s*%%.*$", re.MULTILINE)


@dataclass(frozen=True)
class CallSought:
    """The call in a cell that a thing is made by."""

    name: str  # the class or function, such as ``"TreeBuilder"``
    shown: str  # how the call is named in a message, such as ``"dt.TreeBuilder(…)"``
    thing: str = "lab"  # what it makes, in a word
    # Its first argument, where that tells it from others; None where any will do.
    first: str | None = None
    # Those that hold what it made, which tell several calls in a cell apart.
    variables: Collection[str] = ()


@dataclass(frozen=True)
class WrittenCell:
    """What comes of it."""

    source: str | None  # the cell's new code; None where it could not be written
    problem: str  # why not, and what to do instead; empty where it could
    paste: str  # what to paste by hand, then: the whole cell, or the arguments alone


def with_state(source: str, lab: str, state: str, names: Collection[str] = ()) -> WrittenCell:
    """A cell's code with a lab's state in it."""
    sought = CallSought(lab, f"dt.{lab}(…)", variables=names)
    return with_arguments(source, sought, {"state": repr(state)})


_MARK = "\N{OBJECT REPLACEMENT CHARACTER}"
_MOST_TOLD = 10_000


def around_state(source: str, lab: str, names: Collection[str] = ()) -> list[list[str]]:
    """A cell's code, and what stands before and after a lab's state when it is kept in it.

    With these a page can keep a lab whose kernel has ended. Nothing for a cell that could not be
    written, or is very long.
    """
    if len(source) > _MOST_TOLD or _MARK in source:
        return []
    written = with_state(source, lab, _MARK, names).source
    return [] if written is None else [[source, *written.split(repr(_MARK))]]


def with_arguments(source: str, sought: CallSought, arguments: Mapping[str, str]) -> WrittenCell:
    """A cell's code in which a call has certain arguments by name; all else stays to the letter.

    >>> sought = CallSought("ask", "dt.course.ask(…)", first="a/b")
    >>> with_arguments('ask("a/a"); ask("a/b")', sought, {"answer": '"B"'}).source
    'ask("a/a"); ask("a/b", answer="B")'
    """
    paste = ", ".join(f"{name}={value}" for name, value in arguments.items())
    written = source
    try:
        for name, value in arguments.items():
            call = _call(written, sought)
            before, written = written, _with_argument(written, call, name, value)
            _compare(before, written, call, (name, value))
    except _CannotError as error:
        return WrittenCell(None, _told(error, sought), paste)
    except (ValueError, IndexError, tokenize.TokenError):  # strange line ends and the like
        return WrittenCell(None, _told(_CannotError(_STRANGE, _TO), sought), paste)
    return WrittenCell(written, "", written)


def literal(value: object) -> str:
    """A text, a number or a tuple of them as a person writes it, texts in double quotes.

    >>> literal(("B", 2))
    '("B", 2)'
    >>> print(literal('say "no"'))
    'say "no"'
    """
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
    shown = repr(value)
    plain_text = isinstance(value, str) and not {'"', "\\"} & {*value, *shown}
    return f'"{shown[1:-1]}"' if plain_text else shown


def running_cell() -> str:
    """The code of the notebook's cell that is running; empty where there is none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    request: dict[str, Any] = getattr(shell, "get_parent", dict)()
    return str(request.get("content", {}).get("code", ""))


def variables_of(thing: object) -> list[str]:
    """The variables of the notebook that hold a thing; none outside of IPython."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    space = dict(getattr(shell, "user_ns", {}))
    return [name for name, held in space.items() if held is thing and not name.startswith("_")]


class _CannotError(Exception):
    """Why the code cannot be written, and what to do with the argument."""


_STRANGE = "This cell could not be written into. Add"
_TO, _WHERE = "to the {}", "where the {} is made"


def _told(error: _CannotError, sought: CallSought) -> str:
    """Why not, and where to put what, in words for the thing that is sought."""
    why, where = error.args
    return f"{why} this argument {where.format(sought.thing)}:"


def _parsed(source: str) -> ast.Module:
    """The code; where it is not Python alone, with its magic lines blotted out in place."""
    if len(source) > _MOST:
        raise _CannotError("This cell is too long to write into. Add", _TO)
    plain = _MAGIC.sub(r"\1pass#", _CELL_MAGIC.sub("#", source))
    for code in (source, plain):
        try:
            flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            parsed: ast.Module = compile(code, "<cell>", "exec", flags)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return parsed
    raise _CannotError(
        "The code of this cell has an error, so nothing was written into it. Put it right, or add",
        _TO,
    )


def _call(source: str, sought: CallSought) -> ast.Call:
    tree = _parsed(source)
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and _makes(n, sought)]
    known = [n for name in sorted(sought.variables) for n in _assigned(tree, name) if n in found]
    if len(found) > 1 and len(known) == 1:
        return known[0]
    if len(found) > 1:
        why = f"{sought.shown} stands in this cell more than once. Add"
        raise _CannotError(why, "to the right one")
    if not found:
        raise _CannotError(f"No {sought.shown} stands in this cell. Add", _WHERE)
    return found[0]


def _makes(call: ast.Call, sought: CallSought) -> bool:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name) if name == sought.name:
            given = [arg.value for arg in call.args[:1] if isinstance(arg, ast.Constant)]
            return sought.first is None or given == [sought.first]
    return False


def _assigned(tree: ast.Module, name: str) -> Iterator[ast.expr]:
    """What is given to a variable."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                if any(isinstance(to, ast.Name) and to.id == name for to in targets):
                    yield value
            case ast.AnnAssign(target=ast.Name(id=to), value=ast.expr() as value) if to == name:
                yield value
            case ast.NamedExpr(target=ast.Name(id=to), value=value) if to == name:
                yield value


def _with_argument(source: str, call: ast.Call, name: str, value: str) -> str:
    """The code with an argument replaced, or added as the last."""
    lines = source.split("\n")
    for keyword in call.keywords:
        if keyword.arg == name:
            begin, end = _span(lines, keyword.value)
            return f"{source[:begin]}{value}{source[end:]}"
    begin, end = _span(lines, call)
    inside = end - 1  # before the closing bracket
    at, comma = _last(source[begin:inside], call)
    argument = f"{name}={value}"
    before = source[: begin + at]
    if not call.args and not call.keywords:
        return f"{before}{argument}{source[begin + at :]}"
    return f"{before}{' ' if comma else ', '}{argument}{',' * comma}{source[begin + at :]}"


def _last(call: str, node: ast.Call) -> tuple[int, bool]:
    """Where the last argument of a call ends, behind its comma, and whether one follows it."""
    idle = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.INDENT)
    lines = call.split("\n")
    found = (0, "")
    # The bracket is closed again, because tokenize insists.
    for token in tokenize.generate_tokens(io.StringIO(call + "\n)").readline):
        if token.type in (*idle, tokenize.DEDENT) or token.start[0] > len(lines):
            continue
        found = (_begin(lines, token.end[0]) + token.end[1], token.string)
    return found[0], found[1] == "," and bool(node.args or node.keywords)


def _span(lines: list[str], node: ast.expr) -> tuple[int, int]:
    """Where a piece of code begins and ends; the parser counts in bytes."""
    return (
        _offset(lines, node.lineno, node.col_offset),
        _offset(lines, node.end_lineno or node.lineno, node.end_col_offset or 0),
    )


def _begin(lines: list[str], line: int) -> int:
    """Where a line begins, counted from 1; each line before has its end beside it."""
    return sum(len(one) + 1 for one in lines[: line - 1])


def _offset(lines: list[str], line: int, column: int) -> int:
    return _begin(lines, line) + len(lines[line - 1].encode()[:column].decode())


def _compare(source: str, written: str, call: ast.Call, argument: tuple[str, str]) -> None:
    """Make sure that nothing but the argument has changed."""
    name, value = argument
    wanted = _parsed(source)
    for node in ast.walk(wanted):
        if isinstance(node, ast.Call) and _place(node) == _place(call):
            others = [k for k in node.keywords if k.arg != name]
            had = [k for k in node.keywords if k.arg == name]
            new = ast.keyword(name, ast.parse(value, mode="eval").body)
            place = node.keywords.index(had[0]) if had else len(others)
            node.keywords = [*others[:place], new, *others[place:]]
    try:
        same = ast.dump(_parsed(written)) == ast.dump(wanted)
    except _CannotError:
        same = False
    if not same:
        raise _CannotError(_STRANGE, _TO)


def _place(node: ast.expr) -> tuple[int, int, int | None, int | None]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset
