r"""Words with a little Markdown in them, as a lesson's page has them: bold, italic, code, formulas.

>>> runs("an **internal node**, not *Refund*")
[('', 'an '), ('b', 'internal node'), ('', ', not '), ('i', 'Refund')]
>>> plain("each is measured against $H(Y \\mid X)$, by `compare`")
'each is measured against H(Y | X), by compare'
"""

from __future__ import annotations

import re

from dtree_lab.base import text as escape

# The signs around a piece, and the element that it is; the longer signs first.
_SIGNS = (("``", "code"), ("`", "code"), ("**", "b"), ("*", "i"), ("$", ""))
_PIECE = re.compile("|".join(rf"{re.escape(s)}(?=\S)(.+?)(?<=\S){re.escape(s)}" for s, _ in _SIGNS))


def runs(text: str) -> list[tuple[str, str]]:
    """The pieces of a text, each with the element that it is; the empty one for plain words."""
    found: list[tuple[str, str]] = []
    at = 0
    for match in _PIECE.finditer(text):
        found.append(("", text[at : match.start()]))
        kind = (match.lastindex or 1) - 1
        words = match[kind + 1]
        found.append((_SIGNS[kind][1], _formula(words) if _SIGNS[kind][0] == "$" else words))
        at = match.end()
    found.append(("", text[at:]))
    return [(kind, words) for kind, words in found if words]


def code_runs(text: str) -> list[tuple[str, str]]:
    """As :func:`runs`, for words that quote people: only double backticks are signs.

    >>> code_runs("2*3*4 is ``24``")
    [('', '2*3*4 is '), ('code', '24')]
    """
    pieces = enumerate(text.split("``"))
    return [("code" if i % 2 else "", words) for i, words in pieces if words]


def without_marks(text: str) -> str:
    """The words alone."""
    return "".join(words for _, words in runs(text))


def as_html(text: str) -> str:
    """The text as part of a page; all that is in it is escaped."""
    pieces = ((kind, escape.html(words)) for kind, words in runs(text))
    return "".join(f"<{kind}>{words}</{kind}>" if kind else words for kind, words in pieces)


def _formula(tex: str) -> str:
    """A short formula in signs: the few commands that questions have."""
    for command, sign in ((r"\mid", "|"), (r"\log_2", "log₂"), (r"\cdot", "·")):
        tex = tex.replace(command, sign)
    return tex
