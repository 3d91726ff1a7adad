"""Mappings, orderings, alternatives, and skills as goals, in conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from catalog.load import loads
from catalog.model import Catalog
from catalog.skills import Result, SkillInput
from dialogue.caller import NotReturned, Returned
from dialogue.log.events import Entry, GoalPushed, Ran
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.state.conversation import project
from planning.model import StepKind, operator_name
from tests.callers import TellsNothing
from tests.dialogue.toys import Notation, Talk

CATALOG = """
name: club
facts:
  post: {label: e-mail, ask: Your e-mail?}
  private_post: {label: private e-mail, is_a: post, askable: false}
  contact: {label: contact, value: email, askable: false}
  badge: {label: badge, askable: false}
  letter: {label: letter, askable: false}
  pin: {label: PIN, ask: Your PIN?, sensitive: true}
  code: {label: code, askable: false, sensitive: true}
  safe: {label: safe, askable: false}
  cup: {label: cup, askable: false}
  medal: {label: medal, askable: false}
skills:
  printer:
    endpoint: python:nowhere:nothing
    modes: {by_post: {inputs: [contact], outcomes: {printed: [badge]}}}
  clerk:
    endpoint: python:nowhere:nothing
    modes: {by_post: {inputs: [post], outcomes: {written: [letter]}}}
  doorman:
    endpoint: python:nowhere:nothing
    max_tries: 2
    modes: {by_post: {inputs: [post], outcomes: {let_in: {}, turned_away: {succeeds: false}}}}
  teller:
    endpoint: python:nowhere:nothing
    modes: {by_code: {inputs: [code], outcomes: {opened: [safe]}}}
  bell:
    endpoint: python:nowhere:nothing
    effect: irreversible
    modes: {by_post: {inputs: [post], outcomes: {rung: {}, stuck: {succeeds: false}}}}
  jury:
    endpoint: python:nowhere:nothing
    modes:
      sits: {inputs: [post], outcomes: {won: [cup], lost: {}}}
      sits_again: {inputs: [post], outcomes: {came_second: [medal]}}
goals:
  badge: {facts: [badge], examples: [x]}
  letter: {facts: [letter], examples: [x]}
  safe: {facts: [safe], examples: [x]}
  ring: {label: ringing the bell, skills: [bell], examples: [x]}
  enter: {label: coming in, skills: [doorman], examples: [x]}
  prize: {label: a prize, either: [cup, [medal, letter]], examples: [x], done: Well done.}
  plain: {label: some prize, either: [cup, medal], examples: [x]}
mappings:
  - {fact: post, stands_for: contact, because: people have one address. }
  - {fact: pin, stands_for: code}
orderings:
  - {first: doorman, then: anything_sensitive, because: strangers stay outside}
"""


class Club(TellsNothing, Talk):
    """A conversation in the club; what its skills return can be set."""

    def __init__(self, home: Path) -> None:
        self.outcomes: dict[str, str] = {}
        self.calls: list[str] = []
        self.services = Services(
            SqliteStore(home / "sessions.db"),
            {"club": loads(CATALOG, file="club.yaml")},
            understander=Notation,
            caller=self,
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=date(2026, 11, 21),
        )
        self.session = self.services.start("club")

    def call(
        self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str
    ) -> Returned | NotReturned:
        self.calls.append(skill)
        outcomes = catalog.skills[skill].modes[mode].outcomes
        name = self.outcomes.get(skill, next(iter(outcomes)))
        if name == "error":
            return NotReturned("raised", "it broke", 0.0)
        return Returned(Result(name, {fact: f"a {fact}" for fact in outcomes[name].facts}), (), 0.0)


@pytest.fixture
def club(home: Path) -> Iterator[Club]:
    opened = Club(home)
    yield opened
    opened.services.close()


# --- mappings


def test_a_mapping_is_a_step_that_is_done_told_and_kept_on_record(club: Club) -> None:
    club.say("goal badge")
    replies = club.say("post=ann@example.org")
    assert "I will use your e-mail as your contact, because people have one address." in replies
    mapped = club.events("mapped")[-1]
    assert (mapped.fact, mapped.used, mapped.stands_for) == ("post", "post", "contact")
    known = club.now.facts.known["contact"]
    assert (known.source, club.log[known.by - 1].event) == ("mapping", mapped)
    plan = club.now.plans.all[-1]
    assert [step.kind for step in plan.plan.steps] == [StepKind.ASK, StepKind.MAP, StepKind.SKILL]
    assert (plan.done, plan.status) == (3, "finished")


def test_a_value_that_does_not_fit_takes_that_way_out_until_there_is_another_value(club: Club) -> None:
    club.say("goal badge")
    replies = club.say("post=none of yours")
    assert any("cannot be used as your contact, which has to be an e-mail address" in reply for reply in replies)
    assert not any("none of yours" in reason for reason in club.reasons("pruned"))
    assert club.now.goals.past[-1].status == "dropped"
    club.say("post=ann@example.org")
    assert [event.step for event in club.events("restored")] == [StepKind.MAP]
    assert club.now.goals.past[-1].status == "achieved"


def test_that_a_value_does_not_fit_is_told_as_the_reason_why_there_is_no_way(club: Club) -> None:
    club.say("goal badge")
    club.say("post=none of yours")
    (told,) = club.say("missing")
    assert told.startswith(
        "I see no way left to your badge, because what I have as your e-mail cannot be used as your contact."
    )
    unfit = next(e.seq for e in club.log if e.event.kind == "pruned" and e.event.because == "unfit")
    assert unfit in club.events("explained")[-1].evidence
    assert "none of yours" not in told
    assert told.endswith("You can help by giving me another value for your e-mail.")


def test_a_subtype_is_taken_with_its_own_value(club: Club) -> None:
    club.say("private_post=bea@example.org")
    club.say("goal badge")
    assert club.events("mapped")[-1].used == "private_post"
    assert club.now.facts.known["contact"].value == "bea@example.org"


def test_a_correction_sets_aside_what_was_taken_from_the_old_value(club: Club) -> None:
    club.say("goal badge")
    club.say("post=ann@example.org")
    replies = club.say("post=bea@example.org")
    assert any(
        "What I worked out from the old value no longer holds: your contact and your badge" in reply
        for reply in replies
    )
    assert {"contact", "badge"}.isdisjoint(club.now.facts.known)


def test_a_sensitive_value_is_passed_on_under_another_name_only_with_consent(club: Club) -> None:
    club.say("goal safe; post=ann@example.org")
    assert club.asks == "authorize teller"
    club.say("yes")
    assert club.asks == "fact pin"
    replies = club.say("pin=4711")
    assert club.now.goals.past[-1].status == "achieved"
    assert not any("4711" in reply for reply in replies)


# --- orderings


def test_nothing_sensitive_happens_before_what_comes_first(club: Club) -> None:
    club.outcomes["doorman"] = "turned_away"
    club.say("goal safe")
    club.say("post=ann@example.org")
    assert club.calls == ["doorman", "doorman"], "as often as it may be tried"
    assert club.now.goals.past[-1].status == "dropped"
    assert not [event for event in club.events("asked") if event.about == "authorize"]
    reasons = club.reasons("pruned")
    assert "the doorman was called 2 times, which is as often as it may be" in reasons


def test_what_comes_first_is_done_once(club: Club) -> None:
    club.say("goal safe; post=ann@example.org")
    assert club.now.situation.done == {"doorman"}
    club.say("yes")
    club.say("pin=4711")
    club.say("goal enter")
    assert club.calls.count("doorman") == 1
    assert club.now.goals.past[-1].goal == "enter"


def test_what_was_done_with_a_value_that_is_corrected_does_not_count(club: Club) -> None:
    club.say("goal safe; post=ann@example.org")
    club.say("post=bea@example.org")
    assert club.calls == ["doorman", "doorman"]
    club.say("letter=l")
    assert club.now.situation.done == {"doorman"}


def test_a_skill_that_breaks_is_tried_as_often_as_it_may_be(club: Club) -> None:
    club.outcomes["doorman"] = "error"
    club.say("goal enter; post=ann@example.org")
    assert club.calls == ["doorman", "doorman"]
    assert club.now.goals.past[-1].status == "dropped"
    given_up = operator_name(StepKind.SKILL, "doorman", "by_post", "let_in")
    assert [one.operator for one in club.events("pruned") if one.because == "spent"] == [given_up]


# --- goals


def test_a_skill_is_carried_out_because_it_was_asked_for(club: Club) -> None:
    replies = club.say("goal enter; post=ann@example.org")
    assert club.now.goals.past[-1].status == "achieved"
    assert replies[-1] == "Done."
    ran = next(event for event in club.events("ran") if isinstance(event, Ran))
    assert ran.succeeded
    pushed = club.events("goal_pushed")[-1]
    assert (pushed.facts, pushed.skills) == ((), ("doorman",))
    assert club.say("what")[-1].endswith("I called the doorman, as you asked.")
    for question in ("how", "why", "chain"):
        assert club.say(question)[-1] == "I called the doorman, using your e-mail, as you asked."
    assert "I needed your e-mail for the doorman, which you asked for." in club.say("why post")[-1]


def test_an_irreversible_skill_is_not_carried_out_again_though_it_would_have_to_be(club: Club) -> None:
    club.say("goal ring; post=ann@example.org")
    club.say("yes")
    club.say("post=bea@example.org")
    club.say("goal ring")
    assert club.calls == ["bell"]
    assert club.now.goals.past[-1].status == "dropped"
    given_up = operator_name(StepKind.SKILL, "bell", "by_post", "rung")
    assert [one.operator for one in club.events("pruned") if one.because == "spent"] == [given_up]


def test_the_alternative_that_was_reached_is_told_and_explained(club: Club) -> None:
    replies = club.say("goal prize; post=ann@example.org")
    assert replies[-1] == "Well done. Your cup: a cup."
    assert club.now.goals.past[-1].status == "achieved"
    assert "clerk" not in club.calls
    assert "your cup" in club.say("what")[-1]
    assert club.say("how")[-1] == "I got your cup (a cup) from the jury, using your e-mail."
    assert club.say("why cup")[-1].startswith("Your cup is what you asked for.")


def test_another_alternative_will_do(club: Club) -> None:
    club.outcomes["jury"] = "lost"
    club.say("goal prize")
    assert club.say("why")[0].startswith("Your cup is what you asked for.")
    club.outcomes.clear()
    club.say("post=ann@example.org")
    assert club.now.goals.past[-1].status == "achieved"


def test_a_goal_none_of_whose_alternatives_can_be_had_says_what_it_was(club: Club) -> None:
    club.outcomes["jury"] = "error"
    replies = club.say("goal plain; post=ann@example.org")
    assert club.now.goals.past[-1].status == "dropped"
    assert any("your cup or your medal" in reply for reply in replies)
    assert club.say("what")[-1].startswith("For your cup or your medal, I have gathered your e-mail")
    assert club.say("how")[-1] == "You asked for your cup or your medal, and it is open which."


def test_the_facts_of_an_alternative_are_offered_again_after_a_correction(club: Club) -> None:
    club.say("goal plain; post=ann@example.org")
    club.say("post=bea@example.org")
    assert club.asks == "offer plain"


def test_a_log_from_before_there_were_alternatives_can_be_read() -> None:
    old = {"kind": "goal_pushed", "goal_id": 1, "goal": "badge", "label": "b", "facts": ["badge"]}
    event = GoalPushed.model_validate({**old, "because": "request", "cause": 1})
    entry = Entry(seq=1, at=datetime(2026, 11, 21, tzinfo=UTC), event=event)
    goal = project([entry]).goals.stack[0]
    assert (goal.skills, goal.either) == ((), ())
