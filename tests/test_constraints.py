"""The versions that `make lab` and `make test` install are those that pyproject.toml allows."""

from __future__ import annotations

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECKOUT = Path(__file__).parents[1]


def pins():
    """Distribution -> the pinned versions, each with where it holds."""
    found = {}
    for line in (CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            pin = Requirement(line)
            (specifier,) = pin.specifier
            assert specifier.operator == "==", line
            found.setdefault(canonicalize_name(pin.name), []).append(
                (specifier.version, pin.marker)
            )
    return found


def test_every_requirement_is_pinned_once_within_its_range_on_every_system_and_python():
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    pinned = pins()
    for text in (*project["dependencies"], *(one for extra in extras for one in extra)):
        wanted = Requirement(text)
        if wanted.name == project["name"]:
            continue
        versions = pinned.get(canonicalize_name(wanted.name), [])
        assert versions, f"{text} has no version in constraints.txt: make lock"
        for version, _ in versions:
            assert wanted.specifier.contains(version), f"{text}, but {version} in constraints.txt"
        for python in ("3.11", "3.12", "3.13", "3.14"):
            for system in ("linux", "darwin", "win32"):
                where = {
                    "python_version": python,
                    "python_full_version": f"{python}.0",
                    "sys_platform": system,
                    "platform_system": {"linux": "Linux", "darwin": "Darwin"}.get(
                        system, "Windows"
                    ),
                    "os_name": "nt" if system == "win32" else "posix",
                }
                held = [v for v, marker in versions if marker is None or marker.evaluate(where)]
                assert len(held) == 1, f"{text} on {system}, Python {python}: {held}"
