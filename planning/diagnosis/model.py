"""Diagnoses: gaps, sets of gaps that would each be enough if filled, and what was left unexamined."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from planning.model import Operator


class GapKind(StrEnum):
    """Kinds of gaps, by what would fill them."""

    ANSWER = "answer"
    """A person answers a question that they could not, or would not, answer so far."""
    CONSENT = "consent"
    """A person gives a consent that they declined."""
    GO_AHEAD = "go_ahead"
    """A person agrees to a call that they declined."""
    SKILL = "skill"
    """Some skill establishes a fact that is unreachable so far: there is none, or none that still works."""


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that is missing.

    `subject` is the fact; for a consent what the consent is for; for a go-ahead the skill; and where a skill has to be
    carried out rather than a fact to be known, that skill. `facts` are what is missing by it: the fact, or what would
    go to the skill. `inputs` are facts that can be had and that a new skill could work from. `closed` are operators of
    the catalog that would have filled the gap, but for what was learned (pruned, tries used up); a skill's gap without
    any is one that the catalog never had.
    """

    kind: GapKind
    subject: str
    facts: tuple[str, ...]
    closed: tuple[Operator, ...] = ()
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GapSet:
    """Gaps that are enough together, and of which none can be left out: with them filled there is a plan.

    `cost` and `money` are what a plan takes that was made to verify it; a call of a skill that does not exist yet
    counts as 1.
    """

    gaps: tuple[Gap, ...]
    cost: float = 0.0
    money: float = 0.0

    @property
    def information(self) -> tuple[str, ...]:
        """List the facts that a person could still provide, or let a skill have."""
        return tuple(dict.fromkeys(fact for gap in self.gaps if gap.kind is not GapKind.SKILL for fact in gap.facts))

    @property
    def skills(self) -> tuple[Gap, ...]:
        """List the gaps that only a skill could fill."""
        return tuple(gap for gap in self.gaps if gap.kind is GapKind.SKILL)

    @property
    def functionality(self) -> tuple[str, ...]:
        """List the facts for which there would have to be a skill."""
        return tuple(dict.fromkeys(fact for gap in self.skills for fact in gap.facts))


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The diagnosis of an unreachable goal: the sets of gaps that would each be enough, the best first.

    First come those that ask least: the fewest skills, then the fewest things of people, then the cheapest plans; but
    skills that hand over the goal itself come last, since that says nothing of what is missing. In these, a skill
    stands only for what is out of reach whatever people say. After them come sets that need skills and ask nothing of
    people. `note` says what was not examined, and is empty where there is no other set; `more` says that there may be
    other sets of the first kind.
    `over_budget` is the money that a plan takes, where there is one that the budget does not allow.
    """

    sets: tuple[GapSet, ...] = ()
    note: str = ""
    more: bool = False
    over_budget: float | None = None

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Return the gaps of the best set; none where the goal has a plan."""
        return self.sets[0].gaps if self.sets else ()

    @property
    def alternatives(self) -> tuple[Gap, ...]:
        """List what people could do in place of the one thing that is missing, each of which would do alone."""
        if len(self.gaps) != 1:
            return ()
        single = (other.gaps[0] for other in self.sets[1:] if len(other.gaps) == 1)
        return tuple(gap for gap in single if gap.kind is not GapKind.SKILL)

    @property
    def information(self) -> tuple[str, ...]:
        """List the facts that a person could still provide, or let a skill have, by the best set."""
        return self.sets[0].information if self.sets else ()

    @property
    def functionality(self) -> tuple[str, ...]:
        """List the facts for which there would have to be a skill, by the best set."""
        return self.sets[0].functionality if self.sets else ()


def write_diagnosis(diagnosis: Diagnosis) -> dict[str, JsonValue]:
    """Write a diagnosis; `information` and `functionality` are those of the best of its `sets`, if anything helps."""
    written: dict[str, JsonValue] = {
        "information": list(diagnosis.information),
        "functionality": list(diagnosis.functionality),
    }
    if diagnosis.sets:
        written |= {"sets": [_write_set(one) for one in diagnosis.sets], "note": diagnosis.note}
    if diagnosis.over_budget is not None:
        written |= {"over_budget": diagnosis.over_budget}
    return written


def _write_set(one: GapSet) -> dict[str, JsonValue]:
    go_aheads: list[JsonValue] = [gap.subject for gap in one.gaps if gap.kind is GapKind.GO_AHEAD]
    return {
        "information": list(one.information),
        "functionality": [_write_skill(gap) for gap in one.skills],
        "answers": [gap.subject for gap in one.gaps if gap.kind is GapKind.ANSWER],
        "consents": [gap.subject for gap in one.gaps if gap.kind is GapKind.CONSENT],
        "cost": one.cost,
        "money": one.money,
        **({"go_aheads": go_aheads} if go_aheads else {}),
    }


def _write_skill(gap: Gap) -> dict[str, JsonValue]:
    """Write what a new skill would have to do; where it is to do what a skill does that does not work, name that."""
    written: dict[str, JsonValue] = {"inputs": list(gap.inputs), "outputs": list(gap.facts)}
    return written if gap.facts else {**written, "skill": gap.subject}
