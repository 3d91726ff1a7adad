"""What the task manager does next: a pure function of the task's state, the catalog and the search."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from dialogue.tasks.running.plan_actions import Ask, GiveUpPlan, PlanAction, TakeBack
from dialogue.tasks.running.work import Work
from dialogue.tasks.state.events import CriterionStanding, TaskEnding
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
from dialogue.tasks.state.task import About, Task
from planning.hierarchy.completion import find_left_out
from planning.hierarchy.description import DescriptionPart, Judge
from planning.hierarchy.gaps import StageGap, find_lacks
from planning.hierarchy.proposers import MODEL
from planning.hierarchy.search import ProposeSplit, Search, Step
from planning.hierarchy.tree import MissingKind


@dataclass(frozen=True, slots=True)
class FillIn:
    """Make up what the description leaves out, as far as it follows from the rest."""


@dataclass(frozen=True, slots=True)
class Check:
    """Check an acceptance criterion (by its number, from 1)."""

    number: int


@dataclass(frozen=True, slots=True)
class AskModel:
    """Ask a language model for a split of a hypothesis, or about a criterion; what it says is written down."""

    about: About


@dataclass(frozen=True, slots=True)
class End:
    """The task is over."""

    ending: TaskEnding
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Ask no longer for what requests (by their entries) ask for."""

    requests: tuple[int, ...]


Action = FillIn | Step | PlanAction | Check | AskModel | End | Withdraw
"""What can be done now; several at once where they do not need each other."""


def next_actions(task: Task, search: Search) -> tuple[Action, ...]:
    """List what can be done now; nothing where the task waits for a person, or for calls under way, or is over."""
    if task.ending is not None or task.paused:
        return ()
    if not task.described and find_left_out(task.description):
        return (FillIn(),)
    if (unclear := _ask_about(task)) is not None:
        return _once(task, (unclear,))
    if (step := search.next_step(task.tree)) is not None:
        return (_ask_before(task, step) or step,)
    if not task.tree.is_solved(task.tree.root.id):
        return tuple(_ask_for(task, search))
    return tuple(_carry_out(task, Work(search.catalog, task), asks=search.model is not None))


def _carry_out(task: Task, work: Work, *, asks: bool) -> Iterator[Action]:
    """List what can be done for a task that has a plan; at last its results are checked."""
    if not work.is_done:
        pieces, anew = work.pieces, tuple(_ask_anew(task))
        if not any(isinstance(piece, GiveUpPlan | TakeBack) for piece in pieces):
            yield from _withdraw(task, (*work.wants, *(one.request for one in anew)))
        yield from _once(task, anew)
        yield from pieces
    elif not task.is_calling:
        yield from _withdraw(task, ())
        yield from _check(task, asks=asks)


def _withdraw(task: Task, wanted: Collection[Request]) -> Iterator[Withdraw]:
    """Withdraw what is asked for and not wanted any more; outcomes of calls, and judgements, are still to be told."""
    kept = (SettleCall, JudgeCriterion)
    stale = [one for one in task.open_requests if not isinstance(one.request, kept) and one.request not in wanted]
    if stale:
        yield Withdraw(tuple(one.entry for one in stale))


def _once(task: Task, asked: Iterable[Ask]) -> tuple[Action, ...]:
    there = [one.request for one in task.open_requests]
    return tuple(one for one in asked if one.request not in there)


def _ask_about(task: Task) -> Ask | None:
    """Ask for results that were not named, and have results and criteria confirmed that were made up."""
    description = task.description
    if not description.results:
        return Ask(ConfirmDescription(description=description, missing=(DescriptionPart.RESULTS,)))
    made_up = tuple(
        part for part in (DescriptionPart.RESULTS, DescriptionPart.CRITERIA) if part in description.generated
    )
    if not made_up or task.taken_as_it_is:
        return None
    return Ask(ConfirmDescription(description=description, generated=made_up))


def _ask_for(task: Task, search: Search) -> Iterator[Action]:
    """Ask for what is missing, each once; where nothing is known to be missing, planning gave up."""
    wanted = tuple(request for lack in find_lacks(task.tree) for request in _requests_for(task, search, lack))
    if not wanted:
        yield End(TaskEnding.GAVE_UP)
        return
    yield from _withdraw(task, (*wanted, *(one.request for one in _ask_anew(task))))
    yield from _once(task, map(Ask, wanted))


def _requests_for(task: Task, search: Search, lack: StageGap) -> Sequence[Request]:
    """Word what is missing as requests; a person's word that was not given is asked for once more."""
    about = set(lack.missing.facts)
    refused = [task.requests[entry].request for entry in sorted(task.declined)] if lack.missing.consent else []
    again: list[Request] = []
    for one in refused:
        if isinstance(one, NeedConsent | ConfirmCall) and one not in again:
            facts = one.facts if isinstance(one, NeedConsent) else ()
            again += [one] if about.intersection((one.skill, *facts)) else []
    return again or [request_for(task, search, lack)]


def request_for(task: Task, search: Search, lack: StageGap) -> Request:
    """Word what is missing as a request; where nothing says what a function would take, that is what can be had."""
    missing = lack.missing
    if missing.kind is MissingKind.FUNCTION:
        inputs = search.choose_inputs(task.tree, missing, lack.stages[0])
        return NeedFunction(outputs=missing.facts, inputs=inputs, stages=lack.stages, always=lack.always)
    return NeedInformation(facts=missing.facts, stages=lack.stages, always=lack.always)


def _ask_anew(task: Task) -> Iterator[Ask]:
    """Ask for other values in the place of those that calls showed to be wrong."""
    for fact, call_id in task.doubted.items():
        yield Ask(NeedInformation(facts=(fact,), stages=(task.calls[call_id].begun.leaf,), call=call_id))


def _ask_before(task: Task, step: Step) -> AskModel | None:
    """Ask a language model what it proposes, where that is what a step is about; once."""
    if not isinstance(step, ProposeSplit) or step.proposer != MODEL or step.last_resort:
        return None
    about: About = ("split", step.hypothesis, task.tree.hypotheses[step.hypothesis].count_attempts(MODEL) + 1)
    return None if about in task.told else AskModel(about)


def _check(task: Task, *, asks: bool) -> Iterator[Action]:
    """Check what is not checked yet; at last say how it ended. Where it `asks` a language model, that judges first."""
    left = [(n, one) for n, one in enumerate(task.description.criteria, start=1) if n not in task.checks]
    if left:
        for number, criterion in left:
            about: About = ("criterion", "", number)
            judged = asks and criterion.judge is not None and criterion.by is Judge.MODEL
            yield AskModel(about) if judged and about not in task.told else Check(number)
        return
    asked = {one.request.number for one in task.requests.values() if isinstance(one.request, JudgeCriterion)}
    waiting = [check.number for check in task.checks.values() if check.standing is CriterionStanding.WAITING]
    yield from (Ask(JudgeCriterion(number=number)) for number in waiting if number not in asked)
    yield End(TaskEnding.UNMET if task.unmet else TaskEnding.DONE)
