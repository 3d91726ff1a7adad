"""What is read off the log of a task: the record that explanations are made from, and the tree as a file."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from pydantic import JsonValue, ValidationError

from catalog.model import Catalog
from catalog.model.entry import Entry, Names
from dialogue.log.streams import Log
from dialogue.state.masking import mask_all, secrets_of
from dialogue.state.provenance import is_secret
from dialogue.tasks.reporting.report import why_vain
from dialogue.tasks.state import events, requests
from dialogue.tasks.state.provenance import derived_in_task, without_secrets
from dialogue.tasks.state.task import Task
from explain.tasks.record import AskedFor, Checked, DoubtedInput, EndedCall, OriginKind, TaskOrigin, TaskRecord
from planning.hierarchy.description import Description
from planning.hierarchy.search import Search
from planning.hierarchy.tree import Move, Reopened, Tree
from planning.model import StepKind, operator_name
from planning.task.errors import BadRequest


class TreeRecord(Entry):
    """A tree as what led to it."""

    version: Literal[1] = 1
    description: Description
    known: Names = ()
    moves: tuple[Move, ...] = ()

    @property
    def tree(self) -> Tree:
        tree = Tree.of(self.description, frozenset(self.known))
        for move in self.moves:
            tree = tree.after(move)
        return tree


def export_tree(description: Description, known: Iterable[str], moves: Iterable[Move]) -> str:
    record = TreeRecord(description=description, known=tuple(sorted(known)), moves=tuple(moves))
    return record.model_dump_json(by_alias=True)


def reload_tree(text: str | bytes) -> TreeRecord:
    """Read what `export_tree` wrote; raise `BadRequest` where it is something else."""
    try:
        record = TreeRecord.model_validate_json(text)
        record.tree  # noqa: B018 - moves have to be about hypotheses that there are
    except (ValidationError, KeyError, IndexError) as fault:
        first = fault.errors(include_url=False)[0]["msg"] if isinstance(fault, ValidationError) else f"no {fault}"
        raise BadRequest(f"This is no tree of hypotheses: {first}. Export it again.") from None
    return record


_SAID = frozenset(
    {"text", "mission", "context", "description", "schema", "sections", "judge", "figure", "words", "trouble"}
)
"""Keys of a tree as JSON under which there are a person's words; under the others there are names and numbers."""


def record_of(log: Log, task: Task, catalog: Catalog, search: Search | None = None) -> TaskRecord:
    """Return the record of a task with its log; `search` tells the limits, and who proposes splits."""
    made = search or Search(catalog)
    # who has proposed splits, such as a language model that may not be configured any more
    proposed = (attempt.proposer for one in task.tree.hypotheses.values() for attempt in one.attempts)
    return TaskRecord(
        catalog=catalog,
        tree=task.tree,
        moves=_moves(log, task),
        derived=derived_in_task(catalog, task),
        origins={one.entry: one for one in _origins(log, task)},
        current={fact: value.entry for fact, value in task.values.get((), {}).items()},
        calls=tuple(_calls(task, catalog)),
        doubts=tuple(_doubts(log, task, catalog)),
        checks=tuple(_checks(log, task, catalog)),
        wanted=tuple(_wanted(log, task)),
        bounds=made.bounds,
        proposers=tuple(dict.fromkeys((*made.proposers, *proposed))),
    )


def export_of(log: Log, task: Task, catalog: Catalog) -> str:
    """Write the tree of a task as JSON, which `dialogue.tasks.reporting.record.reload_tree` reads.

    Inputs keep neither values nor files of sensitive facts, and texts that hold such a value are masked.
    """
    described = max((entry.seq for entry in log if isinstance(entry.event, events.Described)), default=0)
    handed_over = ((entry.seq, entry.event.fact) for entry in log if isinstance(entry.event, events.HandedOver))
    known = {fact for seq, fact in handed_over if seq < described}
    tree = json.loads(export_tree(task.description, known, [move for _, move in _moves(log, task)]))
    return json.dumps(_masked(catalog, secrets_of(catalog, log), "", tree), ensure_ascii=False, indent=1)


def _masked(catalog: Catalog, secrets: Collection[str], key: str, value: JsonValue) -> JsonValue:
    match value:
        case dict() if key == "inputs":
            return {
                name: mask_all({"description": one["description"]} if is_secret(catalog, name) else one, secrets)
                for name, one in value.items()
                if isinstance(one, dict)
            }
        case dict() if key == "results":
            return {name: _masked(catalog, secrets, "", one) for name, one in value.items()}
        case dict() if key != "schema":
            return {
                name: mask_all(one, secrets) if key == "facts" else _masked(catalog, secrets, name, one)
                for name, one in value.items()
            }
        case list() if key not in _SAID:
            return [_masked(catalog, secrets, key, one) for one in value]
        case _:
            return mask_all(value, secrets) if key in _SAID else value


def _moves(log: Log, task: Task) -> tuple[tuple[int, Move], ...]:
    """List the moves of the tree; what is handed over is one, too. A new description plants another tree."""
    moves: list[tuple[int, Move]] = []
    refused: frozenset[str] = frozenset()
    for entry in log:
        match entry.event:
            case events.Described():
                moves.clear()
            case events.HandedOver(fact=fact):
                moves.append((entry.seq, Reopened(supplied=(fact,))))
            case events.FunctionSupplied():
                moves.append((entry.seq, Reopened()))
            case events.TaskConsented(request=request, yes=yes):
                operators = _operators_of(task, request)
                if yes and not refused.isdisjoint(operators):
                    moves.append((entry.seq, Reopened(allowed=operators)))
                refused = refused.difference(operators) if yes else refused.union(operators)
            case events.Moved(move=move):
                moves.append((entry.seq, move))
            case _:
                pass
    return tuple(moves)


def _operators_of(task: Task, request: int) -> tuple[str, ...]:
    match task.requests[request].request:
        case requests.NeedConsent(skill=skill):
            return (operator_name(StepKind.AUTHORIZE, skill),)
        case requests.ConfirmCall(skill=skill, mode=mode):
            return (operator_name(StepKind.CONFIRM, skill, mode),)
        case _:
            return ()


def _origins(log: Log, task: Task) -> Iterator[TaskOrigin]:
    for entry in log:
        match entry.event:
            case events.HandedOver(fact=fact, value=value, said=said):
                yield TaskOrigin(entry.seq, OriginKind.HANDED_OVER, {fact: value}, said=said)
            case events.CallEnded(call_id=name, facts=facts, outcome=outcome):
                call = task.calls[name]
                begun = call.begun
                inputs = {begun.inputs[wanted]: place for wanted, place in begun.input_entries.items()}
                yield TaskOrigin(
                    entry.seq,
                    OriginKind.CALLED,
                    facts,
                    inputs,
                    begun.items,
                    begun=call.entry,
                    skill=begun.skill,
                    outcome=outcome,
                    stage=begun.leaf,
                )
            case events.Collected(facts=facts, inputs=inputs, items=items, hypothesis=stage, failed=failed):
                gathered = failed or any("[" in name for name in inputs)
                source = OriginKind.GATHERED if gathered else OriginKind.TAKEN
                yield TaskOrigin(entry.seq, source, facts, inputs, items, stage=stage, failed=failed)
            case _:
                pass


def _calls(task: Task, catalog: Catalog) -> Iterator[EndedCall]:
    for call in task.calls.values():
        if call.ended is not None:
            outcome = call.ended.outcome if isinstance(call.ended, events.CallEnded) else ""
            begun = call.begun
            yield EndedCall(call.entry, call.end, begun.skill, begun.mode, outcome, why_vain(task, catalog, call))


def _doubts(log: Log, task: Task, catalog: Catalog) -> Iterator[DoubtedInput]:
    for entry in log:
        match entry.event:
            case events.Doubted(fact=fact, call_id=name) if task.doubted.get(fact) == name:
                call = task.calls[name]
                begun, reason = call.begun, why_vain(task, catalog, call)
                yield DoubtedInput(entry.seq, fact, begun.skill, begun.leaf, reason, call.entry, call.end)
            case _:
                pass


def _checks(log: Log, task: Task, catalog: Catalog) -> Iterator[Checked]:
    checked = [(entry.seq, entry.event) for entry in log if isinstance(entry.event, events.CriterionChecked)]
    counting = {event.number: seq for seq, event in checked if event == task.checks.get(event.number)}
    for seq, event in checked:
        counts = counting.get(event.number) == seq
        found = without_secrets(catalog, task, event.found)
        yield Checked(seq, event.number, event.standing.value, found, event.by, counts)


def _wanted(log: Log, task: Task) -> Iterator[AskedFor]:
    said_no = {
        one.event.request: one.seq for one in log if isinstance(one.event, events.TaskConsented) and not one.event.yes
    }
    for asked in task.requests.values():
        request = asked.request
        facts: tuple[str, ...] = ()
        match request:
            case (
                requests.NeedInformation(facts=facts)
                | requests.NeedFunction(outputs=facts)
                | requests.NeedConsent(facts=facts)
            ):
                pass
            case _:
                pass
        criterion = request.number if isinstance(request, requests.JudgeCriterion) else None
        skill = (
            request.skill
            if isinstance(request, requests.NeedConsent | requests.ConfirmCall | requests.SettleCall)
            else ""
        )
        kind, no = request.request, said_no.get(asked.entry)
        yield AskedFor(asked.entry, kind, facts, skill, criterion, not asked.is_open, no, asked.unavailable)
