"""Where the browser's Python finds its packages: in the site, or where they were compiled."""

from __future__ import annotations

import hashlib
import json
import zipfile

import pytest

from coursesite import lite


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "ours-1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ours/__init__.py", "")
        archive.writestr("ours-1.2.dist-info/METADATA", "Name: ours\nVersion: 1.2\n")
    return lite.Wheel(path, "ours", ("ours",), ("numpy",))


def test_what_is_brought_along_lies_beside_the_lock_file_and_all_else_elsewhere(wheel):
    numpy = {"file_name": "numpy-2-wasm32.whl", "sha256": "ab", "version": "2"}
    lock = {"info": {"python": "3.14"}, "packages": {"numpy": numpy, "ours": {"file_name": "old"}}}
    made = lite.with_wheels(lock, [wheel], "https://there/")
    assert made["info"] == lock["info"]
    assert made["packages"]["numpy"] == {**numpy, "file_name": "https://there/numpy-2-wasm32.whl"}
    ours = made["packages"]["ours"]
    assert ours["file_name"] == wheel.path.name
    assert ours["version"] == "1.2"
    assert ours["depends"] == ["numpy"]
    assert ours["sha256"] == hashlib.sha256(wheel.path.read_bytes()).hexdigest()


def test_without_npm_it_is_said_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(lite.NoNpmError, match="apt-get install npm"):
        lite.build(tmp_path, tmp_path / "out", tmp_path / "work")


def test_pyodide_is_taken_by_version_and_hash():
    asked = json.loads((lite.PYODIDE / "package.json").read_text(encoding="utf-8"))
    locked = json.loads((lite.PYODIDE / "package-lock.json").read_text(encoding="utf-8"))
    found = locked["packages"]["node_modules/pyodide"]
    assert found["version"] == asked["dependencies"]["pyodide"]
    assert found["integrity"].startswith("sha512-")
