"""What did not change in a picture is not made anew: it can be followed, and moved."""

from __future__ import annotations

import pytest

from browser.bare import ADDRESS, Bare, outside
from browser.labstates import stories

# Each figure that is there before and after: how many elements it had, has, and still has.
MARK = """() => document.querySelectorAll(".dtl-plot, .dtl-wall").forEach((plot) => {
  const all = [...plot.querySelectorAll("*")];
  all.forEach((one) => (one.stood = true));
  plot.had = all.length;
})"""
COUNT = """() => {
  const plots = [...document.querySelectorAll(".dtl-plot, .dtl-wall")].filter((plot) => plot.had);
  return plots.map((plot) => {
    const all = [...plot.querySelectorAll("*")];
    const stood = all.filter((one) => one.stood).length;
    return [plot.closest(".dtl-part").dataset.id, plot.had, all.length, stood];
  });
}"""


@pytest.fixture(scope="module", params=[6, pytest.param(30, marks=pytest.mark.thorough)])
def told(request):
    return outside(lambda: stories(request.param))


def test_elements_of_figures_survive_whatever_is_done(told, new_page):
    """95 % of those that are there before and after; of a small figure all but a tick's two."""
    bare = Bare(new_page(ADDRESS))
    lost, counted = {}, 0
    for name, states in told.items():
        bare.begin(states[0][1])
        for how, state in states[1:]:
            bare.page.evaluate(MARK)
            bare.show(state)
            for part, had, has, stood in bare.page.evaluate(COUNT):
                counted += 1
                if min(had, has) - stood > max(2, 0.05 * min(had, has)):
                    lost[name, part, how] = (had, has, stood)
    assert lost == {}
    assert counted > 40
