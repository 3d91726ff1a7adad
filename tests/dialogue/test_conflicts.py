"""Who writes to a conversation while another program does is not told so: it is written anew, or refused in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.log.events import Heard, Renamed, Replied
from dialogue.log.stores import Conflict, StoreFailed, embedded_url, open_store
from dialogue.services import Services
from tests.dialogue.toys import BEHAVIOUR, open_toys
from tests.examples import examples


@contextmanager
def processes(home: Path, count: int = 2) -> Iterator[list[Services]]:
    BEHAVIOUR.__init__()  # type: ignore[misc]
    opened = [open_toys(open_store(embedded_url(home))) for _ in range(count)]
    try:
        yield opened
    finally:
        for services in opened:
            services.close()


def names(services: Services, session: str) -> list[str]:
    return [entry.event.name for entry in services.snapshot(session).log if isinstance(entry.event, Renamed)]


@settings(max_examples=examples(10))
@given(st.lists(st.integers(0, 2), max_size=9))
def test_what_several_processes_write_in_any_order_is_all_there_in_that_order(
    tmp_path_factory: pytest.TempPathFactory, turns: list[int]
) -> None:
    with processes(tmp_path_factory.mktemp("several"), 3) as opened:
        session = opened[0].start("toys")
        for services in opened:
            services.snapshot(session)  # each holds the conversation as it was
        for number, who in enumerate(turns):
            opened[who].rename(session, f"name {number}")
        opened[0].rename(session, "last")
        assert names(opened[0], session) == [*(f"name {number}" for number in range(len(turns))), "last"]


@settings(max_examples=6)
@given(st.integers(0, 5))
def test_a_program_that_writes_without_asking_costs_tries_and_is_told_only_if_it_never_ends(
    tmp_path_factory: pytest.TempPathFactory, times: int
) -> None:
    """Whatever happens, what was said is there once or not at all, and no conflict is ever shown."""
    with processes(tmp_path_factory.mktemp("meddling")) as (services, other):
        session = services.start("toys")
        append, left = services._store.append, [times]

        def meddled(stream: Any, entries: Any) -> None:
            if left[0] and entries[0].kind == "renamed":
                left[0] -= 1
                raise Conflict("another was first")
            append(stream, entries)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(services._store, "append", meddled)
            if times < 3:
                services.rename(session, "mine")
            else:
                with pytest.raises(StoreFailed, match=r"Nothing was written; try again\."):
                    services.rename(session, "mine")
        assert names(other, session) == (["mine"] if times < 3 else [])
        services.rename(session, "again")
        assert names(services, session)[-1] == "again"


def test_two_processes_that_talk_at_once_lose_nothing_and_say_nothing_twice(home: Path) -> None:
    with processes(home) as opened:
        session = opened[0].start("toys")

        def talk(services: Services, who: str) -> list[str]:
            texts = [f"a={who}{number}" for number in range(8)]
            for text in texts:
                services.say(session, text, command_id=text)
                services.say(session, text, command_id=text)
            assert services.wait(session, 120)
            return texts

        with ThreadPoolExecutor(2) as pool:
            said = [text for texts in pool.map(talk, opened, "xy") for text in texts]
        opened[0].rename(session, "last")  # with it, what the other one has written is taken up
        assert opened[0].wait(session, 60)
        log = opened[0].snapshot(session).log
        assert Counter(entry.event.text for entry in log if isinstance(entry.event, Heard)) == Counter(said)
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
        ended = Counter(entry.event.kind for entry in log)
        assert ended["turn_started"] == ended["turn_ended"] == len(said)
        assert not any("went wrong" in entry.event.text for entry in log if isinstance(entry.event, Replied))
