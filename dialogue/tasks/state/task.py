"""The state of a task: a pure function of its log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from pydantic import JsonValue

from catalog.model import Catalog
from dialogue.log.streams import Entry, Event, Fold, StoredJournal
from dialogue.tasks.state import events
from dialogue.tasks.state.requests import (
    ConfirmCall,
    ConfirmDescription,
    JudgeCriterion,
    NeedConsent,
    NeedFunction,
    NeedInformation,
    Request,
    SettleCall,
)
from planning.hierarchy.description import Activity, Description
from planning.hierarchy.tree import Planned, Reopened, Tree
from planning.model import StepKind, operator_name


@dataclass(frozen=True, slots=True)
class TaskValue:
    """A value that is known, and the entry that established it."""

    fact: str
    value: JsonValue
    entry: int


@dataclass(frozen=True, slots=True)
class TaskCall:
    """A call of a skill: how it was begun, and how it ended, if it has."""

    entry: int
    begun: events.CallBegun
    ended: events.CallEnded | events.CallFailed | None = None
    end: int = 0


@dataclass(frozen=True, slots=True)
class TaskRequest:
    """A request, its entry, and whether it is answered, said not to be had, or withdrawn."""

    entry: int
    request: Request
    answered: bool = False
    unavailable: bool = False
    withdrawn: bool = False

    @property
    def is_open(self) -> bool:
        return not self.answered and not self.withdrawn


NOTHING = Description(text="")
About = tuple[Literal["split", "criterion"], str, int]
"""What a language model is asked: for a split of a hypothesis, at its so many-th attempt, or about a criterion."""


@dataclass(frozen=True)
class Task:
    """A task at one moment.

    `values` are those of facts by the items that they are about; `consents` are the skills that sensitive values may
    go to, `confirmed` the calls (skill, mode) that may be made, and `declined` the requests that were answered by no.
    `handed_over` are the entries of values that were handed over, and `doubted` the facts of which another value is
    wanted, with the calls that showed so. `told` is what a language
    model answered.
    """

    title: str = ""
    catalog: str = ""
    file: str = ""
    seed: int = 0
    conversation: tuple[str, int] = ("", 0)
    description: Description = NOTHING
    activities: tuple[Activity, ...] = ()
    described: bool = False
    taken_as_it_is: bool = False
    functions: tuple[str, ...] = ()
    tree: Tree = field(default_factory=lambda: Tree.of(NOTHING, frozenset()))
    values: Mapping[events.Items, Mapping[str, TaskValue]] = field(default_factory=dict)
    handed_over: frozenset[int] = frozenset()
    handed_secretly: frozenset[int] = frozenset()
    """Of these, the entries of values that were made from something sensitive in a conversation."""
    doubted: Mapping[str, str] = field(default_factory=dict)
    calls: Mapping[str, TaskCall] = field(default_factory=dict)
    collected: tuple[tuple[int, events.Collected], ...] = ()
    requests: Mapping[int, TaskRequest] = field(default_factory=dict)
    consents: frozenset[str] = frozenset()
    confirmed: frozenset[tuple[str, str]] = frozenset()
    declined: frozenset[int] = frozenset()
    checks: Mapping[int, events.CriterionChecked] = field(default_factory=dict)
    told: Mapping[About, events.ModelAsked] = field(default_factory=dict)
    paused: bool = False
    ending: events.TaskEnding | None = None
    reason: str = ""
    seq: int = 0

    @cached_property
    def known(self) -> frozenset[str]:
        """The facts that there is a value of, for whatever items."""
        return frozenset(name for there in self.values.values() for name in there)

    @cached_property
    def called(self) -> Mapping[tuple[str, str], tuple[TaskCall, ...]]:
        """The calls by skill and mode, in their order."""
        found: dict[tuple[str, str], list[TaskCall]] = {}
        for call in self.calls.values():
            found.setdefault((call.begun.skill, call.begun.mode), []).append(call)
        return {skill: tuple(calls) for skill, calls in found.items()}

    @property
    def open_requests(self) -> tuple[TaskRequest, ...]:
        return tuple(asked for asked in self.requests.values() if asked.is_open)

    @property
    def is_calling(self) -> bool:
        """Whether a call is under way, or in doubt."""
        return any(call.ended is None for call in self.calls.values())

    @property
    def unmet(self) -> bool:
        """Whether some criterion is known not to be met."""
        return any(check.standing is events.CriterionStanding.UNMET for check in self.checks.values())

    def find(self, catalog: Catalog, fact: str, items: events.Items = ()) -> TaskValue | None:
        """Find the value of a fact, or of a subtype: the one for an item, else the one for all."""
        for scope in (items[:length] for length in range(len(items), -1, -1)):
            there = self.values.get(scope, {})
            for name in catalog.subtypes.get(fact, (fact,)):
                if name in there:
                    return there[name]
        return None

    def find_doubting_all(self, catalog: Catalog, item: str, listed: TaskValue) -> str | None:
        """Find a call that showed an item of a list to be wrong, where one did so of every item."""
        wrong: dict[events.Items, str] = {}
        for call in self.calls.values():
            if isinstance(call.ended, events.CallEnded):
                mode = catalog.skills[call.begun.skill].modes[call.begun.mode]
                if item in mode.outcomes[call.ended.outcome].doubts:
                    wrong[call.begun.items] = call.begun.call_id
        assert isinstance(listed.value, list)
        calls = [wrong.get(((listed.entry, number),)) for number, _ in enumerate(listed.value, start=1)]
        return next(iter(calls), None) if all(calls) else None


def hoped_of(task: Task, call: TaskCall) -> str:
    """Return the outcome that the plan hoped for; "" where there is another plan by now."""
    verdict = task.tree.hypotheses[call.begun.leaf].verdict
    steps = verdict.steps if isinstance(verdict, Planned) else ()
    step = steps[call.begun.step] if call.begun.step < len(steps) else None
    return (step.outcome or "") if step is not None and step.subject == call.begun.skill else ""


TaskJournal = StoredJournal[Event, Task]

_RULES: dict[type[Event], Callable[[Task, int, Any], Task]] = {}


def advance(task: Task, entry: Entry[Event]) -> Task:
    return replace(_RULES[type(entry.event)](task, entry.seq, entry.event), seq=entry.seq)


def _given(task: Task, _: int, event: events.TaskGiven) -> Task:
    return replace(
        task,
        title=event.title or event.description.text,
        catalog=event.catalog,
        file=event.file,
        seed=event.seed,
        conversation=(event.conversation, event.number),
        taken_as_it_is=event.confirmed,
        description=event.description,
        activities=event.activities,
        tree=Tree.of(event.description, frozenset()),
    )


def _described(task: Task, _: int, event: events.Described) -> Task:
    tree = Tree.of(event.description, task.tree.known)
    answered = _answer(task, lambda request: isinstance(request, ConfirmDescription))
    taken = task.taken_as_it_is or bool(event.request)
    return replace(answered, description=event.description, tree=tree, described=True, taken_as_it_is=taken, told={})


def _handed_over(task: Task, seq: int, event: events.HandedOver) -> Task:
    known = _know(task, seq, (), {event.fact: event.value})
    answered = _answer(
        known,
        lambda one: (
            (isinstance(one, NeedInformation) and event.fact in one.facts)
            or (isinstance(one, NeedFunction) and event.fact in one.outputs)
        ),
    )
    return replace(
        answered,
        tree=task.tree.after(Reopened(supplied=(event.fact,))),
        handed_over=task.handed_over | {seq},
        handed_secretly=task.handed_secretly | {seq} if event.secret else task.handed_secretly,
        doubted={fact: call for fact, call in task.doubted.items() if fact != event.fact},
    )


def _doubted(task: Task, _: int, event: events.Doubted) -> Task:
    there = {fact: value for fact, value in task.values[()].items() if fact != event.fact}
    return replace(task, values={**task.values, (): there}, doubted={**task.doubted, event.fact: event.call_id})


def _said_unavailable(task: Task, _: int, event: events.SaidUnavailable) -> Task:
    asked = replace(task.requests[event.request], unavailable=True)
    return replace(task, requests={**task.requests, event.request: asked})


def _function_supplied(task: Task, _: int, event: events.FunctionSupplied) -> Task:
    answered = _answer(task, lambda one: one.request == "function")
    return replace(answered, functions=(*task.functions, event.text), tree=task.tree.after(Reopened()))


def _moved(task: Task, _: int, event: events.Moved) -> Task:
    return replace(task, tree=task.tree.after(event.move))


def _model_asked(task: Task, _: int, event: events.ModelAsked) -> Task:
    about: About = (event.about, event.hypothesis, event.number)
    return replace(task, told={**task.told, about: event})


def _requested(task: Task, seq: int, event: events.Requested) -> Task:
    return replace(task, requests={**task.requests, seq: TaskRequest(seq, event.request)})


def _consented(task: Task, _: int, event: events.TaskConsented) -> Task:
    asked = task.requests[event.request]
    requests = {**task.requests, event.request: replace(asked, answered=True)}
    task = replace(task, requests=requests)
    if not event.yes:
        return replace(task, declined=task.declined | {event.request})
    match asked.request:
        case NeedConsent(skill=skill):
            operator = operator_name(StepKind.AUTHORIZE, skill)
            given = replace(task, consents=task.consents | {skill})
        case ConfirmCall(skill=skill, mode=mode):
            operator = operator_name(StepKind.CONFIRM, skill, mode)
            given = replace(task, confirmed=task.confirmed | {(skill, mode)})
        case _:
            return task
    if operator not in task.tree.ruled_out:
        return given
    return replace(given, tree=task.tree.after(Reopened(allowed=(operator,))))


def _call_begun(task: Task, seq: int, event: events.CallBegun) -> Task:
    return replace(task, calls={**task.calls, event.call_id: TaskCall(seq, event)})


def _call_ended(task: Task, seq: int, event: events.CallEnded) -> Task:
    return _know(_settled(task, seq, event), seq, task.calls[event.call_id].begun.items, event.facts)


def _settled(task: Task, seq: int, event: events.CallEnded | events.CallFailed) -> Task:
    call = replace(task.calls[event.call_id], ended=event, end=seq)
    ended = replace(task, calls={**task.calls, event.call_id: call})
    return _answer(ended, lambda one: isinstance(one, SettleCall) and one.call_id == event.call_id)


def _collected(task: Task, seq: int, event: events.Collected) -> Task:
    known = _know(task, seq, event.items, event.facts)
    return replace(known, collected=(*task.collected, (seq, event)))


def _checked(task: Task, _: int, event: events.CriterionChecked) -> Task:
    """Take down what was found; what a person judged stands, and may come when the task is over."""
    before = task.checks.get(event.number)
    if (
        before is not None
        and before.by == "person" != event.by
        and before.standing is not events.CriterionStanding.WAITING
    ):
        return task
    answered = _answer(task, lambda one: isinstance(one, JudgeCriterion) and one.number == event.number)
    checked = replace(answered, checks={**task.checks, event.number: event})
    if task.ending not in (events.TaskEnding.DONE, events.TaskEnding.UNMET):
        return checked
    return replace(checked, ending=events.TaskEnding.UNMET if checked.unmet else events.TaskEnding.DONE)


def _ended(task: Task, _: int, event: events.TaskEnded) -> Task:
    """End it; what is still asked for is no longer needed, but for judgements of what is done."""
    done = event.ending in (events.TaskEnding.DONE, events.TaskEnding.UNMET)
    left = [one.entry for one in task.open_requests if not (done and isinstance(one.request, JudgeCriterion))]
    return replace(_withdraw(task, left), ending=event.ending, reason=event.reason)


def _withdrawn(task: Task, _: int, event: events.Withdrawn) -> Task:
    return _withdraw(task, event.requests)


_RULES.update(
    {
        events.TaskGiven: _given,
        events.Described: _described,
        events.HandedOver: _handed_over,
        events.Doubted: _doubted,
        events.SaidUnavailable: _said_unavailable,
        events.FunctionSupplied: _function_supplied,
        events.Moved: _moved,
        events.ModelAsked: _model_asked,
        events.Requested: _requested,
        events.Withdrawn: _withdrawn,
        events.TaskConsented: _consented,
        events.CallBegun: _call_begun,
        events.CallEnded: _call_ended,
        events.CallFailed: _settled,
        events.Collected: _collected,
        events.CriterionChecked: _checked,
        events.TaskPaused: lambda task, _seq, _event: replace(task, paused=True),
        events.TaskResumed: lambda task, _seq, _event: replace(task, paused=False),
        events.TaskEnded: _ended,
    }
)

TASK_FOLD: Fold[Event, Task] = Fold(Task(), advance)


def _know(task: Task, seq: int, items: events.Items, facts: Mapping[str, JsonValue]) -> Task:
    there = {**task.values.get(items, {}), **{fact: TaskValue(fact, value, seq) for fact, value in facts.items()}}
    return replace(task, values={**task.values, items: there})


def _withdraw(task: Task, entries: Iterable[int]) -> Task:
    gone = {entry: replace(task.requests[entry], withdrawn=True) for entry in entries}
    return replace(task, requests={**task.requests, **gone})


def _answer(task: Task, answers: Callable[[Request], bool]) -> Task:
    requests = {
        entry: replace(asked, answered=True) if asked.is_open and answers(asked.request) else asked
        for entry, asked in task.requests.items()
    }
    return replace(task, requests=requests)
