"""Environment moves, and the scripted environment: an understander, a user and skills that do what a move says.

Values are symbolic: one example for each fact, since a planner never looks at values (Verdi paper, §3.2). Skills are
never called.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pydantic import JsonValue

from catalog.model import Catalog, Fact
from catalog.skills import Result, SkillInput
from dialogue.caller import NotReturned, Returned, Told, Untold
from dialogue.forked import AboutToCall, ForeseenCall
from dialogue.log.events import Attachment, Heard
from dialogue.state.conversation import Conversation
from language.interpretation import DialogueAct, Entity, Intent, Interpretation, Span


class EnvironmentMoveKind(StrEnum):
    REQUEST = "request"
    """The user asks for the goal: the first move."""
    ANSWER = "answer"
    """The user gives the value that was asked for."""
    SKIP = "skip"
    """The user cannot answer, or will not."""
    AGREE = "agree"
    """The user consents; with a mode, to a call."""
    DECLINE = "decline"
    """The user does not consent; with a mode, not to a call."""
    COMES = "comes"
    """The skill that is called comes back with an outcome."""
    FAILS = "fails"
    """The skill that is called raises an error."""


COOPERATIVE = frozenset(
    (EnvironmentMoveKind.REQUEST, EnvironmentMoveKind.ANSWER, EnvironmentMoveKind.AGREE, EnvironmentMoveKind.COMES)
)
"""Moves of a user who answers whatever is asked, and of skills that come back."""


@dataclass(frozen=True, slots=True)
class EnvironmentMove:
    """One thing that happens. `subject` is a goal, a fact, whom consent is for, or a skill."""

    kind: EnvironmentMoveKind
    subject: str
    mode: str | None = None
    outcome: str | None = None

    @property
    def of_skill(self) -> bool:
        return self.kind in (EnvironmentMoveKind.COMES, EnvironmentMoveKind.FAILS)


def moves_of_user(conversation: Conversation) -> tuple[EnvironmentMove, ...]:
    """List the fates of the open question; none if nothing that a goal needs is asked."""
    pending = conversation.questions.pending
    if pending is None or pending.asked.about not in ("fact", "authorize", "confirm"):
        return ()
    yes, no = (
        (EnvironmentMoveKind.ANSWER, EnvironmentMoveKind.SKIP)
        if pending.asked.about == "fact"
        else (EnvironmentMoveKind.AGREE, EnvironmentMoveKind.DECLINE)
    )
    subject, mode = pending.asked.subject, pending.asked.mode if pending.asked.about == "confirm" else None
    return EnvironmentMove(yes, subject, mode), EnvironmentMove(no, subject, mode)


def moves_of_skill(catalog: Catalog, call: ForeseenCall, *, failures: bool) -> tuple[EnvironmentMove, ...]:
    """List what may come of a call: every outcome that is declared, and an error where these are asked for."""
    outcomes = catalog.skills[call.skill].modes[call.mode].outcomes
    came = tuple(EnvironmentMove(EnvironmentMoveKind.COMES, call.skill, call.mode, outcome) for outcome in outcomes)
    return (*came, EnvironmentMove(EnvironmentMoveKind.FAILS, call.skill, call.mode)) if failures else came


ERROR = "NotCalled: this call was only imagined, as one that fails"
_RULE = "explored"
_CONTROLS = {
    EnvironmentMoveKind.SKIP: (DialogueAct.SKIP, "I don't know"),
    EnvironmentMoveKind.AGREE: (DialogueAct.YES, "yes"),
    EnvironmentMoveKind.DECLINE: (DialogueAct.NO, "no"),
}


class ValueExamples:
    """An example of each fact's value, made once for a catalog."""

    def __init__(self, catalog: Catalog, today: date) -> None:
        self.catalog = catalog
        self.today = today
        self._made: dict[str, JsonValue] = {}

    def value(self, fact: str) -> JsonValue:
        if fact not in self._made:
            kind = self.catalog.facts[fact].value
            self._made[fact] = kind.check(kind.sample(self.today), self.today)
        return self._made[fact]

    def result(self, move: EnvironmentMove) -> Result:
        """Return what a skill returns with an outcome; a choice takes the option that is named like the outcome."""
        assert move.mode is not None
        assert move.outcome is not None
        outcome = self.catalog.skills[move.subject].modes[move.mode].outcomes[move.outcome]
        values = {name: _option(self.catalog.facts[name], outcome.name) or self.value(name) for name in outcome.facts}
        return Result(outcome.name, values)


def _option(fact: Fact, outcome: str) -> str | None:
    return next((option for option in fact.value.declared_options if option.replace(" ", "_") == outcome), None)


@dataclass(frozen=True, slots=True)
class ScriptedUtterance:
    """What the user says in a move, and what is understood by it."""

    text: str
    meaning: Interpretation
    attachments: tuple[Attachment, ...] = ()

    def heard(self, turn: int) -> Heard:
        return Heard(turn=turn, text=self.text, attachments=self.attachments)


def utter(examples: ValueExamples, move: EnvironmentMove) -> ScriptedUtterance:
    """Put a move of the user into words, and into the meaning that an understander would make of them."""
    if move.kind is EnvironmentMoveKind.REQUEST:
        goal = examples.catalog.goals[move.subject]
        text = next(iter(goal.examples), goal.label)
        return ScriptedUtterance(
            text, Interpretation(goals=(Intent(goal=goal.name, span=_whole(text), confidence=1.0),))
        )
    if move.kind is EnvironmentMoveKind.ANSWER:
        return _answer(examples, move.subject)
    control, text = _CONTROLS[move.kind]
    return ScriptedUtterance(text, Interpretation(control=control))


def _answer(examples: ValueExamples, fact: str) -> ScriptedUtterance:
    kind, value = examples.catalog.facts[fact].value, examples.value(fact)
    if kind.uploaded:
        files = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]
        return ScriptedUtterance("", Interpretation(), tuple(map(_attach, files)))
    text = kind.show(value)
    mention = Entity(fact=fact, value=value, span=_whole(text), rule=_RULE)
    return ScriptedUtterance(text, Interpretation(values=(mention,)))


def _attach(value: Mapping[str, JsonValue]) -> Attachment:
    return Attachment(
        sha256=str(value["attachment"]),
        name=str(value["name"]),
        media_type=str(value["media_type"]),
        size=int(str(value["size"])),
    )


def _whole(text: str) -> Span:
    return Span(start=0, end=len(text), text=text)


class ScriptedCaller:
    """Returns scripted outcomes of calls in order; the next call after that stops the conversation."""

    def __init__(self, examples: ValueExamples, moves: Iterable[EnvironmentMove] = ()) -> None:
        self._examples = examples
        self._moves = deque(moves)

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        if not self._moves:
            raise AboutToCall(ForeseenCall(skill, mode))
        move = self._moves.popleft()
        if (move.subject, move.mode) != (skill, mode):
            raise ValueError(f"The script has {move.subject} come back, but it is {skill} that was called.")
        if move.kind is EnvironmentMoveKind.FAILS:
            return NotReturned("raised", ERROR, 0.0)
        return Returned(self._examples.result(move), (), 0.0)

    def look_up(self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str) -> Told:
        """Tell nothing: what cannot be told is the worst that can happen."""
        return Untold("unknown")
