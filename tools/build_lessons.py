"""Make the course's notebooks from their sources, or check that they are up to date.

    python tools/build_lessons.py            write notebooks/*.ipynb, and README's table of lessons
    python tools/build_lessons.py 02 labs    write those whose names begin so
    python tools/build_lessons.py README     write the table alone
    python tools/build_lessons.py --check    run everything anew and compare, write nothing

A lesson's source is `dtree_lab/course/lessons/NAME/lesson.md`. It begins with what the lesson is
(its number, title, minutes …), from which its heading, the map and README's table are made. Beside
it, `further/PAGE.md` begins with a title and what it is about, and becomes
`notebooks/further/NUMBER-PAGE.ipynb`. The pages without exercises are `notebooks/.source/NAME.md`.
In a source stand, on lines of their own,

    [[tax-fraud/parts]]    an exercise of the lesson's modules: heading, text, answer cell, check
    [[lessons]]            the table of lessons
    [[further]]            the list of further pages

and `{{minutes}}` where a lesson says how long it takes. `{{notebook: …}}` is around words that hold
in a notebook and not on the course's site, which leaves them out. The rest is Markdown. Each block
fenced with ```python is a code cell; the rest are text cells, a new one at each heading. Words
after ```python say more:

    answer=ID   the learner's cell of an exercise, with its stub (an exercise brings this itself)
    name        where the learner's name is filled in, from which some exercises draw their data
    later       the output is not kept in the notebook, because it would tell an answer too early;
                the site shows it to whoever opens it (`notebooks/.source/later/NAME.json`)
    varies      the output is kept nowhere: it differs from time to time
    widget      the output is a widget: only its picture is kept

Cell ids come from the headings and the exercises, so that they stay when a text is edited.
Outputs are those of a run of the unsolved notebook in a fresh kernel; `nbval` compares them again
wherever they are kept.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
from nbclient import NotebookClient

from dtree_lab.course.asking.wording import worded
from dtree_lab.course.assignment import metadata
from dtree_lab.course.lessons import FURTHER, PLACE, find
from dtree_lab.course.lessons import lessons as course
from dtree_lab.course.pages import front_matter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dtree_lab.course.exercise import Exercise
    from dtree_lab.course.lessons import Lesson

README = Path(__file__).parents[1] / "README.md"
NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
SOURCES = NOTEBOOKS / ".source"
LATER = SOURCES / "later"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
WIDGET = "application/vnd.jupyter.widget-view+json"
MOST_BYTES = 500_000
_FENCE = re.compile(r"^```(\S*)\s*(.*)$")
_ONLY = re.compile(r"\{\{notebook: (.*?)\}\}", re.DOTALL)
_CHECK = re.compile(r'dt\.course\.check\(\s*"([^"]+)"')
_DRAWN = re.compile(r'dt\.course\.(another|warm_up|wrap_up)\(\s*"([^"]+)"')
_HEX = re.compile(r"\b[0-9a-f]{32}\b")
# What begins a line of its own in Markdown; other lines go on with their paragraph.
_BEGINS = re.compile(r"\s*([-+*]( |$)|\d+\.( |$)|[|#>]|\$\$|```|\[\[)")
_TABLE = re.compile(r"(?<=<!-- lessons -->\n).*?(?=\n<!-- /lessons -->)", re.DOTALL)
_HEADS = ("Lesson", "What it is about", "Minutes", "What it needs")


@dataclass(frozen=True)
class Source:
    """A notebook to be: its name, its Markdown with everything put in, and its folder."""

    stem: str
    text: str
    folder: str = ""


def sources() -> list[Source]:
    """All that notebooks are made from, in the order of their names; then the further ones."""
    listed = {"[[lessons]]": lessons_table("{}.ipynb"), "[[further]]": further_list()}
    made = []
    for page in SOURCES.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for place, table in listed.items():
            text = text.replace(place, table)
        made.append(Source(page.stem, text))
    made += [Source(lesson.stem, whole(lesson)) for lesson in course()]
    made += further()
    return sorted(made, key=lambda source: (source.folder, source.stem))


def further() -> list[Source]:
    """The further notebooks; the numbers of their exercises go on from those of the lesson."""
    pages = [(lesson, page) for lesson in course() for page in lesson.further]
    made = []
    for lesson, page in pages:
        said, text = front_matter(page.read_text(encoding="utf-8"))
        filled = with_exercises(lesson, f"# {said['title']}\n{text}")
        made.append(Source(f"{lesson.number:02}-{page.stem}", filled, FURTHER))
    return made


def further_list() -> str:
    """The list of further pages in Markdown, each with what it is about."""
    lines = []
    for lesson in course():
        for page in lesson.further:
            said, _ = front_matter(page.read_text(encoding="utf-8"))
            link = f"[{said['title']}]({FURTHER}/{lesson.number:02}-{page.stem}.ipynb)"
            lines.append(f"- {link}, after Lesson {lesson.number}: {said['about']}")
    return "\n".join(lines)


def whole(lesson: Lesson) -> str:
    """A lesson's Markdown, with its title and minutes and the exercises in their places."""
    reading, exercises = lesson.minutes
    said = f"{reading} minutes, and {exercises} more for the exercises"
    text = f"# {lesson.number}. {lesson.title}\n{lesson.text}".replace("{{minutes}}", said)
    return with_exercises(lesson, text)


def with_exercises(lesson: Lesson, text: str) -> str:
    """A page of a lesson with the exercises in their places."""
    numbers = {name: number for number, name in enumerate(lesson.exercises, 1)}
    return PLACE.sub(lambda place: exercise_text(find(place[1]), numbers[place[1]]), text)


def exercise_text(exercise: Exercise, number: int) -> str:
    """The Markdown of an exercise: its heading and text, the answer cell, and the check cell."""
    task, stub = exercise.task, exercise.stub
    lab = " widget" if task.kind in ("choice", "doing") and "..." not in stub else ""
    answer = f"```python answer={exercise.id}{lab}\n{stub}\n```"
    # A card asks for itself: what it asks need not stand in the page, too.
    carded = task.kind == "choice" and "dt.course.ask(" in stub
    text = unwrapped(worded(exercise.text).page if carded else exercise.text)
    asked = text.replace("[[answer]]", answer) if "[[answer]]" in text else f"{text}\n\n{answer}"
    named = ", name=me" if exercise.own else ""
    check = f'dt.course.check("{exercise.id}", {exercise.answer}{named})'
    heading = f"### Exercise {number}: {exercise.heading}"
    more = f'\n\n```python widget\ndt.course.another("{exercise.skill}", me)\n```'
    anew = more if exercise.skill else ""
    return f"{heading}\n\n{asked}\n\n```python\n{check}\n```{anew}"


def unwrapped(text: str) -> str:
    """Markdown with each paragraph on one line; blocks of code stay as they are."""
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = line.startswith("```")
        goes_on = line.strip() and not _BEGINS.match(line) and lines and lines[-1].strip()
        if goes_on and not fenced and not lines[-1].startswith("```"):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
        fenced ^= fence
    return "\n".join(lines)


def lessons_table(target: str) -> str:
    """The table of the lessons in Markdown; the target of a link has {} for a notebook's name."""
    rows = [
        (
            f"[{one.number}. {one.title}]({target.format(one.stem)})",
            one.about,
            f"{one.minutes[0]} + {one.minutes[1]}",
            one.needs,
        )
        for one in course()
    ]
    return "\n".join([_row(_HEADS), "|---" * len(_HEADS) + "|", *map(_row, rows)])


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def readme() -> str:
    """README with the table of the lessons as they are now."""
    text = README.read_text(encoding="utf-8")
    return _TABLE.sub(lambda _: lessons_table("notebooks/{}.ipynb"), text)


@dataclass(frozen=True)
class Block:
    """A cell to be: text or code, with the words after its fence and the heading above it."""

    kind: str
    text: str
    words: tuple[str, ...] = ()
    heading: str = ""


def blocks(source: str) -> Iterator[Block]:
    """The cells of a source."""
    heading, text, code, words, fence = "", list[str](), list[str](), (), ""
    for line in source.splitlines():
        match = _FENCE.match(line)
        if fence == "python" and line == "```":
            yield Block("code", "\n".join(code), words, heading)
            fence, code = "", []
        elif fence == "python":
            code.append(line)
        elif match and not fence and match[1] == "python":
            yield from _text(text, heading)
            text, fence, words = [], "python", tuple(match[2].split())
        else:
            if match:  # another kind of block stays in its text
                fence = "" if fence else match[1] or "text"
            elif line.startswith("#") and not fence:
                yield from _text(text, heading)
                text, heading = [], line.lstrip("# ")
            text.append(line)
    if fence:
        raise ValueError(f"a block in the section {heading!r} is not closed")
    yield from _text(text, heading)


def _text(lines: list[str], heading: str) -> Iterator[Block]:
    text = "\n".join(lines).strip()
    if text:
        yield Block("markdown", text, (), heading)


def build(source: str) -> Any:
    """The notebook of a source, without outputs."""
    used: dict[str, int] = {}
    cells = [_cell(block, used) for block in blocks(source)]
    metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def _cell(block: Block, used: dict[str, int]) -> Any:
    if block.kind == "markdown":
        cell = nbformat.v4.new_markdown_cell(_ONLY.sub(r"\1", block.text))
        cell.id = _unique(_slug(block.heading), used)
        if only := _ONLY.findall(block.text):
            cell.metadata["notebook_only"] = only
        return cell
    cell = nbformat.v4.new_code_cell(block.text)
    answer = next((word[7:] for word in block.words if word.startswith("answer=")), None)
    check = _CHECK.search(block.text)
    named = "your name" if "name" in block.words else block.heading
    name = f"answer-{answer}" if answer else f"check-{check[1]}" if check else named
    if drawn := _DRAWN.search(block.text):  # so that the ids of others stay as they were
        name = f"{drawn[1]}-{drawn[2]}"
    cell.id = _unique(_slug(name), used)
    if answer or check:
        role = "answer" if answer else "check"
        cell.metadata["dtree_lab"] = {"exercise": answer or check[1], "role": role}
        exercise = None if answer else find(check[1])
        cell.metadata["nbgrader"] = metadata(role, cell.id, exercise.points if exercise else 0)
        if exercise and exercise.task.kind == "choice":
            # Its card tells the verdict; the cell is there to be graded.
            cell.metadata["jupyter"] = {"source_hidden": True}
    elif "name" in block.words:
        cell.metadata["dtree_lab"] = {"role": "name"}
    tags = [word for word in block.words if word in ("later", "varies", "widget")]
    kept = not answer and not tags
    cell.metadata["tags"] = [*tags, *(["nbval-check-output"] if kept else [])]
    return cell


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:50] or "cell"


def _unique(name: str, used: dict[str, int]) -> str:
    used[name] = used.get(name, 0) + 1
    return name if used[name] == 1 else f"{name}-{used[name]}"


def solve(notebook: Any) -> Any:
    """Put the worked solutions into the answer cells of a notebook."""
    for cell in notebook.cells:
        told = cell.metadata.get("dtree_lab", {})
        if told.get("role") == "answer":
            cell.source = find(told["exercise"]).solution.strip()
    return notebook


# Labs may have work left when the last cell has run, which changes the pictures they leave.
SETTLED = "from dtree_lab.labs.lab_widget import settled\nawait settled()"


def run(notebook: Any) -> Any:
    """Run a notebook in a fresh kernel, in the lessons' folder, until its labs have settled."""
    # A progress bar comes when the machine is slow, and would be another output each time.
    os.environ["TQDM_DISABLE"] = "1"
    where = {"metadata": {"path": str(NOTEBOOKS)}}
    notebook.cells.append(nbformat.v4.new_code_cell(SETTLED))
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=where).execute()
    notebook.cells.pop()
    return notebook


def tidied(notebook: Any) -> Any:
    """The notebook with the outputs that are kept, and nothing that differs from run to run."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)
            left_out = {"later", "varies"} & set(cell.metadata.tags)
            cell.outputs = [] if left_out else list(_kept(cell.outputs))
    return notebook


def left_for_later(notebook: Any) -> dict[str, list[Any]]:
    """The outputs that would tell too early, by the ids of their cells."""
    cells = [cell for cell in notebook.cells if "later" in cell.metadata.get("tags", [])]
    return {cell.id: list(_kept(cell.outputs)) for cell in cells}


def _kept(outputs: list[Any]) -> Iterator[Any]:
    for output in _joined(outputs):
        data = output.get("data")
        if data is None:
            yield output
        elif WIDGET not in data:
            output["metadata"] = {}
            output["data"] = {kind: _HEX.sub("0" * 32, text) for kind, text in data.items()}
            yield output


def _joined(outputs: list[Any]) -> list[Any]:
    """What is printed may arrive in one piece or in several, as the kernel finds the time."""
    joined: list[Any] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and "text" in output and last.get("name") == output["name"]:
            last["text"] += output["text"]
        else:
            joined.append(output)
    return joined


@dataclass(frozen=True)
class Written:
    """The texts that a lesson is kept as: its notebook, and the outputs left for later."""

    notebook: str
    later: str


def kept(notebook: Any) -> Written:
    """What a lesson that has run is kept as."""
    later = left_for_later(notebook)
    notebook = tidied(notebook)
    nbformat.validate(notebook)
    told = json.dumps(later, ensure_ascii=False, indent=1) if later else ""
    return Written(nbformat.writes(notebook) + "\n", told and told + "\n")


def places(source: Source) -> tuple[Path, Path]:
    """Where a lesson's notebook is kept, and its outputs left for later."""
    return NOTEBOOKS / source.folder / f"{source.stem}.ipynb", LATER / f"{source.stem}.json"


def stale(source: Source, found: Written) -> list[str]:
    """The names of a lesson's files that are not as they would be written."""
    texts = (found.notebook, found.later)
    kept = [p.read_text(encoding="utf-8") if p.exists() else "" for p in places(source)]
    return [p.name for p, a, b in zip(places(source), texts, kept, strict=True) if a != b]


def main() -> int:
    """Write the notebooks and README's table, or check them."""
    parser = argparse.ArgumentParser(description="Make the course's notebooks from their sources.")
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    parser.add_argument("names", nargs="*", default=[""], help="how the names begin; all if none")
    asked = parser.parse_args()
    begins = tuple(asked.names)
    made = [source for source in sources() if source.stem.startswith(begins)]
    problems = sum(_made(source, check=asked.check) for source in made)
    if README.name.startswith(begins):
        problems += _made_readme(check=asked.check)
    return 1 if problems else 0


def _made_readme(*, check: bool) -> int:
    """Write README's table of the lessons, or only compare it; how much is wrong."""
    text = readme()
    if not check:
        README.write_text(text, encoding="utf-8", newline="\n")
    elif text != README.read_text(encoding="utf-8"):
        print("README's table of lessons is old: run python tools/build_lessons.py README")
        return 1
    return 0


def _made(source: Source, *, check: bool) -> int:
    """Write a notebook, or only compare it; how much is wrong."""
    found = kept(run(build(source.text)))
    size = len(found.notebook.encode())
    if size > MOST_BYTES:
        print(f"{source.stem}.ipynb has {size:,} bytes, more than {MOST_BYTES:,}")
    if check:
        for name in (wrong := stale(source, found)):
            print(f"{name} is not what its source gives: run python tools/build_lessons.py")
        return len(wrong) + (size > MOST_BYTES)
    for place, text in zip(places(source), (found.notebook, found.later), strict=True):
        if text:
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, encoding="utf-8", newline="\n")
        else:
            place.unlink(missing_ok=True)
    print(f"{source.stem}.ipynb: {size:,} bytes")
    return int(size > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
