"""Labs on a page without Jupyter: states of hundreds of labs are shown in seconds.

The labs' own browser code draws what Python says; only the kernel and JupyterLab are left out.
`BareNotebook` has of a notebook in JupyterLab what the tests of one lab ask for.
"""

from __future__ import annotations

import ast
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browser.driver import PATIENCE, at_rest
from dtree_lab.labs import assets

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from playwright.sync_api import Locator, Page

    # In the page itself, in a shadow root, or in nothing at first: as hosts do it.
    Place = Literal["page", "shadow", "nowhere"]

ADDRESS = "http://labs.test/"
# JupyterLab's own style sheets, as installed.
THEMES = Path(sys.prefix) / "share/jupyter/lab/themes/@jupyterlab"
_GROUND = "body { background: var(--jp-layout-color0); color: var(--jp-content-font-color1); }"
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Labs</title>
<style>body { margin: 0; background: Canvas; }</style><main></main>
<script>
function model(files, given) {
  const heard = {};
  const sent = [];
  return {
    sent,
    get: (name) => given[name],
    on: (event, run) => (heard[event] ??= []).push(run),
    off: (event, run) => (heard[event] = (heard[event] ?? []).filter((one) => one !== run)),
    send: (message) => void sent.push(message),
    change: (name, value) => {
      given[name] = value;
      for (const run of heard[`change:${name}`] ?? []) run();
    },
    widget_manager: { get_model: async (id) => ({ get: (name) => files[Number(id)][name] }) },
  };
}
let now, end;
// In a page, in a shadow root with a style of its own, or first in nothing at all.
const places = {
  page: (main) => main,
  shadow: (main) => {
    const root = main.appendChild(document.createElement("div")).attachShadow({ mode: "open" });
    root.innerHTML = `<style>${main.dataset.reset ?? ""}</style><div></div>`;
    return root.lastChild;
  },
  nowhere: () => document.createElement("div"),
};
async function begin(loader, files, demo, told, place) {
  end?.();
  const main = document.querySelector("main");
  main.replaceChildren();
  const code = files.map((_, i) => `IPY_MODEL_${i}`);
  now = model(files, { code, demo, told, token: "" });
  const url = URL.createObjectURL(new Blob([loader], { type: "text/javascript" }));
  const { default: lab } = await import(url);
  const el = places[place](main);
  end = await lab.render({ model: now, el });
  if (!el.isConnected) main.append(el);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}
async function sent() {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return now.sent.splice(0);
}
async function show(told) {
  now.change("told", told);
  await new Promise((done) => requestAnimationFrame(done));
}
</script></html>"""


class Bare:
    """A page that shows one lab after the other."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.route(ADDRESS, lambda route: route.fulfill(body=PAGE, content_type="text/html"))
        page.goto(ADDRESS)
        self._dressed: list[Any] = []
        self._told: Callable[[Any], str] | None = None

    def begin(self, told: str, *, demo: bool = False, place: Place = "page") -> None:
        """Show a lab anew; `told` is what Python says of it, `place` where it is drawn."""
        files = [{"name": name, "text": assets.asset_text(name)} for name in assets.asset_names()]
        given = [assets.asset_text(assets.LOADER), files, demo, told, place]
        self.page.evaluate("given => begin(...given)", given)

    def answer(self, lab: Any) -> list[Any]:
        """Have a lab of this process answer what the page sends; gives the list of that."""
        heard: list[Any] = []

        def told(message: Any) -> str:
            heard.append(message)
            outside(lambda: lab.act(message))
            return str(lab.told)

        if self._told is None:
            self.page.expose_function("answer", lambda message: self._told and self._told(message))
        self._told = told
        self.page.evaluate(
            """() => {
              window.unanswered = 0;
              now.send = async (message) => {
                if (message.do === "live") return;
                unanswered += 1;
                now.change("told", await answer(message));
                unanswered -= 1;
              };
            }"""
        )
        return heard

    def answered(self) -> None:
        """Wait until all that the page has sent is answered, and shown."""
        at_rest(self.page)  # what is dragged goes out with the next frame
        self.page.wait_for_function("() => unanswered === 0")
        at_rest(self.page)

    def theme(self, name: str) -> None:
        """Dress the page in one of JupyterLab's themes, ``"light"`` or ``"dark"``."""
        for known in self._dressed:
            known.evaluate("one => one.remove()")
        text = (THEMES / f"theme-{name}-extension/index.css").read_text(encoding="utf-8")
        plain = re.sub(r"url\([^)]*\)", "none", text)
        self._dressed = [self.page.add_style_tag(content=one) for one in (plain, _GROUND)]
        light = str(name == "light").lower()
        self.page.evaluate("light => (document.body.dataset.jpThemeLight = light)", light)

    def high(self, height: int) -> None:
        """Have labs take the window for so high, as in a notebook, however high it is painted."""
        given = ["jp-WindowedPanel-outer", f"height: {height}px"]
        self.page.evaluate(
            "([name, style]) => Object.assign(document.querySelector('main'),"
            " { className: name, style })",
            given,
        )

    def place(self, html: str) -> None:
        """Show a piece of a page instead of a lab."""
        self.page.evaluate("html => (document.querySelector('main').innerHTML = html)", html)

    def show(self, told: str) -> None:
        """Show the lab that is there in another state."""
        self.page.evaluate("told => show(told)", told)

    def sent(self) -> list[dict[str, Any]]:
        """What the lab has said to Python since the last time, once it has nothing more to say."""
        said = self.page.evaluate("sent()")
        return [message for message in said if message != {"do": "live"}]


class BareNotebook:
    """Cells run in this process; of one that ends in a lab, its lab on a page without Jupyter."""

    def __init__(self, page: Page, *cells: str) -> None:
        self.page = page
        self._names: dict[str, Any] = {}
        self._labs = [outside(lambda cell=cell: self._run(cell)) for cell in cells]
        self._shown: int | None = None
        self._bare = Bare(page)
        self._bare.theme("light")

    def _run(self, cell: str) -> Any:
        *before, last = ast.parse(cell).body
        ends = isinstance(last, ast.Expr)
        code = compile(ast.Module(before if ends else [*before, last], []), "cell", "exec")
        exec(code, self._names)
        return eval(ast.unparse(last), self._names) if ends else None

    def output(self, index: int) -> Locator:
        """Show the lab of a cell, in place of another's."""
        if index != self._shown:
            self._shown, lab = index, self._labs[index]
            self._bare.begin(lab.told)
            self._bare.answer(lab)
        return self.page.locator("main")

    live = output  # no still picture stands below it

    def python(self, expression: str) -> Any:
        """Evaluate an expression; what has no literal is given by its repr, as by a kernel."""
        said = repr(outside(lambda: eval(expression, self._names)))
        try:
            return ast.literal_eval(said)
        except (SyntaxError, ValueError):
            return said

    def wait_python(self, expression: str, expected: object, seconds: float = PATIENCE) -> None:
        """Wait until an expression has a value: what the page says comes while it is waited for."""
        deadline = time.monotonic() + seconds
        while (value := self.python(expression)) != expected:
            assert time.monotonic() < deadline, f"{expression} is {value!r}, not {expected!r}"
            self.page.wait_for_timeout(20)

    def set_theme(self, theme: Literal["light", "dark"]) -> None:
        """Dress the page in one of JupyterLab's themes."""
        self._bare.theme(theme)


def outside(work: Callable[[], Any]) -> Any:
    """Do something where no event loop runs, so that labs do their long work at once."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()
