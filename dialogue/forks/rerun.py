"""A conversation played again with changes: the person says what they said, but for what is supposed.

The fork leaves the record before the first utterance that a change bears on. From there each recorded utterance is
played in the meaning that it had, as long as the assistant asks what it asked; where it asks something else, the person
answers what they said elsewhere in the record, or what is supposed. Where nothing on record answers a question or a
call, the fork stops and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import JsonValue

from catalog.model import Catalog
from catalog.skills import SkillInput
from dialogue.caller import Caller
from dialogue.context import TurnContext
from dialogue.forked import ForeseenCall, Fork, ScriptedUnderstander
from dialogue.forks.answers import ForkCaller, Simulations, ValueSource, recorded_calls
from dialogue.forks.changes import BadChange, Change, ConsentAnswer, Say, SupposedOutcome, Withhold, check_changes
from dialogue.log.events import (
    Answered,
    Asked,
    Calling,
    Established,
    Heard,
    Log,
    Mapped,
    TurnEnded,
    TurnStarted,
    Understood,
)
from dialogue.policy import Policy
from dialogue.state.conversation import Conversation
from dialogue.state.goal_status import goals_of
from dialogue.state.goals import StackedGoal
from dialogue.turn import work_on_fork
from language.interpretation import DialogueAct, Entity, Interpretation, Span
from language.languages import ENGLISH
from language.languages.protocol import Language

MOST_UTTERANCES = 200
"""Utterances that one fork plays at most."""
_RULE = "forked"
SKIPPED = "I'd rather not say."
"""What a person says who withholds a fact."""
_IN_WORDS = {DialogueAct.YES: "yes", DialogueAct.NO: "no"}


@dataclass(frozen=True, slots=True)
class RecordedUtterance:
    """An utterance of the record: its entry, what was understood, and the question that it answered.

    `begun` is the entry in which its turn began, `open` the question that was put last before it.
    """

    seq: int
    heard: Heard
    begun: int
    meaning: Interpretation
    answers: Asked | None
    open: Asked | None

    @property
    def first(self) -> int:
        """The first entry that it left: its own, unless it was said while the assistant was at work."""
        return self.seq if self.begun == self.seq + 1 else self.begun


def utterances(log: Log) -> tuple[RecordedUtterance, ...]:
    """List the utterances of a log whose turns were begun, in the order in which they were."""
    begun: dict[int, int] = {}
    meanings: dict[int, Interpretation] = {}
    answers: dict[int, Asked] = {}
    open_: dict[int, Asked | None] = {}
    last: Asked | None = None
    for entry in log:
        match entry.event:
            case Heard():
                open_[entry.seq] = last
            case Asked() as asked:
                last = asked
            case TurnStarted(of=of):
                begun[of] = entry.seq
            case Understood(heard=heard, meaning=meaning):
                meanings[heard] = meaning
            case Answered(asked=seq, heard=heard) if isinstance(question := log[seq - 1].event, Asked):
                answers.setdefault(heard, question)
    heard_in = ((seq, log[seq - 1].event) for seq in begun)
    return tuple(
        RecordedUtterance(seq, event, begun[seq], meanings.get(seq, Interpretation()), answers.get(seq), open_[seq])
        for seq, event in heard_in
        if isinstance(event, Heard)
    )


def _mentions(meaning: Interpretation) -> Iterable[Entity]:
    yield from meaning.values
    for goal in meaning.goals:
        yield from goal.values
    if meaning.doubtful is not None:
        yield meaning.doubtful


@dataclass(frozen=True, slots=True)
class ForkStop:
    """Where a fork waits: for the answer to a question, or for the outcome of a call."""

    question: Asked | None = None
    call: ForeseenCall | None = None

    @property
    def what(self) -> tuple[str, str]:
        """What is not known: the fact or the consent that is asked for, or the call."""
        if self.question is not None:
            return self.question.about, self.question.subject
        return ("call", self.call.skill) if self.call is not None else ("", "")


@dataclass(frozen=True, slots=True)
class ForkRun:
    """A fork of a conversation, carried as far as its record, its changes and simulations allow.

    `log` is the whole log, the first `at` entries of which are the record's. `calls` says where the outcomes of its
    calls come from, by their ids. `stopped` is None where the goal has ended.
    """

    catalog: Catalog
    changes: tuple[Change, ...]
    at: int
    log: Log
    conversation: Conversation
    goal: StackedGoal | None
    calls: Mapping[str, ValueSource]
    stopped: ForkStop | None
    distrusted: tuple[str, ...] = ()
    """Why simulations were not used, a sentence each."""

    @property
    def idle(self) -> tuple[Change, ...]:
        """The changes that the fork never came to: what is not asked for, or not called, on its way."""
        return tuple(one for one in self.changes if not self._bears_on(one))

    def _bears_on(self, change: Change) -> bool:
        later = [entry.event for entry in self.log[self.at :]]
        answered = [self.log[one.asked - 1].event for one in later if isinstance(one, Answered)]
        asked = [one for one in (*later, *answered) if isinstance(one, Asked)]
        match change:
            case Say(fact, value):
                return any(isinstance(one, Established) and (one.fact, one.value) == (fact, value) for one in later)
            case Withhold(fact):
                return any(one.subject == fact for one in asked)
            case ConsentAnswer(subject):
                return any(subject in (one.subject, one.skill, *one.facts) for one in asked)
            case SupposedOutcome(skill):
                return any(isinstance(one, Calling) and one.skill == skill for one in later)

    def source_of_call(self, ended: int) -> ValueSource:
        """Return where the outcome of the call comes from that ended in an entry."""
        return self.calls.get(getattr(self.log[ended - 1].event, "call_id", ""), ValueSource.RECORDED)

    def source_of_entry(self, seq: int) -> ValueSource:
        event = self.log[seq - 1].event
        if seq <= self.at or not isinstance(event, Established):
            return ValueSource.RECORDED
        if event.source == "user":
            said = (one for one in self.changes if isinstance(one, Say))
            return ValueSource.SUPPOSED if any(one.fact == event.fact for one in said) else ValueSource.RECORDED
        made = self.log[event.by - 1].event
        if event.source == "mapping" and isinstance(made, Mapped):
            return self.source_of_entry(made.input_event)
        return self.source_of_call(event.by)


@dataclass(frozen=True)
class ForkStage:
    """What forks of one record share: catalog, record, who decides, who calls simulations, and how files are loaded."""

    catalog: Catalog
    log: Log
    policy: Policy
    caller: Caller
    load_input: Callable[[JsonValue], SkillInput]
    language: Language = ENGLISH

    @cached_property
    def simulations(self) -> Simulations:
        """The simulations of the skills, with their trials on the record."""
        return Simulations(self.catalog, self.caller, recorded_calls(self.catalog, self.log), self.load_input)

    def run(self, changes: Iterable[Change], goal: StackedGoal | None = None, at: int | None = None) -> ForkRun:
        """Play the record again with changes, up to the end of a goal (the last, if none is named).

        It leaves the record after the entry `at`, or the last one before it at which it can (`find_boundary`); where
        no entry is named, before what the changes bear on. Raises BadChange, LookupError.
        """
        checked = check_changes(self.catalog, changes)
        if at is not None and not 1 <= at <= len(self.log):
            raise BadChange(f"There is no entry {at}: the record has entries 1 to {len(self.log)}.")
        return _Rerun(self, checked, goal, at).play()


class _Rerun:
    def __init__(self, stage: ForkStage, changes: tuple[Change, ...], goal: StackedGoal | None, at: int | None) -> None:
        self.stage = stage
        self.changes = changes
        self.said = {one.fact: one.value for one in changes if isinstance(one, Say)}
        self.withheld = {one.fact for one in changes if isinstance(one, Withhold)}
        self.consents = {one.subject: one.given for one in changes if isinstance(one, ConsentAnswer)}
        self.outcomes = {one.skill: one for one in changes if isinstance(one, SupposedOutcome)}
        self.record = utterances(stage.log)
        self.given: set[str] = set()
        """Facts that the person said where they were asked for otherwise than in the record."""
        self.goal = goal
        self.begin = self._find_beginning() if at is None else at
        prefix = stage.log[: find_boundary(stage.log, self.begin)]
        self.today = stage.log[min(len(prefix), len(stage.log) - 1)].at.date()
        self.fork = Fork(prefix)
        self.caller = ForkCaller(stage.simulations, self.outcomes, self.today)
        began = {entry.event.of for entry in prefix if isinstance(entry.event, TurnStarted)}
        self.coming = [one for one in self.record if one.seq not in began]

    def _find_beginning(self) -> int:
        """Return the last entry before what the changes bear on; before the request, where they bear on nothing yet."""
        request = self.goal.heard if self.goal is not None else None
        since = [one for one in self.record if request is None or one.seq >= request]
        bears = [one.first for one in since if self._bears_on(one)]
        calls = ((entry.seq, entry.event) for entry in self.stage.log[request or 0 :])
        bears += [seq for seq, event in calls if isinstance(event, Calling) and event.skill in self.outcomes]
        requests = [one.first for one in since if one.meaning.goals]
        return min(bears or requests or [len(self.stage.log) + 1]) - 1

    def _bears_on(self, one: RecordedUtterance) -> bool:
        """Return whether an utterance says, or answers, something that is supposed to be otherwise."""
        facts = {*self.said, *self.withheld}
        asked = None if one.answers is None else one.answers.subject
        return asked in facts or asked in self.consents or any(v.fact in facts for v in _mentions(one.meaning))

    def play(self) -> ForkRun:
        stopped = None
        for _ in range(MOST_UTTERANCES):
            if self.fork.state.busy:
                meaning = self._meaning_of_inbox()
                call = work_on_fork(self._turn(meaning), self.fork)
                if call is not None:
                    stopped = ForkStop(call=call)
                    break
                continue
            if self._is_over() or not self._say_next():
                pending = self.fork.state.questions.pending
                stopped = None if pending is None or self._is_over() else ForkStop(question=pending.asked)
                break
        fork = self.fork
        return ForkRun(
            self.stage.catalog,
            self.changes,
            fork.at,
            fork.log,
            fork.state,
            self._goal_now(),
            dict(self.caller.sources),
            stopped,
            self.stage.simulations.say_distrusted(self._called(stopped)),
        )

    def _called(self, stopped: ForkStop | None) -> list[str]:
        called = [entry.event.skill for entry in self.fork.entries if isinstance(entry.event, Calling)]
        called += [stopped.call.skill] if stopped is not None and stopped.call is not None else []
        return list(dict.fromkeys(called))

    def _goal_now(self) -> StackedGoal | None:
        goals = self.fork.state.goals
        if self.goal is None:
            return next(iter(goals.past[-1:]), None) or next(iter(goals.stack), None)
        return next((one for one in goals_of(self.fork.state) if one.goal == self.goal.goal), None)

    def _is_over(self) -> bool:
        """Return whether the goal that is looked at has ended in the fork, and not before it."""
        goals = self.fork.state.goals
        ended = [one for one in goals.past if one.ending is not None and one.ending.seq > self.fork.at]
        wanted = [one for one in ended if self.goal is None or one.goal == self.goal.goal]
        return bool(wanted) and (self.goal is not None or not goals.stack)

    def _meaning_of_inbox(self) -> Interpretation:
        messages = self.fork.state.messages
        seq = messages.active if messages.active is not None else messages.inbox[0]
        recorded = next((one for one in self.record if one.seq == seq and seq <= self.fork.at), None)
        if recorded is not None:
            self.coming = [one for one in self.coming if one.seq != seq]
            return self._edit(recorded)
        return self._playing

    _playing: Interpretation = Interpretation()

    def _say_next(self) -> bool:
        """Have the person say the next thing; return false where there is nothing that they would say."""
        pending = self.fork.state.questions.pending
        asked = pending.asked if pending is not None else None
        while self.coming:
            one = self.coming[0]
            if _same_question(asked, one.answers):
                self.coming.pop(0)
                return self._repeat(one)
            gives = one.meaning.values and not one.meaning.goals
            if one.answers is None and asked is not None and (gives or _same_question(asked, one.open)):
                self.coming.pop(0)  # a correction, or something else that was said to the same question
                return self._repeat(one)
            if asked is not None and asked.plan_id is not None:
                break
            if one.answers is not None and not one.meaning.goals:
                self.coming.pop(0)  # the answer to a question that is not asked here
                continue
            if self.goal is not None and asked is None and not self.fork.state.goals.stack:
                return False
            self.coming.pop(0)
            return self._repeat(one)
        return asked is not None and self._answer(asked)

    def _answer(self, asked: Asked) -> bool:
        """Answer a question that was not asked in the record, with what stands elsewhere in it or is supposed."""
        if asked.about == "fact":
            return self._give(asked.subject)
        if asked.about not in ("authorize", "confirm"):
            return False
        given = self.consents.get(asked.subject)
        if given is None:
            before = next((one for one in self.record if _same_question(asked, one.answers)), None)
            given = None if before is None else before.meaning.control is DialogueAct.YES
        if given is None:
            return False
        control = DialogueAct.YES if given else DialogueAct.NO
        return self._utter(Heard(turn=0, text=_IN_WORDS[control]), Interpretation(control=control))

    def _give(self, fact: str) -> bool:
        if fact in self.given:
            return False  # what was not taken the first time is not said over and over
        self.given.add(fact)
        if fact in self.withheld:
            return self._utter(Heard(turn=0, text=SKIPPED), Interpretation(control=DialogueAct.SKIP))
        value = self.said[fact] if fact in self.said else self._recorded_value(fact)
        kind = self.stage.catalog.facts[fact].value
        if value is None or kind.uploaded:
            return False
        text = kind.show(value)
        said = Entity(fact=fact, value=value, span=Span(start=0, end=len(text), text=text), rule=_RULE)
        return self._utter(Heard(turn=0, text=text), Interpretation(values=(said,)))

    def _recorded_value(self, fact: str) -> JsonValue:
        """Return what the person said of a fact last, else what was found out of it: they may know that, too."""
        known = [one.event for one in reversed(self.stage.log) if isinstance(one.event, Established)]
        known = [one for one in known if one.fact == fact]
        return next((one.value for one in known if one.source == "user"), known[0].value if known else None)

    def _repeat(self, one: RecordedUtterance) -> bool:
        """Say an utterance of the record again, with other values in their places."""
        meaning, text = self._edit(one), one.heard.text
        if meaning.control is not one.meaning.control:
            text = _IN_WORDS.get(meaning.control or DialogueAct.SKIP, SKIPPED)
        else:
            text, meaning = _rewrite(self.stage.catalog, text, one.meaning, meaning)
        return self._utter(one.heard.model_copy(update={"text": text}), meaning)

    def _utter(self, heard: Heard, meaning: Interpretation) -> bool:
        turn = self.fork.state.messages.turn + 1
        self.fork.add(heard.model_copy(update={"turn": turn, "command_id": "", "seen": None}))
        self._playing = meaning
        return True

    def _edit(self, one: RecordedUtterance) -> Interpretation:
        """Return what an utterance means with the changes."""
        meaning = one.meaning
        asked = one.answers
        if asked is not None and asked.subject in self.consents and asked.about in ("authorize", "confirm"):
            given = self.consents[asked.subject]
            return Interpretation(control=DialogueAct.YES if given else DialogueAct.NO)
        if asked is not None and asked.about == "fact" and asked.subject in self.withheld:
            return Interpretation(control=DialogueAct.SKIP)
        edited: dict[str, Any] = {"values": self._edit_values(meaning.values)}
        edited["goals"] = tuple(
            goal.model_copy(update={"values": self._edit_values(goal.values)}) for goal in meaning.goals
        )
        return meaning.model_copy(update=edited)

    def _edit_values(self, values: Iterable[Entity]) -> tuple[Entity, ...]:
        kept = (value for value in values if value.fact not in self.withheld)
        return tuple(
            value.model_copy(update={"value": self.said[value.fact]}) if value.fact in self.said else value
            for value in kept
        )

    def _turn(self, meaning: Interpretation) -> TurnContext:
        stage = self.stage
        return TurnContext(
            catalog=stage.catalog,
            digest=self.fork.state.setup.digest,
            journal=self.fork,
            policy=stage.policy,
            understander=ScriptedUnderstander(meaning),
            caller=self.caller,
            load_input=stage.load_input,
            today=self.today,
            language=stage.language,
        )


def _rewrite(catalog: Catalog, text: str, was: Interpretation, meant: Interpretation) -> tuple[str, Interpretation]:
    """Put the changed values of an utterance in the places of those that were said, and move the spans after them."""
    values = {(one.fact, one.span): one.value for one in _mentions(meant)}
    changed = {
        one.span: catalog.facts[one.fact].value.show(values[one.fact, one.span])
        for one in _mentions(was)
        if (one.fact, one.span) in values and values[one.fact, one.span] != one.value
    }
    for span in sorted(changed, key=lambda one: -one.start):
        shown = changed[span]
        text = text[: span.start] + shown + text[span.end :]
        by = len(shown) - (span.end - span.start)
        meant = Interpretation.model_validate(_move(meant.model_dump(), span, shown, by))
    return text, meant


def _move(found: Any, span: Span, shown: str, by: int) -> Any:
    """Move all spans in a dumped interpretation for a stretch that became longer by so many characters."""
    if isinstance(found, dict):
        if found.keys() == {"start", "end", "text"}:
            if (found["start"], found["end"]) == (span.start, span.end):
                return {**found, "end": span.end + by, "text": shown}
            start, end = (place + by if place >= span.end else place for place in (found["start"], found["end"]))
            return {**found, "start": start, "end": end}
        return {key: _move(value, span, shown, by) for key, value in found.items()}
    return [_move(one, span, shown, by) for one in found] if isinstance(found, list | tuple) else found


def _same_question(asked: Asked | None, other: Asked | None) -> bool:
    if asked is None or other is None:
        return asked is other
    return (asked.about, asked.subject, asked.skill) == (other.about, other.subject, other.skill)


def find_boundary(log: Log, at: int) -> int:
    """Return the last entry up to `at` after which a conversation can be gone on with.

    Outside of turns that is any entry. What a turn adds between two calls belongs together, so that within a turn it is
    the last entry before a call, or before the turn.
    """
    boundary, in_turn = 0, False
    for entry in log[:at]:
        in_turn = isinstance(entry.event, TurnStarted) or (in_turn and not isinstance(entry.event, TurnEnded))
        following = log[entry.seq].event if entry.seq < len(log) else None
        if not in_turn or isinstance(following, Calling):
            boundary = entry.seq
    return boundary
