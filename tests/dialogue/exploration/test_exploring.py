"""What is reported of what can happen."""

from __future__ import annotations

from datetime import date

import pytest

from catalog.load import load
from catalog.model import Catalog, Effect, Goal
from catalog.model.properties import read_property
from catalog.values import KINDS
from dialogue.exploration.explore import explore, judge, make_stage, name_goal
from dialogue.exploration.report import ExplorationReport, PropertyVerdict
from dialogue.exploration.scripted_environment import EnvironmentMove, EnvironmentMoveKind
from dialogue.exploration.state_space import Graph, Happenings, Node, NodeKind, walk
from language.readers import read_answer
from planning.engines import Cancelled
from planning.engines.native import NativeEngine
from planning.model import Limits, PlanningResult, Task
from planning.state_space.paths import Edge, Paths, WalkBounds, WalkProgress
from planning.task.errors import UnknownName
from tests.dialogue.exploration.toys import library, shop, stage, told, walked

ALL = WalkBounds(None, None)
DECLARED = """
properties:
  never: [pay called > 1, pay called > 0, card asked > 1, receipt known, dead end]
  always: [consent before card leaves, consent before name leaves, pay before rate, goal reached]
"""


def report(
    catalog: Catalog, goal: str, *known: str, failures: bool = False, bounds: WalkBounds = ALL
) -> ExplorationReport:
    return explore(stage(catalog), goal, known, bounds=bounds, failures=failures)


def test_every_outcome_and_every_fate_of_every_question_is_walked() -> None:
    """Moves, from the request on: yes and no, an answer and none, each outcome."""
    graph = walked(shop(), "receipt")
    moves = set(told([edge.move for edge in graph.edges]))
    assert moves == {
        "request receipt",
        "agree pay",
        "decline pay",
        "answer card",
        "skip card",
        "answer name",
        "skip name",
        "comes pay paid",
        "comes pay refused",
    }


def test_a_goal_is_reached_sometimes_always_or_never() -> None:
    """It depends on people, on skills, or on nobody."""
    assert report(shop(), "receipt").verdict is PropertyVerdict.SOMETIMES
    assert report(shop(), "receipt").cooperative is PropertyVerdict.SOMETIMES
    assert report(shop(), "receipt", "receipt").verdict is PropertyVerdict.ALWAYS
    surely = shop().model_copy(update={"goals": {"name": Goal(name="name", facts=("name",))}})
    assert report(surely, "name").cooperative is PropertyVerdict.ALWAYS
    assert report(surely, "name").verdict is PropertyVerdict.SOMETIMES
    hopeless = shop().model_copy(update={"skills": {}})
    assert report(hopeless, "receipt").verdict is PropertyVerdict.NEVER


def test_the_most_questions_calls_and_costs_are_found_with_a_conversation_that_has_them() -> None:
    """A name that the rater does not know is asked for again, until its tries are used up."""
    found = report(shop(), "rating")
    most = {extreme.what: extreme.most for extreme in found.extremes}
    assert most == {"questions": 2, "calls": 2, "cost": 4}
    (questions,) = [e for e in found.extremes if e.what == "questions"]
    assert told(list(questions.trace))[:3] == ["request rating", "answer name", "comes rate unknown"]
    assert found.shortest is not None
    assert found.shortest.most == 2


def test_conversations_are_counted_one_by_one_though_states_are_merged() -> None:
    """By hand, for a rating: skip; rated; unknown, then skip or one of three outcomes; closed, then one of three."""
    found = report(shop(), "rating")
    assert (found.conversations, found.reached) == (9, 3)


def test_an_irreversible_skill_is_proved_to_be_called_at_most_once() -> None:
    """However the card is doubted, whoever answers what, and even if the call fails with an error."""
    for failures in (False, True):
        found = report(shop(), "receipt", failures=failures)
        (pay,) = found.skills
        assert (pay.skill, pay.effect, pay.sensitive, pay.most) == ("pay", Effect.IRREVERSIBLE, ("card",), 1)
        assert found.complete


def test_errors_of_skills_are_walked_where_asked_for() -> None:
    """The one more move of each call."""
    plain, failing = (walked(shop(), "rating", failures=failures) for failures in (False, True))
    assert "fails rate" not in told([edge.move for edge in plain.edges])
    assert "fails rate" in told([edge.move for edge in failing.edges])


def test_dead_ends_come_with_what_is_missing_and_what_is_said() -> None:
    """In the assistant's own words."""
    found = report(shop(), "receipt")
    missing = {(end.information, end.functionality) for end in found.dead_ends}
    assert (("card",), ()) in missing
    assert ((), ("receipt",)) in missing
    assert all("see no way left" in end.said for end in found.dead_ends)
    assert sum(end.conversations or 0 for end in found.dead_ends) == (found.conversations or 0) - (found.reached or 0)


def test_what_never_comes_up_is_named() -> None:
    """An optional fact that nobody is asked for; skills that have nothing to do with the goal."""
    found = report(shop(), "receipt")
    assert found.coverage.unused == (("ask", "note"),)
    assert found.coverage.irrelevant == ("rate",)
    assert found.coverage.exercised == found.coverage.relevant - 1


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("receipt", [True, False, True, False, False, True, False, True, False]),
        ("both", [True, False, True, False, False, True, False, False, False]),
    ],
)
def test_properties_are_proved_or_broken_by_a_shortest_conversation(goal: str, expected: list[bool]) -> None:
    """Each of the forms there are."""
    found = report(shop(DECLARED), goal)
    assert [judged.holds for judged in found.properties] == expected
    for judged in found.properties:
        assert bool(judged.trace) != judged.holds
    breaks = {str(judged.property): told(list(judged.trace)) for judged in found.broken}
    assert breaks["never: receipt known"][-1] == "comes pay paid"
    assert breaks["never: dead end"][-1].split()[0] in ("skip", "decline")


def test_a_bound_is_said_with_how_far_it_came() -> None:
    """Nothing provisional is called proved."""
    found = report(shop(DECLARED), "both", bounds=WalkBounds(6, None))
    assert not found.complete
    assert found.coverage.stopped == "the bound of 6 states"
    assert found.coverage.open > 0
    assert None in [judged.holds for judged in found.properties]
    assert True not in [judged.holds for judged in found.properties]
    assert explore(stage(shop()), "both", bounds=WalkBounds(None, 0.0)).coverage.stopped == "the bound of 0 s"


def test_it_can_be_stopped() -> None:
    """By whoever waits for it, who is told how far it has come."""
    seen: list[int] = []

    def stop(at: WalkProgress) -> bool:
        seen.append(at.states)
        return len(seen) > 3

    found = explore(stage(shop()), "both", cancelled=stop)
    assert seen[0] == 1
    assert found.coverage.stopped == "your request"


def test_facts_can_be_a_goal_that_nobody_declared() -> None:
    """A declared goal of the same facts is taken; else one is made up."""
    assert name_goal(shop(), ["receipt"])[1] == "receipt"
    assert name_goal(shop(), ["rating", "receipt"])[1] == "both"
    catalog, goal = name_goal(shop(), ["name", "note"])
    assert report(catalog, goal).reached == 1
    with pytest.raises(UnknownName):
        name_goal(shop(), ["nothing"])
    with pytest.raises(UnknownName):
        report(shop(), "receipt", "nothing")


def test_goals_with_alternatives_can_be_explored_together_and_with_facts() -> None:
    """Each of them keeps its alternatives; what is made up wants one of each."""
    either = Goal(name="either", label="this or that", either=(("receipt",), ("rating",)))
    other = Goal(name="other", label="a name or a note", either=(("name",), ("note",)))
    declared = shop().model_copy(update={"goals": {**shop().goals, "either": either, "other": other}})
    assert name_goal(declared, ["either"])[1] == "either"
    catalog, goal = name_goal(declared, ["either", "name"])
    assert (catalog.goals[goal].facts, catalog.goals[goal].either) == (("name",), either.either)
    assert goal == "this or that and name"
    assert report(catalog, goal).reached
    catalog, goal = name_goal(declared, ["either", "other"])
    assert catalog.goals[goal].either == tuple(
        (one, more) for one in ("receipt", "rating") for more in ("name", "note")
    )
    many = Goal(name="many", either=tuple((fact, "note") for fact in ("card", "name", "receipt", "rating") * 3))
    wide = declared.model_copy(update={"goals": {**declared.goals, "many": many}})
    with pytest.raises(ValueError, match="Explore the goals one by one"):
        name_goal(wide, ["many", "either"])


def test_skills_can_be_a_goal_that_nobody_declared() -> None:
    """It goes by the names of the goals that want them."""
    goals = {skill: Goal(name=skill, label=f"to {skill}", skills=(skill,)) for skill in ("pay", "rate")}
    catalog, goal = name_goal(shop().model_copy(update={"goals": goals}), ["pay", "rate"])
    assert (goal, catalog.goals[goal].skills) == ("to pay and to rate", ("pay", "rate"))


def test_consent_covers_only_what_it_names() -> None:
    """An optional sensitive fact that goes along with a consent for another is a breach."""
    catalog = load("banking").catalog
    assert report(catalog, "credit_score").properties[1].holds
    paths = Paths(walked(shop(), "receipt"))
    assert judge(shop(), paths, read_property("always", "consent before note leaves")).holds  # nobody ever gives it
    assert not judge(shop(), paths, read_property("always", "consent before name leaves")).holds


def circle() -> Graph:
    """Asked again and again."""
    nodes = [Node(NodeKind.START), Node(NodeKind.ASKING), Node(NodeKind.CALLING), Node(NodeKind.REACHED)]
    moves = [(0, 1, "request"), (1, 2, "answer"), (2, 1, "comes"), (1, 3, "skip")]
    edges: tuple[Edge[EnvironmentMove, Happenings], ...] = tuple(
        Edge(a, EnvironmentMove(EnvironmentMoveKind(kind), "name"), b, ()) for a, b, kind in moves
    )
    return Graph(tuple(nodes), edges, frozenset(), "", 0.0)


def test_moves_that_go_round_in_circles_have_no_longest_way() -> None:
    """And there is no counting them."""
    paths = Paths(circle())
    assert paths.circular == {1, 2}
    assert paths.count(lambda node: True) is None
    longest = paths.longest(lambda edge: 1.0)
    assert longest.value is None
    assert [edge.target for edge in longest.way] == [1, 2, 1]
    weightless = paths.longest(lambda edge: float(edge.move.kind is EnvironmentMoveKind.SKIP))
    assert weightless.value == 1
    judged = judge(shop(), paths, read_property("always", "goal reached"))
    assert judged.holds is False
    assert judged.trace


@pytest.mark.parametrize("name", list(KINDS))
def test_there_is_an_example_of_every_kind_of_value(name: str) -> None:
    """It is one that the kind takes; what can be said is read back as the same value."""
    needs = {"pattern": {"regex": "[0-9]+", "example": "17"}, "choice": {"options": {"red": (), "blue": ()}}}
    kind = KINDS[name].model_validate(needs.get(name, {}))
    today = date(2026, 11, 21)
    value = kind.check(kind.sample(today), today)
    assert kind.check(value, today) == value
    if kind.sayable:
        assert read_answer(kind, kind.show(value), today) == value


@pytest.mark.parametrize(
    "given",
    [
        {"kind": "number", "minimum": 10, "maximum": 10.5},
        {"kind": "number", "minimum": 7, "integer": True},
        {"kind": "money", "minimum": 500, "maximum": 1000},
        {"kind": "date", "earliest": "today + 3 days"},
        {"kind": "date", "latest": "1980-01-01"},
        {"kind": "text", "max_length": 3},
        {"kind": "phone", "region": "DE"},
    ],
)
def test_examples_keep_to_bounds(given: dict[str, object]) -> None:
    """Whatever they are."""
    kind = KINDS[str(given["kind"])].model_validate(given)
    today = date(2026, 11, 21)
    assert kind.accepts(kind.sample(today), today)


def test_what_was_planned_in_a_situation_is_not_planned_again() -> None:
    """A policy that remembers decides as one that does not, and asks its engine less often."""
    asked: list[Task] = []

    class Counting(NativeEngine):
        def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
            asked.append(task)
            return super().solve(task, limits, cancelled)

    catalog = load("banking").catalog
    counted = make_stage(catalog, Counting(), date(2026, 11, 21))
    plain = make_stage(catalog, NativeEngine(), date(2026, 11, 21))
    one, other = (walk(on, "mortgage", bounds=ALL) for on in (counted, plain))
    assert [edge.move for edge in one.edges] == [edge.move for edge in other.edges]
    planned = sum(edge.move.kind in (EnvironmentMoveKind.SKIP, EnvironmentMoveKind.COMES) for edge in one.edges)
    assert 0 < len(asked) < planned


@pytest.mark.parametrize("effect", ["none", "irreversible"])
def test_a_call_for_each_item_of_a_list_parts_at_each_item(effect: str) -> None:
    """Each item has each outcome, and each counts as a call."""
    found = report(library(effect), "shelves", failures=True)
    (use,) = found.skills
    assert use.most == 2
    assert [judged.holds for judged in found.properties] == [True]
    assert found.shortest is not None
    assert told(list(found.shortest.trace)) == [
        "request shelves",
        "answer titles",
        *(["agree find"] if effect == "irreversible" else []),
        "comes find found",
        "comes find found",
    ]
    graph = walked(library(effect), "shelves", failures=True)
    after_one = [e for e in graph.edges if e.source in {o.target for o in graph.edges if o.move.outcome == "found"}]
    assert set(told([edge.move for edge in after_one])) == {"comes find found", "comes find unknown", "fails find"}
