"""What was said in a run, and whether it stands in the store: nothing lost, nothing twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dialogue.log.events import CONVERSATION, Heard
from dialogue.log.stores import open_store
from dialogue.log.stores.protocol import StreamId


@dataclass(frozen=True)
class Turn:
    """From the moment that something was said to the one at which its reply was there, by one clock for all."""

    began: float
    ended: float


@dataclass
class Talked:
    """What one person said, what of it was acknowledged, and the turns that were answered."""

    sessions: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)


@dataclass(frozen=True)
class Judged:
    """What a run came to: turns that ended while people talked, latencies of all turns, and counts of messages."""

    turns_a_second: float
    p50_ms: float
    p95_ms: float
    acknowledged: int
    lost: int
    twice: int
    unanswered: int

    @property
    def went_wrong(self) -> bool:
        """Return whether anything was lost, done twice or not answered."""
        return bool(self.lost or self.twice or self.unanswered)


@dataclass(frozen=True)
class Row:
    """One row of the table."""

    talking: str
    clients: int
    store: str
    processes: int
    memory_mb: float
    judged: Judged

    def write(self) -> str:
        """Write it as a row of Markdown."""
        one = self.judged
        figures = f"{one.turns_a_second:.1f} | {one.p50_ms:,.0f} | {one.p95_ms:,.0f} | {self.memory_mb:,.0f}"
        counts = f"{one.acknowledged:,} | {one.lost} | {one.twice} | {one.unanswered}"
        return f"| {self.talking} | {self.clients} | {self.store} | {self.processes} | {figures} | {counts} |"


HEAD = (
    "| talking | at once | store | processes | turns a second | p50, ms | p95, ms | memory, MB | acknowledged | lost "
    "| twice | unanswered |",
    "|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
)


def judge(url: str, talked: Sequence[Talked], began: float, seconds: float) -> Judged:
    """Look up in the store what was said; count what was acknowledged and is lost, and what is there twice."""
    lost, twice = compare(url, talked)
    turns = [turn for one in talked for turn in one.turns]
    taken = sorted(1_000 * (turn.ended - turn.began) for turn in turns) or [0.0]
    p50, p95 = (taken[min(len(taken) - 1, int(share * len(taken)))] for share in (0.5, 0.95))
    return Judged(
        turns_a_second=sum(turn.ended <= began + seconds for turn in turns) / seconds,
        p50_ms=p50,
        p95_ms=p95,
        acknowledged=sum(len(one.acknowledged) for one in talked),
        lost=lost,
        twice=twice,
        unanswered=sum(len(one.sent) - len(one.turns) for one in talked),
    )


def compare(url: str, talked: Iterable[Talked]) -> tuple[int, int]:
    """Return how many messages that were acknowledged are not in the store, and how many are there too often."""
    store = open_store(url)
    lost = twice = 0
    for one in talked:
        heard: Counter[str] = Counter()
        for session in one.sessions:
            log = CONVERSATION.decode_all(store.read(StreamId(CONVERSATION.name, session)))
            heard.update(entry.event.text for entry in log if isinstance(entry.event, Heard))
        lost += (Counter(one.acknowledged) - heard).total()
        twice += (heard - Counter(one.sent)).total()
    store.close()
    return lost, twice
