"""What other norms would come to: a replay of a room."""

from __future__ import annotations

from catalog.wording.grammar import count
from dialogue.rooms.governance.verdict import MessageVerdict
from dialogue.rooms.hub.replay import Replay, VerdictDifference
from dialogue.rooms.room import RoomMessage
from language.responses.rooms.notices import say_differences, say_follows, say_lapse, say_verdict
from language.responses.rooms.on_page import REPLAY_EMPTY, REPLAY_EMPTY_WORDS, REPLAY_HOW
from pages.rooms.page_state import RoomPage
from pages.shell.frame import announcement
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, empty, hint, icon, shorten, table

_MOST = 300
_QUOTED = 110


def draw_replay(page: RoomPage, norms: str) -> None:
    """Draw the messages of a room with what becomes of them now and under other norms."""
    if not any(one.verdict is not None for one in page.room.messages.values()):
        draw("replay", [empty("later", REPLAY_EMPTY, REPLAY_EMPTY_WORDS)])
        return
    found = services().rooms.replay(page.room_id, norms)
    draw("replay", replay_view(page, found))


def replay_view(page: RoomPage, found: Replay) -> list[Node]:
    """Draw a replay: first in one line, then message by message."""
    otherwise = [one for one in found.differences if one.posted_otherwise]
    denied = sum(one.before.posted for one in otherwise)
    words = say_differences(len(found.differences), denied, len(otherwise) - denied)
    head = el("h3", "headline", icon("problem" if otherwise else "done"), words)
    judged = sorted((one for one in page.room.messages.values() if one.verdict is not None), key=lambda one: one.judged)
    differences = {one.entry: one for one in found.differences}
    rows = [_row(page, one, found.verdicts.get(one.entry), differences.get(one.entry)) for one in judged[-_MOST:]]
    lapses = [
        el("li", "", say_lapse(found_label(page, one.norm), one.bearers, left=False)) for one in found.lapses[:_MOST]
    ]
    return [
        el("div", f"insight {'warn' if otherwise else 'good'}", head, hint(REPLAY_HOW)),
        announcement(words),
        table(("Message", "In the room", "Under these norms"), rows, "replay room"),
        el("h4", "", f"Would not be met: {count(len(found.lapses), 'obligation')}") if lapses else "",
        el("ul", "lapses", lapses) if lapses else "",
    ]


def found_label(page: RoomPage, norm: str) -> str:
    """Return what a norm is called in the room; one that is new goes by its name."""
    return page.norm(norm).replace("_", " ")


def _row(page: RoomPage, one: RoomMessage, after: MessageVerdict | None, difference: VerdictDifference | None) -> Node:
    words = shorten(one.message.text, _QUOTED) if one.is_for(page.viewer) else "something private"
    said, would_say = _said(page, one.verdict), _said(page, after)
    if difference and said == would_say:  # it is what follows that differs
        said, would_say = (f"{said}, {_follows(page, verdict)}" for verdict in (one.verdict, after))
    return el(
        "tr",
        "",
        el("th", "wrap", el("strong", "", one.message.sender), ": ", words or "no words", scope="row"),
        el("td", "wrap", said),
        el(
            "td",
            f"wrap {'differs' if difference else ''}",
            would_say,
            el("span", "tag warn", "≠ differs") if difference else None,
        ),
    )


def _follows(page: RoomPage, verdict: MessageVerdict | None) -> str:
    if verdict is None:
        return say_follows("", (), (), ())
    norms = (
        tuple(found_label(page, name) for name in some)
        for some in (verdict.met, verdict.activated, verdict.deactivated)
    )
    return say_follows(verdict.transition or "", *norms)


def _said(page: RoomPage, verdict: MessageVerdict | None) -> str:
    if verdict is None:
        return say_verdict("", ())
    return say_verdict(verdict.tag.value, [found_label(page, name) for name in verdict.norms])
