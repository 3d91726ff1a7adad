from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from catalog.model import Catalog
from planning.compile import close, compile_operators, compile_task
from planning.diagnose import Diagnosis, Gap, GapKind, diagnose
from planning.model import Situation, StepKind, authorized, known
from planning.reachability import close_forward, is_solvable
from tests.planning.declare import BANK, asks, declare, declare_fact, declare_skill
from tests.strategies import Case, cases

SCORE_CONSENT = next(o.name for o in compile_operators(BANK) if o.kind is StepKind.AUTHORIZE)
VAIN = asks(BANK, "loan_result", "credit_score")


def fill(catalog: Catalog, situation: Situation, gaps: tuple[Gap, ...]) -> Situation:
    """Make as if people had answered and consented, and skills had been found."""
    opened = {operator.name for gap in gaps if gap.kind is not GapKind.SKILL for operator in gap.closed}
    found = {fact for gap in gaps if gap.kind is GapKind.SKILL for fact in gap.facts}
    return replace(situation, pruned=situation.pruned - opened, known=situation.known | found)


def test_nothing_is_missing_where_there_is_a_plan() -> None:
    assert diagnose(BANK, Situation(), ["loan_result"]) == Diagnosis()


@pytest.mark.row("V20")
def test_an_answer_that_was_not_given_is_missing_information() -> None:
    diagnosis = diagnose(BANK, Situation(pruned=VAIN | asks(BANK, "amount")), ["loan_result"])
    assert (diagnosis.information, diagnosis.functionality) == (("amount",), ())
    assert [(gap.kind, gap.subject) for gap in diagnosis.gaps] == [(GapKind.ANSWER, "amount")]


@pytest.mark.row("V20")
def test_a_refused_consent_is_missing_information_and_names_what_would_go_where() -> None:
    diagnosis = diagnose(BANK, Situation(pruned=VAIN | {SCORE_CONSENT}), ["loan_result"])
    assert (diagnosis.information, diagnosis.functionality) == (("ssn",), ())
    assert [(gap.kind, gap.subject, gap.facts) for gap in diagnosis.gaps] == [(GapKind.CONSENT, "score", ("ssn",))]


@pytest.mark.row("V20")
def test_a_fact_that_nobody_produces_and_nobody_can_be_asked_for_is_missing_functionality() -> None:
    catalog = declare(
        declare_fact("permit", askable=False),
        declare_fact("result", askable=False),
        declare_skill("decide", {"only": (["permit", "name"], {"done": ["result"]})}),
        plain="name",
    )
    diagnosis = diagnose(catalog, Situation(), ["result"])
    assert (diagnosis.information, diagnosis.functionality) == ((), ("permit",))
    assert diagnosis.gaps[0].closed == ()


@pytest.mark.row("V20")
def test_a_skill_whose_tries_are_used_up_is_missing_functionality_and_named() -> None:
    used_up = frozenset({("score", "by_ssn", "credit_score")})
    diagnosis = diagnose(BANK, Situation(pruned=VAIN, cannot_establish=used_up), ["loan_result"])
    assert (diagnosis.information, diagnosis.functionality) == ((), ("credit_score",))
    closed = {(operator.kind, operator.subject) for operator in diagnosis.gaps[0].closed}
    assert closed == {(StepKind.SKILL, "score"), (StepKind.ASK, "credit_score")}


@pytest.mark.row("V20")
def test_information_and_functionality_can_both_be_missing() -> None:
    used_up = frozenset({("score", "by_ssn", "credit_score")})
    situation = Situation(pruned=VAIN | asks(BANK, "amount"), cannot_establish=used_up)
    diagnosis = diagnose(BANK, situation, ["loan_result"])
    assert (diagnosis.information, diagnosis.functionality) == (("amount",), ("credit_score",))


@pytest.mark.row("V20")
def test_cyclic_requirements_name_a_fact_that_would_break_the_cycle() -> None:
    catalog = declare(
        declare_fact("a", askable=False),
        declare_fact("b", askable=False),
        declare_fact("c", askable=False),
        declare_skill("one", {"only": (["a"], {"done": ["b"]})}),
        declare_skill("two", {"only": (["b"], {"done": ["a"]})}),
        declare_skill("three", {"only": (["b"], {"done": ["c"]})}),
    )
    diagnosis = diagnose(catalog, Situation(), ["c"])
    assert diagnosis.information == ()
    assert diagnosis.functionality == ("b",)
    assert [one.functionality for one in diagnosis.sets] == [("b",), ("a",), ("c",)]


def test_the_ways_that_would_each_do_are_told() -> None:
    pruned = VAIN | asks(BANK, "name", "address", "email", "account")
    diagnosis = diagnose(BANK, Situation(pruned=pruned), ["loan_result"])
    assert diagnosis.information == ("email",)
    assert [gap.subject for gap in diagnosis.alternatives] == ["account"]


def test_a_goal_with_a_plan_has_no_alternatives_either() -> None:
    assert diagnose(BANK, Situation(pruned=VAIN | asks(BANK, "account")), ["loan_result"]) == Diagnosis()


def test_two_answers_that_are_enough_go_before_three() -> None:
    catalog = declare(
        declare_fact("result", askable=False),
        declare_skill("by_three", {"only": (["a", "b", "c"], {"done": ["result"]})}),
        declare_skill("by_two", {"only": (["d", "e"], {"done": ["result"]})}),
        plain="a b c d e",
    )
    pruned = asks(catalog, *"abcde", "result")
    assert diagnose(catalog, Situation(pruned=pruned), ["result"]).information == ("d", "e")


def test_of_more_answers_than_can_all_be_paired_those_that_the_catalog_names_first_are_kept() -> None:
    ways = {f"way_{n}": ([f"{letter}{n}" for letter in "abc"], {"done": ["result"]}) for n in range(9)}
    catalog = declare(
        declare_fact("result", askable=False),
        declare_skill("decide", ways),
        plain=" ".join(f"{letter}{n}" for n in range(9) for letter in "abc"),
    )
    pruned = asks(catalog, *catalog.facts)
    assert diagnose(catalog, Situation(pruned=pruned), ["result"]).information == ("a0", "b0", "c0")


def test_of_a_great_many_answers_a_few_are_found_that_are_enough_and_none_to_spare() -> None:
    names = [f"detail_{number}" for number in range(1_000)]
    catalog = declare(
        declare_fact("result", askable=False),
        declare_skill("decide", {"only": ([names[3], names[997]], {"done": ["result"]})}),
        plain=" ".join(names),
    )
    assert diagnose(catalog, Situation(pruned=asks(catalog, *names)), ["result"]).information == (names[3], names[997])


def test_many_missing_answers_are_all_told() -> None:
    names = [f"detail_{number}" for number in range(40)]
    catalog = declare(
        declare_fact("result", askable=False),
        declare_skill("decide", {"only": (names[:5], {"done": ["result"]})}),
        plain=" ".join(names),
    )
    diagnosis = diagnose(catalog, Situation(pruned=asks(catalog, *names)), ["result"])
    assert diagnosis.information == tuple(names[:5])


def test_an_input_that_the_catalog_does_not_even_declare_is_missing_functionality() -> None:
    catalog = declare(
        declare_fact("result", askable=False), declare_skill("decide", {"only": (["ghost"], {"done": ["result"]})})
    )
    assert diagnose(catalog, Situation(), ["result"]).functionality == ("ghost",)


@pytest.mark.row("V20")
@given(cases())
def test_filling_the_gaps_makes_the_goal_reachable_and_none_of_them_can_be_left_out(case: Case) -> None:
    diagnosis = diagnose(case.catalog, case.situation, case.goal)
    assert bool(diagnosis.gaps) is not is_solvable(case.task)

    def solvable(gaps: tuple[Gap, ...]) -> bool:
        return is_solvable(compile_task(case.catalog, fill(case.catalog, case.situation, gaps), case.goal))

    assert solvable(diagnosis.gaps)
    for gap in diagnosis.gaps:
        assert not solvable(tuple(other for other in diagnosis.gaps if other is not gap))
    for gap in diagnosis.alternatives:
        assert gap not in diagnosis.gaps
        assert solvable((gap,))


@pytest.mark.row("V20")
@given(cases())
def test_information_is_what_people_can_give_and_functionality_is_out_of_reach_whatever_they_say(case: Case) -> None:
    diagnosis = diagnose(case.catalog, case.situation, case.goal)
    every = compile_operators(case.catalog)
    possible = [
        operator
        for operator in every
        if operator in case.task.operators
        or operator.kind is StepKind.AUTHORIZE
        or (operator.kind is StepKind.ASK and case.catalog.facts[operator.subject].fillable)
    ]
    reachable = close_forward(
        close(case.catalog, case.situation.known) | {authorized(s) for s in case.situation.authorized}, possible
    )
    for gap in diagnosis.gaps:
        if gap.kind is GapKind.ANSWER:
            assert case.catalog.facts[gap.subject].askable
            assert case.catalog.facts[gap.subject].fillable
        if gap.kind is GapKind.SKILL:
            assert known(gap.subject) not in reachable
