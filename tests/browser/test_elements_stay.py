"""What did not change in a picture is not made anew: it can be followed, and moved."""

from __future__ import annotations

import pytest

from browser.bare import ADDRESS, Bare, outside
from browser.labstates import stories

# Each figure that is there before and after, each tree of a wall by itself: how many elements of
# every kind it had, has, and still has.
FIGURES = """
  const FIGURE = ".dtl-plot, .dtl-wall, .dtl-tile";
  const figures = () => [...document.querySelectorAll(FIGURE)];
  const own = (plot) => [...plot.querySelectorAll("*")].filter(
    (one) => one.parentElement.closest(FIGURE) === plot
  );
  const kind = (one) => `${one.localName} ${one.getAttribute("class") ?? ""}`;
"""
MARK = f"""() => {{ {FIGURES}
  for (const plot of figures()) {{
    plot.had = own(plot).map(kind);
    for (const one of own(plot)) one.stood = true;
  }}
}}"""
COUNT = f"""() => {{ {FIGURES}
  return figures().filter((plot) => plot.had).map((plot) => {{
    const all = own(plot);
    const count = (kinds) => kinds.reduce((n, one) => ({{ ...n, [one]: (n[one] ?? 0) + 1 }}), {{}});
    const counts = [plot.had, all.map(kind), all.filter((one) => one.stood).map(kind)].map(count);
    return [plot.closest(".dtl-part").dataset.id, ...counts];
  }});
}}"""


@pytest.fixture(scope="module", params=[2, pytest.param(30, marks=pytest.mark.thorough)])
def told(request):
    return outside(lambda: stories(request.param))


def test_elements_of_figures_survive_whatever_is_done(told, new_page):
    """All that are there before and after, but two of a figure: a mark whose class has changed."""
    bare = Bare(new_page(ADDRESS))
    lost, looked_at = {}, set()
    for name, states in told.items():
        bare.begin(states[0][1])
        for how, state in states[1:]:
            bare.page.evaluate(MARK)
            bare.show(state)
            for part, had, has, stood in bare.page.evaluate(COUNT):
                looked_at.add(name)
                both = sum(min(n, has.get(kind, 0)) for kind, n in had.items())
                if both - sum(stood.values()) > 2:
                    lost[name, part, how] = (had, has, stood)
    assert lost == {}
    assert looked_at == set(told)
