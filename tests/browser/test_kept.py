"""Pictures that stay without a kernel: with less of a style sheet they look as they do whole."""

from __future__ import annotations

import re
from base64 import b64encode

import pytest

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from browser.driver import later
from dtree_lab.draw.as_html import static_figure
from dtree_lab.draw.chart import figure_svg
from dtree_lab.labs.kit.parts import Picture
from dtree_lab.labs.kit.wall import Wall


def pictures():
    """A tree of classes with a tie, one of numbers, a wall, and all figures of some labs."""
    rows = {"x": [1, 2, 3, 4], "y": [1, 3, 8, 8]}
    yield dt.draw.svg(dt.id3(dt.datasets.tax_fraud(), max_depth=1), lit=("No",))
    yield dt.draw.svg(dt.stump(dt.Table.from_columns(rows, "y", target_kind="continuous")))
    for make in (dt.ForestLab, dt.ThresholdLab, dt.PlaneLab, dt.BiasVarianceLab):
        for part in make()._seen().parts:
            if isinstance(part, Picture):
                yield figure_svg(part.figure)
            elif isinstance(part, Wall):
                yield part.svg()


@pytest.mark.parametrize("media", ["light", *later("dark", "forced")])
def test_a_picture_in_an_image_looks_as_it_does_whole(new_page, media):
    bare = Bare(new_page(ADDRESS))
    page = bare.page
    forced = "active" if media == "forced" else "none"
    page.emulate_media(color_scheme="dark" if media == "dark" else "light", forced_colors=forced)
    other, smaller = [], 0
    for drawn in outside(lambda: list(pictures())):
        kept = re.search('src="([^"]+)"', static_figure(drawn, "", ""))[1]
        whole = f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
        smaller += len(whole) - len(kept)
        seen = []
        for source in (whole, kept):
            bare.place(f'<img alt="" src="{source}">')
            page.evaluate("() => document.querySelector('img').decode()")
            seen.append(page.locator("img").screenshot())
        if seen[0] != seen[1]:
            other.append(drawn[:200])
    page.emulate_media(color_scheme="light", forced_colors="none")
    assert other == []
    assert smaller > 40_000
