"""The conversation as a chat: what was said, what can be asked about it, and what may be answered next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, Literal

import streamlit as st

from catalog.values.base import HIDDEN as MASK
from catalog.wording.agents import agent_name, say_reaction
from catalog.wording.grammar import clean, listing, quote
from dialogue.agents.model import Reaction
from dialogue.agents.record import Recorded
from dialogue.log.events import ASSISTANT, Asked, Authorized, Explained, Shown
from dialogue.services.inspection import holds_secret
from dialogue.services.tasks.conversation_desk import say_progress
from dialogue.state.conversation import resolve_among
from dialogue.state.goal_status import refusal_in, refusal_of
from dialogue.state.messages import Message
from dialogue.state.provenance import is_secret
from dialogue.state.questions import Consent
from language.interpretation import Coreference, Entity, Interpretation
from language.responses.events import REPLACED_BY, REPLACED_SINCE
from language.responses.facts_and_skills import ROW
from pages.assistant.panels import take_back_button
from pages.shell.address import Selection
from pages.shell.root import services
from pages.shell.sheet import Node, button, copy_button, dots, draw, el, icon, in_sentences, shorten
from pages.understanding.sentence_marks import values_of
from pages.views import media
from pages.views.long_lists import DRAWN, earlier
from pages.views.plans import goal_label
from pages.views.snapshot_view import SnapshotView

_BUTTONS = {
    Reaction.THUMBS_UP: ("confirm", "This was good"),
    Reaction.THUMBS_DOWN: ("thumb_down", "This was bad"),
    Reaction.DISMISSED: ("failed", "I do not want this"),
}


def choice_behind(seen: SnapshotView, message: Message) -> tuple[int, Recorded] | None:
    """Return the choice by which an agent speaks, and its place among all choices; None where there was none."""
    found = ((place, one) for place, one in enumerate(seen.choices) if one.chosen < message.seq)
    last = max(found, key=lambda pair: pair[1].chosen, default=None)
    return last if last is not None and message.sender in last[1].moment.choice.agents else None


def reactions_to(seen: SnapshotView, message: Message) -> Node | None:
    """Offer reactions to a message, where agents were asked; the one that was given stays down."""
    behind = choice_behind(seen, message)
    if behind is None or message is not _last_by(seen, message, behind[1]):
        return None
    place, one = behind
    name = agent_name(message.sender)
    given = one.moment.reaction
    offered = [reaction for reaction in _BUTTONS if message.sender != ASSISTANT or reaction is not Reaction.DISMISSED]
    return el(
        "div",
        "chips reactions",
        [_button(one, reaction, name, pressed=given is reaction) for reaction in offered],
        button("chip", f"why {name}?", act={"do": "who", "what": str(place)}),
        el("small", "muted", say_reaction(given)) if given is not None else None,
        role="group",
        aria_label=f"What you think of what {name} said",
    )


def _last_by(seen: SnapshotView, message: Message, one: Recorded) -> Message:
    """Return the last message of its sender before the user says something again: reactions stand there once."""
    messages = [other for other in seen.conversation.messages.all if other.seq > one.chosen]
    until = next((other.seq for other in messages if other.sender == "user"), None)
    said = [other for other in messages if other.sender == message.sender and (until is None or other.seq < until)]
    return said[-1] if said else messages[0]


def _button(one: Recorded, reaction: Reaction, name: str, *, pressed: bool) -> Node:
    picture, words = _BUTTONS[reaction]
    return button(
        "chip react",
        icon(picture),
        act={"do": "react", "what": f"{one.chosen}:{reaction.value}"},
        label=f"{words}: {name}",
        pressed=pressed,
    )


_LONGEST = 40


def chips_of(seen: SnapshotView, heard: int) -> Node | None:
    """Draw what was understood of a message, and what was of no use for that.

    Nothing is drawn before the first answer to the message, so that nothing moves later.
    """
    meaning = seen.meanings.get(heard)
    answered = not seen.snapshot.busy or any(
        message.seq > heard and message.sender != "user" for message in seen.conversation.messages.all
    )
    if meaning is None or not answered:
        return None
    act = {"do": "understood", "what": str(heard)} if can_be_shown(seen, meaning) else None
    after = (m.seq for m in seen.conversation.messages.all if m.seq > heard and m.sender != "user")
    at = next(after, None)
    chips = [_value(seen, value, at, act) for value in values_of(meaning)]
    chips += [_reference(seen, meaning, one, at, act) for goal in meaning.goals for one in goal.references]
    given = seen.conversation.questions.consents.values()
    chips += [take_back_button(seen, one.subject) for one in given if one.status == "given" and _gave(seen, one, heard)]
    notes = [el("small", "of-no-use", icon("problem"), " ", seen.text(note)) for note in meaning.notes]
    if not chips and not notes:
        return None
    return el("div", "understood", chips, notes, role="group", aria_label="What was understood")


def _gave(seen: SnapshotView, one: Consent, heard: int) -> bool:
    entry = seen.entry(one.seq)
    return entry is not None and isinstance(entry.event, Authorized) and entry.event.heard == heard


def can_be_shown(seen: SnapshotView, meaning: Interpretation) -> bool:
    """Return whether a message can be examined by itself: a request is one, an answer needs its question.

    One with something sensitive in it is not carried to another page.
    """
    return bool(meaning.goals) and not holds_secret(seen.catalog, meaning)


def _value(seen: SnapshotView, value: Entity, at: int | None, act: dict[str, str] | None) -> Node:
    declared = seen.catalog.facts.get(value.fact)
    hidden = is_secret(seen.catalog, value.fact) and value.fact not in seen.conversation.facts.revealed
    shown = MASK if hidden or declared is None else seen.text(declared.value.show(value.value))
    told = "" if hidden else f" from {quote(seen.text(value.span.text))}"
    return _chip(
        seen.fact(value.fact),
        shown,
        f"Understood{told}, read by: {seen.text(value.rule)}",
        Selection("fact", value.fact, at),
        act,
    )


def _reference(
    seen: SnapshotView, meaning: Interpretation, one: Coreference, at: int | None, act: dict[str, str] | None
) -> Node:
    named = [goal_label(seen.catalog, meaning.goals[place].goal) for place in one.to if place < len(meaning.goals)]
    told = f"Understood from {quote(seen.text(one.span.text))}: the result of another request"
    return _chip(
        seen.fact(one.fact), listing(tuple(named)) or "the last result", told, Selection("fact", one.fact, at), act
    )


def _chip(label: str, shown: str, told: str, fact: Selection, act: dict[str, str] | None) -> Node:
    """Draw a chip; a click shows how the message was understood, or how the value was established."""
    chip = button(
        "chip fact-value",
        el("span", "of-fact", f"{label}: "),
        shorten(shown, _LONGEST),
        act=act or {"do": "ask", "what": str(fact), "view": "how"},
    )
    return {**chip, "attrs": {**chip.get("attrs", {}), "title": told}}


OnAct = Callable[[Mapping[str, Any]], None]


def draw_chat(
    seen: SnapshotView, on_act: OnAct, *, shown: int = DRAWN, replies: bool = True, key: str = "chat"
) -> None:
    """Draw the last messages; charts and tables stand below the message they belong to."""
    messages = seen.conversation.messages.all
    hidden = max(0, len(messages) - shown)
    part = 0
    shown_now: str | None = st.session_state.pop("message_shown", None)
    pile = earlier("messages", hidden)
    for message in messages[hidden:]:
        pile.append(_message(seen, message))
        for below in media.drawn_with(seen, message):
            if below.figure is not None or below.file is not None:
                draw(f"{key}-{part}", pile, on_act, cls="chat", show=_shown_among(shown_now, pile))
                pile, part = [], part + 1
            if below.figure is not None:
                media.draw_figure(below.figure, key=f"{key}-figure-{message.seq}-{below.fact}")
            elif below.file is not None:
                read = partial(services().file, seen.snapshot.session_id)
                media.draw_file(read, below.file, key=f"{key}-file-{message.seq}-{below.fact}")
            elif below.rows is not None:
                pile.append(below.rows)
    pile.extend(_tail(seen, replies))
    last = messages[-1].seq if messages else 0
    draw(
        f"{key}-{part}",
        pile,
        on_act,
        cls="chat",
        end=f"{last}-{seen.snapshot.busy}-{bool(seen.conversation.questions.pending)}",
        show=_shown_among(shown_now, pile),
    )


def _shown_among(wanted: str | None, pile: Iterable[Node]) -> str | None:
    """Return the key of the message to be brought into sight, where it is one of these."""
    return next((wanted for node in pile if isinstance(node, dict) and wanted and node.get("key") == wanted), None)


def _message(seen: SnapshotView, message: Message) -> Node:
    mine = message.sender == "user"
    files = [media.thumbnail(seen, file) for file in message.attachments if mine]
    words = paragraphs(seen.text(message.text))
    explained = seen.entry(message.explained)
    if explained is not None and isinstance(explained.event, Explained):
        sentences = [_sentence(seen, sentence, message.seq) for sentence in explained.event.sentences]
        words = in_sentences(sentences, as_list=explained.event.question == "what")
    no = "" if mine else declined(seen, message)
    return el(
        "div",
        f"message {'user' if mine else 'assistant'} {'declined' if no else message.tone}",
        None if mine else el("span", "face", icon("problem" if message.tone == "problem" else "glass")),
        el(
            "div",
            "said",
            el("span", "unseen", "You said:" if mine else "Planglass said:")
            if mine or message.sender == ASSISTANT
            else el("small", "sender", seen.text(clean(message.sender, 80))),
            el("div", "bubble", files, el("p", "verdict", icon("declined"), "declined") if no else None, words),
            chips_of(seen, message.seq)
            if mine
            else (_replaced(seen, message), _chips(seen, message), reactions_to(seen, message)),
        ),
        copy_button(seen.text(message.text), "Copy this message") if message.text else None,
        _fork_button(message) if message.seq and seen.snapshot.session_id else None,
        key=f"m{message.seq}",
    )


def _fork_button(message: Message) -> Node:
    """Offer to fork here: before what a person said, which they may have said otherwise; else after the message."""
    at = message.seq - (message.sender == "user")
    return button("copy fork-here", icon("fork"), act={"do": "fork", "value": str(at)}, label="Fork from here")


def declined(seen: SnapshotView, message: Message) -> bool:
    """Return whether a message tells a result that is bad news."""
    if message.tone != "result":
        return False
    then = seen.conversation
    if message.facts:
        then = replace(then, facts=replace(then.facts, known=message.known))
        return bool(refusal_in(seen.catalog, then, message.facts))
    ended = [goal for goal in then.goals.past if goal.ending and goal.ending.seq == message.seq - 1]
    return any(refusal_of(seen.catalog, then, goal) for goal in ended)


def paragraphs(text: str) -> list[Node]:
    """Draw the lines of a message; those that are values stand in a table."""
    drawn: list[Node] = []
    for as_rows, some in groupby(filter(str.strip, text.split("\n")), key=lambda line: line.startswith(ROW)):
        if not as_rows:
            drawn += [el("p", "", line) for line in some]
            continue
        rows = (line.removeprefix(ROW).partition(": ") for line in some)
        cells = [el("tr", "", el("th", "", label, scope="row"), el("td", "", value)) for label, _, value in rows]
        drawn.append(el("table", "values", el("tbody", "", cells)))
    return drawn


def _sentence(seen: SnapshotView, sentence: Sequence[Shown], at: int) -> list[Node]:
    """Draw a sentence: the facts it names are buttons, and ask on, as of the moment of the explanation."""
    drawn: list[Node] = []
    for part in sentence:
        text = seen.text(part.text)
        if part.secret:
            hidden = part.fact is None or part.fact not in seen.conversation.facts.revealed
            drawn.append("••••" if hidden else part.text)
        elif part.fact and part.fact in seen.catalog.facts:
            drawn.append(button("inline", text, act={"do": "select", "what": f"fact:{part.fact}/{at}"}))
        else:
            drawn.append(text)
    return drawn


def replaced_by(seen: SnapshotView, message: Message) -> Message | Literal["gone"] | None:
    """Return the message that shows what took the place of a message's results; "gone" where none does so yet.

    A result is replaced when its value was corrected or turned out wrong; that of another request is not.
    """
    shown = {fact: resolve_among(seen.catalog, message.known, fact) for fact in message.facts}
    superseded = seen.conversation.facts.superseded
    stale = {fact: value for fact, value in shown.items() if value is not None and value.event in superseded}
    if not stale:
        return None
    for later in seen.conversation.messages.all:
        if later.seq > message.seq and any(
            (new := resolve_among(seen.catalog, later.known, fact)) is not None and new.event > old.event
            for fact, old in stale.items()
            if fact in later.facts
        ):
            return later
    return "gone"


def _replaced(seen: SnapshotView, message: Message) -> Node | None:
    """Say that what a message shows was replaced, with a link to the message that shows what it is now."""
    newer = replaced_by(seen, message)
    if newer is None:
        return None
    if newer == "gone":
        return el("p", "replaced", icon("never"), REPLACED_SINCE)
    link = button("inline", shorten(seen.text(newer.text), _LONGEST), act={"do": "message", "what": f"m{newer.seq}"})
    return el("p", "replaced", icon("never"), REPLACED_BY, " ", link)


def _chips(seen: SnapshotView, message: Message) -> Node | None:
    """Offer what can be asked about a result."""
    if message.tone != "result":
        return None
    ended = [goal for goal in seen.conversation.goals.past if goal.ending and goal.ending.seq <= message.seq]
    facts = message.facts or (max(ended, key=lambda goal: goal.ending.seq if goal.ending else 0).facts if ended else ())
    if not facts:
        return None
    about = seen.fact(facts[0])
    ask: Callable[[str, str, str], Node] = lambda view, word, label: button(  # noqa: E731
        "chip", word, act={"do": "ask", "what": f"fact:{facts[0]}/{message.seq}", "view": view}, label=label
    )
    return el(
        "div",
        "chips",
        ask("what", "what?", "What was gathered for this?"),
        ask("how", "how?", f"How did you get {about}?"),
        ask("why", "why?", f"Why was {about} needed?"),
        ask("what-if", "what if?", f"How else could {about} have come out?"),
    )


def under_way(seen: SnapshotView) -> str:
    """Say what the assistant is doing just now, or what it waits for."""
    if seen.snapshot.trouble:
        return f"What was said is kept, and its answer waits. {seen.snapshot.trouble}"
    if seen.snapshot.preparing:
        return f"Getting ready to understand what is said here, the first time only: {seen.snapshot.preparing}…"
    activity, done = seen.conversation.activity, len(seen.conversation.calls.open_items)
    if activity:
        return f"Calling {seen.skill(activity)}{f' ({done} done)' if done else ''}…"
    return f"{(seen.snapshot.phase or 'working').capitalize()}…"


def _tail(seen: SnapshotView, offer: bool) -> Iterable[Node]:
    """Show that work goes on, or what may be answered; nothing of that where the past is looked at."""
    if seen.at is not None:
        return
    if seen.snapshot.busy:
        yield el("div", "working", dots(), under_way(seen), key="working")
        return
    for line in say_progress(services(), seen.snapshot.session_id) if seen.conversation.tasks.working else ():
        yield el("div", "working", dots(), line, key=f"working-{line[:20]}")
    if not offer:
        return
    pending = seen.conversation.questions.pending
    if pending and (offered := media.sample_buttons(seen, pending.asked.subject)):
        yield offered
    replies = quick_replies(seen, pending.asked) if pending else _openers(seen)
    if replies:
        yield el(
            "div",
            "replies",
            [
                button("reply", text, act={"do": "say", "text": text, "after": str(seen.conversation.seq)})
                for text in replies
            ],
            key="replies",
            role="group",
            aria_label="Quick replies",
        )


def quick_replies(seen: SnapshotView, asked: Asked) -> tuple[str, ...]:
    """List the answers that one click can give."""
    if asked.about in ("authorize", "confirm", "offer", "task", "plan") or asked.proposed:
        return ("Yes", "No")
    if asked.about == "choice":
        return (*(goal_label(seen.catalog, goal) for goal in asked.options), "None of these")
    declared = seen.catalog.facts.get(asked.subject)
    if declared and declared.value.is_yes_or_no:
        return ("Yes", "No", "I don't know")
    options = tuple(declared.value.declared_options)[:8] if declared else ()
    return (*options, "I don't know")


def _openers(seen: SnapshotView) -> tuple[str, ...]:
    """Offer something to begin with, while nothing is going on yet."""
    if seen.conversation.goals.stack or any(message.sender == "user" for message in seen.conversation.messages.all):
        return ()
    return tuple(goal.examples[0] for goal in seen.catalog.goals.values() if goal.examples)[:4]
