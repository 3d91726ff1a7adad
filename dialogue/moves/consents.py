"""Consent that is taken back, forbidden in advance, or given after all: events, and what is told of them.

Consent serves one request. Until a call is made, taking it back prevents the call and the plan changes; after it, what
was given to whom and when is told, and nothing more goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.model.settings import AuthorizationPolicy
from dialogue.context import TurnContext
from dialogue.log.events import Asked, Authorized, Refused, Withdrew
from dialogue.state.calls import CallRecord
from dialogue.state.goals import StackedGoal
from dialogue.state.questions import Consent
from dialogue.updates.goals import push_goal
from dialogue.updates.pruning import close_consent, discard, reopen_consents
from language.content import Reason, not_agreed
from language.interpretation import ActSpan


def take_back(turn: TurnContext, heard: int, acts: Sequence[ActSpan], *, ahead: bool) -> None:
    """Take back the consents that the acts name, or all that are in force, of whichever request.

    `ahead`: where there is none, what is not asked yet is forbidden in advance.
    """
    named = {name for act in acts for name in act.named}
    everything = any(not act.named for act in acts)
    given = [one for one in _in_force(turn) if everything or _is_named(turn, one, named)]
    words = turn.language.questions
    for one in given:
        made = _calls_on(turn, one)
        turn.journal.add(Withdrew(subject=one.subject, facts=one.facts, heard=heard, given=one.given or 0))
        waiting = [goal for goal in turn.conversation.goals.stack[1:] if _serves(turn, goal, one)]
        close_consent(turn, one.subject, one.facts, "withdrawn", heard)
        for goal in waiting:
            if (plan := turn.conversation.plan_of(goal.goal_id)) is not None:
                turn.journal.add(plan.discard(not_agreed(one.subject, one.facts, "withdrawn"), heard))
        received = [(call.calling.skill, f"{turn.journal.entry(call.seq).at:%H:%M}") for call in made]
        turn.reply(words.taken_back(turn.catalog, one.subject, one.facts, received))
    approved = turn.conversation.questions.approved.get(turn.conversation.purpose) if everything else None
    if approved is not None:
        turn.journal.add(Withdrew(subject="", facts=(), heard=heard, given=approved.seq))
        turn.reply(words.approval_taken_back())
    if given or approved is not None or not ahead:
        return
    closed = [one for one in _of_request(turn) if one.status != "given" and (everything or _is_named(turn, one, named))]
    coming = [] if closed or turn.conversation.goal is None else _subjects(turn, named, everything=everything)
    for subject, facts in coming:
        turn.journal.add(Refused(subject=subject, facts=facts, heard=heard))
        close_consent(turn, subject, facts, "refused", heard)
        turn.reply(words.forbidden(turn.catalog, subject, facts))
    if not coming:
        turn.reply(words.nothing_given(turn.catalog, [(one.subject, one.facts) for one in closed]))


def give_after_all(turn: TurnContext, heard: int, acts: Sequence[ActSpan]) -> bool:
    """Give the consents that were declined, left open or taken back, as they were asked for; return whether any was.

    A request that was dropped for want of a way is taken up again. What was taken back or forbidden without having
    been asked is asked for: only a question names exactly what goes where.
    """
    named = {name for act in acts for name in act.named}
    conversation = turn.conversation
    last = conversation.goals.past[-1] if conversation.goals.past and conversation.goal is None else None
    purpose = last.purpose if last is not None and last.status == "dropped" else conversation.purpose
    closed = [
        one
        for (of, _), one in conversation.questions.consents.items()
        if of == purpose and one.status != "given" and (not named or _is_named(turn, one, named))
    ]
    if not closed:
        return False
    if last is not None and not push_goal(turn, turn.catalog.goals[last.goal], "request", heard, again=True, redo=last):
        return False
    asked = {
        entry.event.subject
        for entry in turn.journal.shown[0]
        if isinstance(entry.event, Asked) and entry.event.about == "authorize" and entry.seq > purpose
    }
    for one in closed:
        if one.subject in asked:
            turn.journal.add(Authorized(subject=one.subject, facts=one.facts, heard=heard))
            turn.reply(turn.language.questions.agreed_after_all(turn.catalog, one.subject, one.facts))
    reopen_consents(turn, heard, {one.subject for one in closed} - asked)
    discard(turn, Reason(code="more_is_allowed"), heard)
    return True


def _in_force(turn: TurnContext) -> list[Consent]:
    """List the consents that are in force for open requests, and those of ended ones, each once."""
    consents = turn.conversation.questions.consents.values()
    return list({one.given: one for one in consents if one.status == "given"}.values())


def _of_request(turn: TurnContext) -> list[Consent]:
    c = turn.conversation
    purpose = c.purpose or (c.goals.past[-1].purpose if c.goals.past else 0)
    return [one for (of, _), one in c.questions.consents.items() if of == purpose]


def _is_named(turn: TurnContext, one: Consent, named: Iterable[str]) -> bool:
    """Return whether a consent is for one of some skills or facts: also where it is asked for fact by fact."""
    catalog = turn.catalog
    skills = [catalog.skills[name] for name in named if name in catalog.skills]
    taken = {fact for skill in skills for mode in skill.modes for fact in catalog.sensitive_inputs(skill.name, mode)}
    mine = {one.subject, *one.facts}
    return not mine.isdisjoint(named) or (one.subject in catalog.facts and not mine.isdisjoint(taken))


def _subjects(turn: TurnContext, named: Iterable[str], *, everything: bool) -> list[tuple[str, tuple[str, ...]]]:
    """List what consent could be asked for, of what is named: by skill, or by fact where the catalog says so."""
    catalog, named = turn.catalog, set(named)
    found: dict[str, tuple[str, ...]] = {}
    for skill in catalog.skills.values():
        facts = tuple(dict.fromkeys(f for mode in skill.modes for f in catalog.sensitive_inputs(skill.name, mode)))
        mine = facts if everything or skill.name in named else tuple(fact for fact in facts if fact in named)
        if mine and catalog.settings.authorization is AuthorizationPolicy.PER_FACT:
            found |= {fact: (fact,) for fact in mine}
        elif mine:
            found[skill.name] = facts
    return list(found.items())


def _serves(turn: TurnContext, goal: StackedGoal, one: Consent) -> bool:
    mine = turn.conversation.questions.consents.get((goal.purpose, one.subject))
    return mine is not None and mine.given == one.given


def _calls_on(turn: TurnContext, one: Consent) -> list[CallRecord]:
    return [
        call
        for call in turn.conversation.calls.made
        if call.seq > (one.given or 0)
        and (call.calling.skill == one.subject or one.subject in call.calling.inputs)
        and not {*one.facts}.isdisjoint({*call.calling.inputs, *call.calling.inputs.values()})
    ]
