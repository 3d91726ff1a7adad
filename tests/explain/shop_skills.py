"""The skills of a small shop: one looks things up, the others act. They are loaded in a process of their own."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.skills import Result, SkillInput


def look(values: Mapping[str, SkillInput]) -> Result:
    colour = str(values["colour"])
    return Result("none_left", {}) if colour == "green" else Result("found", {"stock": f"a shelf in {colour}"})


def send(values: Mapping[str, SkillInput]) -> Result:
    return Result("sent", {"parcel": "parcel 7"} if "colour" in values else {"stopped": "parcel 7"})


def ring(values: Mapping[str, SkillInput]) -> Result:
    """Ring for a number of pieces: five wake nobody up, and more break the bell."""
    pieces = float(str(values["pieces"]))
    if pieces > 5:
        raise ValueError("The bell is broken.")
    return Result("unheard" if pieces == 5 else "heard", {})
