"""What the page looks at: a session in which agents were asked, with everything that its log tells of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from catalog.wording.agents import say_silence, say_verdict
from dialogue.agents.events import Broadcast
from dialogue.agents.record import Recorded, recorded
from dialogue.log.streams import Log
from pages.shell.sheet import shorten


@dataclass(frozen=True)
class Recording:
    """A session, by the name that it has in the address; all its texts go through `text`, which masks them.

    `fact` returns the label of a fact.
    `session` is the conversation, if it is one, and `learner` the one who learned from it: none did from what comes
    with the product. `thresholds` are those that held at each moment, as far as they are known.
    """

    source: str
    title: str
    log: Log
    text: Callable[[str], str] = shorten
    fact: Callable[[str], str] = shorten
    session: str | None = None
    learner: str | None = None
    thresholds: Mapping[int, Mapping[str, float]] = field(default_factory=dict)

    @cached_property
    def moments(self) -> tuple[Recorded, ...]:
        return recorded(self.log)

    def took_ms(self, one: Recorded) -> Mapping[str, float]:
        event = self.log[one.broadcast - 1].event
        return event.took_ms if isinstance(event, Broadcast) else {}

    def why(self, one: Recorded) -> dict[str, str]:
        took = self.took_ms(one)
        silences = {
            silence.agent: say_silence(silence.reason, self.text(silence.detail), took.get(silence.agent))
            for silence in one.moment.answers.silent
        }
        drawn = one.moment.choice.seed is not None
        return {
            verdict.agent: say_verdict(
                verdict.agent,
                verdict.why,
                verdict.score,
                verdict.against,
                verdict.other,
                drawn=drawn,
                silence=silences.get(verdict.agent, ""),
            )
            for verdict in one.moment.choice.verdicts
        }
