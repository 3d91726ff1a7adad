"""What a skill says that is an agent by itself: what it needs, what it is about to do, and its result."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.wording.grammar import capitalize, clean, end


def ask_for(label: str) -> str:
    return f"What is the {clean(label)}?"


def ask_to_go_ahead(skill: str, values: Sequence[tuple[str, str]]) -> str:
    given = f" It is given: {_listed(values)}." if values else ""
    return f"I would call {clean(skill)}.{given} Shall I go ahead?"


def not_done(skill: str) -> str:
    return f"Then I leave it. {capitalize(clean(skill))} was not called."


def done(skill: str, said: str, values: Sequence[tuple[str, str]]) -> str:
    told = end(capitalize(_listed(values))) if values else ""
    return " ".join(part for part in (clean(said, 500), told) if part) or f"{capitalize(clean(skill))} has done it."


def failed(skill: str, error: str) -> str:
    """Say that a call came to nothing; `error` is what kind of failure it was."""
    why = {"timed_out": "did not answer in time", "unavailable": "cannot be reached"}.get(error, "failed")
    return f"{capitalize(clean(skill))} {why}. Nothing is known of a result."


def not_for_previews(skill: str) -> str:
    return f"{clean(skill)} cannot make previews. Name a skill with one mode that has one input, the text."


def has_effect(skill: str, effect: str) -> str:
    return f"Its preview would call {clean(skill)}, whose effect is {clean(effect)}. Name a skill whose effect is none."


def _listed(values: Sequence[tuple[str, str]]) -> str:
    return "; ".join(f"{clean(label)}: {clean(value, 200)}" for label, value in values)
