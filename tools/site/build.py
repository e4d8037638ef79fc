"""Build the course as a static site.

    python tools/site/build.py            write site/
    python tools/site/build.py --no-lite  without JupyterLite, which takes longest
    python tools/site/build.py --still    with pictures of the labs, which do not play

What must be downloaded for JupyterLite, and the recorded labs, are kept in build/site for the next
time.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from coursesite import front, links, lite, pages, played, reference
from coursesite.lesson import lessons

CHECKOUT = Path(__file__).parents[2]


def main() -> int:
    """Build the site and check its links, those of the docstrings among them."""
    parser = argparse.ArgumentParser(description="Build the course as a static site.")
    parser.add_argument("--no-lite", action="store_true", help="leave JupyterLite out")
    parser.add_argument("--still", action="store_true", help="do not record the labs")
    parser.add_argument("--out", type=Path, default=CHECKOUT / "site", help="where to (site/)")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with_lite = not asked.no_lite and _lite(asked.out / "lite")
    if not with_lite:
        shutil.rmtree(asked.out / "lite", ignore_errors=True)
    found = lessons(CHECKOUT / "notebooks", lite=with_lite)
    kept, further = CHECKOUT / "build/site/labs", {front.LAB: [front.CODE]}
    labs = {} if asked.still else played.recorded(found, kept, further=further)
    pages.write(found, asked.out, labs=labs)
    doubts = reference.build(asked.out / "reference", CHECKOUT / "build/site/reference")
    dead = [*doubts, *links.dead(asked.out)]
    for line in dead:
        print(line, file=sys.stderr)
    print(f"{len(found)} pages, {len(labs)} labs that play: {asked.out / 'index.html'}")
    if with_lite:
        print("JupyterLite needs a server: python -m http.server --directory", asked.out)
    return 1 if dead else 0


def _lite(out: Path) -> bool:
    try:
        lite.build(CHECKOUT / "notebooks", out, CHECKOUT / "build/site")
    except lite.NoNpmError as reason:
        print(reason, file=sys.stderr)
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
