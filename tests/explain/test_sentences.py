"""The sentences of claims that few conversations come to, and answers about bad news that was passed on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.values.sources import Cells
from explain import Question, QuestionKind, explain_in_words
from explain.agents import Acting
from explain.claim import Claim, ClaimWords
from explain.claims import EstablishedBy
from explain.missing import ToBeAsked
from explain.model import Agreement, Aim, Call, Cause, CauseKind, ComingStep, Explanation, Value
from explain.not_done import WaitsFor
from explain.progress import NextSteps, WillTake
from explain.tasks.claims import NothingProposed, RestsOnCells
from explain.tasks.words import TaskWords, say_split, say_step, why_stuck
from explain.values import SkillAnswered, TookBack
from explain.why import MayNeed
from explain.words import word
from planning.hierarchy.tree import Impossible, Missing, MissingKind, PlanStep, Undecided
from planning.history import Actor, Execution, find_refusal
from planning.model import Certainty, StepKind, operator_name
from tests.explain.banking_story import BANK, Story, ask, read_catalog, tell_loan

LOAN = Aim(("loan_result",))
NONE = Story().record("loan_result", achieved=False)
TASK = TaskWords(BANK)

BUREAU = read_catalog("""
name: bureau
facts:
  name: {label: name}
  verdict: {label: verdict, askable: false}
  loan_result: {label: loan result, askable: false}
skills:
  bureau:
    label: bureau
    effect: irreversible
    confirm: Ask the bureau?
    modes:
      only:
        inputs: [name]
        outcomes:
          declined: {facts: [verdict], adverse: true}
          fine: {facts: [verdict], say: "The verdict is {verdict}."}
mappings:
  - {fact: verdict, stands_for: loan_result}
""")


def say(claim: Claim) -> str:
    return word(NONE, Explanation(Question(QuestionKind.WHAT), (claim,))).text()


@pytest.mark.row("V16")
@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (Acting(()), "No agent acted on that."),
        (
            WillTake(0, 2, LOAN),
            "How long it takes for your loan result depends on you: there are 2 questions to you left. "
            "I know of no time for the work.",
        ),
        (
            WillTake(90, 1, LOAN, (("bureau", 90.0),)),
            "What is left for your loan result should take about 90 seconds: "
            "the credit bureau (about 90 seconds), and 1 question to you.",
        ),
        (
            NextSteps(
                LOAN,
                (
                    ComingStep(StepKind.AUTHORIZE, "bureau"),
                    ComingStep(StepKind.AUTHORIZE, "ssn"),
                    ComingStep(StepKind.CONFIRM, "bureau"),
                    ComingStep(StepKind.MAP, "plot", ("pie_chart",)),
                ),
            ),
            "For your loan result, I plan to ask whether the credit bureau may have what is sensitive, ask whether I "
            "may pass on your SSN, ask you to confirm the credit bureau and then take your pie chart for your plot.",
        ),
        (ToBeAsked({}, {"ssn": Certainty.CERTAIN}), "I will ask you before I pass on your SSN."),
        (WaitsFor("authorize", "ssn"), "I am waiting for your answer."),
        (WaitsFor("fact", "email"), "I am waiting for your e-mail."),
        (SkillAnswered(Call(5, "bureau")), "I have called the credit bureau, and have no answer yet."),
        (SkillAnswered(Call(5, "bureau", ended=7)), "I called the credit bureau, and it did not work."),
        (
            TookBack(Agreement("bureau", ("ssn",), 3, "10:01", 9, "10:04"), ()),
            "You agreed at 10:01 that your SSN may go to the credit bureau, and took it back at 10:04; "
            "nothing was given.",
        ),
        (
            TookBack(Agreement("ssn", ("ssn",), 3, "10:01", 9, "10:04"), ("bureau",)),
            "You agreed at 10:01 that your SSN may go to the skills that need it, and took it back at 10:04; "
            "nothing more is given.",
        ),
        (
            MayNeed("email", LOAN, Certainty.POSSIBLE, ("lookup",)),
            "I may need your e-mail for your loan result: the customer lookup takes it, if I call that at all.",
        ),
        (MayNeed("email", LOAN, Certainty.LIKELY), "I may need your e-mail for your loan result."),
        (
            MayNeed("email", LOAN, Certainty.CERTAIN, ("lookup", "bureau"), known=True),
            "I still use your e-mail for your loan result: the customer lookup and the credit bureau take it, if I "
            "call that at all.",
        ),
        (
            EstablishedBy(
                ("name",), (), Execution(5, Actor.SKILL, ("name",), skill="statements", items=3), each="transactions"
            ),
            "I got your name from the statements, which I asked for each of your 3 transactions.",
        ),
    ],
)
def test_a_claim_is_put_in_one_plain_sentence(claim: Claim, said: str) -> None:
    assert say(claim) == said


def test_a_claim_quotes_what_the_catalog_has_the_assistant_say_and_warns_of_what_cannot_be_undone() -> None:
    fine = (Value("verdict", "fine", 8),)
    words = SkillAnswered(Call(5, "bureau", ("name",), "only", "fine", 7), ("verdict",), fine, words_only=True)
    waits = WaitsFor("confirm", "bureau", ("name",), (Value("name", "Ann Smith", 3),))
    record = Story(BUREAU).record("loan_result", achieved=False)
    explanation = Explanation(Question(QuestionKind.WHAT), (words, waits))
    assert word(record, explanation).text() == (
        "“The verdict is fine.” I am waiting for your go-ahead for the bureau. "
        "It would get your name (Ann Smith). That cannot be undone."
    )


def test_what_a_proposer_had_is_put_with_its_trouble() -> None:
    assert say_split(None, "model", "it is slow") == "Nothing of use came from a language model: it is slow."
    assert say_split(None, "methods") == "Nothing more was found from a method of the catalog."


def test_a_claim_without_a_template_and_without_words_is_a_fault_of_the_program() -> None:
    class Silent(Claim):
        pass

    with pytest.raises(TypeError, match="There are no words for Silent"):
        list(Silent().say(ClaimWords()))


def test_a_proposer_of_ones_own_list_is_not_told_as_one_that_found_nothing() -> None:
    assert not list(NothingProposed("1", "Do it.", ("given",)).say(TASK))
    (said,) = NothingProposed("1", "Do it.", ("given", "methods")).say(TASK)
    assert said == "For the task, no other split was found by a method of the catalog."


def test_of_many_cells_the_first_are_told() -> None:
    cells = Cells("0" * 64, "ledger.xlsx", "", ", ".join(f"C{row}" for row in range(2, 400, 2)))
    (said,) = RestsOnCells("Total", cells).say(TASK)
    assert said.startswith("It rests on C2, C4, C6") and said.endswith(", … in ledger.xlsx.")
    assert len(said) < 400


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (PlanStep(kind=StepKind.SKILL, subject="bureau"), "credit bureau"),
        (PlanStep(kind=StepKind.AUTHORIZE, subject="bureau"), "consent for credit bureau"),
        (PlanStep(kind=StepKind.AUTHORIZE, subject="ssn"), "consent for ssn"),
        (PlanStep(kind=StepKind.CONFIRM, subject="bureau"), "go-ahead for credit bureau"),
        (PlanStep(kind=StepKind.MAP, subject="plot", inputs=("pie_chart",)), "take pie chart as plot"),
        (PlanStep(kind=StepKind.ASK, subject="email"), "email"),
    ],
)
def test_a_step_of_a_stage_goes_by_labels(step: PlanStep, said: str) -> None:
    assert say_step(BANK, step) == said


def test_a_stage_without_a_plan_says_what_it_lacks() -> None:
    information, function = (
        Missing(kind=kind, facts=("email",)) for kind in (MissingKind.INFORMATION, MissingKind.FUNCTION)
    )
    verdicts = [
        Impossible(sets=((information, function),)),
        Impossible(over_budget=1_200.5),
        Impossible(),
        Undecided(reason="out of time"),
        None,
    ]
    assert [why_stuck(BANK, one) for one in verdicts] == [
        "lacks e-mail and a function for e-mail",
        "it would take 1,200.5, and the budget is less",
        "cannot be done",
        "planning gave up: out of time",
        "",
    ]


@pytest.mark.row("V20")
@pytest.mark.parametrize("weighed", [True, False])
def test_bad_news_that_stands_in_for_what_was_wanted_is_told_as_the_reason_that_it_is_missing(weighed: bool) -> None:
    story = (
        Story(BUREAU)
        .said("name", "Ann Smith")
        .ran("bureau", "name", weights={"name": 0.5} if weighed else None, verdict="declined")
    )
    story.history[-1] = done = replace(story.history[-1], outcome="declined")
    story.at += 2
    story.history.append(Execution(story.at, Actor.MAPPING, ("loan_result",), ("verdict",)))
    story.values["loan_result"] = Value("loan_result", "declined", story.at)
    record = story.record("loan_result", achieved=True)
    assert find_refusal(BUREAU, record.history, story.at) == done
    assert find_refusal(BUREAU, record.history, story.at + 1) is None
    told = explain_in_words(record, Question(QuestionKind.MISSING))
    reason = (
        " Your verdict came out as declined mostly because of your name (Ann Smith): +0.50 towards it, according to "
        "the bureau. You told me your name when I asked: “Ann Smith”."
    )
    assert told.text() == f"The bureau said no (“declined”) to your verdict.{reason if weighed else ''}"


@pytest.mark.row("V20")
@pytest.mark.parametrize(
    ("kind", "because"),
    [
        (CauseKind.NOT_AGREED, "you neither agreed to giving your SSN to the credit bureau nor said no"),
        (CauseKind.WITHDRAWN, "you took back your consent to giving your SSN to the credit bureau"),
    ],
)
def test_a_consent_that_is_not_there_is_told_with_what_would_open_the_way(kind: CauseKind, because: str) -> None:
    story = Story().caused(Cause(kind, "bureau", 0, ("ssn",)))
    pruned = {operator_name(StepKind.AUTHORIZE, "bureau"), operator_name(StepKind.ASK, "credit_score")}
    record = story.record("loan_result", achieved=False, pruned=frozenset(pruned))
    assert ask(record, QuestionKind.MISSING).text() == (
        f"I see no way left to your loan result, because {because}. "
        "I can go on if you say yes to giving your SSN to the credit bureau."
    )


@pytest.mark.parametrize("skill", [None, "bureau"])
def test_who_saw_something_says_also_when_consent_was_given_and_taken_back(skill: str | None) -> None:
    record = replace(
        tell_loan().record("loan_result"),
        calls=(Call(15, "bureau", ("ssn", "name"), "only", "score", 16, agreed=13),),
        agreements=(Agreement("bureau", ("ssn",), 13, "10:01", 30, "10:04"),),
    )
    about = Question(QuestionKind.WHO_SAW, None if skill else "ssn", skill=skill)
    told = explain_in_words(record, about)
    assert told.text().endswith(
        "You agreed at 10:01 that your SSN may go to the credit bureau, and took it back at 10:04; "
        "nothing more is given."
    )
    assert {13, 15, 30} <= set(told.evidence)
