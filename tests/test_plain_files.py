"""A file that is read many cells at once says what it says cell by cell, messages included."""

from __future__ import annotations

import io
import math
import warnings
from unittest.mock import patch

import numpy as np
from cases import each
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.table import csvcells, csvscan
from dtree_lab.table.csvcells import plain_columns
from dtree_lab.table.csvfile import Dialect
from dtree_lab.table.numerals import Numerals
from dtree_lab.table.reading import ReadOptions

NUMBERS = st.one_of(
    st.integers(-(2**60), 2**60).map(str),
    st.integers(-99, 9_999).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(str),
    st.floats(-(10**6), 10**6).flatmap(
        lambda x: st.integers(0, 9).map(lambda n: f"{x:.{n}f}"),
    ),
    st.from_regex(r"[+-]?[0-9]{0,4}[.,]?[0-9]{0,4}(e[+-]?[0-9])?", fullmatch=True),
    st.sampled_from(
        [
            ".",
            "-",
            "-.",
            "0.",
            "-0",
            "00.5",
            "0e5",
            "1E-3",
            "1e999",
            "-999",
            "-999.0",
            "2.50",
            "2.250",
        ]
    ),
)
ODD = st.sampled_from(
    [
        " ",
        " 7",
        "7 ",
        "007",
        "-07",
        "1_0",
        "nan",
        "inf",
        "٣",
        "1 2",
        "1-2",
        "- 5",
        "1.2.3",
        "\ufeff",
    ]
) | st.sampled_from(
    ["", "9" * 30, "0x10", "1.250,5", "1'000", "1 000", "½", "\u00a0", "\x85", "# 5", "NA", "?"]
)
WORDS = st.one_of(
    st.sampled_from(
        ["red", "green", "yes", "yes ", "no", "x" * 70, "x" * 70 + "y", "é" * 9, "日本"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)
KINDS = [
    NUMBERS,
    NUMBERS,
    NUMBERS | ODD,
    WORDS,
    WORDS | ODD,
    st.sampled_from(["1", "", "2.5", "NA"]),
]


@st.composite
def messy_files(draw):
    """A file's text, and how it is said to be written."""
    delimiter = draw(st.sampled_from(",,,;\t| #-"))
    names = [*"abcd"[: draw(st.integers(0, 4))], "y"]
    names = draw(st.permutations([*names, *draw(st.sampled_from([[], [], [""], ["a"], ["1"]]))]))
    kinds = [draw(st.sampled_from(KINDS)) for _ in names]
    rows = draw(st.lists(st.tuples(*kinds), max_size=12))
    quoting = draw(st.sampled_from(["never", "needed", "needed", "always"]))
    led = draw(st.sampled_from(["", "", " "]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))

    def cell(text):
        needed = any(sign in text for sign in (delimiter, '"', "\n", "\r"))
        if quoting == "always" or (quoting == "needed" and needed):
            return '"' + text.replace('"', '""') + '"'
        return text

    lines = [(delimiter + led).join(map(cell, row)) for row in (names, *rows)]
    text = end.join(lines) + draw(st.sampled_from(["", end, end, end * 2]))
    if draw(st.integers(0, 3)) == 0:  # a slip somewhere
        at = draw(st.integers(0, len(text)))
        slip = draw(
            st.sampled_from(['"', delimiter, "\n", "\r", " ", "\n\n", "sep=;\n", "\0", "é"])
        )
        text = text[:at] + slip + text[at + draw(st.integers(0, 2)) :]
    ways = {
        "decimal": [".", ".", ","],
        "thousands": [None, None, ".", " "],
        "na": [None, None, "NA", ("", "?"), (), ("", "-999", "1"), "2.50"],
        "strip": [None, None, True, False],
        "drop": [(), (), "a"],
        "columns": [None, None, ["b"]],
        "names": [None, None, names],
        "rows": [None, None, 1, 3],
        "missing": ["keep", "keep", "error", "drop"],
        "kinds": [None, {"a": "discrete"}, {"b": "continuous"}, {"a": (1, 2)}, {"b": ("1", "2")}],
        "target_kind": [None, "discrete"],
        "weights": [None, None, None, "b"],
        "encoding": ["utf-8-sig", "utf-8-sig", "cp1252", "utf-16"],
    }
    return text, {"delimiter": delimiter} | {
        name: draw(st.sampled_from(some)) for name, some in ways.items()
    }


def end_of(data, said):
    """The table that reading leads to, or the error; and what is warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            table = dt.Table.read_csv(io.BytesIO(data), "y", **said)
        except (ValueError, TypeError) as error:
            end = type(error), str(error)
        else:
            columns = {name: table.column(name) for name in (*table.names, table.target.name)}
            weights = None if table.weights is None else table.weights.tolist()
            end = table.attributes, table.target, columns, weights, table.weight_unit
    return end, [str(warning.message) for warning in caught]


@given(messy_files(), st.sampled_from([30, 100, 1 << 19]))
def test_a_file_read_at_once_is_what_it_is_cell_by_cell(file, size):
    text, said = file
    data = text.encode(said["encoding"], "replace")
    with patch.object(csvscan, "_BLOCK", size):
        at_once = end_of(data, said)
    with patch.object(csvcells, "plain_columns", side_effect=csvscan.UnusualFileError):
        assert at_once == end_of(data, said)


ALIKE = {
    "a number that stands for no value": ("x,y\n1,a\n-999,b\n-999.0,c\n", {"na": "-999"}),
    "words after nothing but gaps": ("x,y\n" + ",a\n" * 50 + "u,a\n", {}),
    "a row of blanks": ("x,y\n1,a\n , \n2,b\n", {}),
    "a row of nothing": ("x,z,y\n1,2,a\n,,\n2,3,b\n", {}),
    "a quote within quotes": ('x,y\n1,"a ""b"" c"\n2,c\n', {}),
    "points between thousands": ("x;y\n1.250;a\n12.400;b\n", {"delimiter": ";"}),
    "blanks taken off": ("x,y\n 1,no\n2 ,no \n", {"strip": True}),
}


@each("name", ALIKE)
def test_what_is_easily_missed_is_the_same_both_ways(name):
    text, said = ALIKE[name]
    said = {"missing": "keep", **said}
    with patch.object(csvcells, "plain_columns", side_effect=csvscan.UnusualFileError):
        alone = end_of(text.encode(), said)
    assert not isinstance(alone[0][1], str), alone  # but a table
    for size in (30, 1 << 19):
        with patch.object(csvscan, "_BLOCK", size):
            assert end_of(text.encode(), said) == alone


@given(st.lists(NUMBERS, min_size=1, max_size=20), st.sampled_from(".,"))
def test_a_column_read_at_once_is_what_its_cells_are_one_by_one(cells, decimal):
    way = Numerals(decimal)
    raw = "\n".join(["x;y", *(f"{cell};a" for cell in cells)]).encode()
    numbers = [math.nan if cell == "" else way.number(cell) for cell in cells]
    try:
        dialect = Dialect(";", decimal).checked()
        columns = plain_columns(raw, ReadOptions("y"), dialect, {"x": "continuous"})
    except csvscan.UnusualFileError:
        assert any(
            n in (math.inf, -math.inf) or (type(n) is int and abs(n) > 2**53) for n in numbers
        )
        return
    if None in numbers or all(map(math.isnan, numbers)):
        assert columns["x"].tolist() == [cell or None for cell in cells]
    else:
        # As bits, so that each number is the nearest to what is written; -0 is 0.
        assert (columns["x"] + 0.0).tobytes() == (np.array(numbers, float) + 0.0).tobytes()


@each("decimal", ".,")
def test_a_sign_among_digits_at_once_is_what_it_is_alone(decimal):
    signs = [chr(code) for code in range(32, 127) if chr(code) not in '|"']
    for shape in ("1{}2", "{}12", "12{}", "-1{}2", "1.5{}2", "1,5{}2", "1{}{}2", "12345{}67"):
        cells = {f"x{i}": shape.replace("{}", sign) for i, sign in enumerate(signs)}
        lines = [cells, ["3"] * len(cells), cells.values()]
        raw = "\n".join(map("|".join, lines)).encode()
        columns = plain_columns(raw, ReadOptions("x0"), Dialect("|", decimal).checked(), {})
        for name, cell in cells.items():
            number = Numerals(decimal).number(cell)
            expected = ["3", cell] if number is None else [3, number]
            assert columns[name].tolist() == expected, cell


PLAIN = {
    "words and numbers": "x,y\n1.5,a\n-2,b\n",
    "without an end": "x,y\n1.5,a\n-2,b",
    "empty lines at the end": "x,y\n1,a\n2,b\n\n\n",
    "ends of lines of Windows": "x,y\r\n1,a\r\n2,b\r\n",
    "quotes": 'x,y\n"1","a, ""b"""\n"2",c\n',
    "a line's end in a cell": 'x,y\n1,"a\nb"\n2,c\n',
    "gaps": "x,z,y\n1,,a\n,2,b\n",
    "blanks behind delimiters": "x, y\n1, a\n2, b\n",
    "letters of other alphabets": "größe,y\n1,é\n2,日本\n",
    "an index without a name": ",x,y\n0,1,a\n1,2,b\n",
    "a word that comes late": "x,y\n" + "1,a\n" * 50 + "u,a\n",
    "long words": "x,y\n" + f"{'u' * 99},a\n" * 3,
}


@each("name", PLAIN)
def test_what_programs_write_is_read_at_once(name):
    """Or the laws above would hold for a reader that always looks at single cells."""
    with patch.object(csvscan, "_BLOCK", 128):
        options = ReadOptions("y")
        assert "y" in plain_columns(PLAIN[name].encode(), options, Dialect().checked(), {})
