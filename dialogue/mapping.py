"""Taking the value of one fact for that of another, as the catalog's mappings allow: a step of its own, on record."""

from __future__ import annotations

from catalog.fitting import fit
from catalog.values import Unreadable
from dialogue import phrases
from dialogue.events import Established, Mapped, PlannedStep, Restored
from dialogue.memory import resolve
from dialogue.turn import Turn


def take_for(turn: Turn, step: PlannedStep) -> str | None:
    """Establish what a step maps to, and say so; or give the reason why the value does not fit."""
    catalog, source, target = turn.catalog, step.inputs[0], step.subject
    found = resolve(catalog, turn.conversation, source)
    if found is None:
        raise LookupError(f"{target} was about to be taken from {source}, which is not known.")
    try:
        value = fit(catalog.facts[found.fact].value, found.value, catalog.facts[target].value, turn.today)
    except Unreadable as unreadable:
        return phrases.does_not_fit(catalog, found.fact, target, unreadable.hint)
    because = next((m.because for m in catalog.mappings if (m.fact, m.stands_for) == (source, target)), "")
    mapped = turn.journal.add(
        Mapped(fact=source, used=found.fact, stands_for=target, input_event=found.event, because=because)
    )
    turn.journal.add(Established(fact=target, value=value, source="mapping", by=mapped))
    turn.reply(phrases.taken_for(catalog, found.fact, target, because))
    return None


def reopen_mappings(turn: Turn, fact: str, cause: int) -> None:
    """Let a fact whose value is new stand for others again, though its old value did not fit."""
    serves = set(turn.catalog.supertypes(fact))
    for action in tuple(turn.conversation.pruned.values()):
        if action.because == "unfit" and serves.intersection(action.facts):
            turn.journal.add(Restored(operator=action.operator, step=action.step, subject=action.subject, cause=cause))
