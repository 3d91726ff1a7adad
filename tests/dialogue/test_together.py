"""Requests of one utterance are planned together: one call for two of them, and each announced when it is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from catalog.load import Loaded, load
from catalog.model import Catalog, Goal, Scope, Skill
from catalog.skills import Result, SkillInput
from dialogue.caller import Returned
from dialogue.log.stores import SqliteStore
from dialogue.moves.replies import explain_in
from dialogue.policy.joint import Planner
from dialogue.services import Services
from dialogue.services.inspection import look_into, requests_of
from dialogue.state.conversation import Conversation
from explain.model import Question, QuestionKind
from language.interpretation import Context
from language.understanding.pipeline import OfflineUnderstander
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.engines.native import NativeEngine
from planning.joint import JointPlan, plan_joint
from planning.joint.model import split
from planning.model import Limits, PlanningResult, StepKind, Task
from planning.task.spending import ROUNDING
from tests.callers import TellsNothing
from tests.dialogue.office import Office
from tests.dialogue.toys import Notation, Talk
from tests.examples import examples
from tests.planning.declare import declare, declare_fact, declare_skill
from tests.strategies import catalogs, some_of

LETTERS = """
name: office
facts:
  a: {label: letter A, fillable: false}
  b: {label: letter B, fillable: false}
  c: {label: letter C, fillable: false}
  note: {label: note, ask: Which note?}
  memo: {label: memo, askable: false}
skills:
  only_a: {endpoint: "python:nowhere:nothing", cost: 1, modes: {now: {outcomes: {made: [a]}}}}
  only_b: {endpoint: "python:nowhere:nothing", cost: 5, modes: {now: {outcomes: {made: [b]}}}}
  both: {endpoint: "python:nowhere:nothing", cost: 3, modes: {now: {outcomes: {made: [a, b], nothing: {}}}}}
  from_a: {endpoint: "python:nowhere:nothing", modes: {now: {inputs: [a, note], outcomes: {made: [c]}}}}
  writer: {endpoint: "python:nowhere:nothing", modes: {now: {inputs: [note], outcomes: {made: [memo]}}}}
goals:
  a: {label: the letter A, facts: [a], examples: [x]}
  b: {label: the letter B, facts: [b], examples: [x]}
  c: {label: the letter C, facts: [c], examples: [x]}
  memo: {label: a memo, facts: [memo], examples: [x]}
"""


@pytest.fixture
def letters(home: Path) -> Iterator[Office]:
    office = Office(home, LETTERS)
    yield office
    office.services.close()


def called(office: Office) -> list[str]:
    return [skill for skill, _ in office.calls]


def plans_of(office: Office) -> list[tuple[str, list[str]]]:
    """List the plans that were made: what became of each, and the subjects of its steps."""
    return [(record.status, [step.subject for step in record.plan.steps]) for record in office.now.plans.all]


def test_one_call_that_serves_two_requests_is_made_once_and_both_are_announced(letters: Office) -> None:
    replies = letters.say("goal a; goal b")
    assert called(letters) == ["both"]
    assert [reply for reply in replies if reply.startswith("Done.")] == [
        "Done. Your letter A: a of.",
        "Done. Your letter B: b of.",
    ]
    assert [goal.goal for goal in letters.now.goals.past] == ["a", "b"]
    assert [goal.status for goal in letters.now.goals.past] == ["achieved", "achieved"]


def test_the_plan_that_is_shown_is_the_one_that_runs(letters: Office) -> None:
    catalog = letters.services.snapshot(letters.session).catalog
    shown = look_into(
        catalog, Notation(catalog), Planner(ENGINES[DEFAULT_ENGINE]), "goal a; goal b", date(2026, 11, 21)
    )
    letters.say("goal a; goal b")
    assert [line.split(" = ")[-1] for line in shown.plan.splitlines()] == ["both();"]
    assert plans_of(letters)[-1] == ("finished", ["both"])


@pytest.mark.row("V3")
def test_the_first_idea_is_to_ask_for_the_goals_themselves_and_stays_on_record(letters: Office) -> None:
    letters.say("goal a; goal b")
    assert plans_of(letters) == [("discarded", ["a", "b"]), ("finished", ["both"])]
    assert [event.subject for event in letters.events("pruned")] == ["a", "b"]
    assert not letters.events("asked")


def test_a_plan_for_several_requests_names_them_all(letters: Office) -> None:
    letters.say("goal a; goal b")
    record = letters.now.plans.all[-1]
    assert [(part.goal_id, part.steps, part.shared) for part in record.plan.parts] == [(2, 1, ()), (1, 0, (0,))]
    assert record.goals == (2, 1)


def test_what_one_call_made_for_two_requests_is_explained_in_both(letters: Office) -> None:
    letters.say("goal a; goal b")
    snapshot = letters.services.snapshot(letters.session)
    (call,) = letters.now.calls.history
    for goal in snapshot.conversation.goals.past:
        for kind in (QuestionKind.WHAT, QuestionKind.HOW):
            told = explain_in(snapshot.catalog, snapshot.conversation, Question(kind, goal.goal), goal)
            assert "from the both" in told.text()
            assert call.event in told.evidence


def test_stop_drops_the_request_in_work_and_plans_the_rest_anew(letters: Office) -> None:
    letters.say("goal c; goal b")
    assert letters.asks == "fact note"
    assert called(letters) == ["both"], "b is made on the way to c"
    replies = letters.say("stop")
    assert replies[-1] == "Done. Your letter B: b of."
    assert [(goal.goal, goal.status) for goal in letters.now.goals.past] == [("c", "dropped"), ("b", "achieved")]
    assert called(letters) == ["both"]


def test_what_is_left_is_planned_together_again_when_something_fails(letters: Office) -> None:
    letters.outcomes["both"] = "nothing"
    letters.say("goal a; goal b")
    assert called(letters)[-2:] == ["only_a", "only_b"]
    assert [goal.status for goal in letters.now.goals.past] == ["achieved", "achieved"]
    assert plans_of(letters)[-1] == ("finished", ["only_a", "only_b"])


@pytest.mark.row("V11")
def test_a_digression_is_planned_for_itself_and_the_rest_goes_on(letters: Office) -> None:
    letters.say("goal c; goal b")
    letters.say("goal a")
    assert letters.asks == "fact note", "what is known already is told, and the question is put again"
    letters.say("note=blue")
    assert called(letters) == ["both", "from_a"]
    assert [goal.goal for goal in letters.now.goals.past] == ["a", "c", "b"]
    assert not letters.now.goals.stack


def test_a_request_that_cannot_be_served_holds_up_no_other(home: Path) -> None:
    office = Office(home, LETTERS.replace("from_a: {", "from_x: {").replace("inputs: [a, note]", "inputs: [memo, c]"))
    replies = office.say("goal a; goal c; goal b")
    assert called(office) == ["both"]
    assert [(goal.goal, goal.status) for goal in office.now.goals.past] == [
        ("a", "achieved"),
        ("c", "dropped"),
        ("b", "achieved"),
    ]
    assert replies[-1] == "Done. Your letter B: b of."
    office.services.close()


@pytest.mark.row("P6", "P14")
def test_three_requests_are_one_plan_whose_parts_are_carried_out_in_turn(letters: Office) -> None:
    letters.say("goal memo; goal c; goal b")
    letters.say("note=blue")
    assert called(letters) == ["writer", "both", "from_a"]
    assert plans_of(letters)[-1] == ("finished", ["note", "writer", "both", "from_a"])
    assert [part.steps for part in letters.now.plans.all[-1].plan.parts] == [2, 2, 0]
    assert len(letters.events("kept")) == 1, "it is looked at again when the next request with steps begins"


def test_what_another_request_needs_is_reached_and_announced_first(letters: Office) -> None:
    letters.say("goal c; goal a")
    assert [goal.goal for goal in letters.now.goals.past] == ["a"]
    assert letters.asks == "fact note"
    letters.say("note=blue")
    assert [goal.goal for goal in letters.now.goals.past] == ["a", "c"]
    assert called(letters) == ["only_a", "from_a"]


def test_what_another_request_could_do_without_waits_its_turn() -> None:
    """A loan can be decided after a look at the account, but need not be: the list comes when it was asked for."""
    bank = load("banking").catalog
    text = "I want a loan of $9,000 first, and then list my transactions"
    meaning = OfflineUnderstander(bank).understand(text, Context(today=date(2026, 11, 21)))
    assert [goal.goal for goal in meaning.goals] == ["loan", "transactions"]
    assert [request.goal for request in requests_of(bank, meaning)] == ["loan", "transactions"]


def test_of_requests_that_are_reached_already_no_way_is_told(letters: Office) -> None:
    letters.say("goal a; goal b")
    told = letters.say("would a; would b")
    assert len(told) == 2
    assert not any("This is how" in one for one in told)


def test_a_budget_holds_for_each_request(home: Path) -> None:
    """What may be spent is said of one request: two that take all of it each are both done."""
    priced = LETTERS.replace("cost: 1,", "money: 3,").replace("cost: 5,", "money: 3,").replace("cost: 3,", "money: 9,")
    office = Office(home, priced + "settings: {budget: 4}\n")
    office.say("goal a; goal b")
    assert called(office) == ["only_a", "only_b"]
    assert office.now.goals.spent == {2: 3.0, 1: 3.0}
    office.services.close()


def test_what_was_spent_for_a_request_counts_while_it_is_worked_on(home: Path) -> None:
    office = Office(home, REDONE)
    office.say("goal done; text=first")
    assert office.asks == "confirm second"
    assert office.now.situation.spent == 3.0
    office.services.close()


def test_what_waits_is_planned_with_the_values_that_were_said_for_it(home: Path) -> None:
    office = Office(home, REDONE)
    office.say("goal draft; text=a")
    office.say("goal stamp; goal done with text=b")
    planned = next(one for one in reversed(office.events("planned")) if len(one.parts) == 2)
    assert "writer" in [step.subject for step in planned.steps]
    office.services.close()


REDONE = """
name: redone
facts:
  text: {label: text, ask: What text?}
  draft: {label: draft, askable: false}
  done: {label: printed text, askable: false}
  stamp: {label: stamp, ask: Which stamp?}
skills:
  writer:
    endpoint: python:nowhere:nothing
    money: 3
    modes: {now: {inputs: [text], outcomes: {made: [draft]}}}
  first:
    endpoint: python:nowhere:nothing
    confirm: "Print {draft} here?"
    cost: 9
    modes: {now: {inputs: [draft], outcomes: {made: [done]}}}
  second:
    endpoint: python:nowhere:nothing
    confirm: "Print {draft} there?"
    modes: {now: {inputs: [draft], outcomes: {made: [done]}}}
goals:
  done: {label: a print, facts: [done], examples: [x]}
  draft: {label: a draft, facts: [draft], examples: [x]}
  stamp: {label: a stamp, facts: [stamp], examples: [x]}
"""


@pytest.mark.parametrize("scope", ["conversation", "goal"])
def test_what_is_taken_up_again_asks_nothing_again_that_was_declined(scope: str, home: Path) -> None:
    office = Office(home, REDONE.replace("{label:", f"{{scope: {scope}, label:", 3))
    office.say("goal done; text=a")
    office.say("no")
    assert office.asks == "confirm first"
    office.say("yes")
    office.say("text=b")
    assert office.asks == "offer done"
    office.say("yes")
    assert office.asks == "confirm first"
    office.services.close()


def test_old_logs_have_plans_without_parts(letters: Office) -> None:
    letters.say("goal a")
    (*_, record) = letters.now.plans.all
    assert "parts" not in record.plan.model_dump()
    assert record.goals == (1,)
    assert isinstance(letters.now, Conversation)


# --- what is only asked about


def test_of_several_that_are_only_asked_about_what_is_there_already_is_said(letters: Office) -> None:
    letters.say("goal a")
    there, way = letters.say("would a; would b")
    assert there == "For “the letter A” there is nothing left to do."
    assert way.startswith("This is how I would do “the letter B”")


def test_how_several_would_be_done_is_the_one_plan_that_would_run(letters: Office) -> None:
    (told,) = letters.say("would a; would b")
    assert told == (
        "This is how I would do “the letter A and the letter B” (1 call):\n"
        "1. I call the both, which gives your letter A and your letter B.\nNone of this is done yet."
    )
    assert not letters.calls
    letters.say("goal a; goal b")
    assert called(letters) == ["both"]


def test_what_is_asked_about_is_planned_with_the_engine_and_the_limits_of_the_conversation(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = Counting()
    monkeypatch.setitem(ENGINES, "counting", counting)
    office = Office(home, LETTERS, engine="counting")
    office.say("would a")
    assert counting.asked == 1
    office.say("would a; would b")
    assert counting.asked == 2
    office.services.close()


def test_what_is_asked_about_heeds_what_may_be_spent(home: Path) -> None:
    priced = LETTERS.replace("cost: 1,", "cost: 1, money: 3,")
    office = Office(home, priced)
    assert "1. I call the only a" in office.say("would a")[-1]
    assert "1. I call the both" in office.say("spend 1; would a")[-1]
    office.say("goal a")
    assert called(office) == ["both"]
    office.services.close()


class Counting(NativeEngine):
    """An engine that counts how often it is asked."""

    asked = 0

    def solve(self, task: Task, limits: Limits, cancelled: Callable[[], bool]) -> PlanningResult:
        self.asked += 1
        return super().solve(task, limits, cancelled)


# --- what belongs to one request


SCOPED = """
name: office
facts:
  topic: {label: topic, ask: Which topic?, scope: goal}
  source: {label: source, fillable: false}
  special: {label: special source, fillable: false, is_a: source}
  a: {label: letter A, fillable: false, scope: goal}
  b: {label: letter B, fillable: false, scope: goal}
  c: {label: letter C, fillable: false, scope: goal}
skills:
  find: {endpoint: "python:nowhere:nothing", modes: {now: {outcomes: {made: [source]}}}}
  search: {endpoint: "python:nowhere:nothing", cost: 9, modes: {now: {inputs: [topic], outcomes: {made: [special]}}}}
  write_a: {endpoint: "python:nowhere:nothing", modes: {now: {inputs: [source], outcomes: {made: [a]}}}}
  write_b: {endpoint: "python:nowhere:nothing", modes: {now: {inputs: [source], outcomes: {made: [b]}}}}
  write_c: {endpoint: "python:nowhere:nothing", modes: {now: {inputs: [special], outcomes: {made: [c]}}}}
goals:
  a: {label: the letter A, facts: [a], examples: [x]}
  b: {label: the letter B, facts: [b], examples: [x]}
  c: {label: the letter C, facts: [c], examples: [x]}
"""


def shown_for(office: Office, text: str) -> list[str]:
    catalog = office.services.snapshot(office.session).catalog
    shown = look_into(catalog, Notation(catalog), Planner(ENGINES[DEFAULT_ENGINE]), text, date(2026, 11, 21))
    return [line.split(" = ")[-1].partition("(")[0] for line in shown.plan.splitlines()]


def test_what_is_made_of_nothing_of_one_request_serves_all_though_it_could_be_made_otherwise(home: Path) -> None:
    office = Office(home, SCOPED)
    assert shown_for(office, "goal a; goal b") == ["find", "write_a", "write_b"]
    office.say("goal a; goal b")
    assert called(office) == ["find", "write_a", "write_b"]
    office.services.close()


def test_what_is_made_of_something_of_one_request_is_made_for_each(home: Path) -> None:
    office = Office(
        home, SCOPED.replace("inputs: [source], outcomes: {made: [b]}", "inputs: [special], outcomes: {made: [b]}")
    )
    shown = shown_for(office, "goal b; goal c")
    assert [step for step in shown if step != "get_info_api"] == ["search", "write_b", "search", "write_c"]
    office.say("goal b; goal c")
    office.say("topic=tax")
    office.say("topic=rent")
    assert called(office) == ["search", "write_b", "search", "write_c"]
    office.services.close()


def passing(skill: Skill, *optional: str) -> Skill:
    modes = {name: mode.model_copy(update={"optional": optional}) for name, mode in skill.modes.items()}
    return skill.model_copy(update={"modes": modes})


def goals_for(*facts: str) -> list[Goal]:
    return [Goal(name=fact, facts=(fact,), examples=("x",)) for fact in facts]


def test_what_a_call_makes_of_an_optional_input_of_one_request_serves_no_other_one() -> None:
    """The assistant passes the colour of the first request: the letter that comes of it is for that request alone."""
    catalog = declare(
        declare_fact("colour", scope="goal", fillable=False),
        *(declare_fact(fact, fillable=False) for fact in ("letter", "a", "b", "c")),
        declare_skill("paint", {"now": ([], {"done": ["colour"]})}),
        passing(declare_skill("write", {"now": ([], {"done": ["letter"]})}), "colour"),
        declare_skill("send_a", {"now": (["letter", "colour"], {"done": ["a"]})}),
        declare_skill("send_b", {"now": (["letter"], {"done": ["b"]})}),
        declare_skill("send_c", {"now": (["letter"], {"done": ["c"]})}),
        *goals_for("a", "b", "c"),
    )
    shown = check_calls(catalog)
    assert shown == ["paint", "write", "send_a", "write", "send_b", "send_c"]


def test_what_only_comes_of_a_call_does_not_go_along_with_it() -> None:
    catalog = declare(
        declare_fact("text", scope="goal", fillable=False),
        declare_fact("letter", is_a="text", fillable=False),
        passing(declare_skill("write", {"now": ([], {"done": ["letter"]})}), "text"),
        *goals_for("text", "letter"),
    )
    assert check_calls(catalog) == ["write"]


def test_what_a_call_gives_besides_replaces_what_was_found_for_all_and_no_call_is_made_for_it() -> None:
    catalog = declare(
        *(declare_fact(fact, fillable=False, scope="goal") for fact in ("x", "y", "z", "seed")),
        declare_fact("shared", fillable=False),
        declare_skill("sow", {"now": ([], {"done": ["seed"]})}),
        declare_skill("find", {"now": ([], {"done": ["shared"]})}),
        declare_skill("make_x", {"now": (["shared"], {"done": ["x"]})}),
        declare_skill("make_y", {"now": (["seed"], {"done": ["y", "shared"]})}),
        declare_skill("make_z", {"now": (["shared", "y"], {"done": ["z"]})}),
        *goals_for("x", "y", "z"),
    )
    assert check_calls(catalog) == ["find", "make_x", "sow", "make_y", "sow", "make_y", "make_z"]


# --- generated catalogs


@st.composite
def wishes(draw: st.DrawFn) -> Catalog:
    """Draw a catalog with two or three goals, each for a fact.

    In half of them, facts may be of `scope: goal`; there nothing is optional, as no plan can say what will be known by
    a call that it makes.
    """
    catalog = draw(catalogs(most_facts=7, most_skills=6, ordered=False))
    facts, skills = dict(catalog.facts), dict(catalog.skills)
    if draw(st.booleans()):
        facts = {name: fact.model_copy(update={"scope": draw(st.sampled_from(Scope))}) for name, fact in facts.items()}
        skills = {name: without_optional(skill) for name, skill in skills.items()}
    wanted = draw(some_of(tuple(catalog.facts), least=2))
    goals = {fact: Goal(name=fact, facts=(fact,), examples=("x",)) for fact in wanted}
    return catalog.model_copy(update={"facts": facts, "skills": skills, "goals": goals})


def without_optional(skill: Skill) -> Skill:
    modes = {name: mode.model_copy(update={"optional": ()}) for name, mode in skill.modes.items()}
    return skill.model_copy(update={"modes": modes})


def replaces(planned: JointPlan) -> bool:
    """Return whether a call replaces what another one has found for all requests: a plan forgets nothing."""
    made = [output for step in planned.plan.steps if step.kind is StepKind.SKILL for output in step.outputs]
    facts = [split(output)[1] for output in made]
    return any(not split(output)[0] and facts.count(output) > 1 for output in made)


class Obliging(TellsNothing, Talk):
    """A conversation in which everything goes as it is planned: skills come back as hoped for, people answer."""

    def __init__(self, home: Path, catalog: Catalog, coming: JointPlan) -> None:
        self.coming: dict[tuple[str, str], list[str]] = {}
        for step in coming.plan.steps:
            if step.kind is StepKind.SKILL:
                mode = split(step.mode or "")[1]
                self.coming.setdefault((step.subject, mode), []).append(split(step.outcome or "")[1])
        self.calls: list[tuple[str, str]] = []
        loaded = Loaded(catalog, {}, "random.yaml", "random")
        self.services = Services(
            SqliteStore(home / "sessions.db"), {"random": loaded}, understander=Notation, caller=self
        )
        self.session = self.services.start("random")

    def call(self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str) -> Returned:
        self.calls.append((skill, mode))
        outcome = self.coming[skill, mode].pop(0)
        facts = {fact: f"{fact} by {skill}" for fact in catalog.skills[skill].modes[mode].outcomes[outcome].facts}
        return Returned(Result(outcome, facts), (), 0.0)

    def talk(self, text: str) -> None:
        self.say(text)
        for _ in range(30):
            pending = self.now.questions.pending
            if pending is None:
                return
            about, subject = pending.asked.about, pending.asked.subject
            self.say(f"{subject}=something" if about == "fact" else "yes")
        raise AssertionError("It does not come to an end.")


@given(wishes())
@settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
def test_the_calls_that_are_made_are_those_of_the_plan_that_is_shown(catalog: Catalog) -> None:
    engine = ENGINES[DEFAULT_ENGINE]
    text = asking_for(catalog)
    requests = requests_of(catalog, Notation(catalog).understand(text, Context(today=date(2026, 11, 21))))
    planned = plan_joint(catalog, requests, engine)
    assume(isinstance(planned, JointPlan))
    assert isinstance(planned, JointPlan)
    assume(not replaces(planned))
    alone = [plan_joint(catalog, [request], engine) for request in requests]
    costs = [one.plan.cost for one in alone if isinstance(one, JointPlan)]
    assert len(costs) == len(requests)
    assert planned.plan.cost <= sum(costs) + ROUNDING
    check_calls(catalog)


@given(wishes(), st.data())
@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_said_beside_a_later_request_is_there_for_the_first(catalog: Catalog, data: st.DataObject) -> None:
    """It was planned with, and withheld until the later request began: the first call ended in a PermissionError."""
    asked = tuple(name for name, fact in catalog.facts.items() if fact.askable and name not in catalog.goals)
    assume(asked)
    said = {goal: data.draw(some_of(asked), label=goal) for goal in list(catalog.goals)[1:]}
    text = asking_for(catalog, said)
    requests = requests_of(catalog, Notation(catalog).understand(text, Context(today=date(2026, 11, 21))))
    planned = plan_joint(catalog, requests, ENGINES[DEFAULT_ENGINE])
    assume(isinstance(planned, JointPlan) and not replaces(planned))
    check_calls(catalog, said)


def asking_for(catalog: Catalog, said: Mapping[str, Sequence[str]] | None = None) -> str:
    """Ask for all goals of a catalog, with values for the facts that are said beside them."""
    beside = {goal: ", ".join(f"{fact}=something" for fact in facts) for goal, facts in (said or {}).items()}
    return "; ".join(
        f"goal {goal} with {beside[goal]}" if beside.get(goal) else f"goal {goal}" for goal in catalog.goals
    )


def check_calls(catalog: Catalog, said: Mapping[str, Sequence[str]] | None = None) -> list[str]:
    """Check that a conversation about all goals of a catalog makes the calls that are shown; return their skills."""
    text = asking_for(catalog, said)
    requests = requests_of(catalog, Notation(catalog).understand(text, Context(today=date(2026, 11, 21))))
    planned = plan_joint(catalog, requests, ENGINES[DEFAULT_ENGINE])
    assert isinstance(planned, JointPlan)
    shown = [(step.subject, split(step.mode or "")[1]) for step in planned.plan.steps if step.kind is StepKind.SKILL]
    with TemporaryDirectory() as home:
        talk = Obliging(Path(home), catalog, planned)
        try:
            talk.talk(text)
            assert talk.calls == shown
            assert {goal.status for goal in talk.now.goals.past} == {"achieved"}
        finally:
            talk.services.close()
    return [skill for skill, _ in shown]
