"""Play a conversation with the banking catalog without words: plan, try, learn, plan again, with the real skills."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from catalog.checks.results import accept
from catalog.demos.banking.personas import SAMPLES
from catalog.endpoints import connect
from catalog.load import load
from catalog.skills import File, SkillInput
from planning.engines import ENGINES
from planning.model import Operator, Situation, Solved, StepKind
from planning.plans.solve import solve
from planning.task.compilation import compile_task

CATALOG = load("banking").catalog
PICTURE = "picture:"
"""Marks an answer that is a picture: the name of a sample follows."""


@dataclass
class Play:
    """What somebody would answer, and what happened: `plans` made, and `trace` of what was really done."""

    answers: Mapping[str, JsonValue | list[JsonValue]]
    refuses: Collection[str] = ()
    known: dict[str, JsonValue] = field(default_factory=dict)
    plans: list[list[str]] = field(default_factory=list)
    trace: list[str] = field(default_factory=list)
    authorized: set[str] = field(default_factory=set)
    pruned: set[str] = field(default_factory=set)
    cannot_establish: set[tuple[str, str, str]] = field(default_factory=set)
    failures: dict[tuple[str, str], int] = field(default_factory=dict)

    def pursue(self, *goal: str) -> bool:
        """Work towards facts until they are known (true), or there is no plan (false)."""
        for _ in range(50):
            situation = Situation(
                frozenset(self.known),
                frozenset(self.authorized),
                frozenset(self.cannot_establish),
                frozenset(self.pruned),
            )
            result = solve(compile_task(CATALOG, situation, goal), ENGINES["pyperplan"])
            if not isinstance(result, Solved):
                return False
            self.plans.append([step.subject for step in result.plan.steps])
            if all(self._take(step) for step in result.plan.steps):
                return True
        raise AssertionError("the conversation does not end")

    def _take(self, step: Operator) -> bool:
        if step.kind is StepKind.ASK:
            return self._ask(step)
        if step.kind is StepKind.AUTHORIZE:
            agreed = step.subject not in self.refuses
            self.trace.append(f"{'may' if agreed else 'may not'} {step.subject}")
            self.authorized |= {step.subject} if agreed else set()
            self.pruned |= set() if agreed else {step.name}
            return agreed
        return step.kind is StepKind.CONFIRM or self._call(step)

    def _ask(self, step: Operator) -> bool:
        answers = self.answers.get(step.subject)
        answer = (answers.pop(0) if answers else None) if isinstance(answers, list) else answers
        if not CATALOG.facts[step.subject].fillable or answer is None:
            self.trace.append(f"cannot ask {step.subject}")
            self.pruned.add(step.name)
            return False
        self.trace.append(f"ask {step.subject}")
        self.known[step.subject] = answer
        return True

    def _call(self, step: Operator) -> bool:
        assert step.mode is not None
        skill = CATALOG.skills[step.subject]
        mode = skill.modes[step.mode]
        inputs: dict[str, SkillInput] = {
            fact: next(self._value(below) for below in CATALOG.subtypes[fact] if below in self.known)
            for fact in (*mode.inputs, *mode.optional)
            if any(below in self.known for below in CATALOG.subtypes[fact])
        }
        result = accept(CATALOG, skill.name, mode.name, connect(skill.endpoint or "")(inputs))
        self.trace.append(f"{skill.name}: {result.outcome}")
        self.known.update(result.facts)
        for fact in mode.outcomes[result.outcome].doubts:
            del self.known[fact]
        missing = set(step.outputs) - {above for fact in self.known for above in CATALOG.supertypes(fact)}
        key = (skill.name, mode.name)
        self.failures[key] = self.failures.get(key, 0) + bool(missing)
        if self.failures[key] >= skill.max_tries:
            self.cannot_establish |= {(*key, fact) for fact in missing}
        return not missing

    def _value(self, fact: str) -> SkillInput:
        value = self.known[fact]
        if isinstance(value, str) and value.startswith(PICTURE):
            name = value.removeprefix(PICTURE)
            return File(name, "image/png", (SAMPLES / name).read_bytes())
        return value
