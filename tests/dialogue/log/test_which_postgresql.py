"""The tests take PostgreSQL from the wheel, else the system's; where there is none, they fail, and say what to do."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from tests import postgresql


def programs(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name in ("initdb", "postgres"):
        (folder / name).touch()
    return folder


@pytest.fixture
def nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Hide the wheel, and all servers of the system; return where those of Debian are looked for."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.setattr(postgresql, "SYSTEMS", tmp_path / "systems")
    return tmp_path / "systems"


def test_without_the_wheel_the_newest_of_the_system_is_taken_or_the_one_on_the_path(
    nothing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path = programs(nothing.parent / "elsewhere")
    monkeypatch.setattr(shutil, "which", lambda name: str(on_path / name))
    assert postgresql.find_programs() == on_path
    for version in ("9", "15"):
        programs(nothing / version / "bin")
    assert postgresql.find_programs() == nothing / "15" / "bin"


def test_without_any_it_is_said_in_one_line_how_to_get_it(nothing: Path) -> None:
    programs(nothing / "15" / "bin").joinpath("postgres").unlink()
    with pytest.raises(RuntimeError, match="apt-get install postgresql") as told:
        postgresql.find_programs()
    assert "\n" not in str(told.value)
