"""Several processes on any store: one at a time works on a conversation, and what one that died began is finished."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from dialogue.log.events import CONVERSATION
from dialogue.log.stores import STORES, Store, embedded_url, open_store
from dialogue.log.stores.protocol import StreamId
from dialogue.services.services import Services
from tests.dialogue.killed_process import PROCESSES, talk
from tests.dialogue.toys import BEHAVIOUR, open_toys
from tests.postgresql import Cluster
from tests.waiting import wait_until

ROUNDS = 100
"""So many rounds has each of ten conversations."""


@pytest.fixture(params=STORES, ids=str)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return embedded_url(tmp_path)
    cluster: Cluster = request.getfixturevalue("postgresql")
    return cluster.make_database()


@pytest.fixture
def both(url: str) -> Iterator[tuple[Services, Services]]:
    BEHAVIOUR.__init__()  # type: ignore[misc]
    pair = open_toys(open_store(url)), open_toys(open_store(url))
    yield pair
    BEHAVIOUR.gate.set()
    for services in pair:
        services.close()


def events(services: Services, session: str, kind: str):  # type: ignore[no-untyped-def]
    return [entry.event for entry in services.snapshot(session).log if entry.event.kind == kind]


def test_what_one_process_writes_is_seen_in_another_without_asking(both: tuple[Services, Services]) -> None:
    one, other = both
    session = one.start("toys")
    assert other.snapshot(session).conversation.messages.turn == 0
    one.say(session, "goal toy")
    wait_until(lambda: other.snapshot(session).conversation.questions.pending)
    assert other.snapshot(session).log == one.snapshot(session).log
    other.say(session, "wish=red")
    wait_until(lambda: one.snapshot(session).conversation.facts.known.get("wish"))
    wait_until(lambda: one.snapshot(session).log == other.snapshot(session).log)


def judge_what_was_said(all_services: Sequence[Services], session: str, said: Sequence[str]) -> list[str]:
    """Each text was heard once and answered once, whichever process is asked; return them in their order."""
    for services in all_services:
        wait_until(lambda services=services: not services.snapshot(session).conversation.busy)  # type: ignore[misc]
        wait_until(lambda services=services: len(events(services, session, "turn_ended")) >= len(said))  # type: ignore[misc]
        assert Counter(event.text for event in events(services, session, "heard")) == Counter(said)
        log = services.snapshot(session).log
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
        assert (
            len(events(services, session, "turn_started")) == len(events(services, session, "turn_ended")) == len(said)
        )
        assert not any("went wrong" in event.text for event in events(services, session, "replied"))
    logs = [services.snapshot(session).log for services in all_services]
    assert all(log == logs[0] for log in logs)
    return [event.text for event in events(all_services[0], session, "heard")]


def test_two_processes_on_one_conversation_lose_nothing_and_do_nothing_twice(both: tuple[Services, Services]) -> None:
    session = both[0].start("toys")

    def say_all(services: Services, name: str) -> list[str]:
        texts = [f"a={name}{number}" for number in range(15)]
        for text in texts:
            services.say(session, text, command_id=text)
        assert services.wait(session, 300)
        return texts

    with ThreadPoolExecutor(len(both)) as pool:
        said = [text for texts in pool.map(say_all, both, "xy") for text in texts]
    judge_what_was_said(both, session, said)


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_rounds_of_two_processes_on_one_conversation(url: str, hundred: int) -> None:
    """In each round two programs say something at the same moment, while what was said before is still worked on."""
    looking = open_toys(open_store(url))
    session = looking.start("toys")
    talking = [start_talking(url, session) for _ in range(2)]
    said: list[str] = []
    for number in range(ROUNDS):
        texts = [f"a={name}{hundred}-{number}" for name in "xy"]
        for (_, orders), text in zip(talking, texts, strict=True):
            orders.send(text)
        assert [orders.recv() for _, orders in talking] == ["", ""], "nobody is told of a conflict"
        said += texts
    heard = judge_what_was_said([looking], session, said)
    rounds = [heard[2 * number : 2 * number + 2] for number in range(ROUNDS)]
    assert [sorted(texts) for texts in rounds] == [said[2 * number : 2 * number + 2] for number in range(ROUNDS)]
    first = Counter(texts[0][2] for texts in rounds)
    print(f"{ROUNDS} rounds; first was {dict(first)}")
    assert min(first["x"], first["y"]) >= ROUNDS / 20, "they have to be at it at the same time"
    for process, orders in talking:
        orders.send("")
        process.join(60)
    looking.close()


def start_talking(url: str, session: str) -> tuple[BaseProcess, Connection]:
    """Start a program that says what it is sent."""
    here, there = PROCESSES.Pipe()
    process = PROCESSES.Process(target=talk, args=(url, session, there), daemon=True)
    process.start()
    there.close()
    assert here.recv() == "ready"
    return process, here


def test_what_is_said_while_another_process_calls_a_skill_is_heard_after_it(both: tuple[Services, Services]) -> None:
    one, other = both
    session = one.start("toys")
    BEHAVIOUR.gate.clear()
    one.say(session, "goal trophy; a=first")
    wait_until(lambda: BEHAVIOUR.called("maker"))
    with ThreadPoolExecutor(1) as pool:
        said = pool.submit(other.say, session, "goal toy")
        wait_until(lambda: other.snapshot(session).conversation.calls.open)
        BEHAVIOUR.gate.set()
        said.result(60)
    wait_until(lambda: other.snapshot(session).conversation.questions.pending)
    assert BEHAVIOUR.called("maker") == 1
    assert [event.text for event in events(other, session, "heard")] == ["goal trophy; a=first", "goal toy"]


@contextmanager
def killed_while_calling(url: str, session: str, *texts: str) -> Iterator[None]:
    """Have another process say something, and kill it while it calls a skill."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.dialogue.another_process", url, session, *texts], stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"calling\n"
        yield
        process.kill()
    finally:
        process.kill()
        process.communicate()


def kinds(store: Store, session: str) -> list[str]:
    return [entry.kind for entry in store.read(StreamId(CONVERSATION.name, session))]


def test_what_a_process_had_begun_that_died_is_finished_by_another_that_nobody_asked(url: str) -> None:
    BEHAVIOUR.__init__()  # type: ignore[misc]
    here = open_toys(open_store(url))
    looking = open_store(url)
    session = here.start("toys")
    away = open_toys(open_store(url))  # has never had the conversation open
    here.close()
    with killed_while_calling(url, session, "goal trophy; a=first"):
        assert "turn_ended" not in kinds(looking, session)
    wait_until(lambda: "turn_ended" in kinds(looking, session))
    assert [goal.goal for goal in away.snapshot(session).conversation.goals.past] == ["trophy"]
    away.close()
    looking.close()


def test_an_irreversible_call_of_a_process_that_died_is_in_doubt_and_not_repeated(
    both: tuple[Services, Services], url: str
) -> None:
    here, _ = both
    session = here.start("toys")
    here.say(session, "goal prize; a=first; c=sea; secret=sesame")
    assert here.wait(session, 60)
    with killed_while_calling(url, session, "yes"):
        pass
    wait_until(lambda: events(here, session, "failed"))
    assert events(here, session, "failed")[-1].error == "in_doubt"
    assert BEHAVIOUR.called("giver") == 0
