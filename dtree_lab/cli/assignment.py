"""The command ``dtree-lab assignment``: lessons handed out, collected and graded, for staff."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

from dtree_lab.base.files import write_whole
from dtree_lab.base.installing import missing
from dtree_lab.base.terminal import for_terminal
from dtree_lab.base.text import did_you_mean, number, plural
from dtree_lab.course import lessons
from dtree_lab.course.assignment import (
    SOURCE,
    AssignmentError,
    assignments,
    lesson_file,
    make,
    meant,
    own_exercises,
    report,
)
from dtree_lab.grading import exports
from dtree_lab.grading.batch import Batch, graded, sheet_of
from dtree_lab.grading.collecting import collect
from dtree_lab.grading.gradebook import into_gradebook, manual_grades
from dtree_lab.grading.judge import marks_line
from dtree_lab.grading.linting import doubts, kept_back
from dtree_lab.grading.lmssheets import Lms, filled
from dtree_lab.grading.pages import report_page, write_feedback
from dtree_lab.grading.records import GradeRecord, Records, by_due, moment, noted, statuses_of
from dtree_lab.grading.releasing import as_assignment, draft, left_behind, made_of, release
from dtree_lab.grading.sandbox import Allowance, Kind, sandbox
from dtree_lab.grading.sheets import Handout

_SHORT = {
    "new": "make a course's folder, with solutions and unseen cases in source/",
    "check": "say what to mend in exercises that you wrote yourself",
    "release": "write the learners' copy to release/, if it tells nothing",
    "collect": "bring in what Canvas, Moodle or nbgrader's exchange give",
    "grade": "grade what is in submitted/, or what is new in it",
    "regrade": "grade all anew, and list the marks that change",
    "feedback": "write a page for each learner",
    "export": "write CSV, Canvas's or Moodle's columns, results.json",
    "report": "write a page: what the class got wrong, what to look at",
}
COMMANDS = tuple(_SHORT)
NO_SANDBOX = """\
WARNING: there is no sandbox here. What was handed in would run with YOUR rights: it can read the
solutions and other submissions, delete files, and use the network. Install bubblewrap (Debian,
Ubuntu: apt-get install bubblewrap; it runs on Linux). To grade without one all the same, on a
machine that has nothing to lose, say --no-sandbox."""
_EPILOG = """\
From nothing to grades:
  dtree-lab assignment new tax-fraud ~/trees            a course's folder, with nbgrader's layout
  cd ~/trees
  dtree-lab assignment release 01-tax-fraud             what learners get: release/01-tax-fraud/
  dtree-lab assignment collect 01-tax-fraud subs.zip    from Canvas, Moodle or nbgrader's exchange
  dtree-lab assignment grade 01-tax-fraud               judged outside of the learners' processes
  dtree-lab assignment report 01-tax-fraud class.html   what the class got wrong, what to look at
  dtree-lab assignment feedback 01-tax-fraud            a page for each learner: feedback/
  dtree-lab assignment export 01-tax-fraud --wide grades.csv

Each command says more with --help. Keep the folder from learners: the solutions are in it."""


def main(arguments: Sequence[str]) -> int:
    """Run the command with the words after ``dtree-lab assignment``; the exit status."""
    words = list(arguments) or ["--help"]
    if words[0] not in (*COMMANDS, "-h", "--help"):
        if not _is_lesson(words[0]) and (close := did_you_mean(words[0], COMMANDS)):
            print(f"dtree-lab assignment: no command {words[0]!r}.{close}", file=sys.stderr)
            return 2
        words.insert(0, "new")  # as it was called when there was nothing else to do
    options = _parser().parse_args(words)
    if "assignment" in options:
        there = assignments(options.course)
        options.assignment = meant(options.assignment, there) or options.assignment
    try:
        deed: Callable[[argparse.Namespace], int] = options.deed
        return deed(options)
    except (AssignmentError, OSError) as problem:
        print(f"dtree-lab assignment: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        said = "stopped; what is graded is kept, and the same command goes on from there"
        print(f"dtree-lab assignment: {said}", file=sys.stderr)
        return 130


def _is_lesson(word: str) -> bool:
    """Whether a word may begin what `new` is told: a lesson, a notebook of one's own, an option."""
    if word.startswith("-") or word.endswith(".ipynb"):
        return True
    try:
        lesson_file(word, lessons.notebooks_folder())
    except AssignmentError:
        return False
    return True


def _say(text: str) -> None:
    print(for_terminal(text))


def _new(options: argparse.Namespace) -> int:
    folder: Path = options.folder.expanduser().resolve()
    course_id = options.course_name or folder.name
    for asked in options.lesson:
        seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
        mine = _draft(asked)
        if mine is None:
            made = make(lesson_file(asked, lessons.notebooks_folder()), folder, course_id, seed)
        else:
            made = made_of(mine, folder, course_id, seed)
        _say(report(made))
        if mine is not None and (left := left_behind(mine)):
            _say(f"Left behind: {', '.join(left)}. Learners get the notebook alone.")
    return 0


def _draft(name: str) -> Path | None:
    """The notebook of staff's own that is meant; None for a lesson's number or name."""
    own = Path(name).expanduser()
    # A folder may have a lesson's name by chance; a notebook's file is meant as it is said.
    named = own.suffix == ".ipynb" and own.is_file()
    return draft(name) if named or (own.is_dir() and not _is_lesson(name)) else None


def _check(options: argparse.Namespace) -> int:
    with as_assignment(options.path, options.course) as (course, assignment):
        found = doubts(course, assignment, sandbox())
        kept = kept_back(course, assignment) if not any(one.grave for one in found) else []
    for doubt in found:
        _say(str(doubt))
    for line in kept:
        _say(f"For your knowledge: {line}.")
    if not found:
        _say("Nothing to mend: the worked solutions earn all points, untouched cells none.")
    return 1 if found else 0


def _release(options: argparse.Namespace) -> int:
    # Of an assignment without exercises of staff's own, the course's own tests have seen to it.
    mine = own_exercises(options.course / SOURCE / options.assignment)
    found = doubts(options.course, options.assignment, sandbox()) if mine else []
    grave = [str(one) for one in found if one.grave]
    if grave:
        raise AssignmentError("\n  ".join(["nothing is released:", *grave]))
    place = release(options.course, options.assignment)
    for doubt in found:
        print(f"WARNING: {for_terminal(str(doubt))}", file=sys.stderr)
    _say(f"{place}\n  without solutions, unseen cases and outputs: hand this out")
    return 0


def _collect(options: argparse.Namespace) -> int:
    sheet: Path | None = options.sheet
    found = collect(options.path.expanduser(), options.course, options.assignment, sheet)
    for one in found:
        if one.note or one.status in ("refused", "replaced"):
            _say(f"{one.learner}: {one.status}{'; ' if one.note else ''}{one.note}")
    count = {status: sum(one.status == status for one in found) for status in _COLLECTED}
    told_ = ", ".join(f"{many} {status}" for status, many in count.items() if many)
    _say(f"{plural(sum(count.values()), 'submission')}: {told_}")
    if count["unclear"]:
        _say(_UNCLEAR if sheet is None else _STILL_UNCLEAR)
    return 0


_COLLECTED = ("new", "replaced", "same", "refused", "unclear")
_STILL_UNCLEAR = "What is unclear is nobody's until it lies in a folder with its learner's name."
_UNCLEAR = f"{_STILL_UNCLEAR} --sheet, with Canvas's or Moodle's own sheet, may tell whose it is."


def _grade(options: argparse.Namespace) -> int:
    batch = _graded(options)
    if batch is None:
        return 2
    for record in batch.records:
        if record.status != "graded":
            _say(marks_line(record))
            for note in noted(replace(record, note="")):
                _say(f"    {note}")
    _say(_summary(batch))
    _into_gradebook(options, batch)
    return 0


def _into_gradebook(options: argparse.Namespace, batch: Batch) -> None:
    if options.gradebook:
        sheet = sheet_of(options.course, options.assignment)
        many = into_gradebook(options.course, sheet, batch.records)
        _say(f"{plural(many, 'submission')} in nbgrader's gradebook")


def _regrade(options: argparse.Namespace) -> int:
    batch = _graded(options)
    if batch is None:
        return 2
    for record, before in batch.changed:
        _say(f"{record.learner}: {number(before)} before, {number(record.points)} now")
    _say(f"{_summary(batch)}; {plural(len(batch.changed), 'mark')} changed")
    _into_gradebook(options, batch)
    return 0


def _graded(options: argparse.Namespace) -> Batch | None:
    """What grading comes to; None where there is no sandbox, and nobody wants to do without."""
    kind = _sandbox(options)
    if kind is None:
        return None
    limits = Allowance(
        memory=int(options.memory * (1 << 30)), cell=options.seconds, whole=options.minutes * 60
    )
    return graded(
        options.course,
        options.assignment,
        kind,
        limits,
        n_jobs=options.jobs,
        again=options.again,
        only=options.only,
    )


def _sandbox(options: argparse.Namespace) -> Kind | None:
    if find_spec("IPython") is None:  # by whose rules cells are read
        raise AssignmentError(str(missing("IPython", "course", "Grading needs")))
    kind: Kind = "none" if options.no_sandbox else sandbox()
    if kind == "none":
        print(NO_SANDBOX, file=sys.stderr)
        return kind if options.no_sandbox else None
    return kind


def _summary(batch: Batch) -> str:
    many = plural(len(batch.records), "submission")
    return f"{many} ({batch.done} now): {statuses_of(batch.records)}"


def _records(options: argparse.Namespace) -> tuple[Handout, list[GradeRecord]]:
    sheet = sheet_of(options.course, options.assignment)
    records = Records(options.course, options.assignment).all()
    if not records:
        raise AssignmentError(f"{options.assignment} is not graded yet: dtree-lab assignment grade")
    records = exports.everybody(options.course, sheet, records)
    if due := getattr(options, "due", None):
        if timeless := sum(moment(one.handed_in) is None for one in records):
            said = "without a time: late only where Canvas says so"
            _say(f"{plural(timeless, 'submission')} {said}")
        records = [by_due(one, due) for one in records]
    return sheet, manual_grades(options.course, sheet, records)


def _feedback(options: argparse.Namespace) -> int:
    many = write_feedback(options.course, *_records(options))
    _say(f"{plural(many, 'page')} in {options.course / 'feedback'}")
    return 0


def _export(options: argparse.Namespace) -> int:
    if not any(getattr(options, name) for name in _WRITTEN):
        raise AssignmentError(f"say what to write: --{', --'.join(_WRITTEN)}")
    sheet, records = _records(options)
    for path, text in ((options.csv, exports.long_csv), (options.wide, exports.wide_csv)):
        if path is not None:
            write_whole(path, text(sheet, records))
            _say(str(path))
    _fill(options, "Canvas", options.canvas, options.column or options.assignment, sheet, records)
    _fill(options, "Moodle", options.moodle, options.column, sheet, records)
    if options.results is not None:
        many = exports.write_results(options.results, sheet, records)
        _say(f"{plural(many, 'results.json', 'results.json')} in {options.results}")
    missing = [one.learner for one in records if not one.marks]
    if missing:
        _say(f"Without points, and not with 0: {', '.join(missing)}")
    return 0


_WRITTEN = ("csv", "wide", "canvas", "moodle", "results")


def _fill(  # noqa: PLR0913, PLR0917 - whose sheet it is, and what goes where
    options: argparse.Namespace,
    lms: Lms,
    pair: tuple[str, str] | None,
    column: str,
    sheet: Handout,
    records: list[GradeRecord],
) -> None:
    if pair is None:
        return
    most = sum(check.points for check in sheet.checks.values())
    theirs, file = map(Path, pair)
    made = filled(theirs, lms, column, records, most, scale=options.scale)
    write_whole(file, made.text)
    _say(f"{file}: points for {plural(made.many, 'learner')}")
    for said, those in {
        f"Not in {theirs}, and so without points there": made.missing,
        f"In {theirs} with another name, and so without points there": made.renamed,
        f"Several for one line of {theirs}, and so without points there": made.doubled,
        "Excused there, and left so": made.excused,
    }.items():
        if those:
            _say(f"{said}: {', '.join(those)}")


def _report(options: argparse.Namespace) -> int:
    sheet, records = _records(options)
    write_whole(options.file, report_page(sheet, records, names=not options.no_names))
    _say(str(options.file))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dtree-lab assignment",
        description="Hand lessons out as assignments, and grade them so that marks can be trusted.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_new(commands)
    about = (
        "Say what to mend in exercises that you wrote yourself: where an answer without a thought"
        " would earn more than a tenth, where a worked solution does not earn all points, which"
        " behaviours have one case only, which unseen cases are none."
    )
    words = _add(commands, "check", _check, about, "path")
    words.add_argument(
        "path",
        metavar="FOLDER",
        help="a folder with a notebook and exercises.py, or the name of an assignment",
    )
    about = "Write the learners' copy to release/; refused if it would tell a solution."
    _add(commands, "release", _release, about)
    about = (
        "Copy submissions to submitted/: a folder or zip as Canvas, Moodle or nbgrader's exchange"
        " give it, or a folder with one for each learner. What will be repaired is told."
    )
    words = _add(commands, "collect", _collect, about)
    words.add_argument("path", metavar="PATH", type=Path, help="the folder or zip")
    about = "what Canvas or Moodle exported of the class: it decides where a name may be of several"
    words.add_argument("--sheet", type=Path, metavar="THEIRS", help=about)
    about = (
        "Grade what is in submitted/, each in a sandbox, judged from outside of it. What is graded"
        " already, and has not changed, is left. Can be interrupted at any moment."
    )
    grade = _add(commands, "grade", _grade, about)
    _add_grading(grade)
    grade.add_argument("--again", action="store_true", help="grade all anew")
    about = "Grade all anew, after a check was mended, and list the marks that change."
    regrade = _add(commands, "regrade", _regrade, about)
    _add_grading(regrade)
    regrade.set_defaults(again=True)
    about = "Write a page for each learner to feedback/, without the unseen cases."
    _add(commands, "feedback", _feedback, about)
    _add_export(commands)
    about = "Write one page: what the class got wrong, by which mistakes, and what to look at."
    words = _add(commands, "report", _report, about)
    words.add_argument("file", metavar="FILE", type=Path, help="the page, such as class.html")
    words.add_argument("--no-names", action="store_true", help="say how many, and not who")
    _add_due(words)
    return parser


def _add(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    deed: Callable[[argparse.Namespace], int],
    about: str,
    first: str = "assignment",
) -> argparse.ArgumentParser:
    made = commands.add_parser(name, help=_SHORT[name], description=about)
    made.set_defaults(deed=deed)
    if first == "assignment":
        made.add_argument(first, metavar="ASSIGNMENT", help=_NAMED)
    made.add_argument(
        "--course",
        metavar="FOLDER",
        type=_folder,
        default=_folder("."),
        help="the course's folder (default: where you are)",
    )
    return made


_NAMED = "its name or number, such as 01-tax-fraud, tax-fraud or 1"


def _add_new(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "new",
        help=_SHORT["new"],
        description="Make nbgrader's source version of lessons: worked solutions, and tests with"
        " cases that learners do not see. Nothing is overwritten. Of a notebook of your own, what"
        " calls dt.course.check is a check, and the cell above it with its name is the answer's;"
        " exercises.py beside it makes exercises of your own.",
        epilog="Keep the folder from learners: the solutions are in it.",
    )
    parser.set_defaults(deed=_new)
    add = parser.add_argument
    about = (
        "its number or name, such as 1 or tax-fraud; or a notebook of your own (.ipynb), or the"
        " folder with it"
    )
    add("lesson", metavar="LESSON", nargs="+", help=about)
    add("folder", metavar="FOLDER", type=Path, help="the nbgrader course, made if there is none")
    about = "nbgrader's name of a new course (default: the folder's)"
    add("--course", dest="course_name", metavar="NAME", help=about)
    add("--seed", type=_seed, help="where the unseen cases come from (default: a secret one)")


def _add_grading(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    about = "how many at once (default: 1; -1 for all cores)"
    add("--jobs", "-j", type=int, default=1, metavar="N", help=about)
    about = "grade only these"
    add("--only", nargs="+", action="extend", default=[], metavar="LEARNER", help=about)
    add("--seconds", type=float, default=20, help="for a cell (default: 20)")
    add("--minutes", type=float, default=5, help="for a submission (default: 5)")
    add("--memory", type=float, default=2, metavar="GB", help="for a process (default: 2)")
    about = "write the marks into nbgrader's gradebook.db, too, for Formgrader"
    add("--gradebook", action="store_true", help=about)
    about = "run what was handed in with your own rights; only where there is nothing to lose"
    add("--no-sandbox", action="store_true", help=about)


def _add_export(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "Write marks for other programs; what could not be graded gets no points, not even 0."
    words = _add(commands, "export", _export, about)
    _add_due(words)
    add = words.add_argument
    add("--csv", type=Path, metavar="FILE", help="a line for each learner and exercise")
    add("--wide", type=Path, metavar="FILE", help="a line for each learner")
    both = ("THEIRS", "FILE")
    about = "fill the assignment's column of a gradebook that Canvas exported"
    add("--canvas", nargs=2, metavar=both, help=about)
    about = "fill the column Grade of a grading worksheet that Moodle exported"
    add("--moodle", nargs=2, metavar=both, help=about)
    about = "the column's title there, or a part of it (default: Canvas: ASSIGNMENT, Moodle: Grade)"
    add("--column", default="", metavar="TITLE", help=about)
    about = "where they give another number of points at most: turn ours into theirs"
    add("--scale", action="store_true", help=about)
    about = "LEARNER/results.json for each, as Gradescope and Otter write it"
    add("--results", type=Path, metavar="FOLDER", help=about)


def _add_due(parser: argparse.ArgumentParser) -> None:
    about = "what came after it is called late, such as '2026-11-02 18:00' (UTC) or with +01:00"
    parser.add_argument("--due", type=_moment, metavar="TIME", help=about)


def _moment(text: str) -> datetime:
    found = moment(text)
    if found is None:
        said = (
            f"{text!r} is no time; write it as '2026-11-02 18:00' (UTC) or '2026-11-02 18:00+01:00'"
        )
        raise argparse.ArgumentTypeError(said)
    return found


def _folder(text: str) -> Path:
    return Path(text).expanduser().resolve()


def _seed(text: str) -> int:
    seed = int(text)
    if seed < 0:
        raise ValueError(text)
    return seed
