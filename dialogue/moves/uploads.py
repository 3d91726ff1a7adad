"""Placing uploads: which fact each file is a value of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from catalog.analysis.dependencies import can_be_asked, what_leads_to
from catalog.values import Unreadable
from catalog.values.base import listed
from dialogue.context import TurnContext
from dialogue.log.events import Attachment
from dialogue.state.questions import PendingQuestion
from language.acts.task_talk import names_something_of

Placed = tuple[str, JsonValue, str]
"""A fact, its value, and the names of the files that this stands for."""


def place_uploads(
    turn: TurnContext, pending: PendingQuestion | None, attachments: Sequence[Attachment], goals: Iterable[str] = ()
) -> tuple[tuple[Placed, ...], tuple[str, ...]]:
    """Decide which fact each upload is a value of: the one just asked for, else the only one that takes such a file.

    Where several do, it is the only one that matters for the `goals` that were named with it. What tasks wait for may
    come in any order, and several at once: the name of a file says which it is. For a list, all files that were
    uploaded together are one value.
    """
    catalog, words = turn.catalog, turn.language.questions
    takes = [f.name for f in catalog.facts.values() if f.value.uploaded and can_be_asked(f)]
    asked = [f for f in takes if pending and pending.asked.about == "fact" and pending.asked.subject == f]
    leading = {f for goal in goals for f in what_leads_to(catalog, catalog.goals[goal]).facts}
    wanted = [f for f in takes if f in leading]
    of_task = pending is not None and pending.asked.task is not None
    if of_task and wanted:
        asked = []  # what is asked for in the same breath is what they are for
    groups = (
        {}
        if wanted and not asked
        else _sort_for_tasks(turn, asked, [f for f in takes if f in turn.conversation.tasks.facts], attachments)
    )
    if not asked and len(takes) > 1 and not groups:
        takes = wanted if len(wanted) == 1 else takes
    fact = (asked or takes)[0] if asked or len(takes) == 1 else None
    if fact is None and not groups:
        labels = [catalog.facts[f].label for f in takes]
        return (), tuple(words.upload_unplaced(attachment.name, labels) for attachment in attachments)
    placed: list[Placed] = []
    refused: list[str] = []
    for name, files in (groups or {fact or "": [*attachments]}).items():
        _place(turn, name, files, placed, refused)
    return tuple(placed), tuple(refused)


def _sort_for_tasks(
    turn: TurnContext, asked: Sequence[str], waiting: Sequence[str], attachments: Sequence[Attachment]
) -> dict[str, list[Attachment]]:
    """Sort files by the facts that tasks wait for; nothing where it is not clear for each of them."""
    facts = turn.catalog.facts
    lists = [fact for fact in waiting if facts[fact].value.item]
    usual = [*asked] or ([*waiting] if len(waiting) == 1 else [])
    if len(attachments) > 1 and len(lists) == 1 and not any(facts[fact].value.item for fact in usual):
        usual = lists  # a single value is no more than one file
    groups: dict[str, list[Attachment]] = {}
    for one in attachments if waiting else ():
        named = [fact for fact in waiting if names_something_of(one.name, facts[fact].label)]
        found = named if len(named) == 1 else usual
        if not found:
            return {}
        groups.setdefault(found[0], []).append(one)
    return groups


def _place(turn: TurnContext, fact: str, files: Sequence[Attachment], placed: list[Placed], refused: list[str]) -> None:
    kind = turn.catalog.facts[fact].value
    values: list[JsonValue] = [_value_of(one) for one in files]
    names = [one.name for one in files]
    tried = [(values, listed(names))] if kind.item and values else list(zip(values, names, strict=True))
    for value, name in tried:
        try:
            placed.append((fact, kind.check(value), name))
        except Unreadable as error:
            refused.append(turn.language.questions.upload_refused(name, error.fault))


def _value_of(attachment: Attachment) -> JsonValue:
    return {
        "attachment": attachment.sha256,
        "name": attachment.name,
        "media_type": attachment.media_type,
        "size": attachment.size,
    }
