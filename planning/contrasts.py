"""Contrasts: a plan beside one that is restricted in something, and the verdict on the difference."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from catalog.model import Catalog
from planning.model import Atom, Operator, PlanningResult, Solved, StepKind
from planning.task.errors import UnknownName, quote
from planning.task.names import find_entry


@dataclass(frozen=True, slots=True)
class Restriction:
    """What plans are restricted to: a skill (in any mode, or in one), or a fact, that is used, or done without.

    A fact is used by asking for it.
    """

    used: bool
    skill: str | None = None
    mode: str | None = None
    fact: str | None = None


def restrict(catalog: Catalog, called: str, mode: str | None = None, *, used: bool) -> Restriction:
    """Return the restriction for a skill (and maybe a mode of it) or else a fact, by its name or alias.

    Raises UnknownName.
    """
    kind, name = find_entry(catalog, called, "skills", "facts")
    modes = catalog.skills[name].modes if kind == "skills" else {}
    if mode is not None and mode not in modes:
        raise UnknownName(f"mode of {quote(name)}", mode, modes)
    return Restriction(used, skill=name, mode=mode) if kind == "skills" else Restriction(used, fact=name)


class WhyNot(StrEnum):
    """How a plan that keeps to a restriction compares with the plan."""

    HELD = "held"
    """The plan keeps to it as it is."""
    DEARER = "dearer"
    """It would cost more."""
    AS_GOOD = "as_good"
    """It would cost the same: a plan stays as it is where nothing is gained."""
    CHEAPER = "cheaper"
    """It would cost less: the plan was not proved cheapest."""
    TO_SPARE = "to_spare"
    """It could be done, and nothing of the goal could come of it: a plan would have it beside all that it needs."""
    IMPOSSIBLE = "impossible"
    """No plan keeps to it."""
    NO_PLAN = "no_plan"
    """There is no plan in any case."""
    OVER_BUDGET = "over_budget"
    """No plan that keeps to it is within the budget."""
    UNDECIDED = "undecided"
    """A search gave up before it was known."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A plan (`base`) beside one that keeps to a restriction; None where that was not planned for.

    The latter costs `more` than the plan (less, where it is below 0), and in any plan that keeps to it `at_least` so
    much more: the difference is proved where both are the same. Where there is no such plan, `lacking` is what nothing
    gives that may still be done, and `ruled_out` are operators that would, but for what was learned; neither where the
    step is none that could be planned.
    """

    restriction: Restriction
    verdict: WhyNot
    base: PlanningResult
    restricted: PlanningResult | None = None
    more: float = 0.0
    at_least: float = 0.0
    lacking: tuple[Atom, ...] = ()
    ruled_out: tuple[Operator, ...] = ()

    @property
    def proved(self) -> bool:
        return self.verdict is not WhyNot.UNDECIDED and self.more <= self.at_least

    @property
    def changes(self) -> dict[str, tuple[Operator, ...]]:
        """List the steps that are kept, added and dropped, whatever outcomes are hoped for."""
        results = (self.base, self.restricted) if isinstance(self.restricted, Solved) else (None, None)
        plans = (one.plan.actions if isinstance(one, Solved) else () for one in results)
        before, after = ({_done_by(step): step for step in steps} for steps in plans)
        return {
            "kept": tuple(step for done, step in after.items() if done in before),
            "added": tuple(step for done, step in after.items() if done not in before),
            "dropped": tuple(step for done, step in before.items() if done not in after),
        }


def _done_by(step: Operator) -> tuple[StepKind, str, str | None]:
    return step.kind, step.subject, step.inputs[0] if step.kind is StepKind.MAP else step.mode
