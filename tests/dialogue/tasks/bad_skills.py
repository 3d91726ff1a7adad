"""Skills that are supplied to tasks: one that does what it says, and those that do not."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from catalog.skills import Result, SkillInput


def good(_values: Mapping[str, SkillInput]) -> Result:
    return Result("done", {"sign": f"made by {os.getpid()}"})


def raises(_values: Mapping[str, SkillInput]) -> Result:
    raise MemoryError("no")


def hangs(_values: Mapping[str, SkillInput]) -> Result:
    while True:
        pass


def lies(_values: Mapping[str, SkillInput]) -> Result:
    return Result("odd", {})


def dies(_values: Mapping[str, SkillInput]) -> Result:
    os._exit(1)


def babbles(_values: Mapping[str, SkillInput]) -> Any:
    return {"file": object()}


def floods(_values: Mapping[str, SkillInput]) -> Result:
    return Result("done", {"sign": "x" * 20_000_000})
