"""The search for a plan in stages: plan in one piece, else split, and so on, until it is solved or nothing is left.

Only a list of activities that the user gave comes before that. What can be had in stages, and only so, is a task
(`find_inputs_in_stages`).

`next_step` is a pure function of the tree: a search that was cut off goes on where it was, and the same seed gives the
same tree. It asks no questions: what is missing is for the task manager to ask for (sequential-planner-v2,
"Implementation").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from catalog.analysis.dependencies import can_be_asked
from catalog.model import Catalog
from catalog.model.entry import Names
from planning.diagnosis.diagnose import diagnose
from planning.engines import DEFAULT_ENGINE, ENGINES, Engine
from planning.hierarchy.description import Activity, Description, Input, ResultDocument
from planning.hierarchy.gaps import find_closest, write_gaps
from planning.hierarchy.proposers import GIVEN, MODEL, PROPOSERS, NoSplit, Propose, SplitOccasion
from planning.hierarchy.proposers.protocol import introduced_in, keep_useful, with_introduced
from planning.hierarchy.situation import catalog_for, choose_inputs, count_runs, find_information, situation_at, uses_of
from planning.hierarchy.split import Flaw, OuterTask, Refusal, Split, find_flaws, find_needs, goal_of
from planning.hierarchy.tree import (
    ROOT,
    Attempt,
    DirectlyPlanned,
    Hypothesis,
    Impossible,
    Missing,
    Move,
    Planned,
    PlanStep,
    SplitAttempted,
    Tree,
    Undecided,
)
from planning.model import GaveUp, Limits, Operator, Plan, PlanGoal, Predicate, Situation, Solved, StepKind
from planning.plans.solve import DEFAULT_LIMITS, solve
from planning.task.compilation import compile_task, find_budget


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """Limits of a search: depth of the tree, attempts at splitting a hypothesis, hypotheses, and those of a plan.

    `seconds` are those after which a run ends between two moves; it can be gone on with. A language model is asked for
    splits of the task itself as often as others are, once for a stage, and `asks` times in all; the hypotheses that
    follow from its splits are counted on their own, so that it never takes anything from the others.
    """

    depth: int = 3
    attempts: int = 4
    hypotheses: int = 500
    asks: int = 6
    seconds: float = 300.0
    plan: Limits = DEFAULT_LIMITS


@dataclass(frozen=True, slots=True)
class PlanDirectly:
    """Plan for a hypothesis in one piece."""

    hypothesis: str


@dataclass(frozen=True, slots=True)
class ProposeSplit:
    """Have a split of a hypothesis proposed; the last resort is one that was refused for having too few stages."""

    hypothesis: str
    proposer: str
    last_resort: bool = False


Step = PlanDirectly | ProposeSplit


@dataclass(frozen=True)
class Search:
    """What a search works with besides its tree: the catalog, who proposes splits in which order, and the bounds.

    `model` is a language model that proposes, too: where the others have found no way.
    """

    catalog: Catalog
    bounds: SearchBounds = SearchBounds()
    seed: int = 0
    activities: tuple[Activity, ...] = ()
    engine: Engine = ENGINES[DEFAULT_ENGINE]
    proposers: Mapping[str, Propose] = field(default_factory=lambda: PROPOSERS)
    model: Propose | None = None

    def next_step(self, tree: Tree) -> Step | None:
        """Return what to do next; None where the task is solved, or nothing is left to try."""
        return self._next_at(tree, tree.root) or self._ask_model(tree)

    def take(self, tree: Tree, step: Step) -> Move:
        if isinstance(step, PlanDirectly):
            return DirectlyPlanned(hypothesis=step.hypothesis, verdict=self._plan(tree, step.hypothesis))
        return SplitAttempted(hypothesis=step.hypothesis, attempt=self._propose(tree, step))

    def run(self, tree: Tree) -> Iterator[tuple[Move, Tree]]:
        """Yield each move with the tree after it, until nothing is left to do, or the time is over."""
        end = monotonic() + self.bounds.seconds
        while monotonic() < end and (step := self.next_step(tree)) is not None:
            move = self.take(tree, step)
            tree = tree.after(move)
            yield move, tree

    # what comes next

    def _next_at(self, tree: Tree, one: Hypothesis) -> Step | None:
        if tree.is_solved(one.id):
            return None
        if one.verdict is None and not (one.id == ROOT and self.activities):
            return PlanDirectly(one.id)
        if self.activities and one.id == ROOT and not one.attempts and GIVEN in self.proposers:
            return ProposeSplit(ROOT, GIVEN)  # what the user wants done comes before what would do
        for number in one.taken:
            for stage in one.stage_ids(number):
                if (step := self._next_at(tree, tree.hypotheses[stage])) is not None:
                    return step
        if one.asked_in < tree.round:
            return PlanDirectly(one.id)
        return self._split(tree, one)

    def _split(self, tree: Tree, one: Hypothesis) -> Step | None:
        """Return who is to propose the next split, if one may be tried."""
        if not self._may_grow(tree, one, one.id in tree.following_from(MODEL)):
            return None
        own = [attempt for attempt in one.attempts if attempt.proposer != MODEL]
        spent = {a.proposer for a in own if a.split is None and a.round == tree.round}
        left = [name for name in self.proposers if name not in spent]
        tried = sum(attempt.split is not None and not attempt.split.short for attempt in own)
        if left and tried < self.bounds.attempts:
            return ProposeSplit(one.id, left[0])
        return _take_short(one, own)

    def _may_grow(self, tree: Tree, one: Hypothesis, by_model: bool) -> bool:
        """Return whether a hypothesis may be split: neither too deep, nor one too many of its kind."""
        if one.depth >= self.bounds.depth:
            return False
        count = len(tree.following_from(MODEL))
        return (count if by_model else len(tree.hypotheses) - count) < self.bounds.hypotheses

    def _ask_model(self, tree: Tree) -> Step | None:
        """Return what a language model is to split next: the task, or else a stage that is stuck."""
        if self.model is None or tree.is_solved(ROOT):
            return None
        attempts = {name: list(_by_model(tree, one)) for name, one in tree.hypotheses.items()}
        made = [attempt for of_one in attempts.values() for attempt in of_one]
        spent = {name for name, of_one in attempts.items() if any(not a.split and not a.trouble for a in of_one)}
        over = len(made) >= self.bounds.asks or any(attempt.unheard for attempt in made)
        for one in _list_stuck(tree, tree.root):
            most = 1 if one.depth else self.bounds.attempts
            if not self._may_grow(tree, one, by_model=True):
                continue
            if not over and one.id not in spent and len(attempts[one.id]) < most:
                return ProposeSplit(one.id, MODEL)
            if (step := _take_short(one, [a for a in one.attempts if a.proposer == MODEL])) is not None:
                return step
        return None

    def choose_inputs(self, tree: Tree, missing: Missing, stage: str) -> Names:
        """Choose what a missing function is to work from: a split says it of its stages, else it is what can be had."""
        if missing.inputs and tree.hypotheses[stage].depth and tree.hypotheses[stage].description.inputs:
            return missing.inputs
        there = frozenset((*tree.known_at(stage), *tree.root.description.inputs))
        return choose_inputs(self._catalog_in(tree), missing.facts, there, missing.inputs)

    # planning in one piece

    def _catalog_in(self, tree: Tree) -> Catalog:
        catalog = with_introduced(self.catalog, introduced_in(tree))
        return catalog_for(catalog, tree.root.description, self.activities)

    def _plan(self, tree: Tree, name: str) -> Planned | Impossible | Undecided:
        one, catalog = tree.hypotheses[name], self._catalog_in(tree)
        goal = PlanGoal(facts=goal_of(catalog, one.description))
        situation, runs = situation_at(catalog, tree, name), count_runs(catalog, tree, name)
        if (remembered := self._remember(tree, one, runs)) is not None:
            return remembered
        came = solve(compile_task(catalog, situation, goal), self.engine, self.bounds.plan)
        if isinstance(came, Solved):
            plan = _write_plan(catalog, came.plan, goal, situation)
            left = find_budget(catalog, replace(situation, budget=None))
            budget = None if left is None else situation.spent + left
            return plan.model_copy(update={"money": runs * plan.money, "budget": budget})
        if isinstance(came, GaveUp):
            return Undecided(reason=came.reason)
        found = diagnose(catalog, situation, goal)
        inputs = tuple(one.description.inputs) if one.depth else ()
        sets = tuple(write_gaps(one, inputs) for one in found.sets)
        return Impossible(sets=sets, over_budget=None if found.over_budget is None else runs * found.over_budget)

    def _remember(self, tree: Tree, one: Hypothesis, runs: int) -> Planned | None:
        """Return the plan of another hypothesis with the same results, where it holds here and does nothing twice."""
        there, wanted = tree.there_at(one.id), _wants(one)
        alike = (other for other in tree.hypotheses.values() if other.plan is not None and _wants(other) == wanted)
        plans = (other.plan for other in alike if count_runs(self.catalog, tree, other.id) == runs)
        held = (plan for plan in plans if plan is not None and plan.holds(there) and plan.is_new_to(there))
        return next((plan for plan in held if tree.ruled_out.isdisjoint(step.name for step in plan.steps)), None)

    # splits

    def occasion(self, tree: Tree, name: str, proposer: str) -> SplitOccasion:
        one, catalog = tree.hypotheses[name], self._catalog_in(tree)
        return SplitOccasion(
            catalog=catalog,
            description=one.description,
            known=tree.known_at(name),
            situation=situation_at(catalog, tree, name),
            information=find_information(catalog),
            around=tuple(
                OuterTask.of(catalog, other.description, tree.known_at(other.id)) for other in tree.around(name)
            )[:0:-1],
            verdict=one.verdict,
            number=one.count_attempts(proposer) + 1,
            seed=f"{self.seed}/{name}",
            earlier=tuple(attempt.split for attempt in one.attempts if attempt.split is not None),
            inside=_methods_around(tree, name),
            activities=self.activities if name == ROOT else (),
            hypothesis=name,
        )

    def look_over(
        self, tree: Tree, occasion: SplitOccasion, split: Split, earlier: Sequence[Split]
    ) -> tuple[Split, tuple[Refusal, ...]]:
        """Return a split with what it may introduce and what it needs, and everything that speaks against it."""
        split = keep_useful(occasion.catalog, split)
        sure = tree.there_at(occasion.hypothesis, sure=True).known
        extended = with_introduced(occasion.catalog, split.facts)
        flaws = find_flaws(
            extended,
            occasion.description,
            occasion.known,
            split,
            earlier,
            as_it_is=split.proposer == GIVEN,
            sure=sure,
            information=occasion.information,
            around=occasion.around,
        )
        if not flaws:
            split = split.model_copy(update={"needs": find_needs(extended, sure, split)})
        return split, flaws

    def _propose(self, tree: Tree, step: ProposeSplit) -> Attempt:
        occasion = self.occasion(tree, step.hypothesis, step.proposer)
        earlier = occasion.earlier
        propose = self.model if step.proposer == MODEL else None
        split = None if step.last_resort else (propose or self.proposers[step.proposer])(occasion)
        if isinstance(split, NoSplit):
            return Attempt(proposer=step.proposer, round=tree.round, trouble=split.trouble, unheard=split.unheard)
        if split is None:
            mine = [one for one in tree.hypotheses[step.hypothesis].attempts if one.proposer == step.proposer]
            if not (few := _list_short(mine)):
                return Attempt(proposer=step.proposer, round=tree.round)
            split = few[0].model_copy(update={"short": True})
            earlier = ()
        split, flaws = self.look_over(tree, occasion, split, earlier)
        return Attempt(proposer=step.proposer, split=split, refusals=flaws, round=tree.round)


def _wants(one: Hypothesis) -> tuple[Names, Mapping[str, str]]:
    return one.description.facts, one.description.each


def _by_model(tree: Tree, one: Hypothesis) -> Iterator[Attempt]:
    """Yield what a language model was asked for, and what it proposed; trouble of before counts no more."""
    for attempt in one.attempts:
        if attempt.proposer == MODEL and (not attempt.split.short if attempt.split else attempt.round == tree.round):
            yield attempt


def _list_stuck(tree: Tree, one: Hypothesis) -> Iterator[Hypothesis]:
    """Yield a hypothesis, and the stages of the split that lacks least which are not solved."""
    yield one
    closest = find_closest(tree, one)
    for stage in one.stage_ids(closest) if closest else ():
        if not tree.is_solved(stage):
            yield from _list_stuck(tree, tree.hypotheses[stage])


def _take_short(one: Hypothesis, attempts: Sequence[Attempt]) -> ProposeSplit | None:
    """Take a split with few stages in the end, where no other was found (H3)."""
    if not any(one.taken) and (few := _list_short(attempts)):
        return ProposeSplit(one.id, few[0].proposer, last_resort=True)
    return None


def _list_short(attempts: Sequence[Attempt]) -> list[Split]:
    """List splits with nothing against them but too few stages that were not taken since, the largest first (H3)."""
    few = [a.split for a in attempts if a.split and [flaw.flaw for flaw in a.refusals] == [Flaw.TOO_FEW]]
    taken = [a.split for a in attempts if a.split and a.split.short]
    less = [split for split in few if len(split.stages) > 1 or split.stages[0].each]  # one item is less than the whole
    left = [split for split in less if not any(split.same_as(other) for other in taken)]
    return sorted(left, key=lambda split: -len(split.stages))


def _methods_around(tree: Tree, name: str) -> frozenset[str]:
    numbers = name.split(".")[1::2][::-1]
    whole = list(tree.around(name))[1:]
    splits = (one.attempts[int(number) - 1].split for one, number in zip(whole, numbers, strict=True))
    return frozenset(split.name for split in splits if split and split.name)


def _write_plan(catalog: Catalog, plan: Plan, goal: PlanGoal, situation: Situation) -> Planned:
    steps = plan.actions
    uses = uses_of(catalog, steps, goal.atoms, situation.known)
    gives = {kind: [one.subject for step in steps for one in sorted(step.adds) if one.predicate is kind]
             for kind in (Predicate.AUTHORIZED, Predicate.DONE)}  # fmt: skip
    return Planned(
        steps=tuple(map(_write_step, steps)),
        uses=uses[Predicate.KNOWN],
        consents=tuple(dict.fromkeys(gives[Predicate.AUTHORIZED])),
        done=tuple(dict.fromkeys(gives[Predicate.DONE])),
        relies_on_consents=uses[Predicate.AUTHORIZED],
        relies_on_done=uses[Predicate.DONE],
        money=plan.amounts.money,
    )


def _write_step(step: Operator) -> PlanStep:
    return PlanStep(
        kind=step.kind,
        subject=step.subject,
        mode=step.mode,
        outcome=step.outcome,
        inputs=step.sensitive if step.kind is StepKind.AUTHORIZE else step.inputs,
        outputs=step.outputs if step.kind in (StepKind.SKILL, StepKind.MAP) else (),
    )


def find_inputs_in_stages(search: Search, results: Names) -> Names | None:
    """List what people hand over where results can be had in stages, and only so.

    Everything that people can be asked for is taken to be there. None: there is a plan in one piece then (row H2), or
    no split helps either; nothing that is missing makes a task of what is none.
    """
    facts = search.catalog.facts
    handed = [name for name, fact in facts.items() if can_be_asked(fact) and name not in results]
    description = Description(
        text=", ".join(results),
        inputs={name: Input() for name in handed},
        results={name: ResultDocument() for name in results},
    )
    tree = Tree.of(description, frozenset(handed))
    for _, after in search.run(tree):
        tree = after
    if tree.root.plan is not None or not tree.is_solved(ROOT):
        return None
    used = {fact for one in tree.hypotheses.values() if one.plan is not None for fact in one.plan.uses}
    used.update(listed for one in tree.hypotheses.values() for listed in one.description.each.values())
    return tuple(name for name in handed if name in used)
