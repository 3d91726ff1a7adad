"""The messages of a room in its order, with what happened between them; what was denied, and why, on demand."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from catalog.norms.vocabulary import UNDEFINED
from catalog.wording.grammar import listing
from dialogue.log.streams import Event
from dialogue.rooms.events import Joined, Lapsed, Left, ReactionFailed, RoomAsked, TurnedAway
from dialogue.rooms.room import AskedInRoom, RoomMessage
from explain.rooms.answers import answer_about_room
from explain.rooms.record import RoomQuestion, RoomQuestionKind
from language.responses.rooms import notices
from language.responses.rooms.notices import say_heard
from language.responses.rooms.on_page import GONE_MESSAGE
from pages.rooms.page_state import QuestionTarget, RoomPage, named
from pages.shell.sheet import Child, Node, because, button, card, copy_button, dots, el, empty, hint, icon, shorten
from pages.views import long_lists

_QUOTED = 90
_NOTICED = (Joined, Left, TurnedAway, ReactionFailed, Lapsed)
_ASKING = frozenset({"query", "request", "simulate"})


def conversation(page: RoomPage, shown: int = long_lists.DRAWN) -> list[Node]:
    """Draw the last things that happened, in the order of the room."""
    told = list(_told(page))
    if not any(isinstance(one, dict) and "message" in str(one.get("cls")) for _, one in told) and not page.busy:
        words = "Say hello, ask about a product, or ask what an amount would become."
        told.append((0, empty("next", "Nothing was said yet", words)))
    hidden = max(0, len(told) - shown)
    drawn = [*long_lists.earlier("messages", hidden), *(node for _, node in told[hidden:])]
    if page.busy:
        drawn.append(el("div", "working", dots(), notices.NOT_JUDGED_YET if page.room.inbox else "Bots are answering…"))
    return drawn


def head(page: RoomPage) -> list[Node]:
    """Draw the button that shows what was denied."""
    denied = sum(1 for one in page.room.messages.values() if one.verdict is not None and not one.posted)
    if not denied:
        return []
    words = notices.say_denied_count(denied, shown=page.denied)
    return [button("small", icon("eye"), words, act={"do": "denied"}, pressed=page.denied)]


def _told(page: RoomPage) -> Iterator[tuple[int, Node]]:
    """Yield what happened with the entry at which it did, in that order."""
    asked = {one.entry: one for one in page.room.questions}
    found: dict[int, Node | Event | None] = {}
    for one in page.room.messages.values():
        found[one.judged or one.entry] = _message(page, one)
    for entry in page.log:
        event = entry.event
        if isinstance(event, RoomAsked):
            found[entry.seq] = _question(page, asked[entry.seq]) if entry.seq in asked else None
        else:
            found.setdefault(entry.seq, event if isinstance(event, _NOTICED) else None)
    last = max(found, default=0)
    found |= {last + 1 + i: _inbox(page, one) for i, one in enumerate(page.room.inbox)}
    told = [(seq, one) for seq, one in sorted(found.items()) if one is not None]
    for kind, some in groupby(told, lambda one: _kind(one[1])):
        alike = list(some)
        if kind is None:
            yield from ((seq, node) for seq, node in alike if isinstance(node, dict))
        else:
            yield alike[-1][0], _notice(page, [event for _, event in alike if isinstance(event, _NOTICED)])


def _kind(one: Node | Event) -> Hashable:
    """Return what makes notices one, where they follow each other; None for a message."""
    match one:
        case TurnedAway():
            return TurnedAway, one.participant, one.reason
        case Lapsed():
            return Lapsed, one.lapse, one.left
        case Joined() | Left() | ReactionFailed():
            return type(one)
    return None


def _notice(page: RoomPage, events: Sequence[Event]) -> Node:
    """Draw what happened, several times perhaps, in one line; why bots failed can be opened."""
    first = events[0]
    match first:
        case TurnedAway():
            picture, words = "problem", notices.say_turned_away(first.participant, first.reason.value, len(events))
        case Lapsed():
            picture = "waiting"
            words = notices.say_lapse(page.norm(first.lapse.norm), first.lapse.bearers, left=first.left)
        case ReactionFailed():
            troubles = {one.participant: one.trouble for one in events if isinstance(one, ReactionFailed)}
            lines = [el("li", "", notices.say_failure(name, shorten(why, 200))) for name, why in troubles.items()]
            head = el("summary", "", icon("problem"), " ", notices.say_no_answer(tuple(troubles)))
            return el("details", "notice-line evidence", head, el("ul", "", lines))
        case _:
            names = tuple(dict.fromkeys(one.participant for one in events if isinstance(one, Joined | Left)))
            joined = isinstance(first, Joined)
            picture, words = ("person", notices.say_joined(names)) if joined else ("next", notices.say_left(names))
    return el("p", "notice-line", icon(picture), el("span", "", words))


def _inbox(page: RoomPage, one: RoomMessage) -> Node | None:
    """Draw a message that was just sent: others do not see it yet."""
    if one.message.sender != page.viewer:
        return None
    return el(
        "div", "message user pending", el("div", "said", _bubble(one), el("small", "muted", notices.NOT_JUDGED_YET))
    )


def _message(page: RoomPage, one: RoomMessage) -> Node | None:
    if one.verdict is None or (not one.posted and not page.denied):
        return None
    message = one.message
    side = "user" if message.sender == page.viewer else "assistant"
    readable = one.is_for(page.viewer)
    chosen = page.about == QuestionTarget(entry=one.entry)
    if not readable:
        asked = any(part.act in _ASKING for part in message.utterances)
        said: Child = el(
            "p",
            "bubble private",
            icon("authorize"),
            notices.say_private(message.sender, message.receivers, asked=asked),
        )
    else:
        said = _bubble(one)
    deniers = notices.say_denied_by([page.norm(name) for name in one.verdict.norms])
    only = notices.ONLY_FOR.format(names=listing((message.sender, *message.receivers)))
    return el(
        "div",
        f"message in-room {side}{'' if one.posted else ' denied'}{' here' if chosen else ''}",
        page.face(message.sender),
        el(
            "div",
            "said",
            el("div", "by", named(page, message.sender)),
            None if one.posted else el("p", "wanted", f"{message.sender} wanted to say:"),
            _quoted(page, one) if readable else None,
            said,
            el("small", "only", icon("authorize"), only) if message.private and readable else None,
            None if one.posted else el("p", "wanted", icon("never"), deniers),
            _chips(page, one, chosen),
        ),
        copy_button(message.text, "Copy this message") if readable and message.text else None,
        key=f"m{one.entry}",
    )


def _bubble(one: RoomMessage) -> Node:
    lines = (line for line in shorten(one.message.text, 4_000).split("\n") if line.strip())
    return el("div", "bubble", [el("p", "", line) for line in lines] or el("p", "muted", "no words"))


def _quoted(page: RoomPage, one: RoomMessage) -> Node | None:
    answered = page.room.called(one.message.in_reply_to)
    if answered is None:
        return None
    words = shorten(answered.message.text, _QUOTED) if answered.is_for(page.viewer) else "a private message"
    act = {"do": "show", "what": f"m{answered.entry}"}
    return button("quoted", el("strong", "", answered.message.sender), ": ", words, act=act)


def _chips(page: RoomPage, one: RoomMessage, chosen: bool) -> Node:
    sender = one.message.sender
    asked = f"Why did {sender} speak?" if one.posted else f"Why was this denied to {sender}?"
    about, reply = str(QuestionTarget(entry=one.entry)), {"do": "reply", "what": str(one.entry)}
    may_reply = one.posted and page.viewer is not None and page.is_here(page.viewer) and sender != page.viewer
    return el(
        "div",
        "chips",
        button("chip", "why?", act={"do": "about", "what": about}, label=asked, pressed=chosen),
        button("chip", "reply", act=reply, label=f"Reply to {sender}") if may_reply else None,
    )


def _question(page: RoomPage, one: AskedInRoom) -> Node:
    """Draw a question about the room and its answer, which is Planglass's, and no participant's turn."""
    mine = one.participant == page.viewer
    return el(
        "div",
        "about-room",
        el("p", "asked", page.face(one.participant), el("strong", "", one.participant), " asks: ", shorten(one.text)),
        el(
            "div",
            "message assistant",
            el("span", "face", icon("glass")),
            el("div", "said", el("div", "by", el("strong", "", "Planglass")), _answer(page, one)),
        )
        if one.answer
        else el("p", "muted", dots()),
        key=f"q{one.entry}",
        aria_label="Your question about the room" if mine else "A question about the room",
        role="group",
    )


def _answer(page: RoomPage, one: AskedInRoom) -> Node:
    return el(
        "div",
        "bubble",
        [el("p", "", line) for line in one.answer.split("\n") if line.strip()],
        evidence(page, one.evidence),
    )


def evidence(page: RoomPage, entries: tuple[int, ...]) -> Node | None:
    """Draw buttons that lead to the messages that show something."""
    known: Mapping[int, RoomMessage] = page.room.messages
    by_verdict = {one.judged: one for one in known.values() if one.judged}
    found = dict.fromkeys(one.entry for entry in entries if (one := known.get(entry) or by_verdict.get(entry)))
    words = {entry: f"{known[entry].message.sender}, entry {entry}" for entry in found}
    links = [button("chip", told, act={"do": "show", "what": f"m{entry}"}) for entry, told in words.items()]
    return el("div", "chips", links, role="group", aria_label="What shows it") if links else None


def why_card(page: RoomPage, about: QuestionTarget) -> list[Node]:
    one = page.room.messages.get(about.entry) if about.entry is not None else None
    if about.entry is not None and (one is None or one.verdict is None):
        return [_card("Why?", hint(GONE_MESSAGE))]
    if one is not None:
        title = f"Why {one.message.sender} spoke" if one.posted else f"Why this was denied to {one.message.sender}"
        kind = RoomQuestionKind.WHY_ALLOWED if one.posted else RoomQuestionKind.WHY_DENIED
        question = RoomQuestion(kind, entry=one.entry, asker=page.viewer)
        how = RoomQuestion(RoomQuestionKind.HOW, entry=one.entry, asker=page.viewer)
        made = [el("h4", "", "How it came about"), *_explained(page, how)] if one.posted else []
        return [_card(title, _heard(page, one), *_explained(page, question), *made)]
    now = _explained(page, RoomQuestion(RoomQuestionKind.WHO_MAY, about.name, asker=page.viewer))
    asked = RoomQuestion(RoomQuestionKind.WHY_SILENT, about.name, asker=page.viewer)
    silent = _explained(page, asked) if page.room.order and page.is_bot(about.name) else []
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
    return card(title, {"do": "close"}, "Close this explanation", *inside, key="why-card")


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


def _explained(page: RoomPage, question: RoomQuestion) -> list[Node]:
    return because(answer_about_room(page.record, question), partial(evidence, page))
