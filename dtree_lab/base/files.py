"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, and its folders, by way of a second: it is the old or the new, never half."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.{os.getpid()}.part")
    half.write_bytes(content.encode("utf-8", "replace") if isinstance(content, str) else content)
    half.replace(path)
