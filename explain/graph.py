"""The causal graph of a record: who gave each value, who took it, and from when until when it held.

All explanations read this one graph, so that they agree with one another. Its nodes are the executions; an execution
took the very values that its `input_events` name. A record that does not say so is read as the paper does: an input is
what was last established under that name before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from catalog.model import Catalog
from explain.model import Held, Record, Value
from planning.history import Execution, History, find_place, find_refusal


@dataclass(frozen=True, slots=True)
class FoundOrigin:
    """Origin of a value: its place in the history, and the fact that was established (it may be a subtype)."""

    index: int
    execution: Execution
    fact: str


def fits(catalog: Catalog, fact: str, wanted: str) -> bool:
    """Return whether a fact is what is wanted, or can stand for it: a pie chart is a plot."""
    return wanted in catalog.supertypes(fact)


def pick(catalog: Catalog, facts: Iterable[str], wanted: str) -> str | None:
    """Choose what is wanted from some facts: itself if it is there, else the first that can stand for it."""
    fitting = [fact for fact in facts if fits(catalog, fact, wanted)]
    return wanted if wanted in fitting else next(iter(fitting), None)


def find_source(record: Record, consumer: int, fact: str) -> FoundOrigin | None:
    """Find what gave the value that an execution took as an input; None if it was known from the start."""
    execution = record.history[consumer]
    if len(execution.input_events) == len(execution.inputs):
        held = find_held(record, execution.input_events[execution.inputs.index(fact)])
        if held is not None:
            return _find_execution(record.history, held.by, held.value.fact)
    return _find_last_before(record, fact, consumer)


def find_held(record: Record, event: int) -> Held | None:
    """Find the value that became known by an event; mostly it has held since then."""
    place = bisect_left(record.held, event, key=lambda one: one.since)
    return next((one for one in chain(record.held[place : place + 1], record.held) if one.value.event == event), None)


def find_giver(record: Record, fact: str) -> FoundOrigin | None:
    """Find what gave the value that a fact has; None if it was known from the start, or is not known."""
    value = record.values.get(fact)
    held = None if value is None else find_held(record, value.event)
    if held is not None:
        return _find_execution(record.history, held.by, fact)
    return find_last(record.history, fact)


def find_current(record: Record, fact: str) -> str | None:
    """Find under which name a fact is known now, if it is: that of the fitting value that was established last.

    What was retracted or set aside is in the history, but no longer among the values.
    """
    fitting = [name for name in record.values if fits(record.catalog, name, fact)]
    if not fitting:
        return None
    givers = {name: find_giver(record, name) for name in fitting}
    latest = max(-1 if giver is None else giver.index for giver in givers.values())
    outputs = record.history[latest].outputs if latest >= 0 else tuple(record.values)
    newest = [name for name in outputs if name in givers and latest == _place(givers[name])]
    return pick(record.catalog, newest, fact)


def _place(found: FoundOrigin | None) -> int:
    return -1 if found is None else found.index


def list_refusals(record: Record) -> tuple[Execution, ...]:
    """List the adverse outcomes that what was asked for has come to."""
    names = (find_current(record, fact) for fact in record.goal)
    givers = (find_giver(record, name) for name in names if name is not None)
    events = [giver.execution.event for giver in givers if giver is not None]
    events += [e.event for skill in record.skills for e in record.history if e.skill == skill][-1:]
    found = (find_refusal(record.catalog, record.history, event) for event in dict.fromkeys(events))
    return tuple(one for one in found if one is not None)


def find_last(history: History, fact: str) -> FoundOrigin | None:
    places = (index for index in reversed(range(len(history))) if fact in history[index].outputs)
    return next((FoundOrigin(index, history[index], fact) for index in places), None)


def _find_execution(history: History, event: int, fact: str) -> FoundOrigin | None:
    place = find_place(history, event)
    return None if place is None else FoundOrigin(place, history[place], fact)


def _find_last_before(record: Record, fact: str, before: int) -> FoundOrigin | None:
    """Find what last established an input before a place in the history, by scanning backward.

    This is How-last-action of the Verdi paper's Algorithm 4, which there scans forward and so would find the first.
    Only where nothing established the very fact does one count that can stand for it.
    """
    history = record.history[:before]
    exact = find_last(history, fact)
    if exact is not None or fact in record.original.known:
        return exact
    fitting = ((at, pick(record.catalog, history[at].outputs, fact)) for at in reversed(range(before)))
    return next((FoundOrigin(at, history[at], got) for at, got in fitting if got is not None), None)


def list_values(record: Record, facts: Iterable[str], at: int | None) -> tuple[Value, ...]:
    """List the values of facts that a place in the history gave, as they were then; no place: they were there."""
    found, act = [], None if at is None else record.history[at].event
    for fact in facts:
        given = [one.value for one in record.held if act is not None and (one.value.fact, one.by) == (fact, act)]
        if given:
            found.append(given[0])
        elif fact in record.values and _place(find_giver(record, fact)) == (-1 if at is None else at):
            found.append(record.values[fact])
    return tuple(found)
