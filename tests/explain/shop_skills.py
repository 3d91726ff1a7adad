"""The skills of a small shop: one looks things up, the others act. They are loaded in a process of their own."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.skills import Result, SkillInput


def look(values: Mapping[str, SkillInput]) -> Result:
    colour = str(values["colour"])
    return Result("none_left", {}) if colour == "green" else Result("found", {"stock": f"a shelf in {colour}"})


def send(values: Mapping[str, SkillInput]) -> Result:
    return Result("sent", {"parcel": "parcel 7"} if "colour" in values else {"stopped": "parcel 7"})
