"""What-if questions about a conversation with the demo bank."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from pathlib import Path

import pytest

from catalog.demos.banking import models
from catalog.demos.banking.personas import BEN
from dialogue.cli.main import main
from dialogue.forks.answers import ValueSource
from dialogue.forks.changes import BadChange, Change, ConsentAnswer, Say, SupposedOutcome, Withhold
from dialogue.forks.difference import StepFate
from dialogue.forks.words import tell_fork, tell_what_it_takes
from dialogue.log.events import Established, Heard
from dialogue.services import make_services
from dialogue.services.forks import WhatIf
from planning.model import StepKind
from tests.conversations.stage import TODAY
from tests.dialogue.forks.bank import NO_CONSENT, OTHER_WAY, Declined, declined


def steps(found: WhatIf, fate: StepFate) -> list[tuple[str, str]]:
    return [(one.step.kind.value, one.step.subject) for one in found.difference.steps if one.fate is fate]


def sentences(ben: Declined, found: WhatIf) -> list[str]:
    return list(tell_fork(ben.services.snapshot(ben.session).catalog, found.run, found.difference))


@pytest.mark.row("F4")
def test_with_less_the_same_steps_lead_to_the_same_no(ben: Declined) -> None:
    found = ben.services.forks.what_if(ben.session, [Say("loan_amount", "5000")])
    assert found.difference.same_steps
    assert found.difference.same_outcome
    sources = {one.fact: one.source for one in found.difference.facts}
    assert sources["loan_amount"] is ValueSource.SUPPOSED
    assert sources["credit_score"] is ValueSource.RECORDED
    assert sources["loan_result"] is ValueSource.COMPUTED
    assert sentences(ben, found) == [
        "With the loan amount $5,000: declined too (computed anew).",
        "The steps are the same.",
    ]
    heard = next(entry.event for entry in found.run.log if isinstance(entry.event, Heard))
    assert heard.text == "I'd like a loan of $5,000"


@pytest.mark.row("F4")
def test_without_consent_the_plan_goes_through_the_account_review(ben: Declined) -> None:
    found = ben.services.forks.what_if(ben.session, [NO_CONSENT, *OTHER_WAY])
    assert steps(found, StepFate.DROPPED) == [("ask", "ssn"), ("skill", "credit_check")]
    added = ["transactions_fetch", "employer", "years_employed", "housing_cost", "history_score"]
    assert [subject for _, subject in steps(found, StepFate.ADDED)] == added
    facts = {one.fact: one for one in found.difference.facts}
    assert (facts["credit_score"].was, facts["credit_score"].now) == (452, 626)
    assert facts["credit_score"].source is ValueSource.COMPUTED
    assert found.difference.forked.decision is not None
    assert found.difference.forked.decision.outcome == "declined"
    assert facts["ssn"].now is None


@pytest.mark.row("F4")
def test_what_nothing_on_record_answers_is_not_made_up(ben: Declined) -> None:
    found = ben.services.forks.what_if(ben.session, [NO_CONSENT])
    assert found.run.stopped is not None
    assert found.run.stopped.what == ("fact", "employer")
    asks = "you would be asked “Who is your employer?”, and nothing on record answers that."
    assert sentences(ben, found)[0] == f"Without consent for the credit bureau, it is not known: {asks}"
    other = ben.services.forks.what_if(ben.session, [ConsentAnswer("credit_check", given=False), Withhold("email")])
    assert other.run.stopped is not None


@pytest.mark.row("F4")
def test_the_outcome_of_a_skill_can_be_supposed(ben: Declined) -> None:
    found = ben.services.forks.what_if(ben.session, [SupposedOutcome("loan_decision", "approved")])
    assert found.difference.forked.decision is not None
    assert found.difference.forked.decision.outcome == "approved"
    call = next(one for one in found.difference.steps if one.step.subject == "loan_decision")
    assert (call.fate, call.was, call.source) == (StepFate.KEPT, "declined", ValueSource.SUPPOSED)
    nothing = ben.services.forks.what_if(ben.session, [SupposedOutcome("credit_check", "no_file"), *OTHER_WAY])
    assert ("skill", "history_score") in steps(nothing, StepFate.ADDED)


def declined_from(score: int, income: float, outcome: str) -> int:
    """Return the largest amount in steps of ten with an outcome, by trying all of them on the model itself."""
    amounts = range(500, 100_001, 10)
    given = {"income": income, "credit_score": float(score)}
    return max(a for a in amounts if models.decide("loan", {**given, "loan_amount": float(a)}) == outcome)


@pytest.mark.row("F5")
def test_no_amount_alone_helps_and_the_other_way_with_less_does(ben: Declined) -> None:
    catalog = ben.services.snapshot(ben.session).catalog
    found = ben.services.forks.what_it_takes(ben.session, OTHER_WAY, ["approved"])
    border = declined_from(626, float(BEN.customer.income), "approved")
    assert [(one.kind, one.outcome) for one in found.repairs] == [
        (frozenset({"credit_check", "loan_amount"}), "approved")
    ]
    (repair,) = found.repairs
    assert repair.stretch is not None
    assert repair.stretch.high == border == 2_340
    assert repair.sweep is not None
    assert [(one.outcome, int(one.high)) for one in repair.sweep.stretches] == [
        ("approved", border),
        ("further_checks", declined_from(626, float(BEN.customer.income), "further checks")),
        ("declined", 100_000),
    ]
    told = list(tell_what_it_takes(catalog, found))
    assert told[0] == "Without consent for the credit bureau and with a loan amount of at most $2,340: approved."
    assert "No loan amount from $500 to $100,000 changes the outcome (declined)." in told


@pytest.mark.row("F5")
def test_what_depends_on_answers_that_are_not_on_record_is_said_to_be_unknown(ben: Declined) -> None:
    found = ben.services.forks.what_it_takes(ben.session)
    assert found.repairs == ()
    assert not found.nothing_helps
    assert {stopped.what for _, stopped in found.open} == {("fact", "employer")}


@pytest.mark.row("F5")
def test_only_what_is_declared_actionable_is_proposed(ben: Declined) -> None:
    found = ben.services.forks.what_it_takes(ben.session, OTHER_WAY)
    changed = {name for one in found.repairs for name in one.kind}
    assert "income" not in changed
    assert {swept.fact for _, swept in found.sweeps} == {"loan_amount"}


BAD: list[tuple[list[Change], str]] = [
    ([Say("loan_amount", "1")], "Loan amount: 1 is less than 500."),
    ([Say("loan_amount", "5000"), Withhold("loan_amount")], "Two things are supposed of fact loan_amount."),
    ([Withhold("ssn"), SupposedOutcome("credit_check", "score")], "cannot be called without social security number"),
    ([NO_CONSENT, SupposedOutcome("credit_check", "score")], "cannot be called without consent"),
    ([SupposedOutcome("loan_decision", "maybe")], "It has: approved, declined, further_checks."),
    ([SupposedOutcome("loan_decision", "approved", {"income": "1.00"})], "It gives: loan_result."),
    ([Say("loan_amount", "5000"), Say("loan_amount", "6000")], "Two things are supposed"),
]


@pytest.mark.row("F6")
@pytest.mark.parametrize(("changes", "told"), BAD)
def test_what_cannot_be_supposed_is_refused(changes: list[Change], told: str, ben: Declined) -> None:
    with pytest.raises(BadChange, match=told.replace("(", r"\(").replace(".", r"\.")):
        ben.services.forks.what_if(ben.session, changes)


@pytest.mark.row("F6")
def test_names_that_are_not_declared_are_refused_with_the_nearest(ben: Declined) -> None:
    with pytest.raises(ValueError, match="Did you mean “loan_amount”"):
        ben.services.forks.what_if(ben.session, [Say("loan_amuont", "5000")])
    with pytest.raises(ValueError, match="credit_check"):
        ben.services.forks.what_if(ben.session, [SupposedOutcome("credit_chek", "score")])
    with pytest.raises(BadChange, match=r"There is no entry 999: the record has entries 1 to \d+\."):
        ben.services.forks.what_if(ben.session, [], at=999)


@pytest.mark.row("F1", "F2", "F4", "F5")
def test_the_commands_ask_what_if_and_touch_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with declined() as ben:
        session = ben.session
    bank = home / "banking" / "bank.db"
    digest = hashlib.sha256(bank.read_bytes()).hexdigest()

    def run(*words: str) -> tuple[int, str]:
        code = main(words)
        return code, capsys.readouterr().out

    assert run("fork", session, "--say", "loan_amount=5000")[0] == 0
    code, out = run("fork", session, "--consent", "credit_check=no", "--json")
    told = json.loads(out)
    assert (code, told["fork"], told["stopped"]) == (4, True, ["fact", "employer"])
    assert {one["now"] for one in told["facts"] if one["fact"] == "ssn"} == {None}
    assert {one["was"] for one in told["facts"] if one["fact"] == "ssn"} == {"••••"}
    assert run("fork", session, "--say", "loan_amount=would 4000 do?")[0] == 2
    assert "900-12-3456" not in run("fork", session, "--say", "ssn=900-12-3456")[1]
    other = [f"--say={one.fact}={one.value}" for one in OTHER_WAY if isinstance(one, Say)]
    code, out = run("what-it-takes", session, "--outcome", "approved", *other)
    assert code == 0
    assert "at most $2,340: approved" in out
    assert run("what-it-takes", session)[0] == 4
    code, out = run("replay", session, "--verify")
    assert (code, out.splitlines()[-1]) == (0, "1 conversation: 0 differ, 0 end elsewhere.")
    assert hashlib.sha256(bank.read_bytes()).hexdigest() == digest


@pytest.mark.row("F2")
def test_a_replay_names_the_first_entry_that_another_catalog_changes(ben: Declined) -> None:
    services = ben.services
    loaded = services.loaded("banking")
    catalog = loaded.catalog
    desk = catalog.skills["customer_lookup"].model_copy(update={"cost": 50.0})
    changed = catalog.model_copy(update={"skills": {**catalog.skills, "customer_lookup": desk}})
    found = services.forks.replay(ben.session, changed)
    log = services.snapshot(ben.session).log
    plans = [entry.seq for entry in log if entry.event.kind == "planned"]
    assert found.differs in plans  # the first plan asks for the loan itself: no lookup is in it
    assert found.differs != plans[0]
    assert found.replayed is not None
    assert found.replayed.kind == "planned"


def test_the_kinds_of_steps_are_those_of_a_course(ben: Declined) -> None:
    found = ben.services.forks.what_if(ben.session, [])
    kinds = {one.step.kind for one in found.difference.steps}
    assert kinds == {StepKind.ASK, StepKind.AUTHORIZE, StepKind.SKILL}


@pytest.mark.row("F1")
def test_a_correction_and_a_digression_are_said_again_in_a_fork(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANGLASS_HOME", str(tmp_path))
    with closing(make_services(files=(), today=TODAY)) as services:
        session = services.start("banking")
        said = ("I'd like a loan of $25,000", BEN.customer.email, "sorry, I meant $8,000", "show me my spending first")
        for text in (*said, "yes", BEN.ssn, "no"):
            services.say(session, text)
            assert services.wait(session, 200)
        for goal in services.snapshot(session).conversation.goals.past:
            again = services.forks.what_if(session, (), goal.goal_id, at=2)
            assert again.run.at < len(again.run.log)
            assert (again.difference.same_outcome, again.difference.same_steps) == (True, True)
            amounts = [one.event for one in again.run.log if isinstance(one.event, Established)]
            assert [one.value for one in amounts if one.fact == "loan_amount"] == ["25000.00", "8000.00"]
