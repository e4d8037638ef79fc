"""The picture that stays where no kernel runs: on a code host, in an export, in print.

It is an output of its own, below the widget's. The live view hides it by its token; where nothing
is live, it is what the reader sees. After each change of the tree it is drawn again, so a saved
notebook shows the tree as it was left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from IPython.display import DisplayHandle, display

from dtree_lab.draw.as_html import tree_html
from dtree_lab.draw.as_text import tree_text

if TYPE_CHECKING:
    from dtree_lab.tree import Tree

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
    """A tree's static picture below a widget.

    Parameters
    ----------
    token
        What the live view knows it by.
    """

    def __init__(self, token: str) -> None:
        self.token = token
        self._shown: list[DisplayHandle] = []

    def show(self, widget: Any, tree: Tree) -> None:
        """Show a widget, and the picture below it."""
        data, metadata = widget._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        handle = display(self._bundle(tree), raw=True, display_id=True)  # type: ignore[no-untyped-call]
        if handle is not None:
            self._shown.append(handle)

    def redraw(self, tree: Tree) -> None:
        """Bring every shown picture up to date."""
        for handle in self._shown:
            handle.update(self._bundle(tree), raw=True)  # type: ignore[no-untyped-call]

    def _bundle(self, tree: Tree) -> dict[str, str]:
        kept = f'<div class="dtl-kept dtl-static" data-dtl="{self.token}">{tree_html(tree)}</div>'
        return {"text/plain": tree_text(tree), "text/html": _LATE + kept}
