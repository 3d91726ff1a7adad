"""Say an event of the log in one line, for evidence and for the causes of plans."""

from __future__ import annotations

from dialogue.log.events import (
    Alerted,
    Answered,
    Asked,
    Authorized,
    Begun,
    Calling,
    Confirmed,
    CouldNotEstablish,
    Entry,
    Established,
    Failed,
    GoalAchieved,
    GoalDropped,
    GoalPushed,
    Heard,
    ItemDone,
    Mapped,
    Objected,
    Planned,
    Preferred,
    Pruned,
    Ran,
    Refused,
    Restored,
    Resumed,
    Retracted,
)
from language.responses.facts_and_skills import sentence
from language.responses.preferences import say_preference
from pages.views.seen import Seen

_ICONS: dict[str, str] = {
    "heard": "person",
    "alerted": "event",
    "preferred": "person",
    "goal_pushed": "goal",
    "goal_achieved": "goal",
    "goal_dropped": "goal",
    "resumed": "goal",
    "asked": "ask",
    "answered": "person",
    "begun": "goal",
    "objected": "failed",
    "authorized": "authorize",
    "confirmed": "confirm",
    "refused": "authorize",
    "calling": "skill",
    "item_done": "skill",
    "ran": "skill",
    "failed": "failed",
    "mapped": "map",
    "established": "fact",
    "retracted": "fact",
    "could_not_establish": "failed",
    "pruned": "failed",
    "restored": "running",
    "planned": "next",
}


def event_icon(entry: Entry) -> str:
    """Choose the picture for an event."""
    return _ICONS.get(entry.event.kind, "later")


def say_event(seen: Seen, entry: Entry) -> str:  # noqa: PLR0911, PLR0912 - one line for each kind of event
    """Say what happened, in one line of plain text."""
    fact, skill = seen.fact, seen.skill
    match entry.event:
        case Heard(text=text, attachments=files):
            names = ", ".join(file.name for file in files)
            return seen.text(f"You said “{text}”" if text else f"You uploaded {names}")
        case Alerted(trigger=name):
            triggers = seen.catalog.triggers
            return f"It happened: {triggers[name].label if name in triggers else name}"
        case Preferred():
            return sentence(say_preference(seen.catalog, entry.event))
        case GoalPushed(label=label):
            return f"New goal: {label}"
        case GoalAchieved(goal_id=number):
            return f"Reached: {_goal(seen, number)}"
        case GoalDropped(goal_id=number, reason=reason):
            return seen.text(f"Dropped: {_goal(seen, number)}. {reason}")
        case Resumed(goal_id=number):
            return f"Back to: {_goal(seen, number)}"
        case Planned(plan_id=number, status=status):
            return f"Plan {number} was made" if status == "solved" else f"No plan was found (attempt {number})"
        case Asked(about=about, subject=subject, attempt=attempt):
            again = f", for the {attempt}. time" if attempt > 1 else ""
            if about == "fact":
                return f"You were asked for {fact(subject)}{again}"
            words = {"authorize": "for consent", "confirm": "to confirm"}.get(about)
            return f"You were asked {words}: {skill(subject)}{again}" if words else "You were asked"
        case Answered(accepted=accepted, unclear=unclear):
            return "You answered" if accepted else seen.text(f"Your answer was not clear. {unclear}")
        case Authorized(subject=subject, facts=facts):
            return f"You agreed: {_names(seen, facts)} may go to {skill(subject)}"
        case Confirmed(skill=name):
            return f"You agreed to a call of {skill(name)}"
        case Begun(set_aside=gone):
            aside = f", and {_names(seen, gone)} of another one was set aside" if gone else ""
            return f"Work on a request began{aside}"
        case Objected(errors=errors):
            return seen.text(f"It was not planned: {' '.join(errors)}")
        case Refused(subject=subject, facts=facts):
            return f"You declined: {_names(seen, facts)} must not go to {skill(subject)}"
        case Calling(skill=name):
            return f"{skill(name)} was called"
        case ItemDone(skill=name, mode=mode, item=number, outcome=outcome, again=again):
            answered = "had answered before" if again else "answered"
            return f"{skill(name)} {answered} for item {number}: {_outcome(seen, name, mode, outcome)}"
        case Ran(skill=name, mode=mode, outcome=outcome, items=items):
            each = "" if items is None else f" for {items} {'item' if items == 1 else 'items'}"
            return f"{skill(name)} answered{each}: {_outcome(seen, name, mode, outcome)}"
        case Failed(skill=name, message=message):
            return seen.text(f"{skill(name)} failed: {message}")
        case Mapped(used=used, stands_for=name):
            return f"{fact(used)} was taken for {fact(name)}"
        case Established(fact=name):
            return f"{fact(name)} became known"
        case Retracted(fact=name, reason=reason):
            return seen.text(f"{fact(name)} is no longer held to be true. {reason}")
        case CouldNotEstablish(skill=name, fact=what, tries=tries):
            return f"{skill(name)} could not establish {fact(what)} ({tries} {'try' if tries == 1 else 'tries'})"
        case Pruned(reason=reason):
            return sentence(seen.text(reason))
        case Restored(subject=subject):
            return f"It may be tried again: {fact(subject)}"
    return entry.event.kind.replace("_", " ").capitalize()


def _goal(seen: Seen, goal_id: int) -> str:
    goals = (*seen.conversation.goals, *seen.conversation.past_goals)
    return next((goal.label for goal in goals if goal.goal_id == goal_id), f"goal {goal_id}")


def _names(seen: Seen, facts: tuple[str, ...]) -> str:
    return ", ".join(seen.fact(name) for name in facts) or "sensitive facts"


def _outcome(seen: Seen, skill: str, mode: str, outcome: str) -> str:
    declared = seen.catalog.skills.get(skill)
    if declared and mode in declared.modes and outcome in declared.modes[mode].outcomes:
        return declared.modes[mode].outcomes[outcome].label
    return outcome
