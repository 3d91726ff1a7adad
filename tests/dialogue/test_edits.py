"""What follows up on a request edits it: at its go-ahead, which is asked again, and after its end, when it begins anew.

Nothing is written by what only asks, and nothing that takes effect is done without a go-ahead of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.load import loads
from catalog.model import Catalog
from catalog.skills import Result, SkillInput
from dialogue.caller import NotReturned, Returned
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from tests.callers import TellsNothing
from tests.dialogue.toys import Talk
from tests.examples import examples

CATALOG = """
name: pier
facts:
  skipper: {label: name of the skipper, value: person_name, ask: Who sails?, scope: goal}
  licence:
    label: licence number
    value: {kind: pattern, regex: "[0-9]{6}", example: "204518", what: a licence number}
    ask: What is the licence number?
  crew: {label: size of the crew, value: {kind: number, integer: true, maximum: 60}, ask: How many sail?, scope: goal}
  sailing: {label: day of sailing, value: {kind: date, earliest: today}, ask: On which day?, scope: goal}
  harbour: {label: harbour, value: {kind: choice, options: [Elmport, Westquay]}, ask: Which harbour?, scope: goal}
  berth: {label: berth, askable: false, scope: goal}
  tide: {label: tide, askable: false, scope: goal}
skills:
  pilot:
    label: pilot
    endpoint: python:nowhere:nothing
    effect: irreversible
    confirm: Shall I keep a berth for {skipper} and {crew} more, licence {licence}, on {sailing}?
    modes: {now: {inputs: [skipper, crew, licence, sailing], outcomes: {kept: [berth]}}}
  almanac:
    label: almanac
    endpoint: python:nowhere:nothing
    modes: {now: {inputs: [sailing], optional: [harbour], outcomes: {found: [tide]}}}
goals:
  berth: {label: a berth, facts: [berth], examples: [keep a berth, I want a berth, moor my boat]}
  tide: {label: the tide, facts: [tide], examples: [when is the tide on 4 December 2026, tell me the tide]}
"""
SAID = {"skipper": "Ann Bell", "crew": "3", "licence": "204518", "sailing": "2026-12-08"}
HELD: dict[str, object] = {"skipper": "Ann Bell", "crew": 3, "licence": "204518", "sailing": "2026-12-08"}


class Pier(TellsNothing, Talk):
    """A conversation at the pier."""

    def __init__(self, home: Path) -> None:
        self.calls: list[tuple[str, dict[str, SkillInput]]] = []
        self.services = Services(
            SqliteStore(home / "sessions.db"),
            {"pier": loads(CATALOG, file="pier.yaml")},
            caller=self,
            clock=lambda: datetime(2026, 11, 26, 12, tzinfo=UTC),
            today=date(2026, 11, 26),
        )

    def begin(self, *said: str) -> None:
        self.session = self.services.start("pier")
        for line in said or ("keep a berth",):
            self.say(line)
        while (asks := self.asks) and asks.startswith("fact "):
            self.say(SAID[asks.removeprefix("fact ")])
        self.calls.clear()

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        self.calls.append((skill, dict(values)))
        name, outcome = next(iter(catalog.skills[skill].modes[mode].outcomes.items()))
        return Returned(Result(name, dict.fromkeys(outcome.facts, "done")), (), 0.0)


@pytest.fixture(scope="module")
def pier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pier]:
    opened = Pier(tmp_path_factory.mktemp("pier"))
    yield opened
    opened.services.close()


EDITS: list[tuple[str, dict[str, object]]] = [
    ("a day later", {"sailing": "2026-12-09"}),
    ("two weeks later", {"sailing": "2026-12-22"}),
    ("the 15th", {"sailing": "2026-12-15"}),
    ("one more", {"crew": 4}),
    ("twice as many", {"crew": 6}),
    ("two less", {"crew": 1}),
    ("Anna, not Ann", {"skipper": "Anna Bell"}),
    ("204519, not 204518", {"licence": "204519"}),
    ("the day of sailing 12 December 2026", {"sailing": "2026-12-12"}),
]


@settings(max_examples=examples(20))
@given(
    edit=st.sampled_from(EDITS),
    beside=st.sampled_from(["{}", "{} please", "hmm, make it {}", "no, {}", "sorry, {}", "yes, but {}"]),
)
def test_at_a_go_ahead_it_changes_that_value_alone_and_the_go_ahead_is_asked_again(
    pier: Pier, edit: tuple[str, dict[str, object]], beside: str
) -> None:
    words, changed = edit
    pier.begin()
    pier.say(beside.format(words))
    assert not pier.calls
    assert pier.asks == "confirm pilot"
    pier.say("yes")
    assert pier.calls == [("pilot", HELD | changed)]


@settings(max_examples=examples(12))
@given(edit=st.sampled_from([one for one, _ in EDITS]), form=st.sampled_from(["{}?", "what if it were {}?", "why {}?"]))
def test_a_question_edits_nothing(pier: Pier, edit: str, form: str) -> None:
    pier.begin()
    pier.say(form.format(edit))
    told = {one.fact: one.value for one in pier.events("established")}
    assert {fact: told[fact] for fact in HELD} == HELD
    assert not pier.calls


@settings(max_examples=examples(12))
@given(
    edit=st.sampled_from(
        [
            ("the same for Tom Stone", {"skipper": "Tom Stone"}),
            ("once more for Tom Stone, please", {"skipper": "Tom Stone"}),
            ("do that again", {}),
            ("and once more a week later", {"sailing": "2026-12-15"}),
            ("the same again with two more", {"crew": 5}),
        ]
    )
)
def test_what_took_effect_is_done_again_only_with_a_go_ahead_of_its_own(
    pier: Pier, edit: tuple[str, dict[str, object]]
) -> None:
    words, changed = edit
    pier.begin()
    pier.say("yes")
    assert pier.calls == [("pilot", HELD)]
    pier.say(words)
    assert pier.calls == [("pilot", HELD)]
    assert pier.asks == "confirm pilot"
    pier.say("yes")
    assert pier.calls == [("pilot", HELD), ("pilot", HELD | changed)]
    assert pier.asks is None


def test_what_was_not_given_a_go_ahead_the_second_time_stays_as_it_was(pier: Pier) -> None:
    pier.begin()
    for said in ("yes", "the same for Tom Stone", "no"):
        pier.say(said)
    assert pier.calls == [("pilot", HELD)]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("a day later", {"sailing": "2026-12-05"}),
        ("and on the 9th?", {"sailing": "2026-12-09"}),
        ("and in Westquay?", {"sailing": "2026-12-04", "harbour": "Westquay"}),
        ("once more please, I didn't catch that", {"sailing": "2026-12-04"}),
    ],
)
def test_what_only_reads_is_read_again_at_once(pier: Pier, said: str, expected: dict[str, object]) -> None:
    pier.begin("tell me the tide on 4 December 2026")
    pier.say(said)
    assert pier.calls == [("almanac", expected)]


@settings(max_examples=examples(10))
@given(days=st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_each_edit_rests_on_the_one_before(pier: Pier, days: list[int]) -> None:
    pier.begin()
    for count in days:
        pier.say(f"{count} days later" if count > 1 else "a day later")
    pier.say("yes")
    then = date(2026, 12, 8) + timedelta(days=sum(days))
    assert pier.calls == [("pilot", HELD | {"sailing": then.isoformat()})]


def test_a_new_request_refers_to_the_day_that_was_spoken_of(pier: Pier) -> None:
    pier.begin("tell me the tide on 4 December 2026", "then keep a berth on that day")
    pier.say("yes")
    assert pier.calls == [("pilot", HELD | {"sailing": "2026-12-04"})]
