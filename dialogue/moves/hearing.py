"""Hearing: what an utterance means in its context, and taking it in with the files that came with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from catalog.analysis.dependencies import can_be_asked, what_leads_to
from catalog.values import Unreadable
from catalog.values.base import listed
from dialogue.context import TurnContext
from dialogue.log.events import Alerted, Asked, Attachment, Entry, Heard, TaskNews, Understood
from dialogue.moves.addressed import question_of
from dialogue.moves.integrate import integrate
from dialogue.moves.tasks import take_news
from dialogue.state.conversation import asked_in_vain, resolve
from dialogue.state.goal_status import refusal_of
from dialogue.state.goals import GoalRequest, StackedGoal
from dialogue.state.masking import show_value
from dialogue.state.provenance import hides
from dialogue.state.questions import PendingQuestion
from dialogue.updates.goals import push_goal, show_results
from language.acts.task_talk import names_something_of
from language.interpretation import Context, Entity, Intent, Interpretation, Pending, Span, Spoken


def take_alert(turn: TurnContext, heard: int, alerted: Alerted) -> None:
    """Say what happened, and push the goal that it is for, with the values that it brings.

    Every alert is a goal of its own. One that repeats an earlier alert is answered with its results.
    """
    trigger = turn.catalog.triggers[alerted.trigger]
    goal = turn.catalog.goals[trigger.goal]
    before = _find_same_alert(turn, alerted)
    if before is not None and before.ending is not None:
        shown = show_results(turn.catalog, before.ending.state, before)
        done = turn.language.goals.goal_done(
            turn.catalog,
            goal.name,
            before.facts,
            shown,
            declined=refusal_of(turn.catalog, turn.conversation, before),
        )
        turn.reply(turn.language.goals.alert_settled(done), "result")
        return
    turn.reply(trigger.say)
    if before is not None:
        turn.reply(turn.language.goals.already_open(goal.label, on_top=before == turn.conversation.goal))
        return
    span = Span(start=0, end=0, text=trigger.label)
    values = (Entity(fact=fact, value=value, span=span, rule="event") for fact, value in alerted.facts.items())
    mention = Intent(goal=goal.name, span=span, confidence=1.0, values=tuple(values))
    push_goal(turn, goal, "event", heard, request=GoalRequest(mention, heard, 0))


def _find_same_alert(turn: TurnContext, alerted: Alerted) -> StackedGoal | None:
    """Find the goal of an alert with the same content that is open, or whose results still hold."""
    if not alerted.facts:
        return None  # one that says nothing may be about anything
    catalog, goals = turn.catalog, turn.conversation.goals
    for goal in (*goals.stack, *reversed(goals.past)):
        event = turn.journal.entry(goal.origin.cause).event
        if not isinstance(event, Alerted) or (event.trigger, event.facts.keys()) != (
            alerted.trigger,
            alerted.facts.keys(),
        ):
            continue
        if all(catalog.facts[fact].value.same(event.facts[fact], value) for fact, value in alerted.facts.items()):
            return goal if goal.status == "open" or _still_holds(turn, goal) else None
    return None


def _still_holds(turn: TurnContext, goal: StackedGoal) -> bool:
    """Return whether a goal was achieved, and what it came to has not turned out wrong since."""
    retracted, ending = turn.conversation.facts.retracted, goal.ending
    if ending is None or ending.status != "achieved":
        return False
    return not any(retracted.get(fact, 0) > ending.seq for fact in goal.facts)


MAX_TEXT = 4_000
"""Characters of one utterance; what is longer is cut off, and the user is told."""
_LONGEST_SHOWN = 200
_SPOKEN = 40
"""So many values that were told can be spoken of again."""
Placed = tuple[str, JsonValue, str]
"""A fact, its value, and the names of the files that this stands for."""


def place_uploads(
    turn: TurnContext, pending: PendingQuestion | None, attachments: Sequence[Attachment], goals: Iterable[str] = ()
) -> tuple[tuple[Placed, ...], tuple[str, ...]]:
    """Decide which fact each upload is a value of: the one just asked for, else the only one that takes such a file.

    Where several do, it is the only one that matters for the `goals` that were named with it. What tasks wait for may
    come in any order, and several at once: the name of a file says which it is. For a list, all files that were
    uploaded together are one value.
    """
    catalog, words = turn.catalog, turn.language.questions
    takes = [f.name for f in catalog.facts.values() if f.value.uploaded and can_be_asked(f)]
    asked = [f for f in takes if pending and pending.asked.about == "fact" and pending.asked.subject == f]
    leading = {f for goal in goals for f in what_leads_to(catalog, catalog.goals[goal]).facts}
    wanted = [f for f in takes if f in leading]
    of_task = pending is not None and pending.asked.task is not None
    if of_task and wanted:
        asked = []  # what is asked for in the same breath is what they are for
    groups = (
        {}
        if wanted and not asked
        else _sort_for_tasks(turn, asked, [f for f in takes if f in turn.conversation.tasks.facts], attachments)
    )
    if not asked and len(takes) > 1 and not groups:
        takes = wanted if len(wanted) == 1 else takes
    fact = (asked or takes)[0] if asked or len(takes) == 1 else None
    if fact is None and not groups:
        labels = [catalog.facts[f].label for f in takes]
        return (), tuple(words.upload_unplaced(attachment.name, labels) for attachment in attachments)
    placed: list[Placed] = []
    refused: list[str] = []
    for name, files in (groups or {fact or "": [*attachments]}).items():
        _place(turn, name, files, placed, refused)
    return tuple(placed), tuple(refused)


def _sort_for_tasks(
    turn: TurnContext, asked: Sequence[str], waiting: Sequence[str], attachments: Sequence[Attachment]
) -> dict[str, list[Attachment]]:
    """Sort files by the facts that tasks wait for; nothing where it is not clear for each of them."""
    facts = turn.catalog.facts
    lists = [fact for fact in waiting if facts[fact].value.item]
    usual = [*asked] or ([*waiting] if len(waiting) == 1 else [])
    if len(attachments) > 1 and len(lists) == 1 and not any(facts[fact].value.item for fact in usual):
        usual = lists  # a single value is no more than one file
    groups: dict[str, list[Attachment]] = {}
    for one in attachments if waiting else ():
        named = [fact for fact in waiting if names_something_of(one.name, facts[fact].label)]
        found = named if len(named) == 1 else usual
        if not found:
            return {}
        groups.setdefault(found[0], []).append(one)
    return groups


def _place(turn: TurnContext, fact: str, files: Sequence[Attachment], placed: list[Placed], refused: list[str]) -> None:
    kind = turn.catalog.facts[fact].value
    values: list[JsonValue] = [
        {"attachment": one.sha256, **one.model_dump(include={"name", "media_type", "size"})} for one in files
    ]
    names = [one.name for one in files]
    tried = [(values, listed(names))] if kind.item and values else list(zip(values, names, strict=True))
    for value, name in tried:
        try:
            placed.append((fact, kind.check(value), name))
        except Unreadable as error:
            refused.append(turn.language.questions.upload_refused(name, error.fault))


def understand(turn: TurnContext, entry: Entry, text: str) -> Interpretation:
    """Return what an utterance means; `text` is it, without the name of the agent that it is for."""
    addressed = question_of(turn, entry.seq)
    meaning = turn.understander.understand(text, _context(turn, addressed.pending, entry.seq))
    if addressed.shown is not None and not _stands_for_itself(meaning):
        answer = turn.understander.understand(text, _context(turn, addressed.shown, entry.seq))
        if any(value.fact in addressed.about for value in answer.values):
            late = {value.fact for value in answer.values} & addressed.closed
            meaning = answer.model_copy(update={"too_late": tuple(sorted(late))})
    return _discreet(turn, addressed.pending or addressed.shown, meaning)


def _stands_for_itself(meaning: Interpretation) -> bool:
    """Return whether an utterance makes sense whatever was asked: it is no bare answer."""
    asked = meaning.question or meaning.term or meaning.wonders or meaning.preference
    return bool(meaning.values or meaning.goals or asked)


def take_in(turn: TurnContext, entry: Entry, meaning: Interpretation, *, noted: bool = False) -> None:
    """Turn an utterance or an alert into events. `noted`: what it means is on record already."""
    match entry.event:
        case Heard() as heard:
            if len(heard.text) > MAX_TEXT:
                turn.reply(turn.language.smalltalk.too_long(MAX_TEXT), "problem")
            if not noted:
                turn.journal.add(Understood(heard=entry.seq, meaning=meaning))
            named = [goal.goal for goal in meaning.goals] or [goal.goal for goal in turn.conversation.goals.stack[:1]]
            pending = question_of(turn, entry.seq).pending
            uploads, refusals = place_uploads(turn, pending, heard.attachments, named)
            for refusal in refusals:
                turn.reply(refusal, "problem")
            if heard.text.strip() or uploads or not refusals:
                integrate(turn, entry.seq, meaning, uploads)
        case Alerted() as alerted:
            take_alert(turn, entry.seq, alerted)
        case TaskNews() as news:
            take_news(turn, news)
        case _:
            raise ValueError(f"Entry {entry.seq} is a {entry.event.kind}, which is no input of a session.")


def _discreet(turn: TurnContext, pending: PendingQuestion | None, meaning: Interpretation) -> Interpretation:
    """Leave out of a reason what was said, where it was to be a sensitive value: reasons are shown and logged."""
    if meaning.unclear is None or pending is None or pending.asked.about != "fact":
        return meaning
    fact = turn.catalog.facts[pending.asked.subject]
    if not turn.catalog.is_sensitive(fact.name):
        return meaning
    return meaning.model_copy(update={"unclear": turn.language.questions.was_not(fact.value)})


def _context(turn: TurnContext, pending: PendingQuestion | None, heard: int) -> Context:
    conversation = turn.conversation
    told, before = (
        conversation.messages.told_before(heard, turn.seen_by(heard)),
        conversation.messages.meaning_before(heard),
    )
    given = [value for value in conversation.facts.known.values() if value.source == "user"]
    held = [
        one.value for one in reversed(conversation.facts.held) if one.value.source == "user" and one.ended != "wrong"
    ]
    return Context(
        today=turn.today,
        pending=None if pending is None else _pending(turn, pending.asked),
        known=tuple(conversation.facts.known),
        goals=tuple(goal.goal for goal in conversation.goals.stack),
        ended=tuple(dict.fromkeys(goal.goal for goal in reversed(conversation.goals.past))),
        told=() if told is None else tuple(goal.goal for goal in conversation.messages.meanings[told].goals),
        wanted=() if conversation.goals.stack else asked_in_vain(conversation),
        given=tuple(value.fact for value in sorted(given, key=lambda value: -value.event)),
        spoken=tuple(Spoken(fact=one.fact, value=one.value, at=one.by) for one in held[:_SPOKEN]),
        shown=_shown(turn),
        called=tuple(dict.fromkeys(call.calling.skill for call in reversed(conversation.calls.made))),
        explained=before.question,
        supposing=before.supposed is not None,
    )


def _shown(turn: TurnContext) -> tuple[tuple[str, str], ...]:
    """Return the values that questions may quote, as they are shown: none that is sensitive, or long."""
    catalog, conversation = turn.catalog, turn.conversation
    known = conversation.facts.known.items()
    facts = [fact for fact, value in known if not hides(catalog, conversation, value)]
    shown = ((fact, show_value(catalog, conversation, fact)) for fact in facts)
    return tuple((fact, text) for fact, text in shown if len(text) <= _LONGEST_SHOWN)


def _pending(turn: TurnContext, asked: Asked) -> Pending:
    """Return the open question as an understander needs it, with the facts whose values would go into a call."""
    takes = asked.facts
    if asked.mode is not None:
        takes = (*takes, *turn.catalog.skills[asked.skill or asked.subject].modes[asked.mode].takes)
    found = ((fact, resolve(turn.catalog, turn.conversation, fact)) for fact in dict.fromkeys(takes))
    facts = tuple(fact if value is None else value.fact for fact, value in found)
    kind = {"task": "offer", "plan": "confirm"}.get(asked.about, asked.about)
    read_back = bool(asked.proposed)
    return Pending(kind=kind, subject=asked.subject, options=asked.options, facts=facts, read_back=read_back)
