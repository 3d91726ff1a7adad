"""The record of asking a model: replies and objections, and a note for logs that quotes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from language.llm.verification import Found, Objection

LONGEST_REPLY = 2_000


class NotInstalled(RuntimeError):
    """The packages that talk to a language model are missing; the message says what to install."""


@dataclass(frozen=True, slots=True)
class Try:
    """One reply of a model, shortened, with what there was against it."""

    reply: str
    objections: tuple[Objection, ...] = ()


@dataclass(frozen=True, slots=True)
class Consulted:
    """What came of asking. `found` is None where no answer could be used; `trouble` then says why, quoting nothing."""

    found: tuple[Found, ...] | None
    tries: tuple[Try, ...] = ()
    trouble: str = ""
    seconds: float = 0.0

    @property
    def note(self) -> str:
        """Say for a log that the answer was not used, and why; nothing where it was."""
        return f"The model's answer was not used: {self.trouble}." if self.trouble else ""
