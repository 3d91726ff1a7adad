"""A simulator of solved trees that goes by the catalog's declarations and by values, and knows nothing of planning."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from catalog.model import Catalog
from catalog.model.catalog import Precedence
from catalog.model.settings import AuthorizationPolicy
from planning.hierarchy.tree import Hypothesis, PlanStep, Tree

Values = dict[str, object]
"""What is known: facts with their values."""


@dataclass
class Simulator:
    """Carries out a solved tree; lists have so many items."""

    catalog: Catalog
    tree: Tree
    items: int = 2
    consents: set[str] = field(default_factory=set)
    agreed: set[tuple[str, str]] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    money: float = 0.0
    asked: list[str] = field(default_factory=list)
    """Consents in the order in which they were asked for."""

    def run(self) -> Values:
        """Carry the task out from what is known, and return what is known at the end; it is what the task is for."""
        values = {fact: self._value(fact, "handed over") for fact in sorted(self.tree.known)}
        self._carry_out(self.tree.root, values)
        for fact in self.tree.root.description.facts:
            assert self._find(values, fact) is not None, f"nothing gives {fact}"
        budget = self.catalog.settings.budget
        assert budget is None or self.money <= budget + 1e-6, "it takes more than may be spent"
        return values

    def _carry_out(self, one: Hypothesis, values: Values) -> None:
        if not one.description.each:
            self._carry_out_once(one, values)
            return
        ((item, items),) = one.description.each.items()
        listed = self._find(values, items)
        assert isinstance(listed, tuple), f"nobody has {items}, of which each is to be taken"
        results = {fact: self.catalog.facts[fact].list_of or fact for fact in one.description.facts}
        visible = self.tree.known_at(one.id)
        found: list[Values] = []
        for entry in listed:
            inside = {fact: value for fact, value in values.items() if visible & set(self.catalog.supertypes(fact))}
            inside[item] = entry
            self._carry_out_once(one, inside)
            found.append(inside)
        for fact, of in results.items():
            each = [self._find(inside, of) for inside in found]
            assert all(value is not None for value in each), f"an item ends without {of}"
            values[fact] = tuple(each)

    def _carry_out_once(self, one: Hypothesis, values: Values) -> None:
        attempt = self.tree.solving(one.id)
        if one.plan is not None:
            for step in one.plan.steps:
                self._take(step, values)
        else:
            assert attempt is not None, f"{one.id} is not solved"
            for stage in one.stage_ids(attempt):
                self._carry_out(self.tree.hypotheses[stage], values)

    def _take(self, step: PlanStep, values: Values) -> None:
        precedence = Precedence(self.catalog)
        match step.kind:
            case "authorize":
                self._check_order(precedence.before_consent(step.subject), step)
                if step.subject not in self.consents:
                    self.asked.append(step.subject)
                self.consents.add(step.subject)
            case "confirm":
                self.agreed.add((step.subject, step.mode or ""))
            case "map":
                (mapping,) = [
                    one
                    for one in self.catalog.mappings
                    if one.stands_for == step.subject and one.fact == step.inputs[0]
                ]
                values[step.subject] = self._need(values, mapping.fact, step)
            case "skill":
                self._call(step, values, precedence)
            case _:
                raise AssertionError(f"{step.name} is not for the middle of a task")

    def _call(self, step: PlanStep, values: Values, precedence: Precedence) -> None:
        skill = self.catalog.skills[step.subject]
        mode = skill.modes[step.mode or ""]
        got = [self._need(values, fact, step) for fact in mode.inputs]
        delicate = [fact for fact in self.catalog.sensitive_inputs(skill.name, mode.name) if fact in mode.inputs]
        per_fact = self.catalog.settings.authorization is AuthorizationPolicy.PER_FACT
        wanted = set(delicate) if per_fact else {skill.name} if delicate else set()
        assert wanted <= self.consents, f"{step.name} lacks the consent {wanted - self.consents}"
        if skill.confirms:
            assert (skill.name, mode.name) in self.agreed or (delicate and not per_fact), f"{step.name}: no go-ahead"
        self._check_order(precedence.before_call(skill.name, sensitive=bool(delicate)), step)
        lists = [value for fact, value in zip(mode.inputs, got, strict=True) if fact in mode.each.values()]
        self.money += skill.money * (len(lists[0]) if lists and isinstance(lists[0], tuple) else 1)
        values |= {fact: self._value(fact, step.name) for fact in mode.outcomes[step.outcome or ""].facts}
        if self.catalog.succeeds(skill.name, mode.name, step.outcome or ""):
            self.done.add(skill.name)

    def _check_order(self, orderings: Iterable[object], step: PlanStep) -> None:
        late = [one for one in orderings if getattr(one, "first") not in self.done]  # noqa: B009
        assert not late, f"{step.name} comes before what is to come before it: {late}"

    def _need(self, values: Values, fact: str, step: PlanStep) -> object:
        found = self._find(values, fact)
        assert found is not None, f"{step.name} lacks {fact}"
        return found

    def _find(self, values: Values, fact: str) -> object | None:
        """Find the value of a fact, or of one that can stand for it by its type."""
        return next((values[below] for below in self.catalog.subtypes.get(fact, ()) if below in values), None)

    def _value(self, fact: str, origin: str) -> object:
        if self.catalog.facts[fact].list_of is None:
            return f"{fact} ({origin})"
        return tuple(f"{fact} {number} ({origin})" for number in range(self.items))
