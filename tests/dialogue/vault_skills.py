"""Skills that make something of what is sensitive, in a module that a worker process has soon loaded."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from catalog.skills import Result, SkillInput

SPELLED = "nine hundred, one two"


def bureau(values: Mapping[str, SkillInput]) -> Result:
    if "person" in values:
        return Result("found", {"greeting": f"dear {values['person']}"})
    said = str(values["ssn"])[::-1]
    rows: JsonValue = {"columns": ["digits", "words"], "rows": [[said, SPELLED]]}
    found: dict[str, JsonValue] = {
        "letter": f"the file {said} is {SPELLED}",
        "note": "a noted case",
        "score": 700,
        "grade": "good",
    }
    return Result("found", {**found, "rows": rows, "files": [f"a copy of {said}"]})


def writer(values: Mapping[str, SkillInput]) -> Result:
    if "note" in values:
        return Result("found", {"on_note": f"on {values['note']}"})
    return Result("found", {"summary": f"in short: {values['copy']}"[:60]})
