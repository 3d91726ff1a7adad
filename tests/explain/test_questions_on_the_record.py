"""How many, when, whether it can be undone, what went wrong, why to confirm: what is answered is what the log holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.load import loads
from catalog.model import Effect
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from explain import Question, QuestionKind
from tests.dialogue.toys import Talk, Toybox
from tests.examples import examples

SHOP = """
version: 1
name: shop
label: Shop
facts:
  colour: {label: colour, value: {kind: choice, options: [red, green, blue]}, scope: goal, ask: Which colour?}
  pieces:
    label: number of pieces
    value: {kind: number, integer: true, minimum: 1, maximum: 9}
    scope: goal
    ask: How many?
    examples: [four pieces, 3 pieces]
  stock: {label: stock, askable: false, scope: goal}
  parcel: {label: parcel, askable: false, scope: goal}
  stopped: {label: stopped parcel, askable: false, scope: goal}
skills:
  shelf:
    label: shelf
    description: Looks up what there is.
    max_tries: 3
    endpoint: python:tests.explain.shop_skills:look
    modes:
      by_colour:
        inputs: [colour]
        outcomes: {found: [stock], none_left: {doubts: [colour], say: There is none left.}}
  sender:
    label: sender
    description: Sends a parcel.
    endpoint: python:tests.explain.shop_skills:send
    effect: {effect}
    confirm: "Shall I send {pieces} in {colour}?"
    modes: {send: {inputs: [colour, pieces], outcomes: {sent: [parcel]}}}
  stopper:
    label: stopper
    description: Stops a parcel on its way.
    endpoint: python:tests.explain.shop_skills:send
    effect: idempotent
    confirm: "Shall I stop it?"
    modes: {stop: {inputs: [pieces], outcomes: {sent: [stopped]}}}
  bell:
    label: bell
    description: Rings for the porter.
    max_tries: 1
    endpoint: python:tests.explain.shop_skills:ring
    effect: idempotent
    why_not_confirmed: it only rings
    modes: {ring: {inputs: [pieces], outcomes: {heard: [], unheard: {succeeds: false}}}}
goals:
  porter:
    label: ringing for the porter
    skills: [bell]
    examples: [ring for the porter, ring the bell please, call the porter with the bell]
  stock:
    label: a look at the stock
    facts: [stock]
    examples: [is there anything in red, look up the stock in blue, what do you have in green]
  parcel:
    label: a parcel
    facts: [parcel]
    examples: [send me a parcel in red, I would like a parcel in blue, order a parcel in green]
  stop:
    label: stopping a parcel
    facts: [stopped]
    examples: [stop the parcel on its way, stop the delivery]
"""
COLOURS = ("red", "green", "blue")


class Shop(Talk):
    """A shop whose sender has an effect of a given class, and whose clock goes on by some minutes at each entry."""

    def __init__(self, home: Path, effect: Effect = Effect.IRREVERSIBLE) -> None:
        home.mkdir(exist_ok=True)
        minutes = count()
        self.services = Services(
            SqliteStore(home / f"{len(list(home.iterdir()))}.db"),
            {"shop": loads(SHOP.replace("{effect}", effect.value))},
            allowed=("tests",),
            clock=lambda: datetime(2026, 11, 25, 6, tzinfo=UTC) + timedelta(minutes=next(minutes)),
            today=date(2026, 11, 25),
        )
        self.session = self.services.start("shop")

    def ask(self, kind: QuestionKind, fact: str | None = None, skill: str | None = None) -> str:
        return self.explain(Question(kind, fact, skill=skill)).text()


@pytest.fixture
def toys(home: Path) -> Iterator[Toybox]:
    home.mkdir(exist_ok=True)
    opened = Toybox(home)
    yield opened
    opened.services.close()


def ask(talk: Talk, kind: QuestionKind, fact: str | None = None, skill: str | None = None) -> str:
    answered = talk.explain(Question(kind, fact, skill=skill))
    assert set(answered.evidence) <= {entry.seq for entry in talk.log}
    return answered.text()


_QUIET = settings(max_examples=examples(6), suppress_health_check=[HealthCheck.function_scoped_fixture])
_CHANGES = {"goal_pushed", "established", "retracted", "calling", "authorized", "refused", "confirmed"}


@pytest.mark.row("V29")
@_QUIET
@given(colours=st.lists(st.sampled_from(("red", "blue")), min_size=1, max_size=4))
def test_the_count_that_is_told_is_the_number_of_calls_in_the_log(home: Path, colours: list[str]) -> None:
    shop = Shop(home)
    for colour in colours:
        shop.say(f"look up the stock in {colour}")
    told = " ".join(shop.say("how many times did you look at the shelf?"))
    counted = re.search(r"I called the shelf (\d+) time", told)
    assert counted is not None, told
    assert int(counted[1]) == sum(call.skill == "shelf" for call in shop.events("calling"))
    shop.services.close()


@pytest.mark.row("V29")
@_QUIET
@given(before=st.integers(0, 2), colour=st.sampled_from(("red", "blue")))
def test_the_time_that_is_told_is_that_of_the_words_that_are_quoted(home: Path, before: int, colour: str) -> None:
    shop = Shop(home)
    for _ in range(before):
        shop.say("what do you have in red")
    said = f"order a parcel in {colour}"
    shop.say(said)
    shop.say("4")
    told = " ".join(shop.say(f"when did I say {colour}?"))
    heard = next(entry for entry in shop.log if entry.event.kind == "heard" and entry.event.text == said)
    assert f"at {heard.at:%H:%M}, in your message no. {before + 1}: “{said}”." in told
    shop.services.close()


@pytest.mark.row("V29")
@pytest.mark.parametrize("done", [False, True], ids=["waiting", "done"])
@pytest.mark.parametrize("effect", [Effect.IDEMPOTENT, Effect.IRREVERSIBLE])
def test_it_is_said_to_be_final_just_where_the_skill_is_irreversible(home: Path, effect: Effect, done: bool) -> None:
    shop = Shop(home, effect)
    shop.say("order a parcel in red")
    shop.say("4")
    if done:
        shop.say("yes")
    told = " ".join(shop.say("can that be undone?"))
    assert ("cannot be undone" in told) is (effect is Effect.IRREVERSIBLE)
    assert ("I have not called the sender yet" in told) is not done
    assert "You can ask me for “stopping a parcel”." in told
    shop.services.close()


@pytest.mark.row("V29")
@_QUIET
@given(
    said=st.lists(
        st.sampled_from(
            (
                *("how many did I order?", "how often did you call the sender?", "can I take that back?"),
                *("what went wrong?", "when did I say red?", "why must I confirm that?", "is it final?"),
                *("did anything fail?", "why do you ask me whether you may?", "how many calls did you make?"),
            )
        ),
        min_size=1,
        max_size=4,
    ),
    begun=st.integers(0, 2),
)
def test_what_is_asked_of_the_record_changes_and_begins_nothing(home: Path, said: list[str], begun: int) -> None:
    shop = Shop(home)
    for text in ("order a parcel in red", "4", "yes")[: begun + bool(begun)]:
        shop.say(text)
    before, known = len(shop.log), shop.now.facts.known
    for text in said:
        assert shop.say(text)
    assert not {entry.event.kind for entry in shop.log[before:]} & _CHANGES
    assert shop.now.facts.known == known
    shop.services.close()


def test_an_amount_that_was_ordered_is_told_and_not_a_count(home: Path) -> None:
    shop = Shop(home)
    shop.say("order a parcel in red")
    shop.say("4")
    assert "Your number of pieces is 4." in " ".join(shop.say("how many did I order?"))
    told = "For this request, I made 0 calls and you answered 1 question; 1 go-ahead still to come."
    assert ask(shop, QuestionKind.HOW_MANY) == told
    assert ask(shop, QuestionKind.HOW_MANY, "parcel").startswith("I do not yet know your parcel")
    shop.services.close()


def test_what_went_wrong_is_the_call_that_gave_nothing_with_its_reason(home: Path) -> None:
    shop = Shop(home)
    shop.say("look up the stock in green")
    told = " ".join(shop.say("what went wrong?"))
    assert "The shelf, given your colour (green), answered “none left”. “There is none left.”" in told
    assert "I am waiting for your colour." in told
    shop.say("red")
    assert "none left" in ask(shop, QuestionKind.WENT_WRONG)
    assert "answered “none left”" in " ".join(shop.say("why wasn't it green?"))
    shop.services.close()


@pytest.mark.parametrize(("pieces", "told"), [("4", ""), ("5", "answered “unheard”"), ("6", "and it did not work")])
def test_a_call_that_failed_went_wrong_though_its_skill_gives_nothing(home: Path, pieces: str, told: str) -> None:
    shop = Shop(home)
    shop.say("ring for the porter")
    shop.say(pieces)
    said = ask(shop, QuestionKind.WENT_WRONG)
    assert (told in said, "Nothing went wrong" in said) == (True, not told), said
    assert (f"The bell, given your number of pieces ({pieces}), answered" in said) is (pieces == "5")
    shop.services.close()


@_QUIET
@given(colour=st.sampled_from(("red", "blue")), said=st.integers(0, 2))
def test_the_questions_and_go_aheads_that_are_to_come_are_counted_by_the_plan(
    home: Path, colour: str, said: int
) -> None:
    shop = Shop(home)
    for text in ("order a parcel", colour, "4")[: said + 1]:
        shop.say(text)
    answered = shop.explain(Question(QuestionKind.HOW_MANY))
    (planned,) = [entry.seq for entry in shop.log if entry.event.kind == "planned"][-1:]
    kinds = [step.kind for step in shop.log[planned - 1].event.steps]
    assert kinds.count("confirm") == 1 and planned in answered.evidence
    left = {0: "2 questions and 1 go-ahead", 1: "1 question and 1 go-ahead", 2: "1 go-ahead"}[said]
    assert answered.text().endswith(f"; {left} still to come.")
    shop.say("yes")
    shop.services.close()


def test_a_consent_that_is_to_come_is_counted_as_a_go_ahead(toys: Toybox) -> None:
    toys.say("goal prize")
    toys.say("a=one")
    told = "For this request, I made 1 call and you answered 1 question; 1 question and 1 go-ahead still to come."
    assert ask(toys, QuestionKind.HOW_MANY) == told


def test_where_nothing_failed_that_is_said_and_what_is_waited_for(home: Path) -> None:
    shop = Shop(home)
    shop.say("order a parcel in red")
    shop.say("4")
    told = ask(shop, QuestionKind.WENT_WRONG)
    assert told.startswith(
        "Nothing went wrong: no call failed, and nothing was refused. I am waiting for your go-ahead"
    )
    shop.services.close()


def test_a_go_ahead_is_asked_for_what_the_call_does_and_what_is_sensitive_in_it(home: Path, toys: Toybox) -> None:
    shop = Shop(home, Effect.IDEMPOTENT)
    shop.say("order a parcel in red")
    shop.say("4")
    assert ask(shop, QuestionKind.WHY_CONFIRM).startswith(
        "I ask before I call the sender, because what it does changes something outside of this conversation."
    )
    assert "I ask before I call the sender" in ask(shop, QuestionKind.WHY_CONFIRM, "colour")
    shop.services.close()
    toys.say("goal prize")
    assert ask(toys, QuestionKind.WHY_CONFIRM).startswith(
        "I ask before I call the giver, because what it does cannot be undone. "
        "I need your consent before I give your secret to the giver."
    )


def test_what_only_looks_things_up_leaves_nothing_to_undo_and_needs_no_go_ahead(home: Path) -> None:
    shop = Shop(home)
    shop.say("look up the stock in red")
    assert ask(shop, QuestionKind.UNDO, "stock") == (
        "The shelf only looks things up and changes nothing, so there is nothing to undo."
    )
    assert ask(shop, QuestionKind.UNDO).startswith("There is nothing to undo: I have not changed anything outside")
    assert "your stock is what you asked for" in ask(shop, QuestionKind.WHY_CONFIRM).lower()
    assert ask(shop, QuestionKind.WHY_CONFIRM, skill="shelf") == (
        "I need no go-ahead for the shelf, and it gets nothing that is sensitive."
    )
    shop.services.close()


def test_when_something_was_said_is_told_each_time_and_what_was_not_said_is_told_where_it_is_from(home: Path) -> None:
    shop = Shop(home)
    shop.say("look up the stock in red")
    shop.say("look up the stock in blue")
    told = ask(shop, QuestionKind.WHEN_SAID, "colour")
    assert "(red) at" in told
    assert "(blue) at" in told
    assert "“look up the stock in red”" in told
    assert "from the shelf" in ask(shop, QuestionKind.WHEN_SAID, "stock")
    assert re.match(r"You asked for that at \d\d:\d\d, in your message no. 2", ask(shop, QuestionKind.WHEN_SAID))
    shop.services.close()


def test_words_in_which_something_sensitive_was_said_are_not_repeated(toys: Toybox) -> None:
    for said in ("goal prize", "a=one", "yes", "secret=four"):
        toys.say(said)
    told = ask(toys, QuestionKind.WHEN_SAID, "secret")
    assert "four" not in told
    assert "in your message no. 4" in told
    assert ask(toys, QuestionKind.HOW_MANY).startswith("For this request, I made 2 calls and you answered 2 questions")


def test_a_chain_that_is_not_finished_tells_what_there_is_and_what_is_to_come(toys: Toybox) -> None:
    toys.say("goal prize")
    toys.say("a=one")
    told = ask(toys, QuestionKind.CHAIN, "prize")
    assert told.index("I do not yet know your prize") < told.index("You told me a") < told.index("from the maker")
