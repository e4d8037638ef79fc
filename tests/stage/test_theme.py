"""How a lecture looks: its layouts, its title sheet, and the five variables of its head."""

import asyncio

import pytest
from cases import each

from dtree_lab.stage.export import export
from dtree_lab.stage.lecture import LectureError
from dtree_lab.stage.reading import parse, read_lecture
from dtree_lab.stage.telling import told_audience
from stage.talks import a_show

HEAD = "title: A talk"


def lecture(scene, head=HEAD, file="lecture.md", folder=None):
    """A lecture of one scene."""
    text = f"---\n{head}\n---\n---\n{scene}"
    return parse(text) if folder is None else parse(text, folder / file)


def problem(scene, head=HEAD):
    """The one line that is told of it."""
    with pytest.raises(LectureError) as raised:
        lecture(scene, head)
    (found,) = raised.value.problems
    return str(found)


def test_a_title_sheet_says_whose_lecture_it_is():
    head = f'{HEAD}\nauthor: "A. Lecturer"\ninstitute: An institute\ndate: "June 2027"'
    show = a_show(f"---\n{head}\n---\n---\nlayout: title\n---\nWelcome.\n")
    asyncio.run(show.enter(0))
    told = told_audience(show)
    assert told["layout"] == "title"
    assert told["words"] == [
        "<h1>A talk</h1>\n<p><strong>A. Lecturer</strong></p>\n",
        "<p>An institute · June 2027</p>\n",
        "<p>Welcome.</p>\n",
    ]
    assert show.here.title == "Welcome."


def test_it_needs_no_more_than_the_title():
    show = a_show("---\ntitle: A talk\n---\n---\nlayout: title\n---\n")
    asyncio.run(show.enter(0))
    assert told_audience(show)["words"] == ["<h1>A talk</h1>\n"]
    assert show.here.title == "title"


@each(
    ("scene", "line", "cure"),
    [
        ("layout: tow\n---\nWords", 5, "there is no layout 'tow'. Did you mean 'two'?"),
        ("layout: two\n---\n# Only one", 5, "part them by a line ***"),
        ("layout: picture\n---\n# None", 5, "write ![what it shows](file.png)"),
        ("layout: section\n---\nWords", 5, "give it a # heading"),
        (f"layout: statement\n---\n{'word ' * 40}", 5, "of 140 letters at most"),
        ("lab: tree\ntable: tax_fraud\nlayout: two\n---\nWords", 7, "beside lab:"),
        ("ask: Which?\noptions: [a, b]\nlayout: two\n---\nWords", 7, "beside ask:"),
    ],
)
def test_a_layout_that_cannot_be_meant_is_told(scene, line, cure):
    told = problem(scene)
    assert told.startswith(f"lecture.md:{line}: ")
    assert cure in told


def test_each_layout_can_be_used(tmp_path):
    (tmp_path / "a.png").write_bytes(b"")
    for scene in (
        "layout: title\n---\n",
        "layout: section\n---\n# A part",
        "layout: statement\n---\nOne tree is *one draw*.",
        "layout: picture\n---\n![a picture](a.png)",
        "layout: two\n---\nleft\n\n***\n\nright",
    ):
        found = lecture(scene, folder=tmp_path).scenes[0].layout
        assert found == scene.split()[1]


THEME = """theme:
  colour: "#7a1f2b"
  font: "Source Serif 4, Georgia"
  light: "#fffdf6"
  dark: "#14110f"
  logo: logo.svg"""


def test_a_theme_sets_its_variables_and_goes_into_an_export(tmp_path):
    (tmp_path / "logo.svg").write_text("<svg/>", encoding="utf-8")
    file = tmp_path / "mine.md"
    file.write_text(f"---\n{HEAD}\n{THEME}\n---\n---\n---\nWords\n", encoding="utf-8")
    css = read_lecture(file).theme.css()
    light, dark = css.splitlines()
    assert light.startswith(":root {")
    assert dark.startswith(':root[data-theme="dark"] {')
    for declared in (
        "--accent: #7a1f2b;",
        "--cover-ink: #ffffff;",  # what is seen best on it
        "--font: Source Serif 4, Georgia;",
        "--ground: #fffdf6;",
        "--logo: url(data:image/svg+xml;base64,PHN2Zy8+);",
    ):
        assert declared in light
    assert "--ground: #14110f;" in dark
    page = export(read_lecture(file), tmp_path / "mine.html").read_text(encoding="utf-8")
    assert css in page


def test_without_a_theme_nothing_is_set():
    assert lecture("---\nWords").theme.css() == ':root {  }\n:root[data-theme="dark"] {  }'


@each(
    ("theme", "cure"),
    [
        ("blue", "has names of its own"),
        ("{color: '#000000'}", "Did you mean 'colour'?"),
        ("{colour: blue}", "is a colour such as '#0b57d0'"),
        ("{colour: '#00f'}", "is a colour such as '#0b57d0'"),
        ("{font: 'x; } body { color: red'}", "is the name of a font"),
        ("{logo: nowhere.svg}", "no picture nowhere.svg beside the lecture"),
        ("{light: '#555555'}", "take a lighter one"),
        ("{dark: '#888888'}", "take a darker one"),
        ("{colour: '#eeeeee'}", "take a darker one"),
    ],
)
def test_a_theme_that_cannot_be_seen_or_meant_is_told(theme, cure):
    told = problem("---\nWords", f"{HEAD}\ntheme: {theme}")
    assert told.startswith("lecture.md:3: theme: ")
    assert cure in told


def test_what_stands_off_is_that_of_the_standard():
    """WCAG's own examples: black on white 21, grey #767676 on white 4.54, red on white 4.00."""
    from dtree_lab.stage.theme import _apart

    for colour, contrast in (("#000000", 21), ("#767676", 4.54), ("#ff0000", 4.0)):
        assert _apart(colour, "#ffffff") == pytest.approx(contrast, abs=0.005)
        assert _apart("#ffffff", colour) == _apart(colour, "#ffffff")
