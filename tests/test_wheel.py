"""The wheel, installed in a new environment away from the checkout, brings all that it needs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import threading
import urllib.request
import venv
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from leash import leashed

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


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Give the scripts' folder of a new environment that has the wheel and our other packages.

    The others are borrowed from this environment, which takes no time and no network. Its .pth
    files are not read from there, so the checkout's editable install stays out of sight.
    """
    home = tmp_path_factory.mktemp("env")
    venv.create(home, symlinks=os.name != "nt")
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    (Path(site) / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    install = ("install", "--quiet", "--no-deps", "--no-index", "--ignore-installed")
    run(sys.executable, "-m", "pip", "--python", python, *install, wheel)
    return scripts


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
    strangers = [name for name in names if not re.match(r"dtree_lab(-0\.1\.0\.dist-info)?/", name)]
    assert strangers == []


def test_the_source_distribution_holds_what_the_wheel_is_made_of_and_no_more(dist):
    (built,) = dist.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    kept = run(*command, "dtree_lab", "notebooks", cwd=CHECKOUT).split("\0")
    belong = {name for name in kept if name and not name.startswith("notebooks/.source/")}
    about = {"CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml", ".gitignore"}
    assert names == about | {name for name in belong if (CHECKOUT / name).is_file()}


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
    lessons = sorted(path.name for path in (CHECKOUT / "notebooks").glob("*.ipynb"))
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
