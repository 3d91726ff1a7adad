"""A skill that can be called in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Mapping

from pydantic import JsonValue

from catalog.skills import File, Result, Returnable, SkillInput, idempotency_key


def judge(values: Mapping[str, SkillInput]) -> Result:
    picture = values["picture"]
    assert isinstance(picture, File)
    return Result("done", {"verdict": f"{picture.name} has {len(picture.data)} bytes, {idempotency_key()}"})


def explain(_values: Mapping[str, SkillInput], result: Result) -> Mapping[str, float]:
    return {"picture": 0.5 if result.outcome == "done" and idempotency_key() == "k" else 0.0}


def turn_over(values: Mapping[str, SkillInput]) -> Result[Returnable]:
    """Return a document with its text from the end to the beginning."""
    paper = values["paper"]
    assert isinstance(paper, File)
    return Result("done", {"copy": File("b.txt", "text/plain", paper.data[::-1])})


def tabulate(values: Mapping[str, SkillInput]) -> Result[Returnable]:
    """Return a table with three rows for each character."""
    rows: list[JsonValue] = [[number, "some words"] for number in range(3 * len(str(values["news"])))]
    return Result("done", {"table": {"columns": ["number", "words"], "rows": rows}})


def say_where_nothing_is(values: Mapping[str, SkillInput]) -> Result[Returnable]:
    """Answer behind the back of what calls this, and leave: a document is where the input says."""
    copy = f'{{"file": "a.txt", "media_type": "text/plain", "at": {values["news"]}}}'
    reply = f'{{"value": {{"outcome": "done", "facts": {{"entries": [["copy", {copy}]]}}}}}}\n'
    os.write(3, reply.encode())
    os._exit(0)
