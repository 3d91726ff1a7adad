"""What was learned from one person: it survives, can be taken back, and moves nobody else's state."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.agents.feedback import Feedback
from dialogue.agents.learning.learner import FOLDER, LEARNING, Learned, Learner, fold
from dialogue.agents.model import Reaction, Stage
from dialogue.agents.orchestrators import ORCHESTRATORS, Orchestrator, OrchestratorOptions
from dialogue.agents.orchestrators.threshold import ThresholdOrchestrator
from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import Store

AT = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
NAMES = ("assistant", "books", "weather")
ALL = [make(OrchestratorOptions()) for make in ORCHESTRATORS.values()]


@st.composite
def feedbacks(draw: st.DrawFn) -> Feedback:
    confidences = draw(st.dictionaries(st.sampled_from(NAMES), st.floats(0, 1), min_size=1))
    agents = tuple(draw(st.lists(st.sampled_from(sorted(confidences)), unique=True, max_size=2)))
    reaction = draw(st.sampled_from(Reaction)) if agents else None
    return Feedback(stage=draw(st.sampled_from(Stage)), confidences=confidences, agents=agents, reaction=reaction)


def learner(store: Store, home: Path, name: str = "ann") -> Learner:
    return Learner(name, store, lambda: AT, home)


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    opened = SqliteStore(home / "test.db")
    yield opened
    opened.close()


FOLLOWED = Feedback(stage=Stage.BEFORE, confidences={"books": 0.7}, agents=("books",), reaction=Reaction.FOLLOWED)
IGNORED = FOLLOWED.model_copy(update={"reaction": Reaction.IGNORED})


@pytest.mark.row("C7")
@settings(max_examples=25)
@given(st.lists(feedbacks() | st.integers(0, 3), max_size=12), st.sampled_from(["go on", "restart", "lose", "spoil"]))
def test_what_is_replayed_is_what_was_learned_live_whatever_is_taken_back(steps: list[Any], then: str) -> None:
    """Each orchestrator knows at each step what the lessons that are kept teach, folded from the beginning."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        store = SqliteStore(home / "test.db")
        ann = learner(store, home)
        for place, step in enumerate(steps):
            if isinstance(step, Feedback):
                ann.learn(step, "s", place + 1)
            elif step <= len(ann.lessons.kept):
                ann.unlearn(ann.lessons.kept[step - 1].seq if step else 0)
            if then == "restart":
                ann = learner(store, home)
            for file in (home / FOLDER).rglob("*.json") if then in ("lose", "spoil") else ():
                file.unlink() if then == "lose" else file.write_text(file.read_text("utf-8")[:-9], "utf-8")
            for orchestrator in ALL:
                anew = fold(orchestrator, ann.lessons.kept)
                assert json.dumps(ann.state_of(orchestrator)[0]) == json.dumps(anew)
        store.close()


@pytest.mark.row("C7")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "\udcff",
        '{"version": 2, "options": "", "upto": 1, "state": {"version": 1}}',
        '{"version": 1, "options": "", "upto": 1, "state": {"version": 99}}',
        '{"version": 1, "options": "", "upto": 1, "state": {"version": 1, "thresholds": {"before": {"books": "x"}}}}',
    ],
)
def test_a_damaged_state_costs_one_warning_and_nothing_that_was_learned(
    store: Store, home: Path, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    threshold = ThresholdOrchestrator()
    before = learner(store, home)
    before.learn(FOLLOWED)
    known, upto = before.state_of(threshold)
    assert known != threshold.begin() and upto == 1
    (file,) = (home / FOLDER).rglob("*.json")
    good = file.read_bytes()
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with caplog.at_level(logging.WARNING):
        assert learner(store, home).state_of(threshold) == (known, 1)
    assert caplog.text.count("the state of the orchestrator threshold cannot be used") == 1
    assert file.read_bytes() == good
    assert learner(store, home).state_of(threshold) == (known, 1)
    assert caplog.text.count("cannot be used") == 1


def test_a_state_that_was_made_with_other_options_is_folded_anew(store: Store, home: Path) -> None:
    ann, threshold = learner(store, home), ThresholdOrchestrator()
    ann.learn(FOLLOWED)
    assert (
        ann.state_of(threshold, "one") == ann.state_of(threshold, "other") == learner(store, home).state_of(threshold)
    )


def test_a_state_that_cannot_be_saved_is_still_known(
    store: Store, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (home / FOLDER).write_text("no folder", encoding="utf-8")
    ann, threshold = learner(store, home), ThresholdOrchestrator()
    ann.learn(FOLLOWED)
    assert ann.state_of(threshold)[0] == threshold.observe(threshold.begin(), FOLLOWED)
    assert "was not saved" in caplog.text


@pytest.mark.row("C16")
def test_an_orchestrator_that_cannot_learn_starts_from_the_beginning(
    store: Store, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Slow(ThresholdOrchestrator):
        def observe(self, *_: object) -> Any:
            raise RuntimeError(f"canary-{AT.year}")

    ann = learner(store, home)
    ann.learn(FOLLOWED)
    assert ann.state_of(Slow()) == (Slow().begin(), 0)
    assert "could not learn: RuntimeError" in caplog.text and f"canary-{AT.year}" not in caplog.text
    assert learner(store, home).state_of(ThresholdOrchestrator())[1] == 1


@settings(max_examples=10)
@given(st.lists(feedbacks(), max_size=5), st.lists(feedbacks(), min_size=1, max_size=5))
def test_what_one_person_does_moves_nobody_elses_state(own: list[Feedback], poison: list[Feedback]) -> None:
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "test.db")
        ann, bob = learner(store, Path(folder)), learner(store, Path(folder), "bob")
        for one in own:
            ann.learn(one)
        before = [ann.state_of(orchestrator) for orchestrator in ALL]
        for one in poison:
            bob.learn(one)
        again = learner(store, Path(folder))
        assert [again.state_of(orchestrator) for orchestrator in ALL] == before
        store.close()


def test_a_choice_teaches_once_and_what_is_known_of_it_later_counts_instead(store: Store, home: Path) -> None:
    ann = learner(store, home)
    for feedback in (IGNORED, IGNORED, FOLLOWED):
        ann.learn(feedback, "s", 4)
    ann.learn(FOLLOWED, "s", 9)
    assert [(one.entry, one.feedback) for one in ann.lessons.kept] == [(4, FOLLOWED), (9, FOLLOWED)]
    assert [type(entry.event).__name__ for entry in ann.log] == ["Learned", "Unlearned", "Learned", "Learned"]


def test_two_processes_may_learn_from_the_same_person(store: Store, home: Path) -> None:
    one, other = learner(store, home), learner(store, home)
    one.learn(FOLLOWED)
    other.learn(IGNORED)
    assert [lesson.feedback for lesson in other.lessons.kept] == [FOLLOWED, IGNORED]


def test_what_is_not_there_is_not_taken_back(store: Store, home: Path) -> None:
    ann = learner(store, home)
    ann.unlearn()
    assert ann.log == ()
    ann.learn(FOLLOWED)
    with pytest.raises(LookupError, match=r"has the number 7\. There is: 1"):
        ann.unlearn(7)
    ann.unlearn(1)
    with pytest.raises(LookupError, match="There is: nothing"):
        ann.unlearn(1)


def test_what_was_learned_can_be_handed_out_and_deleted(store: Store, home: Path) -> None:
    ann = learner(store, home, "../ann / x")
    ann.learn(FOLLOWED, "s", 4)
    ann.unlearn(1)
    ann.learn(IGNORED, "s", 9)
    ann.state_of(ThresholdOrchestrator())
    told: Any = ann.to_json()
    assert [(row["entry"], row["taken_back"], row["reward"]) for row in told["lessons"]] == [
        (1, True, 1),
        (3, False, -0.3),
    ]
    assert [path.parent.parent for path in home.rglob("threshold.json")] == [home / FOLDER]
    ann.forget()
    assert ann.log == () and not [*home.rglob("threshold.json")]
    assert learner(store, home, "../ann / x").log == ()
    ann.forget()


def test_only_what_was_learned_stands_in_such_a_stream(store: Store, home: Path) -> None:
    from dialogue.agents.learning.learner import lessons_of
    from dialogue.log.events import Entry, TurnEnded

    assert {event.__name__ for event in LEARNING.events} == {"Learned", "Unlearned"}
    with pytest.raises(LookupError, match="from which nothing is learned"):
        lessons_of([Entry(seq=1, at=AT, event=TurnEnded(turn=1))])
    assert lessons_of([Entry(seq=1, at=AT, event=Learned(feedback=FOLLOWED))]).kept[0].feedback == FOLLOWED


def test_every_orchestrator_has_a_name_of_its_own() -> None:
    made: list[Orchestrator] = ALL
    assert [one.name for one in made] == list(ORCHESTRATORS)
