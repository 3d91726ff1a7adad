"""The pinned lists hold what every supported machine needs, and no more than it can install."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import pins

ROOT = Path(__file__).resolve().parents[2]


def test_what_only_some_machines_can_install_is_pinned_with_that_condition() -> None:
    needs = ["pytest", "hypothesis; platform_machine == 'x86_64'"]
    written = pins.lines({"pytest": "9", "hypothesis": "6"}, needs)
    assert written == 'hypothesis==6; platform_machine == "x86_64"\npytest==9\n'


def test_what_this_machine_cannot_install_keeps_its_pin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "constraints-dev.txt"
    kept.write_text('far-away==1.2; platform_machine == "aarch64"\n', encoding="utf-8")
    monkeypatch.setattr(pins, "RUNTIME", kept)
    monkeypatch.setattr(pins, "DEV", kept)
    monkeypatch.setattr(pins, "PROCESSORS", ("x86_64", "aarch64", "m68k"))
    assert pins.close(["far-away; platform_machine == 'm68k'"]) == {"far-away": "1.2"}


def test_what_is_neither_installed_nor_pinned_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "constraints.txt"
    empty.write_text("", encoding="utf-8")
    monkeypatch.setattr(pins, "RUNTIME", empty)
    monkeypatch.setattr(pins, "DEV", empty)
    monkeypatch.setattr(pins, "PROCESSORS", ("m68k",))
    with pytest.raises(pins.Unpinnable, match="far-away is required on other machines"):
        pins.close(["far-away; platform_machine == 'm68k'"])
    with pytest.raises(pins.Unpinnable, match="far-away is required, but not installed"):
        pins.close(["far-away"])


def test_the_optional_engines_are_among_the_tools_of_the_tests() -> None:
    listed = (ROOT / "constraints-dev.txt").read_text(encoding="utf-8")
    assert {"kstar-planner", "up-fast-downward"} <= {line.partition("==")[0] for line in listed.split("\n")}
