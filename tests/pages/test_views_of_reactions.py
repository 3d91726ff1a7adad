"""What stands below the messages of agents: what can be said of them, and the way to why they were chosen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dialogue.agents.model import AgentReply, Reaction
from pages.assistant.chat import choice_behind, reactions_to
from pages.views.snapshot_view import SnapshotView
from tests.dialogue.agents.company import Company, on
from tests.dialogue.toys import Toybox


@pytest.fixture
def company(home: Path) -> Iterator[Company]:
    opened = Company(home, "max", "books", "music")
    opened.friends["books"].sure = on("book")
    opened.friends["books"].says = lambda text: AgentReply(text=f"Ordered: {text}")
    opened.friends["music"].sure = on("song")
    yield opened
    opened.services.close()


def look(box: Toybox) -> SnapshotView:
    return SnapshotView(box.services.snapshot(box.session), None, "how")


def offered(seen: SnapshotView) -> dict[str, list[str]]:
    """Return the acts that stand below messages, by who said them."""
    return {
        message.sender: [child["act"]["what"] for child in node["children"] if "act" in child]
        for message in seen.conversation.messages.all
        if isinstance(node := reactions_to(seen, message), dict)
    }


def test_each_message_of_an_agent_can_be_reacted_to_and_leads_to_its_choice(company: Company) -> None:
    company.say("a book, please")
    company.say("now a song")
    seen = look(company)
    first, second = (one.chosen for one in seen.choices)
    assert offered(seen) == {
        "books": [f"{first}:thumbs_up", f"{first}:thumbs_down", f"{first}:dismissed", "0"],
        "music": [f"{second}:thumbs_up", f"{second}:thumbs_down", f"{second}:dismissed", "1"],
    }


def test_what_was_said_of_a_message_stays_down_and_is_learned(company: Company) -> None:
    company.say("a book, please")
    company.services.react(company.session, company.moments[-1].chosen, Reaction.THUMBS_DOWN)
    seen = look(company)
    node = next(node for message in seen.conversation.messages.all if (node := reactions_to(seen, message)))
    assert isinstance(node, dict)
    pressed = [child["attrs"].get("aria-pressed") for child in node["children"] if child["cls"] == "chip react"]
    assert pressed == ["false", "true", "false"]
    assert "marked as bad" in json.dumps(node)
    lessons = company.services.agents.learner(company.session).lessons.kept
    assert [one.feedback.reaction for one in lessons] == [Reaction.THUMBS_DOWN]


def test_the_assistant_is_not_dismissed_and_only_the_last_of_its_messages_has_reactions(company: Company) -> None:
    company.say("goal trophy")
    seen = look(company)
    said = [message for message in seen.conversation.messages.all if choice_behind(seen, message) is not None]
    assert [reactions_to(seen, message) is not None for message in said] == [False] * (len(said) - 1) + [True]
    assert [what.partition(":")[2] for what in offered(seen)["assistant"]] == ["thumbs_up", "thumbs_down", ""]


def test_where_nobody_was_asked_nothing_stands_below_messages(box: Toybox) -> None:
    box.say("goal trophy")
    assert offered(look(box)) == {}


@pytest.fixture
def box(home: Path) -> Iterator[Toybox]:
    toybox = Toybox(home)
    yield toybox
    toybox.services.close()
