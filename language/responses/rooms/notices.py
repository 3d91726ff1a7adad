"""What happens in a room besides messages, and where everybody stands, each in a sentence.

Names come from people and norm files: they are data, and shown as text. Kinds are plain strings, as in the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from catalog.norms.vocabulary import TEXT
from catalog.wording.grammar import a, listing, quote

POSITIONS: Mapping[str, str] = {"must": "must speak", "may": "may speak", "must_not": "must not speak"}

_TURNED_AWAY: Mapping[str, str] = {
    "flood": "{name} sent too many messages at once. One of them was not taken.",
    "too_long": "A message of {name} was too long and was not taken.",
    "anothers_name": "{name} sent a message in another's name. It was not taken.",
    "twice": "{name} had answered that message already. A second answer was not taken.",
    "not_understood": "What {name} sent is not a message. It was not taken.",
    "not_here": "{name} is not in the room. The message was not taken.",
}
"""By the reason for which a message was turned away."""

NOT_JUDGED_YET = "Checking whether this may be posted…"
ONLY_FOR = "Only for {names}"


def say_joined(names: Sequence[str]) -> str:
    return f"{listing(tuple(names))} joined."


def say_left(names: Sequence[str]) -> str:
    return f"{listing(tuple(names))} left."


def say_turned_away(name: str, reason: str, times: int = 1) -> str:
    """Say that something was not even judged, and why; and how often, if more than once."""
    words = _TURNED_AWAY.get(reason, "A message of {name} was not taken.").format(name=name)
    return f"{words} ({times:,} times)" if times > 1 else words


def say_no_answer(names: Sequence[str]) -> str:
    return f"{listing(tuple(names))} gave no answer."


def say_failure(name: str, trouble: str) -> str:
    return f"{name} gave no answer: {trouble.strip().rstrip('.') or 'it failed'}."


def say_lapse(label: str, bearers: Sequence[str], *, left: bool) -> str:
    why = "left before that" if left else "did not in time"
    return f"{quote(label)} was not met: {listing(tuple(bearers))} {why}."


def say_denied_by(labels: Sequence[str]) -> str:
    """Say what denied a message: norms, by their labels, or that there is none that lets its sender speak."""
    return f"Denied by {listing(tuple(map(quote, labels)))}." if labels else "Denied: no norm lets it."


def say_private(sender: str, receivers: Sequence[str], *, asked: bool) -> str:
    whom = listing(tuple(receivers)) or "a participant"
    return f"{sender} asked {whom} something in private." if asked else f"{sender} told {whom} something in private."


def say_denied_count(number: int, *, shown: bool) -> str:
    words = "1 denied message" if number == 1 else f"{number:,} denied messages"
    return f"{'Hide' if shown else 'Show'} {words}"


def say_stands(positions: Mapping[str, Iterable[str]]) -> str:
    said = [f"{listing(tuple(names))} {POSITIONS[one]}" for one, names in positions.items() if tuple(names)]
    return f"{'. '.join(said)}." if said else ""


def say_due(seconds: float) -> str:
    if seconds <= 0:
        return "overdue"
    return f"{seconds:.0f} s left" if seconds < 120 else f"{seconds / 60:.0f} min left"


ACTS: Mapping[str, str] = {
    "greeting": "a greeting", "thank": "thanks", "bye": "a goodbye", "query": "a question",
    "simulate": "a wish for a simulation", "request": "a request", "inform": "information", "propose": "a proposal",
    "agree": "an agreement", "refuse": "a refusal", "confirm": "a confirmation", "apologise": "an apology",
    "not_understood": "that something was not understood",
}  # fmt: skip
"""Speech acts as what a participant says; norm files may bring others."""


def say_heard(act: str, topic: str, content: str) -> str:
    about = f" about {topic}" if topic else ""
    carried = f" with {a(content.replace('_', ' '))}" if content not in ("", TEXT) else ""
    return f"{ACTS.get(act, quote(act))}{about}{carried}"


_VERDICTS: Mapping[str, str] = {
    "allowed": "posted",
    "required": "posted, as it must be",
    "denied": "denied",
    "": "its sender would not be here",
}


def say_verdict(tag: str, labels: Sequence[str]) -> str:
    by = f" by {listing(tuple(map(quote, labels)))}" if labels else ""
    return f"{_VERDICTS[tag]}{by}"


def say_follows(transition: str, met: Sequence[str], begun: Sequence[str], ended: Sequence[str]) -> str:
    switched = [f"{listing(tuple(map(quote, some)))} {verb}" for some, verb in ((begun, "on"), (ended, "off")) if some]
    fired = f"fires {transition}{': ' if switched else ''}{', '.join(switched)}" if transition else "fires nothing"
    return f"meets {listing(tuple(map(quote, met)))}, {fired}" if met else fired


def say_differences(judged: int, denied: int, posted: int) -> str:
    if not judged:
        return "Every message would be judged as it was."
    messages = "1 message" if judged == 1 else f"{judged:,} messages"
    ends = [f"{denied:,} would be denied" if denied else "", f"{posted:,} would be posted" if posted else ""]
    told = listing(tuple(filter(None, ends))) or "the same would be posted"
    return f"{messages} would be judged otherwise: {told}."
