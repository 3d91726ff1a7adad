"""37 dialogues with scripted users in finch's room, with its four bots, through the services and the hub.

    python -m benchmarks.rooms.dialogues [--show] [--by paper|stranger|sealed]

`dialogues.yaml` says what people say, and which bots are to answer; `dialogues_sealed.yaml` (`--by sealed`) only what
people say: 37 longer dialogues by an author who had not seen the norms or the program. What was posted is judged by
`coherence`, which knows neither norms nor verdicts. The same dialogues are played without governance, where a bot may
send some messages only after each of a person, as they would never end; and all rooms at once. Prints tables for the
READMEs. With --show, also what was posted, and what came otherwise than it was meant.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from statistics import mean, pstdev, quantiles

import yaml

from benchmarks.rooms.coherence import BOTS, Found, find_violations
from catalog.endpoints import ALLOWED
from catalog.norms.message import Message
from dialogue.caller import SkillCaller
from dialogue.log.stores import SqliteStore
from dialogue.rooms.connectors.protocol import BOT_SECONDS
from dialogue.rooms.hub import RoomLimits
from dialogue.rooms.hub.replay import Counters
from dialogue.services.rooms.bots import python_bot
from dialogue.services.rooms.rooms import RoomServices

FILES = (Path(__file__).with_name("dialogues.yaml"), Path(__file__).with_name("dialogues_sealed.yaml"))
UNGOVERNED = RoomLimits(messages=12)
"""What a bot may say after each message of a person, where no norms hold it back."""
PATIENCE_S = 60.0
QUICK_MS = 100.0
WRITING_S = (4.0, 16.0)
"""So long people take to read and write, at least and at most, where many rooms are played at once."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a person says; if the author wrote that down, which bots are to answer (prompts aside), with some words."""

    person: str
    text: str
    bots: frozenset[str] | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What people say in one room; `by` whom it was written."""

    name: str
    by: str
    turns: tuple[Turn, ...]

    @property
    def people(self) -> tuple[str, ...]:
        """Who speaks in it."""
        return tuple(dict.fromkeys(one.person for one in self.turns))


@dataclass
class Outcome:
    """How a dialogue went: what was posted, its figures, and of each answer how long it took, in milliseconds."""

    dialogue: Dialogue
    posted: list[Message]
    counters: Counters
    took_ms: list[float] = field(default_factory=list)

    @property
    def violations(self) -> list[Found]:
        """What was not coherent."""
        return find_violations(self.posted)

    def surprises(self) -> Iterator[str]:
        """Yield what came otherwise than it was meant."""
        starts = [at for at, one in enumerate(self.posted) if one.sender not in BOTS]
        for turn, start, end in zip(self.dialogue.turns, starts, [*starts[1:], len(self.posted)], strict=True):
            answers = [one for one in self.posted[start + 1 : end] if not _prompts(one)]
            came = {one.sender for one in answers}
            if turn.bots is None:
                continue
            if came != turn.bots:
                yield f"“{turn.text}”: {_names(came)} instead of {_names(turn.bots)}"
            elif turn.words.lower() not in " ".join(one.text for one in answers).lower():
                yield f"“{turn.text}”: no “{turn.words}”"


def _names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nobody"


def _prompts(message: Message) -> bool:
    return all(one.values.get("prompts") for one in message.utterances)


@cache
def load_dialogues(*by: str) -> tuple[Dialogue, ...]:
    """Load the dialogues of some authors."""
    written = [one for file in FILES for one in yaml.safe_load(file.read_text(encoding="utf-8"))]
    return tuple(
        Dialogue(one["name"], one["by"], tuple(_read_turn(*turn) for turn in one["turns"]))
        for one in written
        if one["by"] in by
    )


def _read_turn(person: str, text: str, *meant: str | None) -> Turn:
    return Turn(person, text, frozenset((meant[0] or "").split()), meant[1] or "") if meant else Turn(person, text)


@contextmanager
def open_house(limits: RoomLimits | None = None) -> Iterator[RoomServices]:
    """Open the services of rooms over a store of their own, on disk."""
    with tempfile.TemporaryDirectory() as home:
        store = SqliteStore(Path(home) / "rooms.db")
        caller = SkillCaller(ALLOWED)
        rooms = RoomServices(
            store,
            lambda: datetime.now(UTC),
            lambda room: lambda name, written, conversations: python_bot(written, caller, BOT_SECONDS),
            lambda: limits or RoomLimits(),
        )
        rooms.warm()
        try:
            yield rooms
        finally:
            rooms.close()
            store.close()


def play(
    rooms: RoomServices, dialogue: Dialogue, *, governed: bool = True, pause: Callable[[], float] | None = None
) -> Outcome:
    """Play a dialogue: people wait until nobody has anything more to say, and then for a `pause`, in seconds."""
    room = rooms.open(governed=governed)
    for name in dialogue.people:
        rooms.join(room, name)
    rooms.wait(room, PATIENCE_S)
    for turn in dialogue.turns:
        if pause is not None:
            time.sleep(pause())
        rooms.say(room, turn.person, turn.text)
        if not rooms.wait(room, PATIENCE_S):
            raise TimeoutError(f"The room of {dialogue.name!r} is not done.")
    posted = [one.message for one in rooms.view(room).room.posted]
    return Outcome(dialogue, posted, rooms.counters(room), [*_times(posted)])


def _times(posted: Sequence[Message]) -> Iterator[float]:
    """Yield for each message of a bot how long after the one that it answers it was posted, in milliseconds."""
    at = {one.id: one.at for one in posted}
    for one in posted:
        asked = at.get(one.in_reply_to)
        if one.sender in BOTS and asked is not None and one.at is not None:
            yield (one.at - asked).total_seconds() * 1_000


def play_all(dialogues: Sequence[Dialogue], *, governed: bool = True) -> list[Outcome]:
    """Play dialogues one after the other."""
    with open_house(None if governed else UNGOVERNED) as rooms:
        return [play(rooms, one, governed=governed) for one in dialogues]


def play_at_once(
    rooms: RoomServices, dialogues: Sequence[Dialogue], pauses: tuple[float, float] | None = None
) -> list[Outcome]:
    """Play all dialogues at once, each in a room of its own; people pause so many seconds, from and to."""
    outcomes: dict[int, Outcome] = {}
    together = threading.Barrier(len(dialogues))

    def play_one(at: int) -> None:
        chance = Random(at)
        together.wait()
        outcomes[at] = play(rooms, dialogues[at], pause=None if pauses is None else lambda: chance.uniform(*pauses))

    threads = [threading.Thread(target=play_one, args=(at,)) for at in range(len(dialogues))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [outcomes[at] for at in sorted(outcomes)]


def main() -> None:
    """Play, and print tables."""
    parser = argparse.ArgumentParser(description="Play 37 dialogues with scripted users.")
    parser.add_argument("--show", action="store_true", help="print what was posted, and what came otherwise than meant")
    parser.add_argument("--by", choices=["paper", "stranger", "sealed"], help="only those")
    options = parser.parse_args()
    dialogues = load_dialogues(*([options.by] if options.by else ["paper", "stranger"]))
    governed = play_all(dialogues)
    if options.show:
        for outcome in governed:
            show(outcome)
    for author in dict.fromkeys(one.by for one in dialogues if one.turns[0].bots is not None):
        theirs = [one for one in governed if one.dialogue.by == author]
        right = sum(not [*one.surprises()] and not one.violations for one in theirs)
        print(f"as meant, of those by {author}: {right} of {len(theirs)}")
    with open_house() as rooms:
        written = play_at_once(rooms, dialogues, WRITING_S)
    with open_house() as rooms:
        at_once = play_at_once(rooms, dialogues)
    print_figures(governed, play_all(dialogues, governed=False))
    print_times({"one room at a time": governed, "all at once": written, "all at once, nobody writes": at_once})


def show(outcome: Outcome) -> None:
    """Print what was posted in a dialogue, what came otherwise than it was meant, and what was not coherent."""
    print(f"\n## {outcome.dialogue.name} ({outcome.dialogue.by})")
    for one in outcome.posted:
        print(f"  {one.sender}: {one.text}")
    for surprise in outcome.surprises():
        print(f"  !! {surprise}")
    for found in outcome.violations:
        print(f"  !! {found.violation.value}: {found.message.sender}: {found.message.text}")


def print_figures(governed: Sequence[Outcome], free: Sequence[Outcome]) -> None:
    """Print the figures beside those of the paper (Gatti de Bayser et al. 2018, §6)."""
    count = len(governed)
    print(f"\n| {count} dialogues | paper | under norms | without norms |\n|---|--:|--:|--:|")
    rows: tuple[tuple[str, str, Callable[[Sequence[Outcome]], str]], ...] = (
        ("messages of bots", "3,717", lambda runs: f"{sum(one.counters.judged_of_bots for one in runs):,}"),
        ("… of these posted", "963 (25.9 %)", _posted),
        ("… in a dialogue", "100 ± 49", lambda runs: _spread([one.counters.judged_of_bots for one in runs])),
        ("… posted in a dialogue", "26 ± 13", lambda runs: _spread([one.counters.posted_of_bots for one in runs])),
        ("messages posted in a dialogue, fewest", "", lambda runs: f"{min(len(one.posted) for one in runs)}"),
        ("coherent dialogues", "35 (94.6 %)", _coherent),
        ("violations found", "", lambda runs: f"{sum(len(one.violations) for one in runs):,}"),
    )
    for label, paper, figure in rows:
        print(f"| {label} | {paper} | {figure(governed)} | {figure(free)} |")
    kinds = Counter(found.violation for one in free for found in one.violations)
    print("\nwithout norms:", "; ".join(f"{kind.value} {times:,}" for kind, times in kinds.most_common()))
    fired: Counter[str] = Counter()
    for one in governed:
        fired.update(one.counters.transitions)
    total = sum(fired.values())
    shares = ", ".join(f"{name} {_percent(times, total)}" for name, times in fired.most_common() if times)
    silent = ", ".join(name for name, times in fired.items() if not times)
    print(f"transitions: {sum(map(bool, fired.values()))} of {len(fired)} fired: {shares}; not {silent}")


def print_times(runs: Mapping[str, Sequence[Outcome]]) -> None:
    """Print how long answers took."""
    print(f"\n| from a message to an answer | paper | {' | '.join(runs)} |\n|---|--:{'|--:' * len(runs)}|")
    took = [[ms for one in outcomes for ms in one.took_ms] for outcomes in runs.values()]
    rows: tuple[tuple[str, str, Callable[[Sequence[float]], str]], ...] = (
        ("mean, ms", "630 ± 400", lambda ms: f"{mean(ms):,.0f} ± {pstdev(ms):,.0f}"),
        ("p50, ms", "", lambda ms: f"{quantiles(ms, n=100)[49]:,.0f}"),
        ("p95, ms", "", lambda ms: f"{quantiles(ms, n=100)[94]:,.0f}"),
        (f"within {QUICK_MS:.0f} ms", "", lambda ms: _percent(sum(one <= QUICK_MS for one in ms), len(ms))),
    )
    for label, paper, figure in rows:
        print(f"| {label} | {paper} | {' | '.join(map(figure, took))} |")
    print(f"| coherent dialogues | | {' | '.join(map(_coherent, runs.values()))} |")


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"


def _posted(runs: Sequence[Outcome]) -> str:
    posted, judged = (sum(getattr(one.counters, of) for one in runs) for of in ("posted_of_bots", "judged_of_bots"))
    return f"{posted:,} ({_percent(posted, judged)})"


def _spread(counts: Sequence[int]) -> str:
    return f"{mean(counts):.0f} ± {pstdev(counts):.0f}"


def _coherent(runs: Sequence[Outcome]) -> str:
    right = sum(not one.violations for one in runs)
    return f"{right} ({_percent(right, len(runs))})"


if __name__ == "__main__":
    main()
