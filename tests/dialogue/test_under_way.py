"""What is under way is told by its name, and what is likely to be needed is prepared before it is asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from catalog.load import loads
from catalog.model import Catalog
from dialogue.caller import SkillCaller
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.state.conversation import project
from language.interpretation import Context, Interpretation
from planning.engines import DEFAULT_ENGINE, ENGINES
from tests.dialogue.office import CATALOG as OFFICE
from tests.dialogue.toys import BEHAVIOUR, CATALOG, Notation, Toybox


@dataclass
class Gate:
    """Lets nobody through until it is opened; tells when somebody has come."""

    came: threading.Event = field(default_factory=threading.Event)
    open: threading.Event = field(default_factory=threading.Event)

    def pass_through(self) -> None:
        self.came.set()
        assert self.open.wait(30)


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.open.set()


def test_while_an_utterance_is_read_it_is_told_that_it_is_being_understood(home: Path, gate: Gate) -> None:
    class Slow(Notation):
        def understand(self, text: str, context: Context) -> Interpretation:
            gate.pass_through()
            return super().understand(text, context)

    loaded = loads(CATALOG, file="toys.yaml")
    services = Services(SqliteStore(home / "sessions.db"), {"toys": loaded}, understander=Slow)
    session = services.start("toys")
    assert services.snapshot(session).phase is None
    services.say(session, "goal trophy")
    assert gate.came.wait(30)
    assert services.snapshot(session).phase == "understanding"
    gate.open.set()
    assert services.wait(session, 30)
    assert services.snapshot(session).phase is None
    services.close()


def test_while_a_plan_is_made_it_is_told_that_it_is_being_planned(
    home: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = ENGINES[DEFAULT_ENGINE]

    class Slow:
        def __getattr__(self, name: str) -> Any:
            return getattr(engine, name)

        def solve(self, *args: Any, **more: Any) -> Any:
            gate.pass_through()
            return engine.solve(*args, **more)

    monkeypatch.setitem(ENGINES, DEFAULT_ENGINE, Slow())
    box = Toybox(home)
    box.services.say(box.session, "goal trophy")
    assert gate.came.wait(30)
    assert box.services.snapshot(box.session).phase == "planning"
    gate.open.set()
    assert box.services.wait(box.session, 30)
    box.services.close()


def test_while_a_skill_works_it_is_told_that_it_is_called(home: Path, gate: Gate) -> None:
    box = Toybox(home)
    made = BEHAVIOUR.maker

    def slow(values: Any) -> object:
        gate.pass_through()
        return made(values)

    BEHAVIOUR.maker = slow
    box.services.say(box.session, "goal trophy; a=first")
    assert gate.came.wait(30)
    seen = box.services.snapshot(box.session)
    assert (seen.phase, seen.conversation.activity) == ("calling", "maker")
    gate.open.set()
    assert box.services.wait(box.session, 30)
    box.services.close()


def test_at_each_entry_of_a_log_a_phase_is_told_just_while_there_is_work(home: Path) -> None:
    box = Toybox(home)
    for said in ("goal prize; a=first", "secret=4711", "yes", "goal toy", "why prize", "wish=red"):
        box.say(said)
    phases = [(now, now.phase) for now in (project(box.log[:end]) for end in range(1, len(box.log) + 1))]
    assert all((phase is None) == (not now.busy) for now, phase in phases)
    assert all((phase == "calling") == (now.activity is not None) for now, phase in phases)
    assert {phase for _, phase in phases} == {None, "understanding", "planning", "calling", "working"}
    box.services.close()


def test_the_catalog_that_is_looked_at_is_prepared_first_and_then_the_others(home: Path) -> None:
    prepared: list[str] = []

    class Noted(Notation):
        def __init__(self, catalog: Catalog) -> None:
            super().__init__(catalog)
            self.name = catalog.name

        def warm(self) -> None:
            prepared.append(self.name)
            if len(prepared) == 2:
                done.set()

    done = threading.Event()
    loaded = {"toys": loads(CATALOG, file="toys.yaml"), "office": loads(OFFICE, file="office.yaml")}
    services = Services(SqliteStore(home / "sessions.db"), loaded, understander=Noted)
    services.warm_all("office")
    assert done.wait(30)
    services.warm_all("toys")
    services.close()
    assert prepared == ["office", "toys"]


def test_of_catalogs_that_are_not_looked_at_no_skills_are_loaded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    came: list[str] = []
    monkeypatch.setattr(SkillCaller, "warm", lambda _, catalog: came.append(f"skills of {catalog.name}"))

    class Noted(Notation):
        def __init__(self, catalog: Catalog) -> None:
            super().__init__(catalog)
            self.name = catalog.name

        def warm(self) -> None:
            came.append(self.name)
            if self.name == "toys":
                learned.set()

    learned = threading.Event()
    loaded = {"toys": loads(CATALOG, file="toys.yaml"), "office": loads(OFFICE, file="office.yaml")}
    services = Services(SqliteStore(home / "sessions.db"), loaded, understander=Noted)
    services.warm_all("office")
    assert learned.wait(30)
    services.close()
    assert came == ["office", "skills of office", "toys"]


def test_what_is_made_ready_before_the_first_answer_is_told_with_how_far_it_is(home: Path, gate: Gate) -> None:
    class Slow(Notation):
        def warm(self) -> None:
            gate.pass_through()

        def understand(self, text: str, context: Context) -> Interpretation:
            assert gate.open.wait(30)
            return super().understand(text, context)

    loaded = loads(CATALOG, "toys.yaml")
    services = Services(SqliteStore(home / "sessions.db"), {"toys": loaded}, understander=Slow)
    session = services.start("toys")
    services.warm("toys")
    assert gate.came.wait(60)
    assert services.snapshot(session).preparing == "", "nobody waits for it"
    services.say(session, "goal toy")
    examples = sum(len(goal.examples) for goal in loaded.catalog.goals.values())
    assert services.snapshot(session).preparing == f"learning from {examples} examples (step 2 of 2)"
    gate.open.set()
    assert services.wait(session, 30)
    assert services.snapshot(session).preparing == ""
    services.close()
