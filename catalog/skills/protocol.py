"""Interface of skills: functions from values to one of their declared outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue


@dataclass(frozen=True, slots=True)
class Picture:
    """An uploaded image as a skill gets it: its bytes, and what the uploader's browser said of it (never trusted)."""

    name: str
    media_type: str
    data: bytes = field(repr=False)


SkillInput = JsonValue | Picture
"""The argument for one fact: its value as plain JSON, or for a fact of kind image the picture itself."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a skill: the name of one declared outcome, and a value for each fact of that outcome."""

    outcome: str
    facts: Mapping[str, JsonValue] = field(default_factory=dict)


SkillFunction = Callable[[Mapping[str, SkillInput]], Result]
"""A skill. It gets each input under the name that its mode declares, optional inputs only when they are known."""

ExplainFunction = Callable[[Mapping[str, SkillInput], Result], Mapping[str, float]]
"""Attributes a decision to its inputs: a weight for each input fact, positive towards the outcome that happened."""
