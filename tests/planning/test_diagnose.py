from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from catalog.model import ANYTHING_SENSITIVE, Catalog, Goal, Ordering
from dialogue.log.events import Missing, MissingSkill
from planning.diagnosis.diagnose import MORE, STOPPED, Diagnosis, DiagnosisBounds, Gap, GapKind, diagnose
from planning.diagnosis.model import write_diagnosis
from planning.model import Situation, StepKind, done, known
from planning.task.compilation import compile_operators, compile_task, want
from planning.task.index import close_forward, is_solvable
from tests.planning.declare import BANK, asks, declare, declare_fact, declare_skill
from tests.strategies import Case, cases

SCORE_CONSENT = next(o.name for o in compile_operators(BANK) if o.kind is StepKind.AUTHORIZE)
VAIN = asks(BANK, "loan_result", "credit_score")


def fill(catalog: Catalog, situation: Situation, gaps: tuple[Gap, ...]) -> Situation:
    """Make as if people had answered and consented, and skills had been found."""
    opened = {operator.name for gap in gaps if gap.kind is not GapKind.SKILL for operator in gap.closed}
    skills = [gap for gap in gaps if gap.kind is GapKind.SKILL]
    found = {fact for gap in skills for fact in gap.facts}
    carried_out = {gap.subject for gap in skills if not gap.facts}
    return replace(
        situation,
        pruned=situation.pruned - opened,
        known=situation.known | found,
        done=situation.done | carried_out,
    )


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
def test_a_new_skill_works_from_what_the_one_took_that_no_longer_works() -> None:
    used_up = frozenset({("score", "by_ssn", "credit_score")})
    diagnosis = diagnose(BANK, Situation(pruned=VAIN, cannot_establish=used_up), ["loan_result"])
    assert diagnosis.gaps[0].inputs == ("ssn", "name")


@pytest.mark.row("V20")
def test_a_new_skill_is_not_given_what_people_declined_to_give() -> None:
    situation = Situation(pruned=VAIN | {SCORE_CONSENT})
    by_skill = {
        one.functionality: one.skills[0].inputs for one in diagnose(BANK, situation, ["loan_result"]).sets if one.skills
    }
    assert by_skill[("credit_score",)] == ("name",)


@pytest.mark.row("V20")
def test_a_new_skill_works_from_what_is_known_and_not_from_what_is_taken_beside_its_fact() -> None:
    catalog = declare(
        declare_fact("photo", askable=False),
        declare_fact("result", askable=False),
        declare_skill("decide", {"only": (["photo", "claim_form"], {"done": ["result"]})}),
        declare_skill("other", {"only": (["place"], {"done": ["spare"]})}),
        plain="claim_form place spare",
    )

    def inputs(*known: str) -> tuple[str, ...]:
        return diagnose(catalog, Situation(frozenset(known)), ["result"]).gaps[0].inputs

    assert inputs() == ()
    assert inputs("claim_form") == ()
    assert inputs("claim_form", "place") == ("place",)


@pytest.mark.row("V20")
def test_one_skill_that_is_missing_goes_before_three() -> None:
    names = ("one", "two", "three", "permit", "result")
    catalog = declare(
        *(declare_fact(name, askable=False) for name in names),
        declare_skill("prepare", {"only": (["one", "two", "three"], {"done": ["permit"]})}),
        declare_skill("decide", {"only": (["permit"], {"done": ["result"]})}),
    )
    sets = [one.functionality for one in diagnose(catalog, Situation(), ["result"]).sets]
    assert sets == [("permit",), ("one", "two", "three"), ("result",)]


def test_new_skills_can_work_from_what_other_new_ones_give() -> None:
    catalog = declare(
        *(declare_fact(name, askable=False) for name in ("first", "second", "third", "result")),
        declare_skill("decide", {"only": (["second", "third"], {"done": ["result"]})}),
        declare_skill("used_up", {"only": (["first", "name"], {"done": ["second"]})}),
        declare_skill("prepare", {"only": (["third"], {"done": ["first"]})}),
        plain="name",
    )
    used_up = Situation(cannot_establish=frozenset({("used_up", "only", "second")}), pruned=asks(catalog, "name"))
    (alone,) = (one for one in diagnose(catalog, used_up, ["result"]).sets if one.functionality == ("second", "third"))
    assert {gap.subject: gap.inputs for gap in alone.skills} == {"third": (), "second": ("first",)}


@pytest.mark.row("V20")
def test_what_has_to_be_carried_out_before_can_be_what_is_missing() -> None:
    catalog = declare(
        declare_fact("secret", sensitive=True),
        declare_fact("result", askable=False),
        declare_fact("seen", askable=False),
        declare_fact("face"),
        declare_skill("identify", {"only": (["face"], {"done": ["seen"]})}),
        declare_skill("decide", {"only": (["secret"], {"done": ["result"]})}),
    )
    first = Ordering(first="identify", then=ANYTHING_SENSITIVE)
    catalog = catalog.model_copy(update={"orderings": (first,)})
    declined = asks(catalog, "face", "secret")
    assert diagnose(catalog, Situation(pruned=declined), ["result"]).information == ("secret", "face")
    failed = frozenset({("identify", "only", "seen")})
    diagnosis = diagnose(catalog, Situation(cannot_establish=failed), ["result"])
    assert [(gap.subject, gap.facts, gap.inputs) for gap in diagnosis.gaps] == [("identify", (), ("face",))]
    written = Missing.model_validate(write_diagnosis(diagnosis)).sets[0]
    assert written.functionality == (MissingSkill(inputs=("face",), skill="identify"),)


@pytest.mark.row("V20")
def test_of_alternatives_the_one_that_asks_least_is_missing() -> None:
    either = Goal(name="trip", either=(("train", "seat"), ("flight",)))
    catalog = declare(either, plain="train seat flight")
    diagnosis = diagnose(catalog, Situation(pruned=asks(catalog, *catalog.facts)), want(either))
    assert [one.information for one in diagnosis.sets if not one.skills] == [("flight",), ("train", "seat")]


@pytest.mark.row("V20")
def test_a_skill_that_never_does_what_it_is_for_is_missing_functionality() -> None:
    wanted = Goal(name="rest", skills=("sleep",))
    sleep = declare_skill("sleep", {"only": ([], {"woken": []})})
    woken = sleep.modes["only"].outcomes["woken"].model_copy(update={"succeeds": False})
    mode = sleep.modes["only"].model_copy(update={"outcomes": {"woken": woken}})
    catalog = declare(wanted, sleep.model_copy(update={"modes": {"only": mode}}), plain="bed")
    (one,) = diagnose(catalog, Situation(), want(wanted)).sets
    assert [(gap.kind, gap.subject, gap.facts, gap.closed) for gap in one.gaps] == [(GapKind.SKILL, "sleep", (), ())]


def test_a_budget_that_allows_no_plan_is_what_is_missing() -> None:
    catalog = declare(
        declare_fact("result", askable=False),
        declare_skill("dear", {"only": ([], {"done": ["result"]})}, money=5, cost=1),
        declare_skill("cheap", {"only": ([], {"done": ["result"]})}, money=3, cost=9),
    )
    assert diagnose(catalog, Situation(budget=2), ["result"]) == Diagnosis(over_budget=3.0)
    assert write_diagnosis(Diagnosis(over_budget=3.0))["over_budget"] == 3.0
    assert diagnose(catalog, Situation(budget=3), ["result"]) == Diagnosis()


def test_where_the_least_money_is_not_looked_for_to_the_end_that_of_a_plan_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    catalog = declare(
        *(declare_fact(name, askable=False) for name in ("left", "right", "free")),
        declare_skill("both", {"only": ([], {"done": ["left", "right"]})}, money=5, cost=1),
        declare_skill("left", {"only": ([], {"done": ["left"]})}, money=3, cost=9),
        declare_skill("right", {"only": ([], {"done": ["right"]})}, money=3, cost=9),
    )
    situation, wanted = Situation(known=frozenset({"free"}), budget=2), ["left", "right", "free"]
    assert diagnose(catalog, situation, wanted).over_budget == 5.0
    monkeypatch.setattr("planning.diagnosis.diagnose.MOST_MONEY_WORK", 0)
    assert diagnose(catalog, situation, wanted).over_budget == 6.0


@pytest.mark.row("V20")
def test_that_there_are_more_ways_than_are_told_is_said() -> None:
    catalog = declare(
        declare_fact("result", askable=False),
        declare_skill("decide", {f"by_{n}": ([f"a{n}"], {"done": ["result"]}) for n in range(7)}),
        plain=" ".join(f"a{n}" for n in range(7)),
    )
    situation = Situation(pruned=asks(catalog, *catalog.facts))
    diagnosis = diagnose(catalog, situation, ["result"])
    assert len([one for one in diagnosis.sets if not one.skills]) == 5
    assert diagnosis.note == MORE
    assert diagnosis.more
    hasty = diagnose(catalog, situation, ["result"], bounds=DiagnosisBounds(sets=5, work=3))
    assert hasty.note == STOPPED
    assert hasty.more
    every = diagnose(
        catalog, situation, ["result"], bounds=DiagnosisBounds(sets=9), without_people=DiagnosisBounds(sets=9)
    )
    assert (every.note, every.more) == ("", False)


@pytest.mark.row("V20")
@given(cases())
def test_filling_the_gaps_makes_the_goal_reachable_and_none_of_them_can_be_left_out(case: Case) -> None:
    diagnosis = diagnose(case.catalog, case.situation, case.wanted)
    assert bool(diagnosis.gaps) is not is_solvable(case.task)

    def solvable(gaps: tuple[Gap, ...]) -> bool:
        return is_solvable(compile_task(case.catalog, fill(case.catalog, case.situation, gaps), case.wanted))

    assert solvable(diagnosis.gaps)
    for gap in diagnosis.gaps:
        assert not solvable(tuple(other for other in diagnosis.gaps if other is not gap))
    for gap in diagnosis.alternatives:
        assert gap not in diagnosis.gaps
        assert solvable((gap,))


@pytest.mark.row("V20")
@given(cases())
def test_information_is_what_people_can_give_and_functionality_is_out_of_reach_whatever_they_say(case: Case) -> None:
    diagnosis = diagnose(case.catalog, case.situation, case.wanted)
    every = compile_operators(case.catalog)
    possible = [
        operator
        for operator in every
        if operator in case.task.operators
        or operator.kind is StepKind.AUTHORIZE
        or (operator.kind is StepKind.ASK and case.catalog.facts[operator.subject].fillable)
    ]
    reachable = close_forward(case.task.initial, possible)
    for gap in diagnosis.gaps:
        if gap.kind is GapKind.ANSWER:
            assert case.catalog.facts[gap.subject].askable
            assert case.catalog.facts[gap.subject].fillable
        if gap.kind is GapKind.SKILL:
            assert (known if gap.facts else done)(gap.subject) not in reachable
