"""The gate outside conversations: what is asked, supposed, denied, quoted or another person's becomes no value."""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.norms.load import load_norms
from catalog.values import Choice, Date, Email, Kind, Money, Number, Text, Unreadable, YesNo
from language.acts.speech_acts import find_acts
from language.interpretation import PERMITTED, SpeechAct, Update
from language.languages.english import ENGLISH
from language.rooms.speech_acts import HeardMessage, Listener
from language.text.words import fold

TODAY = date(2026, 11, 27)
KINDS: dict[str, tuple[Kind, tuple[str, ...]]] = {
    "money": (Money(), ("4000", "$4,000.50", "12k")),
    "number": (Number(), ("12", "1,250")),
    "date": (Date(), ("3 December 2026", "12/31/2026")),
    "choice": (Choice(options=("phone", "chat")), ("phone", "chat")),
    "email": (Email(), ("ann@example.org", "b.lee@mail.example.com")),
}
TELLING = ("{}", "I have {}", "it is {}", "please take {}", "could you take {}?", "I said {}")
ASKING = ("would {} do?", "is {} enough?", "should I take {}?", "does {} suffice?")
SUPPOSING = ("what if it were {}?", "suppose it is {}", "if it were {}, all would be well")
REFUSING = ("don't take {}", "please do not use {}", "I never said {}", "forget the {}", "I don't want {}")
REPORTING = ("my brother has {}", "my sister says {} is enough", "Ben told them {}", 'the form has "{}" on it')
FIGURES = ("4000", "4000 for 3 years", "R$ 2,500.00", "18 months", "12k over 2 years")
WITHOUT = (*ASKING, *REFUSING, *REPORTING, "my brother invested {}", "no simulation of {} please")


def value_of(kind: Kind, text: str) -> object:
    try:
        return ENGLISH.read_answer(kind, text, TODAY)
    except Unreadable:
        return None


@cache
def finch() -> Listener:
    return Listener(load_norms("catalog/demos/finch/norms.yaml").specification)


def hear(text: str) -> HeardMessage:
    return finch().hear(text, {"In": "Investment adviser", "Ben": ""})


def figures_in(text: str) -> set[str]:
    found = {name for one in hear(text).utterances for name in one.values}
    return found & {"amount", "months", "days", "number", "times", "rejected"}


@pytest.mark.row("P15", "P19")
@given(st.sampled_from(sorted(KINDS)), st.data())
def test_a_typed_value_is_taken_from_what_may_write_it_and_from_nothing_else(name: str, data: st.DataObject) -> None:
    kind, said = KINDS[name]
    value = data.draw(st.sampled_from(said))
    told = data.draw(st.sampled_from(TELLING))
    withheld = data.draw(st.sampled_from((*ASKING, *SUPPOSING, *REFUSING[:3], *REPORTING)))
    assert value_of(kind, told.format(value)) == value_of(kind, value) is not None
    assert value_of(kind, withheld.format(value)) is None


@pytest.mark.parametrize("text", ["don't bring it", "would Friday do?", "my sister says hello"])
def test_any_words_are_a_text_and_a_denial_answers_yes_or_no(text: str) -> None:
    assert value_of(Text(), text) == text
    assert value_of(YesNo(), "no, I don't want that") == value_of(YesNo(), "no")


@pytest.mark.row("P15")
@given(st.sampled_from(WITHOUT), st.sampled_from(FIGURES))
def test_no_figure_of_a_message_in_a_room_is_taken_where_none_is_given(form: str, figure: str) -> None:
    assert figures_in(form.format(figure)) == set()
    assert "simulate" not in {one.act for one in hear(form.format(figure)).utterances}


@given(
    st.sampled_from(("{}", "I have {}", "simulate {}", "what would {} become?", "what if I put in {}?", "and {}?")),
    st.sampled_from(FIGURES),
)
def test_what_tells_or_asks_for_a_simulation_gives_its_figures(form: str, figure: str) -> None:
    assert figures_in(form.format(figure)) == figures_in(figure) != set()


@pytest.mark.parametrize(
    "text",
    [
        "I won't touch 4000 for 3 years",
        "I don't need the 4000 for 3 years",
        "my husband and I have 4000 for 3 years",
        "my parents gave me 4000 for 3 years",
        "no, 4000 for 3 years",
        "if I leave 4000 alone for 3 years, how much do I get?",
    ],
)
def test_money_that_is_free_or_shared_is_given(text: str) -> None:
    assert figures_in(text) == {"amount", "months"}


def test_what_is_not_taken_and_not_refused_is_told_as_not_understood() -> None:
    assert hear("my neighbour has 4000").utterances[0].values == {"unread": ["4000"]}
    assert hear("don't take 4000").utterances[0].values == {}
    assert hear("is 4000 enough?").utterances[0].act == "query"


@given(st.sampled_from((*ASKING, *SUPPOSING, *REFUSING, *REPORTING)), st.sampled_from(FIGURES))
def test_what_may_not_write_is_found_with_its_place(form: str, figure: str) -> None:
    text = form.format(figure)
    at = text.index(figure)
    act = next(one.act for one in find_acts(text, fold(text)) if one.span.start <= at < one.span.end)
    assert Update.WRITE not in PERMITTED[act]
    assert (act is SpeechAct.REFUSE) == (form in REFUSING)
