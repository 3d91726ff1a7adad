"""What has been understood of one utterance so far: the working state of an understander."""

from __future__ import annotations

from dataclasses import dataclass, field

from dialogue.meaning import AskedAbout, Context, Control, GoalMention, Meaning, ValueMention
from dialogue.understanding.words import Clause


@dataclass
class Reading:
    """What has been understood of one utterance so far."""

    text: str
    folded: str
    context: Context
    clauses: list[Clause]
    used: set[Clause] = field(default_factory=set)
    goals: list[GoalMention] = field(default_factory=list)
    candidates: list[GoalMention] = field(default_factory=list)
    question: AskedAbout | None = None
    control: Control | None = None
    values: tuple[ValueMention, ...] = ()
    unclear: str | None = None

    @property
    def empty(self) -> bool:
        """Tell whether nothing was understood yet."""
        return not (self.goals or self.values or self.question or self.control)

    @property
    def open(self) -> list[Clause]:
        """List the clauses that nothing has been made of."""
        return [clause for clause in self.clauses if clause not in self.used]

    def meaning(self) -> Meaning:
        """Freeze it."""
        return Meaning(
            goals=tuple(self.goals),
            values=self.values,
            question=self.question,
            control=self.control,
            candidates=tuple(self.candidates),
            unclear=self.unclear,
        )
