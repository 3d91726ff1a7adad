"""Whole conversations, told in YAML: what is said, and what must be seen to happen.

Each turn has `say` (or `upload`, a sample picture; or `alert`, with `facts`) and `expect`: `asks` (the open question),
`about`, `goals` (top first), `events` (kinds, in this order, others may stand between), `replies` (each found in some
reply), `known` (a fact's value, or null for: not known), `reasons` (each found in the reason of a discarded plan),
`plans` (exactly the plans made, each as its steps).

Where the story has `skills`, those are the modules that its catalog's skills are in. Where turns have `calls` (as
stories have that `planglass explore` writes), no skill is called: each call comes back as it is told, with examples for
values.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from catalog.load import load
from catalog.load.demo_files import DEMOS
from dialogue.exploration.scripted_environment import (
    EnvironmentMove,
    EnvironmentMoveKind,
    ScriptedCaller,
    ValueExamples,
)
from dialogue.log.events import Discarded, Entry, Planned, Replied
from dialogue.log.stores import embedded_url, open_store
from dialogue.services import Services, Snapshot, Upload, make_services
from dialogue.services.tasks.conversation_desk import settle
from tests.golden.lines import Line, assert_recorded, read_lines, write_log

TODAY = date(2026, 11, 21)
SAMPLES = DEMOS["banking"].parent / "samples"
STORIES = sorted(Path(__file__).parent.glob("*.yaml"))


def rows(path: Path) -> list[str]:
    return list(yaml.safe_load(path.read_text(encoding="utf-8")).get("rows", []))


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=pytest.mark.row(*rows(path))) for path in STORIES]
)
def test_story(path: Path, home: Path) -> None:
    """The conversation goes as it is told, and its log is the one recorded."""
    recorded = [line for line in read_lines("stories") if line["id"] == path.stem]
    assert_recorded("stories", recorded, [play(path, home)])


def play(path: Path, home: Path) -> Line:
    """Play a story, judge each turn by what is expected of it, and return its log."""
    story = yaml.safe_load(path.read_text(encoding="utf-8"))
    services = open_services(home, story)
    try:
        session = services.start(story["catalog"])
        for number, turn in enumerate(story["turns"], start=1):
            before = len(services.snapshot(session).log)
            hear(services, session, turn)
            assert settle(services, session, 120), f"turn {number} did not end"
            seen = services.snapshot(session)
            judge(f"turn {number} ({turn.get('say') or turn})", seen, seen.log[before:], turn.get("expect", {}))
        return write_log(path.stem, story["catalog"], seen.log)
    finally:
        services.close()


def open_services(home: Path, story: dict[str, Any]) -> Services:
    calls = [call for turn in story["turns"] for call in turn.get("calls", [])]
    if "skills" in story:
        catalogs = {story["catalog"]: load(story["catalog"])}
        return Services(open_store(embedded_url(home)), catalogs, allowed=story["skills"], today=TODAY)
    if not calls:
        return make_services(home, today=TODAY)
    loaded = load(story["catalog"])
    moves = [
        EnvironmentMove(
            EnvironmentMoveKind.FAILS if call.get("fails") else EnvironmentMoveKind.COMES,
            call["skill"],
            call["mode"],
            call.get("outcome"),
        )
        for call in calls
    ]
    caller = ScriptedCaller(ValueExamples(loaded.catalog, TODAY), moves)
    return Services(open_store(embedded_url(home)), {story["catalog"]: loaded}, caller=caller, today=TODAY)


def hear(services: Services, session: str, turn: dict[str, Any]) -> None:
    if "alert" in turn:
        services.alert(session, turn["alert"], turn.get("facts", {}))
        return
    uploads = []
    if "upload" in turn:
        path = SAMPLES / turn["upload"]
        uploads = [Upload(path.name, "image/png", path.read_bytes() if path.exists() else b"\x89PNG\r\n\x1a\n")]
    services.say(session, turn.get("say", ""), uploads)


def judge(where: str, seen: Snapshot, new: tuple[Entry, ...], expect: dict[str, Any]) -> None:
    conversation = seen.conversation
    pending = conversation.questions.pending.asked if conversation.questions.pending else None
    replies = [entry.event.text for entry in new if isinstance(entry.event, Replied)]
    told = f"{where}\nreplies: {replies}\nevents: {[entry.event.kind for entry in new]}"
    if "asks" in expect:
        assert (pending.subject if pending else None) == expect["asks"], told
    if "about" in expect:
        assert (pending.about if pending else None) == expect["about"], told
    if "goals" in expect:
        assert [goal.goal for goal in conversation.goals.stack] == expect["goals"], told
    for text in expect.get("replies", []):
        assert any(text.lower() in reply.lower() for reply in replies), f"no reply says {text!r}: {told}"
    for text in expect.get("not_replies", []):
        assert not any(text.lower() in reply.lower() for reply in replies), f"a reply says {text!r}: {told}"
    reasons = [seen.words_of(entry.event.reason) for entry in new if isinstance(entry.event, Discarded)]
    for text in expect.get("reasons", []):
        assert any(text in reason for reason in reasons), f"no plan was dropped for {text!r}, but {reasons}: {told}"
    if "plans" in expect:
        plans = [[f"{s.kind} {s.subject}" for s in e.event.steps] for e in new if isinstance(e.event, Planned)]
        assert plans == expect["plans"], told
    for fact, value in expect.get("known", {}).items():
        assert (conversation.facts.known[fact].value if fact in conversation.facts.known else None) == value, told
    kinds = iter([entry.event.kind for entry in new])
    for kind in expect.get("events", []):
        assert kind in kinds, f"{kind} is missing, or out of order: {told}"
