"""What governance says: the verdict on a message with what decided it, and obligations that ended unmet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from catalog.norms.vocabulary import Tag

__all__ = ["Decision", "Lapse", "MessageVerdict", "Tag"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about one utterance. `norms` are those that decided it; none: the default did.

    `outweighed` are those that applied, and were less specific or weaker. `conflict`: an obligation and a prohibition
    are equally specific. `excepted` are prohibitions that would have denied it, each with the place of its exception
    that lets it pass; they say why nothing denied it, and are no part of the decision.
    """

    tag: Tag
    norms: tuple[str, ...] = ()
    outweighed: tuple[str, ...] = ()
    conflict: bool = False
    excepted: tuple[tuple[str, int], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class MessageVerdict:
    """What was decided about a message: a decision for each utterance, what it meets, and what it set off."""

    tag: Tag
    decisions: tuple[Decision, ...]
    descriptor: str | None = None
    transition: str | None = None
    met: tuple[str, ...] = ()
    activated: tuple[str, ...] = ()
    deactivated: tuple[str, ...] = ()

    @property
    def outcome(self) -> MessageVerdict:
        """The same without the norms that were outweighed: those are not told of."""
        return replace(self, decisions=tuple(replace(one, outweighed=()) for one in self.decisions))

    @property
    def posted(self) -> bool:
        return self.tag is not Tag.DENIED

    @property
    def norms(self) -> tuple[str, ...]:
        """The norms that decided: of a denied message those that deny it."""
        deciding = (one for one in self.decisions if one.tag is self.tag)
        return tuple(dict.fromkeys(norm for one in deciding for norm in one.norms))

    @property
    def conflicts(self) -> tuple[str, ...]:
        """Norms of which one obliges to what another one forbids."""
        return tuple(dict.fromkeys(norm for one in self.decisions if one.conflict for norm in one.norms))

    @property
    def excepted(self) -> tuple[tuple[str, int], ...]:
        """The prohibitions that would have denied what is posted, each with the place of its exception for it."""
        passed = (pair for one in self.decisions for pair in one.excepted)
        return tuple(dict.fromkeys(passed)) if self.posted else ()


@dataclass(frozen=True, slots=True)
class Lapse:
    """An obligation that ended unmet: whose, and what that set off."""

    norm: str
    bearers: tuple[str, ...]
    transition: str | None = None
    activated: tuple[str, ...] = ()
    deactivated: tuple[str, ...] = ()
