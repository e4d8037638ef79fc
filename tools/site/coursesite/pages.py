"""The pages: nbconvert makes a lesson's cells into HTML, a template of ours puts it on a page."""

from __future__ import annotations

import shutil
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup
from nbconvert.exporters import TemplateExporter
from nbconvert.filters import Highlight2HTML
from traitlets.config import Config

from coursesite import front
from coursesite.cells import for_download, for_readers
from coursesite.colours import highlighting
from coursesite.played import play
from coursesite.words import Words, anchor_link

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from coursesite.lesson import Lesson
    from coursesite.played import Played

HERE = Path(__file__).parents[1]
TEMPLATES = HERE / "templates"
SITE = "Decision trees, to learn by doing"
_DESCRIPTION = 160


def write(found: Sequence[Lesson], out: Path, *, labs: Mapping[str, Played] | None = None) -> None:
    """Write the pages of lessons.

    Parameters
    ----------
    found
        All lessons.
    out
        The folder.
    labs
        Recorded labs, by the ids of their cells; of others the page has a picture.
    """
    downloads = out / "notebooks"
    shutil.rmtree(downloads, ignore_errors=True)
    downloads.mkdir(parents=True)
    for old in out.glob("*.html"):
        old.unlink()
    frame = _frame()
    for lesson in found:
        _save(out / lesson.page, _lesson_page(frame, lesson, labs or {}))
        text = nbformat.writes(for_download(lesson.notebook))
        place = out / lesson.download
        place.parent.mkdir(exist_ok=True)
        _save(place, text + "\n")
    shown = front.pictures(found, out / "pictures")
    _save(out / "index.html", _index(frame, found, shown, labs or {}))
    style = (HERE / "style.css").read_text(encoding="utf-8")
    _save(out / "style.css", style + highlighting())
    shutil.copy(HERE / "icon.svg", out)


def _save(place: Path, text: str) -> None:
    place.write_text(text, encoding="utf-8", newline="\n")


def _frame() -> Environment:
    frame = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=select_autoescape(default=True)
    )
    frame.filters["anchor"] = anchor_link
    frame.filters["filename"] = lambda address: address.rpartition("/")[2]
    return frame


def _lesson_page(frame: Environment, lesson: Lesson, labs: Mapping[str, Played]) -> str:
    words = Words()
    shown = for_readers(lesson.notebook, lesson.later)
    data = play(shown, labs)
    body = _cells(shown, words)
    contents = [_trusted(heading) for heading in words.contents()]
    return frame.get_template("page.html.j2").render(
        title=f"{lesson.title} · {SITE}",
        summary=_summary(lesson.intro),
        lesson=lesson,
        body=Markup(body),  # noqa: S704 - made here, from the lessons
        contents=contents,
        data=Markup(data),  # noqa: S704 - recorded here
    )


def _trusted(heading: Any) -> Any:
    """A heading whose words are known to be HTML."""
    return type(heading)(heading.level, heading.anchor, Markup(heading.words))  # noqa: S704


class _Cells(TemplateExporter):
    """nbconvert's way from cells to HTML, without the scripts that its HTML exporter adds."""

    output_mimetype = "text/html"

    @property
    def default_config(self) -> Config:
        """Of what an output holds, the first of these is shown."""
        shown = ["text/html", "image/svg+xml", "image/png", "text/plain"]
        return Config({"NbConvertBase": {"display_data_priority": shown}})


def _cells(shown: Any, words: Words) -> str:
    exporter = _Cells(
        template_name="course",
        template_file="index.html.j2",
        extra_template_basedirs=[str(TEMPLATES)],
        filters={
            "highlight_code": Highlight2HTML(pygments_lexer="ipython3"),
            "words": words.html,
        },
    )
    return str(exporter.from_notebook_node(shown)[0])


def _index(
    frame: Environment,
    found: Sequence[Lesson],
    pictures: Mapping[str, front.Picture],
    labs: Mapping[str, Played],
) -> str:
    lite = any(one.lite for one in found)
    shown = [
        {
            "page": one.page,
            "further": bool(one.folder),
            "picture": f"pictures/{one.name}.svg" if one.name in pictures else "",
            "alt": pictures[one.name].alt if one.name in pictures else "",
            "title": one.title,
            "intro": Markup(one.intro),  # noqa: S704 - made here, from the lessons
            "minutes": one.minutes,
            "exercises": one.exercises,
            "download": one.download,
            "lite": one.lite,
        }
        for one in found
    ]
    lab, data = front.lab(labs)
    body = frame.get_template("index.html.j2").render(
        lessons=shown,
        lite=lite,
        lab=Markup(lab),  # noqa: S704 - recorded here
        plays=bool(data),
    )
    return frame.get_template("page.html.j2").render(
        title=SITE,
        summary="A course on decision trees: lessons to read, to run and to answer.",
        lesson=None,
        body=Markup(body),  # noqa: S704 - made here
        data=Markup(data),  # noqa: S704 - recorded here
    )


def _summary(html: str) -> str:
    text = " ".join(Markup(html).striptags().split())  # noqa: S704 - only its text is used
    cut = text if len(text) <= _DESCRIPTION else text[: _DESCRIPTION - 1].rpartition(" ")[0] + "…"
    return escape(cut, quote=False)
