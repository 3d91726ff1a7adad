"""What can be attained in a catalog, and what leads to a goal: held against compiled operators and found plans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.analysis.dependencies import arguments_of, can_be_asked, find_attainable, what_leads_to
from catalog.model import Catalog, Goal, Trigger
from planning.engines import ENGINES
from planning.model import Atom, Operator, Predicate, Situation, Solved, StepKind, known
from planning.plans.solve import solve
from planning.task.compilation import compile_operators, compile_task, want
from planning.task.grounding import close
from planning.task.index import close_forward
from tests.planning.declare import declare, declare_fact, declare_mapping, declare_ordering, declare_skill
from tests.strategies import Case, cases

Calls = frozenset[tuple[str, str]]


def goal_of(case: Case) -> Goal:
    """Name what a case wants: the catalog's goal where there is one, else its facts."""
    return Goal(name="wanted", facts=case.goal) if case.named is None else case.catalog.goals[case.named]


def find_naively(catalog: Catalog, goal: Goal) -> tuple[frozenset[str], Calls]:
    """Go through all operators again and again, and keep those that add something that matters."""
    facts = (*goal.facts, *(fact for alternative in goal.either for fact in alternative))
    matters = {*map(known, facts), *(Atom(Predicate.DONE, skill) for skill in goal.skills)}
    leading: list[Operator] = []
    while True:
        before = len(leading)
        leading = [operator for operator in compile_operators(catalog) if not operator.adds.isdisjoint(matters)]
        for operator in leading:
            matters |= operator.needs
            if operator.mode is not None:
                matters |= set(map(known, catalog.skills[operator.subject].modes[operator.mode].optional))
        if len(leading) == before:
            break
    found = {below for atom in matters if atom.predicate is Predicate.KNOWN for below in catalog.subtypes[atom.subject]}
    calls = {(one.subject, one.mode) for one in leading if one.kind is StepKind.SKILL and one.mode is not None}
    return frozenset(found), frozenset(calls)


@given(cases())
def test_what_leads_to_a_goal_is_what_a_chain_of_operators_connects_with_it(case: Case) -> None:
    leading = what_leads_to(case.catalog, goal_of(case))
    assert (leading.facts, leading.modes) == find_naively(case.catalog, goal_of(case))
    assert set(leading.skills) == {skill for skill, _ in leading.modes}


@given(cases())
def test_everything_in_a_plan_is_among_what_leads_to_its_goal(case: Case) -> None:
    goal = goal_of(case)
    leading = what_leads_to(case.catalog, goal)
    for engine in (ENGINES["native"], ENGINES["pyperplan"]):
        solved = solve(compile_task(case.catalog, case.situation, want(goal)), engine)
        for step in solved.plan.steps if isinstance(solved, Solved) else ():
            if step.kind is StepKind.SKILL:
                assert (step.subject, step.mode) in leading.modes
            if step.kind in (StepKind.ASK, StepKind.MAP):
                assert step.subject in leading.facts
            assert leading.facts.issuperset(step.inputs)


@given(cases(), st.data())
def test_what_is_attainable_is_what_operators_reach_when_people_answer_what_they_can(
    case: Case, data: st.DataObject
) -> None:
    carried = data.draw(st.sets(st.sampled_from(list(case.catalog.facts)), max_size=2))
    post = Trigger(name="post", goal="any", say="Here.", facts=tuple(carried))
    catalog = case.catalog.model_copy(update={"triggers": {"post": post}})
    attainable = find_attainable(catalog)
    task = compile_task(catalog, Situation(), [])
    unanswerable = {
        place
        for place, operator in enumerate(task.operators)
        if operator.kind is StepKind.ASK and not can_be_asked(catalog.facts[operator.subject])
    }
    operators = compile_operators(catalog).without(unanswerable)
    reached = close_forward(close(catalog, carried), operators)
    assert attainable.facts == {atom.subject for atom in reached if atom.predicate is Predicate.KNOWN}
    done = {atom.subject for atom in reached if atom.predicate is Predicate.DONE}
    assert attainable.done & catalog.tracked_skills == done


GOALS = {
    "facts": Goal(name="trip", facts=("ticket",)),
    "skills": Goal(name="trip", skills=("seller",)),
    "either": Goal(name="trip", either=(("ticket",), ("voucher",))),
}


def sell(*more: object) -> Catalog:
    """Declare a seller of tickets, who needs a seat, which a chart of the train gives."""
    return declare(
        declare_fact("ticket", askable=False, fillable=False),
        declare_fact("voucher", askable=False, fillable=False),
        declare_fact("seat", askable=False, fillable=False),
        declare_skill("seller", {"online": (["price", "seat"], {"sold": ["ticket"]})}),
        declare_skill("chart", {"draw": (["train"], {"drawn": ["seat"]}), "guess": (["mood"], {"bad": ["gossip"]})}),
        *more,  # type: ignore[arg-type]
        plain="price train mood gossip coach passport",
    )


@pytest.mark.parametrize("said", GOALS)
def test_a_goal_needs_the_same_whether_it_names_facts_skills_or_alternatives(said: str) -> None:
    catalog = sell(GOALS[said])
    leading = what_leads_to(catalog, catalog.goals["trip"])
    assert leading.facts >= {"price", "seat", "train"}
    assert leading.modes == {("seller", "online"), ("chart", "draw")}
    assert leading.facts.isdisjoint({"mood", "gossip"}), "of a skill that helps, only the modes count that help"
    assert arguments_of(catalog, "trip") == ("price", "train")


def test_what_a_mapping_or_an_ordering_asks_for_leads_to_the_goal_as_well() -> None:
    mapped = sell(GOALS["facts"], declare_mapping("coach", "seat"))
    assert "coach" in what_leads_to(mapped, mapped.goals["trip"]).facts
    assert arguments_of(mapped, "trip") == ("price", "train", "coach")
    asked_for = declare_mapping("coach", "seat").model_copy(update={"on_request": True})
    on_request = mapped.model_copy(update={"mappings": (asked_for,)})
    assert "coach" not in what_leads_to(on_request, on_request.goals["trip"]).facts
    assert arguments_of(on_request, "trip") == ("price", "train")
    check = declare_skill("checker", {"look": (["passport"], {"fine": []})})
    ordered = sell(GOALS["facts"], check, declare_ordering("checker", "seller"))
    assert "passport" in what_leads_to(ordered, ordered.goals["trip"]).facts
    assert arguments_of(ordered, "trip") == ("price", "train", "passport")
