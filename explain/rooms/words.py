"""How participants, norms and messages of a room are put: to the one who asks, who is “you”.

What people wrote, names and labels are data. Entries of the log are named by their numbers, in brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from catalog.norms.model import Filters
from catalog.norms.vocabulary import ALL, EVERYBODY, TEXT, UNDEFINED, NormKind, Tag
from catalog.wording.grammar import a, clean, listing, quote
from explain.claim import Claim, ClaimWords
from explain.rooms.record import InForce, MessageOnRecord, Party, UtteranceRecord

MODAL = {Tag.REQUIRED: "must", Tag.ALLOWED: "may", Tag.DENIED: "must not"}
_TAG = {NormKind.OBLIGATION: Tag.REQUIRED, NormKind.PERMISSION: Tag.ALLOWED, NormKind.PROHIBITION: Tag.DENIED}
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
_VARIABLES = {
    "$sender": "the one who asked", "$bearer": "themselves", "$receivers": "those asked", "$mentioned": "those named",
    "$last_sender": "the last to speak", "$last_answerer": "the last to answer",
    "nobody": "no one in particular", "everybody": "anyone",
    UNDEFINED: "something unclear",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RoomWords(ClaimWords):
    """How things are put; `roles` and `topics` are what those are called, without that the name itself is said.

    `before` is the claim that was said last, so that its norm need not be named again.
    """

    asker: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    topics: Mapping[str, str] = field(default_factory=dict)
    before: Claim | None = None

    def name(self, participant: str) -> str:
        return "you" if participant == self.asker else clean(participant) or "a participant"

    def names(self, participants: Iterable[str]) -> str:
        return listing(tuple(map(self.name, participants)))

    # norms

    def norms(self, norms: Iterable[InForce]) -> str:
        return listing(tuple(dict.fromkeys(quote(one.label) for one in norms)))

    def says(self, norm: InForce) -> str:
        what = self.to_do(norm.about).removeprefix("to ") if norm.about.size else "speak"
        what += f", except {self.any_of(norm.unless)}" if norm.unless else ""
        if EVERYBODY in norm.borne_by and norm.kind is NormKind.PROHIBITION:
            return f"no one may {what}"
        who = "everybody" if EVERYBODY in norm.borne_by else self.names(norm.bearers) or "no one here"
        return f"{who} {MODAL[_TAG[norm.kind]]} {what}"

    def default(self, party: Party, tag: Tag) -> str:
        rule = "must not speak unless a norm lets them" if tag is Tag.DENIED else "may speak unless a norm forbids it"
        return f"{'people' if party.person else 'bots'} {rule}"

    # messages

    def deed(self, entry: MessageOnRecord) -> str:
        """Say what a message did, in a few words: “asked about savings accounts”, “sent a calculation”."""
        main = [one for one in entry.utterances if one.act not in _ASIDE] or list(entry.utterances)
        if not main:
            return "sent a message"
        if main[0].act == "request" and entry.receivers:
            return f"asked {_listed(entry.receivers, clean)} for something"
        return _did(main[0]) + (f", naming {_listed(entry.mentions, clean)}" if entry.mentions else "")

    def any_of(self, filters: Iterable[Filters]) -> str:
        return _listed(dict.fromkeys(map(self.to_do, filters)), str, "or")

    def to_do(self, filters: Filters) -> str:
        """Say what messages some filters let through, as an infinitive: “to send a calculation in answer to Ana”."""
        contents = [one for one in filters.content if one != TEXT]
        if contents:
            parts = [f"to send {_listed(contents, _thing, 'or')}"]
        else:
            parts = [_listed(filters.act, _act_to_do, "or") or "to send a message"]
        if filters.topic:
            parts.append(f"about {_listed(filters.topic, lambda one: _called(one, self.topics), 'or')}")
        for selectors, words in (
            (filters.sender, "as"),
            (filters.receivers, "to"),
            (filters.mentions, "naming"),
            (filters.replies_to, "in answer to"),
        ):
            if selectors:
                parts.append(f"{words} {_listed(selectors, self._who, 'or')}")
        if filters.owing:
            parts.append("while that is still owed")
        return " ".join(parts)

    def _who(self, selector: str) -> str:
        return a(clean(self.roles[selector])) if selector in self.roles else _called(selector, self.roles)


def _listed(items: Iterable[str], put: Callable[[str], str], word: str = "and") -> str:
    return listing(tuple(map(put, items)), word)


def _did(said: UtteranceRecord) -> str:
    topic = "everything" if said.topic == ALL else said.topic.replace("_", " ")
    about = "" if said.topic == UNDEFINED else clean(said.about or topic)
    match said.act:
        case "inform" if said.content != TEXT:
            return f"sent {_thing(said.content)}"
        case "query" if about:
            return f"asked about {about}"
    did = _ACTS.get(said.act, (f"sent a message ({clean(said.act.replace('_', ' '), 40)})",))[0]
    link = {"inform": "about", "request": "about", "simulate": "of"}.get(said.act)
    return f"{did} {link} {about}" if about and link else did


def _act_to_do(act: str) -> str:
    return _ACTS.get(act, (f"to send “{clean(act.replace('_', ' '), 40)}”",))[-1]


def _thing(content: str) -> str:
    words = clean(content.replace("_", " "), 40)
    return f"the {words}" if words.startswith("best ") else a(words)


def _called(name: str, labels: Mapping[str, str]) -> str:
    return _VARIABLES.get(name) or clean(labels.get(name) or name.replace("_", " "))
