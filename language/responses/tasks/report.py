"""How a task stands, in lines for people: its stages, what is missing, its results and its criteria."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from catalog.values.base import listed
from catalog.wording.grammar import quote

Status = Literal["working", "missing", "done", "unmet", "gave_up", "cancelled", "paused"]


class StageReport(BaseModel):
    """One hypothesis: its id, what it is about, and whether it is solved; `reason` says why not."""

    id: str
    text: str
    depth: int
    status: Literal["solved", "stuck", "open"]
    plan: list[str] = Field(default_factory=list)
    reason: str = ""
    proposer: str = ""
    short: bool = Field(default=False, exclude_if=lambda value: not value)
    """Whether its split has fewer stages than it should: no better one was found."""
    stages: list[StageReport] = Field(default_factory=list)
    other_attempts: int = 0


class MissingReport(BaseModel):
    """Something that is missing; `request` is the entry of the log that asks for it.

    Of a function: `introduced` are facts of it that the catalog does not have, `criteria` what it has to fulfil.
    """

    kind: Literal["information", "function", "consent", "call", "in_doubt", "description", "judge"]
    request: int
    names: list[str] = Field(default_factory=list)
    labels: list[str] = Field(default_factory=list)
    inputs: list[str] = Field(default_factory=list)
    introduced: list[str] = Field(default_factory=list)
    criteria: list[str] = Field(default_factory=list)
    stages: list[str] = Field(default_factory=list)
    always: bool = False
    why: str = ""
    tried: list[str] = Field(default_factory=list)
    """Of a function: the skills that were tried in vain, and why."""
    gives: list[str] = Field(default_factory=list)
    """Of a call in doubt: the facts that it gave if it took effect."""
    made_up: list[str] = Field(default_factory=list)
    """Of a description: the results that were found in the text of the task."""


class CriterionReport(BaseModel):
    """An acceptance criterion, and whether it is met."""

    number: int
    text: str
    standing: Literal["met", "unmet", "waiting", "unchecked"]
    found: str = ""
    by: str = ""


class ResultReport(BaseModel):
    """A result: how its value is shown, and where it was saved."""

    name: str
    label: str
    value: JsonValue = None
    shown: str = ""
    file: str | None = None


class FailureReport(BaseModel):
    """An item of a list that there is no result for, and why."""

    what: str
    item: int
    shown: str = ""
    skill: str
    reason: str


class AnswerReport(BaseModel):
    """The answer to a question about the task, and the entries of the log that prove it."""

    question: str
    text: str
    evidence: list[int]


class TaskReport(BaseModel):
    """How a task stands; `notes` say why a language model was of no use, where it was asked."""

    id: str
    task: str
    status: Status
    reason: str = ""
    tree: StageReport | None = None
    missing: list[MissingReport] = Field(default_factory=list)
    failures: list[FailureReport] = Field(default_factory=list)
    criteria: list[CriterionReport] = Field(default_factory=list)
    results: list[ResultReport] = Field(default_factory=list)
    generated: list[str] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    answers: list[AnswerReport] | None = None


_STATUS: dict[Status, str] = {
    "working": "At work.",
    "missing": "Something is missing.",
    "done": "Done.",
    "unmet": "Done, and criteria are not met.",
    "gave_up": "Planning gave up.",
    "cancelled": "Cancelled.",
    "paused": "Paused.",
}
NO_EFFECT = "It did not take effect: a person checked."
_MARKS = {"solved": "✓", "stuck": "✗", "open": "…"}
SPLIT_BY_MODEL = " [split by a language model]"
FEW_STAGES = " [fewer stages than usual: no better split was found]"
JUDGES = {"program": "checked by a program", "person": "judged by a person", "model": "judged by a language model"}
_STANDINGS = {"met": "met", "unmet": "not met", "waiting": "to be judged", "unchecked": "not checked yet"}


def say_stopped(error: str) -> str:
    return f"An error of the program stopped it ({error}); its log says more. What was done is kept: it can go on."


def render(report: TaskReport) -> str:
    return "\n".join(_lines(report))


def _lines(report: TaskReport) -> Iterator[str]:
    yield f"{report.task}  [{report.id}]"
    yield f"{_STATUS[report.status]} {report.reason}".strip()
    if report.tree is not None:
        yield from _stages(report.tree, "")
    for missing in report.missing:
        yield f"missing: {tell_missing(missing)}"
    for note in report.notes:
        yield f"note: {note}"
    for failure in report.failures:
        shown = f" ({failure.shown})" if failure.shown else ""
        yield f"no result for item {failure.item} of {failure.what}{shown}: {failure.skill}: {failure.reason}"
    for one in report.criteria:
        found = f" {one.found}" if one.found else ""
        judge = f" ({JUDGES[one.by]})" if one.by == "model" else ""
        yield f"criterion {one.number} {_STANDINGS[one.standing]}{judge}: {one.text}{found}"
    for result in report.results:
        yield f"result {result.label}: {result.shown}" + (f" → {result.file}" if result.file else "")


def _stages(stage: StageReport, indent: str) -> Iterator[str]:
    plan = f": {' → '.join(stage.plan)}" if stage.plan else ""
    reason = f" ({stage.reason})" if stage.reason and not stage.stages else ""
    text = stage.text.rstrip(".") if plan else stage.text
    split = (SPLIT_BY_MODEL if stage.proposer == "model" else "") + (FEW_STAGES if stage.short else "")
    yield f"{indent}{_MARKS[stage.status]} {text}{plan}{reason}{split}"
    for inner in stage.stages:
        yield from _stages(inner, indent + "  ")


def say_tried(skill: str, reason: str) -> str:
    return f"{skill}: {reason}"


def tell_missing(missing: MissingReport) -> str:
    what = listed(missing.labels)
    where = f", for {listed([quote(stage.rstrip('.')) for stage in missing.stages])}" if missing.stages else ""
    always = "; every attempt lacked it" if missing.always else ""
    values = "".join(f" --value {name}=VALUE" for name in missing.gives)
    answer = f"--answer {missing.request}=yes{values} (or =no)"
    match missing.kind:
        case "information":
            names = " ".join(f"--supply {name}=FILE" for name in missing.names)
            hand = f"{missing.why} Hand over another one" if missing.why else "Hand it over"
            return f"information: {what}{where}{always}. {hand}: {names}"
        case "function":
            inputs = f" from {listed(missing.inputs)}" if missing.inputs else ""
            tried = f" Tried in vain: {'; '.join(missing.tried)}" if missing.tried else ""
            names = " ".join(f"--supply {name}=SKILL.yaml" for name in missing.names[:1])
            criteria = f" It has to fulfil: {' '.join(missing.criteria)}" if missing.criteria else ""
            return f"a function that gives {what}{inputs}{where}{always}.{tried}{criteria} Supply it: {names}"
        case "description":
            return _tell_description(missing, what, answer)
        case _:
            asked = {
                "consent": f"consent to give {what} to {missing.why or 'the skills that need it'}:",
                "call": f"a go-ahead to call {missing.why}:",
                "in_doubt": f"it is not known whether {missing.why} took effect. Find out, and say so:",
                "judge": f"a judge has to decide: {missing.why}",
            }
            return f"{asked[missing.kind]} {answer}"


def _tell_description(missing: MissingReport, what: str, answer: str) -> str:
    if not missing.made_up:
        return f"{what} of the task, which its text does not tell. Write `{missing.names[0]}:` in the task file"
    return f"your word on what was made up: {what} (it ends with {listed(missing.made_up)}). Take it: {answer[:-9]}"
