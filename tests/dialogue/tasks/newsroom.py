"""A newsroom whose newsletter takes a stage for each letter, which nobody finds without being told; and its model.

What is short can be had of the month more easily than of a letter, so that nothing says it is to be made of each.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from catalog.load import loads
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.tasks.state.events import ModelAsked
from dialogue.tasks.state.task import Task
from language.llm.client import Client
from language.llm.language_model import LanguageModel
from language.llm.settings import ModelSettings, ModelUse
from planning.hierarchy.files.load import read_task
from tests.language.scripted import saying

SKILLS = "tests.dialogue.tasks.editorial"
_FACTS = """
name: newsroom
facts:
  letter: {description: What a reader wrote.}
  letters: {list_of: letter, value: {kind: list, most: 20}}
  month: {description: The month., value: text}
  shorts: {list_of: short, askable: false, fillable: false}
"""
SENSITIVE = """\
  pin:
    description: The code of the door.
    value: {kind: pattern, regex: '[0-9]{4}-[0-9]{4}', example: 1111-2222}
    sensitive: true
  editor: {description: Who edits it., value: text, sensitive: true}
  photo: {description: A photo., value: table, sensitive: true, askable: false}
"""
_MADE = "marked short column page proof newsletter poster".split()
_SKILLS = (
    ("mark", "letter", "marked"), ("cut", "marked", "short"), ("join", "shorts", "column"),
    ("lay", "column, month", "page"), ("look", "page", "proof"), ("send", "proof", "newsletter"),
    ("fill", "month", "short"),
)  # fmt: skip


def skill(name: str, inputs: str, output: str) -> str:
    """Declare a skill."""
    modes = f"{{one: {{inputs: [{inputs}], outcomes: {{done: [{output}]}}}}}}"
    return f'  {name}: {{endpoint: "python:{SKILLS}:{name}", modes: {modes}}}\n'


CATALOG = (
    _FACTS
    + "".join(f"  {name}: {{askable: false, fillable: false}}\n" for name in _MADE)
    + "skills:\n"
    + "".join(skill(*one) for one in _SKILLS)
)
TASK = """
task: Prepare the newsletter
context: {context}
inputs: {{letters: {{value: [Thank you, More cats]}}, month: {{value: {month}}}}}
results: [newsletter]
criteria: {criteria}
"""


def stage(text: str, inputs: str, outputs: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "inputs": inputs.split(), "outputs": outputs.split(), **more}


STAGES = [
    stage("Shorten each letter", "", "shorts", each={"item": "letter", "of_list": "letters"}),
    stage("Put them into a column", "shorts", "column", criteria=["It is short."]),
    stage("Lay the page out", "column month", "page"),
    stage("Look at it", "page", "proof"),
    stage("Send it", "proof", "newsletter"),
]


def split(*stages: dict[str, Any], **more: Any) -> str:
    return json.dumps({"stages": list(stages), **more})


class Newsroom:
    """Services with a language model behind an address."""

    def __init__(
        self, home: Path, url: str = "", *, limit_s: float = 60, client: Client | None = None, sensitive: str = ""
    ) -> None:
        home.mkdir(exist_ok=True)
        file = home / "newsroom.yaml"
        catalog = CATALOG.replace("skills:", f"{sensitive}skills:")
        file.write_text(catalog, encoding="utf-8")
        self.loaded = loads(catalog, str(file))
        settings = ModelSettings(ModelUse.UNSURE, url, "some-model", "", limit_s) if url else ModelSettings()
        self.services = Services(
            SqliteStore(home / "tasks.db"),
            {},
            language_model=LanguageModel(settings, client=client),
            allowed=(SKILLS,),
            trusted=(SKILLS,),
            clock=lambda: datetime(2026, 11, 23, 12, tzinfo=UTC),
            today=date(2026, 11, 23),
        )
        self.tasks = self.services.tasks

    def give(
        self, *, context: str = "none", criteria: str = "[]", text: str = TASK, month: str = "October", more: str = ""
    ) -> str:
        written = text.format(context=json.dumps(context), criteria=criteria, month=json.dumps(month))
        written = written.replace("inputs: {", f"inputs: {{{more}")
        return self.quiet(self.tasks.give(read_task(written, str(self.loaded.file), self.loaded)))

    def quiet(self, task_id: str) -> str:
        assert self.tasks.wait(task_id, 60)
        return task_id

    def state(self, task_id: str) -> Task:
        return self.tasks.view(task_id).task

    def asked(self, task_id: str) -> list[ModelAsked]:
        return [one.event for one in self.tasks.view(task_id).log if isinstance(one.event, ModelAsked)]

    def close(self) -> None:
        self.services.close()


def told(body: Any) -> dict[str, JsonValue]:
    """Return what a server was told about a task, in the first message of a user."""
    return json.loads(next(one["content"] for one in body["messages"] if one["role"] == "user"))  # type: ignore[no-any-return]


Answer = Callable[[BaseHTTPRequestHandler], None]


def says(*stages: dict[str, Any], **more: Any) -> Answer:
    return saying(split(*stages, **more))
