"""An outcome that is bad news: it is shown and told as a no, everywhere, and plans do not change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from catalog.checks.check import check
from catalog.load import loads
from catalog.problems import CatalogError
from catalog.skills import Result
from dialogue.cli.chat import turn_json
from explain.model import Question, QuestionKind
from pages.assistant.chat import declined, paragraphs
from pages.assistant.drill_down import draw_answer, drill_down, question_of
from pages.assistant.panels import goals
from pages.demo.page import end_card
from pages.shell.address import Selection
from pages.views.events import say_event
from pages.views.plans import outcome_of_plan, view_steps
from pages.views.snapshot_view import SnapshotView
from planning.model import StepKind
from tests.dialogue.books import Books
from tests.dialogue.toys import BEHAVIOUR, CATALOG, Toybox

WON = "outcomes: {won: {facts: [prize]}, lost: {facts: []}}"
LOST = 'outcomes: {won: {facts: [prize]}, lost: {facts: [prize], adverse: true, say: "Sorry: {prize} is all."}}'


@pytest.fixture
def desk(home: Path) -> Iterator[Toybox]:
    toybox = Toybox(home, CATALOG.replace(WON, LOST))
    BEHAVIOUR.giver = lambda _: Result("lost", {"prize": "nothing {secret}</b>"})
    yield toybox
    toybox.services.close()


def play(desk: Toybox) -> list[str]:
    desk.say("goal prize; a=1")
    desk.say("yes")
    return desk.say("secret=4711")


def test_a_goal_that_came_to_bad_news_is_declined_wherever_it_is_shown(desk: Toybox) -> None:
    replies = play(desk)
    assert "Sorry: nothing {secret}</b> is all." in replies, "what an outcome says cites what it establishes"
    assert not any("You have won" in reply for reply in replies), "nobody is congratulated on a no"
    assert "The answer to “the prize” is a no: lost. Your prize: nothing {secret}</b>." in replies
    snapshot = desk.services.snapshot(desk.session)
    seen = SnapshotView(snapshot, None, "how")
    assert turn_json(snapshot, 1, 0)["ended"] == [{"goal": "prize", "state": "declined"}]
    assert desk.services.export(desk.session)["goals"] == [{"goal": "prize", "state": "declined"}]
    results = [message for message in desk.now.messages.all if message.tone == "result"]
    assert [declined(seen, message) for message in results] == [True]
    assert "declined; you asked for it" in str(goals(seen)) and "reached" not in str(goals(seen))
    assert outcome_of_plan(snapshot.catalog, desk.now, desk.now.plans.all[-1]) == "declined"
    ended = next(entry for entry in desk.log if entry.event.kind == "goal_achieved")
    assert say_event(seen, ended) == "Declined: the prize"
    assert "0 requests carried out and 1 declined with" in str(end_card([snapshot], None))


def test_nobody_is_told_that_a_skill_gave_what_it_declined(desk: Toybox) -> None:
    play(desk)
    for kind in (QuestionKind.WHAT, QuestionKind.HOW, QuestionKind.WHY, QuestionKind.CHAIN, QuestionKind.VALUE):
        for fact in (None, "prize", "c", "secret"):
            for full in (False, True):
                text = desk.explain(Question(kind, fact, full)).text()
                assert "gave me your prize" not in text and "gave me the prize" not in text, (kind, fact, text)
                assert "I got your prize" not in text and "To get your prize" not in text, (kind, fact, text)
    assert desk.explain(Question(QuestionKind.WHY, "c")).text() == (
        "I needed your c for the giver, which said no (“lost”) to the prize you asked for."
    )


@pytest.mark.row("V20")
def test_what_can_be_done_about_a_no_begins_with_who_said_it_and_what_counted(desk: Toybox) -> None:
    play(desk)
    text = desk.explain(Question(QuestionKind.MISSING)).text()
    assert text.startswith("The giver said no (“lost”) to your prize. Your prize came out as nothing {secret}</b>")
    assert "All that counted adds up to +0.75 for it and −0.25 against it." in text
    assert "“Sorry: nothing {secret}</b> is all.”" in text
    assert "Nothing is missing" not in text


def test_a_second_request_is_told_that_it_was_declined_before(desk: Toybox) -> None:
    play(desk)
    assert desk.say("goal prize")[0] == (
        "“the prize” was declined before, and nothing that it depends on has changed since."
    )


def test_the_same_outcome_without_the_declaration_is_a_success(home: Path) -> None:
    desk = Toybox(home, CATALOG.replace(WON, LOST.replace(", adverse: true", "")))
    try:
        BEHAVIOUR.giver = lambda _: Result("lost", {"prize": "a pen"})
        assert "You have won a pen." in play(desk)
        assert turn_json(desk.services.snapshot(desk.session), 1, 0)["ended"] == [
            {"goal": "prize", "state": "achieved"}
        ]
        assert [plan.plan.steps for plan in desk.now.plans.all][-1]
    finally:
        desk.services.close()


def test_what_an_outcome_cites_is_masked_where_it_is_sensitive(home: Path) -> None:
    secret = LOST.replace("lost: {facts: [prize]", "lost: {facts: [prize, secret]").replace("{prize} is", "{secret} is")
    desk = Toybox(home, CATALOG.replace(WON, secret))
    try:
        BEHAVIOUR.giver = lambda _: Result("lost", {"prize": "nothing", "secret": "0815"})
        replies = play(desk)
        assert "Sorry: •••• is all." in replies
        assert not any("0815" in reply for reply in replies)
    finally:
        desk.services.close()


@pytest.mark.row("V16")
def test_what_was_done_for_a_request_leaves_out_what_was_done_for_another_in_between(box: Toybox) -> None:
    box.say("goal prize; a=1")
    box.say("goal toy")
    box.say("wish=red")
    box.say("yes")
    box.say("secret=4711")
    assert [goal.goal for goal in box.now.goals.past] == ["toy", "prize"]
    told = box.explain(Question(QuestionKind.WHAT, "prize", full=True)).text()
    assert "giver" in told and "garage" not in told


def test_a_consent_that_was_given_is_not_among_what_may_be_asked(box: Toybox) -> None:
    box.say("goal prize; a=1")
    before = box.services.analyses.needs(box.services.snapshot(box.session)).result()
    assert "giver" in before.consents
    box.say("yes")
    after = box.services.analyses.needs(box.services.snapshot(box.session)).result()
    assert "giver" not in after.consents and "secret" in after.asks


@pytest.fixture
def bank(home: Path) -> Iterator[Books]:
    opened = Books(home, "banking")
    yield opened
    opened.services.close()


@pytest.mark.row("V18", "V19")
def test_a_declined_loan_is_explained_at_a_click_with_bars_and_their_scale(bank: Books) -> None:
    """The bank itself: what the button under "declined" shows, in which words, and that values stand in a table."""
    for said in ("I want a loan of $25,000", "ben.carter@example.com"):
        bank.say(said)
    asked = bank.say("who gets to see it?")[0]
    assert asked.startswith("If you say yes, your social security number and your name go to the credit bureau")
    assert "If you say no, it stays with you" in bank.say("what happens if I say no?")[0]
    assert "you can still say yes later" in bank.say("could I change my mind later?")[0]
    bank.say("yes")
    replies = bank.say("900-23-4567")
    assert "\n• Credit score: 452 (from the credit bureau)\n" in replies[0]
    result = next(message for message in bank.now.messages.all if message.tone == "result")
    chosen = Selection("fact", "loan_result", result.seq)
    seen = SnapshotView(bank.services.snapshot(bank.session), chosen, "why").as_of(result.seq)
    question = question_of(seen)
    assert question is not None and question.kind is QuestionKind.WHY
    card = str(drill_down(seen, [node for node in draw_answer(seen, question, bank.explain(question)) if node]))
    assert "Why this result?" in card and "'Why?'" not in card, "one button tells it"
    assert "A full half is 0.32" in card and "In all +0.61 for it." in card
    assert "a loan" in card and ", declined" in card, "the goal stays in sight, and how it stands"
    assert "mostly because of " in bank.explain(question).text()
    drawn = str(paragraphs(replies[0]))
    assert "'tag': 'table'" in drawn and "452 (from the credit bureau)" in drawn
    steps = view_steps(seen.catalog, bank.now, bank.now.plans.all[-1])
    assert [step.title for step in steps if "bureau" in step.title] == ["consent: credit bureau", "credit bureau"]
    assert steps[-1].detail == "→ declined, not approved"


def test_what_comes_next_is_the_plan_in_the_log(bank: Books) -> None:
    bank.say("I want a credit card")
    plan = bank.now.plan
    assert plan is not None
    told = bank.explain(Question(QuestionKind.PLAN)).text()
    followed = [step.subject for step in plan.left if step.kind is StepKind.ASK][:1]
    assert followed == ["email"] and "ask you for your e-mail address" in told
    assert "ask you for your account number" not in told


@pytest.mark.row("V17")
def test_how_knows_a_value_of_an_earlier_request_as_why_does(home: Path) -> None:
    scoped = CATALOG.replace("prize: {alias: /prizes/giver, ", "prize: {alias: /prizes/giver, scope: goal, ")
    box = Toybox(home, scoped)
    try:
        box.say("goal prize; a=1")
        box.say("yes")
        box.say("secret=4711")
        box.say("goal prize")
        told = box.explain(Question(QuestionKind.HOW, "prize")).text()
        assert "I had it (a bear) for an earlier request." in told
        assert "I got your prize (a bear) from the giver" in told
    finally:
        box.services.close()


def adverse_warnings(text: str) -> list[str]:
    return [
        problem.found
        for problem in check(loads(text, file="toys.yaml"), ("tests",))
        if problem.code == "adverse-unsaid"
    ]


@pytest.mark.parametrize(
    ("outcomes", "doubt"),
    [
        ("{won: [prize], refused: [prize]}", "'refused' sounds like bad news"),
        ("{won: [prize], rejected: []}", "'rejected' sounds like bad news"),
        ("{won: [prize], second: [prize]}", "a goal may end in it or in 'won'"),
        ("{won: [prize], lost: []}", None),
        ("{won: [prize], refused: {facts: [prize], adverse: true}}", None),
        ("{won: [prize], second: {facts: [prize], adverse: false}}", None),
    ],
)
def test_the_checker_asks_whether_an_outcome_is_bad_news_where_that_is_not_clear(
    outcomes: str, doubt: str | None
) -> None:
    found = adverse_warnings(CATALOG.replace(WON, f"outcomes: {outcomes}"))
    assert len(found) == (0 if doubt is None else 1)
    assert all(doubt in one for one in found if doubt)


def test_an_outcome_can_only_cite_what_it_establishes() -> None:
    with pytest.raises(CatalogError, match=r"outcomes\.lost\.say"):
        loads(CATALOG.replace(WON, LOST.replace("{prize} is", "{trophy} is")), file="toys.yaml")
