# ruff: noqa: E501 - a skill a line
"""A conversation with the workshop: what is said is read from a plain notation, and a table is made in stages only."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from catalog.load import load
from dialogue.log.events import CONVERSATION, Log, Replied
from dialogue.log.stores import SqliteStore
from dialogue.log.stores.protocol import StreamId
from dialogue.log.streams import Entry
from dialogue.services import Services
from dialogue.services.tasks.conversation_desk import settle, task_id_of
from dialogue.state.conversation import Conversation
from dialogue.tasks.state.events import TASK
from tests.dialogue.tasks.workshop import make
from tests.dialogue.toys import Notation

CATALOG = """
name: workshop
facts:
  plank: {description: A plank., askable: false}
  planks: {list_of: plank, value: {kind: list, most: 50}, askable: true}
  board: {askable: false}
  smooth: {label: smooth board, askable: false}
  smooths: {list_of: smooth, askable: false, value: {kind: list, most: 50}}
  screws: {description: Screws.}
  frame: {askable: false}
  paint: {description: Paint.}
  painted: {label: painted frame, askable: false}
  dried: {label: dry frame, askable: false}
  table: {askable: false}
  code: {label: code of the door, description: The code of the door., sensitive: true}
  delivered: {askable: false}
skills:
  saw: {endpoint: "python:tests.dialogue.tasks.workshop:saw", modes: {one: {inputs: [plank], outcomes: {cut: [board]}}}}
  sand: {endpoint: "python:tests.dialogue.tasks.chat_shop:sand", modes: {one: {inputs: [board], outcomes: {done: [smooth]}}}}
  screw:
    endpoint: "python:tests.dialogue.tasks.workshop:screw"
    modes: {all: {inputs: [smooths, screws], outcomes: {done: [frame]}}}
  brush: {endpoint: "python:tests.dialogue.tasks.chat_shop:brush", modes: {all: {inputs: [frame, paint], outcomes: {done: [painted]}}}}
  dry: {endpoint: "python:tests.dialogue.tasks.chat_shop:dry", modes: {all: {inputs: [painted], outcomes: {done: [dried]}}}}
  polish: {endpoint: "python:tests.dialogue.tasks.chat_shop:polish", modes: {all: {inputs: [dried], outcomes: {done: [table]}}}}
  deliver:
    endpoint: "python:tests.dialogue.tasks.chat_shop:deliver"
    effect: irreversible
    modes: {all: {inputs: [table, code], outcomes: {done: [delivered]}}}
methods:
  with_delivery:
    results: [delivered]
    given: [planks]
    stages:
      - {text: Make boards of the planks, results: [smooths], each: {plank: planks}}
      - {text: Screw them together, results: [frame]}
      - {text: Paint it, results: [painted]}
      - {text: Let it dry, results: [dried]}
      - {text: Polish it and bring it, results: [delivered]}
  by_hand:
    results: [table]
    given: [planks]
    stages:
      - {text: Make boards of the planks, results: [smooths], each: {plank: planks}}
      - {text: Screw them together, results: [frame]}
      - {text: Paint it, results: [painted]}
      - {text: Let it dry, results: [dried]}
      - {text: Polish it, results: [table]}
goals:
  table: {label: the table, facts: [table], examples: [make a table]}
  delivery: {label: the delivery, facts: [delivered], examples: [bring a table]}
  screws: {label: the screws, facts: [screws], examples: [find screws]}
"""
"""A table is made in stages only: each plank is sawn and sanded, and no skill does that for all of them."""

sand, brush = make("sand", "done", "smooth"), make("brush", "done", "painted")
dry, polish = make("dry", "done", "dried"), make("polish", "done", "table")
deliver = make("deliver", "done", "delivered")


class ChatShop:
    """Services over the workshop, with one conversation open."""

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.home = home
        self.file = home / "workshop.yaml"
        self.file.write_text(CATALOG, encoding="utf-8")
        self.services = self.open()
        self.session = self.services.start("workshop")

    def open(self) -> Services:
        """Open the services over what is stored."""
        return Services(
            SqliteStore(self.home / "sessions.db"),
            {"workshop": load(self.file)},
            understander=Notation,
            allowed=("tests.dialogue.tasks",),
            trusted=("tests.dialogue.tasks",),
            clock=lambda: datetime(2026, 11, 23, 12, tzinfo=UTC),
            today=date(2026, 11, 23),
        )

    def restart(self) -> None:
        """Close the services, and open the conversation again."""
        self.services.close()
        self.services = self.open()
        self.quiet()

    def put(self, log: Log, task: tuple[Entry, ...]) -> None:
        """Leave what was written by a program that was killed: the conversation, and its task."""
        self.home.mkdir(parents=True)
        store = SqliteStore(self.home / "sessions.db")
        store.append(StreamId(CONVERSATION.name, self.session), [CONVERSATION.encode(entry) for entry in log])
        if task:
            store.append(StreamId(TASK.name, self.task()), [TASK.encode(entry) for entry in task])
        store.close()

    def say(self, *texts: str) -> list[str]:
        """Say something, wait until nobody is at work, and return the answers."""
        before = self.now.seq
        for text in texts:
            self.services.say(self.session, text)
            self.quiet()
        return [entry.event.text for entry in self.log[before:] if isinstance(entry.event, Replied)]

    def quiet(self) -> None:
        """Wait until neither the assistant nor a task is at work."""
        self.services.snapshot(self.session)
        assert settle(self.services, self.session, 60)

    @property
    def now(self) -> Conversation:
        """The state of the conversation."""
        return self.services.snapshot(self.session).conversation

    @property
    def log(self) -> Log:
        """Its log."""
        return self.services.snapshot(self.session).log

    def task(self, number: int = 1) -> str:
        """Return the id of a task."""
        return task_id_of(self.session, number)

    def task_log(self, number: int = 1) -> tuple[Entry, ...]:
        """Return the log of a task."""
        return self.services.tasks.view(self.task(number)).log
