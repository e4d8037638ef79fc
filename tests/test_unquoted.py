"""A guess without quotes: one sentence in a notebook, and only there."""

from __future__ import annotations

import re

import nbformat
from nbclient import NotebookClient

from course.sources import SOURCES
from dtree_lab.base.unquoted import advice, watch
from dtree_lab.course.lessons import guesses, names


def test_only_words_where_words_are_asked_for():
    """A line, its cell, and what it has to be; nothing where the traceback is right."""
    yes_no = '  # "yes" or "no"'
    for line, cell, write in [
        (f"guess = no{yes_no}", "", 'guess = "no"'),
        (f"guess = maybe{yes_no}", "", 'guess = "maybe"'),
        ('node = B  # "A", "B", "C" or "D"\n', "", 'node = "B"'),
        ("me = Ada  # your name, in quotes: some exercises", "", 'me = "Ada"'),
        ("guess = no", "guess = no\ndt.course.reveal(guess, 3)", 'guess = "no"'),
        ("guess = no", "guess = no\ndt.course.reveal(\n    guess, 3)", 'guess = "no"'),
        ("guess = no", "guess = no", ""),
        ("other = no", "other = no\nguess = 3\ndt.course.reveal(guess, 3)", ""),
        ("guess = five  # a number from 0 to 10", "dt.course.reveal(guess)", ""),
        (f"guess = no + 1{yes_no}", "", ""),
        (f"guess = f(no){yes_no}", "", ""),
        (f'guess = "no" + no{yes_no}', "", ""),
        (f"guess == no{yes_no}", "", ""),
        ("", "", ""),
    ]:
        word = re.search(r"= (\w+)", line)
        said = advice(NameError("", name=word[1] if word else "x"), line, cell)
        assert said.endswith(f"write {write}.") if write else said == "", line
    assert advice(NameError("", name="other"), f"guess = no{yes_no}") == ""
    assert advice(ValueError(), f"guess = no{yes_no}") == ""
    several = 'guess = the same  # "less", "the same" or "more"'
    assert advice(SyntaxError(), several).endswith('write guess = "the same".')
    assert advice(SyntaxError(), 'guess = a same  # "less", "the same" or "more"') == ""


def test_whoever_asks_for_the_words_of_a_guess_is_understood():
    """Each guess as a stub with its words, filled in without quotes by each of them."""
    tried = 0
    for options in (one.options for lesson in names() for one in guesses(lesson).values()):
        asked = "  # " + " or ".join(f'"{word}"' for word in options)
        for word in options:
            line, simple = f"guess = {word}{asked}", word.isidentifier()
            error = NameError("", name=word) if simple else SyntaxError()
            if re.fullmatch(r"[\w .-]+", word):
                assert advice(error, line).endswith(f'write guess = "{word}".'), line
                tried += 1
    assert tried > 50


def test_no_lesson_asks_to_type_a_word_that_can_be_chosen():
    for source in SOURCES:
        assert re.findall(r"^\w+ = \.\.\.  # .*\".*$", source.text, re.MULTILINE) == []
        assert "dt.course.reveal(" not in source.text


ASKED = 'guess = classification  # "classification" or "regression"\nprint("never")'


def test_in_a_notebook_the_cell_fails_as_ever_and_says_a_sentence():
    """Also before anything of the course was used, and only for the cell's own line."""
    cells = ["import dtree_lab as dt", ASKED, "x = classification", f"def f():\n    {ASKED[:60]}"]
    cells += ["f()", "%tb", "1 / 0", "import importlib; importlib.reload(dt)", ASKED]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(book, allow_errors=True).execute()
    found = [[o for o in c.outputs if o.output_type == "error"] for c in book.cells]
    write = 'write guess = "classification".'
    for i in (1, 8):
        (error,) = found[i]
        assert (error.ename, error.evalue) == (
            "NameError",
            "name 'classification' is not defined",
        )
        assert len(error.traceback) == 1
        assert error.traceback[0].endswith(write)
        assert book.cells[i].outputs == [error]
    for i in (2, 4, 6):
        (error,) = found[i]
        assert len(error.traceback) > 1
        assert write not in str(error.traceback)


def test_shells_of_every_kind():
    class Shell:
        def _showtraceback(self, kind, error, told):
            return told

    shell = Shell()
    watch(shell)
    once = shell._showtraceback
    watch(shell)
    assert shell._showtraceback is once
    assert once(ValueError, ValueError(), ["as it was"]) == ["as it was"]
    assert once(SyntaxError, SyntaxError(), ["as it was"]) == ["as it was"]
    watch(None)
    watch(object())
