"""Who must, may and must not speak now, each with the norm that says so."""

from __future__ import annotations

from datetime import datetime

from catalog.norms.model import Filters
from dialogue.rooms.governance.speaking_rights import Modality, OwedMessage, ParticipantStanding, standing_of
from explain.rooms.words import RoomWords
from language.responses.rooms.notices import POSITIONS, say_due, say_stands
from language.responses.rooms.on_page import ALLOWED_TOO, EXCEPT, NO_NORM_ALLOWS, NO_NORM_FORBIDS, NOT_GOVERNED
from pages.rooms.page_state import QuestionTarget, RoomPage, named
from pages.shell.sheet import Child, Node, button, el, hint, icon

_PICTURES = {Modality.MUST: "next", Modality.MAY: "done", Modality.MUST_NOT: "never"}


def board(page: RoomPage, now: datetime) -> list[Node]:
    if not page.room.governed:
        return [hint(NOT_GOVERNED), el("ul", "standings", [_plain(page, one.name) for one in page.room.status.members])]
    standings = standing_of(page.room.governance, page.room.status)
    order = {Modality.MUST: 0, Modality.MAY: 1, Modality.MUST_NOT: 2}
    rows = sorted(standings, key=lambda one: order[one.position])
    return [el("ul", "standings", [_row(page, one, now) for one in rows], aria_label="Who may speak now")]


def spoken(page: RoomPage) -> str:
    """Say for screen readers who is to speak now."""
    if not page.room.governed:
        return ""
    found: dict[str, list[str]] = {one.value: [] for one in Modality}
    for one in standing_of(page.room.governance, page.room.status):
        found[one.position.value].append(one.member.name)
    return say_stands(found)


def _plain(page: RoomPage, name: str) -> Node:
    return el("li", "standing may", page.face(name), el("div", "told", el("div", "by", named(page, name))))


def _row(page: RoomPage, one: ParticipantStanding, now: datetime) -> Node:
    name = one.member.name
    chosen = page.about == QuestionTarget(name=name)
    return el(
        "li",
        f"standing {one.position.value} {'here' if chosen else ''}",
        page.face(name),
        el(
            "div",
            "told",
            el("div", "by", named(page, name)),
            el(
                "p",
                "position",
                icon(_PICTURES[one.position]),
                el("strong", "", POSITIONS[one.position.value]),
                _why(page, one),
            ),
            [_owed(page, owed, now) for owed in one.owed],
            [
                el(
                    "p",
                    "except",
                    ALLOWED_TOO if one.position is Modality.MUST else EXCEPT,
                    f" {_to_do(page, filters)}",
                    el("small", "muted", f" ({page.norm(norm)})"),
                )
                for norm, filters in one.except_for
            ],
        ),
        button(
            "chip",
            "why?",
            act={"do": "about", "what": str(QuestionTarget(name=name))},
            label=f"Why: {name} {POSITIONS[one.position.value]}",
            pressed=chosen,
        ),
        key=f"standing-{name}",
    )


def _why(page: RoomPage, one: ParticipantStanding) -> Child:
    if one.position is Modality.MUST:
        return None
    labels = [page.norm(name) for name in one.decision.norms]
    if labels:
        return [": ", ", ".join(labels)]
    return el("span", "muted", f": {NO_NORM_ALLOWS if one.position is Modality.MUST_NOT else NO_NORM_FORBIDS}")


def _owed(page: RoomPage, owed: OwedMessage, now: datetime) -> Node:
    due = owed.active.due if owed.active is not None else None
    return el(
        "p",
        "owes",
        "owes: ",
        el("strong", "", page.norm(owed.norm)),
        f", {_to_do(page, owed.filters)}",
        el("small", "muted", f" ({say_due((due - now).total_seconds())})") if due is not None else None,
        None if owed.allowed else el("span", "tag warn", icon("problem"), "another norm forbids it"),
    )


def _to_do(page: RoomPage, filters: Filters) -> str:
    spec = page.room.specification
    roles = {name: role.label for name, role in spec.roles.items()}
    return RoomWords(None, roles, {name: topic.label for name, topic in spec.topics.items()}).to_do(filters)


def counters(page: RoomPage) -> list[Node]:
    """Say how much of what was said was posted."""
    judged = [one for one in page.room.messages.values() if one.verdict is not None]
    if not judged:
        return []
    bots = [one for one in judged if page.is_bot(one.message.sender)]
    posted = sum(one.posted for one in judged)
    share = f", of bots {sum(one.posted for one in bots)} of {len(bots)}" if bots else ""
    return [hint(f"{posted} of {len(judged)} messages were posted{share}.")]
