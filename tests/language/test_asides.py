"""What is said around answers: questions back, changes of mind, corrections, talk; none of it is taken for a value."""

from __future__ import annotations

from datetime import date

import pytest

from explain.model import QuestionKind
from language.interpretation import Context, DialogueAct, Interpretation, Pending, SpeechAct, TalkTopic
from tests.language.shared import reader_of

TODAY = date(2025, 12, 1)
BANK = reader_of("banking")


def hear(text: str, asked: str | None = None, kind: str = "fact", **context: tuple[str, ...]) -> Interpretation:
    pending = Pending(kind=kind, subject=asked) if asked else None
    return BANK.understand(text, Context(today=TODAY, pending=pending).model_copy(update=dict(context)))


@pytest.mark.parametrize("asked", ["employer", "name", "address"])
@pytest.mark.parametrize(
    "text",
    [
        "what will happen now?",
        "can you see it yourself?",
        "how would I know",
        "actually yes, ask the credit bureau",
        "I changed my mind, you can use it",
        "wait, no",
        "is it important?",
    ],
)
def test_a_question_or_a_change_of_mind_is_no_answer_in_free_words(asked: str, text: str) -> None:
    assert hear(text, asked).values == ()


@pytest.mark.parametrize("text", ["Harbour Works", "Actually Good Foods", "No Limits Ltd", "Who Cares Inc"])
def test_a_name_that_begins_like_one_is_an_answer(text: str) -> None:
    assert [value.value for value in hear(text, "employer").values] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "what do you mean?",
        "Which one?",
        "?",
        "huh",
        "I don't understand",
        "do I have to?",
        "is it safe?",
        "what happens if I say no?",
        "I beg your pardon?",
    ],
)
@pytest.mark.parametrize(("asked", "kind"), [("email", "fact"), ("employer", "fact"), ("credit_check", "authorize")])
def test_to_ask_back_is_a_call_for_help_with_the_question(text: str, asked: str, kind: str) -> None:
    meaning = hear(text, asked, kind)
    assert (meaning.control, meaning.topic) in {
        (DialogueAct.HELP, TalkTopic.QUESTION),
        (DialogueAct.HELP, TalkTopic.REFUSING),
    }
    assert meaning.unclear is None


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Who gets to see it?", TalkTopic.RECEIVERS),
        ("who do you give it to?", TalkTopic.RECEIVERS),
        ("is it shared with anyone else?", TalkTopic.RECEIVERS),
        ("what happens if I say no?", TalkTopic.REFUSING),
        ("do I have to?", TalkTopic.REFUSING),
        ("what if I don't want to?", TalkTopic.REFUSING),
        ("can I tell you later?", TalkTopic.LATER),
        ("can I take it back?", TalkTopic.LATER),
        ("could I change my mind later?", TalkTopic.LATER),
        ("is it safe?", TalkTopic.QUESTION),
    ],
)
@pytest.mark.parametrize(
    ("asked", "kind"), [("email", "fact"), ("credit_check", "authorize"), ("address_register", "confirm")]
)
def test_a_question_about_the_open_question_is_told_by_its_subject(
    text: str, topic: TalkTopic, asked: str, kind: str
) -> None:
    meaning = hear(text, asked, kind)
    assert (meaning.control, meaning.topic) == (DialogueAct.HELP, topic)
    assert not (meaning.values or meaning.goals)


def test_a_question_that_is_not_understood_is_told_from_a_failed_answer() -> None:
    assert hear("do you mean my work email?", "email").wonders
    assert not hear("it is somewhere", "email").wonders


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("what is a credit bureau?", "credit_check"),
        ("what does credit score mean?", "credit_score"),
        ("what is an ID picture", "id_image"),
        ("what do you mean by housing cost?", "housing_cost"),
    ],
)
def test_to_ask_what_something_is_asks_for_no_service(text: str, term: str) -> None:
    meaning = hear(text)
    assert (meaning.term, meaning.goals, meaning.candidates) == (term, (), ())


def test_to_ask_for_ones_own_is_still_a_request() -> None:
    assert [mention.goal for mention in hear("what is my credit score?").goals] == ["credit_score"]


@pytest.mark.parametrize("text", ["actually make it $15,000", "I meant 15,000", "sorry, 15k", "change it to 15,000"])
@pytest.mark.parametrize(("asked", "kind"), [(None, ""), ("credit_check", "authorize"), ("employer", "fact")])
def test_a_correction_without_a_name_is_of_what_was_given(text: str, asked: str | None, kind: str) -> None:
    [value] = hear(text, asked, kind, given=("loan_amount", "email")).values
    assert (value.fact, value.value) == ("loan_amount", "15000.00")


def test_a_correction_that_two_values_fit_is_taken_for_neither() -> None:
    meaning = hear("actually make it 60000", given=("deposit", "property_value"))
    assert meaning.values == ()
    assert "your deposit or your property price" in (meaning.unclear or "")


def test_an_amount_without_words_of_correction_corrects_nothing() -> None:
    assert hear("60000", given=("deposit",)).values == ()


def test_a_bare_value_answers_what_was_asked_for_in_vain() -> None:
    [value] = hear("on 10 December 2025", wanted=("payment_date", "name")).values
    assert (value.fact, value.value) == ("payment_date", "2025-12-10")
    assert hear("5000", wanted=("loan_amount", "income")).values == (), "two could be meant"


@pytest.mark.parametrize("asked", [None, "email"])
def test_a_value_that_only_the_bank_can_set_is_declined_with_the_reason(asked: str | None) -> None:
    meaning = hear("my credit score is 850", asked)
    assert (meaning.values, meaning.goals) == ((), ())
    assert (meaning.unclear or "").startswith("I cannot take the credit score from you: credit scores come from")


@pytest.mark.parametrize("text", ["bar chart", "now a bar chart please", "as a bar chart please", "I'd prefer a bar"])
def test_an_option_said_alone_is_of_the_goal_at_hand_or_the_last_one(text: str) -> None:
    for meaning in (hear(text, goals=("spending",)), hear(text, ended=("spending",))):
        assert [(value.fact, value.value) for value in meaning.values] == [("plot_type", "bar chart")]


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("👍", DialogueAct.YES),
        ("👎🏽", DialogueAct.NO),
        ("yess", DialogueAct.YES),
        ("is ok", DialogueAct.YES),
        ("no thank", DialogueAct.NO),
    ],
)
def test_signs_and_slips_answer_a_request_for_consent(text: str, control: DialogueAct) -> None:
    assert hear(text, "credit_check", "authorize").control is control


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Hello!", TalkTopic.GREETING),
        ("👋", TalkTopic.GREETING),
        ("thank you so much for all your help", TalkTopic.THANKS),
        ("thanks, bye", TalkTopic.FAREWELL),
        ("you are stupid", TalkTopic.COMPLAINT),
        ("are you a robot?", TalkTopic.ASSISTANT),
        ("I see", TalkTopic.ACKNOWLEDGEMENT),
    ],
)
def test_talk_is_told_apart_by_what_it_is_about(text: str, topic: TalkTopic) -> None:
    meaning = hear(text)
    assert (meaning.control, meaning.topic) == (DialogueAct.CHITCHAT, topic)


def test_a_kind_goodbye_takes_no_offer() -> None:
    said = hear("Alright, thank you so much for your help, have a nice day!", "card", "offer")
    assert (said.control, said.topic) == (DialogueAct.CHITCHAT, TalkTopic.FAREWELL)
    assert hear("yes, thank you, bye", "card", "offer").control is DialogueAct.YES


def test_what_is_asked_for_after_a_change_of_mind_is_not_lost() -> None:
    meaning = hear("I changed my mind, I want a credit card", goals=("loan",))
    assert [mention.goal for mention in meaning.goals] == ["card"]
    assert meaning.control is None


def test_what_is_not_wanted_is_refused_and_not_begun() -> None:
    meaning = hear("I don't want a loan")
    assert [(act.act, act.goals) for act in meaning.acts] == [(SpeechAct.REFUSE, ("loan",))]
    assert not meaning.goals


def test_why_a_score_is_low_asks_where_it_comes_from() -> None:
    question = hear("why is my credit score so low?", known=("credit_score", "loan_result")).question
    assert question is not None
    assert (question.kind, question.fact) == (QuestionKind.WHY, "credit_score")


def test_why_after_a_goal_that_came_to_nothing_asks_what_is_missing() -> None:
    question = hear("why?", ended=("loan",)).question
    assert question is not None
    assert question.kind is QuestionKind.MISSING


@pytest.mark.parametrize("text", ["my account is HB-204518", "ok, my account is HB-204518"])
def test_to_tell_a_value_asks_for_nothing(text: str) -> None:
    meaning = hear(text)
    assert [value.fact for value in meaning.values] == ["account_number"]
    assert (meaning.goals, meaning.candidates) == ((), ())
