"""The sections by name, each with what records it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.golden.commands import record_commands
from tests.golden.conversations import record_explanations, record_stories
from tests.golden.lines import Line
from tests.golden.planned import record_explorations, record_plans
from tests.golden.sentences import record_accounting, record_banking

SECTIONS: dict[str, Callable[[], Iterator[Line]]] = {
    "stories": record_stories,
    "explain": record_explanations,
    "understand-accounting": record_accounting,
    "understand-banking": record_banking,
    "plans": record_plans,
    "explore": record_explorations,
    "commands": record_commands,
}
"""`explain` reads what was recorded as `stories`, and so comes after it."""
