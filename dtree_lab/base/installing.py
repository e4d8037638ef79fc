"""What to type so that this copy has what an extra brings.

Never the project's bare name: on an index it may be nobody's, or somebody else's.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname


def install_command(extra: str) -> str:
    """The command, on one line, that installs an extra such as ``"lab"`` for this very copy.

    In a checkout, and for what was installed from a folder that is still there, that folder's
    extra; else the libraries that the extra needs, by name.
    """
    package = Path(__file__).parents[2]
    if (package / "pyproject.toml").is_file():
        return f'pip install -e ".[{extra}]" in the folder {package}'
    try:
        installed = distribution("dtree-lab")
    except PackageNotFoundError:
        return f'pip install ".[{extra}]" in the folder of its source'
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    folder = Path(url2pathname(urlsplit(origin.get("url", "")).path))
    if "dir_info" in origin and (folder / "pyproject.toml").is_file():
        return f'pip install ".[{extra}]" in the folder {folder}'
    of_extra = re.compile(rf"(.+?)\s*;.*\bextra == ['\"]{re.escape(extra)}['\"]")
    needs = filter(None, map(of_extra.match, installed.requires or []))
    return " ".join(["pip install", *(f'"{need[1]}"' for need in needs)])
