"""``python -m dtree_lab.cli``: the command, where its own script cannot be found."""

from __future__ import annotations

import sys

from dtree_lab.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
