"""Sets of gaps against a naive reference, over random catalogs: enough, minimal, ranked, and none missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from catalog.model import Catalog, Mode, Outcome, Skill
from planning.diagnosis.diagnose import Diagnosis, DiagnosisBounds, Gap, GapKind, GapSet, diagnose
from planning.engines import ENGINES
from planning.model import Atom, Operator, Plan, Predicate, Solved, StepKind, known
from planning.plans.solve import solve
from planning.task.compilation import compile_operators, compile_task
from planning.task.grounding import close
from planning.task.index import close_forward, is_solvable
from tests.examples import measured
from tests.planning.reference import is_ruled_out
from tests.strategies import Case, cases

Key = tuple[str, str]
Weight = tuple[int, int, int, int]
MANY = DiagnosisBounds(sets=1_000, kept=1_000, work=1_000_000)
SMALL = cases(most_facts=7, most_skills=5, ordered=False)


@dataclass(frozen=True)
class Reference:
    """All minimal sets of gaps, by trying: of those that people and skills could fill, in some part each."""

    case: Case
    helped_by_people: bool

    @property
    def ruled_out(self) -> list[Operator]:
        return [o for o in compile_operators(self.case.catalog) if is_ruled_out(o, self.case.situation)]

    @property
    def personal(self) -> dict[Key, Operator]:
        if not self.helped_by_people:
            return {}
        facts = self.case.catalog.facts
        return {
            ("consent" if o.kind is StepKind.AUTHORIZE else "answer", o.subject): o
            for o in self.ruled_out
            if o.kind is StepKind.AUTHORIZE or (o.kind is StepKind.ASK and facts[o.subject].fillable)
        }

    def reach(self, chosen: Iterable[Key]) -> frozenset[Atom]:
        task = self.case.task
        given = close(self.case.catalog, (subject for kind, subject in chosen if kind == "skill"))
        opened = [self.personal[key] for key in chosen if key[0] != "skill"]
        return close_forward(task.initial | given, (*task.operators, *opened))

    def is_enough(self, chosen: Iterable[Key]) -> bool:
        return self.case.task.goal <= self.reach(tuple(chosen))

    def list_relevant(self) -> tuple[set[str], set[str]]:
        """List the facts that are asked for on the way to the goal and cannot be had, and the roots among them."""
        usable = (*self.case.task.operators, *self.personal.values())
        had = self.reach(())
        wanted = set(self.case.task.goal - had)
        for _ in usable:
            wanted |= {need for o in usable if o.adds & wanted for need in o.needs if need not in had}
        roots = {atom.subject for atom in wanted if not any(atom in o.adds for o in usable)}
        return {atom.subject for atom in wanted if atom.predicate is Predicate.KNOWN}, roots

    def candidates(self) -> list[Key]:
        people = list(self.personal)
        if self.helped_by_people and self.is_enough(people):
            return people
        facts, _ = self.list_relevant()
        spoken = self.reach(people)
        return [*people, *(("skill", fact) for fact in sorted(facts) if known(fact) not in spoken)]

    def find_all(self) -> dict[frozenset[Key], Weight]:
        candidates = self.candidates()
        assume(len(candidates) <= 10)
        minimal: list[frozenset[Key]] = []
        for size in range(len(candidates) + 1):
            for chosen in map(frozenset, combinations(candidates, size)):
                if not any(smaller <= chosen for smaller in minimal) and self.is_enough(chosen):
                    minimal.append(chosen)
        return {chosen: self.weigh(chosen) for chosen in minimal}

    def weigh(self, chosen: frozenset[Key]) -> Weight:
        _, roots = self.list_relevant()
        skills = {subject for kind, subject in chosen if kind == "skill"}
        goal = {fact for fact in skills - roots if fact in self.case.goal}
        return len(goal), len(skills - goal), len(skills - roots - goal), len(chosen) - len(skills)


def identify(one: GapSet) -> frozenset[Key]:
    return frozenset((gap.kind.value, gap.subject) for gap in one.gaps)


def invent(catalog: Catalog, gaps: Iterable[Gap]) -> Catalog:
    """Put skills into a catalog that do what is missing."""
    new = {
        f"new_{gap.subject}": Skill(
            name=f"new_{gap.subject}",
            endpoint="python:nowhere:nothing",
            modes={
                "only": Mode(name="only", inputs=gap.inputs, outcomes={"done": Outcome(name="done", facts=gap.facts)})
            },
        )
        for gap in gaps
    }
    return catalog.model_copy(update={"skills": {**catalog.skills, **new}})


def plan_with(case: Case, one: GapSet) -> Plan | None:
    """Plan in earnest: with questions answered and consents given, and with new skills in the catalog."""
    opened = {operator.name for gap in one.gaps if gap.kind is not GapKind.SKILL for operator in gap.closed}
    situation = replace(case.situation, pruned=case.situation.pruned - opened)
    result = solve(compile_task(invent(case.catalog, one.skills), situation, case.wanted), ENGINES["native"])
    return result.plan if isinstance(result, Solved) else None


@pytest.mark.row("V20")
@measured()
@given(SMALL)
def test_every_minimal_set_is_found_and_nothing_else(case: Case) -> None:
    diagnosis = diagnose(case.catalog, case.situation, case.wanted, bounds=MANY, without_people=MANY)
    if is_solvable(case.task):
        assert diagnosis == Diagnosis()
        return
    best, alone = Reference(case, True).find_all(), Reference(case, False).find_all()
    found = [identify(one) for one in diagnosis.sets]
    assert diagnosis.note == ""
    assert Counter(found) == Counter(best.keys() | alone.keys())
    assert [best[one] for one in found[: len(best)]] == sorted(best.values())


@pytest.mark.row("V20")
@given(SMALL, st.integers(1, 3))
def test_of_more_sets_than_are_told_none_is_left_out_that_asks_less(case: Case, most: int) -> None:
    assume(not is_solvable(case.task))
    bounds = DiagnosisBounds(sets=most)
    diagnosis = diagnose(case.catalog, case.situation, case.wanted, bounds=bounds, without_people=bounds)
    best, alone = Reference(case, True).find_all(), Reference(case, False).find_all()
    found = [identify(one) for one in diagnosis.sets]
    first = min(most, len(best))
    assert [best[one] for one in found[:first]] == sorted(best.values())[:first]
    assert all(one in alone for one in found[first:])
    assert bool(diagnosis.note) or max(len(best), len(alone)) <= most


@pytest.mark.row("V20")
@given(cases(ordered=False))
def test_with_answers_consents_and_new_skills_there_is_a_plan_and_without_any_of_them_there_is_none(case: Case) -> None:
    for one in diagnose(case.catalog, case.situation, case.wanted).sets:
        plan = plan_with(case, one)
        assert plan is not None
        assert one.gaps
        for gap in one.gaps:
            assert plan_with(case, replace(one, gaps=tuple(other for other in one.gaps if other != gap))) is None
        for gap in one.skills:
            assert not set(gap.inputs) & set(gap.facts)


@pytest.mark.row("V7")
@given(cases(ordered=False))
def test_what_failed_as_often_as_it_may_is_not_counted_on_by_any_way_out(case: Case) -> None:
    used_up = case.situation.cannot_establish
    for one in diagnose(case.catalog, case.situation, case.wanted).sets:
        plan = plan_with(case, one)
        assert plan is not None
        assert not {(s.subject, s.mode, fact) for s in plan.steps for fact in s.outputs} & used_up


@given(cases(ordered=False))
def test_a_search_that_is_cut_short_still_finds_minimal_sets_and_says_that_it_was_cut_short(case: Case) -> None:
    bounds = DiagnosisBounds(sets=2, kept=2, work=6)
    diagnosis = diagnose(case.catalog, case.situation, case.wanted, bounds=bounds, without_people=bounds)
    assert bool(diagnosis.sets) is not is_solvable(case.task)
    for one in diagnosis.sets:
        assert plan_with(case, one) is not None
        for gap in one.gaps:
            assert plan_with(case, replace(one, gaps=tuple(other for other in one.gaps if other != gap))) is None
