"""Find the Chromium that the browser tests drive, and get one where there is none.

As a command it does both and prints the path: ``python tests/browser/chromium.py``. With
``--early`` it gets what Debian has: any Python will do, while the suite's own is being made.
Nothing here skips: without a browser the suite fails, in one line that says what to install.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CHOICE = "DTREE_LAB_CHROMIUM"
# The shell is the same engine without a desktop's window: a fifth less to do for the processor.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
# The fonts keep screenshots of emoji, of Hebrew and Arabic (DejaVu) and of Chinese, Japanese and
# Korean (Droid) from turning into boxes: values of a table are whatever its owner types.
DEBIAN_FONTS = ("fonts-dejavu-core", "fonts-droid-fallback", "fonts-noto-color-emoji")
ADVICE = (
    "No Chromium was found for the browser tests, and none could be installed. "
    "Install one (Debian: apt-get install chromium; macOS: brew install --cask chromium), "
    "or name its program in DTREE_LAB_CHROMIUM."
)


class NoBrowserError(Exception):
    """There is no browser to test in; the message says what to install."""


@cache
def path() -> str:
    """Where the browser is.

    Raises
    ------
    NoBrowserError
        When there is none.
    """
    chosen = os.environ.get(CHOICE)
    if chosen:
        if _runs(chosen):
            return chosen
        msg = f"{CHOICE} is {chosen!r}, which does not run."
        raise NoBrowserError(msg)
    for candidate in _candidates():
        if _runs(candidate):
            return candidate
    raise NoBrowserError(ADVICE)


def _candidates() -> Iterator[str]:
    # One at a time: asking Playwright takes half a second.
    yield from (found for name in NAMES if (found := shutil.which(name)))
    yield from MAC_APPS
    yield from _playwrights_own()


def _runs(program: str) -> bool:
    # On PATH is not enough: Ubuntu's chromium-browser is a stub that asks for a snap.
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _playwrights_own() -> list[str]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return [own] if Path(own).exists() else []


def install() -> None:
    """Get a browser by the first way that works; quiet about the ways that do not."""
    _install_debians() or _install_playwrights_own()
    path.cache_clear()


def _install_debians() -> bool:
    return any(
        install_from_debian(package, *DEBIAN_FONTS, why="for the browser tests")
        for package in (SHELL, "chromium")
    )


def install_early() -> None:
    """Get what Debian has and is not there; what fails now is tried once more, and told then."""
    if CHOICE not in os.environ and not any(map(shutil.which, NAMES)):
        _install_debians()
    if shutil.which("bwrap") is None:
        install_from_debian("bubblewrap", why="for the tests of grading")


def install_from_debian(*packages: str, why: str) -> bool:
    """Install packages with apt-get, where there is one and it may; whether that went well."""
    prefix = _as_root()
    if prefix is None or not shutil.which("apt-get"):
        return False
    print(f"Installing {packages[0]} with apt-get, {why}.", file=sys.stderr)
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    # Debian's lists may be old or, in a container, absent; another apt-get may be at work.
    _call([*apt, "update"])
    options = ["-o", "DPkg::Lock::Timeout=300", "--no-install-recommends", "-y"]
    return _call([*apt, *options, "install", *packages])


def _as_root() -> list[str] | None:
    if not hasattr(os, "geteuid"):
        return None
    if os.geteuid() == 0:
        return []
    if not shutil.which("sudo"):
        return None
    may_ask = sys.stdin is not None and sys.stdin.isatty()
    return ["sudo"] if may_ask or _call(["sudo", "-n", "true"], quiet=True) else None


def _install_playwrights_own() -> bool:
    print("Downloading Playwright's Chromium, for the browser tests.", file=sys.stderr)
    return _call([sys.executable, "-m", "playwright", "install", "chromium"])


def _call(command: list[str], *, quiet: bool = False) -> bool:
    # A package manager says a hundred lines, of which one is of interest, and only when it fails.
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and not quiet:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        reasons = [line for line in said if line.startswith(("E:", "Error"))] or said[-1:]
        print(f"That failed: {''.join(reasons[:1]).strip()}", file=sys.stderr)
    return done.returncode == 0


def main() -> int:
    """Find a browser, getting one first if need be, and print where it is."""
    if sys.argv[1:] == ["--early"]:
        install_early()
        return 0
    try:
        try:
            found = path()
        except NoBrowserError:
            if os.environ.get(CHOICE):
                raise
            install()
            found = path()
    except NoBrowserError as problem:
        print(problem, file=sys.stderr)
        return 1
    print("Browser:", found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
