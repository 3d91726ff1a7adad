"""A skill that can be called in a process of its own."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.skills import File, Result, SkillInput, idempotency_key


def judge(values: Mapping[str, SkillInput]) -> Result:
    picture = values["picture"]
    assert isinstance(picture, File)
    return Result("done", {"verdict": f"{picture.name} has {len(picture.data)} bytes, {idempotency_key()}"})


def explain(_values: Mapping[str, SkillInput], result: Result) -> Mapping[str, float]:
    return {"picture": 0.5 if result.outcome == "done" and idempotency_key() == "k" else 0.0}
