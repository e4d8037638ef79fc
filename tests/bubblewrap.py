"""Get bubblewrap where there is none, for the tests of grading: ``python tests/bubblewrap.py``.

Where it cannot be had (macOS, a container that forbids namespaces), they try what they can without.
"""

from __future__ import annotations

import shutil
import sys

from browser.chromium import install_from_debian
from dtree_lab.grading.sandbox import sandbox


def main() -> int:
    """Install it if need be, and say whether there is a sandbox."""
    if shutil.which("bwrap") is None:
        install_from_debian("bubblewrap", why="for the tests of grading")
    if sandbox() == "none":
        print("There is no bubblewrap that works: grading is tested without a sandbox.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
