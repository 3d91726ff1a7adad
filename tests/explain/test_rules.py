"""How mappings, orderings, skills as goals, and alternatives are explained."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catalog.model import Catalog
from explain import Question, QuestionKind, Record, explain_in_words, summarize
from explain.model import Cause, CauseKind, ComingStep, Value
from planning.history import Actor, Execution
from planning.model import Situation, StepKind, operator_name

CATALOG = Catalog.model_validate(
    {
        "name": "club",
        "facts": {
            "email": {"label": "e-mail address"},
            "contact": {"label": "contact mail", "askable": False},
            "token": {"label": "token", "askable": False},
            "pin": {"label": "PIN", "sensitive": True},
            "safe": {"label": "safe", "askable": False},
            "cup": {"label": "cup", "askable": False},
            "medal": {"label": "medal", "askable": False},
        },
        "skills": {
            "doorman": {
                "endpoint": "python:a:b",
                "modes": {"m": {"inputs": ["contact"], "outcomes": {"in": {"facts": ["token"]}, "out": {}}}},
            },
            "greeter": {"endpoint": "python:a:b", "modes": {"m": {"outcomes": {"greeted": {}}}}},
            "teller": {
                "endpoint": "python:a:b",
                "modes": {"m": {"inputs": ["pin"], "outcomes": {"open": {"facts": ["safe"]}}}},
            },
            "jury": {
                "endpoint": "python:a:b",
                "modes": {"m": {"inputs": ["token"], "outcomes": {"a": {"facts": ["cup"]}, "b": {"facts": ["medal"]}}}},
            },
        },
        "goals": {
            "safe": {"facts": ["safe"]},
            "greeting": {"skills": ["greeter", "doorman"]},
            "prize": {"either": [["cup"], ["medal"]]},
        },
        "mappings": [{"fact": "email", "stands_for": "contact", "because": "people have one address."}],
        "orderings": [
            {"first": "doorman", "then": "anything_sensitive", "because": "strangers stay outside"},
            {"first": "doorman", "then": "teller"},
        ],
    }
)
SAID = Execution(12, Actor.USER, ("email",), said="ann@example.org")
MAPPED = Execution(14, Actor.MAPPING, ("contact",), ("email",), because="people have one address.")
LET_IN = Execution(16, Actor.SKILL, ("token",), ("contact",), "doorman", "m", "in")
PIN = Execution(18, Actor.USER, ("pin",), said="4711")
OPENED = Execution(20, Actor.SKILL, ("safe",), ("pin",), "teller", "m", "open")
DONE = (SAID, MAPPED, LET_IN, PIN, OPENED)
START = Situation()


def record_of(history: tuple[Execution, ...], goal: tuple[str, ...] = ("safe",), **fields: object) -> Record:
    values = {fact: Value(fact, f"a {fact}", e.event) for e in history for fact in e.outputs}
    record = Record(CATALOG, goal, history, START, START, values, goal_event=2, plan_event=9)
    return replace(record, **fields)  # type: ignore[arg-type]


def ask(record: Record, kind: str, fact: str | None = None, *, full: bool = False) -> str:
    return explain_in_words(record, Question(QuestionKind(kind), fact, full)).text()


REACHED = record_of(DONE, achieved=True, done=frozenset({"doorman"}))


def test_what_was_taken_from_another_fact_is_explained_back_to_what_was_said() -> None:
    text = ask(REACHED, "how", "contact", full=True)
    taken = "I used your e-mail address as your contact mail (a contact), because people have one address."
    assert text.startswith(taken)
    assert "You told me your e-mail address" in text
    explanation = explain_in_words(REACHED, Question(QuestionKind.HOW, "contact", full=True))
    assert explanation.links == ((12, "email", 14),)
    assert set(explanation.facts) == {"email", "contact"}
    assert explanation.evidence == (12, 14)
    assert ask(REACHED, "chain", "contact") == text


def test_why_goes_through_a_mapping() -> None:
    assert ask(REACHED, "why", "email") == (
        "I used your e-mail address as your contact mail, because people have one address."
    )
    full = ask(REACHED, "why", "email", full=True)
    assert "Your contact mail then went into the doorman, which had to come before " in full
    assert ": strangers stay outside. Your PIN then went into the teller, which gave me the safe you asked for." in full


def test_what_came_of_a_skill_that_only_had_to_come_first_is_told_as_that() -> None:
    text = ask(REACHED, "why", "token")
    assert text.startswith("Your token came from the doorman, which had to come before ")
    assert text.endswith(": strangers stay outside.")
    assert "anything sensitive" in text


def test_a_summary_says_what_was_taken_from_what() -> None:
    text = ask(REACHED, "what")
    assert "your contact mail (copied from your e-mail address)" in text
    assert [item.actor for item in summarize(REACHED) if item.fact == "contact"] == [Actor.MAPPING]


PLAN = (
    ComingStep(StepKind.MAP, "contact", ("email",), ("contact",)),
    ComingStep(StepKind.SKILL, "doorman", ("contact",), ("token",), "m", "in"),
    ComingStep(StepKind.ASK, "pin"),
    ComingStep(StepKind.SKILL, "teller", ("pin",), ("safe",), "m", "open"),
)


def test_what_is_still_to_be_taken_or_to_come_first_is_told_as_planned() -> None:
    coming = record_of((SAID,), plan=PLAN)
    assert ask(coming, "why", "email") == "I can use your e-mail address as your contact mail."
    assert "I will then take" not in ask(coming, "why", "email", full=True)
    assert "has to come before" in ask(coming, "why", "email", full=True)
    assert ask(coming, "why", "token").startswith("Your token will come from the doorman, which has to come before")
    assert ask(coming, "how", "contact") == (
        "I do not yet know your contact mail: the plan is to use your e-mail address for it."
    )
    renamed = replace(coming, plan=(ComingStep(StepKind.ASK, "email"), *PLAN), history=())
    assert ask(renamed, "why", "email").startswith("I can use")


def test_a_mapping_that_leads_on_is_told_in_the_chain() -> None:
    catalog = Catalog.model_validate(
        CATALOG.model_dump()
        | {"mappings": [{"fact": "email", "stands_for": "contact"}, {"fact": "token", "stands_for": "pin"}]}
    )
    steps = (*PLAN[:2], ComingStep(StepKind.MAP, "pin", ("token",), ("pin",)), PLAN[3])
    record = record_of((SAID,), plan=steps, catalog=catalog)
    text = explain_in_words(record, Question(QuestionKind.WHY, "email", full=True)).text()
    assert "I will then use your token as your PIN." in text
    history = (SAID, MAPPED, LET_IN, Execution(18, Actor.MAPPING, ("pin",), ("token",)), OPENED)
    done = record_of(history, achieved=True, catalog=catalog)
    text = explain_in_words(done, Question(QuestionKind.WHY, "email", full=True)).text()
    assert "I then used your token as your PIN." in text


def test_a_use_that_no_plan_needs_is_told_as_a_use() -> None:
    lost = record_of((SAID, MAPPED))
    assert ask(lost, "why", "email") == "So far I have used your e-mail address as your contact mail."
    other = record_of((SAID, MAPPED), goal=("cup",), achieved=True)
    assert "I did use your e-mail address as your contact mail." in ask(other, "why", "email")
    turned_away = replace(LET_IN, outputs=(), outcome="out")
    assert "for the doorman, but got nothing from it." in ask(record_of((SAID, MAPPED, turned_away)), "why", "contact")
    plain = Execution(16, Actor.SKILL, (), ("contact",), "greeter", "m", "greeted")
    assert ask(record_of((MAPPED, plain)), "why", "contact") == (
        "So far I have used your contact mail for the greeter."
    )


GREETED = Execution(22, Actor.SKILL, (), (), "greeter", "m", "greeted")


@pytest.mark.parametrize("kind", ["how", "why", "chain"])
def test_a_goal_of_skills_is_explained_by_their_calls(kind: str) -> None:
    record = record_of((SAID, MAPPED, LET_IN), (), skills=("greeter", "doorman"), done=frozenset({"doorman"}))
    assert ask(record, kind) == (
        "The greeter is still to be called, as you asked. I called the doorman, using your contact mail, as you asked."
    )


def test_a_summary_tells_which_skills_were_called_and_which_are_not_yet() -> None:
    record = record_of((SAID, MAPPED, LET_IN), (), skills=("greeter", "doorman"), done=frozenset({"doorman"}))
    text = ask(record, "what")
    assert "I called the doorman, as you asked." in text
    assert "What is left to call is the greeter." in text
    done = record_of((GREETED,), (), skills=("greeter",), done=frozenset({"greeter"}), achieved=True)
    assert ask(done, "what") == "I called the greeter, as you asked."


def test_what_a_wanted_skill_used_is_told() -> None:
    record = record_of((SAID, MAPPED, LET_IN), (), skills=("doorman",), done=frozenset({"doorman"}), achieved=True)
    assert ask(record, "why", "contact") == "I needed your contact mail for the doorman, which you asked for."


def test_a_goal_with_alternatives_is_open_until_one_is_taken() -> None:
    nothing = record_of((), (), goals=("prize",))
    assert ask(nothing, "how") == "You asked for your cup or your medal, and it is open which."
    assert ask(nothing, "what").startswith("For your cup or your medal, I still need ")
    broken = Situation(cannot_establish=frozenset({("jury", "m", "cup"), ("jury", "m", "medal")}))
    hopeless = replace(nothing, learned=broken)
    assert ask(hopeless, "what") == "You asked for your cup or your medal. At present I see no way to get there."
    assert "there is a way to your cup or your medal" in ask(nothing, "missing")
    cup = Execution(20, Actor.SKILL, ("cup",), ("token",), "jury", "m", "a")
    history = (SAID, MAPPED, LET_IN, cup)
    taken = record_of(history, ("cup",), goals=("prize",), taken=("cup",), achieved=True)
    assert "I got your cup (a cup) from the jury." in ask(taken, "what")
    assert ask(taken, "why", "token") == "I needed your token for the jury, which gave me the cup you asked for."
    assert taken.wanted.facts == ()


def test_what_a_changed_catalog_no_longer_has_was_no_doing_of_it() -> None:
    gone = Execution(16, Actor.SKILL, ("safe",), ("email",), "burglar", "m", "open")
    record = record_of((SAID, gone), achieved=True)
    assert (
        ask(record, "why", "email")
        == "I needed your e-mail address for the burglar, which gave me the safe you asked for."
    )


NO_CONTACT = Situation(
    pruned=frozenset({operator_name(StepKind.MAP, "contact", "email"), operator_name(StepKind.AUTHORIZE, "teller")})
)
UNFIT = Cause(CauseKind.UNFIT, "contact", 15, ("email",))


def test_what_did_not_fit_is_told_and_that_another_value_would_help() -> None:
    record = record_of((SAID,), ("token",), learned=NO_CONTACT, causes=(UNFIT,))
    explanation = explain_in_words(record, Question(QuestionKind.MISSING))
    assert explanation.text() == (
        "I see no way left to your token, because what I have as your e-mail address cannot be used as your contact "
        "mail. I have no skill that could give me your contact mail. "
        "A skill that could find that out from your e-mail address would help. "
        "You can help by giving me another value for your e-mail address."
    )
    assert {15} < set(explanation.sentences[-1].evidence)


def test_what_is_missing_beside_another_value_is_told_with_it() -> None:
    refused = Cause(CauseKind.REFUSED, "teller", 17, ("pin",))
    record = record_of((SAID,), ("safe", "token"), learned=NO_CONTACT, causes=(UNFIT, refused))
    told = ask(record, "missing")
    assert told.endswith(
        "You can help by giving me another value for your e-mail address; "
        "you would also have to say yes to giving your PIN to the teller."
    )


def test_where_another_value_is_not_all_that_is_lacking_it_is_not_offered() -> None:
    learned = replace(NO_CONTACT, cannot_establish=frozenset({("jury", "m", "cup")}))
    learned = replace(learned, pruned=learned.pruned | {operator_name(StepKind.SKILL, "jury", "m", "a")})
    told = ask(record_of((SAID,), ("token", "cup"), learned=learned, causes=(UNFIT,)), "missing")
    assert "another value" not in told
    assert "Nothing you could tell me would change that." in told
