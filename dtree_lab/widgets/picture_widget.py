"""The picture that stays where no kernel runs: on a code host, in an export, in print.

It is an output of its own, below the widget's. The live view hides it by its token; where nothing
is live, it is what the reader sees. After each change it is drawn again, so a saved notebook shows
the widget as it was left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.display import DisplayHandle, display

if TYPE_CHECKING:
    from collections.abc import Callable

# In an application the page may come alive and hide the picture; until then it takes no room, so
# that nothing jumps. A page where styles are taken out shows it at once, and so do exports. Where
# a notebook is opened without its kernel, JupyterLab says "model not found" in place of the widget:
# an element without elements in it, which the picture makes superfluous.
_LATE = (
    "<style>@keyframes dtl-late{from,to{max-height:0;opacity:0}}"
    "@media screen{.jp-NotebookPanel .dtl-kept{animation:dtl-late 1.5s;overflow:hidden}}"
    ".jp-OutputArea-child:has(+ .jp-OutputArea-child .dtl-kept) .jupyter-widgets:not(:has(*))"
    "{display:none}</style>"
)


class Picture:
    """The static picture below a widget, and its text.

    Parameters
    ----------
    token
        What the live view knows it by.
    """

    def __init__(self, token: str) -> None:
        self.token = token
        self._shown: list[DisplayHandle] = []

    def show(self, widget: Any, bundle: tuple[str, str]) -> None:
        """Show a widget, and below it the picture, given as text and as part of a page."""
        data, metadata = widget._repr_mimebundle_()
        # Its text would stay as it is at this moment, above the picture that is kept up to date.
        alive = {kind: one for kind, one in data.items() if kind != "text/plain"}
        display(alive, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        kept = self._bundle(bundle)
        handle = display(kept, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if handle is not None:
            self._shown.append(handle)

    def redraw(self, bundle: Callable[[], tuple[str, str]]) -> None:
        """Bring every shown picture up to date; where none is shown, nothing is drawn."""
        kept = self._bundle(bundle()) if self._shown else {}
        for handle in self._shown:
            handle.update(kept, raw=True)  # type: ignore[no-untyped-call]

    def _bundle(self, bundle: tuple[str, str]) -> dict[str, str]:
        text, page = bundle
        kept = f'<div class="dtl-kept dtl-static" data-dtl="{self.token}">{page}</div>'
        return {"text/plain": text, "text/html": _LATE + kept}
