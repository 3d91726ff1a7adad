"""Instances are written out, skills for one item are mapped over lists, and what leaves anything open is refused."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.checks.check import check
from catalog.checks.results import BadOutput, accept
from catalog.expand.expansion import expand
from catalog.load import Loaded, loads
from catalog.model import Catalog, Mode
from catalog.model.instances import MAX_INSTANCES
from catalog.problems import CatalogError
from catalog.skills import Result
from catalog.values import ListOf

JOURNEY = """\
name: journey
facts:
  day: {value: date}
  flight_to: {label: "destination of the {flight}", is_a: place, examples: ["my {flight} goes to Rome"]}
  place: {}
  flight_day: {value: date, label: departure, ask: "When do you leave?", is_a: day}
  seat: {sensitive: true}
  booking: {fillable: false, why_not_fillable: "the {flight} is booked by the airline"}
  trip: {}
skills:
  identify: {endpoint: 'python:a:i', modes: {now: {outcomes: {yes: [seat]}}}}
  airline:
    label: airline
    description: Books the {flight}.
    endpoint: python:a:b
    sensitive: [flight_day]
    modes:
      online:
        inputs: [flight_to, flight_day]
        optional: [seat]
        outcomes: {booked: [booking], full: {doubts: [flight_day], say: "The {flight} is full."}}
  planner: {endpoint: 'python:a:p', modes: {now: {inputs: [booking (out), booking (back)], outcomes: {made: [trip]}}}}
instances:
  flight: {facts: [flight_to, flight_day, booking], of: {out: outbound flight, back: }}
goals:
  both: {facts: [trip, booking], skills: [airline], either: [[booking], [day]], done: "{booking}, {trip}"}
  one: {facts: [booking (out)], done: "{booking (out)}", examples: [y]}
triggers:
  alert: {goal: one, say: Look., facts: [flight_day]}
mappings:
  - {fact: flight_to, stands_for: booking}
  - {fact: day, stands_for: flight_day}
orderings:
  - {first: identify, then: airline}
  - {first: airline, then: planner}
"""


def journey() -> Catalog:
    return loads(JOURNEY).catalog


def test_a_group_stands_where_its_first_fact_stood_one_instance_after_the_other() -> None:
    assert list(journey().facts) == [
        "day",
        *("flight_to (out)", "flight_day (out)", "booking (out)"),
        *("flight_to (back)", "flight_day (back)", "booking (back)"),
        *("place", "seat", "trip"),
    ]


def test_labels_questions_and_other_texts_say_which_instance_they_are_about() -> None:
    facts, skills = journey().facts, journey().skills
    assert facts["flight_to (out)"].label == "destination of the outbound flight"
    assert facts["flight_to (out)"].examples == ("my outbound flight goes to Rome",)
    assert facts["flight_day (out)"].label == "departure (outbound flight)"
    assert facts["flight_day (out)"].ask == "Outbound flight: When do you leave?"
    assert facts["booking (back)"].why_not_fillable == "the back is booked by the airline"
    assert skills["airline (out)"].label == "airline (outbound flight)"
    assert skills["airline (out)"].description == "Books the outbound flight."
    assert skills["airline (out)"].modes["online"].outcomes["full"].say == "The outbound flight is full."


def test_a_skill_has_a_copy_for_each_instance_whose_function_keeps_its_names() -> None:
    skill = journey().skills["airline (back)"]
    mode = skill.modes["online"]
    assert mode.inputs == ("flight_to (back)", "flight_day (back)")
    assert mode.optional == ("seat",)
    assert mode.outcomes["booked"].facts == ("booking (back)",)
    assert mode.outcomes["full"].doubts == ("flight_day (back)",)
    assert skill.sensitive == ("flight_day (back)",)
    assert skill.binds == {
        "flight_to": "flight_to (back)",
        "flight_day": "flight_day (back)",
        "booking": "booking (back)",
    }
    assert list(journey().skills) == ["identify", "airline (out)", "airline (back)", "planner"]
    assert accept(journey(), skill.name, "online", Result("booked", {"booking": "B1"})).facts == {
        "booking (back)": "B1"
    }
    with pytest.raises(BadOutput, match="establishes booking \\(back\\)"):
        accept(journey(), skill.name, "online", Result("booked", {"flight_to": "Rome"}))


def test_a_skill_that_names_instances_gets_them_by_these_names() -> None:
    planner = journey().skills["planner"]
    assert (planner.modes["now"].inputs, planner.binds) == (("booking (out)", "booking (back)"), {})


def test_what_names_a_fact_or_skill_of_the_group_names_all_its_instances() -> None:
    catalog = journey()
    both, one = catalog.goals["both"], catalog.goals["one"]
    assert both.facts == ("trip", "booking (out)", "booking (back)")
    assert both.skills == ("airline (out)", "airline (back)")
    assert both.either == (("booking (out)", "booking (back)"), ("day",))
    assert both.done == "{booking (out)} and {booking (back)}, {trip}"
    assert (one.facts, one.done) == (("booking (out)",), "{booking (out)}")
    assert catalog.triggers["alert"].facts == ("flight_day (out)", "flight_day (back)")
    assert [(m.fact, m.stands_for) for m in catalog.mappings] == [
        ("flight_to (out)", "booking (out)"),
        ("flight_to (back)", "booking (back)"),
        ("day", "flight_day (out)"),
        ("day", "flight_day (back)"),
    ]
    assert [(o.first, o.then) for o in catalog.orderings] == [
        ("identify", "airline (out)"),
        ("identify", "airline (back)"),
        ("airline (out)", "planner"),
        ("airline (back)", "planner"),
    ]


def test_a_property_is_about_each_instance_by_itself() -> None:
    said = """\
properties:
  never:
    - airline  called > 1
    - airline (back) called > 2
    - flight_day asked > 3
    - seat known
  always:
    - identify before airline
    - airline before airline
    - consent before booking (out) leaves
    - consent before flight_to leaves
    - goal reached
"""
    catalog = loads(JOURNEY + said).catalog
    assert catalog.properties.never == (
        *("airline (out) called > 1", "airline (back) called > 1", "airline (back) called > 2"),
        *("flight_day (out) asked > 3", "flight_day (back) asked > 3", "seat known"),
    )
    assert catalog.properties.always == (
        *("identify before airline (out)", "identify before airline (back)"),
        *("airline (out) before airline (out)", "airline (back) before airline (back)"),
        *("consent before booking (out) leaves", "consent before flight_to (out) leaves"),
        *("consent before flight_to (back) leaves", "goal reached"),
    )
    assert [str(declared.claim) for declared in catalog.properties.read()[:6]] == list(catalog.properties.never)
    (problem,) = problems(JOURNEY + said.replace("(back) called", "(bakc) called"))
    assert "'airline (bakc)' is not among the skills. Did you mean 'airline (back)'?" in problem


def test_a_function_may_have_a_name_of_its_own_for_one_instance() -> None:
    text = JOURNEY.replace("planner: {endpoint", "planner: {binds: {first_leg: booking (out)}, endpoint")
    assert loads(text).catalog.skills["planner"].binds == {"first_leg": "booking (out)"}


def test_what_is_wrong_with_an_instance_is_told_on_the_line_that_names_it() -> None:
    text = JOURNEY.replace("orderings:", "  - {fact: flight_to (out), stands_for: flight_to (out)}\norderings:")
    text = text.replace("skills: [airline]", "skills: [airline, airline (out)]")
    told = [problem.split(": ")[:3] for problem in problems(text)]
    named = [number for number, line in enumerate(text.splitlines(), 1) if "airline (out)" in line or "o (out)" in line]
    assert told == [
        [f"x:{named[0]}", "error", "goals.both.skills[2]"],
        [f"x:{named[1]}", "error", "mappings[4].stands_for"],
    ]


def test_types_hold_for_each_instance() -> None:
    catalog = journey()
    assert catalog.subtypes["place"] == ("place", "flight_to (out)", "flight_to (back)")
    assert catalog.origins["flight_day (back)"] == ("flight", "flight_day", "back")


def test_to_expand_again_changes_nothing() -> None:
    for text in (JOURNEY, WEATHER):
        catalog = loads(text).catalog
        assert expand(catalog)[0] is catalog


def test_a_catalog_without_instances_and_lists_is_left_as_it_is() -> None:
    catalog = Catalog.model_validate({"name": "x", "facts": {"a": {}}})
    assert expand(catalog)[0] is catalog


def test_what_comes_of_a_place_has_its_line() -> None:
    loaded = loads(JOURNEY)
    lines = JOURNEY.splitlines()
    assert "flight_day:" in lines[loaded.lines["facts", "flight_day (back)"] - 1]
    assert "booked:" in lines[loaded.lines["skills", "airline (back)", "modes", "online", "outcomes", "booked"] - 1]
    assert loaded.lines["goals", "both", "facts", 2] == loaded.lines["goals", "both"]
    warnings = [problem for problem in check(loaded, ["a"]) if problem.code == "input-unavailable"]
    assert warnings == []


WEATHER = """\
name: weather
facts:
  city: {value: {kind: choice, options: [Paris, Rome]}}
  day: {value: date}
  cities: {list_of: city, value: {kind: list, least: 1, most: 4}}
  forecast: {fillable: false, why_not_fillable: the service knows}
  source: {}
  forecasts: {list_of: forecast, value: {kind: list, most: 4}}
  secret: {sensitive: true, askable: false}
  secrets: {list_of: secret, value: {kind: list, most: 4}}
  chart: {value: chart}
  charts: {list_of: chart, value: {kind: list, most: 4}}
skills:
  service:
    endpoint: python:a:w
    sensitive: [city]
    modes:
      by_city:
        inputs: [city, day]
        outcomes: {found: [forecast, source], drawn: [chart], told: [source], unknown: {doubts: [city]}}
goals: {weather: {facts: [forecasts], examples: [weather]}}
"""


def mapped(text: str = WEATHER) -> Mode:
    return loads(text).catalog.skills["service"].modes["by_city, each of cities"]


@pytest.mark.row("H14")
def test_a_skill_for_one_item_gets_a_mode_for_a_list_of_them() -> None:
    mode = mapped()
    assert (mode.inputs, dict(mode.each), mode.calls) == (("cities", "day"), {"city": "cities"}, "by_city")
    assert {name: outcome.facts for name, outcome in mode.outcomes.items()} == {
        "found": ("forecasts",),
        "drawn": ("charts",),
        "told": (),
        "unknown": (),
    }
    assert mode.outcomes["unknown"].doubts == ("cities",)
    assert loads(WEATHER).catalog.skills["service"].sensitive == ("city", "cities")


def test_an_outcome_without_a_list_has_failed() -> None:
    catalog = loads(WEATHER).catalog
    judged = {o: catalog.succeeds("service", "by_city, each of cities", o) for o in mapped().outcomes}
    assert judged == {"found": True, "drawn": True, "told": False, "unknown": False}
    assert catalog.succeeds("service", "by_city", "told")


def test_a_list_takes_over_from_its_item_what_it_does_not_say_itself() -> None:
    facts = loads(WEATHER).catalog.facts
    assert isinstance(facts["cities"].value, ListOf)
    assert facts["cities"].value.of == facts["city"].value
    assert (facts["forecasts"].fillable, facts["forecasts"].why_not_fillable) == (False, "the service knows")
    assert (facts["secrets"].sensitive, facts["secrets"].askable) == (True, False)
    assert (facts["charts"].fillable, facts["charts"].why_not_fillable) == (False, "a chart cannot be given in words")


def test_each_input_is_mapped_by_itself() -> None:
    text = WEATHER.replace("  source: {}", "  source: {}\n  days: {list_of: day, value: {kind: list, most: 4}}")
    modes = loads(text).catalog.skills["service"].modes
    assert list(modes) == ["by_city", "by_city, each of cities", "by_city, each of days"]
    assert modes["by_city, each of days"].inputs == ("city", "days")


def test_the_lists_of_an_instance_get_what_its_items_give() -> None:
    text = """
name: x
facts: {city: {}, stop: {list_of: city}, forecast: {}, news: {list_of: forecast}}
skills: {s: {endpoint: 'python:a:w', modes: {m: {inputs: [city], outcomes: {found: [forecast]}}}}}
instances: {leg: {facts: [stop, news], of: [out, back]}}
"""
    modes = loads(text).catalog.skills["s"].modes
    assert {name: mode.outcomes["found"].facts for name, mode in modes.items()} == {
        "m": ("forecast",),
        "m, each of stop (out)": ("news (out)",),
        "m, each of stop (back)": ("news (back)",),
    }


def test_long_names_of_modes_are_shortened_and_stay_apart() -> None:
    long = "c" * 100
    text = f"name: x\nfacts: {{{long}: {{}}, {'d' * 100}: {{list_of: {long}}}, {'d' * 99}e: {{list_of: {long}}}, " \
        f"f: {{}}, fs: {{list_of: f}}}}\nskills: {{s: {{endpoint: 'python:a:w', modes: {{{'m' * 100}: " \
        f"{{inputs: [{long}], outcomes: {{o: [f]}}}}}}}}}}"  # fmt: skip
    names = list(loads(text).catalog.skills["s"].modes)
    assert len(set(names)) == 3
    assert all(len(name) <= 100 for name in names)


def problems(text: str) -> list[str]:
    with pytest.raises(CatalogError) as caught:
        loads(text, file="x")
    return [problem.render() for problem in caught.value.problems]


def test_a_list_of_another_may_say_no_more_than_that_it_is_one() -> None:
    said = loads(WEATHER.replace("{list_of: secret, value: {kind: list, most: 4}}", "{list_of: secret, value: list}"))
    assert said.catalog.facts["secrets"].value == ListOf(most=20)


WRONG: dict[str, tuple[str, str, str, str]] = {
    "a list of nothing": (WEATHER, "list_of: city", "list_of: citty", "Did you mean 'city'?"),
    "a list of itself": (WEATHER, "list_of: city", "list_of: cities", "'cities' is a list of itself"),
    "a list of lists": (WEATHER, "list_of: city", "list_of: forecasts", "there are no lists of lists"),
    "a list written twice": (
        WEATHER,
        "value: {kind: list, least: 1, most: 4}",
        "value: {kind: list, of: text}",
        "Of what it is a list, is said twice",
    ),
    "a list with another value": (
        WEATHER,
        "value: {kind: list, least: 1, most: 4}",
        "value: email",
        "Leave the value out",
    ),
    "a list of a list": (
        WEATHER,
        "day: {value: date}",
        "day: {value: {kind: list, of: {kind: list}}}",
        "list of lists",
    ),
    "a list turned round": (WEATHER, "least: 1, most: 4", "least: 5, most: 4", "Turn them round"),
    "a list for an item": (
        WEATHER,
        "{list_of: forecast, ",
        "{list_of: forecast, is_a: forecast, ",
        "write `list_of: for",
    ),
    "an item for a list": (WEATHER, "source: {}", "source: {is_a: cities}", "write `list_of: source` there"),
    "a list of others": (
        WEATHER,
        "{list_of: forecast, ",
        "{list_of: forecast, is_a: cities, ",
        "cannot stand for 'city'",
    ),
    "a mapping from an item to a list": (
        WEATHER,
        "goals:",
        "mappings: [{fact: city, stands_for: cities}]\ngoals:",
        "'city' is one value, and 'cities' is a list",
    ),
    "a mapping from a list to an item": (
        WEATHER,
        "goals:",
        "mappings: [{fact: cities, stands_for: city}]\ngoals:",
        "'cities' is a list, and 'city' is one value",
    ),
    "too short a list": (
        WEATHER,
        "least: 1, most: 4}",
        "least: 1, most: 9}",
        "of which there are 1 to 9; it may have 0 to 4. Give it room: `value: {kind: list, least: 0, most: 9}`",
    ),
    "two lists for a result": (
        WEATHER,
        "  day:",
        "  others: {list_of: forecast, value: {kind: list, most: 4}}\n  day:",
        "that could be 'others' or 'forecasts'. Add a mode that says it: `inputs` with cities, `each: {city: cities}`",
    ),
    "a list that is fillable": (
        WEATHER,
        "{list_of: chart, value: {kind: list, most: 4}}",
        "{fillable: true, value: {kind: list, of: chart}}",
        "charts cannot be given in words",
    ),
    "a list of what cannot be said that is fillable": (
        WEATHER,
        "{list_of: chart, value: {kind: list, most: 4}}",
        "{list_of: chart, fillable: true}",
        "several of 'chart' cannot be given in words. Leave fillable out",
    ),
    "a group of nothing": (JOURNEY, "facts: [flight_to,", "facts: [flight_too,", "Did you mean 'flight_to'?"),
    "a fact twice in a group": (
        JOURNEY,
        "facts: [flight_to,",
        "facts: [booking, flight_to,",
        "in the group 'flight' alr",
    ),
    "a fact in two groups": (
        JOURNEY,
        "goals:",
        "  x: {facts: [booking], of: [a]}\ngoals:",
        "in the group 'flight' alr",
    ),
    "a fact called as an instance": (
        JOURNEY,
        "  place: {}",
        "  place: {}\n  booking (back): {}",
        "declared, and is also",
    ),
    "a skill called as an instance": (
        JOURNEY,
        "  planner: {",
        "  airline (out): {endpoint: 'python:a:p', modes: {m: {outcomes: {o: [place]}}}}\n  planner: {",
        "'airline (out)' is declared, and is also",
    ),
    "too long a name": (JOURNEY, "of: {out: out", f"of: {{{'o' * 99}: , out: out", "longer than 100 characters"),
    "a subtype of any instance": (JOURNEY, "place: {}", "place: {is_a: booking}", "or name one: 'booking (out)'"),
    "a list of any instance": (JOURNEY, "place: {}", "place: {list_of: booking}", "or name one: 'booking (out)'"),
    "a skill of two groups": (
        JOURNEY,
        "goals:",
        "  x: {facts: [seat], of: [a]}\ngoals:",
        "'flight_to' of 'flight' and 'seat' of 'x'",
    ),
    "a mapping between groups": (
        JOURNEY.replace("goals:", "  x: {facts: [trip], of: [a]}\ngoals:"),
        "stands_for: booking}",
        "stands_for: trip}",
        "have instances of two groups",
    ),
    "an unknown instance": (JOURNEY, "booking (back)], out", "booking (home)], out", "Did you mean 'booking (out)'?"),
    "an instance that is wanted twice": (
        JOURNEY,
        "{facts: [trip, b",
        "{facts: [booking (out), trip, b",
        "already. Take",
    ),
    "an unknown placeholder": (JOURNEY, 'done: "{booking (out)}"', 'done: "{booking (back)}"', "'booking (back)'"),
    "too many instances": (
        JOURNEY,
        "of: {out: ",
        "of: {" + ", ".join(f"i{i}: x" for i in range(MAX_INSTANCES)) + ", out: ",
        f"at most {MAX_INSTANCES}",
    ),
    "a bound name for nothing": (JOURNEY, "label: airline", "binds: {x: nothing}", "'nothing' is not among the facts"),
    "a fact bound twice": (JOURNEY, "label: airline", "binds: {x: seat, y: seat}", "'seat' is bound to 'x' already"),
    "a bound name that is taken by a result": (
        JOURNEY,
        "label: airline",
        "binds: {booking: seat}",
        "call both 'seat' and 'booking' by the name 'booking'",
    ),
    "instances in a list of mappings": (
        JOURNEY,
        "of: {out: outbound flight, back: }",
        "of: [{out: outbound flight}, {back: flight back}]",
        "something else than names of instances. Write [first, second], or {first: first guest",
    ),
    "an instance twice": (JOURNEY, "of: {out: outbound flight, back: }", "of: [out, back, out]", "'out' is in this"),
    "a bound name that is taken": (
        JOURNEY,
        "label: airline",
        "binds: {flight_day: seat}",
        "call both 'seat' and 'flight_d",
    ),
}


@pytest.mark.row("H14")
@pytest.mark.parametrize("case", WRONG)
def test_what_leaves_something_open_or_takes_one_for_many_is_refused(case: str) -> None:
    text, old, new, expected = WRONG[case]
    assert old in text
    assert any(expected in problem for problem in problems(text.replace(old, new))), problems(text.replace(old, new))


def test_an_expansion_may_not_be_too_large() -> None:
    names = [f"f{number}" for number in range(1_000)]
    declared = ", ".join(f"{name}: {{}}" for name in ("one_more", *names))
    text = f"name: x\nfacts: {{{declared}}}\ninstances: {{g: {{facts: " \
        f"[{', '.join(names)}], of: [{', '.join(f'i{i}' for i in range(50))}]}}}}"  # fmt: skip
    assert "there are 50,001 facts; a catalog may have 50,000" in problems(text)[0]


@pytest.mark.parametrize(("lists", "fit"), [(99, True), (100, False)])
def test_a_skill_may_not_be_mapped_over_very_many_lists_unasked(lists: int, fit: bool) -> None:
    text = (
        "name: x\nfacts: {a: , b: , bs: {list_of: b}, "
        + ", ".join(f"as{number}: {{list_of: a}}" for number in range(lists))
        + "}\nskills: {s: {endpoint: 'python:a:b', modes: {m: {inputs: [a], outcomes: {o: [b]}}}}}"
    )
    if fit:
        assert len(loads(text).catalog.skills["s"].modes) == 100
    else:
        assert "it has more than 100 modes. Say with `each` which lists are meant." in problems(text)[0]
    said = text.replace("m: {", "each: {inputs: [as0], each: {a: as0}, calls: m, outcomes: {o: [bs]}}, m: {", 1)
    assert list(loads(said).catalog.skills["s"].modes) == ["each", "m"]


SAID = WEATHER.replace(
    "        outcomes: {found: [forecast, source], drawn: [chart], told: [source], unknown: {doubts: [city]}}",
    """\
        outcomes: {found: [forecast], unknown: {doubts: [city]}}
      all:
        inputs: [cities, day]
        each: {city: cities}
        calls: by_city
        outcomes: {found: [forecasts], unknown: {doubts: [cities]}}""",
)


def test_a_skill_may_say_itself_how_it_is_mapped() -> None:
    catalog = loads(SAID).catalog
    assert list(catalog.skills["service"].modes) == ["by_city", "all"]
    assert {p.code for p in check(Loaded(catalog, {}, "x", ""), ["a"])} == {"fact-unused"}


def test_a_skill_with_a_mode_for_lists_alone_is_told_to_have_one_for_an_item() -> None:
    text = "name: x\nfacts: {a: , all: {list_of: a}}\nskills: {s: {endpoint: 'python:a:b', modes: " \
        "{m: {inputs: [all], each: {a: all}, outcomes: {o: {}}}}}}"  # fmt: skip
    (problem,) = problems(text)
    assert problem.endswith("Add a mode for one item.")


def test_consent_for_an_item_is_needed_for_a_list_of_them_whoever_wrote_the_mode() -> None:
    catalog = loads(SAID).catalog
    assert catalog.sensitive_inputs("service", "all") == ("cities",)
    assert expand(catalog)[0] is catalog


MIS_SAID: dict[str, tuple[str, str, str]] = {
    "a mode without items": ("        each: {city: cities}\n", "", "Add `each: {item: list}`"),
    "items that are no input": ("inputs: [cities, day]", "inputs: [day]", "'cities' is not among the inputs"),
    "items of something else": ("each: {city: cities}", "each: {day: cities}", "Write `each: {city: cities}`"),
    "items of no list": ("each: {city: cities}", "each: {city: day}", "Declare 'day' with `list_of: city`"),
    "no mode for one": ("        calls: by_city\n", "", "Write `calls:` and one of: by_city."),
    "a wrong mode for one": ("calls: by_city", "calls: all", "'all' is not a mode for one item"),
    "an input that is missing": ("inputs: [cities, day]", "inputs: [cities]", "it takes 'day' too"),
    "other outcomes": ("unknown: {doubts: [cities]}", "odd: {}", "Declare the same outcomes in both modes"),
    "too long a list": ("least: 1, most: 4}", "least: 1, most: 9}", "`value: {kind: list, least: 0, most: 9}`"),
    "an outcome of no list": ("found: [forecasts]", "found: [source]", "'source' is no list of anything"),
}


@pytest.mark.parametrize("case", MIS_SAID)
def test_a_skill_that_says_wrongly_how_it_is_mapped_is_refused(case: str) -> None:
    old, new, expected = MIS_SAID[case]
    assert old in SAID
    assert any(expected in problem for problem in problems(SAID.replace(old, new))), problems(SAID.replace(old, new))


LIST: Any = loads(WEATHER).catalog.facts["cities"].value


@pytest.mark.row("H14")
@pytest.mark.parametrize("returned", ["Paris", {"city": "Paris"}, [], ["Paris"] * 5, ["Paris", "Berlin"], [["Paris"]]])
def test_a_skill_that_returns_no_proper_list_is_refused(returned: Any) -> None:
    text = WEATHER.replace("outcomes: {found", "outcomes: {listed: [cities], found")
    with pytest.raises(BadOutput, match="for the fact cities"):
        accept(loads(text).catalog, "service", "by_city", Result("listed", {"cities": returned}))
