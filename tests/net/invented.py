"""Conversations over catalogs that are generated: every entry of their logs, and every explanation at their end.

What is said is in the notation of the toys, so that nothing has to be learned from a catalog (`tests/conversations`).
What each speaker says is recorded, and said again as it stands: a difference in what is asked leads to no other talk.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from catalog.load import loads
from dialogue.log.stores import SqliteStore
from dialogue.services import Services, Upload
from tests.conversations.invented import Machines
from tests.conversations.speaker import Speaker
from tests.conversations.stage import Stage, Step
from tests.conversations.worlds import INVENTED, draw_catalog
from tests.dialogue.toys import Notation
from tests.net import normal, walks
from tests.net.normal import Entry
from tests.net.recordings import Line, line

CATALOGS = 300
IN_EVERY_RUN = 12
"""So many are played in every run, the first ones."""


def is_long(number: int) -> bool:
    return number >= IN_EVERY_RUN


def record(numbers: Iterable[int], recorded: Sequence[Line], *, asked: bool = True) -> Iterator[Line]:
    """Play the conversations of some catalogs: as they were recorded; those that were not are drawn.

    Explanations are a line of their own, where they are to be `asked` for.
    """
    known = {one["id"]: one for one in recorded}
    for number in numbers:
        name = f"invented {number:03}"
        kept = known.get(name)
        catalog = kept["catalog"] if kept else draw_catalog(number)
        steps = [Step.read(one) for one in kept["steps"]] if kept else _draw(catalog, number)
        log, told = _play(catalog, number, steps, asked)
        yield {**line(name, log), "catalog": catalog, "steps": [_plain(one) for one in steps]}
        if asked:
            yield line(f"{name} / asked at the end", told)


def _draw(catalog: str, number: int) -> list[Step]:
    """Let somebody talk at random, and return what they said."""
    with TemporaryDirectory() as folder, closing(_open(Path(folder), catalog, number)) as services:
        dice = random.Random(number)
        stage = Stage(lambda: services, INVENTED, services)
        speaker = Speaker(stage, dice)
        for _ in range(dice.randint(6, 14)):
            stage.play(speaker.next())
        return stage.steps


def _play(catalog: str, number: int, steps: Sequence[Step], asked: bool) -> tuple[list[Entry], list[Entry]]:
    with TemporaryDirectory() as folder, closing(_open(Path(folder), catalog, number)) as services:
        session = services.start(INVENTED)
        pages = [0]
        for step in steps:
            seen = pages[max(0, len(pages) - 1 - step.seen)]
            if step.alert:
                services.alert(session, step.alert, step.facts)
            else:
                picture = Upload(step.upload, "image/png", b"\x89PNG\r\n\x1a\n" + step.upload.encode())
                services.say(session, step.say, [picture] if step.upload else [], seen=seen)
            assert services.wait(session, 60)
            pages.append(len(services.snapshot(session).log))
        now = services.snapshot(session)
        return normal.stream(now.log, words_of=now.words_of), [*walks.explained(services, now)] if asked else []


def _open(folder: Path, catalog: str, number: int) -> Services:
    return Services(
        SqliteStore(folder / "sessions.db"),
        {INVENTED: loads(catalog, file="invented.yaml")},
        understander=Notation,
        caller=Machines(number),
        clock=lambda: walks.AT,
        today=walks.TODAY,
    )


_USUAL = Step()


def _plain(step: Step) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(json.dumps(asdict(step)))
    return {key: value for key, value in kept.items() if value not in ([], getattr(_USUAL, key))}
