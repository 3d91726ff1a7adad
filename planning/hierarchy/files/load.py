"""Load a task file; all problems are reported at once, each with its file, line and what to write instead."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import JsonValue

from catalog.load import Loaded, load
from catalog.load.demo_files import DEMOS
from catalog.load.model_reader import read_model
from catalog.load.yaml_reader import FileForm, read_file
from catalog.model import Catalog
from catalog.model.aliases import Aliases
from catalog.model.entry import USUAL, CatalogLimits
from catalog.problems import CatalogError, Findings, Place, Problem
from catalog.values import Kind, Unreadable
from catalog.values.base import listed
from planning.hierarchy.description import Comparison, Criterion, Input, ResultDocument, TaskFile
from planning.hierarchy.proposers import SplitOccasion
from planning.hierarchy.proposers.methods import propose_given
from planning.hierarchy.schemas import SchemaRefused, check_schema
from planning.hierarchy.split import Flaw, Refusal, find_flaws

_NUMBER = re.compile(r"[-+]?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_TRUTH = {"true": True, "false": False}
_WORDS = frozenset(
    {"$anchor", "$comment", "$id", "$ref", "$schema", "description", "format", "pattern", "title", "type"}
)
"""Keywords of JSON Schema whose value is a text."""
_NAMES = frozenset({"required", "dependentRequired"})
"""Keywords of JSON Schema whose value holds names."""
_NAMED = frozenset({"$defs", "dependentSchemas", "patternProperties", "properties"})
"""Keywords of JSON Schema under which schemas stand by names."""
_VALUES = frozenset({"const", "default", "enum", "examples"})
"""Keywords of JSON Schema under which values stand: text, unless the schema says that they are numbers."""


def with_values(task: TaskFile, catalog: Catalog) -> TaskFile:
    """Return a task whose values are of their kinds, where they can be, and whose schemas are as they are meant."""
    inputs = {name: _with_value(one, catalog, name) for name, one in task.inputs.items()}
    results = {name: _with_schema(one) for name, one in task.results.items()}
    return task.model_copy(update={"inputs": inputs, "results": results})


def _with_value(given: Input, catalog: Catalog, name: str) -> Input:
    if given.value is None or name not in catalog.facts:
        return given
    kind = catalog.facts[name].value
    return given.model_copy(update={"value": _meant(kind, given.value)})


def _meant(kind: Kind, value: JsonValue) -> JsonValue:
    """Return a value as its kind takes it: as it stands, or else with what looks like a number as one."""
    for reading in (value, read_scalars(value)):
        if kind.accepts(reading):
            return kind.check(reading)
    return value


def read_scalars(value: JsonValue) -> JsonValue:
    """Return a value with the texts that are numbers, or truth values, as such."""
    match value:
        case str():
            return _read_scalar(value)
        case list():
            return [read_scalars(one) for one in value]
        case dict():
            return {key: read_scalars(one) for key, one in value.items()}
    return value


def _read_scalar(text: str) -> JsonValue:
    if text in _TRUTH:
        return _TRUTH[text]
    if not (found := _NUMBER.fullmatch(text)):
        return text
    return float(text) if found[2] or found[3] else int(text)


def _with_schema(result: ResultDocument) -> ResultDocument:
    if not result.json_schema:
        return result
    return result.model_copy(update={"json_schema": read_schema(dict(result.json_schema))})


def read_schema(schema: JsonValue) -> JsonValue:
    """Return a JSON Schema with numbers and truth values where these belong."""
    if isinstance(schema, list):
        return [read_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return read_scalars(schema)
    numbers = schema.get("type") in ("integer", "number", "boolean")
    return {key: _read_keyword(key, value, numbers=numbers) for key, value in schema.items()}


def _read_keyword(key: str, value: JsonValue, *, numbers: bool) -> JsonValue:
    if key in _WORDS or key in _NAMES or (key in _VALUES and not numbers):
        return value
    if key in _NAMED and isinstance(value, Mapping):
        return {name: read_schema(one) for name, one in value.items()}
    return read_scalars(value) if key in _VALUES else read_schema(value)


FORM = FileForm("task file", "task files", "Begin with `task:` and `results:`.", 12, {})
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
    occasion = SplitOccasion(catalog=catalog, description=whole, known=known, activities=task.activities)
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


@dataclass(frozen=True, slots=True)
class LoadedTask:
    """A task with the catalog that serves it, and where it came from: its lines, file and digest (SHA-256)."""

    task: TaskFile
    catalog: Loaded
    lines: Mapping[Place, int]
    file: str
    digest: str


def load_task(source: str | Path, catalog: Loaded | None = None, limits: CatalogLimits = USUAL) -> LoadedTask:
    """Load a task from a file by its path; raise `CatalogError` with everything that is wrong.

    A catalog that is given takes the place of the one that the file names, which is held to the limits.
    """
    text, file = read_file(Path(source), FORM)
    return read_task(text, file, catalog, folder=Path(file).parent, limits=limits)


def read_task(
    text: str | bytes,
    file: str = "<text>",
    catalog: Loaded | None = None,
    *,
    folder: Path | None = None,
    limits: CatalogLimits = USUAL,
) -> LoadedTask:
    """Read a task from its YAML; `file` is what problems call it.

    A catalog that it names by a path is looked for in the `folder`; without one, it may only name a demo. It is loaded
    first: what the task speaks of may be given by the catalog's aliases.
    """
    served: list[Loaded] = [] if catalog is None else [catalog]

    def aliases_of(root: Mapping[str, object]) -> Aliases:
        name = root.get("catalog")
        if not served and isinstance(name, str) and name.isprintable():
            served.extend(filter(None, [_load_catalog(name, folder, limits, Findings(file, {}))]))
        return served[0].catalog.aliases if served else {}

    def find_all(task: TaskFile, lines: Mapping[Place, int], name: str) -> tuple[Problem, ...]:
        findings = Findings(name, lines)
        if not served and (named := _load_catalog(task.catalog, folder, limits, findings)) is not None:
            served.append(named)
        if not served:
            return findings.in_order()
        return find_errors(with_values(task, served[0].catalog), served[0].catalog, lines, name)

    task, lines, digest = read_model(text, file, FORM, TaskFile, find_all, aliases_of=aliases_of)
    return LoadedTask(with_values(task, served[0].catalog), served[0], lines, file, digest)


def _load_catalog(name: str | None, folder: Path | None, limits: CatalogLimits, findings: Findings) -> Loaded | None:
    """Load the catalog that a task names; where there is none, or it has errors, that is noted."""
    if name is None:
        found, write = "It is not said which catalog serves the task.", f"Write `catalog:` and a demo: {_demos()}."
        findings.error("missing-key", (), found, write)
        return None
    if name not in DEMOS and folder is None:
        findings.unknown(("catalog",), name, DEMOS, "demos")
        return None
    try:
        return load(name if name in DEMOS or folder is None else folder / name, limits)
    except CatalogError as fault:
        first = fault.problems[0].render()
        more = f" (and {len(fault.problems) - 1} more)" if len(fault.problems) > 1 else ""
        write = f"Name a catalog that loads, or a demo: {_demos()}."
        findings.error("catalog", ("catalog",), f"The catalog {name!r:.100} cannot be used: {first}{more}", write)
        return None


def _demos() -> str:
    return ", ".join(DEMOS)
