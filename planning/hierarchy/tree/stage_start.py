"""What is there where a stage begins."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StageStart:
    """What is there where a stage begins: what is known, consents, skills that were carried out, and money spent."""

    known: frozenset[str] = frozenset()
    consents: frozenset[str] = frozenset()
    done: frozenset[str] = frozenset()
    spent: float = 0.0

    def joined(self, other: StageStart) -> StageStart:
        return StageStart(
            self.known | other.known,
            self.consents | other.consents,
            self.done | other.done,
            self.spent + other.spent,
        )
