"""Events of the log as they are shown: an icon and one line of text each, for evidence and for the causes of plans.

The lines stand in `language.responses.events`; here their fields are put in the words of the catalog, and masked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dialogue.log.events import Entry, Event, Preferred
from dialogue.state.goal_status import refusal_of
from language.content import Reason
from language.responses import events
from language.responses.facts_and_skills import sentence
from pages.views.plans import goal_label
from pages.views.snapshot_view import SnapshotView

ICONS: dict[str, str] = {
    kind: icon
    for icon, kinds in {
        "skill": "acted calling item_done ran",
        "event": "alerted",
        "person": "answered appealed forgotten heard preferred renamed reacted understood",
        "confirm": "approved confirmed",
        "ask": "asked broadcast",
        "authorize": "authorized consented refused withdrew",
        "goal": "begun goal_achieved goal_dropped goal_pushed resumed",
        "next": "chosen configured planned",
        "failed": "could_not_establish failed objected pruned",
        "fact": "established retracted",
        "map": "mapped",
        "running": "restored",
    }.items()
    for kind in kinds.split()
}
"""By kind of event; all others have that of what is passing."""


def event_icon(entry: Entry) -> str:
    return ICONS.get(entry.event.kind, "later")


def say_event(seen: SnapshotView, entry: Entry) -> str:
    """Say what happened, in one line of plain text. Raises LookupError for a kind of event without a line."""
    return events.say_event(entry.event.kind, _words_of(seen, entry.event))


def _words_of(seen: SnapshotView, event: Event) -> dict[str, Any]:
    of_skill = event.kind in ("authorized", "refused", "withdrew") or getattr(event, "about", "") in (
        "authorize",
        "confirm",
    )
    say: dict[str, Callable[[Any], Any]] = {
        "about": str,
        "attachments": lambda files: seen.text(", ".join(file.name for file in files)),
        "choice": lambda choice: seen.text(", ".join(choice.agents) or "no agent"),
        "errors": lambda errors: seen.text(" ".join(errors)),
        "fact": seen.fact,
        "facts": lambda facts: _names(seen, facts) or "sensitive facts",
        "goal": lambda goal: goal_label(seen.catalog, goal),
        "goal_id": lambda goal_id: _goal(seen, goal_id),
        "outcome": lambda outcome: _outcome(seen, event, outcome),
        "reason": lambda reason: sentence(_plain(seen, reason)) if event.kind == "pruned" else _plain(seen, reason),
        "set_aside": lambda facts: _names(seen, facts),
        "skill": seen.skill,
        "stands_for": seen.fact,
        "status": str,
        "subject": seen.skill if of_skill else seen.fact,
        "trigger": lambda name: seen.catalog.triggers[name].label if name in seen.catalog.triggers else name,
        "used": seen.fact,
    }
    words = {name: say.get(name, lambda value: _plain(seen, value))(value) for name, value in event}
    said = sentence(seen.snapshot.words_of(event.as_reason)) if isinstance(event, Preferred) else ""
    ended = next((g for g in seen.conversation.goals.past if g.goal_id == getattr(event, "goal_id", None)), None)
    declined = bool(ended and refusal_of(seen.catalog, seen.conversation, ended))
    return words | {"said": said, "declined": declined}


def _plain(seen: SnapshotView, value: Any) -> Any:
    if isinstance(value, Reason):
        return seen.reason(value)
    return seen.text(value) if isinstance(value, str) else value


def _goal(seen: SnapshotView, goal_id: int) -> str:
    goals = (*seen.conversation.goals.stack, *seen.conversation.goals.past)
    return next((goal.label for goal in goals if goal.goal_id == goal_id), f"goal {goal_id}")


def _names(seen: SnapshotView, facts: tuple[str, ...]) -> str:
    return ", ".join(seen.fact(name) for name in facts)


def _outcome(seen: SnapshotView, event: Any, outcome: str) -> str:
    declared = seen.catalog.skills.get(event.skill)
    mode = declared.modes.get(event.mode) if declared else None
    return mode.outcomes[outcome].label if mode and outcome in mode.outcomes else outcome
