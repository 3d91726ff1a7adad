"""The execution loop for the goal on top of the stack: decide, carry out one step, observe, repeat.

The loop ends when the assistant waits for the user, or when nothing is left to do. It is bounded, and it can be
entered at any point of a conversation, so that work that was interrupted is simply taken up again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from catalog.model.settings import AuthorizationPolicy
from dialogue.context import TurnContext
from dialogue.execution.calls import invoke
from dialogue.execution.doubts import heed_doubts
from dialogue.log.events import Asked, Foreseen, Missing, Planned, PlannedStep, PlanTotals
from dialogue.moves.replies import explain_missing
from dialogue.moves.tasks import hand_over
from dialogue.policy import Achieved, Decision, Proceed, Replanned
from dialogue.policy.improvement import FEW, choose_cheaper
from dialogue.policy.joint import find_vain, left_over, plan_for
from dialogue.policy.unheeded import asks_first, to_be_named, unheeded_for
from dialogue.state.conversation import all_known, resolve
from dialogue.state.goals import StackedGoal
from dialogue.state.plans import PlanRecord
from dialogue.state.provenance import hides
from dialogue.state.read_back import have_changed, read_back
from dialogue.updates.approval import ask_approval, needs_approval
from dialogue.updates.facts import take_for
from dialogue.updates.goals import ask_to_put_right, begin, complete, drop
from dialogue.updates.pruning import prune
from language.content import Reason, not_heeded
from language.responses.facts_and_skills import sentence
from planning.diagnosis.model import write_diagnosis
from planning.model import GaveUp, Solved, StepKind, Unsolvable
from planning.needs import find_needs
from planning.task.compilation import compile_task

MAX_STEPS = 300
"""Decisions in one turn; a conversation that needs more is stuck."""


def run_until_waiting(turn: TurnContext) -> None:
    """Work until the assistant waits for the user or has nothing left to do."""
    for _ in range(MAX_STEPS):
        goal, pending = turn.conversation.goal, turn.conversation.questions.pending
        if goal is None or (pending is not None and pending.asked.plan_id is None):
            return
        with turn.journal.lock:
            wrong = _get_ready(turn, goal)
            heed_doubts(turn)
        if wrong:
            return
        if wrong is None:
            continue
        decision = _decide(turn)
        with turn.journal.lock:  # not while deciding: messages are heard while a planner searches or a skill runs
            if not _carry_out(turn, goal, decision, asks=pending is not None):
                return
        if isinstance(decision, Proceed) and pending is not None:
            _keep_question(turn, decision.step)
            return  # what was asked is still what the plan waits for
        if isinstance(decision, Proceed) and decision.step.kind is StepKind.SKILL:
            _call(turn, decision.step)
    goal = turn.conversation.goal
    if goal is not None:
        drop(turn, goal, Reason(code="too_many_steps"))


def _carry_out(turn: TurnContext, goal: StackedGoal, decision: Decision, *, asks: bool) -> bool:
    """Carry out a decision, but for a call; return false where the plan has to be approved first.

    Where a question is open (`asks`), no other one is put.
    """
    match decision:
        case Achieved(unused):
            complete(turn, goal, unused)
        case Replanned():
            _adopt(turn, goal, decision)
        case Proceed(step, kept):
            if kept is not None:
                turn.journal.add(kept)
            if not asks and needs_approval(turn, step):
                ask_approval(turn)
                return False
            if not asks and step.kind is not StepKind.SKILL:
                _INTERNAL[step.kind](turn, step)
    return True


def _decide(turn: TurnContext) -> Decision:
    """Follow the plan, or a cheaper one, if that was found while the first step of this one was carried out.

    Where the policy has planned anew meanwhile, and kept to the plan, nothing else is looked for.
    """
    catalog, conversation = turn.catalog, turn.conversation
    decision, plan = turn.policy.decide(catalog, conversation), conversation.plan
    if turn.improvement is None or plan is None or not (plan.improving and plan.done):
        return decision
    if not isinstance(decision, Proceed) or decision.kept is not None:
        return decision
    earlier = left_over(catalog, conversation, plan.plan_id)
    anew = partial(plan_for, catalog, conversation, turn.policy.planner, earlier=earlier)
    found = turn.improvement.take(plan.plan_id, anew)
    return choose_cheaper(catalog, conversation, plan, decision.step, found)


def _call(turn: TurnContext, step: PlannedStep) -> None:
    """Call a skill; where not all that was said for it is heeded, and that counts (`to_be_named`), ask first."""
    if not to_be_named(turn.catalog, turn.conversation, step):
        invoke(turn, step)
        return
    with turn.journal.lock:
        _confirm(turn, step)


def _get_ready(turn: TurnContext, goal: StackedGoal) -> bool | None:
    """Begin a request that came on top of the stack, and check it against the catalog's rules.

    None if it had to be put down for that.
    """
    begin(turn, goal)
    if not (goal.begun or asks_first(turn.catalog, turn.conversation, goal)):
        _tell_unheeded(turn, goal)
    wrong = ask_to_put_right(turn, goal)
    if wrong is None:
        drop(turn, goal, Reason(code="wrong_values"))
    return wrong


def _tell_unheeded(turn: TurnContext, goal: StackedGoal) -> None:
    note = turn.words_of(not_heeded(unheeded_for(turn.conversation, goal)))
    if note and all(note not in one.text for one in turn.conversation.messages.all if one.seq > goal.origin.pushed):
        turn.reply(note)


def _adopt(turn: TurnContext, goal: StackedGoal, decision: Replanned) -> None:
    if decision.discarded is not None:
        turn.journal.add(decision.discarded)
    result, improve = decision.result, decision.improve if turn.improvement else None
    planned = Planned(
        plan_id=len(turn.conversation.plans.all) + 1,
        goal_id=goal.goal_id,
        status="unsolvable",
        engine=result.engine,
        seconds=dict(result.seconds),
        note=decision.note or Reason(text=result.note),
        cause=decision.cause,
    )
    if turn.improvement is not None:
        turn.improvement.begin(planned.plan_id, improve)
    match result:
        case Solved(plan=plan):
            steps, amounts = tuple(map(PlannedStep.of, plan.actions)), plan.amounts
            taken = PlanTotals(cost=amounts.cost, money=amounts.money, time_s=amounts.time_s, quality=amounts.quality)
            solved = {"status": "solved", "steps": steps, "parts": decision.parts, "cost": taken.cost, "amounts": taken}
            if improve is not None:
                note = Reason(code="notes", of=(planned.note, Reason(code="begun_early")))
                solved |= {"improving": True, "note": note}
            turn.journal.add(planned.model_copy(update=solved))
        case Unsolvable():
            diagnosis = decision.diagnosis
            missing = Missing() if diagnosis is None else Missing.model_validate(write_diagnosis(diagnosis))
            turn.journal.add(planned.model_copy(update={"missing": missing}))
            if hand_over(turn, goal):
                return
            explain_missing(turn)
            needed = missing.over_budget + turn.conversation.situation.spent if missing.over_budget else None
            drop(turn, goal, Reason(code="no_plan"))
            if needed is not None and turn.conversation.questions.pending is None and goal.goal in turn.catalog.goals:
                _offer_to_spend(turn, goal, needed)
        case GaveUp(reason=reason):
            turn.journal.add(planned.model_copy(update={"status": "gave_up", "note": Reason(text=reason)}))
            turn.reply(turn.language.goals.gave_up(reason), "problem")
            drop(turn, goal, Reason(code="planner_gave_up", text=reason))


def _offer_to_spend(turn: TurnContext, goal: StackedGoal, budget: float) -> None:
    """Ask whether more may be spent, where that is all that stands in the way, and nothing else is under way."""
    if turn.conversation.goal is None:
        question = turn.language.plans.ask_for_more(turn.catalog, budget, goal.label)
        turn.journal.add(Asked(about="offer", subject=goal.goal, text=question, budget=budget, redo=goal.goal_id))
        turn.reply(question, "question")


def _ask(turn: TurnContext, step: PlannedStep) -> None:
    """Fill a slot; that a fact cannot be asked for is learned here, and not known to the planner before.

    Of a plan for several goals, no step is carried out before that is known of all its questions: a call that serves
    two of them would be missed.
    """
    fact = turn.catalog.facts[step.subject]
    if not fact.fillable:
        plan = turn.conversation.plan
        cause = plan.began if plan else turn.conversation.seq
        vain = find_vain(turn.catalog, plan.left) if plan and plan.plan.parts else (step,)
        for one in vain:
            prune(turn, one, Reason(code="not_fillable", facts=(one.subject,)), "not_fillable", cause)
        return
    goal = turn.conversation.goal
    assert goal is not None
    _tell_unheeded(turn, goal)
    words = turn.language.questions
    question = shown = words.question_for(fact)
    if turn.was_offered_instead(fact.name):
        shown = words.still_needed(turn.catalog, fact.name, question)
    _put(turn, Asked(about="fact", subject=fact.name, text=question), shown)


def _authorize(turn: TurnContext, step: PlannedStep) -> None:
    """Ask consent once, naming exactly which facts go to which skill, and why."""
    goal, call = turn.conversation.goal, _call_behind(turn, step)
    words = turn.language.questions
    outputs = call.outputs if call else ()
    purpose = words.consent_purpose(turn.catalog, step.subject, outputs, goal.label if goal else "")
    confirms = call is not None and _can_confirm(turn, call)
    skill, mode = (call.subject, call.mode) if call and confirms else (None, None)
    facts, state = step.inputs, turn.conversation
    known = read_back(turn.catalog, state, skill, mode, known=True, consented=facts) if skill and mode else ()
    question = words.consent_question(turn.catalog, step.subject, facts, purpose, skill=skill, mode=mode, written=known)
    question = turn.without_heeding(to_be_named(turn.catalog, turn.conversation, call or step), question)
    other = None if skill == step.subject else skill
    _put(turn, Asked(about="authorize", subject=step.subject, mode=mode, skill=other, text=question, facts=facts))


def _can_confirm(turn: TurnContext, call: PlannedStep) -> bool:
    """Return whether consent can be the go-ahead too: all that is written is known, or asked for next.

    Of several consents that a call needs, one for each fact, it is the last.
    """
    skill, plan = turn.catalog.skills[call.subject], turn.conversation.plan
    if call.mode is None or plan is None or not skill.confirms:
        return False
    if turn.catalog.settings.authorization is AuthorizationPolicy.PER_FACT and not any(
        (after.kind, after.subject, after.mode) == (StepKind.CONFIRM, call.subject, call.mode)
        for after in plan.left[1:2]
    ):
        return False
    sensitive = turn.catalog.sensitive_inputs(call.subject, call.mode)
    shown = [fact for fact in skill.modes[call.mode].inputs if fact not in sensitive]
    return all_known(turn.catalog, turn.conversation, shown)


def _confirm(turn: TurnContext, step: PlannedStep) -> None:
    """Ask for the go-ahead for one call, with the values that it would be made with."""
    assert step.mode is not None
    skill, mode = step.subject, step.mode
    written = read_back(turn.catalog, turn.conversation, skill, mode)
    facts = turn.catalog.skills[skill].modes[mode].takes
    asked = turn.language.questions.confirm_question(turn.catalog, skill, mode, written)
    question = turn.without_heeding(to_be_named(turn.catalog, turn.conversation, step), asked)
    _put(turn, Asked(about="confirm", subject=skill, mode=mode, text=question, facts=facts))


def _keep_question(turn: TurnContext, step: PlannedStep) -> None:
    """Return a question unchanged, unless it is for the go-ahead for a call whose values have changed since."""
    pending = turn.conversation.questions.pending
    mode = pending.asked.mode if pending else None
    asks_first = step.kind is StepKind.SKILL and pending is not None and pending.asked.about == "confirm"
    kind = StepKind.CONFIRM if asks_first else step.kind
    if pending is None or mode is None or pending.asked.subject != step.subject or kind not in _GO_AHEADS:
        return
    skill = pending.asked.skill or step.subject
    takes = turn.catalog.skills[skill].modes[mode].takes
    consented = turn.catalog.sensitive_inputs(skill, mode) if kind is StepKind.AUTHORIZE else ()
    shown = [fact for fact in takes if fact not in consented or _is_shown(turn, fact)]
    if have_changed(turn.catalog, turn.conversation, shown, pending.seq):
        with turn.journal.lock:
            _GO_AHEADS[kind](turn, step)


def _is_shown(turn: TurnContext, fact: str) -> bool:
    """Return whether the value that serves for a fact is known, and no secret."""
    value = resolve(turn.catalog, turn.conversation, fact)
    return value is not None and not hides(turn.catalog, turn.conversation, value)


def _map(turn: TurnContext, step: PlannedStep) -> None:
    """Apply a mapping of the catalog; a value that does not fit removes the mapping from the planning model."""
    reason = take_for(turn, step)
    if reason is not None:
        turn.reply(sentence(turn.words_of(reason)), "problem")
        prune(turn, step, reason, "unfit", turn.conversation.seq)


def _call_behind(turn: TurnContext, step: PlannedStep) -> PlannedStep | None:
    """Return the call of the plan that consent is asked for: to its skill, or that the fact goes to it."""
    plan = turn.conversation.plan
    calls = [s for s in (plan.left if plan else ()) if s.kind is StepKind.SKILL]
    if step.subject in turn.catalog.skills:
        return next((s for s in calls if s.subject == step.subject), None)
    takes = (s for s in calls if step.subject in turn.catalog.sensitive_inputs(s.subject, s.mode or ""))
    return next(takes, None)


def _put(turn: TurnContext, asked: Asked, shown: str = "") -> None:
    """Put a question of the plan, and note what the goal takes from it on."""
    plan = turn.conversation.plan
    of = {"plan_id": plan.plan_id, "foreseen": _foresee(turn, plan)} if plan else {}
    turn.journal.add(asked.model_copy(update=of))
    turn.reply(shown or asked.text, "question")


def _foresee(turn: TurnContext, plan: PlanRecord) -> Foreseen | None:
    """Find what the goal on top takes from now on, in the situation that a record of it tells.

    Of a large task that is found only when an explanation asks for it.
    """
    catalog, now, goal = turn.catalog, turn.conversation.situation, turn.conversation.goal
    if turn.imagined or goal is None or len(compile_task(catalog, now, goal.wanted).operators) >= FEW:
        return None
    left, requested = plan.coming_for(goal.goal_id), frozenset((one.fact, one.stands_for) for one in goal.requested)
    now = replace(now, requested=requested, likelihoods=goal.original.likelihoods)
    needs = find_needs(catalog, now, goal.wanted, left)
    anew = (
        PlannedStep(kind=s.kind, subject=s.subject, mode=s.mode, outcome=s.outcome, inputs=s.inputs, outputs=s.outputs)
        for s in needs.steps
    )
    steps = None if needs.steps == left else tuple(anew)
    return Foreseen(steps=steps, sure=dict(needs.sure), asks=dict(needs.asks), consents=dict(needs.consents))


_GO_AHEADS: Mapping[StepKind, Callable[[TurnContext, PlannedStep], None]] = {
    StepKind.AUTHORIZE: _authorize,
    StepKind.CONFIRM: _confirm,
}

_INTERNAL: Mapping[StepKind, Callable[[TurnContext, PlannedStep], None]] = {
    StepKind.ASK: _ask,
    **_GO_AHEADS,
    StepKind.MAP: _map,
}
