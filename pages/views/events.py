"""Descriptions of log events: an icon and one line of text each, for evidence and for the causes of plans.

Each class of event has its wording registered here; a package that brings further events registers theirs with `reads`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dialogue.log.events import (
    Alerted,
    Answered,
    Asked,
    Authorized,
    Begun,
    Calling,
    CatalogChanged,
    Configured,
    Confirmed,
    CouldNotEstablish,
    Discarded,
    Entry,
    Established,
    Event,
    Explained,
    Failed,
    GoalAchieved,
    GoalDropped,
    GoalPushed,
    Heard,
    ItemDone,
    Kept,
    Mapped,
    Objected,
    Offered,
    Planned,
    Preferred,
    Pruned,
    Ran,
    Refused,
    Replied,
    Restored,
    Resumed,
    Retracted,
    Revealed,
    SessionStarted,
    TurnEnded,
    TurnStarted,
    Understood,
)
from language.languages import ENGLISH
from language.responses.facts_and_skills import sentence
from pages.views.seen import Seen

Wording = Callable[[Seen, Any], str]
READS: dict[type[Event], tuple[str, Wording]] = {}
"""By class of event: its icon, and the line of plain text that says what happened."""


def reads(event: type[Event], icon: str) -> Callable[[Wording], Wording]:
    """Register how the events of a class read: an icon, and the function that words one of them."""

    def register(wording: Wording) -> Wording:
        READS[event] = icon, wording
        return wording

    return register


def event_icon(entry: Entry) -> str:
    """Return the icon of an event."""
    return _registered(entry)[0]


def say_event(seen: Seen, entry: Entry) -> str:
    """Say what happened, in one line of plain text. Raises LookupError for an event without a wording."""
    return _registered(entry)[1](seen, entry.event)


def _registered(entry: Entry) -> tuple[str, Wording]:
    found = READS.get(type(entry.event))
    if found is None:
        raise LookupError(f"{type(entry.event).__name__} has no wording: register one with `reads`")
    return found


@reads(Heard, "person")
def _heard(seen: Seen, event: Heard) -> str:
    names = ", ".join(file.name for file in event.attachments)
    return seen.text(f"You said “{event.text}”" if event.text else f"You uploaded {names}")


@reads(Alerted, "event")
def _alerted(seen: Seen, event: Alerted) -> str:
    triggers = seen.catalog.triggers
    return f"It happened: {triggers[event.trigger].label if event.trigger in triggers else event.trigger}"


@reads(Preferred, "person")
def _preferred(seen: Seen, event: Preferred) -> str:
    return sentence(ENGLISH.plans.say_preference(seen.catalog, event))


@reads(GoalPushed, "goal")
def _goal_pushed(seen: Seen, event: GoalPushed) -> str:
    return f"New goal: {event.label}"


@reads(GoalAchieved, "goal")
def _goal_achieved(seen: Seen, event: GoalAchieved) -> str:
    return f"Reached: {_goal(seen, event.goal_id)}"


@reads(GoalDropped, "goal")
def _goal_dropped(seen: Seen, event: GoalDropped) -> str:
    return seen.text(f"Dropped: {_goal(seen, event.goal_id)}. {event.reason}")


@reads(Resumed, "goal")
def _resumed(seen: Seen, event: Resumed) -> str:
    return f"Back to: {_goal(seen, event.goal_id)}"


@reads(Planned, "next")
def _planned(seen: Seen, event: Planned) -> str:
    return (
        f"Plan {event.plan_id} was made" if event.status == "solved" else f"No plan was found (attempt {event.plan_id})"
    )


@reads(Asked, "ask")
def _asked(seen: Seen, event: Asked) -> str:
    again = f", for the {event.attempt}. time" if event.attempt > 1 else ""
    if event.about == "fact":
        return f"You were asked for {seen.fact(event.subject)}{again}"
    words = {"authorize": "for consent", "confirm": "to confirm"}.get(event.about)
    return f"You were asked {words}: {seen.skill(event.subject)}{again}" if words else "You were asked"


@reads(Answered, "person")
def _answered(seen: Seen, event: Answered) -> str:
    return "You answered" if event.accepted else seen.text(f"Your answer was not clear. {event.unclear}")


@reads(Authorized, "authorize")
def _authorized(seen: Seen, event: Authorized) -> str:
    return f"You agreed: {_names(seen, event.facts)} may go to {seen.skill(event.subject)}"


@reads(Confirmed, "confirm")
def _confirmed(seen: Seen, event: Confirmed) -> str:
    return f"You agreed to a call of {seen.skill(event.skill)}"


@reads(Begun, "goal")
def _begun(seen: Seen, event: Begun) -> str:
    aside = f", and {_names(seen, event.set_aside)} of another one was set aside" if event.set_aside else ""
    return f"Work on a request began{aside}"


@reads(Objected, "failed")
def _objected(seen: Seen, event: Objected) -> str:
    return seen.text(f"It was not planned: {' '.join(event.errors)}")


@reads(Refused, "authorize")
def _refused(seen: Seen, event: Refused) -> str:
    return f"You declined: {_names(seen, event.facts)} must not go to {seen.skill(event.subject)}"


@reads(Calling, "skill")
def _calling(seen: Seen, event: Calling) -> str:
    return f"{seen.skill(event.skill)} was called"


@reads(ItemDone, "skill")
def _item_done(seen: Seen, event: ItemDone) -> str:
    answered = "had answered before" if event.again else "answered"
    return f"{seen.skill(event.skill)} {answered} for item {event.item}: {_outcome(seen, event)}"


@reads(Ran, "skill")
def _ran(seen: Seen, event: Ran) -> str:
    each = "" if event.items is None else f" for {event.items} {'item' if event.items == 1 else 'items'}"
    return f"{seen.skill(event.skill)} answered{each}: {_outcome(seen, event)}"


@reads(Failed, "failed")
def _failed(seen: Seen, event: Failed) -> str:
    return seen.text(f"{seen.skill(event.skill)} failed: {event.message}")


@reads(Mapped, "map")
def _mapped(seen: Seen, event: Mapped) -> str:
    return f"{seen.fact(event.used)} was taken for {seen.fact(event.stands_for)}"


@reads(Established, "fact")
def _established(seen: Seen, event: Established) -> str:
    return f"{seen.fact(event.fact)} became known"


@reads(Retracted, "fact")
def _retracted(seen: Seen, event: Retracted) -> str:
    return seen.text(f"{seen.fact(event.fact)} is no longer held to be true. {event.reason}")


@reads(CouldNotEstablish, "failed")
def _could_not_establish(seen: Seen, event: CouldNotEstablish) -> str:
    tries = f"{event.tries} {'try' if event.tries == 1 else 'tries'}"
    return f"{seen.skill(event.skill)} could not establish {seen.fact(event.fact)} ({tries})"


@reads(Pruned, "failed")
def _pruned(seen: Seen, event: Pruned) -> str:
    return sentence(seen.text(event.reason))


@reads(Restored, "running")
def _restored(seen: Seen, event: Restored) -> str:
    return f"It may be tried again: {seen.fact(event.subject)}"


@reads(Discarded, "later")
def _discarded(seen: Seen, event: Discarded) -> str:
    return seen.text(f"Plan {event.plan_id} was given up. {event.reason}")


@reads(Kept, "later")
def _kept(seen: Seen, event: Kept) -> str:
    return f"Plan {event.plan_id} still holds"


@reads(Offered, "later")
def _offered(seen: Seen, event: Offered) -> str:
    goals = seen.catalog.goals
    return f"Offered: {goals[event.goal].label if event.goal in goals else event.goal}"


@reads(Understood, "person")
def _understood(seen: Seen, event: Understood) -> str:
    return "What you said was understood"


@reads(Explained, "later")
def _explained(seen: Seen, event: Explained) -> str:
    return "A question about the past was answered"


@reads(Replied, "later")
def _replied(seen: Seen, event: Replied) -> str:
    return seen.text(f"Planglass said “{event.text}”")


@reads(Revealed, "later")
def _revealed(seen: Seen, event: Revealed) -> str:
    return f"{seen.fact(event.fact)} was {'shown to you' if event.shown else 'hidden again'}"


@reads(SessionStarted, "later")
def _session_started(seen: Seen, event: SessionStarted) -> str:
    return "The conversation began"


@reads(Configured, "next")
def _configured(seen: Seen, event: Configured) -> str:
    chosen = ", ".join(name for name in (event.engine, event.policy, event.understander) if name)
    return f"It runs with {chosen or 'what the settings say'}"


@reads(CatalogChanged, "later")
def _catalog_changed(seen: Seen, event: CatalogChanged) -> str:
    return "The catalog changed"


@reads(TurnStarted, "later")
def _turn_started(seen: Seen, event: TurnStarted) -> str:
    return f"Work on turn {event.turn} began"


@reads(TurnEnded, "later")
def _turn_ended(seen: Seen, event: TurnEnded) -> str:
    return f"Turn {event.turn} ended"


def _goal(seen: Seen, goal_id: int) -> str:
    goals = (*seen.conversation.goals.stack, *seen.conversation.goals.past)
    return next((goal.label for goal in goals if goal.goal_id == goal_id), f"goal {goal_id}")


def _names(seen: Seen, facts: tuple[str, ...]) -> str:
    return ", ".join(seen.fact(name) for name in facts) or "sensitive facts"


def _outcome(seen: Seen, event: Ran | ItemDone) -> str:
    declared = seen.catalog.skills.get(event.skill)
    mode = declared.modes.get(event.mode) if declared else None
    return mode.outcomes[event.outcome].label if mode and event.outcome in mode.outcomes else event.outcome
