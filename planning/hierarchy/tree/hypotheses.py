"""The tree of hypotheses: every task and stage that was looked at, every split that was tried, and its result.

"Keep records of all explored steps (tree/graph of hypotheses)" (sequential-planner-v2, "Hierarchical Task Splitting").
The tree is a fold over its moves, so that a search that was cut off goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from catalog.model.entry import Entry, Names
from planning.hierarchy.description import Description
from planning.hierarchy.split import Refusal, Split
from planning.hierarchy.tree.verdict import Impossible, MissingKind, Planned, StageStart, Undecided, Verdict


class Attempt(Entry):
    """One attempt at a split: what was proposed (nothing, where the proposer had no more), and why it was not taken.

    `round` is that of the tree in which it was made. `trouble` says what went wrong where nothing of use was proposed;
    with `unheard`, since no model could be asked.
    """

    proposer: str
    split: Split | None = None
    refusals: tuple[Refusal, ...] = ()
    round: int = 0
    trouble: str = ""
    unheard: bool = False

    @property
    def taken(self) -> bool:
        return self.split is not None and not self.refusals


class DirectlyPlanned(Entry):
    """A hypothesis was planned for in one piece."""

    move: Literal["planned"] = "planned"
    hypothesis: str
    verdict: Verdict


class SplitAttempted(Entry):
    """A split of a hypothesis was proposed."""

    move: Literal["split"] = "split"
    hypothesis: str
    attempt: Attempt


class Reopened(Entry):
    """Something changed: what is not solved is looked at again. Facts that were handed over are known from now on.

    Operators that are `allowed` (by their names) are no longer ruled out: a no has become a yes.
    """

    move: Literal["reopened"] = "reopened"
    supplied: Names = ()
    allowed: tuple[str, ...] = ()


class PlanDropped(Entry):
    """A plan did not hold when it was carried out: its call had another outcome, which rules the step out."""

    move: Literal["dropped"] = "dropped"
    hypothesis: str
    ruled_out: str
    """The name of the operator (`planning.model.operator_name`)."""


Move = Annotated[DirectlyPlanned | SplitAttempted | Reopened | PlanDropped, Field(discriminator="move")]
"""What happens to the tree."""


ROOT = "1"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A task or a stage: what planning says of it, and how it was split.

    Its id names the way from the root: `1.2.3` is stage 3 of attempt 2 at the root. `verdicts` are all that there
    were; `asked_in` is the round in which the last one was made.
    """

    id: str
    description: Description
    depth: int = 0
    verdicts: tuple[Planned | Impossible | Undecided, ...] = ()
    asked_in: int = -1
    dropped: bool = False
    attempts: tuple[Attempt, ...] = ()

    @property
    def verdict(self) -> Planned | Impossible | Undecided | None:
        """The last word of planning in one piece."""
        return self.verdicts[-1] if self.verdicts else None

    @property
    def plan(self) -> Planned | None:
        """The plan in one piece, where there is one that was not dropped."""
        return self.verdict if isinstance(self.verdict, Planned) and not self.dropped else None

    def stage_ids(self, attempt: int) -> tuple[str, ...]:
        """Return the ids of the stages of an attempt (from 1)."""
        split = self.attempts[attempt - 1].split
        return tuple(f"{self.id}.{attempt}.{number}" for number in range(1, len(split.stages) + 1)) if split else ()

    def count_attempts(self, proposer: str) -> int:
        return sum(attempt.proposer == proposer for attempt in self.attempts)

    @property
    def taken(self) -> Iterator[int]:
        """Yield the numbers of the attempts whose stages are in the tree."""
        return (number for number, attempt in enumerate(self.attempts, start=1) if attempt.taken)


@dataclass(frozen=True)
class Tree:
    """All hypotheses by their ids, what is known at the start, and how often something was supplied."""

    hypotheses: Mapping[str, Hypothesis]
    known: frozenset[str]
    round: int = 0
    ruled_out: frozenset[str] = field(default_factory=frozenset)

    @staticmethod
    def of(description: Description, known: frozenset[str]) -> Tree:
        """Plant a tree: one hypothesis, which nothing is known of yet."""
        return Tree({ROOT: Hypothesis(ROOT, description)}, known)

    @property
    def root(self) -> Hypothesis:
        return self.hypotheses[ROOT]

    def after(self, move: Move) -> Tree:
        match move:
            case Reopened():
                known, ruled_out = self.known.union(move.supplied), self.ruled_out.difference(move.allowed)
                return replace(self, known=known, ruled_out=ruled_out, round=self.round + 1)
            case DirectlyPlanned():
                before = self.hypotheses[move.hypothesis]
                verdicts = (*before.verdicts, move.verdict)
                after = self._with(replace(before, verdicts=verdicts, asked_in=self.round, dropped=False))
                limited = isinstance(move.verdict, Planned) and move.verdict.budget is not None
                return after._without_baseless() if limited else after
            case PlanDropped():
                ruled_out = self.ruled_out | {move.ruled_out}
                dropped = replace(self, ruled_out=ruled_out, round=self.round + 1)._drop(move.hypothesis)
                return dropped._without_baseless()
            case _:
                before = self.hypotheses[move.hypothesis]
                parent = replace(before, attempts=(*before.attempts, move.attempt))
                stages = move.attempt.split.stages if move.attempt.split and move.attempt.taken else ()
                ids = parent.stage_ids(len(parent.attempts))
                found = (Hypothesis(one, stage, parent.depth + 1) for one, stage in zip(ids, stages, strict=False))
                return self._with(parent, *found)

    def _with(self, *changed: Hypothesis) -> Tree:
        return replace(self, hypotheses={**self.hypotheses, **{one.id: one for one in changed}})

    def _drop(self, name: str) -> Tree:
        return self._with(replace(self.hypotheses[name], dropped=True))

    def _without_baseless(self) -> Tree:
        """Drop plans that use what came along with one that was dropped, or that the money does not reach for."""
        tree = self
        while (name := next(filter(tree._is_baseless, tree.hypotheses), None)) is not None:
            tree = tree._drop(name)
        return tree

    def _is_baseless(self, name: str) -> bool:
        plan = self.hypotheses[name].plan
        return plan is not None and not plan.holds(self.there_at(name))

    def following_from(self, proposer: str) -> frozenset[str]:
        """Return the hypotheses that are stages, or within stages, of a split by a proposer."""
        if proposer not in self._following:
            self._following[proposer] = frozenset(self._find_following(proposer))
        return self._following[proposer]

    def _find_following(self, proposer: str) -> Iterator[str]:
        found: set[str] = set()
        for name in self.hypotheses:  # a hypothesis stands before its stages
            whole, _, number = name.rpartition(".")[0].rpartition(".")
            if whole and (whole in found or self.hypotheses[whole].attempts[int(number) - 1].proposer == proposer):
                found.add(name)
                yield name

    # what follows from the moves

    @cached_property
    def _following(self) -> dict[str, frozenset[str]]:
        return {}

    @cached_property
    def _standing(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _there(self) -> dict[tuple[str, bool], StageStart]:
        return {}

    def is_solved(self, name: str) -> bool:
        """Return whether a hypothesis has a plan, or a split of which all stages are solved."""
        found = self._standing.get(name)
        if found is None:
            solved = self.hypotheses[name].plan is not None or self.solving(name) is not None
            found = self._standing[name] = solved
        return found

    def solving(self, name: str) -> int | None:
        """Return the number of the first attempt that needs nothing and has all stages solved; None without one."""
        one = self.hypotheses[name]
        return next(
            (n for n in one.taken if not self.needs(name, n) and all(map(self.is_solved, one.stage_ids(n)))), None
        )

    def needs(self, name: str, attempt: int) -> Names:
        """List the information that the split of an attempt needs, and that is not there yet."""
        split = self.hypotheses[name].attempts[attempt - 1].split
        return tuple(fact for fact in split.needs if fact not in self.known_at(name)) if split else ()

    def around(self, name: str) -> Iterator[Hypothesis]:
        parts = name.split(".")
        return (self.hypotheses[".".join(parts[:end])] for end in range(len(parts), 0, -2))

    def known_at(self, name: str) -> frozenset[str]:
        """Return what is known where a stage begins (`there_at`)."""
        return self.there_at(name).known

    def there_at(self, name: str, *, sure: bool = False) -> StageStart:
        """Return what is there where a stage begins: what its parent has, and what earlier stages leave behind.

        Of an earlier stage that is not solved, its results are taken for granted. What is `sure` are results only, and
        not what comes along with the plan that a stage happens to have. A stage that is done for each item starts from
        the item, its inputs, and what it lacked and was handed over: what is known of other items is nothing that is
        known of this one.
        """
        if (name, sure) not in self._there:
            self._there[name, sure] = self._find_there(name, sure=sure)
        return self._there[name, sure]

    def _find_there(self, name: str, *, sure: bool) -> StageStart:
        one = self.hypotheses[name].description
        if name == ROOT:
            return StageStart(self.known.union(one.each))
        before = self._outside(name, sure=sure)
        if not one.each:
            return before
        inside = self._lacked_in(name).union(one.inputs)
        return StageStart(before.known.intersection(inside).union(one.each), spent=before.spent)

    def _outside(self, name: str, *, sure: bool) -> StageStart:
        """Return what is there where a stage begins, for those around it."""
        attempt, _, number = name.rpartition(".")
        if number == "1":
            return self.there_at(attempt.rpartition(".")[0], sure=sure)
        earlier = f"{attempt}.{int(number) - 1}"
        look = self._outside if self.hypotheses[earlier].description.each else self.there_at
        return look(earlier, sure=sure).joined(self._leaves_behind(earlier, sure=sure))

    def _lacked_in(self, name: str) -> frozenset[str]:
        """Return the information that a stage, or a stage within it, lacked at any time."""
        inside = [one for other, one in self.hypotheses.items() if f"{other}.".startswith(f"{name}.")]
        verdicts = (verdict for one in inside for verdict in one.verdicts if isinstance(verdict, Impossible))
        lacking = (missing for verdict in verdicts for found in verdict.sets for missing in found)
        splits = (attempt.split for one in inside for attempt in one.attempts if attempt.split)
        needs = frozenset(fact for split in splits for fact in split.needs)
        return needs.union(fact for one in lacking if one.kind is MissingKind.INFORMATION for fact in one.facts)

    def gives(self, name: str) -> frozenset[str]:
        """Return the facts that a stage leaves behind: its results, and what came along where it is solved."""
        return self._leaves_behind(name, sure=False).known

    def _leaves_behind(self, name: str, *, sure: bool) -> StageStart:
        one = self.hypotheses[name]
        found = StageStart(frozenset(one.description.facts))
        plan = one.plan
        if plan is not None:
            found = found.joined(
                StageStart(
                    frozenset(fact for step in plan.steps for fact in step.outputs),
                    frozenset(plan.consents),
                    frozenset(plan.done),
                    plan.money,
                )
            )
        elif (attempt := self.solving(name)) is not None:
            for stage in one.stage_ids(attempt):
                found = found.joined(self._leaves_behind(stage, sure=sure))
        if sure or one.description.each:
            return StageStart(frozenset(one.description.facts), spent=found.spent)
        return found

    def leaves(self, name: str = ROOT) -> Iterator[Hypothesis]:
        """Yield the leaves whose plans, in this order, carry out a solved hypothesis."""
        one = self.hypotheses[name]
        attempt = None if one.plan is not None else self.solving(name)
        if attempt is None:
            yield one
        else:
            for stage in one.stage_ids(attempt):
                yield from self.leaves(stage)
