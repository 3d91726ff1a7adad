"""Events of a log, one line each: what happened, for the evidence of explanations and the causes of plans.

A line is a template with fields of the event in braces, or a function that picks one by their values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from catalog.wording.grammar import count

UNREADABLE = "(damaged: it cannot be read)"
"""Stands for the title of what is kept and cannot be read any more."""
REPLACED_BY = "Replaced by:"
"""Of a result that a newer message shows as it is now."""
REPLACED_SINCE = "What this shows no longer holds."
"""Of a result that was set aside, and for which there is no other yet."""

Words = Mapping[str, Any]
"""The fields of an event by name: names from a catalog as their labels, lists as text, all else as it is."""


def _asked(event: Words) -> str:
    again = ", attempt {attempt}" if event["attempt"] > 1 else ""
    if event["about"] == "fact":
        return f"You were asked for {{subject}}{again}"
    words = {"authorize": "for consent", "confirm": "to confirm"}.get(event["about"])
    return f"You were asked {words}: {{subject}}{again}" if words else "You were asked"


def _begun(event: Words) -> str:
    aside = ", and {set_aside} of another one was put aside" if event["set_aside"] else ""
    return f"Work on a request began{aside}"


def _configured(event: Words) -> str:
    named = ("engine", "policy", "understander", "orchestrator")
    labelled = ("agents", "preferences", "profile", "explore", "calibration", "figures")
    chosen = [f"{{{name}}}" for name in named if event[name]]
    chosen += [f"{name} {{{name}}}" for name in labelled if event[name]]
    return f"It runs with {', '.join(chosen) or 'what the settings say'}"


def _item_done(event: Words) -> str:
    return f"{{skill}} {'had answered before' if event['again'] else 'answered'} for item {{item}}: {{outcome}}"


def _planned(event: Words) -> str:
    solved = event["status"] == "solved"
    return "Plan {plan_id} was made" if solved else "No plan was found (attempt {plan_id})"


def _settled(event: Words) -> str:
    at = " for item {item}" if event["item"] else ""
    took_effect = event["item_is_done"] if event["item"] else event["outcome"]
    return f"The doubt about {{skill}}{at} is settled: it took {'effect' if took_effect else 'no effect'}"


def _ran(event: Words) -> str:
    each = "" if event["items"] is None else f" for {count(event['items'], 'item')}"
    return f"{{skill}} answered{each}: {{outcome}}"


_REACTIONS = {
    "followed": "You took up what was suggested",
    "edited": "You took up what was suggested, with changes",
    "dismissed": "You turned down what was suggested",
    "ignored": "You did something else",
    "thumbs_up": "You marked it as good",
    "thumbs_down": "You marked it as bad",
}


_APPEALS = {
    "person": "You asked for a person",
    "disagreement": "You disagreed",
    "data": "You asked for your data to be deleted",
}


_TASK_DEEDS = {
    "value": "{fact} goes to task {task}",
    "yes": "Your yes goes to task {task}",
    "no": "Your no goes to task {task}",
    "unavailable": "Task {task} is told that what it asks for cannot be had",
    "pause": "Task {task} is to pause",
    "resume": "Task {task} is to go on",
    "cancel": "Task {task} is to be cancelled",
}


LINES: dict[str, str | Callable[[Words], str]] = {
    "acted": lambda event: "{agent} failed: {trouble}" if event["trouble"] else "{agent} acted",
    "alerted": "It happened: {trigger}",
    "answered": lambda event: "You answered" if event["accepted"] else "Your answer was not clear. {unclear}",
    "appealed": lambda event: f"{_APPEALS[event['about']]}: “{{words}}”",
    "approved": "You approved plan {plan_id}",
    "asked": _asked,
    "authorized": "You agreed: {facts} may go to {subject}",
    "begun": _begun,
    "broadcast": "The agents were asked what they would do",
    "calling": "{skill} was called",
    "catalog_changed": "The catalog changed",
    "chosen": "{orchestrator} chose {choice}",
    "configured": _configured,
    "confirmed": "You agreed to call {skill}",
    "consented": lambda event: (
        f"{{agent}} may {'see what is sensitive' if event['given'] else 'no longer see what is sensitive'}"
    ),
    "settled": _settled,
    "could_not_establish": lambda event: (
        f"{{skill}} could not establish {{fact}} ({count(event['tries'], 'try', 'tries')})"
    ),
    "discarded": "Plan {plan_id} was given up. {reason}",
    "established": "{fact} became known",
    "explained": "A question about the past was answered",
    "failed": "{skill} failed: {message}",
    "forgotten": "What was learned was taken back",
    "goal_achieved": lambda event: f"{'Declined' if event['declined'] else 'Reached'}: {{goal_id}}",
    "goal_dropped": "Dropped: {goal_id}. {reason}",
    "goal_pushed": "New goal: {label}",
    "heard": lambda event: "You said “{text}”" if event["text"] else "You uploaded {attachments}",
    "item_done": _item_done,
    "likelihoods_chosen": lambda event: (
        f"Likelihoods that count: {event['source']}"
        + (f", from {sum(calls for *_, calls in event['calls']):,} calls" if event["source"] == "counted" else "")
    ),
    "kept": lambda event: "Plan {plan_id} still holds" + (". {note}" if event["note"] else ""),
    "mapped": "{used} was used as {stands_for}",
    "objected": "Nothing was planned: {errors}",
    "offered": "Offered: {goal}",
    "planned": _planned,
    "preferred": "{said}",
    "pruned": "{reason}",
    "ran": _ran,
    "reacted": lambda event: _REACTIONS[event["reaction"]],
    "refused": lambda event: (
        "You did not agree: {facts} must not go to {subject}"
        if event.get("because") == "unclear"
        else "You declined: {facts} must not go to {subject}"
    ),
    "withdrew": "You took your consent back: {facts} must not go to {subject} any more",
    "renamed": lambda event: "The conversation is called “{name}”" if event["name"] else "The conversation has no name",
    "replied": "Planglass said “{text}”",
    "restored": "It may be tried again: {subject}",
    "resumed": "Back to: {goal_id}",
    "retracted": "{fact} no longer holds. {reason}",
    "revealed": lambda event: f"{{fact}} was {'shown to you' if event['shown'] else 'hidden again'}",
    "session_started": "The conversation began",
    "task_begun": "{label} was given to the task manager",
    "task_delivered": lambda event: (
        "The task manager refused it: {refused}" if event["refused"] else "The task manager has it"
    ),
    "task_news": lambda event: f"News of task {{task}}: {event['status'].replace('_', ' ')}",
    "task_supplied": lambda event: _TASK_DEEDS[event["deed"]],
    "turn_ended": "Turn {turn} ended",
    "turn_started": "Work on turn {turn} began",
    "understood": "What you said was understood",
}
"""By kind of event; a package that brings further kinds adds their lines."""


def say_event(kind: str, words: Words) -> str:
    """Say what happened. Raises LookupError for a kind of event without a line."""
    line = LINES.get(kind)
    if line is None:
        raise LookupError(f"{kind} has no wording: add one to LINES in language/responses/events.py")
    return (line if isinstance(line, str) else line(words)).format_map(words)
