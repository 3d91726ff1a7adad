"""When two states are one: what everything that can still happen depends on.

Two conversations with equal keys have the same futures, move for move. Left out is what only words, numbers and
explanations depend on (sequence numbers, messages, what values are, which plans there were), and what can no longer
matter for the goal (`dialogue.explore.relevance`). Tests play every move from states with equal keys, and compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace

from catalog.model import Catalog, Effect
from dialogue.conversation import Conversation, StackedGoal
from dialogue.events import Missing
from dialogue.explore.relevance import Cone, Relevance
from planning.history import Execution
from planning.model import Situation

Key = Hashable


class Keys:
    """Makes the keys of conversations that pursue one goal of a catalog."""

    def __init__(self, catalog: Catalog, relevance: Relevance) -> None:
        self._catalog = catalog
        self._relevance = relevance
        self._limits = {
            (skill.name, mode): skill.max_tries
            for skill in catalog.skills.values()
            for mode in skill.modes
            if skill.effect is Effect.IRREVERSIBLE
        }
        self._has_optional = any(mode.optional for skill in catalog.skills.values() for mode in skill.modes.values())

    def key(self, c: Conversation) -> Key:
        """Make the key of a conversation at rest, or about to make a call; at its end only how it ended counts."""
        if not c.goals:
            ended = c.past_goals[-1]
            missing = c.plans[-1].plan.missing if c.plans and ended.status == "dropped" else Missing()
            return ended.status, ended.reason, missing.information, missing.functionality
        cone = self._relevance.cone(c.known)
        return (
            self._situation(c.situation, cone),
            tuple((goal.goal, self._plan(c, goal)) for goal in c.goals),
            self._pending(c),
            c.active is not None,
            frozenset(
                (way, count) for way, count in c.misses.items() if way not in c.used_up and way[:2] in cone.modes
            ),
            frozenset(
                (way, min(count, self._limits[way]))
                for way, count in c.calls.items()
                if way in self._limits and way in cone.modes
            ),
            self._items(c),
            frozenset(self._stand_ins(c, cone)),
            frozenset(self._loose_results(c)) if self._has_optional else None,
            c.goals[0].begun,
            c.objected is not None,
        )

    def _situation(self, situation: Situation, cone: Cone) -> Situation:
        """Take out of a situation what does not matter."""
        budgeted = situation.budget is not None or self._catalog.settings.budget is not None
        return replace(
            situation,
            known=situation.known & cone.facts,
            pruned=situation.pruned & cone.operators,
            cannot_establish=frozenset(way for way in situation.cannot_establish if way[:2] in cone.modes),
            spent=situation.spent if budgeted else 0.0,
        )

    def _plan(self, c: Conversation, goal: StackedGoal) -> Key:
        """Say what is left of the plan for a goal, and what is known other than it expected by now."""
        plan = c.plan_of(goal.goal_id)
        if plan is None:
            return None
        left = tuple(step.operator for step in plan.plan.steps[plan.done :])
        return left, frozenset(plan.expected ^ c.known.keys()), frozenset(plan.carried_out ^ c.done.keys())

    def _pending(self, c: Conversation) -> Key:
        if c.pending is None:
            return None
        asked, plan = c.pending.asked, c.plan
        of_plan = None if asked.plan_id is None else plan is not None and plan.plan_id == asked.plan_id
        return asked.about, asked.subject, asked.mode, asked.attempt, asked.facts, asked.options, of_plan

    def _items(self, c: Conversation) -> Key:
        """List the items that are done in the call under way, and those that must not be done again."""
        under_way = tuple((item.done.outcome, item.done.again is None) for item in c.open_items)
        irreversible = Counter(
            (item.done.skill, item.done.mode, item.done.outcome, item.done.again is None)
            for item in c.items
            if (item.done.skill, item.done.mode) in self._limits
        )
        return under_way, frozenset(irreversible.items())

    def _stand_ins(self, c: Conversation, cone: Cone) -> Iterator[tuple[str, ...]]:
        """List the subtypes that could serve for a fact where there are several, the latest of which does, first."""
        for fact in cone.facts:
            below = [name for name in self._catalog.subtypes.get(fact, ()) if name in c.known and name != fact]
            if len(below) > 1:
                yield (fact, *sorted(below, key=lambda name: -c.known[name].event))

    def _loose_results(self, c: Conversation) -> Iterator[Key]:
        """Describe results that may be set aside: found without an optional fact, or from such results.

        Whoever gives that fact later has them set aside (`dialogue.memory.derived_from`).
        """
        loose: set[int] = set()
        for execution in c.history:
            results = [value for value in c.known.values() if value.by == execution.event]
            if not results or not (self._left_out(execution) or loose.intersection(execution.input_events)):
                continue
            loose.update(value.event for value in results)
            used = frozenset(value.fact for value in c.known.values() if value.event in execution.input_events)
            found = frozenset(value.fact for value in results)
            yield execution.skill, execution.mode, frozenset(execution.inputs), used, found

    def _left_out(self, execution: Execution) -> bool:
        skill = self._catalog.skills.get(execution.skill or "")
        mode = skill.modes.get(execution.mode or "") if skill else None
        if skill is None or mode is None or skill.effect is Effect.IRREVERSIBLE:
            return False
        served = {above for fact in execution.inputs for above in self._catalog.supertypes(fact)}
        return any(fact not in served for fact in mode.optional)
