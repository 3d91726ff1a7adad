"""Questions about a room: who may speak, why something was denied; and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.rooms.acts import PARTICIPANTS, TOPICS, read
from explain.rooms import RoomQuestion, RoomQuestionKind
from language.rooms.questions import RoomQuestionReader

READER = RoomQuestionReader(TOPICS)
Kind = RoomQuestionKind


def ask(text: str) -> RoomQuestion | None:
    return READER.read(text, PARTICIPANTS, "Ana")


@pytest.mark.parametrize(
    ("text", "kind", "about"),
    [
        ("why didn't CD answer?", Kind.WHY_SILENT, "CD"),
        ("thanks. why didn't CD answer?", Kind.WHY_SILENT, "CD"),
        ("why is everybody silent?", Kind.WHY_SILENT, None),
        ("@CD why did you not answer?", Kind.WHY_SILENT, "CD"),
        ("why has the mediator not said anything?", Kind.WHY_SILENT, "In"),
        ("who may answer now?", Kind.WHO_MAY, None),
        ("In, who may answer now?", Kind.WHO_MAY, None),
        ("may I speak?", Kind.WHO_MAY, "Ana"),
        ("who must speak?", Kind.WHO_MUST, None),
        ("who is not allowed to speak?", Kind.WHO_MUST_NOT, None),
        ("why was that denied?", Kind.WHY_DENIED, None),
        ("why can't I speak?", Kind.WHY_DENIED, "Ana"),
        ("why did SA speak?", Kind.WHY_ALLOWED, "SA"),
        ("which rule says that SA has to answer?", Kind.WHY_ALLOWED, "SA"),
        ("why does In have to answer?", Kind.WHY_ALLOWED, "In"),
        ("what norms hold now?", Kind.NORMS_NOW, None),
        ("what would TB have said?", Kind.WHAT_DENIED, "TB"),
        ("what was denied?", Kind.WHAT_DENIED, None),
        ("how did you get that number?", Kind.HOW, None),
        ("how did CD arrive at that?", Kind.HOW, "CD"),
        ("where do those figures come from?", Kind.HOW, None),
        ("what is TB's result based on?", Kind.HOW, "TB"),
        ("which rates did SA use for that?", Kind.HOW, "SA"),
        ("who is everybody here?", Kind.WHO_IS_HERE, None),
        ("who are you guys?", Kind.WHO_IS_HERE, None),
        ("hello, who are you all?", Kind.WHO_IS_HERE, None),
        ("who am I talking to?", Kind.WHO_IS_HERE, None),
        ("who is TB?", Kind.WHO_IS_HERE, "TB"),
        ("what is my role here?", Kind.WHO_IS_HERE, "Ana"),
    ],
)
def test_a_question_about_the_room_is_read_with_whom_it_is_about(text: str, kind: Kind, about: str | None) -> None:
    assert ask(text) == RoomQuestion(kind, about, None, "Ana")


@pytest.mark.parametrize(
    "text",
    [
        "who may open a savings account?",
        "how much would 5000 be worth in two years?",
        "how is the income tax on a CD calculated?",
        "how do I get my money back?",
        "where does the interest come from?",
        "why is the CD taxed?",
        "who must pay the custody fee?",
        "what rules apply to treasury bonds?",
        "can anybody explain a CD to me?",
        "was my loan denied by the bank?",
        "may I withdraw now?",
        "TB, what about tax?",
        "@CD who are you?",
        "what is a CD?",
        "what can I ask?",
        "please answer me",
        "simulate 4000 for three years",
        "",
        "why was that denied? " * 40,
    ],
)
def test_a_question_about_money_is_none_about_the_room(text: str) -> None:
    assert ask(text) is None


@pytest.mark.parametrize("said", ["why was message 14 denied?", "why was #14 denied", "why was entry no. 14 blocked?"])
def test_a_message_is_named_by_its_number(said: str) -> None:
    assert ask(said) == RoomQuestion(Kind.WHY_DENIED, None, 14, "Ana")


NAMES = st.from_regex(r"[A-Z][a-z]{3,8}", fullmatch=True)


@settings(max_examples=40, deadline=None)
@given(
    name=NAMES,
    form=st.sampled_from(
        ["why didn't {} answer?", "Why did {} not reply to me", "why is {} silent", "{} said nothing, why?"]
    ),
)
def test_whoever_takes_part_can_be_asked_about(name: str, form: str) -> None:
    found = READER.read(form.format(name), {**PARTICIPANTS, name: f"{name} the adviser"}, "Ana")
    assert found == RoomQuestion(Kind.WHY_SILENT, name, None, "Ana")


def test_messages_of_strangers_are_not_taken_for_questions_about_the_room() -> None:
    taken = [row["text"] for row in read("acts_dev") if ask(row["text"])]
    assert len(taken) <= 2, taken


def test_questions_of_strangers_are_read_as_they_are_meant() -> None:
    rows = read("questions_dev")
    right = sum((found.kind if (found := ask(row["text"])) else "none") == row["kind"] for row in rows)
    assert right / len(rows) >= 0.9
