"""The notebooks under nbval, and from that same run: each output is what the notebook is kept with.

nbval holds what is printed and shown at once to what is kept. A widget's picture comes later, and
goes on changing until its work is done: nbval drops such messages, and so they are noted here as
they pass, and put together as a page would.
"""

from __future__ import annotations

import json
from itertools import zip_longest

import pytest
from nbformat import from_dict
from nbformat.v4 import output_from_msg
from nbval.plugin import IPyNbFile

from course.sources import lessons, source_of

PATIENCE = 300.0  # seconds: a busy machine is no fault of a notebook
OUTPUTS = ("execute_result", "display_data", "stream", "error")


class KeptNotebook(IPyNbFile):
    """A notebook whose messages are noted, and which has one test more than it has cells."""

    def setup(self):
        """Start the kernel."""
        super().setup()
        self.messages = []

    def get_kernel_message(self, timeout=None, _stream="iopub"):
        """Note each message that passes."""
        # Not by nbval's own, which writes each message out for a log that nobody reads.
        message = self.kernel.kc.get_iopub_msg(timeout=timeout)
        self.messages.append(message)
        return message

    def collect(self):
        """Give the cells, and then the notebook as a whole."""
        for cell in super().collect():
            cell.output_timeout = PATIENCE
            yield cell
        yield Whole.from_parent(self, name="is kept as its source gives it")


class Whole(pytest.Item):
    """A notebook that has run is, to the byte, the file that is kept."""

    def runtest(self):
        """Compare what was shown, once the labs' work is done, with what is kept."""
        self._settle()
        source = source_of(self.path.stem)
        notebook = lessons.build(source.text)
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        ran = outputs_of(self.parent.messages)
        assert len(ran) > len(cells), "some cells were not run: name the whole file"
        for number, (cell, outputs) in enumerate(zip(cells, ran, strict=False), 1):
            cell.execution_count, cell.outputs = number, outputs
            for output in outputs:
                if "execution_count" in output:  # nbval keeps no history, in which they are counted
                    output.execution_count = number
        again = lessons.kept(notebook)
        new, old = (
            json.loads(text)["cells"] for text in (again.notebook, self.path.read_text("utf-8"))
        )
        changed = [a["id"] for a, b in zip_longest(new, old, fillvalue={"id": "-"}) if a != b]
        assert changed == [], "run: python tools/build_lessons.py"
        assert lessons.stale(source, again) == []
        assert len(again.notebook.encode()) < lessons.MOST_BYTES

    def _settle(self):
        kernel = self.parent.kernel
        asked = kernel.execute_cell_input(lessons.SETTLED, allow_stdin=False)
        kernel.await_reply(asked, timeout=PATIENCE)
        while not _ends(self.parent.get_kernel_message(PATIENCE), asked):
            pass


def _ends(message, asked):
    idle = message["content"].get("execution_state") == "idle"
    return idle and message["parent_header"].get("msg_id") == asked


def outputs_of(messages):
    """The outputs of the cells that ran, in their order, as a page shows them in the end."""
    cells, shown = {}, {}
    for message in messages:
        kind, cell = message["msg_type"], message["parent_header"].get("msg_id")
        name = message["content"].get("transient", {}).get("display_id")
        if kind == "execute_input":
            cells[cell] = []
        elif kind in OUTPUTS and cell in cells:
            cells[cell].append(output_from_msg(message))
            if name:
                shown.setdefault(name, []).append(cells[cell][-1])
        elif kind == "update_display_data":
            for output in shown.get(name, ()):
                output.data = from_dict(message["content"]["data"])
    return list(cells.values())
