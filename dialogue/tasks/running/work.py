"""The work that a solved tree leaves to be done: which calls can be made now, and what is to be put together.

All of it is a function of the state: a step waits for its inputs and for nothing else, so steps that do not need each
other can be done at the same time. A call that was made with the same inputs is not made again, whichever plan it was
made for.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import JsonValue

from catalog.model import Catalog, Effect, Mode, Skill
from catalog.model.settings import AuthorizationPolicy
from dialogue.tasks.running.plan_actions import Ask, Collect, GiveUpPlan, MakeCall, PlanAction, TakeBack, key_of
from dialogue.tasks.state.events import CallEnded, CallFailed, Collected, Items
from dialogue.tasks.state.requests import ConfirmCall, NeedConsent, Request
from dialogue.tasks.state.task import Task, TaskCall, TaskValue
from planning.hierarchy.tree import Hypothesis, Planned, PlanStep
from planning.model import StepKind, operator_name

TRIES = 3
"""How often a call is made at most that raised, or took too long, where that does no harm."""


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A leaf, and the items of lists that it is done for."""

    hypothesis: Hypothesis
    items: Items = ()


@dataclass
class _State:
    """What became of a step: done, waiting for something, or in vain."""

    done: bool = False
    vain: bool = False
    pieces: list[PlanAction] = field(default_factory=list)


@dataclass(frozen=True)
class Work:
    catalog: Catalog
    task: Task

    @property
    def pieces(self) -> tuple[PlanAction, ...]:
        """List what can be done now, each once, in the order of the plan; calls under way are left out.

        Where the results are there, nothing is left to be done. What is asked for already is not asked for again.
        """
        asked = [one.request for one in self.task.open_requests]
        found: dict[Hashable, PlanAction] = {}
        for piece in self._listed:
            if isinstance(piece, Ask) and piece.request in asked:
                continue
            found.setdefault(piece.key if isinstance(piece, (MakeCall, Ask)) else id(piece), piece)
        return tuple(found.values())

    @property
    def wants(self) -> tuple[Request, ...]:
        """List what a person has to agree to, whether it is asked for or not."""
        return tuple(piece.request for piece in self._listed if isinstance(piece, Ask))

    @cached_property
    def _listed(self) -> tuple[PlanAction, ...]:
        return () if self.is_done else tuple(self._list())

    @cached_property
    def _made(self) -> Mapping[Hashable, Sequence[TaskCall]]:
        made: dict[Hashable, list[TaskCall]] = {}
        for call in self.task.calls.values():
            begun = call.begun
            made.setdefault(key_of(begun.skill, begun.mode, begun.items, begun.input_entries), []).append(call)
        return made

    @property
    def is_done(self) -> bool:
        """Whether everything that the results need is there."""
        return all(self.task.find(self.catalog, fact) for fact in self.task.description.facts)

    def _list(self) -> Iterator[PlanAction]:
        tree = self.task.tree
        eaches: set[str] = set()
        for leaf in tree.leaves():
            around = next((one for one in self._around(leaf.id) if one.description.each), None)
            if around is None:
                for place, step in enumerate(_steps_of(leaf)):
                    yield from self._see_step(_Leaf(leaf), place, step).pieces
            elif around.id not in eaches:
                eaches.add(around.id)
                yield from self._list_each(around, list(tree.leaves(around.id)))

    def _around(self, name: str) -> Iterator[Hypothesis]:
        parts = name.split(".")
        for end in range(len(parts), 0, -2):
            yield self.task.tree.hypotheses[".".join(parts[:end])]

    # stages that are done for each item of a list

    def _list_each(self, stage: Hypothesis, leaves: Sequence[Hypothesis]) -> Iterator[PlanAction]:
        """List what is to be done for the items; what fails for one of them does not keep the others."""
        ((item, listed),) = stage.description.each.items()
        found = self.task.find(self.catalog, listed)
        if found is None or self._has(stage.description.facts, ()):
            return
        gone = []
        for items, hand in self._items(_Leaf(stage), -1, item, found):
            went = _State(pieces=[hand]) if hand else self._go_through(leaves, items)
            yield from went.pieces
            gone.append(went)
        failed = [number for number, went in enumerate(gone, start=1) if went.vain]
        if all(went.done or went.vain for went in gone):
            if failed and len(failed) == len(gone):
                yield self._doubt_list(item, found) or self._first_in_vain(leaves, ((found.entry, 1),))
            else:
                results = {fact: self.catalog.facts[fact].list_of or fact for fact in stage.description.facts}
                yield self._gather(_Leaf(stage), -1, found, results, failed)

    def _go_through(self, leaves: Sequence[Hypothesis], items: Items) -> _State:
        went = [
            self._see_step(_Leaf(leaf, items), place, step)
            for leaf in leaves
            for place, step in enumerate(_steps_of(leaf))
        ]
        if any(one.vain for one in went):
            return _State(vain=True)
        return _State(done=all(one.done for one in went), pieces=[piece for one in went for piece in one.pieces])

    def _first_in_vain(self, leaves: Sequence[Hypothesis], items: Items) -> GiveUpPlan:
        return next(
            GiveUpPlan(leaf.id, _operator_of(step))
            for leaf in leaves
            for place, step in enumerate(_steps_of(leaf))
            if self._see_step(_Leaf(leaf, items), place, step).vain
        )

    def _items(self, leaf: _Leaf, place: int, item: str, listed: TaskValue) -> Iterator[tuple[Items, Collect | None]]:
        """Yield each item of a list, and what makes it known where it is not yet."""
        assert isinstance(listed.value, list)
        for number, value in enumerate(listed.value, start=1):
            items = (*leaf.items, (listed.entry, number))
            if item in self.task.values.get(items, {}):
                yield items, None
                continue
            handed = Collected(
                hypothesis=leaf.hypothesis.id,
                step=place,
                inputs={listed.fact: listed.entry},
                facts={item: value},
                items=items,
            )
            yield items, Collect(handed)

    def _gather(
        self, leaf: _Leaf, place: int, listed: TaskValue, results: Mapping[str, str], failed: Sequence[int]
    ) -> Collect:
        """Put what was found for the items together; `results` are lists, each with the fact that it is a list of."""
        assert isinstance(listed.value, list)
        good = [number for number in range(1, len(listed.value) + 1) if number not in failed]
        inputs = {listed.fact: listed.entry}
        facts: dict[str, JsonValue] = {}
        for result, one in results.items():
            values = [self.task.find(self.catalog, one, (*leaf.items, (listed.entry, number))) for number in good]
            facts[result] = [value.value for value in values if value is not None]
            inputs |= {f"{one}[{n}]": value.entry for n, value in zip(good, values, strict=True) if value is not None}
        return Collect(
            Collected(
                hypothesis=leaf.hypothesis.id,
                step=place,
                inputs=inputs,
                facts=facts,
                items=leaf.items,
                failed=tuple(failed),
            )
        )

    # leaves and their steps

    def _see_step(self, leaf: _Leaf, place: int, step: PlanStep) -> _State:
        match step.kind:
            case StepKind.AUTHORIZE:
                given = step.subject in self.task.consents
                return self._see_word(leaf, step, NeedConsent(skill=step.subject, facts=step.inputs), given=given)
            case StepKind.CONFIRM:
                mode = step.mode or ""
                given = (step.subject, mode) in self.task.confirmed
                return self._see_word(leaf, step, ConfirmCall(skill=step.subject, mode=mode), given=given)
            case StepKind.MAP:
                return self._see_mapping(leaf, place, step)
            case StepKind.SKILL:
                return self._see_call(leaf, place, step)
            case _:
                return _State(done=True)

    def _see_word(self, leaf: _Leaf, step: PlanStep, request: Request, *, given: bool) -> _State:
        if given:
            return _State(done=True)
        asked = [one.entry for one in self.task.requests.values() if one.request == request]
        if self.task.declined.intersection(asked):
            return _State(vain=True, pieces=[GiveUpPlan(leaf.hypothesis.id, _operator_of(step))])
        return _State(pieces=[Ask(request)])

    def _see_mapping(self, leaf: _Leaf, place: int, step: PlanStep) -> _State:
        if step.subject in self.task.values.get(leaf.items, {}):
            return _State(done=True)
        found = self.task.find(self.catalog, step.inputs[0], leaf.items)
        if found is None:
            return _State()
        taken = Collected(
            hypothesis=leaf.hypothesis.id,
            step=place,
            inputs={found.fact: found.entry},
            facts={step.subject: found.value},
            items=leaf.items,
        )
        return _State(pieces=[Collect(taken)])

    def _see_call(self, leaf: _Leaf, place: int, step: PlanStep) -> _State:
        skill = self.catalog.skills[step.subject]
        mode = skill.modes[step.mode or ""]
        hoped = mode.outcomes[step.outcome or ""].facts
        if hoped and self._has(hoped, leaf.items):
            return _State(done=True)
        inputs = {fact: self.task.find(self.catalog, fact, leaf.items) for fact in mode.takes}
        there = {f: value for f, value in inputs.items() if value is not None and self._may_get(skill, mode, f)}
        doubted = any(not self.task.doubted.keys().isdisjoint(self.catalog.subtypes[one]) for one in mode.takes)
        if doubted or not self._may_call(skill, mode) or not there.keys() >= set(mode.inputs):
            return _State()
        if mode.each:
            return self._see_mapped(leaf, place, step, there)
        return self._see_one(_Want(leaf.hypothesis.id, place, skill, mode, leaf.items), step.outcome or "", there)

    def _has(self, facts: Sequence[str], items: Items) -> bool:
        there = self.task.values.get(items, {})
        return all(any(name in there for name in self.catalog.subtypes[fact]) for fact in facts)

    def _may_get(self, skill: Skill, mode: Mode, fact: str) -> bool:
        """Return whether a skill may get a value: what is sensitive goes nowhere without consent."""
        if fact not in self.catalog.sensitive_inputs(skill.name, mode.name):
            return True
        return (fact if self._is_per_fact else skill.name) in self.task.consents

    def _may_call(self, skill: Skill, mode: Mode) -> bool:
        """Return whether the go-ahead for a call is there, where it needs one; consent to a skill serves for both."""
        if not skill.confirms or (skill.name, mode.name) in self.task.confirmed:
            return True
        consented = not self._is_per_fact and skill.name in self.task.consents
        return consented and not set(mode.inputs).isdisjoint(self.catalog.sensitive_inputs(skill.name, mode.name))

    @property
    def _is_per_fact(self) -> bool:
        return self.catalog.settings.authorization is AuthorizationPolicy.PER_FACT

    def _see_mapped(self, leaf: _Leaf, place: int, step: PlanStep, inputs: Mapping[str, TaskValue]) -> _State:
        """See how far a call for each item of a list is: the items are independent of each other."""
        skill = self.catalog.skills[step.subject]
        mode = skill.modes[step.mode or ""]
        ((item, listed),) = mode.each.items()
        one = skill.modes[mode.calls or ""]
        state, gone = _State(), []
        for items, hand in self._items(leaf, place, item, inputs[listed]):
            if hand is not None:
                went = _State(pieces=[hand])
            else:
                given = self.task.values[items][item]
                others = {fact: value for fact, value in inputs.items() if fact != listed}
                wanted = _Want(leaf.hypothesis.id, place, skill, one, items)
                went = self._see_one(wanted, step.outcome or "", {**others, item: given})
            gone.append(went)
            state.pieces += [piece for piece in went.pieces if not isinstance(piece, GiveUpPlan)]
        if all(went.done or went.vain for went in gone):
            failed = [number for number, went in enumerate(gone, start=1) if went.vain]
            if failed and len(failed) == len(gone):
                doubt = self._doubt_list(item, inputs[listed])
                vain = doubt or GiveUpPlan(leaf.hypothesis.id, _operator_of(step))
                return _State(vain=doubt is None, pieces=[vain])
            hoped = mode.outcomes[step.outcome or ""].facts
            results = {fact: self.catalog.facts[fact].list_of or fact for fact in hoped}
            state.pieces.append(self._gather(leaf, place, inputs[listed], results, failed))
        return state

    def _see_one(self, wanted: _Want, hoped: str, inputs: Mapping[str, TaskValue]) -> _State:
        """See how far one call is: not begun, under way, back, or in vain."""
        made = self._made.get(wanted.key(inputs), ())
        last = made[-1].ended if made else None
        if made and last is None:
            return _State()
        outcomes = wanted.mode.outcomes
        if isinstance(last, CallEnded) and set(outcomes[hoped].facts) <= set(outcomes[last.outcome].facts):
            return _State(done=True)
        tries = sum(not (isinstance(one.ended, CallFailed) and one.ended.error == "interrupted") for one in made)
        if not made or (isinstance(last, CallFailed) and self._may_try_again(wanted.skill, last, tries)):
            return _State(
                pieces=[MakeCall(wanted.leaf, wanted.step, wanted.skill.name, wanted.mode.name, inputs, wanted.items)]
            )
        if isinstance(last, CallEnded) and not wanted.items:
            wrong = [inputs[fact] for fact in outcomes[last.outcome].doubts if fact in inputs]
            if given := [one.fact for one in wrong if one.entry in self.task.handed_over]:
                return _State(pieces=[TakeBack(fact, last.call_id) for fact in given])
        operator = operator_name(StepKind.SKILL, wanted.skill.name, wanted.mode.name, hoped)
        return _State(vain=True, pieces=[GiveUpPlan(wanted.leaf, operator)])

    def _doubt_list(self, item: str, listed: TaskValue) -> TakeBack | None:
        """Doubt a list that was handed over and of which each item was shown to be wrong."""
        call = self.task.find_doubting_all(self.catalog, item, listed)
        return TakeBack(listed.fact, call) if call and listed.entry in self.task.handed_over else None

    def _may_try_again(self, skill: Skill, failed: CallFailed, tries: int) -> bool:
        """Return whether a call may be made again.

        One that was cut off with the program counts as none; so does one that took no effect, as a person found out.
        Where its own lookup says so, it is as harmless as one that has no effect.
        """
        if failed.error in ("interrupted", "in_doubt"):
            return True
        harmless = skill.effect is not Effect.IRREVERSIBLE or failed.error == "no_effect"
        again = failed.error in ("raised", "timed_out", "no_effect")
        return harmless and again and tries < max(TRIES, skill.max_tries)


@dataclass(frozen=True, slots=True)
class _Want:
    """A call that a step needs."""

    leaf: str
    step: int
    skill: Skill
    mode: Mode
    items: Items

    def key(self, inputs: Mapping[str, TaskValue]) -> Hashable:
        """Return what the calls have in common that are the one that is wanted, whichever plan they were made for."""
        return key_of(self.skill.name, self.mode.name, self.items, {fact: one.entry for fact, one in inputs.items()})


def _steps_of(leaf: Hypothesis) -> Sequence[PlanStep]:
    return leaf.verdict.steps if isinstance(leaf.verdict, Planned) else ()


def _operator_of(step: PlanStep) -> str:
    return operator_name(step.kind, step.subject, step.mode, step.outcome)
