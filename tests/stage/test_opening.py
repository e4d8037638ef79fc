"""How many keys a scene's lab takes."""

import pytest

import dtree_lab as dt
from dtree_lab.stage.opening import OpenLab
from dtree_lab.stage.reading import parse

ID3 = dt.id3(dt.datasets.tax_fraud())
QUESTIONS = ID3.n_nodes - ID3.n_leaves


@pytest.mark.parametrize(
    ("said", "keys"),
    [
        ("", QUESTIONS),
        ("steps: all", QUESTIONS),
        ("show: [questions]", QUESTIONS),
        ("show: [questions]\nsteps: 2", 2),
        ("reveal: [questions]", 1),
        ("reveal: [questions]\nsteps: 0", 1),
        ("reveal: [questions]\nsteps: 2", 1 + 2),
        ("reveal: [questions]\nsteps: all", 1 + QUESTIONS),
        ("reveal: [questions, tree]\nsteps: [best]", 2 + 1),
    ],
)
def test_parts_are_revealed_before_the_lab_goes_on(said, keys):
    scene = f"---\ntitle: A\n---\n---\nlab: tree\ntable: tax_fraud\n{said}\n---\n"
    opened = OpenLab(parse(scene).scenes[0])
    done = 0
    while opened.go_on(done):
        done += 1
    assert done == keys
    grown = opened.lab.tree
    assert grown.n_nodes - grown.n_leaves == keys - opened.reveals
