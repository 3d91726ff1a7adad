"""The specification of a room: participants, roles, descriptors of messages, norms, and transitions between them.

It is a language of our own after DSL-CR, which is known from its description alone (Gatti de Bayser et al. 2018, §4–5).
What each part means is written in docs/norms.md; whether a specification makes sense is for `catalog.norms.checks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self, TypeVar

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from catalog.model.entry import Entry, Labelled, Named, Names, Sentences, name_by_key
from catalog.model.names import Name, Sentence
from catalog.norms.vocabulary import ALL, EVERYBODY, SPEECH_ACTS, TEXT, UNDEFINED, Ends, NormKind, ParticipantKind
from catalog.values import Flag

MAX_NORMS = 1_000
MAX_DESCRIPTORS = 1_000
MAX_PARTICIPANTS = 100
MAX_ROLES = 200
MAX_TOPICS = 1_000
MAX_TRANSITIONS = 2_000
LONGEST_DEADLINE_S = 86_400.0
_CLOSEST = 1_000
"""How close a bearer is that is a participant or a variable; roles are as close as they are deep."""


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str | Mapping) else value


OneOrMore = Annotated[Names, BeforeValidator(_listed, json_schema_input_type=Name | Names)]


class Filters(Entry):
    """What a message must be like; all that are given must match, and of several values one.

    `act`, `topic` and `content` are to match one and the same utterance. The others name participants, roles,
    variables, `everybody` or `nobody`.
    """

    sender: OneOrMore = Field(default=(), description="Who sent it.")
    receivers: OneOrMore = Field(default=(), description="Whom it is addressed to; one of them is enough.")
    act: OneOrMore = Field(default=(), description="The speech act of an utterance of it.")
    topic: OneOrMore = Field(default=(), description="The topic of that utterance.")
    content: OneOrMore = Field(default=(), description="What that utterance carries.")
    mentions: OneOrMore = Field(default=(), description="Whom it names; one of them is enough.")
    replies_to: OneOrMore = Field(default=(), description="Who sent the message that it answers.")
    owing: OneOrMore = Field(default=(), description="Norms of which the sender owes one still.")

    @cached_property
    def size(self) -> int:
        return sum(1 for field in FILTERS if getattr(self, field))


FILTERS = tuple(Filters.model_fields)
WHO = ("sender", "receivers", "mentions", "replies_to")
"""The filters that name participants."""


class Guards(Entry):
    """Conditions on the norms in force; all that are given must hold."""

    active: OneOrMore = Field(default=(), description="Norms that are in force.")
    inactive: OneOrMore = Field(
        default=(), description="Norms that are not: an obligation, say, that all who bore it have met."
    )
    nothing_owed: Flag = Field(
        default=False, description="true: all obligations are among the inactive ones; no obligation is open."
    )


NO_FILTERS = Filters()
NO_GUARDS = Guards()


class Descriptor(Filters):
    """A named set of filters that a message is chosen by."""

    name: Name = Field(description="What it is called and referred to by.")
    description: Sentence = Field(default="", description="One sentence for people.")


class Role(Named):
    """A part that participants play; who plays it plays what it is within, too."""

    within: Name | None = Field(default=None, description="The role that it is a kind of.")


class Topic(Named):
    """Something that utterances are about. Who names a topic and another one that it is within speaks of the first."""

    within: Name | None = Field(default=None, description="The topic that it is a part of.")
    words: Sentences = Field(default=(), description="Words by which it is recognised.")
    examples: Sentences = Field(default=(), description="What people say about it.")


class Participant(Named):
    """A participant from the start; people may join later."""

    kind: ParticipantKind = Field(description="Whether it is a person or a bot.")
    roles: OneOrMore = Field(default=(), description="The roles it has.")
    bot: str = Field(default="", max_length=500, description="What answers for a bot: see docs/norms.md.")


class People(Entry):
    """The people who may join."""

    roles: OneOrMore = Field(default=(), description="The roles of everybody who joins.")


def _by_act(value: Any) -> Any:
    return {"act": value} if isinstance(value, str | list) else value


class Norm(Named):
    """Who must, may or must not say something. Its label says it in words: “experts wait”."""

    kind: NormKind = Field(description="Whether the bearer must, may or must not.")
    bearer: OneOrMore = Field(min_length=1, description="Participants, roles, variables or everybody.")
    act: Annotated[Filters, BeforeValidator(_by_act, json_schema_input_type=Filters | Name | Names)] = Field(
        default=NO_FILTERS, description="What it is about: filters, or speech acts. Without any, every message."
    )
    unless: Annotated[
        tuple[Filters, ...], BeforeValidator(_listed, json_schema_input_type=Filters | tuple[Filters, ...])
    ] = Field(default=(), alias="except", description="What it does not apply to, though it is about it.")
    if_: Guards = Field(default=NO_GUARDS, alias="if", description="It holds only while these do.")
    deadline: Annotated[float, Field(gt=0, le=LONGEST_DEADLINE_S)] | None = Field(
        default=None, description="Seconds after which an obligation counts as unmet, and ends."
    )
    ends: Ends = Field(default=Ends.MET, description="Whether an obligation ends when it is met.")
    standing: Flag = Field(default=False, description="true: always in force; transitions do not change it.")


_Guarded = TypeVar("_Guarded", "Norm", "Transition")


def _spelled_out(one: _Guarded, owed: tuple[str, ...]) -> _Guarded:
    if not one.if_.nothing_owed:
        return one
    inactive = tuple(dict.fromkeys((*one.if_.inactive, *owed)))
    return one.model_copy(update={"if_": one.if_.model_copy(update={"inactive": inactive})})


class Unmet(Entry):
    """What a transition may fire on besides a message: an obligation was not met in time, or its bearer left."""

    unmet: Name = Field(description="The obligation.")


def _tag(on: Any) -> str:
    return "lapse" if isinstance(on, Mapping | Unmet) else "message"


class Transition(Named):
    """On a message, which norms begin and end."""

    on: Annotated[Annotated[Name, Tag("message")] | Annotated[Unmet, Tag("lapse")], Discriminator(_tag)] = Field(
        description="A descriptor, or `unmet:` an obligation."
    )
    from_: OneOrMore = Field(default=(), alias="from", description="States in which it fires; by default in all.")
    to: Name | None = Field(default=None, description="The state that follows; by default the same.")
    if_: Guards = Field(default=NO_GUARDS, alias="if", description="It fires only where these hold.")
    activate: OneOrMore = Field(default=(), description="Norms that begin.")
    also: Mapping[Name, OneOrMore] = Field(
        default={}, description="By descriptor: norms that begin, too, where the message matches that one as well."
    )
    deactivate: OneOrMore = Field(default=(), description="Norms that end; `all`: every one that does not stand.")

    @cached_property
    def begins(self) -> tuple[str, ...]:
        return self.begun_by(lambda _: True)

    def begun_by(self, matches: Callable[[str], bool]) -> tuple[str, ...]:
        """Return the norms that begin, by whether the message matches further descriptors."""
        besides = (norm for name, norms in self.also.items() if matches(name) for norm in norms)
        return tuple(dict.fromkeys((*self.activate, *besides)))

    @property
    def ends_all(self) -> bool:
        return ALL in self.deactivate


class Initial(Entry):
    """What holds before the first message."""

    state: Name | None = Field(default=None, description="The state; by default the first of the protocol.")
    activate: OneOrMore = Field(default=(), description="Norms that are in force from the start.")


class Protocol(Entry):
    """The states that a conversation goes through."""

    states: OneOrMore = Field(default=("open",), min_length=1, description="Their names.")


class Defaults(Entry):
    """What holds for a participant whom no norm bears on."""

    person: Literal["permitted", "prohibited"] = Field(default="permitted", description="What holds for people.")
    bot: Literal["permitted", "prohibited"] = Field(default="prohibited", description="What holds for bots.")

    def permits(self, kind: ParticipantKind) -> bool:
        """Return whether who is of a kind may speak where no norm says otherwise."""
        return (self.person if kind is ParticipantKind.PERSON else self.bot) == "permitted"


class NormSpecification(Labelled):
    """Everything that governs a room."""

    name: Name = Field(description="What the room is called and referred to by.")
    label: Sentence = Field(default="", description="What people call it; by default the name, with spaces.")
    description: Sentence = Field(default="", description="One sentence for people.")
    acts: OneOrMore = Field(default=SPEECH_ACTS, description="The speech acts of utterances.")
    topics: Annotated[Mapping[str, Topic], BeforeValidator(name_by_key), Field(max_length=MAX_TOPICS)] = Field(
        default={}, description="What utterances are about."
    )
    content_types: OneOrMore = Field(default=(TEXT,), description="What utterances carry, besides text.")
    roles: Annotated[Mapping[str, Role], BeforeValidator(name_by_key), Field(max_length=MAX_ROLES)] = Field(
        default={}, description="The parts that participants play."
    )
    participants: Annotated[
        Mapping[str, Participant], BeforeValidator(name_by_key), Field(max_length=MAX_PARTICIPANTS)
    ] = Field(default={}, description="Who takes part from the start.")
    people: People = Field(default=People(), description="Those who may join.")
    defaults: Defaults = Field(default=Defaults(), description="What holds where no norm applies.")
    descriptors: Annotated[
        Mapping[str, Descriptor], BeforeValidator(name_by_key), Field(max_length=MAX_DESCRIPTORS)
    ] = Field(default={}, description="Kinds of messages, by which transitions fire.")
    norms: Annotated[Mapping[str, Norm], BeforeValidator(name_by_key), Field(max_length=MAX_NORMS)] = Field(
        default={}, description="Who must, may and must not speak."
    )
    protocol: Protocol = Field(default=Protocol(), description="The states of a conversation.")
    initial: Initial = Field(default=Initial(), description="The state and the norms at the start.")
    transitions: Annotated[
        Mapping[str, Transition], BeforeValidator(name_by_key), Field(max_length=MAX_TRANSITIONS)
    ] = Field(default={}, description="What a message changes.")

    @model_validator(mode="after")
    def _words_are_there(self) -> Self:
        """Add what is always there: the topics that need no declaration, and plain text."""
        topics = {**self.topics}
        for name in (ALL, UNDEFINED):
            topics.setdefault(name, Topic(name=name))
        object.__setattr__(self, "topics", topics)
        if TEXT not in self.content_types:
            object.__setattr__(self, "content_types", (TEXT, *self.content_types))
        owed = tuple(one.name for one in self.norms.values() if one.kind is NormKind.OBLIGATION and not one.standing)
        object.__setattr__(self, "norms", {name: _spelled_out(one, owed) for name, one in self.norms.items()})
        transitions = {name: _spelled_out(one, owed) for name, one in self.transitions.items()}
        object.__setattr__(self, "transitions", transitions)
        return self

    @property
    def first_state(self) -> str:
        return self.initial.state or self.protocol.states[0]

    def roles_within(self, role: str) -> tuple[str, ...]:
        """Return a role and those that it is within, nearest first; circles are walked once."""
        found: dict[str, None] = {}
        at: str | None = role
        while at is not None and at not in found:
            found[at] = None
            at = self.roles[at].within if at in self.roles else None
        return tuple(found)

    @cached_property
    def depth_of(self) -> Mapping[str, int]:
        """How deep each role stands in the hierarchy: 1 for one that is within none."""
        return {role: len(self.roles_within(role)) for role in self.roles}

    def all_roles(self, roles: tuple[str, ...]) -> frozenset[str]:
        return frozenset(role for one in roles for role in self.roles_within(one))

    def weigh(self, norm: Norm) -> tuple[int, int]:
        """Return how specific a norm is: by its filters, then by how close it comes to one participant."""
        return norm.act.size, max(map(self._closeness, norm.bearer), default=0)

    def _closeness(self, selector: str) -> int:
        return 0 if selector == EVERYBODY else self.depth_of.get(selector, _CLOSEST)

    def standing(self) -> Iterator[Norm]:
        return (norm for norm in self.norms.values() if norm.standing)
