"""What all tests of the stage have: a place of their own for what a lecture saves."""

from __future__ import annotations

import pytest

from dtree_lab.stage import server


@pytest.fixture(autouse=True)
def saving(tmp_path, monkeypatch):
    """Where lectures are saved during a test."""
    place = tmp_path / "saved"
    monkeypatch.setattr(server, "user_state_path", lambda _: place)
    monkeypatch.setenv("XDG_STATE_HOME", str(place))
    return place
