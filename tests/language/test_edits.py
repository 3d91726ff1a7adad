"""What only edits a request changes one value of it, by the kind of that value; with anything else it is no edit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from catalog.load import loads
from language.interpretation import Context, Pending, Spoken, Understander
from language.understanding import DEFAULT, UNDERSTANDERS
from tests.examples import examples

TODAY = date(2026, 11, 26)
DECLARED = {
    "guest": "{label: name of the guest, value: person_name, ask: Who comes?, scope: goal}",
    "born": "{label: date of birth, value: date, ask: When was that?, scope: goal}",
    "tour": "{label: day of the tour, value: date, ask: On which day?, scope: goal}",
    "stay": "{label: nights, value: period, ask: From when to when?, scope: goal}",
    "boats": "{label: number of boats, value: {kind: number, integer: true}, ask: How many boats?, scope: goal}",
    "hours": "{label: hours, value: {kind: number, integer: true, unit: hours}, ask: For how many hours?, scope: goal}",
    "deposit": "{label: deposit, value: money, ask: How much is paid now?, scope: goal}",
    "berth": "{label: berth, value: {kind: choice, options: [north pier, south pier]}, ask: Which berth?, scope: goal}",
}
"""Facts of a trade that no benchmark has; a catalog takes some of them, in any order."""


@cache
def trade(facts: tuple[str, ...]) -> Understander:
    declared = "\n".join(f"  {name}: {DECLARED[name]}" for name in facts)
    text = f"""
name: harbour
facts:
{declared}
  cruise: {{label: cruise, askable: false, scope: goal}}
skills:
  harbour:
    label: harbour office
    endpoint: python:nowhere:nothing
    effect: irreversible
    modes: {{now: {{inputs: [{", ".join(facts)}], outcomes: {{made: [cruise]}}}}}}
goals:
  sail: {{label: a cruise, facts: [cruise], examples: [book a cruise, take us out to sea, I want to sail]}}
"""
    return UNDERSTANDERS[DEFAULT](loads(text).catalog)


def edit(
    text: str, values: Mapping[str, JsonValue], *, latest: str = "", ended: bool = False
) -> tuple[dict[str, JsonValue], str | None]:
    """Return what a text changes at the go-ahead for some values, or after it, and what is asked about it."""
    told = [Spoken(fact=fact, value=value, at=2 if fact == latest else 1) for fact, value in values.items()]
    told.sort(key=lambda one: -one.at)
    context = Context(
        today=TODAY,
        pending=None if ended else Pending(kind="confirm", subject="harbour", facts=tuple(values)),
        goals=() if ended else ("sail",),
        ended=("sail",) if ended else (),
        given=tuple(one.fact for one in told),
        known=tuple(values),
        spoken=tuple(told),
    )
    meaning = trade(tuple(values)).understand(text, context)
    assert not meaning.goals
    return {one.fact: one.value for one in meaning.values}, meaning.unclear


days = st.dates(date(2026, 12, 1), date(2027, 12, 31)).map(date.isoformat)
BESIDE = st.sampled_from(["{}", "{} please", "hmm, make it {}", "no, {}", "sorry, {}", "actually {}", "ok but {}"])


@settings(max_examples=examples(25))
@given(
    count=st.integers(1, 12),
    unit=st.sampled_from(["day", "week"]),
    born=days,
    beside=BESIDE,
)
def test_a_day_moved_on_and_back_again_is_the_same_day(count: int, unit: str, born: str, beside: str) -> None:
    so_much = f"{count} {unit}{'s' if count > 1 else ''}"
    moved, _ = edit(beside.format(f"{so_much} later"), {"tour": born, "boats": 2})
    expected = date.fromisoformat(born) + timedelta(days=count * (7 if unit == "week" else 1))
    assert moved == {"tour": expected.isoformat()}
    assert edit(beside.format(f"{so_much} earlier"), {"tour": moved["tour"]})[0] == {"tour": born}


@settings(max_examples=examples(25))
@given(
    first=st.dates(date(2026, 12, 1), date(2027, 6, 1)),
    nights=st.integers(3, 20),
    count=st.integers(1, 9),
    way=st.sampled_from([("longer", 0, 1), ("later", 1, 1), ("earlier", -1, -1)]),
)
def test_a_period_grows_at_its_end_and_moves_as_a_whole(
    first: date, nights: int, count: int, way: tuple[str, int, int]
) -> None:
    word, begins, ends = way
    last = first + timedelta(days=nights)
    values, _ = edit(f"{count} days {word} please", {"stay": {"start": first.isoformat(), "end": last.isoformat()}})
    by = timedelta(days=count)
    assert values == {"stay": {"start": (first + begins * by).isoformat(), "end": (last + ends * by).isoformat()}}


@settings(max_examples=examples(25))
@given(
    now=st.integers(10, 60),
    count=st.integers(1, 9),
    fact=st.sampled_from([("boats", "boat"), ("hours", "hour"), ("deposit", "euro")]),
    order=st.permutations(["boats", "hours", "deposit", "tour"]),
    form=st.sampled_from(["{} more {}", "{} {} more", "{} {} less", "{} fewer {}"]),
)
def test_so_many_more_and_so_many_less_of_what_is_named_are_no_change(
    now: int, count: int, fact: tuple[str, str], order: list[str], form: str
) -> None:
    name, noun = fact
    every: dict[str, JsonValue] = {"boats": now, "hours": now, "deposit": f"{now}.00", "tour": "2026-12-09"}
    held = {one: every[one] for one in order}
    said = form.format(count, f"{noun}{'s' if count > 1 else ''}")
    first, unclear = edit(said, held)
    assert unclear is None
    assert first.keys() == {name}
    value = float(str(first[name]))
    assert value == now + (count if "more" in form else -count)
    inverse = said.replace("more", "x").replace("less", "more").replace("fewer", "more").replace("x", "less")
    back, _ = edit(inverse, {**held, **first})
    assert float(str(back[name])) == now


@settings(max_examples=examples(20))
@given(
    count=st.integers(2, 30),
    unit=st.sampled_from(["days", "weeks", "kilometres", "kilos"]),
    way=st.sampled_from([" earlier", " later", " longer", " more", ""]),
    form=st.sampled_from(["make it {}", "no, {}", "actually {}", "sorry, {} please"]),
    facts=st.sampled_from([("boats",), ("deposit",), ("boats", "deposit"), ("guest", "boats")]),
)
def test_so_much_of_what_no_value_is_counted_in_changes_none(
    count: int, unit: str, way: str, form: str, facts: tuple[str, ...]
) -> None:
    held: dict[str, JsonValue] = {"boats": 7, "deposit": "40.00", "guest": "Ann Bell"}
    assert not edit(form.format(f"{count} {unit}{way}"), {fact: held[fact] for fact in facts})[0]


def test_by_how_much_something_is_to_be_other_is_no_value_of_what_has_that_unit() -> None:
    assert not edit("make it two days earlier", {"hours": 4})[0]
    assert edit("make it two days", {"hours": 4, "boats": 3})[0] == {"hours": 48}


@settings(max_examples=examples(20))
@given(
    count=st.integers(1, 9),
    now=st.integers(10, 60),
    form=st.sampled_from(["{} more", "{} more please", "make it {} more", "{} less"]),
    order=st.permutations(["boats", "deposit", "tour"]),
    latest=st.sampled_from(["boats", "deposit", "tour"]),
)
def test_few_more_are_more_of_what_is_counted_and_not_of_the_money_that_was_told_last(
    count: int, now: int, form: str, order: list[str], latest: str
) -> None:
    every: dict[str, JsonValue] = {"boats": now, "deposit": f"{now}.00", "tour": "2026-12-09"}
    found, _ = edit(form.format(count), {fact: every[fact] for fact in order}, latest=latest)
    assert found == {"boats": now + (count if "more" in form else -count)}
    assert edit(f"{count} more to the deposit", every)[0] == {"deposit": f"{now + count}.00"}
    assert edit("50 more", every, latest="deposit")[0] == {"deposit": f"{now + 50}.00"}


@pytest.mark.parametrize(
    ("said", "now", "then"),
    [("twice as many", 3, 6), ("double it", 4, 8), ("one more than that", 2, 3), ("half of that", 8, 4)],
)
def test_a_number_may_be_said_by_what_it_was(said: str, now: int, then: int) -> None:
    assert edit(said, {"boats": now, "tour": "2026-12-09"})[0] == {"boats": then}


NAMES = st.sampled_from(["Ann", "Peter", "Lucy", "Rosa", "Maria", "Derek", "Becker", "Stone", "Keller"])


@settings(max_examples=examples(25))
@given(
    old=NAMES,
    new=NAMES,
    other=NAMES,
    first=st.booleans(),
    form=st.sampled_from(
        ["{new}, not {old}", "sorry, {new}, not {old}", "not {old} but {new}", "{new} instead of {old}"]
    ),
)
def test_a_word_takes_the_place_of_the_one_that_is_denied_and_of_no_other(
    old: str, new: str, other: str, first: bool, form: str
) -> None:
    if len({old, new, other}) < 3:
        return
    name, then = (f"{old} {other}", f"{new} {other}") if first else (f"{other} {old}", f"{other} {new}")
    assert edit(form.format(old=old, new=new), {"guest": name, "boats": 2})[0] == {"guest": then}


@settings(max_examples=examples(15))
@given(born=days, year=st.integers(1950, 2012))
def test_a_part_of_a_day_keeps_the_other_parts(born: str, year: int) -> None:
    day = date.fromisoformat(born)
    if (day.month, day.day) != (2, 29):
        then = day.replace(year=year).isoformat()
        assert edit(f"oh I mistyped, the year is {year}", {"born": born, "guest": "Ann Bell"})[0] == {"born": then}
    assert edit("make it the 9th", {"tour": born})[0] == {"tour": day.replace(day=9).isoformat()}


@given(order=st.permutations(["born", "tour", "boats", "hours"]), latest=st.sampled_from(["", "born", "tour"]))
@settings(max_examples=examples(15))
def test_of_several_that_fit_the_one_told_last_is_meant_else_it_is_asked(order: list[str], latest: str) -> None:
    every: dict[str, JsonValue] = {"born": "2026-12-04", "tour": "2026-12-08", "boats": 3, "hours": 2}
    values, unclear = edit("make it a day later", {one: every[one] for one in order}, latest=latest)
    if latest:
        moved = date.fromisoformat(str(every[latest])) + timedelta(days=1)
        assert (values, unclear) == ({latest: moved.isoformat()}, None)
    else:
        assert not values
        assert unclear is not None
        assert "date of birth" in unclear
        assert "day of the tour" in unclear
    named, _ = edit("make the tour a day later", {one: every[one] for one in order}, latest=latest)
    assert named == {"tour": "2026-12-09"}


@pytest.mark.parametrize(
    "said",
    [
        "a later day",
        "one more time",
        "one more minute please",
        "double boats",
        "a longer cruise",
        "once more",
        "no more",
    ],
)
def test_what_says_not_by_how_much_or_of_what_changes_nothing(said: str) -> None:
    assert edit(said, {"tour": "2026-12-08", "boats": 3, "hours": 2})[0] == {}
    assert edit(said, {"tour": "2026-12-08", "boats": 3})[0] == {}
    assert edit(said, {"hours": 2})[0] == {}


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from(["not {}", "don't make it {}", "it can't be {}", "please never {}", "no, not {}"]),
    st.sampled_from(["a day later", "a week earlier", "2 more boats", "twice as many boats", "the 9th"]),
    st.booleans(),
)
def test_what_is_denied_is_not_done(denied: str, said: str, ended: bool) -> None:
    changed, _ = edit(denied.format(said), {"tour": "2026-12-07", "boats": 4}, latest="tour", ended=ended)
    assert changed == {}


def test_a_sensitive_value_is_neither_moved_nor_taken_for_another_fact() -> None:
    declared = DECLARED["born"]
    DECLARED["born"] = declared.replace("scope: goal", "sensitive: true, scope: goal")
    try:
        trade.cache_clear()
        for said in ("a day later", "the year is 1968", "the other way round", "the 9th"):
            assert edit(said, {"born": "1986-03-14", "hours": 3})[0] == {}
            assert edit(said, {"born": "1986-03-14", "tour": "2026-12-07"})[0].keys() <= {"tour"}
    finally:
        DECLARED["born"] = declared
        trade.cache_clear()


def test_two_values_of_one_kind_are_exchanged() -> None:
    held: dict[str, JsonValue] = {"born": "2026-12-04", "tour": "2026-12-08", "boats": 3}
    assert edit("sorry, the other way round", held)[0] == {"born": "2026-12-08", "tour": "2026-12-04"}
    assert edit("the other way round", {"tour": "2026-12-08", "boats": 3})[0] == {}


@settings(max_examples=examples(25))
@given(
    word=st.sampled_from(["party", "captain", "dinner", "insurance", "brother", "weather", "ticket"]),
    form=st.sampled_from(
        ["make the {} a day later", "one more {}", "the {} two days later", "{} Rosa, not Ann", "the {} year is 1999"]
    ),
    ended=st.booleans(),
)
def test_with_a_word_that_nothing_accounts_for_it_is_no_edit(word: str, form: str, ended: bool) -> None:
    held: dict[str, JsonValue] = {"tour": "2026-12-08", "boats": 3, "guest": "Ann Bell"}
    assert edit(form.format(word), held, ended=ended)[0] == {}


@pytest.mark.parametrize(
    "said",
    [
        "my sister is coming too, one more boat please",
        "one more boat please, my sister is coming too",
        "one more boat!",
    ],
)
def test_a_reason_may_stand_beside_it(said: str) -> None:
    assert edit(said, {"tour": "2026-12-08", "boats": 3})[0] == {"boats": 4}


def test_what_a_kind_does_not_take_is_said_and_changes_nothing() -> None:
    values, unclear = edit("half an hour longer", {"hours": 2, "boats": 2})
    assert not values
    assert unclear is not None
    assert "2.5" in unclear


@given(
    goes_on=st.sampled_from(["the same for {}", "once more for {}", "and the same with {}", "do that again for {}"]),
    name=st.sampled_from(["Tom Baker", "Lena Ott", "Maria Stone"]),
    order=st.permutations(["guest", "tour", "boats"]),
)
@settings(max_examples=examples(15))
def test_the_last_request_is_asked_for_again_with_another_name(goes_on: str, name: str, order: list[str]) -> None:
    every: dict[str, JsonValue] = {"guest": "Ann Bell", "tour": "2026-12-08", "boats": 3}
    assert edit(goes_on.format(name), {one: every[one] for one in order}, ended=True)[0] == {"guest": name}


@pytest.mark.parametrize("said", ["do that again", "once more please", "the same again", "again please"])
def test_the_last_request_is_asked_for_again_as_it_was(said: str) -> None:
    told = (Spoken(fact="tour", value="2026-12-08", at=1),)
    context = Context(today=TODAY, ended=("sail",), given=("tour",), spoken=told)
    meaning = trade(("tour",)).understand(said, context)
    assert (meaning.follows, meaning.values, meaning.control) == (True, (), None)


@pytest.mark.parametrize("said", ["thanks again", "see you again", "cancel it again", "why again?", "hello again"])
def test_not_every_again_asks_for_it_again(said: str) -> None:
    context = Context(today=TODAY, ended=("sail",))
    assert not trade(("tour",)).understand(said, context).follows


def test_a_request_may_refer_to_a_day_that_was_spoken_of() -> None:
    told = (Spoken(fact="tour", value="2026-12-08", at=1),)
    meaning = trade(("tour", "boats")).understand("book a cruise on that day", Context(today=TODAY, spoken=told))
    assert [[(one.fact, one.value) for one in goal.values] for goal in meaning.goals] == [[("tour", "2026-12-08")]]
    asked = Context(today=TODAY, goals=("sail",), pending=Pending(kind="fact", subject="tour"), spoken=told)
    answer = trade(("tour", "boats")).understand("the same day please", asked)
    assert [(one.fact, one.value) for one in answer.values] == [("tour", "2026-12-08")]
