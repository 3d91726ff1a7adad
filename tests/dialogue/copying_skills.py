"""Skills that are given documents and return them, in a module that a worker process has soon loaded."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.skills import File, Result, Returnable, SkillInput

PNG = b"\x89PNG\r\n\x1a\n"


def copy(inputs: Mapping[str, SkillInput]) -> Result[Returnable]:
    ledger = inputs["ledger"]
    assert isinstance(ledger, File) and ledger.media_type == "text/csv"
    return Result("made", {"copy": File(f"copy of {ledger.name}", "", ledger.data), "drawing": File("x.png", "", PNG)})


def count(inputs: Mapping[str, SkillInput]) -> Result:
    made = inputs["copy"]
    assert isinstance(made, File)
    return Result("counted", {"length": len(made.data)})
