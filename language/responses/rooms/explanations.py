"""Explanations of a room in words: one or two sentences for each claim, with the entries that prove it.

What people wrote, names and labels are data. Entries of the log are named by their numbers, in brackets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from catalog.norms.model import Filters
from catalog.norms.vocabulary import EVERYBODY, NormKind, Tag
from catalog.wording.grammar import clean, end, listing, quote
from explain.model import Claim
from explain.rooms import claims
from explain.rooms.answers import RoomExplanation, explain_room
from explain.rooms.record import Ending, Entry, InForce, Party, RoomQuestion, RoomRecord
from language.responses.rooms.deeds import deed, to_do
from language.responses.sentences import Answer, make_sentence

_REFUSED = {
    "flood": "it sent too many messages in a short time",
    "too_long": "it was too long",
    "anothers_name": "it was sent in another name",
    "twice": "it had answered that message already",
    "not_understood": "it is no message that can be read",
    "not_here": "its sender is not in the room",
}


RoomAnswer = Answer[RoomQuestion]
"""An answer about a room in words."""


def answer_about_room(record: RoomRecord, question: RoomQuestion) -> RoomAnswer:
    return word_room(explain_room(record, question), record.roles, record.topics)


def word_room(explanation: RoomExplanation, roles: Mapping[str, str], topics: Mapping[str, str]) -> RoomAnswer:
    """Put an explanation of a room into words; `roles` and `topics` are what those are called, by name."""
    words = _Words(explanation.question.asker, roles, topics)
    before = (None, *explanation.claims)
    said = (
        make_sentence([text], claim.evidence)
        for last, claim in zip(before, explanation.claims, strict=False)
        for text in words.say(claim, last)
    )
    return RoomAnswer(explanation.question, tuple(said))


@dataclass(frozen=True, slots=True)
class _Words:
    """How things are put to the one who asks."""

    asker: str | None
    roles: Mapping[str, str]
    topics: Mapping[str, str]

    def name(self, participant: str) -> str:
        return "you" if participant == self.asker else clean(participant) or "somebody"

    def to_do(self, filters: Filters) -> str:
        return to_do(filters, self.roles, self.topics)

    def names(self, participants: Sequence[str]) -> str:
        return listing(tuple(map(self.name, participants)))

    def say(self, claim: Claim, before: Claim | None) -> Iterator[str]:  # noqa: PLR0912 - a case for each kind of claim
        """Say a claim; `before` is the one that was said last, so that its norm need not be named again."""
        match claim:
            case claims.Ungoverned():
                yield "No norms are applied in this room: everybody may speak."
            case claims.NotHere(participant=name):
                yield f"Nobody called {clean(name)} takes part here."
            case claims.NobodyHere():
                yield "Nobody is in this room."
            case claims.TakesPart(party=party):
                yield self._takes_part(party)
            case claims.NothingSaid(participant=name):
                yield f"{self.name(name)} did not say anything so far." if name else "Nothing was said so far."
            case claims.NothingDenied(participant=name):
                yield f"Nothing that {self.name(name)} sent was denied." if name else "Nothing was denied so far."
            case claims.Stands():
                yield from self._stands(claim)
            case claims.Nobody(tag=tag):
                yield _NOBODY[tag]
            case claims.Posted(entry=entry, sender=sender):
                yield self._posted(entry, sender)
            case claims.Denied(entry=entry, sender=sender):
                yield self._denied(entry, sender)
            case claims.Excepted(norm=norm, exception=exception):
                yield f"{quote(norm.label)} would have denied it, but has an exception: {self.to_do(exception)}."
            case claims.TurnedAway(entry=entry):
                why = _REFUSED.get(entry.refusal, "it could not be taken")
                yield f"What {self.name(entry.sender)} sent ({entry.event}) was turned away unjudged: {why}."
            case claims.PutInForce():
                yield self._put_in_force(claim, before)
            case claims.Answered(entry=entry):
                yield f"{self.name(entry.sender)} did answer ({entry.event})."
            case claims.HasLeft(participant=name):
                yield f"{self.name(name)} left the room."
            case claims.Troubled(reaction=reaction):
                yield end(f"{self.name(reaction.participant)} gave no usable answer: {clean(reaction.trouble, 200)}")
            case claims.HadNothing(participant=name):
                yield f"{self.name(name)} had nothing to say to that."
            case claims.MissedIt(participant=name, norm=norm):
                yield f"{self.name(name)} had to answer ({quote(norm.label)}), and did not in time."
            case claims.StillOwes(participant=name, norms=norms):
                by = f" by {_norms(norms)}" if norms else ""
                yield f"{self.name(name)} must speak{by}, and did not yet."
            case claims.KeptSilent(participant=name):
                yield f"{self.name(name)} may speak, and sent nothing."
            case claims.NoNorms():
                yield "No norm is in force."
            case claims.SaidInAnswer() | claims.RestsOn() | claims.NoBasis():
                yield from self._came_to(claim)
            case claims.More(count=count):
                yield f"And {count} more."

    def _came_to(self, claim: claims.SaidInAnswer | claims.RestsOn | claims.NoBasis) -> Iterator[str]:
        who = self.name(claim.entry.sender)
        match claim:
            case claims.SaidInAnswer(entry=entry, asked=asked):
                to = f"{self.name(asked.sender)} ({asked.event})" if asked is not None else "nobody"
                yield f"{who} {deed(entry)} ({entry.event}), in answer to {to}."
            case claims.RestsOn(basis=basis):
                yield f"{who} says that it rests on this:"
                yield from (end(clean(text, 300)) for text in basis)
            case claims.NoBasis():
                yield f"{who} does not say what that rests on."

    def _takes_part(self, party: Party) -> str:
        """Say who somebody is: “CD is a bot, the Certificate expert (certificate of deposit adviser)”."""
        are = "are" if party.name == self.asker else "is"
        label = clean(party.label) if party.label != party.name else ""
        called = f", {quote(label)}" if label else ""
        roles = listing(tuple(clean(role) for role in party.roles if clean(role).casefold() != label.casefold()))
        return f"{self.name(party.name)} {are} a {_KIND[party.person]}{called}{f' ({roles})' if roles else ''}."

    def _stands(self, claim: claims.Stands) -> Iterator[str]:
        by = f", by {_norms(claim.norms)}" if claim.norms else ""
        yield f"{self._stand(claim)} now{by}."
        if claim.default_of is not None:
            yield _default(claim.default_of, claim.tag)
        if claim.tag is Tag.DENIED and claim.except_for:
            allowed = listing(tuple(dict.fromkeys(map(self.to_do, claim.except_for))), "or")
            yield f"What is allowed all the same is {allowed}."

    def _stand(self, claim: claims.Stands) -> str:
        return f"{self.names(claim.participants)} {_MODAL[claim.tag]} speak"

    def _posted(self, entry: Entry, sender: Party) -> str:
        had = "had to speak" if entry.tag is Tag.REQUIRED else "was allowed to speak"
        if entry.sender == self.asker and entry.tag is not Tag.REQUIRED:
            had = "were allowed to speak"
        why = f"by {_norms(entry.deciding)}" if entry.deciding else _default(sender, entry.tag).rstrip(".")
        return f"{self.name(entry.sender)} {had} ({entry.event}): {why}."

    def _denied(self, entry: Entry, sender: Party) -> str:
        text = next((one.text for one in entry.utterances if one.text.strip()), "")
        what = (
            f"wanted to say {quote(' '.join(o.text for o in entry.utterances if o.text))}"
            if text
            else "wanted to speak"
        )
        if entry.conflict:
            forbids = tuple(one for one in entry.deciding if one.kind is NormKind.PROHIBITION)
            obliges = tuple(one for one in entry.deciding if one.kind is NormKind.OBLIGATION)
            why = f"but {_norms(forbids)} forbids what {_norms(obliges)} asks for, and the prohibition counts"
        elif entry.deciding:
            why = f"and that was denied by {_norms(entry.deciding)}"
        else:
            why = f"and that was denied: {_default(sender, entry.tag).rstrip('.')}"
        return f"{self.name(entry.sender)} {what} ({entry.event}), {why}."

    def _says(self, norm: InForce) -> str:
        if EVERYBODY in norm.borne_by and norm.kind is NormKind.PROHIBITION:
            return f"nobody {self._says_what(norm).replace('must not', 'may', 1)}"
        who = "everybody" if EVERYBODY in norm.borne_by else self.names(norm.bearers) or "nobody here"
        return f"{who} {self._says_what(norm)}"

    def _says_what(self, norm: InForce) -> str:
        what = self.to_do(norm.about).removeprefix("to ") if norm.about.size else "speak"
        but = listing(tuple(dict.fromkeys(map(self.to_do, norm.unless))), "or")
        return f"{_MODAL[_TAG[norm.kind]]} {what}" + (f", except {but}" if but else "")

    def _put_in_force(self, claim: claims.PutInForce, before: Claim | None) -> str:
        norm, says = claim.norm, self._says(claim.norm)
        held = "holds" if norm.ended is Ending.STILL else "held"
        head = f"{quote(norm.label)} ({says}) {held}"
        if _names(before) == (norm,):
            told = isinstance(before, claims.Stands) and says == self._stand(before)
            head = f"That norm {held}" if told else f"That norm ({says}) {held}"
        if claim.by is not None:
            return f"{head} because {self.name(claim.by.sender)} {deed(claim.by)} ({claim.by.event})."
        if claim.lapsed is not None:
            owed, who = claim.lapsed
            return (
                f"{head} because {self.name(who)} did not do in time what {quote(owed.label)} asks for ({norm.since})."
            )
        if norm.since is not None:
            return f"{head} since entry {norm.since}."
        return f"{head} {'always' if norm.standing else 'from the start'}."


def _names(claim: Claim | None) -> tuple[InForce, ...]:
    match claim:
        case claims.Stands(norms=norms) | claims.StillOwes(norms=norms):
            return norms
        case claims.Posted(entry=entry) | claims.Denied(entry=entry):
            return tuple(entry.deciding)
        case claims.MissedIt(norm=norm):
            return (norm,)
    return ()


_NOBODY = {
    Tag.REQUIRED: "Nobody has to speak now.",
    Tag.ALLOWED: "Nobody may speak now.",
    Tag.DENIED: "Nobody is forbidden to speak now.",
}
_MODAL = {Tag.REQUIRED: "must", Tag.ALLOWED: "may", Tag.DENIED: "must not"}
_KIND = {True: "person", False: "bot"}
_TAG = {
    NormKind.OBLIGATION: Tag.REQUIRED,
    NormKind.PERMISSION: Tag.ALLOWED,
    NormKind.PROHIBITION: Tag.DENIED,
}


def _norms(norms: Sequence[InForce]) -> str:
    return listing(tuple(dict.fromkeys(quote(one.label) for one in norms)))


def _default(party: Party, tag: Tag) -> str:
    who = "people" if party.person else "bots"
    if tag is Tag.DENIED:
        return f"{who} must not speak unless a norm lets them."
    return f"{who} may speak unless a norm forbids it."
