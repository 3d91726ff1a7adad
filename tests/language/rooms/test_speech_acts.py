"""What is said in a room: speech acts about topics, several in one turn, with values and names."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.rooms.acts import PARTICIPANTS, TOPICS, differences, read
from catalog.norms.message import Utterance
from catalog.norms.model import NormSpecification
from catalog.norms.vocabulary import SPEECH_ACTS
from language.rooms.speech_acts import HeardMessage, HeardUtterance, Listener

FINCH = Listener(TOPICS)
ZOO = Listener(
    NormSpecification.model_validate(
        {
            "name": "zoo",
            "acts": ["query", "request", "inform", "not_understood"],
            "topics": {
                "animals": {"label": "animals"},
                "lions": {"words": ["lion", "big cats"], "within": "animals", "examples": ["what roars at night"]},
                "seals": {"words": ["seal"], "within": "animals", "examples": ["when is the show in the water"]},
                "all": {"words": ["the whole zoo"]},
            },
        }
    )
)
KEEPERS = {"Leo": "Keeper of lions", "May": "Keeper of seals"}


def hear(text: str) -> HeardMessage:
    return FINCH.hear(text, PARTICIPANTS)


def acts(text: str) -> list[tuple[str, str]]:
    return [(one.act, one.topic) for one in hear(text).utterances]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("hello everybody", "greeting"),
        ("thank you so much", "thank"),
        ("bye, see you tomorrow", "bye"),
        ("what does the bank pay?", "query"),
        ("simulate 4000 for three years", "simulate"),
        ("please call me back tomorrow", "request"),
        ("I have 4000 reais", "inform"),
        ("I suggest we wait a little", "propose"),
        ("sounds good to me", "agree"),
        ("no, I do not want that", "refuse"),
        ("exactly, that is correct", "confirm"),
        ("sorry, my mistake", "apologise"),
        ("I don't understand what you mean", "not_understood"),
    ],
)
def test_each_of_the_thirteen_speech_acts_is_recognised(text: str, act: str) -> None:
    assert act in SPEECH_ACTS
    assert {one.act for one in hear(text).utterances} == {act}


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("thanks, and what is a CD?", [("thank", "undefined"), ("query", "cd")]),
        ("hi! simulate 4000 for three years in savings please", [("greeting", "undefined"), ("simulate", "savings")]),
        ("yes, 24 months", [("agree", "undefined"), ("inform", "undefined")]),
        ("what is a CD? simulate 500 for a year in it", [("query", "cd"), ("simulate", "cd")]),
        ("savings or bonds?", [("query", "all")]),
        ("which of the three is the safest?", [("query", "all")]),
        ("which one has the lowest taxes", [("query", "all")]),
        ("is any of them free of risk?", [("query", "all")]),
        ("and only savings, 8000, 24 months", [("request", "savings")]),
        ("no, just the CD", [("refuse", "undefined"), ("request", "cd")]),
        ("My savings account pays too little. Is that true?", [("inform", "savings"), ("query", "savings")]),
        ("I am saving up for a car", [("inform", "undefined")]),
        ("the CD, what is it?", [("query", "cd")]),
        ("is it wise to invest in savings?", [("query", "savings")]),
        ("", [("not_understood", "undefined")]),
        ("@SA", [("request", "undefined")]),
    ],
)
def test_a_turn_may_hold_several_utterances(text: str, heard: list[tuple[str, str]]) -> None:
    assert acts(text) == heard


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@TB what about tax?", ("TB",)),
        ("what do you say, @Treasury bonds?", ("TB",)),
        ('thanks @ben and @"CD adviser"', ("Ben", "CD")),
        ("TB, what about tax?", ("TB",)),
        ("hey SA: is it safe?", ("SA",)),
        ("Ben can you help me", ("Ben",)),
        ("In, the amount is 4000", ("In",)),
        ("in three years, please", ()),
        ("in, say, three years", ()),
        ("CD rates", ()),
        ("CD or savings?", ()),
        ("what is a CD?", ()),
        ("savings, CD and bonds please", ()),
        ("write to ben@bank.example", ()),
        ("@nobody knows", ()),
    ],
)
def test_only_who_is_named_is_mentioned(text: str, names: tuple[str, ...]) -> None:
    assert hear(text).mentions == names


def test_a_name_is_not_taken_for_the_topic_that_it_is_called_after() -> None:
    assert acts("CD, what about tax?") == [("query", "undefined")]
    assert acts("@CD is a bond taxed?") == [("query", "bonds")]


WORDS = {4000: "four thousand", 2500: "2.5k", 100_000: "100 thousand"}
SPELLS = {
    "a year": 12,
    "a year and a half": 18,
    "half a year": 6,
    "36 months": 36,
    "3 yrs": 36,
    "2 years and 3 months": 27,
}


@settings(max_examples=60, deadline=None)
@given(
    amount=st.integers(100, 900_000).filter(lambda n: not 1900 <= n <= 2100) | st.sampled_from(sorted(WORDS)),
    written=st.sampled_from(["{}", "{:,}", "R$ {:,}", "{} reais", "${:,}", "words"]),
    spell=st.sampled_from(sorted(SPELLS)) | st.integers(2, 400).map("{} months".format),
    form=st.sampled_from(
        ["simulate {a} for {p}", "{a} over {p} in savings, please", "hi, what do I get for {a} after {p}?"]
    ),
)
def test_amount_and_period_are_read_however_they_are_written(amount: int, written: str, spell: str, form: str) -> None:
    said = WORDS.get(amount, str(amount)) if written == "words" else written.format(amount)
    heard = hear(form.format(a=said, p=spell))
    months = SPELLS[spell] if spell in SPELLS else int(spell.split(maxsplit=1)[0])
    values = [(one.figures.amount, one.figures.months) for one in heard.utterances if one.values]
    assert values == [(Decimal(amount), months)]


@pytest.mark.parametrize(
    "text",
    [
        "4000 or 5000?",
        "not 4000",
        "which of the 3 is best",
        "I earn 1,000 a month",
        "110% of the CDI",
        "I retire in 2031",
    ],
)
def test_no_amount_is_guessed(text: str) -> None:
    assert all(one.figures.amount is None and one.figures.months is None for one in hear(text).utterances)


def test_an_utterance_goes_into_a_message_with_its_values() -> None:
    (one,) = hear("simulate R$ 4,000.50 for three years in a CD").utterances
    assert one.as_utterance() == Utterance(
        act="simulate",
        topic="cd",
        content="simulation",
        text=one.text,
        values={"amount": "4000.50", "months": 36, "unit": "year"},
    )


@settings(max_examples=150, deadline=None)
@given(
    text=st.text(max_size=120)
    | st.lists(st.sampled_from("hi thanks @TB CD, ? . and 4000 bonds 3 years no".split())).map(" ".join)
)
def test_whatever_is_typed_is_heard_as_utterances_that_stand_in_it(text: str) -> None:
    heard = hear(text)
    assert heard.utterances
    at = 0
    for one in heard.utterances:
        assert at <= one.start <= one.end <= len(text) and text[one.start : one.end] == one.text
        assert one.act in SPEECH_ACTS and one.topic in TOPICS.topics
        at = one.end
    assert set(heard.mentions) <= set(PARTICIPANTS)


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("do lions bite?", ("query", "lions")),
        ("tell me about the big cats", ("query", "lions")),
        ("seals or lions?", ("query", "all")),
        ("how old do animals get?", ("query", "animals")),
        ("what roars in the night?", ("query", "lions")),
        ("show me the whole zoo please", ("request", "all")),
        ("who won the football match?", ("query", "undefined")),
        ("Leo, when do you feed the seals?", ("query", "seals")),
    ],
)
def test_another_room_has_topics_and_acts_of_its_own(text: str, heard: tuple[str, str]) -> None:
    (one,) = ZOO.hear(text, KEEPERS).utterances
    assert (one.act, one.topic) == heard


def test_a_room_hears_no_acts_but_its_own() -> None:
    for text in ("hello", "thanks", "bye", "simulate 4000", "sorry", "qwrt zzp"):
        for one in ZOO.hear(text).utterances:
            assert one.act in {"query", "request", "inform", "not_understood"} and one.content == "text"
    assert isinstance(ZOO.hear("").utterances[0], HeardUtterance)


def test_sentences_of_strangers_are_heard_as_they_are_meant() -> None:
    rows = read("acts_dev")
    right = sum(not list(differences(hear(row["text"]), row["gold"])) for row in rows)
    assert right / len(rows) >= 0.9
