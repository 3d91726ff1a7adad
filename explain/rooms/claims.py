"""Claims about who may speak in a room and why, each with its sentence and the entries of the log that prove it.

They name the norms that decided as they stand on record; nothing is judged anew.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalog.norms.model import Filters
from catalog.norms.vocabulary import NormKind, Tag
from catalog.wording.grammar import clean, end, listing, quote
from explain.claim import Claim
from explain.rooms.record import BotReaction, InForce, MessageOnRecord, NormEnding, Party
from explain.rooms.words import MODAL, RoomWords

_REFUSED = {
    "flood": "it sent too many messages in a short time",
    "too_long": "it was too long",
    "anothers_name": "it was sent in another name",
    "twice": "it had answered that message already",
    "not_understood": "it is no message that can be read",
    "not_here": "its sender is not in the room",
}


class Ungoverned(Claim):
    template = "No norms are applied in this room: everybody may speak."


class NotHere(Claim):
    participant: str
    template = "No participant is called {participant:clean}."


class EmptyRoom(Claim):
    template = "This room is empty."


class NoNorms(Claim):
    template = "No norm is in force."


class TakesPart(Claim):
    """A participant is in the room, with what people call it and its roles."""

    party: Party

    def say(self, words: RoomWords) -> Iterator[str]:
        party, are = self.party, "are" if self.party.name == words.asker else "is"
        label = clean(party.label) if party.label != party.name else ""
        called = f", {quote(label)}" if label else ""
        roles = listing(tuple(clean(role) for role in party.roles if clean(role).casefold() != label.casefold()))
        kind = "person" if party.person else "bot"
        yield f"{words.name(party.name)} {are} a {kind}{called}{f' ({roles})' if roles else ''}."


class NothingSaid(Claim):
    """Nothing has been said that the question could be about; by `participant`, where it is about one."""

    participant: str | None = None

    def say(self, words: RoomWords) -> Iterator[str]:
        who = self.participant
        yield f"{words.name(who)} did not say anything so far." if who else "Nothing was said so far."


class NothingDenied(Claim):
    participant: str | None = None

    def say(self, words: RoomWords) -> Iterator[str]:
        who = self.participant
        yield f"Nothing that {words.name(who)} sent was denied." if who else "Nothing was denied so far."


class ToDoNow(Claim):
    """What some participants are to do now, which the same norms decide; without norms the default does.

    `default_of` is one of them, to say what the default is for. `except_for` is what they may say all the same.
    """

    tag: Tag
    participants: tuple[str, ...]
    norms: tuple[InForce, ...] = ()
    except_for: tuple[Filters, ...] = ()
    default_of: Party | None = None

    def stand(self, words: RoomWords) -> str:
        return f"{words.names(self.participants)} {MODAL[self.tag]} speak"

    def say(self, words: RoomWords) -> Iterator[str]:
        by = f", by {words.norms(self.norms)}" if self.norms else ""
        yield f"{self.stand(words)} now{by}."
        if self.default_of is not None:
            yield f"{words.default(self.default_of, self.tag)}."
        if self.tag is Tag.DENIED and self.except_for:
            yield f"What is allowed all the same is {words.any_of(self.except_for)}."


class NoSpeaker(Claim):
    """There is no participant who must, may or must not speak now."""

    tag: Tag

    def say(self, words: RoomWords) -> Iterator[str]:
        verbs = {Tag.REQUIRED: "has to", Tag.ALLOWED: "may", Tag.DENIED: "is forbidden to"}
        yield f"No one {verbs[self.tag]} speak now."


class _Judged(Claim):
    """The verdict on a message, by the norms that decided or by the default for its sender."""

    entry: MessageOnRecord
    sender: Party

    @property
    def norms(self) -> tuple[InForce, ...]:
        return self.entry.deciding


class Posted(_Judged):
    """A message was posted; it was required or allowed."""

    def say(self, words: RoomWords) -> Iterator[str]:
        entry, were = self.entry, "were" if self.entry.sender == words.asker else "was"
        had = "had to speak" if entry.tag is Tag.REQUIRED else f"{were} allowed to speak"
        why = f"by {words.norms(entry.deciding)}" if entry.deciding else words.default(self.sender, entry.tag)
        yield f"{words.name(entry.sender)} {had} ({entry.event}): {why}."


class Denied(_Judged):
    def say(self, words: RoomWords) -> Iterator[str]:
        entry, norms = self.entry, self.entry.deciding
        said = " ".join(one.text for one in entry.utterances if one.text)
        what = f"wanted to say {quote(said)}" if said.strip() else "wanted to speak"
        if entry.conflict:
            forbids, obliges = (
                words.norms(one for one in norms if one.kind is kind)
                for kind in (NormKind.PROHIBITION, NormKind.OBLIGATION)
            )
            why = f"but {forbids} forbids what {obliges} asks for, and the prohibition counts"
        elif norms:
            why = f"and that was denied by {words.norms(norms)}"
        else:
            why = f"and that was denied: {words.default(self.sender, entry.tag)}"
        yield f"{words.name(entry.sender)} {what} ({entry.event}), {why}."


class Excepted(Claim):
    norm: InForce
    exception: Filters
    template = "{norm.label:quote} would have denied it, but has an exception: {exception:to_do}."


class NotJudged(Claim):
    """What was sent was not even judged."""

    entry: MessageOnRecord

    def say(self, words: RoomWords) -> Iterator[str]:
        why = _REFUSED.get(self.entry.refusal, "it could not be taken")
        yield f"What {words.name(self.entry.sender)} sent ({self.entry.event}) was turned away unjudged: {why}."


class PutInForce(Claim):
    """Since when a norm is, or was, in force: since a message that fired a transition, a lapse, or from the start.

    `lapsed` is the obligation that was not met, and by whom.
    """

    norm: InForce
    by: MessageOnRecord | None = None
    lapsed: tuple[InForce, str] | None = None

    def say(self, words: RoomWords) -> Iterator[str]:
        yield f"{self._head(words)} {self._since(words)}."

    def _head(self, words: RoomWords) -> str:
        norm, says, before = self.norm, words.says(self.norm), words.before
        held = "holds" if norm.ended is NormEnding.STILL else "held"
        if getattr(before, "norms", ()) != (norm,):  # it was not named just before
            return f"{quote(norm.label)} ({says}) {held}"
        told = isinstance(before, ToDoNow) and says == before.stand(words)
        return f"That norm {held}" if told else f"That norm ({says}) {held}"

    def _since(self, words: RoomWords) -> str:
        norm = self.norm
        if self.by is not None:
            return f"because {words.name(self.by.sender)} {words.deed(self.by)} ({self.by.event})"
        if self.lapsed is not None:
            owed, who = self.lapsed
            return f"because {words.name(who)} did not do in time what {quote(owed.label)} asks for ({norm.since})"
        if norm.since is not None:
            return f"since entry {norm.since}"
        return "always" if norm.standing else "from the start"


class AnsweredMessage(Claim):
    entry: MessageOnRecord
    template = "{entry.sender:name} did answer ({entry.event})."


class HasLeft(Claim):
    participant: str
    template = "{participant:name} left the room."


class Troubled(Claim):
    reaction: BotReaction

    def say(self, words: RoomWords) -> Iterator[str]:
        trouble = clean(self.reaction.trouble, 200)
        yield end(f"{words.name(self.reaction.participant)} gave no usable answer: {trouble}")


class HadNothing(Claim):
    participant: str
    template = "{participant:name} had nothing to say to that."


class MissedIt(Claim):
    participant: str
    norm: InForce
    template = "{participant:name} had to answer ({norm.label:quote}), and did not in time."

    @property
    def norms(self) -> tuple[InForce, ...]:
        return (self.norm,)


class StillOwes(Claim):
    participant: str
    norms: tuple[InForce, ...]

    def say(self, words: RoomWords) -> Iterator[str]:
        by = f" by {words.norms(self.norms)}" if self.norms else ""
        yield f"{words.name(self.participant)} must speak{by}, and did not yet."


class KeptSilent(Claim):
    participant: str
    template = "{participant:name} may speak, and sent nothing."


class SaidInAnswer(Claim):
    """A message answers another one, or was sent of the sender's own accord."""

    entry: MessageOnRecord
    asked: MessageOnRecord | None = None

    def say(self, words: RoomWords) -> Iterator[str]:
        entry, asked = self.entry, self.asked
        to = f"{words.name(asked.sender)} ({asked.event})" if asked is not None else "no one"
        yield f"{words.name(entry.sender)} {words.deed(entry)} ({entry.event}), in answer to {to}."


class SenderRestsOn(Claim):
    """What the sender of a message says that it rests on."""

    entry: MessageOnRecord
    basis: tuple[str, ...]

    def say(self, words: RoomWords) -> Iterator[str]:
        yield f"{words.name(self.entry.sender)} says that it rests on this:"
        yield from (end(clean(text, 300)) for text in self.basis)


class NoBasis(Claim):
    entry: MessageOnRecord
    template = "{entry.sender:name} does not say what that rests on."
