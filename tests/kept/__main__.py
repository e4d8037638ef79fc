"""Write what the version that is here has: ``PYTHONPATH=tests .venv/bin/python -m kept``."""

from __future__ import annotations

import json

import dtree_lab as dt
from kept import FOLDER, contents

# A line for each text, so that a change of the file can be read.
parts = []
for name, things in contents().items():
    lines = (json.dumps(thing, ensure_ascii=False) for thing in things)
    parts.append(f"{json.dumps(name)}: [\n" + ",\n".join(lines) + "\n]")
path = FOLDER / f"{dt.__version__}.json"
path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB")
