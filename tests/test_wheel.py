"""The wheel, installed in a new environment away from the checkout, brings all that it needs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import threading
import urllib.request
import venv
import zipfile
from contextlib import contextmanager
from email import message_from_bytes
from importlib.metadata import distribution
from pathlib import Path

import pytest
from effort import profile, some
from leash import leashed
from packaging.requirements import Requirement

CHECKOUT = Path(__file__).parents[1]
WIDGET = """
import json
import dtree_lab as dt
from dtree_lab.labs.code_widget import CodeFile
builder = dt.TreeBuilder(dt.datasets.tax_fraud())
code = {f"IPY_MODEL_{w.model_id}": w for w in CodeFile.widgets.values() if isinstance(w, CodeFile)}
names = [code[key].name for key in builder.code]
texts = [code[key].text for key in builder.code]
print(json.dumps({"file": dt.__file__, "names": names, "texts": texts}))
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """Build the wheel by way of the source distribution, which must therefore be whole too."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, cwd=CHECKOUT)
    return out


@pytest.fixture(scope="module")
def wheel(dist):
    (built,) = dist.glob("*.whl")
    return built


def environment(home, wheel):
    """Make an environment with the wheel alone; the folders of its scripts and its packages."""
    venv.create(home, symlinks=os.name != "nt")
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    install = ("install", "--quiet", "--no-deps", "--no-index", "--ignore-installed")
    run(sys.executable, "-m", "pip", "--python", python, *install, wheel)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    return scripts, Path(site)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Give the scripts' folder of a new environment that has the wheel and our other packages.

    The others are borrowed from this environment, which takes no time and no network. Its .pth
    files are not read from there, so the checkout's editable install stays out of sight.
    """
    scripts, site = environment(tmp_path_factory.mktemp("env"), wheel)
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return scripts


def needed(requires):
    """Every distribution that somebody needs who takes no extra, by its name here."""
    found = {}
    for requirement in map(Requirement, requires or ()):
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            here = distribution(requirement.name)
            found |= {here.name: here} | needed(here.requires)
    return found


@pytest.fixture(scope="module")
def base(wheel):
    """What the wheel says that it needs, extras aside."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("dist-info/METADATA"))
        return needed(message_from_bytes(archive.read(name)).get_all("Requires-Dist"))


@pytest.fixture(scope="module")
def bare(wheel, base, tmp_path_factory):
    """Give an environment with the wheel and what it needs: what `pip install .` would bring."""
    scripts, site = environment(tmp_path_factory.mktemp("bare"), wheel)
    for package in base.values():
        for top in {file.parts[0] for file in package.files} - {".."}:
            place = Path(package.locate_file(top))
            if os.name == "nt":
                (shutil.copytree if place.is_dir() else shutil.copy)(place, site / top)
            else:
                (site / top).symlink_to(place)
    return scripts, site


@pytest.fixture
def elsewhere(tmp_path):
    """Give the options of a process that neither stands in the checkout nor writes at home."""
    shared = Path(sys.prefix, "share", "jupyter")
    env = {
        **os.environ,
        "HOME": str(tmp_path),
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
        "JUPYTER_DATA_DIR": str(tmp_path / "data"),
        "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime"),
        # The borrowed packages' parts of JupyterLab lie in the other environment.
        "JUPYTER_CONFIG_PATH": str(Path(sys.prefix, "etc", "jupyter")),
        "JUPYTER_PATH": str(shared),
        "JUPYTERLAB_DIR": str(shared / "lab"),
    }
    env.pop("PYTHONPATH", None)
    env.pop("JUPYTER_TOKEN", None)
    return {"cwd": tmp_path, "env": env}


def shipped():
    """Every file that belongs in the wheel, by its name there and its place in the checkout."""
    for top, inside in (("dtree_lab", "dtree_lab"), ("notebooks", "dtree_lab/notebooks")):
        for path in (CHECKOUT / top).rglob("*"):
            name = path.relative_to(CHECKOUT / top)
            hidden = any(part.startswith((".", "__pycache__")) for part in name.parts)
            if path.is_file() and not hidden:
                yield f"{inside}/{name.as_posix()}", path


def test_every_asset_is_in_the_wheel(wheel):
    with zipfile.ZipFile(wheel) as archive:
        for name, path in shipped():
            assert archive.read(name) == path.read_bytes(), name
        names = archive.namelist()
    endings = {Path(name).suffix for name in names}
    assert {".py", ".typed", ".mjs", ".css", ".ipynb", ".csv"} <= endings
    strangers = [name for name in names if not re.match(r"dtree_lab(-0\.2\.0\.dist-info)?/", name)]
    assert strangers == []


def test_the_source_distribution_holds_what_the_wheel_is_made_of_and_no_more(dist):
    (built,) = dist.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    kept = run(*command, "dtree_lab", "notebooks", cwd=CHECKOUT).split("\0")
    belong = {name for name in kept if name and not name.startswith("notebooks/.source/")}
    about = {
        "CHANGELOG.md",
        "CITATION.cff",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "pyproject.toml",
        ".gitignore",
    }
    assert names == about | {name for name in belong if (CHECKOUT / name).is_file()}


def test_the_library_alone_brings_at_most_four_packages_and_110_mb(base, bare):
    assert "numpy" in base
    assert len(base) <= 4
    assert sum(file.stat().st_size for file in files_below(bare[1])) < 110 * 2**20


def files_below(folder):
    """All files, through links too."""
    for place in folder.iterdir():
        yield from files_below(place) if place.is_dir() else [place]


# Every example of what can be imported; what fails for want of an extra is named.
EXAMPLES = """
import doctest, importlib, json, pkgutil, sys
import dtree_lab

class Runner(doctest.DocTestRunner):
    def report_unexpected_exception(self, out, test, example, exc_info):
        wants.setdefault(test.name, f"{exc_info[0].__name__}: {exc_info[1]}")

    def report_failure(self, out, test, example, got):
        wants.setdefault(test.name, f"{example.source}{got}")

every, *surely = sys.argv[1:]
wants, tried, n = {}, 0, 0
for module in pkgutil.walk_packages(dtree_lab.__path__, "dtree_lab.", lambda name: None):
    try:
        found = importlib.import_module(module.name)
    except ImportError as error:
        wants[module.name] = str(error)
        continue
    for test in doctest.DocTestFinder().find(found):
        n += bool(test.examples)
        if test.name not in surely and n % int(every):
            continue
        tried += Runner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=print).attempted
# The lessons' modules stand in folders that are no packages, and are not walked to.
assert dtree_lab.course.exercises()
print(json.dumps([wants, tried]))
"""
# What may not run there, and what it lacks.
LACKING = {
    **{
        f"dtree_lab.course.asking.api.{name}": "anywidget"
        for name in ("another", "ask", "exam", "warm_up", "wrap_up")
    },
    "dtree_lab.labs.catalogue.demo": "anywidget",
    "dtree_lab.stage.notebook.lecture": "yaml",
    "dtree_lab.table.scan.Scan": "polars",
    "dtree_lab.table.table.Table.from_frame": "pandas",
    "dtree_lab.table.table.Table.scan": "polars",
    "dtree_lab.tree.exchange.Exchange.from_model": "sklearn",
    "dtree_lab.tree.exchange.Exchange.to_sklearn": "scikit-learn",
}
NOT_TO_IMPORT = re.compile(
    r"dtree_lab\.(sklearn|draw\.mpl|stage\.\w+|course\.asking\.widget"
    r"|labs\.(traits|\w+_widget|\w+\.widget))"
)
TREE_BUILDER = "dtree_lab.labs.treebuilder.widget"


def test_the_library_alone_runs_every_example_that_needs_no_extra(bare, elsewhere):
    """Every fifth in ``make test``; all modules are imported there, too."""
    every = 1 if profile() == "thorough" else 5
    words = ("-W", "error", "-c", EXAMPLES, str(every), *LACKING)
    done = run(bare[0] / "python", *words, **elsewhere)
    wants, tried = json.loads(done.splitlines()[-1])
    assert tried > 400 / every
    assert "; the extra 'labs' brings it: pip install \"anywidget>=" in wants[TREE_BUILDER]
    failed = {name: why for name, why in wants.items() if not NOT_TO_IMPORT.fullmatch(name)}
    assert failed.keys() == LACKING.keys(), failed
    assert [name for name, why in failed.items() if LACKING[name] not in why] == []


# A command's words, how it ends, and what it says.
COMMANDS = [
    (["--version"], 0, "0.2.0"),
    (["--help"], 0, "usage: dtree-lab "),
    (["demo"], 0, "tree  "),
    (["demo", "--help"], 0, "usage: dtree-lab demo "),
    (["lecture", "--help"], 0, "usage: dtree-lab lecture "),
    (["assignment", "--help"], 0, "usage: dtree-lab assignment "),
    ([], 1, '"jupyterlab>=4.3.4"'),
    (["demo", "tree"], 1, '"jupyterlab>=4.3.4"'),
    (["lecture", "tax-fraud"], 1, '"jupyterlab>=4.3.4"'),
]


def test_the_command_alone_tells_what_it_lacks_and_creates_nothing(bare, elsewhere):
    for words, status, says in some(COMMANDS, every=2):
        command = [bare[0] / "dtree-lab", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, **elsewhere)
        assert (done.returncode, "Traceback" in done.stderr) == (status, False), (words, done)
        assert says in (done.stderr if status else done.stdout), (words, done)
    assert list(elsewhere["cwd"].iterdir()) == []


def test_a_widget_comes_with_its_script_and_style(installed, elsewhere):
    found = json.loads(run(installed / "python", "-c", WIDGET, **elsewhere))
    assert Path(found["file"]).is_relative_to(installed.parent)
    assert {"style.css", "base.css", "lab.mjs", "dom.mjs"} <= set(found["names"])
    assert all(found["texts"])
    assert "export const render" in found["texts"][found["names"].index("lab.mjs")]


@contextmanager
def course(installed, options):
    command = [installed / "dtree-lab", "--dir", "course", "--no-browser"]
    process = leashed(command, stdout=subprocess.PIPE, text=True, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def address(process):
    """Read what the command says until it names the address."""
    said = ""
    too_late = threading.Timer(300, process.kill)
    too_late.start()
    try:
        for line in process.stdout:
            said += line
            if found := re.search(r"(http://[^/]+)/\S*\?token=(\w+)", line):
                return found.groups()
    finally:
        too_late.cancel()
    pytest.fail(f"no address: {said}")


def test_the_command_opens_the_course(installed, elsewhere):
    place = CHECKOUT / "notebooks"
    found = [*place.glob("*.ipynb"), *place.glob("further/*.ipynb")]
    lessons = sorted(path.relative_to(place).as_posix() for path in found)
    assert lessons
    with course(installed, elsewhere) as process:
        url, token = address(process)
        for name in lessons:
            request = urllib.request.Request(
                f"{url}/api/contents/{name}", headers={"Authorization": f"token {token}"}
            )
            with urllib.request.urlopen(request, timeout=60) as response:
                model = json.load(response)
            assert model["type"] == "notebook"
            assert (elsewhere["cwd"] / "course" / name).exists()
