"""Sections `stories` (what is written into the logs of conversations) and `explain` (what is said about these logs)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import yaml

from catalog.load import load
from catalog.model import Catalog
from dialogue.log.events import CONVERSATION
from dialogue.moves.replies import explain_in
from dialogue.services.tasks.conversation_desk import settle
from dialogue.state.conversation import Conversation, project
from dialogue.state.goal_status import goals_of
from dialogue.state.goals import StackedGoal
from explain.model import ABOUT_AGENTS, Question, QuestionKind
from tests.golden.lines import Line, normalise, read_lines, without, write_log
from tests.kept import LEARNED
from tests.stories.test_stories import STORIES, hear, open_services

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""When everything happened, for who reads a log that was recorded without the time."""


def record_stories() -> Iterator[Line]:
    """Play all stories; record a log a line."""
    for path in STORIES:
        story = yaml.safe_load(path.read_text(encoding="utf-8"))
        with TemporaryDirectory() as home, patch.dict(os.environ, PLANGLASS_HOME=home, PLANGLASS_CACHE=str(LEARNED)):
            services = open_services(Path(home), story)
            try:
                session = services.start(story["catalog"])
                for turn in story["turns"]:
                    hear(services, session, turn)
                    assert settle(services, session, 120), f"a turn of {path.stem} did not end"
                yield write_log(path.stem, story["catalog"], services.snapshot(session).log)
            finally:
                services.close()


def record_explanations() -> Iterator[Line]:
    """Explain everything that can be asked about at the end of each recorded log."""
    for line in read_lines("stories"):
        events = line["events"]
        assert isinstance(events, list)
        log = [
            CONVERSATION.decode(json.dumps({"seq": event["seq"], "at": AT.isoformat(), "event": without(event, "seq")}))
            for event in events
            if isinstance(event, dict)
        ]
        yield from _explain(str(line["id"]), load(str(line["catalog"])).catalog, project(log))


def _explain(name: str, catalog: Catalog, conversation: Conversation) -> Iterator[Line]:
    goals: list[StackedGoal | None] = [None, *goals_of(conversation)]
    facts = dict.fromkeys(
        fact for goal in goals for fact in (goal.seen_in(conversation) if goal else conversation).facts.known
    )
    questions = [Question(kind) for kind in QuestionKind if kind not in ABOUT_AGENTS]
    questions += [
        Question(kind, fact, full)
        for fact in facts
        for kind in (QuestionKind.HOW, QuestionKind.WHY, QuestionKind.CHAIN)
        for full in (False, True)
        if not (full and kind is QuestionKind.CHAIN)
    ]
    for number, goal in enumerate(goals):
        where = "any goal" if goal is None else f"goal {number} {goal.goal}"
        for question in questions:
            said = explain_in(catalog, conversation, question, goal)
            shown, revealed = said.text(), said.text(reveal=True)
            asked = " ".join(filter(None, (question.kind.value, "in full" if question.full else "", question.fact)))
            yield {
                "id": f"{name} / {where} / {asked}",
                "text": shown,
                **({"revealed": revealed} if revealed != shown else {}),
                "evidence": list(said.evidence),
                "links": normalise(said.links),
                "coming": normalise(said.coming),
            }
