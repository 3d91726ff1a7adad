"""The catalog as frozen values: facts with their type tree, skills, goals, and the events that trigger goals."""

from catalog.model.catalog import (
    ANYTHING_SENSITIVE,
    Catalog,
    Effect,
    Endpoint,
    Extension,
    Fact,
    FactMapping,
    Goal,
    Mode,
    Ordering,
    Outcome,
    Scope,
    Skill,
    Trigger,
)

__all__ = [
    "ANYTHING_SENSITIVE",
    "Catalog",
    "Effect",
    "Endpoint",
    "Extension",
    "Fact",
    "FactMapping",
    "Goal",
    "Mode",
    "Ordering",
    "Outcome",
    "Scope",
    "Skill",
    "Trigger",
]
