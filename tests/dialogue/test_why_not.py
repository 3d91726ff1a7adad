"""Why not? On the command line and in a conversation: what another plan would cost and ask, or what rules it out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dialogue.cli.main import main
from planning.contrasts import Restriction
from tests.dialogue.books import Books

VAIN = ("--cannot-ask", "loan_result", "credit_score", "transactions")
LOAN = ("banking", "--goal", "loan", *VAIN)
REVIEW = "The account review can be used: it would cost 2 more, ask 3 other questions"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["why-not", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(run(capsys, *arguments, "--json")[1])


@pytest.mark.row("V23")
@pytest.mark.parametrize(
    ("restriction", "code", "told"),
    [
        (("--use", "history_score"), 0, REVIEW),
        (("--use", "history_score"), 0, "need 1 fewer consent (the credit bureau) and call 1 more skill"),
        (("--use", "customer_lookup", "by_email"), 0, "does as well. A plan stays as it is where nothing is gained."),
        (("--use", "visualizer"), 0, "but nothing that you want can come of it; it would cost 2 more"),
        (("--use", "credit_check"), 0, "The plan uses the credit bureau."),
        (("--use", "credit_score"), 3, "I cannot ask you for your credit score, because credit scores come from"),
        (("--without", "ssn"), 0, "It can be done without your social security number: it would cost 2 more"),
        (("--without", "email"), 0, "The plan does without your e-mail address."),
        (("--without", "loan_decision"), 3, "It cannot be done without the loan desk: nothing else gives your loan."),
        (("--without", "income"), 3, "It cannot be done without your yearly income: nothing else gives your loan."),
    ],
)
def test_the_difference_is_told_in_a_sentence(
    capsys: pytest.CaptureFixture[str], restriction: tuple[str, ...], code: int, told: str
) -> None:
    ended, out, err = run(capsys, *LOAN, *restriction)
    assert (ended, err) == (code, "")
    assert told in out.splitlines()[0]


@pytest.mark.row("V23")
def test_the_steps_that_are_kept_added_and_dropped_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, *LOAN, "--use", "history_score")[1].splitlines()
    assert [line.partition(":")[0] for line in lines[1:]] == ["kept", "added", "dropped"]
    assert "skill “history_score” by “estimate” for “estimated”" in lines[2]
    assert "ask “ssn”" in lines[3]


@pytest.mark.row("V23")
def test_scripts_get_both_plans_and_the_proof(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, *LOAN, "--use", "history_score")
    assert (found["verdict"], found["more"], found["at_least"], found["proved"]) == ("dearer", 2, 2, True)
    assert found["use"] == {"skill": "history_score"}
    assert found["restricted"]["cost"] == found["plan"]["cost"] + 2
    assert [step["name"] for step in found["dropped"]] == ["credit_check", "ssn", "credit_check"]
    assert found["restricted"]["gap"] == found["plan"]["gap"] == 0


@pytest.mark.row("V23")
def test_what_is_lacking_is_named_at_its_root(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, *LOAN, "account_number", "email", "--use", "history_score")
    assert found["verdict"] == "impossible"
    assert found["lacking"] == [{"predicate": "known", "subject": "account_number"}]
    assert [(step["kind"], step["name"]) for step in found["ruled_out"]] == [("ask", "account_number")]
    anyway = run_json(capsys, *LOAN, "account_number", "email", "ssn", "--use", "history_score")
    assert anyway["verdict"] == "no_plan"


@pytest.mark.row("V23")
def test_money_that_may_be_spent_and_what_is_made_small_are_heeded(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "priced.yaml"
    file.write_text(
        "version: 1\nname: priced\nsettings: {currency: EUR}\nfacts: {wish: {fillable: false, askable: false}}\n"
        "skills:\n"
        "  free: {endpoint: 'python:a:b', cost: 3, modes: {call: {outcomes: {there: {facts: [wish]}}}}}\n"
        "  paid: {endpoint: 'python:a:b', cost: 1, money: 0.5, modes: {call: {outcomes: {there: {facts: [wish]}}}}}\n"
    )
    given = (str(file), "--goal", "wish", "--use", "free")
    assert run(capsys, *given)[1].startswith("The free can be used: it would cost 2 more, cost 0.50 EUR less")
    assert run_json(capsys, *given, "--minimize", "money")["verdict"] == "held"
    dear = (str(file), "--goal", "wish", "--use", "paid", "--budget", "0.2")
    code, out, _ = run(capsys, *dear)
    assert (code, out) == (3, "The paid cannot be used: it costs more than may be spent.\n")


@pytest.mark.parametrize(
    ("restriction", "told"),
    [
        (("--use", "histry_score"), "No skill or fact is called “histry_score”. Did you mean “history_score”"),
        (("--use", "customer_lookup", "by_phone"), "No mode of “customer_lookup” is called “by_phone”."),
        (("--without", "ssn", "email", "name"), "Name one skill or fact"),
        (("--without", "ssn", "email"), "No mode of “ssn” is called “email”."),
    ],
)
def test_bad_names_are_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str], restriction: tuple[str, ...], told: str
) -> None:
    code, out, err = run(capsys, *LOAN, *restriction)
    assert (code, out) == (2, "")
    assert told in err


@pytest.mark.parametrize("restriction", [(), ("--use", "history_score", "--without", "ssn")])
def test_one_thing_is_used_or_done_without(capsys: pytest.CaptureFixture[str], restriction: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(capsys, *LOAN, *restriction)
    assert ended.value.code == 2
    assert "--use" in capsys.readouterr().err


@pytest.fixture
def bank(home: Path) -> Iterator[Books]:
    box = Books(home, "banking")
    box.say("I want a loan")
    yield box
    box.services.close()


def ask(box: Books, question: str) -> str:
    """Ask, and return the answer: it cites the log, and nothing but questions and answers comes into that."""
    before = len(box.log)
    reply = box.say(question)[0]
    said = {"turn_started", "heard", "understood", "explained", "replied", "asked", "turn_ended"}
    assert {entry.event.kind for entry in box.log[before:]} <= said
    evidence = box.events("explained")[-1].evidence
    assert evidence
    assert set(evidence) <= {entry.seq for entry in box.log[:before]}
    return reply


@pytest.mark.row("V24")
def test_a_skill_that_was_not_taken_is_told_with_what_it_would_cost_and_ask(bank: Books) -> None:
    assert ask(bank, "why not the account review?").startswith(REVIEW)
    assert "nothing that you want can come of it" in ask(bank, "why don't you use the chart maker?")


@pytest.mark.row("V24")
def test_a_fact_that_was_not_asked_for_is_told_so_and_one_that_is_asked_as_done_without(bank: Books) -> None:
    told = ask(bank, "why didn't you ask for my account number?")
    assert "I can ask you for your account number: it does as well." in told
    told = ask(bank, "could you do it without my ssn?")
    assert told.startswith("It can be done without your social security number: it would cost 2 more")


@pytest.mark.row("V24")
def test_a_consent_that_was_declined_rules_a_skill_out_and_is_cited(bank: Books) -> None:
    bank.say("ben.carter@example.com")
    bank.say("no")
    told = ask(bank, "why not the credit bureau?")
    assert told.startswith("The credit bureau cannot be used: it takes your consent")
    assert "You said no to giving your social security number to the credit bureau." in told
    (refused,) = (one.seq for one in bank.now.questions.consents.values() if one.status == "refused")
    assert refused in bank.events("explained")[-1].evidence


@pytest.mark.row("V24")
def test_other_ways_are_told_with_what_each_takes(bank: Books) -> None:
    told = ask(bank, "what else could you do?")
    assert "I can ask you for your account number: it does as well." in told
    assert "The ID card reader can be used: it would cost 1 more" in told
    assert "The account review can be used: it would cost 2 more" in told


@pytest.mark.row("V24")
def test_after_the_goal_what_could_have_been_is_told(bank: Books) -> None:
    for line in ("ben.carter@example.com", "no", "Harbour Works", "6", "900", "2000"):
        bank.say(line)
    told = ask(bank, "why not the ID card reader?")
    assert told.startswith("The ID card reader could have been used: it would have cost")


@pytest.mark.row("V24")
def test_a_restriction_is_told_of_without_a_word_in_the_log(bank: Books) -> None:
    seen, before = bank.services.snapshot(bank.session), len(bank.log)
    without = bank.services.analyses.contrast(seen, Restriction(used=False, fact="ssn")).result(60)
    assert without.text().startswith("It can be done without your social security number: it would cost 2 more")
    held = bank.services.analyses.contrast(seen, Restriction(used=True, skill="credit_check")).result(60)
    assert held.text() == "The plan uses the credit bureau."
    assert held.evidence
    assert len(bank.log) == before
