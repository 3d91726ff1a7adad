"""One skill call of a plan: the intent is journaled, the skill is called, and what came of it is observed.

An outcome other than the planned one updates what is known, and gives the plan up with its reason (Verdi paper, §3).
A skill whose tries at a fact are used up is never planned for that fact again (§3.4).
"""

from __future__ import annotations

from collections.abc import Mapping

from catalog.model import Catalog, Effect, Mode, Outcome, Skill
from catalog.settings import AuthorizationPolicy
from catalog.skills import SkillInput
from dialogue import phrases
from dialogue.conversation import CARRYING_OUT, Conversation, KnownValue
from dialogue.events import (
    Calling,
    CouldNotEstablish,
    Discarded,
    Established,
    Failed,
    PlannedStep,
    Pruned,
    Ran,
    Retracted,
)
from dialogue.execution import NotReturned, Returned
from dialogue.mapping import reopen_mappings
from dialogue.memory import resolve
from dialogue.privacy import mask, secrets_of
from dialogue.turn import Turn
from explain.grammar import quote
from planning.model import StepKind, operator_name

_LONGEST_MESSAGE = 500
_IN_DOUBT = "a call did not come back properly, and whether it took effect is not known"


def invoke(turn: Turn, step: PlannedStep) -> None:
    """Call the skill of a step and take in what came of it."""
    with turn.journal.lock:
        skill, mode = _declared(turn.catalog, step)
        values = choose_inputs(turn.catalog, turn.conversation, skill, mode)
        loaded: dict[str, SkillInput] = {name: turn.load_input(value.value) for name, value in values.items()}
        calling = Calling(
            call_id=f"call-{turn.conversation.seq + 1}",
            skill=skill.name,
            mode=mode.name,
            inputs={name: value.fact for name, value in values.items()},
            input_events={name: value.event for name, value in values.items()},
            plan_id=turn.conversation.plan.plan_id if turn.conversation.plan else 0,
            expected=step.outcome,
        )
        turn.journal.add(calling)
        turn.journal.flush()
    came = turn.caller.call(turn.catalog, skill.name, mode.name, loaded)
    with turn.journal.lock:
        match came:
            case Returned():
                _observe(turn, calling, came)
            case NotReturned():
                _observe_failure(turn, calling, came)
        if skill.effect is not Effect.NONE:
            turn.journal.flush()  # what took effect is on record before anything else is done


def recover(turn: Turn) -> None:
    """Settle a call that was cut off by a crash: what only reads is planned again, what acts is left in doubt."""
    calling = turn.conversation.open_call
    if calling is None:
        return
    skill = turn.catalog.skills.get(calling.skill)
    acts = skill is None or skill.effect is Effect.IRREVERSIBLE
    message = "The program stopped during the call. " + (
        "Whether it took effect is not known; a person has to look." if acts else "It is safe to call it again."
    )
    _record_failure(turn, calling, "in_doubt" if acts else "raised", message, 0.0)
    if acts:
        turn.reply(phrases.in_doubt(turn.catalog, calling.skill), "problem")
        _prune_mode(turn, calling, _IN_DOUBT)


def choose_inputs(catalog: Catalog, conversation: Conversation, skill: Skill, mode: Mode) -> Mapping[str, KnownValue]:
    """Choose a value for each input; an optional one goes along if it is known and needs no consent that is missing.

    Raises PermissionError rather than hand a sensitive fact to a skill without consent: no plan may lead here.
    """
    chosen = {}
    sensitive = set(catalog.sensitive_inputs(skill.name, mode.name))
    for name in (*mode.inputs, *mode.optional):
        value = resolve(catalog, conversation, name)
        consents = conversation.authorized
        per_fact = catalog.settings.authorization is AuthorizationPolicy.PER_FACT
        allowed = name not in sensitive or (name if per_fact else skill.name) in consents
        if value is not None and allowed:
            chosen[name] = value
        elif name in mode.inputs:
            wanted = "consent" if value is not None else "a value"
            raise PermissionError(f"{skill.name} was about to be called without {wanted} for {name}.")
    return chosen


def _declared(catalog: Catalog, step: PlannedStep) -> tuple[Skill, Mode]:
    skill = catalog.skills[step.subject]
    assert step.mode is not None
    return skill, skill.modes[step.mode]


def _observe(turn: Turn, calling: Calling, came: Returned) -> None:
    skill = turn.catalog.skills[calling.skill]
    mode = skill.modes[calling.mode]
    outcome = mode.outcomes[came.result.outcome]
    expected = mode.outcomes[calling.expected].facts if calling.expected else ()
    covered = {above for fact in came.result.facts for above in turn.catalog.supertypes(fact)}
    missed = tuple(fact for fact in expected if fact not in covered)
    ran = turn.journal.add(
        Ran(
            call_id=calling.call_id,
            skill=skill.name,
            mode=mode.name,
            inputs=tuple(calling.inputs.values()),
            input_events=tuple(calling.input_events.values()),
            outcome=outcome.name,
            expected=calling.expected,
            outputs=tuple(came.result.facts),
            missed=missed,
            succeeded=_judge(turn.catalog, calling, outcome.name),
            attributions=came.attributions,
            seconds=came.seconds,
            explained_seconds=came.explained_seconds,
        )
    )
    for fact, value in came.result.facts.items():
        turn.journal.add(Established(fact=fact, value=value, source="skill", by=ran))
        reopen_mappings(turn, fact, ran)
    for name in outcome.doubts:
        doubted = calling.inputs.get(name)
        if doubted in turn.conversation.known:
            reason = f"{phrases.skill_name(turn.catalog, skill.name)} came back with {quote(outcome.label)} for it"
            turn.journal.add(Retracted(fact=doubted, reason=reason, cause=ran))
    if outcome.say:
        turn.reply(outcome.say)
    _count(turn, calling)
    if outcome.name != calling.expected:
        hoped = quote(mode.outcomes[calling.expected].label) if calling.expected else "something else"
        found = f"{phrases.skill_name(turn.catalog, skill.name)} came back with {quote(outcome.label)}, not {hoped}"
        _discard(turn, found, ran)


def _observe_failure(turn: Turn, calling: Calling, came: NotReturned) -> None:
    failed = _record_failure(turn, calling, came.error, came.message, came.seconds)
    reached = came.error != "unavailable"
    in_doubt = reached and turn.catalog.skills[calling.skill].effect is Effect.IRREVERSIBLE
    phrase = phrases.in_doubt if in_doubt else phrases.skill_failed
    turn.reply(phrase(turn.catalog, calling.skill), "problem")
    if in_doubt:
        _prune_mode(turn, calling, _IN_DOUBT)
    elif reached:
        _count(turn, calling)
    else:
        _prune_mode(turn, calling, came.message)
    name = phrases.skill_name(turn.catalog, calling.skill)
    _discard(turn, f"{name} {_FAILURES[came.error]}", failed)


_FAILURES: Mapping[str, str] = {
    "raised": "failed",
    "timed_out": "did not answer in time",
    "bad_output": "returned something it does not declare",
    "unavailable": "cannot be reached",
}


def _record_failure(turn: Turn, calling: Calling, error: str, message: str, seconds: float) -> int:
    outcome = _outcomes(turn.catalog, calling).get(calling.expected or "")
    expected = outcome.facts if outcome else ()
    log, _ = turn.journal.shown
    return turn.journal.add(
        Failed.model_validate(
            {
                "call_id": calling.call_id,
                "skill": calling.skill,
                "mode": calling.mode,
                "inputs": tuple(calling.inputs.values()),
                "error": error,
                "message": mask(message, secrets_of(turn.catalog, log))[:_LONGEST_MESSAGE],
                "expected": calling.expected,
                "missed": tuple(fact for fact in expected if fact not in turn.conversation.known),
                "succeeded": False if calling.skill in turn.catalog.tracked_skills else None,
                "seconds": seconds,
            }
        )
    )


def _count(turn: Turn, calling: Calling) -> None:
    """Close a way to a fact when the failed tries at it reach the skill's limit (Verdi paper, §3.4)."""
    limit = turn.catalog.skills[calling.skill].max_tries
    c = turn.conversation
    for key, tries in sorted(c.misses.items()):
        skill, mode, fact = key
        if (skill, mode) != (calling.skill, calling.mode) or tries < limit:
            continue
        if fact == CARRYING_OUT:
            _give_up(turn, skill, mode, tries)
        elif key not in c.used_up:
            turn.journal.add(CouldNotEstablish(skill=skill, mode=mode, fact=fact, tries=tries))
    close_spent(turn)


def close_spent(turn: Turn) -> None:
    """Close what irreversible skills have been called for as often as they may be, and that is not known (any more).

    For these a call that worked counts as a try too: a credit score is requested so many times, and then no more.
    """
    c = turn.conversation
    for (name, mode), calls in sorted(c.calls.items()):
        skill = turn.catalog.skills.get(name)
        if skill is None or mode not in skill.modes:
            continue
        if skill.effect is not Effect.IRREVERSIBLE or calls < skill.max_tries:
            continue
        if name in turn.catalog.tracked_skills and name not in c.done:
            _give_up(turn, name, mode, calls)
        outputs = {fact for outcome in skill.modes[mode].outcomes.values() for fact in outcome.facts}
        for fact in sorted(outputs - set(c.known)):
            if (name, mode, fact) not in c.used_up:
                turn.journal.add(CouldNotEstablish(skill=name, mode=mode, fact=fact, tries=calls))


def _judge(catalog: Catalog, calling: Calling, outcome: str) -> bool | None:
    """Tell whether a skill has done what it is for, if anybody minds."""
    if calling.skill not in catalog.tracked_skills:
        return None
    return catalog.succeeds(calling.skill, calling.mode, outcome)


def _give_up(turn: Turn, skill: str, mode: str, tries: int) -> None:
    """Take out of the model that a mode carries its skill out; where it also establishes facts, that is judged by them.

    An irreversible skill that is not to be called again is taken out with all that it may establish.
    """
    declared, c = turn.catalog.skills[skill], turn.conversation
    for outcome in declared.modes[mode].outcomes.values():
        operator = operator_name(StepKind.SKILL, skill, mode, outcome.name)
        counted = turn.catalog.succeeds(skill, mode, outcome.name)
        if counted and operator not in c.pruned and (not outcome.facts or declared.effect is Effect.IRREVERSIBLE):
            times = "once" if tries == 1 else f"{tries} times"
            reason = f"{phrases.skill_name(turn.catalog, skill)} was called {times}, which is as often as it may be"
            _prune(turn, operator, skill, reason, c.seq)


def _prune_mode(turn: Turn, calling: Calling, reason: str) -> None:
    """Take every operator of a mode out of the model: the skill itself is broken, not one of its outcomes."""
    cause = turn.conversation.seq
    for outcome in _outcomes(turn.catalog, calling):
        operator = operator_name(StepKind.SKILL, calling.skill, calling.mode, outcome)
        _prune(turn, operator, calling.skill, reason, cause)


def _prune(turn: Turn, operator: str, skill: str, reason: str, cause: int) -> None:
    turn.journal.add(
        Pruned(operator=operator, step=StepKind.SKILL, subject=skill, reason=reason, cause=cause, because="failed")
    )


def _outcomes(catalog: Catalog, calling: Calling) -> Mapping[str, Outcome]:
    """List the outcomes of a call; none if the catalog was changed and no longer has the skill or the mode."""
    skill = catalog.skills.get(calling.skill)
    mode = skill.modes.get(calling.mode) if skill else None
    return mode.outcomes if mode else {}


def _discard(turn: Turn, reason: str, cause: int) -> None:
    plan = turn.conversation.plan
    if plan is not None:
        turn.journal.add(Discarded(plan_id=plan.plan_id, reason=reason, cause=cause, at_step=plan.done))
