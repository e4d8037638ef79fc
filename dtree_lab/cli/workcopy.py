"""The learner's copy of the course: upgrades add to it and never overwrite what was touched.

A small manifest in the folder remembers, for each lesson, which version was handed out. A file
that still equals what was handed out is nobody's work and may be replaced; any other is the
learner's, and a changed lesson is put beside it, once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from dtree_lab.base.files import write_whole

MANIFEST = ".dtree-lab.json"


@dataclass(frozen=True)
class ManifestEntry:
    """What the manifest knows of one file, as hashes of contents."""

    given: str = ""  # the version that was last written to the file itself
    offered: str = ""  # the version that was last put beside it


def refresh(source: Path, target: Path) -> list[str]:
    """Bring a working copy up to date with the lessons, and say what the learner should know."""
    target.mkdir(parents=True, exist_ok=True)
    before = _read_manifest(target)
    manifest, news = dict(before), []
    fresh = not before
    for name in _files(source):
        shipped = (source / name).read_bytes()
        manifest[name], line = _bring(shipped, target / name, before.get(name, ManifestEntry()))
        if line and not (fresh and line.startswith("New")):
            news.append(line)
    if manifest != before:
        _write_manifest(target, manifest)
    return news


def _bring(shipped: bytes, place: Path, entry: ManifestEntry) -> tuple[ManifestEntry, str]:
    version = _hash(shipped)
    if not place.exists():
        write_whole(place, shipped)
        # A lesson that the learner deleted comes back: that is how to start one afresh.
        return ManifestEntry(version), f"{'Restored' if entry.given else 'New'}: {place.name}"
    present = _hash(place.read_bytes())
    if present == version:
        return ManifestEntry(version), ""
    if present == entry.given:
        write_whole(place, shipped)
        return ManifestEntry(version), f"Updated: {place.name}"
    if version in (entry.given, entry.offered):
        return entry, ""
    beside = _free_name(place, (entry.offered, version))
    entry = replace(entry, offered=version)
    if beside.exists() and _hash(beside.read_bytes()) == version:
        return entry, ""  # it lies there already, and only the manifest was lost
    write_whole(beside, shipped)
    line = f"{place.name} has a new version; yours is kept, the new one is {beside.name}"
    return entry, line


def _free_name(place: Path, ours: tuple[str, ...]) -> Path:
    # A new version that the learner has begun to work in is theirs as well.
    number = 1
    while True:
        suffix = ".new" if number == 1 else f".new{number}"
        beside = place.with_name(f"{place.stem}{suffix}{place.suffix}")
        if not beside.exists() or _hash(beside.read_bytes()) in ours:
            return beside
        number += 1


def _files(source: Path) -> Iterator[str]:
    for path in sorted(source.rglob("*")):
        name = path.relative_to(source)
        hidden = any(part.startswith((".", "__")) for part in name.parts)
        if path.is_file() and not hidden:
            yield name.as_posix()


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_manifest(target: Path) -> dict[str, ManifestEntry]:
    # Without a manifest that can be read, everything in the folder counts as the learner's.
    try:
        stored = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
        return {
            name: ManifestEntry(str(entry["given"]), str(entry["offered"]))
            for name, entry in stored["files"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write_manifest(target: Path, manifest: Mapping[str, ManifestEntry]) -> None:
    about = "Kept by dtree-lab: which version of each file was handed out (SHA-256)."
    files = {
        name: {"given": entry.given, "offered": entry.offered} for name, entry in manifest.items()
    }
    text = json.dumps({"about": about, "files": files}, indent=1)
    write_whole(target / MANIFEST, text)
