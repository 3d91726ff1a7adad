"""Pruning: what is removed from the planning model when it failed, was refused, or was tried too often; and restored.

A skill whose tries at a fact are used up is never planned for that fact again (Verdi paper, §3.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping

from catalog.model import Catalog, Effect, Outcome
from dialogue.context import TurnContext
from dialogue.log.events import Calling, CouldNotEstablish, Failed, PlannedStep, Pruned, PruneReason, Restored
from dialogue.state.calls import CARRYING_OUT, CallRecord
from dialogue.state.plans import PrunedAction
from language.content import ConsentClosed, Reason, not_agreed
from planning.model import StepKind, operator_name


def count_tries(turn: TurnContext, calling: Calling) -> None:
    """Close a way to a fact when the failed tries at it reach the skill's limit (Verdi paper, §3.4)."""
    limit = turn.catalog.skills[calling.skill].max_tries
    c = turn.conversation
    for key, tries in sorted(c.calls.misses.items()):
        skill, mode, fact = key
        if (skill, mode) != (calling.skill, calling.mode) or tries < limit:
            continue
        if fact == CARRYING_OUT:
            _give_up(turn, skill, mode, tries)
        elif key not in c.calls.used_up:
            turn.journal.add(CouldNotEstablish(skill=skill, mode=mode, fact=fact, tries=tries))
    close_spent(turn)


def close_spent(turn: TurnContext) -> None:
    """Stop planning unknown facts by skills that were called as often as allowed (`Skill.most_calls`).

    A call that worked counts there too: a credit score is requested so many times, and then no more. A call in doubt
    bars itself only (`dialogue.execution.doubts`), and one that was settled without an outcome is left to be made, or
    the rest of its list is; so these count just where calls themselves are limited.
    """
    c = turn.conversation
    unfinished = (one for one in c.calls.made if is_in_doubt(turn.catalog, one) or _is_left(one))
    spared = Counter((one.calling.skill, one.calling.mode) for one in unfinished)
    for (name, mode), calls in sorted(c.calls.counts.items()):
        skill = turn.catalog.skills.get(name)
        if skill is None or mode not in skill.modes:
            continue
        counted = calls if skill.max_calls else calls - spared[name, mode]
        if skill.most_calls is None or counted < skill.most_calls:
            continue
        if name in turn.catalog.tracked_skills and name not in c.calls.done:
            _give_up(turn, name, mode, calls)
        for fact in sorted(set(skill.modes[mode].gives).difference(c.facts.known)):
            if (name, mode, fact) not in c.calls.used_up:
                turn.journal.add(CouldNotEstablish(skill=name, mode=mode, fact=fact, tries=calls))


def is_in_doubt(catalog: Catalog, one: CallRecord) -> bool:
    """Return whether a call may have taken effect, which is not known."""
    if one.settled is not None:
        return False
    skill = catalog.skills.get(one.calling.skill)
    failed = isinstance(one.result, Failed) and one.result.error != "unavailable"
    return failed and skill is not None and skill.effect is Effect.IRREVERSIBLE


def _is_left(one: CallRecord) -> bool:
    """Return whether it was found out of a call that it is left to be made, as a whole or for the rest of its list."""
    return one.settled is not None and one.settled.outcome is None


def judge(catalog: Catalog, calling: Calling, outcome: str, *, ended: bool) -> bool | None:
    """Return whether a skill counts as carried out, None if nothing depends on that; one `ended` early does not."""
    if calling.skill not in catalog.tracked_skills:
        return None
    return not ended and catalog.succeeds(calling.skill, calling.mode, outcome)


def _give_up(turn: TurnContext, skill: str, mode: str, tries: int) -> None:
    """Remove the operators by which a mode carries its skill out, with everything they may establish."""
    c = turn.conversation
    for outcome in turn.catalog.skills[skill].modes[mode].outcomes:
        operator = operator_name(StepKind.SKILL, skill, mode, outcome)
        if turn.catalog.succeeds(skill, mode, outcome) and operator not in c.plans.pruned:
            reason = Reason(code="called_enough", skills=(skill,), number=tries)
            _prune(turn, operator, skill, reason, because="spent", cause=c.seq)


def prune_mode(turn: TurnContext, calling: Calling, reason: Reason, because: PruneReason = "failed") -> None:
    """Remove every operator of a mode from the model: the skill itself is broken, not one of its outcomes."""
    cause = turn.conversation.seq
    for operator in operators_of(turn.catalog, calling):
        _prune(turn, operator, calling.skill, reason, because=because, cause=cause)


def operators_of(catalog: Catalog, calling: Calling) -> list[str]:
    """List the operators by which a call could be planned, one for each of its outcomes."""
    outcomes = outcomes_of(catalog, calling)
    return [operator_name(StepKind.SKILL, calling.skill, calling.mode, outcome) for outcome in outcomes]


def _prune(turn: TurnContext, operator: str, skill: str, reason: Reason, *, because: PruneReason, cause: int) -> None:
    turn.journal.add(
        Pruned(operator=operator, step=StepKind.SKILL, subject=skill, reason=reason, cause=cause, because=because)
    )


def outcomes_of(catalog: Catalog, calling: Calling) -> Mapping[str, Outcome]:
    """List the outcomes of a call; none if the catalog was changed and no longer has the skill or the mode."""
    skill = catalog.skills.get(calling.skill)
    mode = skill.modes.get(calling.mode) if skill else None
    return mode.outcomes if mode else {}


def prune(turn: TurnContext, step: PlannedStep, reason: Reason, because: PruneReason, cause: int) -> None:
    """Take a ground action out of the model, and give up the plan that counted on it (Verdi paper, §3.4)."""
    pruned = turn.journal.add(
        Pruned(
            operator=step.operator,
            step=step.kind,
            subject=step.subject,
            reason=reason,
            cause=cause,
            because=because,
            facts=step.inputs,
        )
    )
    discard(turn, reason, pruned)


def discard(turn: TurnContext, reason: Reason, cause: int) -> None:
    """Give up the plan that is being followed, if there is one."""
    plan = turn.conversation.plan
    if plan is not None:
        turn.journal.add(plan.discard(reason, cause))


def restore(turn: TurnContext, cause: int, applies: Callable[[PrunedAction], bool]) -> None:
    for action in tuple(turn.conversation.plans.pruned.values()):
        if applies(action):
            turn.journal.add(Restored(operator=action.operator, step=action.step, subject=action.subject, cause=cause))


def close_consent(turn: TurnContext, subject: str, facts: tuple[str, ...], how: ConsentClosed, heard: int) -> None:
    """Take a consent out of the planning model, with how it came to be closed, and give up a plan that counts on it."""
    step = PlannedStep(kind=StepKind.AUTHORIZE, subject=subject, inputs=facts)
    prune(turn, step, not_agreed(subject, facts, how), how, heard)


def reopen_consents(turn: TurnContext, cause: int, subjects: Collection[str] | None = None) -> None:
    """Allow that consents which are closed in the request being pursued are asked for again; None: all of them."""
    c = turn.conversation
    for (purpose, subject), one in tuple(c.questions.consents.items()):
        if purpose == c.purpose and one.status != "given" and (subjects is None or subject in subjects):
            operator = operator_name(StepKind.AUTHORIZE, subject)
            turn.journal.add(Restored(operator=operator, step=StepKind.AUTHORIZE, subject=subject, cause=cause))
