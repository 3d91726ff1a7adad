"""Setting up says what a machine lacks, and does again only what has changed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts.environment import Layer, SetUpFailed, check_venv, digest


def test_a_python_that_cannot_make_environments_is_given_what_it_lacks() -> None:
    asked: list[str] = []

    def install(package: str) -> bool:
        asked.append(package)
        return True

    check_venv(lambda _: None, install)
    assert asked == [f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"]


def test_where_nothing_may_be_installed_the_command_to_install_it_is_said() -> None:
    with pytest.raises(SetUpFailed, match=r"sudo apt-get install python3\.\d+-venv"):
        check_venv(lambda _: None, lambda _: False)


def test_a_python_that_can_make_environments_is_left_alone() -> None:
    def install(package: str) -> bool:
        raise AssertionError(f"{package} was installed")

    check_venv(lambda name: name, install)


@pytest.mark.parametrize(("listed", "in_place"), [("a==1\n", True), ("a==2\n", False)])
def test_a_layer_is_in_place_until_its_list_changes(tmp_path: Path, listed: str, in_place: bool) -> None:
    stamp = tmp_path / "stamp"
    stamp.write_text(digest("a==1\n"), encoding="utf-8")
    assert Layer("packages", "constraints.txt", stamp, digest(listed)).in_place is in_place


def test_a_layer_that_was_never_finished_is_not_in_place(tmp_path: Path) -> None:
    assert not Layer("packages", "constraints.txt", tmp_path / "stamp", digest("")).in_place
