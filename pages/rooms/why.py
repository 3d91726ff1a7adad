"""Why a message was posted or denied, or a participant is silent: the explainer's answer, with what shows it."""

from __future__ import annotations

from functools import partial

from catalog.norms.vocabulary import UNDEFINED
from dialogue.rooms.room import RoomMessage
from explain.rooms.answers import answer_about_room
from explain.rooms.record import RoomQuestion, RoomQuestionKind
from language.responses.rooms.notices import say_heard
from language.responses.rooms.on_page import GONE_MESSAGE
from pages.frame import why
from pages.rooms.messages import evidence
from pages.rooms.page_state import QuestionTarget, RoomPage
from pages.shell.sheet import Node, el, hint


def card(page: RoomPage, about: QuestionTarget) -> list[Node]:
    one = page.room.messages.get(about.entry) if about.entry is not None else None
    if about.entry is not None and (one is None or one.verdict is None):
        return [_card("Why?", hint(GONE_MESSAGE))]
    if one is not None:
        title = f"Why {one.message.sender} spoke" if one.posted else f"Why this was denied to {one.message.sender}"
        kind = RoomQuestionKind.WHY_ALLOWED if one.posted else RoomQuestionKind.WHY_DENIED
        question = RoomQuestion(kind, entry=one.entry, asker=page.viewer)
        how = RoomQuestion(RoomQuestionKind.HOW, entry=one.entry, asker=page.viewer)
        made = [el("h4", "", "How it came about"), *_answer(page, how)] if one.posted else []
        return [_card(title, _heard(page, one), *_answer(page, question), *made)]
    now = _answer(page, RoomQuestion(RoomQuestionKind.WHO_MAY, about.name, asker=page.viewer))
    asked = RoomQuestion(RoomQuestionKind.WHY_SILENT, about.name, asker=page.viewer)
    silent = _answer(page, asked) if page.room.order and page.is_bot(about.name) else []
    return [
        _card(
            f"Why {about.name}?",
            el("h4", "", "Now"),
            *now,
            el("h4", "", "After what was said last") if silent else "",
            *silent,
        )
    ]


def _card(title: str, *inside: Node) -> Node:
    return why.card(title, {"do": "close"}, "Close this explanation", *inside, key="why-card")


def _heard(page: RoomPage, one: RoomMessage) -> Node:
    """Say as what a message was understood: norms go by that."""
    topics = page.room.specification.topics
    heard = [
        say_heard(
            part.act, topics[part.topic].label if part.topic != UNDEFINED and part.topic in topics else "", part.content
        )
        for part in one.message.utterances
    ]
    return hint("Understood as ", ", then ".join(heard), ".") if heard else hint("Nothing was understood of it.")


def _answer(page: RoomPage, question: RoomQuestion) -> list[Node]:
    return why.because(answer_about_room(page.record, question), partial(evidence, page))
