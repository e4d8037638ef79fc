"""Tables, comparisons, trees and their differences as part of a page.

A tree's picture is an ``<img>`` with its SVG inside: it has alt text, its styles cannot leak, and
it outlives the sanitising that takes ``<svg>`` and ``<style>`` out of notebooks from others. It
follows JupyterLab's theme all the same, because an image takes its colour scheme from the page.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence

from dtree_lab.base.text import ShownTable, bits, html, plural
from dtree_lab.draw import words
from dtree_lab.draw.as_svg import svg
from dtree_lab.draw.as_text import DIFFERING, differing, grid, more_rows, places, tree_text
from dtree_lab.draw.style import css_variables, hue, mark, sheet
from dtree_lab.draw.words import alt_text
from dtree_lab.grow.compare import Compared, Comparison
from dtree_lab.table.table import Table
from dtree_lab.tree.differences import Differences
from dtree_lab.tree.tree import Path, Tree

_ROWS, _SHOWN_ROWS = 20, 60


def static_figure(svg_text: str, alt: str, text: str, *, drawn: bool = False) -> str:
    """A picture that needs no kernel: an image with alt text, and the same as text below it.

    Parameters
    ----------
    svg_text
        A self-contained SVG picture.
    alt
        What the picture shows, in a sentence.
    text
        All that it says, as lines of text.
    drawn
        Whether the text is a drawing, too, whose lines must not be broken.
    """
    # In an <img>, which is sent and kept with each lab, its description is read by nobody, and
    # stands beside it; of the page around it nothing is known. So of its style sheet that is left
    # which it draws with.
    embedded = _SHEET.sub(_needed_style, _UNSEEN.sub("", svg_text), count=1)
    data = b64encode(embedded.encode()).decode()
    lines = "\n".join(map(html, text.split("\n")))
    kind = "dtl-drawn" if drawn else "dtl-lines"
    return (
        f"<style>{_FIGURE}</style>"
        '<figure class="dtl dtl-static" style="margin: 0">'
        f'<div class="dtl-scroll" role="group" tabindex="0" aria-label="{html(alt)}">'
        f'<img alt="{html(alt)}" src="data:image/svg+xml;base64,{data}"></div>'
        f'<details><summary>As text</summary><pre class="{kind}">{lines}</pre></details></figure>'
    )


def _needed_style(sheet: re.Match[str]) -> str:
    """The style of a picture: its rules for what is drawn, and the variables that they speak of."""
    drawn = sheet.string[: sheet.start()] + sheet.string[sheet.end() :]
    known = set(_CLASS.findall(drawn))
    rules = [rule for rule in re.split(r"\n(?=\S)", sheet[1]) if _is_needed(rule, known)]
    kept = _OF_PAGE.sub(r"\1", "\n".join(rules))
    spoken = set(_SPOKEN.findall(kept + drawn))
    kept = _VARIABLE.sub(lambda match: match[0] if match[1] in spoken else "", kept)
    return f"<style>{kept}</style>"


def _is_needed(rule: str, known: set[str]) -> bool:
    """Whether a rule is for classes that are known, and not for the page around a picture."""
    selector = re.sub(r":not\([^)]*\)", "", rule.partition("{")[0])
    classes = re.findall(r"\.(dtl-[\w-]+)", selector)
    each = any if ":is(" in selector else all
    return not selector.startswith("[") and (not classes or each(one in known for one in classes))


_UNSEEN = re.compile(r"<desc\b.*?</desc>", re.DOTALL)
_SHEET = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_CLASS = re.compile(r"\b(?<!--)dtl-[\w-]+")
_OF_PAGE = re.compile(r"var\(--jp-[\w-]+, ([^()]*)\)")
_SPOKEN = re.compile(r"var\((--dtl-[\w-]+)")
_VARIABLE = re.compile(r"(--dtl-[\w-]+): [^;]*; ?")

_FIGURE, _TABLE = sheet("static"), sheet("table")


def tree_html(tree: Tree, *, folded: Collection[Path] = frozenset(), lit: Path = ()) -> str:
    """A tree's picture, with its text below it; see :func:`svg` for `folded` and `lit`."""
    picture = svg(tree, folded=folded, lit=lit)
    return static_figure(picture, alt_text(tree), tree_text(tree), drawn=True)


def table_html(table: Table) -> str:
    """The first rows of a table, counted from 1, each label with its class's mark."""
    shown = grid(table, _ROWS)
    kinds = zip(shown.names, shown.kinds, strict=True)
    names = [f'{html(name)}<br><span class="dtl-kind">{kind}</span>' for name, kind in kinds]
    head, aligned = _head(names, shown.numeric)
    body = []
    for i, row in enumerate(shown.rows):
        cells = [f"<td{side}>{html(c)}</td>" for c, side in zip(row, aligned, strict=True)]
        if shown.codes:
            cells[-1] = f"<td>{_chip(shown.codes[i])}{html(row[-1])}</td>"
        number = f'<th scope="row" class="dtl-number dtl-row">{i + 1}</th>'
        body.append(f"<tr>{number}{''.join(cells)}</tr>")
    first = '<th scope="col" class="dtl-number dtl-row">row</th>'
    return _data(_rows(shown.caption, first + head, "".join(body), shown.hidden))


def _chip(cls: int) -> str:
    """A class's mark on its colour; the name beside it says the same in words."""
    colours = f"background: var(--dtl-class-{hue(cls)}); color: var(--dtl-class-ink-{hue(cls)})"
    return f'<span class="dtl-chip" aria-hidden="true" style="{colours}">{mark(cls).char}</span> '


def _head(names: Iterable[str], numeric: Sequence[bool]) -> tuple[str, list[str]]:
    """The head of a table, names being parts of a page, and what aligns each column's cells."""
    aligned = [' class="dtl-number"' if n else "" for n in numeric]
    columns = zip(names, aligned, strict=True)
    return "".join(f'<th scope="col"{side}>{name}</th>' for name, side in columns), aligned


def _rows(caption: str, head: str, body: str, hidden: int = 0) -> str:
    """A table, and how many rows it does not show."""
    more = f'<p class="dtl-kind">{more_rows(hidden)}</p>' if hidden else ""
    return (
        f'<table class="dtl-table"><caption>{html(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def _data(inner: str) -> str:
    return f'<style>{css_variables()}{_TABLE}</style><div class="dtl dtl-data">{inner}</div>'


def shown_html(shown: ShownTable) -> str:
    """A small table."""
    head, aligned = _head(map(html, shown.names), shown.numeric)
    body = []
    for i, row in enumerate(shown.rows[:_SHOWN_ROWS]):
        tints = ["", *map(_tint, shown.shade[i])] if i < len(shown.shade) else []
        tints += [""] * (len(row) - len(tints))
        cells = zip(row, aligned, tints, strict=True)
        inner = "".join(f"<td{side}{tint}>{html(c)}</td>" for c, side, tint in cells)
        body.append(f"<tr>{inner}</tr>")
    hidden = max(len(shown.rows) - _SHOWN_ROWS, 0)
    notes = "".join(_note(*note) for note in shown.notes[:_SHOWN_ROWS])
    below = f'<ul class="dtl-notes">{notes}</ul>' if notes else ""
    return _data(_rows(shown.caption, head, "".join(body), hidden) + below)


def _note(name: str, note: str, code: str) -> str:
    """What is said of a name, and code below it, which a line break keeps apart when unstyled."""
    cure = f"<br><code>{html(code)}</code>" if code else ""
    return f"<li><strong>{html(name)}</strong> {html(note)}{cure}</li>"


def _tint(share: float) -> str:
    """A cell's ground: the darker, the larger its share."""
    mixed = f"color-mix(in srgb, var(--dtl-line) {50 * share:.0f}%, transparent)"
    return f' style="background: {mixed}"'


def comparison_html(comparison: Comparison) -> str:
    """Every attribute with its gain as a bar, and all numbers as numbers."""
    target = words.plain(comparison.target.name)
    rows = plural(sum(comparison.counts), "row")
    caption = f"What tells most about {target}? {rows}, H(Y) = {bits(comparison.entropy)} bits"
    top = max((one.gain for one in comparison.ranked), default=0.0)
    body = "".join(_compared(one, one.gain / top if top else 0.0) for one in comparison.ranked)
    head = (
        '<th scope="col">attribute</th>'
        '<th scope="col" colspan="2">gain</th>'
        '<th scope="col" class="dtl-number">H(Y|X)</th>'
        '<th scope="col" class="dtl-number">gain ratio</th>'
    )
    return _data(_rows(caption, head, body))


def _compared(row: Compared, share: float) -> str:
    numbers = [bits(row.gain), bits(row.conditional_entropy), bits(row.gain_ratio)]
    gain, *others = (f'<td class="dtl-number">{n}</td>' for n in numbers)
    bar = f'<span class="dtl-bar" style="width: {100 * share:.1f}%"></span>'
    return (
        f'<tr><th scope="row">{html(words.plain(row.question))}</th>{gain}'
        f'<td class="dtl-bars" aria-hidden="true">{bar}</td>{"".join(others)}</tr>'
    )


def differences_html(differences: Differences) -> str:
    """Where two trees part, as a list, and a table of the rows that they answer differently."""
    items = "".join(f"<li>{html(line)}</li>" for line in places(differences, _ROWS))
    told = f"<p>{html(words.plain(differences.told()))}</p><ul>{items}</ul>"
    if not len(differences.rows):
        return _data(told)
    head, *rows = differing(differences)
    top, _ = _head(map(html, head), (False,) * len(head))
    body = "".join(
        f'<tr><th scope="row" class="dtl-number dtl-row">{first}</th>'
        f"{''.join(f'<td>{html(text)}</td>' for text in rest)}</tr>"
        for first, *rest in rows
    )
    hidden = max(len(differences.rows) - DIFFERING, 0)
    return _data(told + _rows("Rows answered differently", top, body, hidden))
