"""Every message shows, for ever, what was true when it was said; and says so where something newer took its place."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import load
from catalog.load.demo_files import DEMOS
from catalog.model import Catalog
from dialogue.log.events import CONVERSATION
from dialogue.services import Services, Snapshot, Upload, make_services
from dialogue.state.conversation import project
from language.responses.events import REPLACED_BY, REPLACED_SINCE
from pages.assistant import chat
from pages.assistant.drill_down import draw_answer, drill_down, question_of
from pages.assistant.panels import goals, summary
from pages.shell.address import Selection, read_selection
from pages.shell.sheet import Node
from pages.views import media
from pages.views.plan_steps import plan_graph
from pages.views.plans import view_steps
from pages.views.snapshot_view import SnapshotView
from tests.pages.test_views_of_plans import words_of

DRAWN = load("tests/stories/catalogs/drawn.yaml").catalog
KINDS = {"sales": "table", "trend": "chart", "trend_as_bars": "chart", "trend_as_a_pie": "chart", "note": "words"}

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def services(home: Path) -> Iterable[Services]:
    made = make_services(home, today=date(2026, 11, 21))
    yield made
    made.close()


def play(services: Services, catalog: str, *lines: str) -> Snapshot:
    session = services.start(catalog)
    for line in lines:
        services.say(session, line)
        assert services.wait(session, 120), line
    return services.snapshot(session)


def what_was_true(catalog: Catalog, log: list[dict[str, Any]]) -> dict[int, dict[str, tuple[int, Any]]]:
    """Tell from the JSON of a log alone what each message has to show: by message and fact, the entry and its value."""
    memory: dict[str, tuple[int, Any]] = {}
    aside: dict[tuple[int, str], tuple[int, Any]] = {}
    found: dict[int, dict[str, tuple[int, Any]]] = {}
    for entry in log:
        seq, event = entry["seq"], entry["event"]
        match event["kind"]:
            case "established":
                memory[event["fact"]] = (seq, event["value"])
            case "retracted":
                memory.pop(event["fact"], None)
            case "begun":
                for fact in event["set_aside"]:
                    aside[seq, fact] = memory.pop(fact)
                for fact in event["restored"]:
                    memory[fact] = aside.pop(max(key for key in aside if key[1] == fact))
            case "replied":
                shown = {}
                for fact in event.get("facts", ()):
                    below = [name for name in catalog.subtypes.get(fact, (fact,)) if name in memory]
                    if below:
                        name = fact if fact in memory else max(below, key=lambda one: memory[one][0])
                        shown[fact] = memory[name]
                found[seq] = shown
    return found


def shown_below(seen: SnapshotView) -> dict[int, dict[str, tuple[int, Any]]]:
    drawn: dict[int, dict[str, tuple[int, Any]]] = {}
    for message in seen.conversation.messages.all:
        drawn[message.seq] = {
            below.fact: (below.entry, below.figure if below.figure is not None else words_of([below.rows or ""]))
            for below in media.drawn_with(seen, message)
        }
    return drawn


def assert_true_of_its_moment(snapshot: Snapshot) -> int:
    seen = SnapshotView(snapshot, None, "how")
    log = [json.loads(entry.model_dump_json()) for entry in snapshot.log]
    drawn, number = shown_below(seen), 0
    for seq, facts in what_was_true(snapshot.catalog, log).items():
        for fact, (entry, value) in facts.items():
            if not isinstance(value, dict) or not {"plotly", "rows"} & value.keys():
                continue
            got_entry, got = drawn[seq][fact]
            assert got_entry == entry
            if "plotly" in value:
                assert got == value["plotly"]
            else:
                assert all(str(name)[:40] in got for name in value["columns"])
                assert all(media._cell(cell) in got for row in value["rows"][:200] for cell in row)
            number += 1
    return number


@st.composite
def histories(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw logs in which values come, are corrected, set aside and retracted, with messages in between."""
    events: list[dict[str, Any]] = [{"kind": "session_started", "catalog": "drawn", "digest": "0"}]
    known: set[str] = set()
    for number in range(draw(st.integers(3, 25))):
        kind = draw(st.sampled_from(["established", "established", "replied", "replied", "retracted", "begun"]))
        fact = draw(st.sampled_from(sorted(KINDS)))
        if kind == "established":
            value: Any = f"note {number}"
            if KINDS[fact] == "table":
                value = {"columns": ["n"], "rows": [[f"row {number}"]]}
            if KINDS[fact] == "chart":
                value = {"plotly": {"data": [{"type": "bar", "x": ["a"], "y": [number]}]}, "title": f"t{number}"}
            events.append({"kind": kind, "fact": fact, "value": value, "source": "skill", "by": len(events)})
            known.add(fact)
        elif kind == "replied":
            facts = draw(st.lists(st.sampled_from(sorted(KINDS)), unique=True, max_size=3))
            events.append({"kind": kind, "text": f"message {number}", "facts": facts, "tone": "result"})
        elif kind == "retracted" and fact in known:
            events.append({"kind": kind, "fact": fact, "reason": "wrong", "cause": 1})
            known.discard(fact)
        elif kind == "begun":
            gone = sorted(known & set(draw(st.lists(st.sampled_from(sorted(KINDS)), unique=True, max_size=3))))
            events.append({"kind": kind, "goal_id": number + 1, "set_aside": gone, "cause": 1})
            known -= set(gone)
    return events


def snapshot_of(events: list[dict[str, Any]]) -> Snapshot:
    entries = ({"seq": seq, "at": AT.isoformat(), "event": event} for seq, event in enumerate(events, start=1))
    log = tuple(CONVERSATION.decode(json.dumps(entry)) for entry in entries)
    return Snapshot("s", DRAWN, log, project(log))


@given(histories())
def test_every_message_shows_the_values_of_its_moment_whatever_comes_later(events: list[dict[str, Any]]) -> None:
    """Tables and charts are those of the entries that held when the message was said, by the log's JSON alone."""
    assert_true_of_its_moment(snapshot_of(events))


@given(histories())
def test_a_prefix_of_a_history_draws_its_messages_as_the_whole_does(events: list[dict[str, Any]]) -> None:
    """Nothing that comes later changes what stands below a message."""
    whole = shown_below(SnapshotView(snapshot_of(events), None, "how"))
    for end in range(1, len(events)):
        before = shown_below(SnapshotView(snapshot_of(events[:end]), None, "how"))
        assert all(whole[seq] == shown for seq, shown in before.items())


@given(histories())
def test_looking_at_the_past_shows_it_as_it_was(events: list[dict[str, Any]]) -> None:
    """A view as of an entry is that of the log which ends there."""
    seen = SnapshotView(snapshot_of(events), None, "how")
    for at in range(1, len(events)):
        assert seen.as_of(at).conversation == project(seen.snapshot.log[:at])
        assert seen.as_of(at).at == at
    assert seen.as_of(len(events)).at is None


def test_two_reports_each_keep_their_table_and_chart(services: Services) -> None:
    """The report of 2025 does not change what stands below that of 2024; neither of them was replaced."""
    seen = SnapshotView(
        play(services, "accounting", "profit and loss report for 2024", "profit and loss report for 2025"), None, "how"
    )
    assert assert_true_of_its_moment(seen.snapshot) == 4
    first, second = (message for message in seen.conversation.messages.all if message.tone == "result")
    months = [next(below.figure for below in media.drawn_with(seen, one) if below.figure) for one in (first, second)]
    assert [str(figure["data"][0]["x"][0]) for figure in months] == ["2024-01", "2025-01"]
    assert chat.replaced_by(seen, first) is None


def test_a_chart_that_is_drawn_anew_stays_and_leads_to_the_new_one(services: Services) -> None:
    """Put right, a pie chart is replaced by bars: both are drawn, and the first says by what."""
    asked = ("Show me my spending. My account number is HB-204518.", "sorry, I meant bars")
    waiting = SnapshotView(play(services, "banking", *asked), None, "how")
    (first,) = (message for message in waiting.conversation.messages.all if message.tone == "result")
    (below,) = media.drawn_with(waiting, first)
    assert below.figure is not None
    assert below.figure["data"][0]["type"] == "pie"
    assert REPLACED_SINCE in words_of([chat._message(waiting, first)])
    seen = SnapshotView(play(services, "banking", *asked, "yes"), None, "how")
    first, second = (message for message in seen.conversation.messages.all if message.tone == "result")
    figures = [below.figure for one in (first, second) for below in media.drawn_with(seen, one)]
    assert [figure["data"][0]["type"] for figure in figures if figure] == ["pie", "bar"]
    said = chat._message(seen, first)
    assert REPLACED_BY in words_of([said])
    assert {"do": "message", "what": f"m{second.seq}"} in acts_of(said)
    assert REPLACED_BY not in words_of([chat._message(seen, second)])


def acts_of(node: Node) -> list[dict[str, str]]:
    if isinstance(node, str):
        return []
    own = [node["act"]] if "act" in node else []
    return own + [act for child in node.get("children", ()) for act in acts_of(child)]


def test_what_is_asked_below_an_old_result_is_answered_as_of_then(services: Services) -> None:
    """Its buttons lead to the value of its moment, which says what it is now."""
    snapshot = play(services, "accounting", "profit and loss report for 2024", "profit and loss report for 2025")
    seen = SnapshotView(snapshot, None, "how")
    first = next(message for message in seen.conversation.messages.all if message.tone == "result")
    act = next(act for act in acts_of(chat._message(seen, first)) if act["do"] == "ask" and act["view"] == "how")
    chosen = read_selection(act["what"])
    assert chosen == Selection("fact", "profit_loss", first.seq)
    card = card_of(services, snapshot, chosen)
    assert "report, 1 Jan 2024 to 31 Dec 2024" in card
    assert "Now: profit and loss report, 1 Jan 2025 to 31 Dec 2025" in card
    period = card_of(services, snapshot, Selection("fact", "start_date", first.seq))
    assert "2024" in period.partition("Now: ")[2].partition(".")[2]
    assert "As it was" not in card_of(services, snapshot, Selection("fact", "profit_loss"))


def card_of(services: Services, snapshot: Snapshot, chosen: Selection) -> str:
    now = SnapshotView(snapshot, chosen, "how")
    then = now.as_of(chosen.at)
    question = question_of(then)
    assert question is not None
    answer = services.analyses.explanation(then.snapshot, question).result()
    return words_of(drill_down(then, [node for node in draw_answer(then, question, answer) if node], now=now))


def test_plans_and_goals_of_the_past_lead_to_their_own_values(services: Services) -> None:
    """A step of an ended plan is looked at as of its end, and so is a fact of an ended goal."""
    snapshot = play(services, "accounting", "profit and loss report for 2024", "profit and loss report for 2025")
    seen = SnapshotView(snapshot, None, "how")
    plan = seen.conversation.plans.all[0]
    assert {selection.at for selection in plan_graph(seen, plan)[2].values()} == {plan.ended}
    assert {view.selection.at for view in view_steps(seen.catalog, seen.conversation, plan)} == {plan.ended}
    ended = [goal.ending.seq for goal in reversed(seen.conversation.goals.past) if goal.ending]
    ats = [read_selection(act["what"]) for node in goals(seen) for act in acts_of(node)]
    assert list(dict.fromkeys(one.at for one in ats if one)) == ended
    items = services.analyses.summary(snapshot).result()
    assert "1 Jan 2025" in words_of(summary(seen, items))


def test_a_picture_that_stood_for_something_sensitive_stays_hidden_when_another_takes_its_place(
    services: Services,
) -> None:
    """What was masked when it was uploaded is not drawn because a newer picture is the value now."""
    session = services.start("banking")
    samples = sorted((DEMOS["banking"].parent / "samples").glob("*.png"))[:2]
    services.say(session, "I want a loan")
    assert services.wait(session, 120)
    for path in samples:
        services.say(session, "", [Upload(path.name, "image/png", path.read_bytes())])
        assert services.wait(session, 120)
    seen = SnapshotView(services.snapshot(session), None, "how")
    files = [file for message in seen.conversation.messages.all for file in message.attachments]
    stood = [seen.pictured.get(file.sha256, frozenset()) for file in files]
    for file, facts in zip(files, stood, strict=True):
        if any(seen.catalog.is_sensitive(fact) for fact in facts):
            assert "src" not in str(media.thumbnail(seen, file))
