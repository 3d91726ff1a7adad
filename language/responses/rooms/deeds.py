"""What somebody did in a room, in a few words: "asked about savings accounts", "sent a calculation"."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from catalog.norms.model import Filters
from catalog.norms.vocabulary import ALL, TEXT, UNDEFINED
from catalog.wording.grammar import a, clean, listing
from explain.rooms.record import Entry, Said

_NONE: Mapping[str, str] = MappingProxyType({})
_ACTS = {
    "greeting": ("said hello", "to say hello"),
    "thank": ("said thanks", "to say thanks"),
    "bye": ("said goodbye", "to say goodbye"),
    "query": ("asked a question", "to ask questions"),
    "simulate": ("asked for a simulation", "to ask for a simulation"),
    "request": ("asked for something", "to ask for something"),
    "inform": ("gave information", "to give information"),
    "propose": ("proposed something", "to propose something"),
    "agree": ("agreed", "to agree"),
    "refuse": ("refused", "to refuse"),
    "confirm": ("confirmed something", "to confirm"),
    "apologise": ("apologised", "to apologise"),
    "not_understood": ("did not understand", "to say what was not understood"),
}
"""What was done by each act, and what there is to do."""
_ASIDE = frozenset({"greeting", "thank", "bye", "apologise"})
"""Acts that are told only where a message does nothing else."""


def deed(entry: Entry) -> str:
    main = [one for one in entry.utterances if one.act not in _ASIDE] or list(entry.utterances)
    if not main:
        return "sent a message"
    did = _did(main[0])
    if main[0].act == "request" and entry.receivers:
        return f"asked {listing(tuple(map(clean, entry.receivers)))} for something"
    named = tuple(clean(name) for name in entry.mentions)
    return f"{did}, naming {listing(named)}" if named else did


def _did(said: Said) -> str:
    if said.content != TEXT and said.act == "inform":
        return f"sent {_thing(said.content)}"
    about = _about(said)
    if said.act == "query" and about:
        return f"asked about {about}"
    did = _ACTS.get(said.act, (f"sent a message ({clean(said.act.replace('_', ' '), 40)})",))[0]
    return (
        f"{did} about {about}"
        if about and said.act in {"inform", "request"}
        else did + (f" of {about}" if about and said.act == "simulate" else "")
    )


def _about(said: Said) -> str:
    if said.topic == UNDEFINED:
        return ""
    if said.topic == ALL:
        return clean(said.about) or "everything"
    return clean(said.about or said.topic.replace("_", " "))


def _thing(content: str) -> str:
    words = clean(content.replace("_", " "), 40)
    return f"the {words}" if words.startswith("best ") else a(words)


def to_do(filters: Filters, roles: Mapping[str, str] = _NONE, topics: Mapping[str, str] = _NONE) -> str:
    """Say what messages some filters let through, as an infinitive: "to send a calculation in answer to Ana".

    `roles` and `topics` say what those are called; without that the name itself is said.
    """
    contents = tuple(_thing(one) for one in filters.content if one != TEXT)
    acts = tuple(_ACTS.get(act, (f"to send “{clean(act.replace('_', ' '), 40)}”",))[-1] for act in filters.act)
    parts = [f"to send {listing(contents, 'or')}" if contents else listing(acts, "or") if acts else "to send a message"]
    if filters.topic:
        parts.append(f"about {listing(tuple(_called(one, topics) for one in filters.topic), 'or')}")
    for selectors, words in (
        (filters.sender, "as"),
        (filters.receivers, "to"),
        (filters.mentions, "naming"),
        (filters.replies_to, "in answer to"),
    ):
        if selectors:
            parts.append(f"{words} {listing(tuple(_who(one, roles) for one in selectors), 'or')}")
    if filters.owing:
        parts.append("while that is still owed")
    return " ".join(parts)


_VARIABLES = {
    "$sender": "whoever asked", "$bearer": "themselves", "$receivers": "those asked", "$mentioned": "those named",
    "$last_sender": "whoever spoke last", "$last_answerer": "whoever answered last",
    "nobody": "nobody in particular", "everybody": "anybody",
    UNDEFINED: "something unclear",
}  # fmt: skip


def _who(selector: str, labels: Mapping[str, str]) -> str:
    return a(clean(labels[selector])) if selector in labels else _called(selector, labels)


def _called(name: str, labels: Mapping[str, str]) -> str:
    return _VARIABLES.get(name) or clean(labels.get(name) or name.replace("_", " "))
