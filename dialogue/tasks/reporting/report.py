"""How a task stands, as plain values: for the command line, exports and pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from catalog.model import Catalog
from catalog.values.base import HIDDEN as MASK
from catalog.wording.grammar import capitalize
from catalog.wording.values import filled_in
from dialogue.state.provenance import is_secret
from dialogue.tasks.state import requests
from dialogue.tasks.state.events import CallFailed, TaskEnding
from dialogue.tasks.state.provenance import derived_in_task, hides, without_secrets
from dialogue.tasks.state.task import Task, TaskCall, TaskRequest, hoped_of
from explain.tasks.words import say_criterion, say_split, say_step, why_stuck
from language.responses.tasks.report import (
    CriterionReport,
    FailureReport,
    MissingReport,
    ResultReport,
    StageReport,
    Status,
    TaskReport,
    say_tried,
)
from planning.hierarchy.gaps import find_closest
from planning.hierarchy.proposers.protocol import introduced_in
from planning.hierarchy.tree import Hypothesis
from planning.model import SEPARATOR, StepKind, operator_name

_ENDINGS: dict[TaskEnding, Status] = {
    TaskEnding.DONE: "done",
    TaskEnding.UNMET: "unmet",
    TaskEnding.GAVE_UP: "gave_up",
    TaskEnding.CANCELLED: "cancelled",
}


def write_report(task_id: str, task: Task, catalog: Catalog) -> TaskReport:
    vain = (tried for one in task.tree.hypotheses.values() for tried in one.attempts if tried.trouble)
    return TaskReport(
        id=task_id,
        task=task.title,
        status=status_of(task),
        reason=task.reason,
        tree=_stage(task, catalog, task.tree.root),
        missing=[_missing(task, catalog, asked) for asked in task.open_requests],
        failures=list(_failures(task, catalog)),
        criteria=list(_criteria(task, catalog)),
        results=list(_results(task, catalog)),
        generated=[part.value for part in task.description.generated],
        notes=list(dict.fromkeys(say_split(None, tried.proposer, tried.trouble) for tried in vain)),
    )


def status_of(task: Task) -> Status:
    if task.ending is not None:
        return "unmet" if task.ending is TaskEnding.DONE and task.unmet else _ENDINGS[task.ending]
    if task.paused:
        return "paused"
    return "missing" if task.open_requests else "working"


def _stage(task: Task, catalog: Catalog, one: Hypothesis) -> StageReport:
    tree = task.tree
    solved = tree.is_solved(one.id)
    plan = one.plan if solved else None
    attempt = None if plan else find_closest(tree, one)
    stages = one.stage_ids(attempt) if attempt else ()
    split = one.attempts[attempt - 1].split if attempt else None
    return StageReport(
        id=one.id,
        text=one.description.text,
        depth=one.depth,
        status="solved" if solved else "stuck" if one.verdict is not None else "open",
        plan=[say_step(catalog, step) for step in plan.steps] if plan else [],
        reason="" if solved else why_stuck(catalog, one.verdict),
        proposer=one.attempts[attempt - 1].proposer if attempt else "",
        short=split.short if split is not None else False,
        stages=[_stage(task, catalog, tree.hypotheses[name]) for name in stages],
        other_attempts=len(one.attempts) - (attempt is not None),
    )


def _missing(task: Task, catalog: Catalog, asked: TaskRequest) -> MissingReport:
    def labels(names: tuple[str, ...]) -> list[str]:
        return [catalog.facts[name].label if name in catalog.facts else name for name in names]

    def texts(stages: tuple[str, ...]) -> list[str]:
        return [task.tree.hypotheses[name].description.text for name in stages]

    request = asked.request
    report = MissingReport(kind=request.request, request=asked.entry)
    match request:
        case requests.NeedInformation(facts=facts, stages=stages, always=always, call=shown):
            report.why = why_vain(task, catalog, task.calls[shown]) if shown else ""
            report.names, report.labels, report.stages, report.always = (
                list(facts),
                labels(facts),
                texts(stages),
                always,
            )
        case requests.NeedFunction(outputs=outputs, inputs=inputs, stages=stages, always=always):
            report.names, report.labels, report.inputs = list(outputs), labels(outputs), labels(inputs)
            report.stages, report.always = texts(stages), always
            report.tried = list(_tried(task, catalog, outputs))
            report.introduced = [name for name in (*outputs, *inputs) if name in introduced_in(task.tree)]
            wanted = (one for stage in stages for one in task.tree.hypotheses[stage].description.criteria)
            report.criteria = list(dict.fromkeys(say_criterion(catalog, one) for one in wanted if one.of in outputs))
        case requests.NeedConsent(skill=skill, facts=facts):
            report.names, report.labels = list(facts), labels(facts or (skill,))
            report.why = catalog.skills[skill].label if skill in catalog.skills else ""
        case requests.ConfirmCall(skill=skill) | requests.SettleCall(skill=skill):
            report.why = catalog.skills[skill].label
            if isinstance(request, requests.SettleCall):
                call = task.calls[request.call_id]
                outcomes = catalog.skills[skill].modes[call.begun.mode].outcomes
                hoped = outcomes.get(hoped_of(task, call)) or next(iter(outcomes.values()))
                report.gives = list(hoped.facts)
        case requests.JudgeCriterion(number=number):
            report.names, report.why = [str(number)], task.description.criteria[number - 1].judge or ""
        case requests.ConfirmDescription(description=described, missing=missing, generated=generated):
            report.names = report.labels = [part.value for part in (*missing, *generated)]
            report.made_up = [] if missing else labels(described.facts)
    return report


def _tried(task: Task, catalog: Catalog, facts: Collection[str]) -> Iterator[str]:
    """Name the skills that give something and were tried in vain, with the reason of each."""
    last = {call.begun.skill: call for call in task.calls.values() if call.ended is not None}
    for name, call in last.items():
        steps = f"{operator_name(StepKind.SKILL, name)}{SEPARATOR}"
        gives = name in catalog.skills and not set(facts).isdisjoint(catalog.skills[name].gives)
        if gives and any(ruled_out.startswith(steps) for ruled_out in task.tree.ruled_out):
            yield say_tried(catalog.skills[name].label, why_vain(task, catalog, call))


def _failures(task: Task, catalog: Catalog) -> Iterator[FailureReport]:
    last_about = {about: call for call in task.calls.values() for about in call.begun.items}
    for _, collected in task.collected:
        what = next((fact for fact in collected.inputs if "[" not in fact), "")
        for number in collected.failed:
            last = last_about.get((collected.inputs.get(what, 0), number))
            yield FailureReport(
                what=catalog.facts[what].label if what in catalog.facts else what,
                item=number,
                shown=show_item(task, catalog, what, number),
                skill=catalog.skills[last.begun.skill].label if last else "",
                reason=why_vain(task, catalog, last) if last else "",
            )


def show_item(task: Task, catalog: Catalog, what: str, number: int) -> str:
    """Show an item of a list, where it may be seen."""
    found = task.find(catalog, what)
    kind = catalog.facts[what].value.item if what in catalog.facts else None
    if found is None or kind is None or hides(catalog, task, found) or not isinstance(found.value, list):
        return ""
    return kind.show(found.value[number - 1])


def why_vain(task: Task, catalog: Catalog, call: TaskCall) -> str:
    """Say why a call did not give what was hoped for: its error, or its outcome with what it says of that."""
    if call.ended is None:
        return ""
    if isinstance(call.ended, CallFailed):
        return without_secrets(catalog, task, call.ended.message)
    outcome = catalog.skills[call.begun.skill].modes[call.begun.mode].outcomes[call.ended.outcome]
    derived = derived_in_task(catalog, task)
    hidden = {fact for fact in call.ended.facts if is_secret(catalog, fact, call.end, derived)}
    shown = {f: MASK if f in hidden else catalog.facts[f].value.show(value) for f, value in call.ended.facts.items()}
    cited = {fact for fact in shown if f"{{{fact}}}" in (outcome.say or "")}
    told = [shown[f] for f in shown if f not in cited | hidden and catalog.facts[f].value.takes_any_text]
    words = filled_in(outcome.say, shown) if outcome.say else f"{capitalize(outcome.label)}."
    said = " ".join((words, *map(capitalize, told)))
    return without_secrets(catalog, task, said)


def _criteria(task: Task, catalog: Catalog) -> Iterator[CriterionReport]:
    for number, criterion in enumerate(task.description.criteria, start=1):
        checked = task.checks.get(number)
        yield CriterionReport(
            number=number,
            text=say_criterion(catalog, criterion),
            standing=checked.standing.value if checked else "unchecked",
            found=without_secrets(catalog, task, checked.found) if checked else "",
            by=checked.by if checked else "",
        )


def _results(task: Task, catalog: Catalog) -> Iterator[ResultReport]:
    for fact in task.description.facts:
        found = task.find(catalog, fact)
        if found is not None:
            kind = catalog.facts[found.fact].value
            secret = hides(catalog, task, found)
            yield ResultReport(
                name=fact,
                label=catalog.facts[fact].label,
                value=None if secret else found.value,
                shown=kind.masked(found.value) if secret else kind.show(found.value),
            )
