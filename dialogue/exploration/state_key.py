"""State abstraction: conversations with equal keys have the same possible futures.

Left out of a key is what only words, numbers and explanations depend on (sequence numbers, messages, what values are,
which plans there were), and what lies outside the cone of influence of the goal. Tests play every move from states with
equal keys, and compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, replace

from catalog.analysis.horn import regress
from catalog.model import Catalog, Effect
from dialogue.log.events import Missing
from dialogue.policy.joint import left_over
from dialogue.state.conversation import Conversation
from dialogue.state.goals import StackedGoal
from planning.history import Execution
from planning.model import Atom, Operator, Predicate, Situation, known
from planning.task.compilation import compile_operators
from planning.task.grounding import close


@dataclass(frozen=True, slots=True)
class Cone:
    """A cone of influence: the facts, names of operators, modes as (skill, mode), and atoms that can bear on a goal."""

    facts: frozenset[str]
    operators: frozenset[str]
    modes: frozenset[tuple[str, str]]
    atoms: frozenset[Atom]


class Relevance:
    """Computes the cones of influence of a goal, each once; optional inputs count as inputs."""

    def __init__(self, catalog: Catalog, goal: Iterable[Atom]) -> None:
        self._catalog = catalog
        self._goal = frozenset(goal)
        self.operators = compile_operators(catalog)
        self.retractable = find_retractable(catalog)
        self._number = self.operators.number
        self._needs = [
            (*needs, *self._optional(operator))
            for needs, operator in zip(self.operators.arrays.needs, self.operators, strict=True)
        ]
        self._made: dict[frozenset[str], Cone] = {}

    def cone(self, facts: Iterable[str]) -> Cone:
        for_good = frozenset(facts) - self.retractable
        if for_good not in self._made:
            self._made[for_good] = self._find(close(self._catalog, for_good))
        return self._made[for_good]

    def _find(self, given: frozenset[Atom]) -> Cone:
        atoms = self.operators.atoms
        held, goal = self._places(given), sorted(self._places(self._goal))
        found = regress(self.operators.arrays, goal, given=held, needs=self._needs)
        operators = [self.operators[place] for place in found.clauses]
        used = {atoms[atom] for atom in found.atoms}
        used |= {atoms[need] for place in found.clauses for need in self._needs[place]}
        used |= {atom for operator in operators if operator.mode is not None for atom in operator.adds}
        named = (atom.subject for atom in used if atom.predicate is Predicate.KNOWN)
        return Cone(
            facts=frozenset(below for fact in named for below in self._catalog.subtypes.get(fact, (fact,))),
            operators=frozenset(operator.name for operator in operators),
            modes=frozenset((operator.subject, operator.mode) for operator in operators if operator.mode is not None),
            atoms=frozenset(atoms[atom] for atom in found.atoms),
        )

    def _optional(self, operator: Operator) -> frozenset[int]:
        if operator.mode is None:
            return frozenset()
        return self._places(map(known, self._catalog.skills[operator.subject].modes[operator.mode].optional))

    def _places(self, atoms: Iterable[Atom]) -> frozenset[int]:
        return frozenset(self._number[atom] for atom in atoms if atom in self._number)


def find_retractable(catalog: Catalog) -> frozenset[str]:
    """Return the facts that may be retracted: inputs that an outcome doubts, and results that may be set aside.

    A result is set aside when a fact that it could have used becomes known later, with all that was made from it.
    """
    doubted = {
        fact
        for skill in catalog.skills.values()
        for mode in skill.modes.values()
        for outcome in mode.outcomes.values()
        for fact in outcome.doubts
    }
    found = {sub for fact in doubted for sub in catalog.subtypes.get(fact, (fact,))}
    loose: set[str] = set()
    before = -1
    while len(found | loose) != before:
        before = len(found | loose)
        for skill in catalog.skills.values():
            for mode in skill.modes.values():
                taken = (below for fact in mode.takes for below in catalog.subtypes.get(fact, (fact,)))
                if mode.optional or not loose.isdisjoint(taken):
                    loose.update(mode.gives)
        for mapping in catalog.mappings:
            if mapping.fact in found | loose:
                loose.add(mapping.stands_for)
    return frozenset(found | loose)


Key = Hashable


class Keys:
    """Computes the state keys of conversations that pursue one goal of a catalog."""

    def __init__(self, catalog: Catalog, relevance: Relevance) -> None:
        self._catalog = catalog
        self._relevance = relevance
        self._limits = {
            (skill.name, mode): skill.most_calls
            for skill in catalog.skills.values()
            for mode in skill.modes
            if skill.most_calls is not None
        }
        self._has_optional = any(mode.optional for skill in catalog.skills.values() for mode in skill.modes.values())

    def key(self, c: Conversation) -> Key:
        """Return the key of a conversation that waits or is about to call; at its end only how it ended counts."""
        if not c.goals.stack:
            ended = c.goals.past[-1]
            missing = c.plans.all[-1].plan.missing if c.plans.all and ended.status == "dropped" else Missing()
            return ended.status, ended.reason, missing.information, missing.functionality
        cone = self._relevance.cone(c.facts.known)
        return (
            self._situation(c.situation, cone),
            tuple((goal.goal, self._plan(c, goal)) for goal in c.goals.stack),
            None if c.plan else left_over(self._catalog, c) & cone.operators,
            self._pending(c),
            c.messages.active is not None,
            frozenset((call, given.open) for call, given in c.questions.confirmed.items() if given.open),
            frozenset(
                (way, count)
                for way, count in c.calls.misses.items()
                if way not in c.calls.used_up and way[:2] in cone.modes
            ),
            frozenset(
                (way, min(count, self._limits[way]))
                for way, count in c.calls.counts.items()
                if way in self._limits and way in cone.modes
            ),
            self._items(c),
            frozenset(self._stand_ins(c, cone)),
            frozenset(self._loose_results(c)) if self._has_optional else None,
            c.goals.stack[0].begun,
            c.goals.objected is not None,
        )

    def _situation(self, situation: Situation, cone: Cone) -> Situation:
        budgeted = situation.budget is not None or self._catalog.settings.budget is not None
        return replace(
            situation,
            known=situation.known & cone.facts,
            pruned=situation.pruned & cone.operators,
            cannot_establish=frozenset(way for way in situation.cannot_establish if way[:2] in cone.modes),
            spent=situation.spent if budgeted else 0.0,
        )

    def _plan(self, c: Conversation, goal: StackedGoal) -> Key:
        """Return the steps left of the plan for a goal, and how what is known differs from what it expected."""
        plan = c.plan_of(goal.goal_id)
        if plan is None:
            return None
        return (
            tuple(tuple(step.operator for step in plan.left_for(one)) for one in plan.goals),
            plan.goals.index(plan.checked_for),
            frozenset(plan.expected ^ c.facts.known.keys()),
            frozenset(plan.carried_out ^ c.calls.done.keys()),
        )

    def _pending(self, c: Conversation) -> Key:
        if c.questions.pending is None:
            return None
        asked, plan = c.questions.pending.asked, c.plan
        of_plan = None if asked.plan_id is None else plan is not None and plan.plan_id == asked.plan_id
        return asked.about, asked.subject, asked.mode, asked.attempt, asked.facts, asked.options, of_plan

    def _items(self, c: Conversation) -> Key:
        """Return the items that are done in the open call, and those that must not be done again."""
        under_way = tuple((item.done.outcome, item.done.again is None) for item in c.calls.open_items)
        irreversible = Counter(
            (item.done.skill, item.done.mode, item.done.outcome, item.done.again is None)
            for item in c.calls.items
            if (item.done.skill, item.done.mode) in self._limits
        )
        return under_way, frozenset(irreversible.items())

    def _stand_ins(self, c: Conversation, cone: Cone) -> Iterator[tuple[str, ...]]:
        """Yield the known subtypes of a fact where there are several, the latest, which is used, first."""
        for fact in cone.facts:
            below = [name for name in self._catalog.subtypes.get(fact, ()) if name in c.facts.known and name != fact]
            if len(below) > 1:
                yield (fact, *sorted(below, key=lambda name: -c.facts.known[name].event))

    def _loose_results(self, c: Conversation) -> Iterator[Key]:
        """Yield the results that may be set aside: found without an optional fact, or from such results.

        They are set aside when that fact becomes known (`dialogue.state.conversation.derived_from`).
        """
        loose: set[int] = set()
        for execution in c.calls.history:
            results = [value for value in c.facts.known.values() if value.by == execution.event]
            if not results or not (self._left_out(execution) or loose.intersection(execution.input_events)):
                continue
            loose.update(value.event for value in results)
            used = frozenset(value.fact for value in c.facts.known.values() if value.event in execution.input_events)
            found = frozenset(value.fact for value in results)
            yield execution.skill, execution.mode, frozenset(execution.inputs), used, found

    def _left_out(self, execution: Execution) -> bool:
        skill = self._catalog.skills.get(execution.skill or "")
        mode = skill.modes.get(execution.mode or "") if skill else None
        if skill is None or mode is None or skill.effect is Effect.IRREVERSIBLE:
            return False
        served = {above for fact in execution.inputs for above in self._catalog.supertypes(fact)}
        return any(fact not in served for fact in mode.optional)
