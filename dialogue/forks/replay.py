"""A whole conversation decided anew, with the recorded inputs of people and the recorded answers of the world.

Nothing in the world is touched. The first entry that comes out otherwise is named: after a change of a catalog or of
the program this is a regression test over recorded conversations.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from typing import Any

from catalog.model import Catalog
from catalog.skills import SkillInput
from dialogue.caller import Caller, NotReturned, Returned, Told, Untold
from dialogue.context import TurnContext
from dialogue.forked import AboutToCall, ForeseenCall, Fork
from dialogue.forks.answers import Load, RecordedCall, recorded_calls
from dialogue.log.events import Alerted, Configured, Event, Heard, LikelihoodsChosen, Log, Renamed, Revealed, TaskNews
from dialogue.log.streams import Journal
from dialogue.state.conversation import Conversation, project
from dialogue.turn import work_on_fork

MakeTurn = Callable[[Journal[Event, Conversation], Caller, Executor], TurnContext]
"""Makes the context of a turn of the conversation with a journal, a caller, and what improves plans meanwhile."""
_INPUTS = (Heard, Alerted, TaskNews, Configured, Renamed, Revealed, LikelihoodsChosen)
"""What people and the surroundings put into a conversation: it is taken from the record, and not decided anew."""
_MEASURED = frozenset({"seconds", "explained_seconds"})


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """A replay beside its record: the first entry that differs, what stands there, and how the goals ended.

    `replayed` is None where the replay has ended before that entry. `stopped` is a call that was never made in the
    record, so that nothing tells its outcome.
    """

    entries: int
    differs: int | None
    recorded: Event | None
    replayed: Event | None
    ended: tuple[tuple[str, str], ...]
    ends: tuple[tuple[str, str], ...]
    stopped: ForeseenCall | None = None

    @property
    def ends_elsewhere(self) -> bool:
        return self.ended != self.ends or self.stopped is not None


class _InStep(Fork):
    """The journal of a replay: as long as it is in step with the record, inputs come in where they came in there."""

    def __init__(self, record: Log, begun: int) -> None:
        super().__init__(record[:begun])
        self.record = record
        self.differs: int | None = None
        self.inputs = deque(entry for entry in record[begun:] if isinstance(entry.event, _INPUTS))

    def add(self, event: Event) -> int:
        while self._input_is_due():
            self.put_in()
        seq = super().add(event)
        recorded = self.record[seq - 1].event if seq <= len(self.record) else None
        if self.differs is None and (recorded is None or _essence(event) != _essence(recorded)):
            self.differs = seq
        return seq

    def put_in(self) -> None:
        """Take the next input from the record."""
        event = self.inputs.popleft().event
        if self.differs is not None and isinstance(event, Heard | Alerted):
            event = event.model_copy(update={"turn": self.state.messages.turn + 1, "seen": None})
        super().add(event)

    def _input_is_due(self) -> bool:
        seq = len(self.log) + 1
        return self.differs is None and bool(self.inputs) and self.inputs[0].seq == seq


def _essence(event: Event) -> object:
    """Return what an event says, without what is measured and what another release may add."""
    return event.kind, _without_times(event.model_dump(mode="json"))


def _without_times(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _without_times(value) for key, value in found.items() if key not in _MEASURED}
    return [_without_times(one) for one in found] if isinstance(found, list) else found


@dataclass
class _Answers:
    """Answers calls as the record says: each of its calls once, in their order, then the last of them again."""

    record: list[RecordedCall]
    load: Load

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        """Return the recorded result. Raises AboutToCall for a call that is not on record."""
        same = [
            one
            for one in self.record
            if (one.skill, one.mode) == (skill, mode)
            and {name: self.load(value) for name, value in one.values.items()} == values
        ]
        if not same:
            raise AboutToCall(ForeseenCall(skill, mode))
        if len(same) > 1:
            self.record.remove(same[0])
        return same[0].result

    def look_up(self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str) -> Told:
        """Return what the skill's own lookup said in the record."""
        for one in reversed(self.record):
            if (one.skill, one.mode) == (skill, mode) and isinstance(one.result, NotReturned) and one.result.told:
                return one.result.told
        return Untold("unknown")


class _AtOnce(Executor):
    """Does work when it is submitted, so that a replay does not depend on which thread comes first."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def replay(catalog: Catalog, log: Log, make_turn: MakeTurn, load: Load) -> ReplayResult:
    """Decide a conversation anew from its first input on."""
    begun = next((entry.seq for entry in log if isinstance(entry.event, _INPUTS)), len(log) + 1) - 1
    fork = _InStep(log, begun)
    answers = _Answers(list(recorded_calls(catalog, log)), load)
    stopped = None
    while stopped is None and (fork.state.busy or fork.inputs):
        if fork.state.busy:
            stopped = work_on_fork(make_turn(fork, answers, _AtOnce()), fork)
        else:
            fork.put_in()
    differs = fork.differs
    if differs is None and (stopped is not None or len(fork.log) < len(log)):
        differs = len(fork.log) + 1
    return ReplayResult(
        len(log),
        differs,
        log[differs - 1].event if differs is not None and differs <= len(log) else None,
        fork.log[differs - 1].event if differs is not None and differs <= len(fork.log) else None,
        _endings(project(log)),
        _endings(fork.state),
        stopped,
    )


def _endings(conversation: Conversation) -> tuple[tuple[str, str], ...]:
    """List the goals that were requested with how each ended, and the last outcome of each skill that was called."""
    goals = conversation.goals
    ends = [(goal.goal, goal.status) for goal in (*goals.past, *reversed(goals.stack))]
    last = {call.calling.skill: getattr(call.result, "outcome", "failed") for call in conversation.calls.made}
    return (*ends, *last.items())
