"""Matching messages with filters: those of descriptors, and those of norms with their variables bound."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from catalog.norms.message import Message
from catalog.norms.model import WHO, Filters
from catalog.norms.vocabulary import EVERYBODY, NOBODY, Variable
from dialogue.rooms.governance.status import ActiveNorm, Member, RoomStatus

Binding = Mapping[str, tuple[str, ...]]
"""Participants, by the variable that stands for them."""
Part = tuple[str, str, str]
"""What an utterance is matched by: its act, its topic and what it carries."""


class SeenMessage:
    """A message as it is judged: with who sent it, and the status that it came into."""

    __slots__ = ("_bearer", "_called", "_declared", "_names", "_roles_of", "member", "message", "own", "status")

    def __init__(
        self,
        roles_of: Callable[[Member], frozenset[str]],
        declared: Container[str],
        status: RoomStatus,
        message: Message,
        member: Member,
    ) -> None:
        """`declared` are the roles that there are: who is called like one does not play it by that."""
        self._roles_of = roles_of
        self._declared = declared
        self._names: dict[str, frozenset[str]] = {}
        self._called: dict[str, frozenset[str]] = {}
        self._bearer: Binding = {Variable.BEARER: (message.sender,)}
        self.status = status
        self.message = message
        self.member = member
        self.own: Binding = {
            Variable.SENDER: (message.sender,),
            Variable.BEARER: (message.sender,),
            Variable.LAST_SENDER: (status.last_sender,) if status.last_sender else (),
            Variable.LAST_ANSWERER: (status.last_answerer,) if status.last_answerer else (),
            Variable.RECEIVERS: message.receivers,
            Variable.MENTIONED: message.mentions,
        }

    def bound(self, active: ActiveNorm | None) -> Binding:
        """Return the variables of a norm: as they were bound, and who bears it."""
        return self._bearer if active is None or not active.bound else {**dict(active.bound), **self._bearer}

    def names_of(self, name: str) -> frozenset[str]:
        """Return what a participant goes by: its name and its roles. Of one who has left the name alone is known."""
        found = self._names.get(name)
        if found is None:
            member = self.status.member(name)
            roles = frozenset[str]() if member is None else self._roles_of(member)
            found = self._names[name] = roles if name in self._declared else roles | {name}
        return found

    def called(self, field: str) -> frozenset[str]:
        """Return what those in a field of the message go by, all together; `nobody`, if there are none."""
        found = self._called.get(field)
        if found is None:
            names = _names(self.message, field)
            found = frozenset((EVERYBODY if names else NOBODY,)).union(*map(self.names_of, names))
            self._called[field] = found
        return found


class FilterPattern:
    """Filters, made ready to match by."""

    __slots__ = ("_act", "_content", "_owing", "_topic", "_who", "size")

    def __init__(self, filters: Filters) -> None:
        self.size = filters.size
        self._act = frozenset(filters.act)
        self._topic = frozenset(filters.topic)
        self._content = frozenset(filters.content)
        self._owing = filters.owing
        self._who = tuple(
            (field, frozenset(wanted), tuple(one for one in wanted if one.startswith("$")))
            for field, wanted in ((field, getattr(filters, field)) for field in WHO)
            if wanted
        )

    def fits(self, part: Part) -> bool:
        """Return whether an utterance matches, by its act, its topic and what it carries; the sender does not count."""
        act, topic, content = part
        return (
            (not self._act or act in self._act)
            and (not self._topic or topic in self._topic)
            and (not self._content or content in self._content)
        )

    def matches(self, seen: SeenMessage, part: Part, bound: Binding) -> bool:
        return self.fits(part) and self.concerns(seen, bound)

    def concerns(self, seen: SeenMessage, bound: Binding) -> bool:
        """Return whether a message matches, by whom it names and what its sender owes, whatever it says."""
        for field, wanted, variables in self._who:
            if wanted.isdisjoint(seen.called(field)) and not (
                variables
                and any(name in bound.get(one, ()) for one in variables for name in _names(seen.message, field))
            ):
                return False
        return not self._owing or any(seen.status.owes(seen.message.sender, norm) for norm in self._owing)


class Index:
    """Finds which of many filters an utterance matches by what it says."""

    def __init__(self, filters: Mapping[str, Filters]) -> None:
        self._any: list[frozenset[str]] = []
        self._by: list[dict[str, frozenset[str]]] = []
        for field in ("act", "topic", "content"):
            wanted = {name: frozenset(getattr(one, field)) for name, one in filters.items()}
            values = frozenset[str]().union(*wanted.values())
            self._any.append(frozenset(name for name, some in wanted.items() if not some))
            self._by.append(
                {
                    value: frozenset(name for name, some in wanted.items() if not some or value in some)
                    for value in values
                }
            )

    def find(self, part: Part) -> frozenset[str]:
        """Return the names of the filters that match; the sender does not count."""
        act, topic, content = (by.get(value, rest) for value, by, rest in zip(part, self._by, self._any, strict=True))
        return act & topic & content


def _names(message: Message, field: str) -> tuple[str, ...]:
    match field:
        case "sender":
            return (message.sender,)
        case "receivers":
            return message.receivers
        case "mentions":
            return message.mentions
        case _:
            return () if message.replies_to is None else (message.replies_to,)
