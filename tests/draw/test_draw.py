"""The face of the package: what is shown as what, and what loads when."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dtree_lab as dt

THINGS = {
    "table": dt.datasets.tax_fraud,
    "tree": lambda: dt.id3(dt.datasets.tax_fraud()),
    "numbers": lambda: dt.id3(dt.Table.from_columns({"x": [1, 2, 3], "y": [1.5, 2, 7]}, "y")),
    "comparison": lambda: dt.compare(dt.datasets.tax_fraud()),
}


@pytest.mark.parametrize("name", THINGS)
def test_what_is_shown_is_text_in_a_terminal_and_a_part_of_a_page(name):
    thing = THINGS[name]()
    bundle = thing._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == repr(thing) == dt.draw.text(thing)
    assert "<table" in bundle["text/html"] or "<figure" in bundle["text/html"]


@pytest.mark.parametrize("thing", [None, "text", 3, [THINGS["tree"]]])
@pytest.mark.parametrize("show", [dt.draw.text, dt.draw.mimebundle])
def test_nothing_else_can_be_shown(show, thing):
    with pytest.raises(TypeError, match=f"got a {type(thing).__name__}"):
        show(thing)


def test_every_public_name_is_there():
    for name in dt.draw.__all__:
        assert callable(getattr(dt.draw, name))
        assert getattr(dt.draw, name).__doc__
    assert set(dt.draw.__all__) <= set(dir(dt.draw))
    with pytest.raises(AttributeError, match="no attribute 'png'"):
        _ = dt.draw.png


def test_showing_loads_no_matplotlib():
    code = (
        "import sys, dtree_lab as dt; t = dt.id3(dt.datasets.tax_fraud());"
        "repr(t), t._repr_mimebundle_(), dt.draw.svg(t), dt.draw.python(t), dt.draw.dot(t);"
        "dt.draw.rules(t), dt.draw.alt_text(t), dt.draw.css_variables();"
        "print('matplotlib' in sys.modules, 'IPython' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("name", ["svg", "plot", "rules", "dot", "python"])
def test_what_draws_a_tree_needs_one(name):
    with pytest.raises(TypeError, match=r"tree must be a dt\.Tree; got a NoneType"):
        getattr(dt.draw, name)(None)
