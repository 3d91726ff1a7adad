"""Forks of conversations at random over invented catalogs: they touch nothing, and leave the record as it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from catalog.model import Catalog
from dialogue.forks.answers import ValueSource
from dialogue.forks.changes import BadChange, Say, SupposedOutcome
from dialogue.forks.rerun import ForkRun
from dialogue.log.events import Calling, Established, Log, Ran
from dialogue.services.forks import NoDecision
from tests.dialogue.forks.histories import SIMULATION, History, history


def fork_and_judge(talk: History, count: int) -> int:
    """Fork a conversation with changes at random; return how many forks there were."""
    services, session = talk.services, talk.session
    before = services.snapshot(session)
    encoded = [entry.model_dump_json() for entry in before.log]
    made = 0
    for _ in range(count):
        del talk.caller.calls[:]
        changes = talk.draw_changes()
        at = talk.dice.choice([None, talk.dice.randint(1, len(before.log))])
        with suppress(BadChange, NoDecision):
            run = services.forks.what_if(session, changes, at=at).run
            made += 1
            assert run.at <= (len(before.log) if at is None else at)
            assert [entry.model_dump_json() for entry in run.log[: run.at]] == encoded[: run.at]
            assert [entry.seq for entry in run.log] == list(range(1, len(run.log) + 1))
            judge_sources(talk, run)
        for skill, endpoint, values in talk.caller.calls:
            assert endpoint == SIMULATION, f"{skill} was called in the world"
            assert sensitive_of(before.catalog, skill).isdisjoint(values), f"{skill} was given something sensitive"
    after = services.snapshot(session)
    assert [entry.model_dump_json() for entry in after.log] == encoded
    return made


def sensitive_of(catalog: Catalog, skill: str) -> set[str]:
    declared = catalog.skills[skill]
    return {fact for fact in declared.takes if catalog.facts[fact].sensitive or fact in declared.sensitive}


def judge_sources(talk: History, run: ForkRun) -> None:
    """Compare where a fork says that its values come from with the record and with what was supposed."""
    record = talk.services.snapshot(talk.session).log
    recorded = {(event.skill, event.mode, tuple(sorted(values.items()))) for event, values in calls_in(record)}
    supposed = {one.skill for one in run.changes if isinstance(one, SupposedOutcome)}
    said = {one.fact for one in run.changes if isinstance(one, Say)}
    for event, values in calls_in(run.log):
        source = run.calls.get(event.call_id)
        key = event.skill, event.mode, tuple(sorted(values.items()))
        if source is ValueSource.RECORDED:
            assert key in recorded
        elif source is ValueSource.SUPPOSED:
            assert event.skill in supposed
        elif source is ValueSource.COMPUTED:
            assert run.catalog.skills[event.skill].simulate is not None
    for entry in run.log[run.at :]:
        match entry.event:
            case Established(source="user", fact=fact) if fact in said:
                assert run.source_of_entry(entry.seq) is ValueSource.SUPPOSED


def calls_in(log: Log) -> Iterator[tuple[Ran, dict[str, str]]]:
    """Yield the calls of a log that came back, with the values of their inputs, as text."""
    calling: Calling | None = None
    for entry in log:
        if isinstance(entry.event, Calling):
            calling = entry.event
        elif isinstance(entry.event, Ran) and calling is not None:
            given = {name: log[seq - 1].event for name, seq in calling.input_events.items()}
            yield (
                entry.event,
                {name: str(event.value) for name, event in given.items() if isinstance(event, Established)},
            )


def decide_anew(talk: History) -> None:
    """Decide a conversation anew: it comes out as it did, and nothing is called."""
    del talk.caller.calls[:]
    found = talk.services.forks.replay(talk.session)
    assert found.differs is None, (talk.caller.seed, found)
    assert not found.ends_elsewhere
    assert not talk.caller.calls


@pytest.mark.row("F1", "F2")
@pytest.mark.parametrize("chunk", range(3))
def test_a_conversation_decided_anew_comes_out_as_it_did_and_a_fork_leaves_the_record_as_it_is(
    chunk: int, home: Path
) -> None:
    made = 0
    for seed in range(chunk * 1_000, chunk * 1_000 + 12):
        with history(home, seed) as talk:
            decide_anew(talk)
            made += fork_and_judge(talk, 8)
    assert made > 40


@pytest.mark.long
@pytest.mark.row("F1")
@pytest.mark.parametrize("chunk", range(10))
def test_ten_thousand_forks_touch_nothing(chunk: int, home: Path) -> None:
    made, seed = 0, 100_000 * (chunk + 1)
    while made < 1_000:
        seed += 1
        with history(home, seed) as talk:
            made += fork_and_judge(talk, 25)


@pytest.mark.long
@pytest.mark.row("F2")
@pytest.mark.parametrize("chunk", range(10))
def test_a_thousand_conversations_decided_anew_come_out_as_they_did(chunk: int, home: Path) -> None:
    for seed in range(200_000 + chunk * 1_000, 200_100 + chunk * 1_000):
        with history(home, seed) as talk:
            decide_anew(talk)


@pytest.mark.row("F3")
def test_no_value_of_a_simulation_that_disagrees_with_the_record_is_shown(home: Path) -> None:
    used = distrusted = 0
    for seed in range(24):
        with history(home, seed, lies=True) as talk:
            seen = talk.services.snapshot(talk.session)
            recorded = {event.skill for event, _ in calls_in(seen.log) if seen.log and event.outputs}
            for _ in range(12):
                with suppress(BadChange, NoDecision):
                    run = talk.services.forks.what_if(talk.session, talk.draw_changes()).run
                    skills = {e.event.call_id: e.event.skill for e in run.log if isinstance(e.event, Calling)}
                    computed = {skills[call] for call, source in run.calls.items() if source is ValueSource.COMPUTED}
                    used += len(computed)
                    distrusted += len(run.distrusted)
                    assert not computed & recorded
    assert distrusted > 0
