"""One skill call of a plan: the intent is journaled, the skill is called, and its result is observed.

An outcome other than the planned one updates what is known, and gives the plan up with its reason (Verdi paper, §3).
What is counted of it, and closed, is the business of `dialogue.updates.pruning`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from pydantic import JsonValue

from catalog.model import Catalog, Effect, Mode, Outcome, Skill
from catalog.skills import Result
from catalog.wording.grammar import clean
from dialogue.caller import NoEffect, NotReturned, Returned, Told, Untold
from dialogue.calling import CallAttempt, is_in_doubt, is_irreversible, make
from dialogue.calling import look_up as ask_lookup
from dialogue.context import TurnContext
from dialogue.execution import mapped_calls
from dialogue.log.events import Calling, Established, Failed, PlannedStep, Ran, Retracted, Settled
from dialogue.state.conversation import Conversation, resolve
from dialogue.state.facts import KnownValue
from dialogue.state.masking import is_masked, secrets_of, show_current
from dialogue.state.provenance import derived_in, is_any_secret
from dialogue.state.read_back import may_pass, read_back
from dialogue.updates.facts import reopen_mappings
from dialogue.updates.pruning import count_tries, discard, judge, outcomes_of, prune_mode, restore
from language.content import Reason
from planning.model import call_name

_LONGEST_CITED = 500
"""Characters of a value that an outcome cites."""


def invoke(turn: TurnContext, step: PlannedStep) -> None:
    """Call the skill of a step and observe its outcome.

    Raises PermissionError rather than make a call that was not agreed to: no plan may lead here.
    """
    with turn.journal.lock:
        assert step.mode is not None
        skill = turn.catalog.skills[step.subject]
        mode = skill.modes[step.mode]
        if skill.confirms and call_name(skill.name, mode.name) not in turn.conversation.questions.confirmed:
            raise PermissionError(f"{skill.name} was about to be called without a go-ahead.")
        values = choose_inputs(turn.catalog, turn.conversation, skill, mode)
        calling = Calling(
            call_id=f"call-{turn.conversation.seq + 1}",
            skill=skill.name,
            mode=mode.name,
            inputs={name: value.fact for name, value in values.items()},
            input_events={name: value.event for name, value in values.items()},
            plan_id=turn.conversation.plan.plan_id if turn.conversation.plan else 0,
            expected=step.outcome,
            money=_find_charge(skill, mode, values),
            again=_find_first_attempt(turn, skill, mode, values),
        )
        turn.journal.add(calling)
        turn.journal.flush()
    _carry_out(turn, calling, {name: value.value for name, value in values.items()})


def resume_call(turn: TurnContext, calling: Calling) -> None:
    """Resume a mapped call that a crash interrupted; items that are done are not called for again."""
    _carry_out(turn, calling, mapped_calls.recorded_inputs(turn, calling))


def _carry_out(turn: TurnContext, calling: Calling, values: Mapping[str, JsonValue]) -> None:
    skill = turn.catalog.skills[calling.skill]
    items: mapped_calls.Items | None = None
    if skill.modes[calling.mode].each:
        came, items = mapped_calls.call_each(turn, calling, values)
    else:
        came = make(turn, turn.catalog, CallAttempt(skill.name, calling.mode, values, calling.first))
    with turn.journal.lock:
        match came:
            case Returned():
                _observe(turn, calling, came, items)
            case NotReturned():
                _observe_failure(turn, calling, came, items)
        if skill.effect is not Effect.NONE:
            turn.journal.flush()  # what took effect is on record before anything else is done


def recover(turn: TurnContext, calling: Calling) -> None:
    """Settle a call that was cut off by a crash: what only reads is planned again, what acts is left in doubt.

    A call for each item of a list stays open, to be gone on with (`resume_call`), unless an item may have taken effect.
    Where the skill has a lookup, that is asked first: nothing is on record meanwhile, so that it is asked again after
    another crash.
    """
    skill = turn.catalog.skills.get(calling.skill)
    acts = is_irreversible(turn.catalog, calling.skill)
    items = _items_of(turn, calling)
    done = turn.conversation.calls.open_items
    if skill is not None and items is not None:
        if not acts or mapped_calls.is_over(skill.modes[calling.mode], calling, done, items.count):
            return
        items = replace(items, ended_at=len(done) + 1)
    told = look_up(turn, calling, items) if acts else None
    with turn.journal.lock:
        if items is not None and isinstance(told, Returned):
            turn.journal.add(mapped_calls.record_item(calling, told, len(done) + 1))
        elif items is None or not isinstance(told, NoEffect):  # else it stays open
            error: Literal["in_doubt", "raised"] = "in_doubt" if acts else "raised"
            stopped = NotReturned(error, turn.language.calls.interrupted(acts=acts), 0.0, told)
            _record_failure(turn, calling, stopped, items)
            if acts and _settle(turn, calling, told, items):
                discard(turn, Reason(code="cut_off"), turn.conversation.seq)
        turn.journal.flush()


def look_up(turn: TurnContext, calling: Calling, items: mapped_calls.Items | None = None) -> Told | None:
    """Ask the skill's own lookup what became of a call; None where it has none, or cannot be asked.

    Of a call for each `items` of a list, it is asked about the one at which that ended.
    """
    skill = turn.catalog.skills.get(calling.skill)
    mode = skill.modes.get(calling.mode) if skill else None
    if skill is None or mode is None:
        return None
    values, first = mapped_calls.recorded_inputs(turn, calling), calling.first
    if items is not None and items.ended_at is not None:
        ((item, _),) = mode.each.items()
        values[item], first = items.values[items.ended_at - 1], mapped_calls.id_of_item(calling, items.ended_at)
        mode = skill.modes[mode.calls or ""]
    if mode.each:
        return None
    given = {name: values[name] for name in mode.takes if name in values}
    return ask_lookup(turn, turn.catalog, CallAttempt(skill.name, mode.name, given, first))


def _items_of(turn: TurnContext, calling: Calling) -> mapped_calls.Items | None:
    """Return the items of an interrupted mapped call that the current plan still has to make, if it is one."""
    skill, plan = turn.catalog.skills.get(calling.skill), turn.conversation.plan
    mode = skill.modes.get(calling.mode) if skill else None
    if mode is None or not mode.each or plan is None or plan.plan_id != calling.plan_id:
        return None
    (fact,) = mode.each.values()
    values = mapped_calls.recorded_inputs(turn, calling)
    listed = values.get(fact)
    return mapped_calls.Items(fact, listed) if isinstance(listed, list) and set(mode.inputs) <= set(values) else None


def choose_inputs(catalog: Catalog, conversation: Conversation, skill: Skill, mode: Mode) -> Mapping[str, KnownValue]:
    """Choose a value for each input; an optional one goes along if it is known and needs no consent that is missing.

    Raises PermissionError rather than hand a sensitive fact to a skill without consent: no plan may lead here.
    """
    chosen = {}
    for name in mode.takes:
        value = resolve(catalog, conversation, name)
        if value is not None and may_pass(catalog, conversation, skill.name, mode.name, name):
            chosen[name] = value
        elif name in mode.inputs:
            raise PermissionError(f"{skill.name} was about to be called without {name}, or without consent to give it.")
    return chosen


def _find_first_attempt(turn: TurnContext, skill: Skill, mode: Mode, values: Mapping[str, KnownValue]) -> str:
    """Return the id of the first attempt at a call that gave no outcome when the skill was last called; empty for none.

    Once the skill was called for something else, or values were said anew, this is another call.
    """
    last = next((one for one in reversed(turn.conversation.calls.made) if one.calling.skill == skill.name), None)
    if last is None or not isinstance(last.result, Failed):
        return ""
    if last.settled is not None and last.settled.outcome is not None:
        return ""
    same = (mode.name, {name: value.event for name, value in values.items()})
    return last.calling.first if (last.calling.mode, last.calling.input_events) == same else ""


def _find_charge(skill: Skill, mode: Mode, values: Mapping[str, KnownValue]) -> float:
    """Find what a call is charged at: one for each item of a list, once for each."""
    times = 1
    for name in mode.each.values():
        items = values[name].value
        times *= len(items) if isinstance(items, list) else 1
    return skill.money * times


def _observe(turn: TurnContext, calling: Calling, came: Returned, items: mapped_calls.Items | None) -> None:
    skill = turn.catalog.skills[calling.skill]
    mode = skill.modes[calling.mode]
    outcome = mode.outcomes[came.result.outcome]
    expected = mode.outcomes[calling.expected].facts if calling.expected else ()
    covered = {above for fact in came.result.facts for above in turn.catalog.supertypes(fact)}
    missed = tuple(fact for fact in expected if fact not in covered)
    ended_at = items.ended_at if items else None
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
            succeeded=judge(turn.catalog, calling, outcome.name, ended=ended_at is not None),
            attributions=came.attributions,
            seconds=came.seconds,
            explained_seconds=came.explained_seconds,
            items=items.count if items else None,
            ended_at=ended_at,
        )
    )
    if skill.effect is not Effect.NONE and not skill.confirms and came.result.facts:
        told = read_back(turn.catalog, turn.conversation, skill.name, mode.name, known=True)
        if told:
            turn.reply(turn.language.calls.told(turn.catalog, skill.name, told))
    _establish(turn, calling, came.result, ran)
    at_item = ""
    if items is not None and ended_at is not None and items.count > 1:
        at_item, before = _name_items(turn, items, ended_at)
        turn.reply(turn.language.calls.ended_at(turn.catalog, skill.name, outcome.label, at_item, before))
    _tell(turn, outcome)
    count_tries(turn, calling)
    if outcome.name != calling.expected or ended_at is not None:
        hoped = mode.outcomes[calling.expected].label if calling.expected else ""
        skills, label = (skill.name,), outcome.label
        discard(turn, Reason(code="surprise", skills=skills, label=label, hoped=hoped, item=at_item), ran)


def _establish(turn: TurnContext, calling: Calling, result: Result, cause: int) -> None:
    for fact, value in result.facts.items():
        turn.journal.add(Established(fact=fact, value=value, source="skill", by=cause))
        reopen_mappings(turn, fact, cause)
    outcome = outcomes_of(turn.catalog, calling)[result.outcome]
    for name in outcome.doubts:
        doubted = calling.inputs.get(name)
        if doubted is not None and doubted in turn.conversation.facts.known:
            reason = Reason(code="doubted", skills=(calling.skill,), label=outcome.label)
            turn.journal.add(Retracted(fact=doubted, reason=reason, cause=cause))
            _ask_after_all(turn, doubted, cause)


def _ask_after_all(turn: TurnContext, fact: str, cause: int) -> None:
    """Allow the questions again that were left out for an offer which turned out wrong."""
    restore(turn, cause, lambda action: action.because == "skipped" and fact in action.facts)


def _where(turn: TurnContext, items: mapped_calls.Items | None) -> str:
    """Say at which of several items a call failed, and what was done before it."""
    if items is None or items.ended_at is None or items.count < 2:
        return ""
    return turn.language.calls.failed_at(*_name_items(turn, items, items.ended_at))


def _name_items(turn: TurnContext, items: mapped_calls.Items, number: int) -> tuple[str, list[str]]:
    calling = turn.conversation.calls.made[-1].calling
    entry = calling.input_events.get(items.fact)
    given = next((held.value for held in turn.conversation.facts.held if held.value.event == entry), None)
    hidden = given is None or is_masked(turn.catalog, turn.conversation, given)
    *before, item = (
        turn.language.calls.item_of(turn.catalog, items.fact, items.values, at, hidden=hidden)
        for at in range(1, number + 1)
    )
    return item, before


def _observe_failure(turn: TurnContext, calling: Calling, came: NotReturned, items: mapped_calls.Items | None) -> None:
    failed = _record_failure(turn, calling, came, items)
    reached = came.error != "unavailable"
    if reached and is_irreversible(turn.catalog, calling.skill):
        over = _settle(turn, calling, came.told, items)
    else:
        over = reached
        said = turn.language.calls.skill_failed(turn.catalog, calling.skill, came.why)
        turn.reply(f"{said}{_where(turn, items)}", "problem")
    if over:
        count_tries(turn, calling)
    elif not reached:
        prune_mode(turn, calling, Reason(text=came.message))
    discard(turn, Reason(code="call_failed", skills=(calling.skill,), error=came.error), failed)


def _settle(turn: TurnContext, calling: Calling, told: Told | None, items: mapped_calls.Items | None) -> bool:
    """Record what the skill's own lookup says of a call, or leave it in doubt; return whether it is known now."""
    words = turn.language.calls
    if told is None or isinstance(told, Untold):
        asked = words.told_nothing(told.why) if told is not None else ""
        turn.reply(f"{words.in_doubt(turn.catalog, calling.skill)}{_where(turn, items)}{asked}", "problem")
        prune_mode(turn, calling, Reason(code="in_doubt"), "in_doubt")
        return False
    found = told.result if isinstance(told, Returned) else None
    outcome = outcomes_of(turn.catalog, calling)[found.outcome] if found else None
    says = words.took_no_effect(turn.catalog, calling.skill)
    if outcome is not None:
        says = words.took_effect(turn.catalog, calling.skill, outcome.label)
    turn.reply(f"{says}{_where(turn, items)}", "plain" if outcome else "problem")
    record_settled(turn, calling, found, Reason(code="looked_up"), items, is_done=False)
    if outcome is not None:
        _tell(turn, outcome)
    return True


def _tell(turn: TurnContext, outcome: Outcome) -> None:
    """Say what an outcome has the assistant say, with the values of the facts that it cites; secret ones are masked."""
    if outcome.say:
        cited = {fact: show_current(turn.catalog, turn.conversation, fact) for fact in outcome.facts}
        shown = {fact: clean(value, _LONGEST_CITED) for fact, value in cited.items() if value is not None}
        turn.reply(turn.language.calls.told_by(turn.catalog, outcome.say, shown))


def record_settled(
    turn: TurnContext,
    calling: Calling,
    found: Result | None,
    reason: Reason,
    items: mapped_calls.Items | None,
    *,
    is_done: bool,
) -> None:
    """Record what became of a call in doubt, what it gave, and what its outcome shows to be wrong.

    Of a call for each of the `items` of a list, `found` is what became of them all; None where some are left.
    """
    item = items.ended_at if items is not None else None
    settled = Settled(
        call_id=calling.call_id,
        skill=calling.skill,
        mode=calling.mode,
        reason=reason,
        item=item or 0,
        item_is_done=is_done or not item,
    )
    if found is None:
        turn.journal.add(settled)
        return
    mode = turn.catalog.skills[calling.skill].modes[calling.mode]
    ended = item is not None and not mapped_calls.is_enough(mode, calling, found.outcome)
    succeeded = judge(turn.catalog, calling, found.outcome, ended=ended) or None
    update = {"outcome": found.outcome, "facts": dict(found.facts), "succeeded": succeeded}
    _establish(turn, calling, found, turn.journal.add(settled.model_copy(update=update)))


def _record_failure(turn: TurnContext, calling: Calling, came: NotReturned, items: mapped_calls.Items | None) -> int:
    outcome = outcomes_of(turn.catalog, calling).get(calling.expected or "")
    doubtful = is_in_doubt(turn.catalog, calling.skill, came)
    expected = outcome.facts if outcome and not doubtful else ()  # whether it missed anything is not known
    tracked = calling.skill in turn.catalog.tracked_skills and not doubtful
    log, _ = turn.journal.shown
    handed_secrets = is_any_secret(turn.catalog, calling.made_of.values, derived_in(turn.catalog, log))
    return turn.journal.add(
        Failed.model_validate(
            {
                "call_id": calling.call_id,
                "skill": calling.skill,
                "mode": calling.mode,
                "inputs": tuple(calling.inputs.values()),
                "error": came.error,
                "message": came.kept(secrets_of(turn.catalog, log), handed_secrets=handed_secrets),
                "expected": calling.expected,
                "missed": tuple(fact for fact in expected if fact not in turn.conversation.facts.known),
                "succeeded": False if tracked else None,
                "seconds": came.seconds,
                "items": items.count if items else None,
                "ended_at": items.ended_at if items else None,
            }
        )
    )
