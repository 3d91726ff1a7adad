from __future__ import annotations

import pytest

from catalog.model import Goal
from planning.model import StepKind
from planning.requests import foresee, list_consents
from tests.planning.declare import BANK, declare

LOAN = BANK.goals["loan"]


def test_a_goal_is_planned_for_with_nothing_known_and_without_questions_that_cannot_be_put() -> None:
    outlook = foresee(BANK, LOAN)
    assert {step.subject for step in outlook.pick(StepKind.SKILL)} == {"score", "decide"}
    assert {step.subject for step in outlook.pick(StepKind.ASK)} == {"ssn", "name", "address", "amount"}
    assert [step.subject for step in outlook.pick(StepKind.AUTHORIZE)] == ["score"]


@pytest.mark.row("V20")
@pytest.mark.parametrize(
    ("cannot_ask", "declined", "missing"),
    [(["ssn"], [], ("answer", "ssn")), ([], ["score"], ("consent", "score")), (["amount"], [], ("answer", "amount"))],
)
def test_what_if_questions_or_consents_come_to_nothing(
    cannot_ask: list[str], declined: list[str], missing: tuple[str, str]
) -> None:
    outlook = foresee(BANK, LOAN, cannot_ask, declined)
    assert outlook.plan is None
    assert outlook.pick(StepKind.ASK) == ()
    best = outlook.diagnosis.sets[0]
    assert [(gap.kind.value, gap.subject) for gap in best.gaps] == [missing]
    assert outlook.diagnosis.sets[-1].skills


def test_what_if_nobody_can_be_asked_for_what_can_be_had_elsewhere_changes_the_plan_only() -> None:
    outlook = foresee(BANK, LOAN, ["name"])
    assert "lookup" in {step.subject for step in outlook.pick(StepKind.SKILL)}


def test_alternatives_are_foreseen_too() -> None:
    trip = Goal(name="trip", either=(("train", "seat"), ("flight",)))
    catalog = declare(trip, plain="train seat flight")
    assert [step.subject for step in foresee(catalog, trip).pick(StepKind.ASK)] == ["flight"]
    assert [step.subject for step in foresee(catalog, trip, ["flight"]).pick(StepKind.ASK)] == ["train", "seat"]


def test_consents_are_listed_with_what_they_are_about() -> None:
    assert list_consents(BANK) == {"score": ("ssn",)}
