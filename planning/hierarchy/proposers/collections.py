"""Splits with stages that are done for each item of a list, where functions are missing that would give lists.

A skill that the catalog maps over a list has a mode for lists. Where several skills have to follow each other for each
item, there is no such mode, and planning in one piece lacks a function from list to list. If a plan leads from one item
to what is wanted of each, a stage that carries it out for each item stands for that function, undeclared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from catalog.analysis.dependencies import stand_ins, what_leads_to
from catalog.model import Catalog, Goal
from catalog.values.base import listed, shortened
from planning.diagnosis.diagnose import diagnose
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.hierarchy.description import Description
from planning.hierarchy.gaps import write_gaps
from planning.hierarchy.proposers.landmarks import LIMITS, NAMED, USUAL, LandmarkPlan, find_way
from planning.hierarchy.proposers.protocol import SplitOccasion
from planning.hierarchy.situation import relevant_inputs, uses_of
from planning.hierarchy.split import LEAST, MOST, Split, SplitGain, goal_of
from planning.hierarchy.tree import Impossible, Missing, count_functions
from planning.model import Amounts, Operator, PlanGoal, Predicate, Situation, Solved, StepKind, known
from planning.plans.solve import solve
from planning.task.compilation import compile_operators, compile_task, find_budget
from planning.task.grounding import close, count_items
from planning.task.index import close_forward

COLLECTIONS = "collections"
"""The name of the proposer."""


def propose_for_each_item(occasion: SplitOccasion) -> Split | None:
    """Propose to do for each item of lists what fewer functions are missing for; another time, of other lists."""
    if not (lacks := _count_missing(occasion.verdict)) or not (wanted := _find_wanted(occasion)):
        return None
    mine = [split for split in occasion.earlier if split.proposer == COLLECTIONS]
    if mine and len(mine[-1].stages) < LEAST and not mine[-1].short:
        return None  # it was cut wherever it can be
    every = _find_every(occasion, wanted, {pair for split in mine for pair in _pairs(split)})
    lacking = _find_lacking(occasion, every) if every else None
    if lacking is None or count_functions(lacking) >= lacks:
        return None
    way = find_way(occasion, lacking, [one.operator for one in every])
    split = None if way is None else _cut(occasion, way, every)
    return split if split is not None and occasion.is_new(split) and not occasion.is_circle(split) else None


def _pairs(split: Split) -> Iterator[tuple[str, str]]:
    """Yield the lists that something is done for each item of, with those that it gives."""
    return ((items, fact) for stage in split.stages for items in stage.each.values() for fact in stage.results)


def _count_missing(verdict: object) -> int:
    """Count the functions that are missing by what is first of all said to be missing."""
    return count_functions(verdict.sets[0]) if isinstance(verdict, Impossible) and verdict.sets else 0


@dataclass(frozen=True, slots=True)
class _ForEach:
    """Something that is done for each item of a list: it stands in a plan as an operator from list to list."""

    item: str
    items: str
    operator: Operator


# what can be done for each item


def _find_wanted(occasion: SplitOccasion) -> tuple[str, ...]:
    """List the lists that could lead to the results, if only something made them; in the order of the catalog."""
    catalog, found = occasion.catalog, frozenset[str]()
    lists = {name: fact.list_of for name, fact in catalog.facts.items() if fact.list_of}
    waiting = frozenset(goal_of(catalog, occasion.description))
    while lists and not waiting <= found:
        found |= what_leads_to(catalog, Goal(name="what leads to them", facts=tuple(sorted(waiting)))).facts | waiting
        items = frozenset(item for name, item in lists.items() if name in found)
        before = items and what_leads_to(catalog, Goal(name="what leads to items", facts=tuple(sorted(items)))).facts
        waiting = found.union(items, (name for name, item in lists.items() if item in before))
    if not found.intersection(lists):
        return ()
    made = _reach(occasion, occasion.information, ())
    return tuple(name for name in lists if name in found and name not in made)


def _reach(occasion: SplitOccasion, more: Collection[str], every: Sequence[_ForEach]) -> frozenset[str]:
    """Find what can come to be known, also by what is done for each item, of what is known and some facts more."""
    situation = replace(occasion.situation, known=occasion.known.union(more))
    operators = [*compile_operators(occasion.catalog), *(one.operator for one in every)] if every else None
    task = compile_task(occasion.catalog, situation, PlanGoal(), operators)
    reached = close_forward(task.initial, task.operators)
    return frozenset(atom.subject for atom in reached if atom.predicate is Predicate.KNOWN)


def _find_every(
    occasion: SplitOccasion, wanted: Sequence[str], used: Collection[tuple[str, str]]
) -> tuple[_ForEach, ...]:
    """Find a way to each wanted list that there is one to, over lists that are there before those that others give.

    What people can be asked for is taken for there only where nothing else helps.
    """
    every: list[_ForEach] = []
    for more in (frozenset[str](), occasion.information):
        count = -1
        while count < len(every):
            count = len(every)
            there = _reach(occasion, more, every)
            every += [
                one
                for results in wanted
                if results not in there and (one := next(_list_ways(occasion, results, there, used), None)) is not None
            ]
    return tuple(every)


def _list_ways(
    occasion: SplitOccasion, results: str, there: frozenset[str], used: Collection[tuple[str, str]]
) -> Iterator[_ForEach]:
    catalog = occasion.catalog
    for items in sorted(filter(there.__contains__, catalog.facts), key=lambda fact: fact not in occasion.known):
        item, result = catalog.facts[items].list_of, catalog.facts[results].list_of
        if item and result and (items, results) not in used and result not in stand_ins(catalog, (item,)):
            one = _plan_for_item(occasion, (item, items), (result, results), there)
            if one is not None:
                yield one


def _plan_for_item(
    occasion: SplitOccasion, start: tuple[str, str], end: tuple[str, str], there: frozenset[str]
) -> _ForEach | None:
    """Plan for one item, from that and what is no other item's; None where no plan is about the item."""
    catalog, (item, items), (result, results) = occasion.catalog, start, end
    about = {item, result}
    beside = [
        fact
        for fact in relevant_inputs(catalog, (result,), there, (item,))
        if about.isdisjoint(stand_ins(catalog, (fact,)))
    ]
    goal, times = PlanGoal(facts=(result,)), count_items(catalog, {item: items})
    situation = _inside(catalog, occasion.situation, frozenset((item, *beside)), times)
    found = solve(compile_task(catalog, situation, goal), ENGINES[DEFAULT_ENGINE], LIMITS)
    if not isinstance(found, Solved):
        return None
    uses = uses_of(catalog, found.plan.actions, goal.atoms, situation.known)[Predicate.KNOWN]
    if item not in uses:
        return None
    needs = (items, *(fact for fact in uses if fact != item))
    operator = Operator(
        kind=StepKind.SKILL,
        subject="for each item",
        needs=frozenset(map(known, needs)),
        adds=close(catalog, (results,)),
        cost=times * found.plan.cost,
        mode=items,
        outcome=results,
        inputs=needs,
        outputs=(results,),
        amounts=Amounts(*(times * amount for amount in found.plan.amounts)),
    )
    return _ForEach(item, items, operator)


def _inside(catalog: Catalog, situation: Situation, there: frozenset[str], times: int) -> Situation:
    """Return the situation in which something is done for an item: consents hold outside, and money is shared."""
    left = find_budget(catalog, situation)
    budget = situation.budget if left is None else situation.spent + left / times
    return replace(situation, known=there, authorized=frozenset(), done=frozenset(), budget=budget)


def _find_lacking(occasion: SplitOccasion, every: Sequence[_ForEach]) -> tuple[Missing, ...] | None:
    """Find what is missing all the same; None where nothing would be enough."""
    catalog, goal = occasion.catalog, PlanGoal(facts=goal_of(occasion.catalog, occasion.description))
    operators = [*compile_operators(catalog), *(one.operator for one in every)]
    found = diagnose(catalog, occasion.situation, goal, operators)
    if not found.sets:
        return None if found.over_budget is not None else ()
    return write_gaps(found.sets[0])


# the split


def _cut(occasion: SplitOccasion, way: LandmarkPlan, every: Sequence[_ForEach]) -> Split:
    """Cut a plan before and after what is done for each item, and elsewhere at landmarks; at more where it is short."""
    named = {one.operator.name: one for one in every}
    stages = _list_stages(occasion, way, named, USUAL)
    if len(stages) < LEAST:
        stages = _list_stages(occasion, way, named, MOST)
    adds = (SplitGain.COLLECTION, SplitGain.FUNCTION) if way.requests else (SplitGain.COLLECTION,)
    return Split(proposer=COLLECTIONS, stages=stages, adds=adds)


def _list_stages(
    occasion: SplitOccasion, way: LandmarkPlan, named: Mapping[str, _ForEach], count: int
) -> tuple[Description, ...]:
    """List about so many stages: each ends with what is needed after it, and starts from what its steps use.

    Steps that only get consents go to the next stage that is not for each item.
    """
    catalog, there = occasion.catalog, set(occasion.known)
    goal = PlanGoal(facts=goal_of(catalog, occasion.description)).atoms
    stages: list[Description] = []
    waiting: list[Operator] = []
    for begin, end in _list_places(way, named, count):
        each = named.get(way.steps[begin].name)
        taken = [*(() if each else waiting), *way.steps[begin:end]]
        needed = goal.union(*(step.needs for step in way.steps[end:]))
        made = needed & frozenset().union(*(step.adds for step in taken))
        given = tuple(fact for fact in catalog.facts if known(fact) in made and fact not in there)
        results = each.operator.outputs if each else given
        if not each:
            waiting = [] if results else taken
        if not results:
            continue
        uses = uses_of(catalog, taken, frozenset(map(known, results)), there)[Predicate.KNOWN]
        inputs = [fact for fact in uses if each is None or fact != each.items]
        text = listed([shortened(catalog.facts[fact].label) for fact in results], limit=NAMED)
        stages.append(occasion.describe_stage(text, inputs, results, {each.item: each.items} if each else None))
        there.update(results)
    return tuple(stages)


def _list_places(way: LandmarkPlan, named: Collection[str], count: int) -> Iterator[tuple[int, int]]:
    """Yield where stages begin and end: what is done for each item is one, and landmarks are spread evenly."""
    forced = {0, len(way.steps)}
    for number, step in enumerate(way.steps):
        if step.name in named:
            forced |= {number, number + 1}
    free = [end for end, _ in way.marks if end not in forced]
    more = max(0, min(len(free), count + 1 - len(forced)))
    return pairwise(sorted(forced.union(free[len(free) * number // more] for number in range(more))))
