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


def board(look: RoomPage, now: datetime) -> list[Node]:
    if not look.room.governed:
        return [hint(NOT_GOVERNED), el("ul", "standings", [_plain(look, one.name) for one in look.room.status.members])]
    standings = standing_of(look.room.governance, look.room.status)
    order = {Modality.MUST: 0, Modality.MAY: 1, Modality.MUST_NOT: 2}
    rows = sorted(standings, key=lambda one: order[one.position])
    return [el("ul", "standings", [_row(look, one, now) for one in rows], aria_label="Who may speak now")]


def spoken(look: RoomPage) -> str:
    """Say for screen readers who is to speak now."""
    if not look.room.governed:
        return ""
    found: dict[str, list[str]] = {one.value: [] for one in Modality}
    for one in standing_of(look.room.governance, look.room.status):
        found[one.position.value].append(one.member.name)
    return say_stands(found)


def _plain(look: RoomPage, name: str) -> Node:
    return el("li", "standing may", look.face(name), el("div", "told", el("div", "by", named(look, name))))


def _row(look: RoomPage, one: ParticipantStanding, now: datetime) -> Node:
    name = one.member.name
    chosen = look.about == QuestionTarget(name=name)
    return el(
        "li",
        f"standing {one.position.value} {'here' if chosen else ''}",
        look.face(name),
        el(
            "div",
            "told",
            el("div", "by", named(look, name)),
            el(
                "p",
                "position",
                icon(_PICTURES[one.position]),
                el("strong", "", POSITIONS[one.position.value]),
                _why(look, one),
            ),
            [_owed(look, owed, now) for owed in one.owed],
            [
                el(
                    "p",
                    "except",
                    ALLOWED_TOO if one.position is Modality.MUST else EXCEPT,
                    f" {_to_do(look, filters)}",
                    el("small", "muted", f" ({look.norm(norm)})"),
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


def _why(look: RoomPage, one: ParticipantStanding) -> Child:
    if one.position is Modality.MUST:
        return None
    labels = [look.norm(name) for name in one.decision.norms]
    if labels:
        return [": ", ", ".join(labels)]
    return el("span", "muted", f": {NO_NORM_ALLOWS if one.position is Modality.MUST_NOT else NO_NORM_FORBIDS}")


def _owed(look: RoomPage, owed: OwedMessage, now: datetime) -> Node:
    due = owed.active.due if owed.active is not None else None
    return el(
        "p",
        "owes",
        "owes: ",
        el("strong", "", look.norm(owed.norm)),
        f", {_to_do(look, owed.filters)}",
        el("small", "muted", f" ({say_due((due - now).total_seconds())})") if due is not None else None,
        None if owed.allowed else el("span", "tag warn", icon("problem"), "another norm forbids it"),
    )


def _to_do(look: RoomPage, filters: Filters) -> str:
    spec = look.room.specification
    roles = {name: role.label for name, role in spec.roles.items()}
    return RoomWords(None, roles, {name: topic.label for name, topic in spec.topics.items()}).to_do(filters)


def counters(look: RoomPage) -> list[Node]:
    """Say how much of what was said was posted."""
    judged = [one for one in look.room.messages.values() if one.verdict is not None]
    if not judged:
        return []
    bots = [one for one in judged if look.is_bot(one.message.sender)]
    posted = sum(one.posted for one in judged)
    share = f", of bots {sum(one.posted for one in bots)} of {len(bots)}" if bots else ""
    return [hint(f"{posted} of {len(judged)} messages were posted{share}.")]
