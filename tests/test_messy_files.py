"""Messy files, and a reader who knows what is in them and does what each message says, no more.

Each case ends in the table that a person reads off the file, or in a message that only an edited
file can answer. A table that is silently another one fails.
"""

from __future__ import annotations

import ast
import gzip
import io
import re
import warnings
from dataclasses import dataclass, field

import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st

import dtree_lab as dt

KEYWORDS = "decimal|thousands|delimiter|na|kinds|drop|encoding|missing|target_kind|strip"
MOST_ROUNDS = 5


@dataclass(frozen=True)
class Case:
    """A file, what its reader knows, and how it ends.

    Attributes
    ----------
    file
        Its bytes, or its text in UTF-8.
    table
        The columns that a person reads off it; None if the file must be edited.
    knows
        The answers to questions that only a person can answer; else the first advice is followed.
    ends
        What the message says that no argument can answer.
    rounds
        How many messages it takes.
    """

    file: str | bytes
    table: dict[str, list] | None = None
    knows: dict[str, object] = field(default_factory=dict)
    ends: str = ""
    rounds: int = 0


def literal(text):
    """The Python value that a text begins with."""
    for end in range(1, len(text) + 1):
        try:
            return ast.literal_eval(text[:end]), end
        except (SyntaxError, ValueError):
            continue
    raise AssertionError(text)


def advised(message):
    """The arguments that a message tells to say, one mapping for each alternative."""
    _, say, rest = message.partition("say ")
    found, last = [], None
    for match in re.finditer(rf"\b({KEYWORDS})=", say and rest):
        value, length = literal(rest[match.end() :])
        # Two with nothing but a comma between belong together.
        if last is not None and rest[last : match.start()] == ", ":
            found[-1][match[1]] = value
        else:
            found.append({match[1]: value})
        last = match.end() + length
    return found


def chosen(ways, knows):
    """The advice that agrees with what is known, else the first."""
    agreeing = [w for w in ways if any(knows.get(key, ...) == w[key] for key in w)]
    return next(iter(agreeing or ways), None)


def followed(case):
    """The table that following leads to, or the last message; and how many messages it took."""
    data = case.file.encode() if isinstance(case.file, str) else case.file
    said = {}
    for done in range(MOST_ROUNDS + 1):
        message = None
        with warnings.catch_warnings():
            warnings.simplefilter("error", dt.TableWarning)
            try:
                return dt.Table.read_csv(io.BytesIO(data), "y", **said), done
            except (ValueError, dt.TableWarning) as error:
                message = str(error)
        if case.ends and re.search(case.ends, message):
            return message, done
        way = chosen(advised(message), case.knows)
        assert way is not None, f"no way out of: {message}"
        for key, value in way.items():
            both = key in said and key in ("kinds", "drop", "na")
            said[key] = _joined(said[key], value) if both else value
    raise AssertionError(f"no end; the last message: {message}")


def _joined(before, now):
    if isinstance(before, dict):
        return before | now
    return tuple(dict.fromkeys((*before, *now)))


CLASSES = {"target_kind": "discrete"}
NUMBERS = {"target_kind": "continuous"}
KEEP = {"missing": "keep"}
DROP = {"missing": "drop"}
AB = {"x": [1.0, 2.0], "y": ["a", "b"]}
ADULT = "age, work, y\n39, State-gov, no\n50, ?, yes\n38, Private, no\n"
GERMAN = "Größe;Miete;Anzahl;y\n45,5;1.250,00;1.200;gut\n60;980,5;12.000;gut\n72,25;850;900;arm\n"
READ_GERMAN = {
    "Größe": [45.5, 60.0, 72.25],
    "Miete": [1250.0, 980.5, 850.0],
    "Anzahl": [1200.0, 12000.0, 900.0],
    "y": ["gut", "gut", "arm"],
}

CASES = {
    "labels 0 and 1 are classes": Case(
        "x,y\n1,0\n2,1\n3,1\n", {"x": [1.0, 2.0, 3.0], "y": [0, 1, 1]}, CLASSES, rounds=1
    ),
    "labels 0 and 1 are numbers": Case(
        "x,y\n1,0\n2,1\n3,1\n", {"x": [1.0, 2.0, 3.0], "y": [0.0, 1.0, 1.0]}, NUMBERS, rounds=1
    ),
    "three species by number, one row each": Case(
        "x,y\n1,0\n2,1\n3,2\n", {"x": [1.0, 2.0, 3.0], "y": [0, 1, 2]}, CLASSES, rounds=1
    ),
    "labels with leading zeros are text": Case(
        "x,y\n1,007\n2,010\n", {"x": [1.0, 2.0], "y": ["007", "010"]}
    ),
    "German Excel": Case(GERMAN, READ_GERMAN, rounds=2),
    "German Excel, cp1252": Case(GERMAN.encode("cp1252"), READ_GERMAN, rounds=3),
    "German Excel, sep line": Case("sep=;\r\n" + GERMAN, READ_GERMAN, rounds=1),
    "Excel's Unicode text": Case(
        "Größe\ty\r\n1\tä\r\n2\tb\r\n".encode("utf-16"),
        {"Größe": [1.0, 2.0], "y": ["ä", "b"]},
        rounds=1,
    ),
    "UTF-16 without its mark": Case(
        "x,y\nä,a\nö,b\n".encode("utf-16-le"), {"x": ["ä", "ö"], "y": ["a", "b"]}, rounds=1
    ),
    "plain letters in UTF-16 without its mark": Case(
        "x,y\n1,a\n2,b\n".encode("utf-16-be"), AB, rounds=1
    ),
    "a zero byte that is no UTF-16": Case(b"x,y\n1,\0\n2,b\n", ends="save it again as text"),
    "nothing but zero bytes": Case(b"\0\0\0\0", ends="save it again as text"),
    "a zero byte, and no UTF-8": Case(b"x,y\n\xe4,\0\n2,bb\n", ends="save it again as text"),
    "UTF-16 of other letters": Case(
        "名,y\n一,a\n二,b\n".encode("utf-16-le"), {"名": ["一", "二"], "y": ["a", "b"]}, rounds=1
    ),
    "UTF-8 with a mark": Case(b"\xef\xbb\xbf" + b"x,y\n1,a\n2,b\n", AB),
    "curly quotes of cp1252": Case(
        "x,y\n“u”,a\nv,b\n".encode("cp1252"), {"x": ["“u”", "v"], "y": ["a", "b"]}, rounds=1
    ),
    "gzip": Case(gzip.compress(b"x,y\n1,a\n2,b\n"), AB),
    "half of a gzip": Case(gzip.compress(b"x,y\n1,a\n2,b\n")[:-9], ends="damaged"),
    "a workbook": Case(b"PK\x03\x04\x14\x00", ends="pandas.read_excel"),
    "an old workbook": Case(b"\xd0\xcf\x11\xe0\xa1", ends="pandas.read_excel"),
    "Parquet": Case(b"PAR1\x15\x04", ends="pandas.read_parquet"),
    "decimal commas, partly": Case(
        "x;y\n1,5;a\n2;b\n3,25;a\n", {"x": [1.5, 2.0, 3.25], "y": ["a", "b", "a"]}, rounds=2
    ),
    "decimal commas, all": Case(
        "x;y\n1,5;a\n2,5;b\n", {"x": [1.5, 2.5], "y": ["a", "b"]}, rounds=2
    ),
    "decimal commas in quotes": Case(
        'x,y\n"1,5",a\n2,b\n', {"x": [1.5, 2.0], "y": ["a", "b"]}, rounds=1
    ),
    "decimal commas in the target": Case(
        "x;y\nu;1,5\nv;2\n", {"x": ["u", "v"], "y": [1.5, 2.0]}, rounds=2
    ),
    "commas that are decimal": Case(
        'x,y\n"1,250",a\n"2,500",b\n',
        {"x": [1.25, 2.5], "y": ["a", "b"]},
        {"decimal": ","},
        rounds=1,
    ),
    "commas between thousands": Case(
        'x,y\n"1,250",a\n"2,500",b\n',
        {"x": [1250.0, 2500.0], "y": ["a", "b"]},
        {"thousands": ","},
        rounds=1,
    ),
    "commas between thousands, and points": Case(
        'x,y\n"1,250.5",a\n12.25,b\n', {"x": [1250.5, 12.25], "y": ["a", "b"]}, rounds=1
    ),
    "thousands with points and no fractions": Case(
        "x;y\n1.250;a\n12.400;b\n900;b\n",
        {"x": [1250.0, 12400.0, 900.0], "y": ["a", "b", "b"]},
        rounds=2,
    ),
    "three decimals": Case(
        "x;y\n1.250;a\n12.400;b\n",
        {"x": [1.25, 12.4], "y": ["a", "b"]},
        {"kinds": {"x": "continuous"}},
        rounds=2,
    ),
    "three decimals beside one": Case(
        "x;z;y\n1.250;1.5;a\n12.400;2;b\n",
        {"x": [1.25, 12.4], "z": [1.5, 2.0], "y": ["a", "b"]},
        rounds=1,
    ),
    "millions with points": Case(
        "x,y\n1.250.000,a\n900,b\n", {"x": [1250000.0, 900.0], "y": ["a", "b"]}, rounds=1
    ),
    "French thousands": Case(
        "x;y\n1\u202f250,5;a\n2\u00a0000;b\n", {"x": [1250.5, 2000.0], "y": ["a", "b"]}, rounds=2
    ),
    "Swiss thousands": Case(
        "x,y\n1'250.50,a\n900,b\n", {"x": [1250.5, 900.0], "y": ["a", "b"]}, rounds=1
    ),
    "decimal commas here, points there": Case(
        "x;z;y\n1,5;1.5;a\n2;2.25;b\n", ends="write all alike in the file"
    ),
    "decimal commas and points in one column": Case(
        "x;y\n1,5;a\n2.25;b\n3;a\n", ends="correct it in the file"
    ),
    "decimal commas without quotes": Case(
        "x,y\n1,5,a\n2,5,b\n", ends="a decimal comma, for instance"
    ),
    "percent signs": Case("x,y\n12%,a\n15%,b\n", ends="Give them without it"),
    "percent signs, partly": Case("x,y\n12%,a\n15,b\n", ends="correct it in the file"),
    "money": Case("x,y\n€ 12,a\n€ 15,b\n", ends="Give them without it"),
    "dates, left out": Case(
        "d,x,y\n2020-01-31,1,a\n2020-02-01,2,b\n", AB, {"drop": ["d"]}, rounds=1
    ),
    "German dates, as words": Case(
        "x;y\n31.01.2020;a\n01.02.2020;b\n",
        {"x": ["31.01.2020", "01.02.2020"], "y": ["a", "b"]},
        {"kinds": {"x": "discrete"}},
        rounds=2,
    ),
    "? among numbers": Case("x,y\n1,a\n?,b\n", {"x": [1.0, None], "y": ["a", "b"]}, KEEP, rounds=2),
    "? and NA among numbers": Case("x,y\n1,a\n?,b\nNA,b\n2,b\n", AB, DROP, rounds=2),
    "? among words": Case("x,y\nu,a\n?,b\n", {"x": ["u", None], "y": ["a", "b"]}, KEEP, rounds=2),
    "NA is Namibia": Case(
        "x,y\nDE,a\nNA,b\n", {"x": ["DE", "NA"], "y": ["a", "b"]}, {"na": ("",)}, rounds=1
    ),
    "a label that is missing": Case("x,y\n1,a\n2,b\n3,?\n", AB, DROP, rounds=2),
    "plus and minus are labels": Case("x,y\n1,+\n2,-\n", {"x": [1.0, 2.0], "y": ["+", "-"]}),
    "Excel's errors": Case(
        "x,y\n1,a\n#DIV/0!,b\n", {"x": [1.0, None], "y": ["a", "b"]}, KEEP, rounds=2
    ),
    "gaps of blanks": Case("x,y\n1,a\n  ,b\n2,b\n", AB, DROP, rounds=1),
    "a column without values": Case(
        "x,z,y\n1,,a\n2,,b\n", AB | {"z": [None, None]}, KEEP, rounds=1
    ),
    "UCI adult": Case(
        ADULT,
        {
            "age": [39.0, 50.0, 38.0],
            "work": ["State-gov", None, "Private"],
            "y": ["no", "yes", "no"],
        },
        KEEP,
        rounds=2,
    ),
    "a comma in a cell after a blank": Case(
        'x, y\n1, "a, b"\n2, c\n', {"x": [1.0, 2.0], "y": ["a, b", "c"]}
    ),
    "a label with a blank behind it": Case(
        "x,y\n1,no\n2,no \n3,yes\n", {"x": [1.0, 2.0, 3.0], "y": ["no", "no", "yes"]}, rounds=1
    ),
    "a label that means its blank": Case(
        "x,y\n1,no\n2,no \n", {"x": [1.0, 2.0], "y": ["no", "no "]}, {"strip": False}, rounds=1
    ),
    "a label in capitals, too": Case(
        "x,y\n1,no\n2,No\n3,yes\n", {"x": [1.0, 2.0, 3.0], "y": ["no", "No", "yes"]}, rounds=1
    ),
    "a number for each row": Case(
        "Nr,x,y\n7,1.5,a\n8,2.5,b\n9,0.5,a\n",
        {"x": [1.5, 2.5, 0.5], "y": ["a", "b", "a"]},
        rounds=1,
    ),
    "a number for each row, which is meant": Case(
        "no,x,y\n1,1.5,a\n2,2.5,b\n3,0.5,a\n",
        {"no": [1.0, 2.0, 3.0], "x": [1.5, 2.5, 0.5], "y": ["a", "b", "a"]},
        {"kinds": {"no": "continuous"}},
        rounds=1,
    ),
    "a name for each row": Case(
        "Name,x,y\n" + "".join(f"n{i},{i % 3},{'ab'[i % 2]}\n" for i in range(12)),
        {"x": [float(i % 3) for i in range(12)], "y": [*"ab"] * 6},
        rounds=1,
    ),
    "times of day": Case(
        "x,y\n10:30,a\n9:05 pm,b\n",
        {"x": ["10:30", "9:05 pm"], "y": ["a", "b"]},
        {"kinds": {"x": "discrete"}},
        rounds=1,
    ),
    "a unit behind each number": Case(
        "x,z,y\n15 kg,1,a\n7.5 kg,2,b\n",
        {"z": [1.0, 2.0], "y": ["a", "b"]},
        {"drop": ["x"]},
        rounds=1,
    ),
    "a name with blanks": Case("x , y \n1 , a\n2 , b\n", AB, rounds=1),
    "names only": Case("x,y\n", ends="at least one row"),
    "nothing": Case("", ends="the file is empty"),
    "no names": Case("39,State-gov,no\n50,Private,yes\n", ends="seems to hold a row"),
    "a title": Case("Table 1\nx,y\n1,a\n", ends="if it is a title, take it out"),
    "two columns of one name": Case("x,x,y\n1,2,a\n", ends="two columns are named 'x'"),
    "commas at all ends": Case("x,y,,\n1,a,,\n2,b,,\n,,,\n", AB),
    "commas at the ends of rows": Case("x,y\n1,a,\n2,b,\n", AB),
    "empty lines": Case("\nx,y\n\n1,a\n\n2,b\n\n", AB),
    "a row that is short": Case("x,y\n\n1,a\n2\n", ends="line 4: row 2 has 1 value for.*complete"),
    "a row that is long": Case(
        'x,y\n"1\n1",a\n2,b,c\n', ends="line 4: row 2 has 3 values.*quotation marks"
    ),
    "words for missing in several columns": Case(
        "x,w,y\n1,a,p\nNA,b,q\n3,NA,p\n4,n/a,q\n5,?,p\n",
        {"x": [1.0], "w": ["a"], "y": ["p"]},
        DROP,
        rounds=3,
    ),
    "a frame's index": Case(
        ",x,y\n0,1.5,a\n1,2.5,b\n2,0.5,a\n", {"x": [1.5, 2.5, 0.5], "y": ["a", "b", "a"]}, rounds=1
    ),
    "dates to predict": Case(
        "x,y\n1,2020-01-31\n2,2020-02-01\n",
        {"x": [1.0, 2.0], "y": ["2020-01-31", "2020-02-01"]},
        rounds=1,
    ),
    "row names of R": Case("x,y\nr1,1,a\nr2,2,b\n", ends="a name is missing in the first line"),
    "a line break in quotes": Case('x,y\n"u\nv",a\nw,b\n', {"x": ["u\nv", "w"], "y": ["a", "b"]}),
    "an open quotation mark": Case('x,y\n1,"a\n2,b\n', ends="is not closed"),
    "tabs": Case("x\ty\n1\ta\n2\tb\n", AB, rounds=1),
    "Mac line ends": Case("x,y\r1,a\r2,b\r", AB),
    "names, of which one is a number": Case(
        "x,y\nMüller,a\nMeyer,b\n7,a\n",
        {"x": ["Müller", "Meyer", "7"], "y": ["a", "b", "a"]},
        rounds=1,
    ),
    "a word of one's own for missing": Case(
        "x,y\n1,a\n2,b\n3,b\nunbekannt,b\n",
        {"x": [1.0, 2.0, 3.0, None], "y": ["a", "b", "b", "b"]},
        KEEP,
        rounds=2,
    ),
    "a mistyped number": Case("x,y\n1O,a\n20,b\n", ends="correct it in the file"),
    "postcodes": Case("x,y\n01067,a\n04109,b\n", {"x": ["01067", "04109"], "y": ["a", "b"]}),
}


def contents(table):
    return {name: table.column(name) for name in (*table.names, table.target.name)}


@each("name", CASES)
def test_following_each_message_leads_to_the_table_or_to_a_clear_end(name):
    case = CASES[name]
    end, rounds = followed(case)
    if case.table is None:
        assert isinstance(end, str), f"read without a word: {contents(end)}"
        return
    assert contents(end) == case.table
    # Numbers stay numbers, and text text: 0.0 == 0, but "0" is a word.
    assert {k: [type(v) for v in c] for k, c in contents(end).items()} == {
        k: [type(v) for v in c] for k, c in case.table.items()
    }
    assert rounds == case.rounds


@settings(max_examples=150)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_in_words(data):
    """Bytes put in, taken out and turned over; arguments of all sorts."""
    file = CASES[data.draw(st.sampled_from(list(CASES)))].file
    raw = bytearray(file.encode() if isinstance(file, str) else file)
    some = st.sampled_from([b",", b'"', b"\n", b"\0", b"\xff", b";", b"1", b"?", b"", b"\r", b" "])
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(0, len(raw)))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(some)
    ways = {
        "delimiter": [",", ";", "\t", " "],
        "decimal": [".", ","],
        "thousands": [None, ".", "'", " "],
        "na": [None, "", "?", ("", "NA")],
        "strip": [None, True, False],
        "drop": [(), "x"],
        "missing": ["error", "drop", "keep"],
        "target_kind": [None, "discrete", "continuous"],
        "encoding": ["utf-8-sig", "utf-16", "cp1252", "latin-1", "shift-jis", "utf-7"],
    }
    said = {name: data.draw(st.sampled_from(some)) for name, some in ways.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dt.TableWarning)
        try:
            table = dt.Table.read_csv(io.BytesIO(bytes(raw)), "y", **said)
        except ValueError:  # and no other error
            return
    assert {len(column) for column in contents(table).values()} == {table.n_rows}


def test_names_given_for_a_file_that_holds_them_are_no_row():
    plain, quoted = "colour,size,y\nred,big,u\nblue,small,v\n", '"colour","size",y\n"red",big,u\n'
    for text in (plain, quoted, plain.replace("big", "1").replace("small", "2")):
        with pytest.raises(ValueError, match="leave names= out"):
            dt.Table.read_csv(io.StringIO(text), "y", names=["colour", "size", "y"])
    renamed = dt.Table.read_csv(
        io.StringIO("red,big,u\nblue,small,v\n"), "y", names=["a", "b", "y"]
    )
    assert renamed.n_rows == 2
