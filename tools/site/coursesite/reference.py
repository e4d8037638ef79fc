"""The reference: what the docstrings say of every public name and of every type that a call gives.

Sphinx makes it, with numpydoc: they know the format that the docstrings keep, and say which
reference in one leads nowhere. Its pages stand in a frame of ours; only searching needs scripts.
"""

from __future__ import annotations

import ast
import inspect
import re
import shutil
import textwrap
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

import dtree_lab as dt
from coursesite.words import mathml

PACKAGE = Path(dt.__file__).parent
TEMPLATES = Path(__file__).parents[1] / "templates"
# The names of the package itself, by the room that each lives in.
_ROOMS = {
    "table": "Tables",
    "grow": "Growing a tree",
    "criteria": "Growing a tree",
    "tree": "Trees",
    "ensemble": "Many trees",
    "images": "Many trees",
    "continuous": "Numbers as attributes",
    "labs": "Labs and lectures",
    "stage": "Labs and lectures",
}
# Modules that people import by themselves.
_FURTHER = ("dtree_lab.course.tasks", "dtree_lab.draw.chart", "dtree_lab.sklearn")
RESULTS = "What calls return"
_WORD = re.compile(r"[A-Za-z_]\w*")
_TERMLESS = re.compile(r"<dl>\n(?:<dd>.*</dd>\n)+</dl>")
_SENTENCE = re.compile(r"(.+?[.:])(?:\s|$)", re.DOTALL)


@dataclass(frozen=True)
class Page:
    """A page: its file's name, its heading, the module whose text it begins with, its names."""

    name: str
    title: str
    module: str
    names: tuple[str, ...]


@cache
def pages() -> tuple[Page, ...]:
    """All pages: the package's names by subject, its modules, and what calls return."""
    rooms: dict[str, list[str]] = {title: [] for title in _ROOMS.values()}
    modules = []
    for name in dt.__all__:
        thing = getattr(dt, name)
        if inspect.ismodule(thing):
            modules.append(thing.__name__)
        else:
            rooms[_ROOMS[thing.__module__.split(".")[1]]].append(f"dtree_lab.{name}")
    found = [
        Page(title.lower().replace(" ", "-"), title, "", tuple(names))
        for title, names in rooms.items()
    ]
    for module in sorted([*modules, *_FURTHER]):
        names = tuple(f"{module}.{name}" for name in import_module(module).__all__)
        found.append(Page(module.removeprefix("dtree_lab."), module, module, names))
    public = [name for page in found for name in page.names]
    return (*found, Page("results", RESULTS, "", tuple(_results(public))))


def thing(name: str) -> Any:
    """What a full name stands for."""
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)


def members(cls: type) -> list[str]:
    """A class's public methods and properties, as far as this library has made them."""
    ours = [one for one in cls.__mro__ if one.__module__.startswith("dtree_lab")]
    return [
        name
        for name in dict.fromkeys(name for one in ours for name in vars(one))
        if (name[0] != "_" or name == "__call__")
        and inspect.isfunction(found := _plain(inspect.getattr_static(cls, name)))
        and found.__doc__
    ]


def _plain(found: Any) -> Any:
    """The function behind a method or a property."""
    for name in ("fget", "func", "__func__"):
        found = getattr(found, name, None) or found
    return found


def _results(public: list[str]) -> list[str]:
    """Full names of the classes that public calls return and that are not public themselves."""
    waiting = [thing(name) for name in public]
    seen = set(waiting)
    results = []
    while waiting:
        for name in sorted(_returned(waiting.pop(0))):
            cls = thing(name)
            if cls not in seen:
                seen.add(cls)
                waiting.append(cls)
                results.append(name)
    return sorted(results, key=lambda name: name.rpartition(".")[2])


def _returned(found: Any) -> set[str]:
    """The classes of the library in what a function returns; of a class, also in its fields."""
    if inspect.isclass(found):
        told = [
            str(t) for name, t in vars(found).get("__annotations__", {}).items() if name[0] != "_"
        ]
        inner = (_returned(inspect.getattr_static(found, name)) for name in members(found))
    else:
        told = [str(getattr(_plain(found), "__annotations__", {}).get("return", ""))]
        inner = iter(())
    words = {word for text in told for word in _WORD.findall(text)}
    return {_classes()[word] for word in words & _classes().keys()}.union(*inner)


@cache
def _classes() -> dict[str, str]:
    """Every class by its name, which stands once in the library: where it is."""
    found = {}
    for place in sorted(PACKAGE.rglob("*.py")):
        parts = place.relative_to(PACKAGE.parent).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for node in ast.parse(place.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name[0] != "_":
                found[node.name] = f"{module}.{node.name}"
    return found


def build(out: Path, work: Path) -> list[str]:
    """Write the reference; what Sphinx has to say against the docstrings.

    Parameters
    ----------
    out
        The folder.
    work
        Where it keeps what it has read: next time only what changed is read anew.
    """
    found = pages()
    texts = {"index": _index(found), **{page.name: _text(page) for page in found}}
    source = work / "source"
    source.mkdir(parents=True, exist_ok=True)
    for place in source.iterdir():
        if place.stem not in texts:
            place.unlink()
            (out / f"{place.stem}.html").unlink(missing_ok=True)
    for name, text in texts.items():
        place = source / f"{name}.rst"
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            place.write_text(text, encoding="utf-8")
    said = StringIO()
    app = Sphinx(
        source,
        None,
        out,
        work / "doctrees",
        "html",
        confoverrides=_settings(found),
        status=None,
        warning=said,
    )
    app.build()
    for place in out.glob("*.html"):
        _accessible(place)
    # In annotations stand classes that are told of nowhere; in docstrings none should.
    doubts = [line for line in said.getvalue().splitlines() if "<unknown>:1:" not in line]
    if doubts:  # Sphinx would not say it again of what it has read
        shutil.rmtree(work / "doctrees")
    return doubts


def setup(app: Sphinx) -> None:
    """What is ours in Sphinx: formulas as on the lessons' pages, and results without parameters."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("autodoc-process-signature", _signature)


def _settings(found: tuple[Page, ...]) -> dict[str, Any]:
    return {
        "project": "dtree_lab",
        "version": dt.__version__,
        "extensions": ["sphinx.ext.autodoc", "numpydoc", __name__],
        "autodoc_inherit_docstrings": False,
        "default_role": "literal",
        "numpydoc_show_class_members": False,
        "autodoc_typehints_format": "short",
        "python_use_unqualified_type_names": True,
        "python_maximum_signature_line_length": 72,
        "nitpicky": True,
        # What others document, and there is no network to look there.
        "nitpick_ignore_regex": [(r"py:.*", r"(?!dtree_lab\.).*")],
        "html_theme": "reference",
        "html_theme_path": [str(TEMPLATES)],
        "html_math_renderer": "mathml",
        "html_context": {"pages": [("index", "All subjects"), *((p.name, p.title) for p in found)]},
        "html_permalinks": False,
        "html_copy_source": False,
        "html_domain_indices": False,
        "html_show_search_summary": False,
    }


def _index(found: tuple[Page, ...]) -> str:
    """The page that leads to all."""
    lines = ["Reference", "=" * 9, "", ".. toctree::", "   :hidden:", ""]
    lines += [*(f"   {page.name}" for page in found), ""]
    for page in found:
        lines += [f":doc:`{page.name}`", ""]
        names = page.names if page.title != RESULTS else ()
        lines += ["   " + " · ".join(_link(name) for name in names), ""]
    return "\n".join(lines)


def _text(page: Page) -> str:
    lines = [page.title, "=" * len(page.title), ""]
    if page.module:
        lines += [f".. automodule:: {page.module}", "   :no-members:", ""]
    lines += [f".. py:currentmodule:: {page.module or 'dtree_lab'}", ""]
    lines += [f"* {_link(name)}: {_sentence(name)}" for name in page.names]
    for name in page.names:
        found = thing(name)
        heading = name.rpartition(".")[2]
        lines += ["", heading, "-" * len(heading), ""]
        if not _is_documented(found):
            lines += [f".. py:data:: {heading}", "", f"   ``{_short(found)}``"]
            continue
        if not inspect.isclass(found):
            lines += [f".. autofunction:: {name}"]
            continue
        lines += [f".. autoclass:: {name}"]
        if some := members(found):
            lines += [f"   :members: {', '.join(some)}", "   :member-order: bysource"]
    return "\n".join([*lines, ""])


def _link(name: str) -> str:
    return f":py:obj:`{name.rpartition('.')[2]} <{name}>`"


def _sentence(name: str) -> str:
    """The first sentence of a docstring, on one line."""
    found = thing(name)
    if not _is_documented(found):
        return f"``{_short(found)}``"
    first = (inspect.getdoc(found) or "").partition("\n\n")[0]
    match = _SENTENCE.match(first)
    return " ".join((match[1] if match else first).split()).rstrip(":")


def _is_documented(found: Any) -> bool:
    return inspect.isroutine(found) or isinstance(found, type)


def _short(value: object) -> str:
    return textwrap.shorten(repr(value), 72, placeholder=" …")


def _signature(_: Any, what: str, name: str, *__: Any) -> tuple[str, None] | None:
    """What calls return is not made by calling it: its class is told without parameters."""
    is_result = what == "class" and name in pages()[-1].names
    return ("", None) if is_result else None


def _inline(writer: Any, node: Any) -> None:
    writer.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def _block(writer: Any, node: Any) -> None:
    writer.body.append(mathml(node.astext(), "block"))
    raise nodes.SkipNode


def _accessible(place: Path) -> None:
    """What scrolls is reached by keyboard; parameters on lines are no list of terms."""
    text = place.read_text(encoding="utf-8")
    pre = '<pre tabindex="0" role="group" aria-label="example">'
    text = text.replace('<div class="highlight"><pre>', f'<div class="highlight">{pre}')
    text = _TERMLESS.sub(lambda found: re.sub(r"(</?)d[ld]>", r"\1div>", found[0]), text)
    place.write_text(text, encoding="utf-8", newline="\n")
