"""What checking norms found, and the steps that show it: said to those who write norms, in English."""

from __future__ import annotations

from catalog.norms.message import Message, Utterance
from catalog.norms.model import NormSpecification
from catalog.norms.vocabulary import TEXT, UNDEFINED
from catalog.wording.grammar import count, listing, quote, say_time


def say_verdict(
    verdict: str, *, findings: int, states: int, moves: int, people: int, stopped: str, seconds: float
) -> str:
    room = count(people, "person", "people")
    walked = f"{count(states, 'state')} and {count(moves, 'move')}"
    result = count(findings, "finding") if findings else "no finding"
    if verdict == "proved":
        return f"Proved with {room} in the room: {result}. All {walked} were walked in {say_time(seconds)}."
    return f"Bounded with {room} in the room: {result} so far. {walked} were walked, up to {stopped}."


def say_finding(kind: str, names: tuple[str, ...], who: tuple[str, ...]) -> str:
    """Say what is wrong; `names` are labels of norms, or the name of a transition."""
    quoted = tuple(map(quote, names))
    match kind:
        case "deadlock":
            return "After this no one may say anything, and no deadline will end that."
        case "unmeetable":
            return f"After this {who[0]} owes {quoted[0]}, and can never send a message that meets it."
        case "endless":
            return f"{listing(who)} can go on for ever without a word from a person."
        case "conflict":
            return (
                f"{who[0]} owes {quoted[0]}, and {listing(quoted[1:])} "
                f"{'forbids' if len(quoted) == 2 else 'forbid'} what would meet it; neither is more specific."
            )
        case "never-begun":
            return f"{quoted[0]} never begins, whatever is said."
    return f"{quoted[0]} never fires, whatever is said."


def say_message(specification: NormSpecification, message: Message) -> str:
    parts = tuple(_say_utterance(specification, one) for one in message.utterances)
    said = f"{message.sender}: {listing(parts) if parts else 'a message without words'}"
    if message.receivers:
        said += f", to {listing(message.receivers)}"
    if message.mentions:
        said += f", naming {listing(tuple('@' + name for name in message.mentions))}"
    if message.replies_to is None:
        return said
    which = f" ({'of step ' if message.in_reply_to.isdigit() else ''}{message.in_reply_to})" * bool(message.in_reply_to)
    return f"{said}, in answer to {message.replies_to}{which}"


def _say_utterance(specification: NormSpecification, utterance: Utterance) -> str:
    said = utterance.act.replace("_", " ")
    if utterance.topic != UNDEFINED:
        said += f" about {specification.topics[utterance.topic].label}"
    return said if utterance.content == TEXT else f"{said} with {utterance.content.replace('_', ' ')}"


def say_fired(transitions: tuple[str, ...]) -> str:
    return f" → {listing(transitions)}" if transitions else ""


def say_lapse(specification: NormSpecification, who: tuple[str, ...], norm: str) -> str:
    verb = "does" if len(who) == 1 else "do"
    return f"{listing(who)} {verb} not meet {quote(specification.norms[norm].label)} in time"


def say_departure(name: str) -> str:
    return f"{name} leaves"
