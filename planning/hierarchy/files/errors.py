"""Errors of a task file: what the catalog does not have, what is no value, criteria that cannot all be met."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.problems import Findings, Place, Problem
from catalog.values import Kind, Unreadable
from catalog.values.base import listed
from planning.hierarchy.description import Comparison, Criterion, TaskFile
from planning.hierarchy.files.scalars import read_scalars
from planning.hierarchy.proposers import Occasion
from planning.hierarchy.proposers.given import propose_given
from planning.hierarchy.schemas import SchemaRefused, check_schema
from planning.hierarchy.split import Flaw, Refusal, find_flaws

_A_DAY = date(2026, 1, 1)
"""For examples: they have to be dates of some day."""


def find_errors(task: TaskFile, catalog: Catalog, lines: Mapping[Place, int], file: str) -> tuple[Problem, ...]:
    findings = Findings(file, lines)
    _check_inputs(task, catalog, findings)
    _check_results(task, catalog, findings)
    _check_criteria(task, findings)
    _check_ranges(task.criteria, findings)
    _check_activities(task, catalog, findings)
    return findings.in_order()


def _at(findings: Findings, key: str, name: str, names: Collection[str]) -> Place:
    return (key, name) if (key, name) in findings.lines else (key, list(names).index(name))


def _check_inputs(task: TaskFile, catalog: Catalog, findings: Findings) -> None:
    if task.each:
        found = "A task is done once; only its activities are done for each item of a list."
        findings.error("contradiction", ("each",), found, "Take it out, and write `activities:` with `each:` in one.")
    for name, given in task.inputs.items():
        place = _at(findings, "inputs", name, task.inputs)
        if name not in catalog.facts:
            findings.unknown(place, name, catalog.facts, "facts")
            continue
        fact = catalog.facts[name]
        if given.files and fact.list_of is None:
            found = f"{name!r} is one value, and several files are given for it."
            findings.error("list-item", (*place, "files"), found, "Write `file:` and one of them, or name a list.")
        if given.value is not None:
            _check_value(name, fact.value, given.value, (*place, "value"), findings)


def _check_value(name: str, kind: Kind, value: JsonValue, place: Place, findings: Findings) -> None:
    """Check that a value is one of its kind; else an example of one is told."""
    if kind.accepts(value):
        return
    try:
        kind.check(read_scalars(value))
    except Unreadable as problem:
        details, (least, most) = problem.fault.details, kind.room or (1, 1)
        why = {
            "wrong_length": f"; it has {details.get('count')} items, and may have {least:,} to {most:,}",
            "improper_item": f"; its item {details.get('number')} is none",
        }.get(problem.fault.code, "")
        example = json.dumps(kind.sample(_A_DAY), ensure_ascii=False)
        found = f"The value of {name!r} is no {kind.noun}{why}."
        findings.error("wrong-value", place, found, f"Write a value of the kind {kind.kind!r}, such as {example:.200}.")


def _check_results(task: TaskFile, catalog: Catalog, findings: Findings) -> None:
    for name, result in task.results.items():
        place = _at(findings, "results", name, task.results)
        if name not in catalog.facts:
            findings.unknown(place, name, catalog.facts, "facts")
        elif name in task.inputs:
            found = f"The task starts from {name!r}, and is to end with it."
            findings.error("contradiction", place, found, "Keep it in one of the two.")
        if result.json_schema:
            _check_schema(name, result.json_schema, (*place, "schema"), findings)
        twice = [title for number, title in enumerate(result.sections) if title in result.sections[:number]]
        if twice:
            found = f"The section {twice[0]!r:.60} is here a second time."
            findings.error("repeated", (*place, "sections"), found, "Keep one of them.")


def _check_schema(name: str, schema: Mapping[str, JsonValue], place: Place, findings: Findings) -> None:
    try:
        check_schema(schema)
    except SchemaRefused as refused:
        findings.error("wrong-value", place, f"The schema of {name!r} {refused}.", refused.write)


def _check_criteria(task: TaskFile, findings: Findings) -> None:
    for number, one in enumerate(task.criteria):
        place: Place = ("criteria", number)
        if one in task.criteria[:number]:
            found = "The criterion is here a second time."
            findings.error("repeated", place, found, "Keep one of them.")
        if task.results and one.of not in task.results:
            findings.unknown((*place, "of"), one.of, task.results, "results of the task")
            continue
        if one.also is not None and (one.also == one.of or one.also not in {*task.results, *task.inputs}):
            others = [name for name in (*task.results, *task.inputs) if name != one.of]
            findings.unknown((*place, "also"), one.also, others, "other results and inputs of the task")
        result = task.results.get(one.of)
        if result is None:
            continue
        if one.check is Comparison.SECTIONS and not result.sections:
            found = f"The sections of {one.of!r} are to be checked, and it is not said which it has."
            findings.error("contradiction", (*place, "check"), found, f"Write `sections:` under {one.of!r}.")
        if one.check is Comparison.SCHEMA and not result.json_schema:
            found = f"{one.of!r} is to be checked against its schema, and has none."
            findings.error("contradiction", (*place, "check"), found, f"Write `schema:` under {one.of!r}.")
        if one.check is Comparison.COUNT and one.most is not None and one.most < len(result.sections):
            found = f"{one.of!r} is to have {len(result.sections)} sections, and at most {one.most:g} of them."
            findings.error("contradiction", (*place, "most"), found, "Raise the number, or take sections away.")


def _check_ranges(criteria: Collection[Criterion], findings: Findings) -> None:
    """Check that bounds of one figure leave room for it, and of figures that have to be equal likewise."""
    first: dict[tuple[str, str], tuple[str, str]] = {}

    def find(figure: tuple[str, str]) -> tuple[str, str]:
        while figure in first:
            figure = first[figure]
        return figure

    for one in criteria:
        if one.check is Comparison.EQUAL and one.figure is not None and one.also is not None:
            pair = find((one.of, one.figure)), find((one.also, one.figure))
            if pair[0] != pair[1]:
                first[pair[0]] = pair[1]
    bounds: dict[tuple[str, str], list[int]] = {}
    for number, one in enumerate(criteria):
        if one.check in (Comparison.RANGE, Comparison.COUNT):
            figure = (one.of, one.figure or "") if one.check is Comparison.RANGE else (one.of, "\0count")
            bounds.setdefault(find(figure), []).append(number)
    listing = list(criteria)
    for numbers in bounds.values():
        for number in numbers:
            for other in numbers[: numbers.index(number)]:
                if _apart(listing[other], listing[number]) or _apart(listing[number], listing[other]):
                    line = findings.line(("criteria", other))
                    found = f"It cannot be met together with the criterion on line {line}: {_bounds(listing[other])}."
                    write = f"Make room between the two; here it is {_bounds(listing[number])}."
                    findings.error("contradiction", ("criteria", number), found, write)


def _apart(one: Criterion, other: Criterion) -> bool:
    return one.least is not None and other.most is not None and one.least > other.most


def _bounds(one: Criterion) -> str:
    return listed(f"{word} {bound:g}" for word, bound in (("at least", one.least), ("at most", one.most))
                  if bound is not None)  # fmt: skip


def _check_activities(task: TaskFile, catalog: Catalog, findings: Findings) -> None:
    """Check that activities lead from the inputs to the results, as a split that is found is checked."""
    if not task.activities:
        return
    known = frozenset(fact for fact in task.inputs if fact in catalog.facts)
    whole = task.as_description()
    occasion = Occasion(catalog=catalog, description=whole, known=known, activities=task.activities)
    split = propose_given(occasion)
    assert split is not None, "there are activities"
    for flaw in find_flaws(catalog, whole, known, split, as_it_is=True):
        if flaw.flaw is Flaw.GAP and not task.inputs:
            continue
        for place, found, write in _word(flaw, task, catalog):
            findings.error(flaw.flaw.value.replace("_", "-"), place, found, write)


def _word(flaw: Refusal, task: TaskFile, catalog: Catalog) -> Iterator[tuple[Place, str, str]]:
    """Say what is wrong with an activity; a result that the catalog lacks is told of elsewhere."""
    if flaw.stage is None:
        for fact in flaw.facts:
            if fact in catalog.facts:
                yield ("activities",), f"No activity ends with {fact!r}.", "Name it among the results of one of them."
        return
    place: Place = ("activities", flaw.stage - 1)
    facts = listed(map(repr, flaw.facts))
    match flaw.flaw:
        case Flaw.UNKNOWN:
            yield place, f"{facts} is nothing that the catalog has.", "Name facts of the catalog."
        case Flaw.GAP:
            found = f"It starts from {facts}, which neither the task nor an earlier activity gives."
            yield place, found, "Name it among the inputs of the task, or let an earlier activity end with it."
        case Flaw.NO_LIST:
            ((item, items),) = task.activities[flaw.stage - 1].each.items()
            found = f"It is done for each {item!r} of {items!r}, and ends with {facts}: these have to be lists."
            yield (*place, "each"), found, "Write the item, the list that it is of, and results that are lists."
        case _:
            yield place, f"It does the whole task at once: {facts}.", "Take the activities away, or divide it up."
