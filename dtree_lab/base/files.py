"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file by way of a second one: an interruption leaves the old or the new, never half.

    A text is written as UTF-8, its line ends as they are, and with a mark for what is no text
    anywhere (half of a pair of signs). Folders that are missing are made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    half.write_bytes(content.encode("utf-8", "replace") if isinstance(content, str) else content)
    half.replace(path)
