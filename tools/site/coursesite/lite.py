"""JupyterLite: the lessons run in the reader's browser, without a server.

Everything lies in the site (JupyterLite, Pyodide's Python, our wheel and the pure-Python packages
that it needs) but what was compiled for the browser, of which numpy is all that the lessons use:
that comes from the Pyodide distribution's own server, checked against the hash that Pyodide's lock
file holds. The lock file also makes `import dtree_lab` install it, so that a lesson runs as it is.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from email.parser import Parser
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat

from coursesite.cells import for_download
from dtree_lab.course.lessons import FURTHER

if TYPE_CHECKING:
    from collections.abc import Iterable

CHECKOUT = Path(__file__).parents[3]
PYODIDE = Path(__file__).parents[1] / "pyodide"
ELSEWHERE = "https://cdn.jsdelivr.net/pyodide/v{version}/full/"
# What runs a cell, and what it needs. The versions are those of Pyodide's lock file.
KERNEL = ("micropip", "packaging", "ipython", "jedi")
FIRST = ("micropip", "comm", "ipython", "jedi")  # fetched together, while the kernel starts
# What our package needs that Pyodide has, and what it has not, for which we say what that needs.
OURS = ("narwhals", "joblib", "tqdm", "typing-extensions")
ADDED = {
    "comm": ("comm", ("traitlets",)),
    "psygnal": ("psygnal", ()),
    "ipywidgets": ("ipywidgets", ("comm", "ipython", "traitlets")),
    "anywidget": ("anywidget", ("ipywidgets", "psygnal", "typing-extensions")),
}
COMPILED = ("numpy",)
# The parts of widgets that run in the page; other extensions of this environment stay out.
EXTENSIONS = (
    "@jupyter-widgets/jupyterlab-manager",
    "@jupyterlite/pyodide-kernel-extension",
    "anywidget",
)
KERNEL_PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"
NEWS = "@jupyterlab/apputils-extension:notification"


class NoNpmError(Exception):
    """There is no npm, by which Pyodide comes; the message says what to do."""


@dataclass(frozen=True)
class Wheel:
    """A wheel that the site brings along, for Pyodide's lock file."""

    path: Path
    name: str
    imports: tuple[str, ...]
    depends: tuple[str, ...]

    def entry(self) -> dict[str, Any]:
        """What the lock file says of it."""
        with zipfile.ZipFile(self.path) as archive:
            (inside,) = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
            told = Parser().parsestr(archive.read(inside).decode())
        return {
            "depends": list(self.depends),
            "file_name": self.path.name,
            "imports": list(self.imports),
            "install_dir": "site",
            "name": self.name,
            "package_type": "package",
            "sha256": _sha256(self.path),
            "unvendored_tests": False,
            "version": told["Version"],
        }


def build(notebooks: Path, out: Path, work: Path) -> None:
    """Build JupyterLite with a folder's notebooks; what is downloaded is kept in `work`.

    Raises
    ------
    NoNpmError
        When there is no npm.
    """
    there = out.resolve()
    lite = (work / "lite").resolve()
    shutil.rmtree(lite, ignore_errors=True)
    shutil.rmtree(there, ignore_errors=True)
    contents = lite / "files"
    contents.mkdir(parents=True)
    for notebook in [*notebooks.glob("*.ipynb"), *notebooks.glob(f"{FURTHER}/*.ipynb")]:
        text = nbformat.writes(for_download(nbformat.read(notebook, as_version=4)))
        place = contents / notebook.relative_to(notebooks)
        place.parent.mkdir(exist_ok=True)
        place.write_text(text + "\n", encoding="utf-8")
    _pyodide(lite / "static/pyodide", work.resolve())
    _settings(lite)
    _run(
        *(sys.executable, "-m", "jupyterlite_core", "build", "--ignore-sys-prefix"),
        *("--no-sourcemaps", "--no-unused-shared-packages", "--apps", "lab"),
        *("--lite-dir", lite, "--contents", contents, "--output-dir", there),
        at=lite,
    )


def _settings(lite: Path) -> None:
    """What JupyterLite is built from and how it behaves."""
    shared = Path(sys.prefix, "share/jupyter/labextensions")
    chosen = lite / "labextensions"
    for name in EXTENSIONS:
        shutil.copytree(shared / name, chosen / name)
    built = {"FederatedExtensionAddon": {"extra_labextensions_path": [str(chosen)]}}
    _write(lite / "jupyter_lite_config.json", built)
    # Only what the lock file names is installed: nothing is looked for on PyPI behind one's back.
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": list(FIRST)}}
    page = {"appName": "dtree_lab", "litePluginSettings": {KERNEL_PLUGIN: kernel}}
    _write(
        lite / "jupyter-lite.json", {"jupyter-lite-schema-version": 0, "jupyter-config-data": page}
    )
    _write(lite / "overrides.json", {NEWS: {"fetchNews": "false", "checkForUpdates": False}})


def _pyodide(to: Path, work: Path) -> None:
    """Pyodide's Python beside the wheels, with a lock file that knows where each package is."""
    shutil.copytree(_from_npm(work), to, ignore=shutil.ignore_patterns("*.map", "*.html", "*.md"))
    lock = json.loads((to / "pyodide-lock.json").read_text(encoding="utf-8"))
    release = json.loads((to / "package.json").read_text(encoding="utf-8"))["version"]
    wheels = [_own_wheel(work), *_other_wheels(lock["packages"], work / "wheels")]
    for wheel in wheels:
        shutil.copy(wheel.path, to)
    locked = with_wheels(lock, wheels, ELSEWHERE.format(version=release))
    _write(to / "pyodide-lock.json", locked)


def with_wheels(lock: dict[str, Any], wheels: Iterable[Wheel], elsewhere: str) -> dict[str, Any]:
    """A lock file in which some wheels lie beside it, and all else in an address elsewhere."""
    packages = {
        name: {**entry, "file_name": elsewhere + entry["file_name"]}
        for name, entry in lock["packages"].items()
    }
    packages |= {wheel.name: wheel.entry() for wheel in wheels}
    return {**lock, "packages": packages}


def _from_npm(work: Path) -> Path:
    """Pyodide's folder, as npm has it; the versions and hashes are those of our lock file."""
    npm = shutil.which("npm")
    if npm is None:
        raise NoNpmError(
            "There is no npm, by which Pyodide comes, so the site is made without JupyterLite."
            " Debian: apt-get install npm; macOS: brew install node."
        )
    there = work / "npm"
    there.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(PYODIDE / name, there)
    _run(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", at=there)
    return there / "node_modules/pyodide"


def _own_wheel(work: Path) -> Wheel:
    """Our package, as it is in the checkout."""
    to = work / "own"
    shutil.rmtree(to, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", to, at=CHECKOUT)
    (path,) = to.glob("*.whl")
    needs = ("anywidget", "ipywidgets", *OURS, *COMPILED)
    return Wheel(path, "dtree-lab", ("dtree_lab",), needs)


def _other_wheels(packages: dict[str, Any], to: Path) -> list[Wheel]:
    """The pure-Python packages, from PyPI: as Pyodide's lock has them, or as they are here.

    What runs in the page (ipywidgets, anywidget) and what runs in Python must be of one version.
    """
    known = {name: packages[name] for name in _closure(packages, (*KERNEL, *OURS))}
    wanted = {name: entry["version"] for name, entry in known.items()}
    wanted |= {name: version(name) for name in ADDED}
    _download(wanted, to)
    found = []
    for name, release in wanted.items():
        path = _wheel_of(name, release, to)
        if name in ADDED:
            imported, depends = ADDED[name]
            found.append(Wheel(path, name, (imported,), depends))
        else:
            entry = known[name]
            found.append(Wheel(path, name, tuple(entry["imports"]), tuple(entry["depends"])))
    return found


def _closure(packages: dict[str, Any], names: Iterable[str]) -> list[str]:
    """Some packages and all that they need, by the names of the lock file."""
    found: list[str] = []
    waiting = list(names)
    while waiting:
        name = waiting.pop().replace("_", "-")
        if name not in found:
            found.append(name)
            waiting += packages[name]["depends"]
    return sorted(found)


def _download(wanted: dict[str, str], to: Path) -> None:
    missing = [f"{n}=={v}" for n, v in wanted.items() if not _wheels_of(n, v, to)]
    if missing:
        _run(
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"),
            *(
                "--disable-pip-version-check",
                "--only-binary=:all:",
                "--platform=any",
                "--python-version=3.14",
            ),
            *("--dest", to, *missing),
            at=CHECKOUT,
        )


def _wheels_of(name: str, release: str, folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{name.replace('-', '_')}-{release}-*none-any.whl"))


def _wheel_of(name: str, release: str, folder: Path) -> Path:
    found = _wheels_of(name, release, folder)
    if not found:
        raise RuntimeError(f"{name} {release} is no pure-Python package: it has no such wheel")
    return found[0]


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def _run(*command: Any, at: Path) -> None:
    """Run a program that is silent as long as all goes well."""
    done = subprocess.run(
        [str(word) for word in command], cwd=at, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command[:6]))} …\n{done.stdout}\n{done.stderr}")
