"""What contrasts say: a sentence for each way in which a plan compares with one that keeps to a restriction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.load import load
from catalog.model import Catalog
from explain import explain_in_words
from explain.contrasts import claim_contrasts
from explain.model import Question, QuestionKind, Record, Value
from planning.contrasts import Contrast, Restriction, WhyNot, restrict
from planning.engines import ENGINES
from planning.model import Amounts, Atom, GaveUp, Limits, Plan, Predicate, Situation, Solved, StepKind, operator_name
from planning.plans.contrast import contrast
from planning.task.compilation import compile_task, want
from planning.task.errors import UnknownName
from planning.task.names import skill_name

BANK = load("banking").catalog
WITH, WITHOUT = Restriction(True, skill="history_score"), Restriction(False, fact="ssn")
ASKED = Restriction(True, fact="employer")


def say(one: Contrast, *, past: bool = False, catalog: Catalog = BANK) -> str:
    situation = Situation()
    record = Record(catalog, ("loan_result",), (), situation, situation, {}, achieved=past)
    record = replace(record, contrasts=claim_contrasts(record, (one,)))
    question = Question(QuestionKind.WHY_NOT, one.restriction.fact, skill=one.restriction.skill)
    return explain_in_words(record, question).text()


def lacks(
    *atoms: tuple[Predicate, str], restriction: Restriction = WITH, verdict: WhyNot = WhyNot.IMPOSSIBLE
) -> Contrast:
    return Contrast(restriction, verdict, Solved(Plan(()), "native"), lacking=tuple(Atom(*one) for one in atoms))


KNOWN, MAY, AGREED = Predicate.KNOWN, Predicate.AUTHORIZED, Predicate.CONFIRMED


@pytest.mark.row("V23")
@pytest.mark.parametrize(
    ("one", "told"),
    [
        (lacks((KNOWN, "account_number")), "cannot be used: it takes your account number, and nothing gives that."),
        (lacks((KNOWN, "credit_score"), restriction=WITHOUT), "nothing else gives your credit score."),
        (lacks((MAY, "credit_check")), "The account review cannot be used: it takes your consent."),
        (lacks((AGREED, "credit_check")), "The account review cannot be used: it takes your go-ahead."),
        (lacks((MAY, "credit_check"), restriction=WITHOUT), "nothing else does what it does."),
        (lacks(verdict=WhyNot.OVER_BUDGET), "it costs more than may be spent."),
        (lacks(verdict=WhyNot.NO_PLAN), "what you want is out of reach anyway."),
        (lacks(restriction=Restriction(True, fact="credit_score")), "because credit scores come from"),
        (lacks(), "The account review cannot be used."),
        (lacks(verdict=WhyNot.HELD), "The plan uses the account review."),
        (lacks(verdict=WhyNot.HELD, restriction=WITHOUT), "The plan does without your social security number."),
        (lacks(verdict=WhyNot.HELD, restriction=ASKED), "The plan asks for your employer."),
        (lacks(verdict=WhyNot.TO_SPARE), "nothing that you want can come of it; it would cost nothing."),
        (lacks(verdict=WhyNot.DEARER), "The account review can be used: it would be no better."),
        (lacks(verdict=WhyNot.AS_GOOD), "it does as well. A plan stays as it is where nothing is gained."),
        (Contrast(WITH, WhyNot.UNDECIDED, GaveUp("too long", "native")), "I could not find out in time what would be"),
    ],
)
def test_each_verdict_has_its_sentence(one: Contrast, told: str) -> None:
    assert told in say(one)


@pytest.mark.row("V23")
def test_what_is_over_is_told_as_past() -> None:
    assert "could not have been used" in say(lacks((KNOWN, "account_number")), past=True)
    assert "I could have asked you for your employer" in say(lacks(verdict=WhyNot.DEARER, restriction=ASKED), past=True)
    assert "it would have done as well" in say(lacks(verdict=WhyNot.AS_GOOD), past=True)
    assert "nothing that you want could have come of it" in say(lacks(verdict=WhyNot.TO_SPARE), past=True)


def compare(named: str, *, used: bool, mode: str | None = None, catalog: Catalog = BANK) -> Contrast:
    goal = want(catalog.goals["loan"])
    restriction = restrict(catalog, named, mode, used=used)
    vain = (operator_name(StepKind.ASK, fact.name) for fact in catalog.facts.values() if not fact.fillable)
    situation = Situation(pruned=frozenset(vain))
    return contrast(compile_task(catalog, situation, goal), restriction, ENGINES["optimal"], Limits(time_s=20))


@pytest.mark.row("V23")
def test_a_plan_is_compared_by_what_it_costs_asks_needs_and_calls() -> None:
    found = compare("history_score", used=True)
    assert found.proved
    assert {"kept", "added", "dropped"} == {name for name, steps in found.changes.items() if steps}
    told = say(found)
    assert "it would cost 2 more" in told
    assert "need 1 fewer consent" in told
    other = found.restricted
    assert other is not None
    cheaper = replace(found, verdict=WhyNot.CHEAPER, base=other, restricted=found.base, more=-2.0, at_least=-2.0)
    assert "I had not proved that nothing is cheaper." in say(cheaper)
    assert "at most " in say(replace(found, at_least=0.0))
    assert compare("visualizer", used=True).changes["added"]
    assert not lacks().changes["kept"]
    assert "(by email)" in say(compare("customer_lookup", used=True, mode="by_email"))


@pytest.mark.row("V23")
def test_money_and_time_are_compared_where_a_catalog_declares_them() -> None:
    skills = {name: skill.model_copy(update={"money": 2.0, "time_s": 30.0}) for name, skill in BANK.skills.items()}
    catalog = BANK.model_copy(update={"skills": skills})
    found = compare("history_score", used=True, catalog=catalog)
    told = say(found, catalog=catalog)
    assert "EUR more" in told
    assert "take about" in told
    base = found.base
    assert isinstance(base, Solved)
    assert base.plan.amounts != Amounts()


@pytest.mark.row("V24")
def test_of_a_fact_that_is_known_it_is_said_first_where_it_is_from() -> None:
    situation = Situation()
    values = {"employer": Value("employer", "Harbour Works", 3)}
    record = Record(BANK, ("loan_result",), (), situation, situation, values)
    compared = replace(record, contrasts=claim_contrasts(record, (lacks(verdict=WhyNot.DEARER, restriction=ASKED),)))
    first, *_ = explain_in_words(compared, Question(QuestionKind.WHY_NOT, "employer")).sentences
    assert "employer" in first.text()


@pytest.mark.row("V23")
def test_names_that_are_not_there_are_refused() -> None:
    with pytest.raises(UnknownName, match="by_email"):
        restrict(BANK, "customer_lookup", "by_mail", used=True)
    with pytest.raises(UnknownName, match="credit_check"):
        skill_name(BANK, "credit_chek")
    assert skill_name(BANK, "credit_check") == "credit_check"
