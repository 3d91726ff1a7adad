"""What can be said of an agent's message: that it is good, bad or not wanted; and the way to why it was chosen."""

from __future__ import annotations

from catalog.wording.agents import agent_name, say_reaction
from dialogue.agents.model import ASSISTANT, Reaction
from dialogue.agents.record import Recorded
from dialogue.state.messages import Message
from pages.shell.sheet import Node, button, el, icon
from pages.views.seen import SnapshotView

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
