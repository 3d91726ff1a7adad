"""A conversation that is gone on with in memory alone, by the same code as any other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dialogue.context import TurnContext
from dialogue.execution.calls import resume_call
from dialogue.log.events import Calling, Entry, Event, Log, TurnEnded
from dialogue.log.forked import ForkedJournal, no_time
from dialogue.log.streams import Clock
from dialogue.state.conversation import CONVERSATION_FOLD, Conversation
from dialogue.turn import carry_on
from language.interpretation import Analysis, Context, Interpretation


@dataclass(frozen=True, slots=True)
class ForeseenCall:
    """A call that is about to be made: what the plan's next step says."""

    skill: str
    mode: str


class AboutToCall(BaseException):
    """A call whose outcome is not known is about to be made: what may come of it are several ways to go on.

    Not an error, and so never taken for one by code that goes on after errors.
    """

    def __init__(self, call: ForeseenCall) -> None:
        super().__init__(f"{call.skill} is about to be called")
        self.call = call


@dataclass(frozen=True, slots=True)
class ScriptedUnderstander:
    """An understander that knows what was meant."""

    meaning: Interpretation

    def understand(self, text: str, context: Context) -> Interpretation:
        """Return the scripted interpretation, whatever the words."""
        return self.meaning

    def analyse(self, text: str, context: Context) -> Analysis:
        """Return the scripted interpretation, with a trace of nothing else."""
        return Analysis(text, self.meaning)

    def warm(self) -> None:
        """Load nothing."""


class Fork(ForkedJournal[Event, Conversation]):
    """The journal of a conversation that is gone on with.

    A call that was begun can be taken back: the state before it is where its outcomes part. That of a call for each
    item of a list is not, once an item is done: it is gone on with.
    """

    def __init__(self, log: Log = (), conversation: Conversation | None = None, *, clock: Clock = no_time) -> None:
        """`conversation` is the state after the log, where it is known."""
        super().__init__(log, CONVERSATION_FOLD, state=conversation, clock=clock)
        self._before_call: tuple[int, Conversation] | None = None

    @classmethod
    def of(cls, log: Iterable[Entry]) -> Fork:
        """Go on from a whole log, whose entries become the fork's own."""
        fork = cls()
        for entry in log:
            fork.add(entry.event)
        return fork

    def add(self, event: Event) -> int:
        if isinstance(event, Calling):
            self._before_call = len(self.entries), self.state
        return super().add(event)

    def take_call_back(self) -> None:
        """Go back to the state before the last call was begun, unless an item of a list is done in it."""
        if self.state.calls.open_items:
            return
        assert self._before_call is not None
        self.go_back(*self._before_call)

    def work(self, turn: TurnContext) -> ForeseenCall | None:
        """Work on the next utterance, or on the turn that was begun; return the call that is to be made next, if any.

        A call is left open only where it was made for some items of a list: it is gone on with.
        """
        try:
            if turn.conversation.calls.open is not None:
                resume_call(turn, turn.conversation.calls.open)
            carry_on(turn)
        except AboutToCall as about:
            self.take_call_back()
            return about.call
        self.add(TurnEnded(turn=self.state.messages.turn))
        return None
