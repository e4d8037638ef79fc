"""What the peers' programs share: a table's words, what is installed, and recorded outputs."""

from __future__ import annotations

import re
import subprocess
from hashlib import sha256
from pathlib import Path

import numpy as np

import dtree_lab as dt

RECORDED = Path(__file__).parents[2] / "tests" / "peers"


def word(value: object) -> str:
    """A name or a value as all of them read it."""
    return re.sub(r"\W", "_", str(value))


def cells(table: dt.Table, gap: str) -> list[list[str]]:
    """The rows as text, the target last."""
    columns = []
    every = zip((*table.attributes, table.target), (*table.columns, table.labels), strict=True)
    for a, column in every:
        if a.values is None:
            columns.append([gap if np.isnan(v) else repr(float(v)) for v in column])
        else:
            columns.append([gap if v < 0 else word(a.values[v]) for v in column])
    return [list(row) for row in zip(*columns, strict=True)]


def digest(table: dt.Table) -> str:
    """So that a recording is known to be of this very table."""
    return sha256(repr((table.attributes, cells(table, "?"))).encode()).hexdigest()[:12]


def installed(package: str) -> str | None:
    """The version of a Debian package that is installed, or None."""
    asked = ["dpkg-query", "-W", "-f", "${Version}", package]
    try:
        found = subprocess.run(asked, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return found.stdout or None


def kept(peer: str) -> dict[str, str]:
    """The recorded outputs of a peer: by table, setting and digest."""
    text = (RECORDED / f"{peer}.txt").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    return {key: body.rstrip("\n") for key, body in zip(parts[::2], parts[1::2], strict=True)}


def keep(peer: str, told: str, outputs: dict[str, str]) -> None:
    """Record outputs; `told` says with what version and command they were made."""
    body = "".join(f"\n## {key}\n{text}\n" for key, text in outputs.items())
    (RECORDED / f"{peer}.txt").write_text(f"{told}\n{body}", encoding="utf-8")
