"""Why a stage was split, why it is stuck, and what would help: as the log says, over tasks that are made up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.tasks.generate import ONE_THING, MadeUp, make_up
from explain.claim import Claim, More
from explain.tasks import TaskQuestion, TaskQuestionKind, TaskRecord, claims, explain_task
from explain.tasks.answers import answer_about_task
from explain.tasks.record import AskedFor, DoubtedInput, EndedCall
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.engines.protocol import Engine
from planning.hierarchy.description import Activity
from planning.hierarchy.search import PlanDirectly, Search, SearchBounds
from planning.hierarchy.tree import (
    Attempt,
    DirectlyPlanned,
    Impossible,
    Missing,
    MissingKind,
    PlanDropped,
    Planned,
    Reopened,
    SplitAttempted,
)
from planning.model import GaveUp, Limits, PlanningResult, Task
from tests.explain.tasks.made_up import FIRST, record_with, searched
from tests.explain.tasks.own_judge import Factory, OwnJudge, Told
from tests.planning.declare import declare, declare_fact, declare_skill
from tests.planning.hierarchy.tasks import chain, describe, made, makes, plant, script, search

Kind = TaskQuestionKind
MADE_UP = st.builds(make_up, st.integers(0, 10_000), st.integers(2, 8), st.integers(1, 3), st.sampled_from(ONE_THING))
FIVE = [(f"Make f{n}.", [f"f{n - 1}"], [f"f{n}"]) for n in range(1, 6)]
LACKING = chain(5, needing={3: "x"})


def ask(record: TaskRecord, kind: Kind, stage: str = "1", **about: Any) -> tuple[Claim, ...]:
    return explain_task(record, TaskQuestion(kind, stage, **about))


def say(record: TaskRecord, kind: Kind, stage: str = "1", **about: Any) -> str:
    return answer_about_task(record, TaskQuestion(kind, stage, **about)).text()


def plain(found: Iterable[Missing]) -> tuple[Any, ...]:
    return tuple((one.kind.value, one.facts) for one in found)


def told(found: Iterable[Claim], stage: str) -> Told:
    """Write what claims say of one stage as the judge does."""
    said: Told = set()
    for claim in found:
        if isinstance(claim, claims.StageClaim) and claim.stage == stage:
            match claim:
                case claims.NotPlanned():
                    said.add(("open", stage))
                case claims.InOnePiece(plan=plan, evidence=(entry,)):
                    said.add(("in one piece", stage, entry, tuple(step.subject for step in plan.steps)))
                case claims.LacksInOnePiece(sets=sets, evidence=(entry,)):
                    said.add(("lacks", stage, entry, tuple(map(plain, sets))))
                case claims.SplitRefused(attempt=number, refusals=refusals, evidence=(entry,)):
                    reasons = tuple((one.flaw.value, one.stage, one.facts) for one in refusals)
                    said.add(("refused", stage, number, entry, reasons))
                case claims.SplitStuck(attempt=number, stuck=stuck, evidence=evidence):
                    said.add(("stuck", stage, number, evidence[0], tuple(name for name, _ in stuck)))
                case claims.SplitToSpare(attempt=number, evidence=evidence):
                    said.add(("to spare", stage, number, evidence[0]))
                case claims.SplitTaken(attempt=number, evidence=evidence):
                    said.add(("taken", stage, number, evidence[0]))
                case claims.NothingProposed(proposers=proposers):
                    said.add(("none", stage, frozenset(proposers)))
                case _:
                    pass
    return said


def judge_of(record: TaskRecord) -> OwnJudge:
    return OwnJudge((entry, move.model_dump(mode="json")) for entry, move in record.moves)


def entries(record: TaskRecord) -> set[int]:
    return {entry for entry, _ in record.moves}


@given(MADE_UP, st.booleans())
def test_the_reasons_that_are_told_of_every_stage_are_those_of_the_log(made: MadeUp, supplied: bool) -> None:
    more = made.documents if supplied else ()
    record = searched(made.catalog, plant(made.task, made.known), supplied=more)
    judge = judge_of(record)
    assert judge.texts.keys() | {"1"} == record.tree.hypotheses.keys()
    for stage in record.tree.hypotheses:
        found = ask(record, Kind.WHY, stage)
        assert told(found, stage) == judge.why(stage), stage
        assert all(set(claim.evidence) <= entries(record) for claim in found)
        assert all(isinstance(claim, claims.NotPlanned | More) or claim.evidence for claim in found)
        said = answer_about_task(record, TaskQuestion(Kind.WHY, stage))
        assert said.sentences and set(said.evidence) <= entries(record)


@given(MADE_UP)
def test_what_is_said_to_help_is_enough_and_what_was_hidden(made: MadeUp) -> None:
    record = searched(made.catalog, plant(made.task, made.known))
    found = ask(record, Kind.WHAT_HELPS)
    factory = Factory(
        (mode.inputs, mode.gives) for skill in made.catalog.skills.values() for mode in skill.modes.values()
    )
    if made.is_whole:
        assert [type(claim) for claim in found] == [claims.NothingLacks]
        return
    supply = [claim.missing.model_dump(mode="json") for claim in found if isinstance(claim, claims.Supply)]
    assert sorted(fact for one in supply for fact in one["facts"]) == sorted(made.functions + made.documents)
    assert not any(isinstance(claim, claims.NotEnough | claims.NothingKnown) for claim in found)
    assert factory.helps(made.known, supply, made.task.results)
    others = [claim.sets for claim in found if isinstance(claim, claims.OtherRemedies)]
    for sets in (one for every in others for one in every):
        plain_set = [one.model_dump(mode="json") for one in sets]
        assert factory.helps(made.known, plain_set, made.task.results)
        for left_out in range(len(plain_set)):
            rest = plain_set[:left_out] + plain_set[left_out + 1 :]
            assert not factory.helps(made.known, rest, made.task.results)


@given(MADE_UP)
def test_what_always_lacked_lacked_in_one_piece_and_in_every_split(made: MadeUp) -> None:
    record = searched(made.catalog, plant(made.task, made.known))
    judge = judge_of(record)

    def lacks(stage: str, facts: set[str]) -> bool:
        """Return whether a stage, or some stage within it, lacks one of some facts."""
        inside = [one for one in judge.verdicts if f"{one}.".startswith(f"{stage}.")]
        sets = [said[-1][1].get("sets", ()) for said in map(judge.verdicts.__getitem__, inside)]
        return any(facts & set(one["facts"]) for found in sets for every in found for one in every)

    always = [claim for claim in ask(record, Kind.WHY_STUCK) if isinstance(claim, claims.Always)]
    for claim in always:
        facts = set(claim.missing.facts)
        for stage, _ in claim.stages:
            taken = [n for n, (_, one) in enumerate(judge.attempts.get(stage, ()), start=1) if judge.is_taken(one)]
            assert lacks(stage, facts)
            assert all(any(lacks(inner, facts) for inner in judge.stages(stage, number)) for number in taken)
    if made.documents:
        assert [claim.missing.facts for claim in always] == [made.documents]


def test_a_split_says_which_function_it_adds_that_planning_in_one_piece_lacked() -> None:
    catalog = chain(5, without=3)
    record = searched(catalog, plant(describe("f5")), attempts=1)
    stuck = ask(record, Kind.WHY)
    assert "it lacks a function that gives f3" in say(record, Kind.WHY)
    assert any(isinstance(claim, claims.Supply) and claim.missing.facts == ("f3",) for claim in stuck)
    whole = chain(5)
    moves = [*(move for _, move in record.moves), Reopened()]
    tree = record.tree.after(moves[-1])
    stage = next(one for one, judged in tree.hypotheses.items() if one != "1" and not tree.is_solved(one))
    more = Search(whole).take(tree, Search(whole).next_step(tree))  # type: ignore[arg-type]
    after = record_with(whole, tree.after(more), [*moves, more], proposers=record.proposers)
    assert after.tree.is_solved("1") and more.move == "planned"
    (taken,) = (claim for claim in ask(after, Kind.WHY_SPLIT) if isinstance(claim, claims.SplitTaken))
    assert [facts for _, facts in taken.fills] == [("f3",)]
    assert "gives f3, for which a plan in one piece has no function" in say(after, Kind.WHY)
    assert "Before that it lacked a function that gives f3; then a skill was supplied." in say(after, Kind.WHY, stage)


def test_refusals_limits_and_stages_that_are_stuck_are_told() -> None:
    few = script(FIVE[:4], [FIVE[0]] * 11)
    record = searched(LACKING, plant(describe("f5")), few, attempts=2)
    text = say(record, Kind.WHY_STUCK)
    assert "Attempt 1 has 4 stages from script. It was refused. It has too few stages. No stage gives f5." in text
    assert "at most 2 splits of one stage are tried" in text
    assert "It was refused." in say(record, Kind.WHY_SPLIT)
    record = searched(LACKING, plant(describe("f5")), depth=0)
    assert "The task is not split further: stages are split at most 0 times" in say(record, Kind.WHY)
    assert "Every attempt lacked the x." in say(record, Kind.WHY_STUCK)
    record = searched(LACKING, plant(describe("f5")), hypotheses=1)
    assert "there are 1 stages already" in say(record, Kind.WHY)
    record = searched(LACKING, plant(describe("f5")), script(FIVE), attempts=1)
    text = say(record, Kind.WHY)
    assert "Attempt 1 has 5 stages from script. It is stuck at “Make f3”." in text
    assert "In one piece “Make f3” cannot be planned: it lacks the x" in text
    assert "What is missing is the x, for “Make f3”; every attempt lacked it. Hand over the x: " in text
    assert "For this stage, no other split was found by script." in say(record, Kind.WHY_SPLIT, "1.1.3")


def test_a_stage_that_was_stuck_says_what_was_handed_over_then() -> None:
    record = searched(LACKING, plant(describe("f5")), supplied=["x"])
    stages = [one for one in record.tree.hypotheses.values() if "f3" in one.description.facts]
    text = say(record, Kind.WHY, stages[0].id)
    assert "Before that it lacked the x; then a person handed over the x." in text
    assert say(record, Kind.WHAT_HELPS) == "Nothing is missing: the task has a plan."


def test_a_stage_that_is_there_already_needs_no_step() -> None:
    record = searched(chain(1), plant(describe("f0")))
    assert say(record, Kind.WHY) == "The task needs no step: what it is to end with is there."
    record = searched(chain(1), plant(describe("f1")))
    assert say(record, Kind.WHY_SPLIT) == "The task has a plan in one piece, so it needs no split. It has 1 step: s1."
    assert say(record, Kind.WHY_STUCK) == say(record, Kind.WHY)


def test_nobody_has_looked_at_a_stage_yet_or_there_is_none() -> None:
    record = record_with(chain(1), plant(describe("f1")), ())
    assert say(record, Kind.WHY) == "The task is not planned yet."
    assert say(record, Kind.WHY, "1.7") == "There is no stage “1.7” in this task."
    assert say(record, Kind.WHAT_HELPS).startswith("It is not known what would help the task.")


def test_planning_that_gave_up_says_so_and_that_nobody_knows_what_would_help() -> None:
    catalog, task = chain(5), describe("f5")
    made_search = Search(catalog, SearchBounds(depth=0, plan=Limits(time_s=0.0)))
    tree = plant(task)
    move = made_search.take(tree, made_search.next_step(tree))  # type: ignore[arg-type]
    record = record_with(catalog, tree.after(move), [move], bounds=made_search.bounds)
    assert say(record, Kind.WHY_STUCK).startswith("Planning the task in one piece gave up: ")
    assert "It is not known what would help the task." in say(record, Kind.WHY)


class Patchy:
    """An engine that gives up on some goals."""

    def __getattr__(self, name: str) -> object:
        return getattr(ENGINES[DEFAULT_ENGINE], name)

    def solve(self, task: Task, limits: Limits, cancelled: Callable[[], bool]) -> PlanningResult:
        if {atom.subject for atom in task.goal} in ({"f2"}, {"f5"}):
            return GaveUp("It is patchy.", "patchy")
        return ENGINES[DEFAULT_ENGINE].solve(task, limits, cancelled)


def test_stages_that_nothing_would_help_are_named_beside_what_is_missing() -> None:
    patchy: Engine = Patchy()  # type: ignore[assignment]
    bounds = SearchBounds(attempts=1)
    made_search = Search(LACKING, bounds, engine=patchy, proposers={"script": script(FIVE)})
    tree, moves = plant(describe("f5")), []
    for move, after in made_search.run(tree):
        moves.append(move)
        tree = after
    record = record_with(LACKING, tree, moves, bounds=made_search.bounds, proposers=("script",))
    text = say(record, Kind.WHAT_HELPS)
    assert text.startswith("What is missing is the x, for “Make f3”; every attempt lacked it.")
    assert text.endswith("That alone would not be enough: nothing is known that would help “Make f2” and “Make f5”.")
    assert "Planning “Make f2” in one piece gave up: It is patchy." in say(record, Kind.WHY)


def test_a_plan_that_did_not_hold_says_what_came_back_instead() -> None:
    catalog = declare(declare_skill("try_it", {"go": (["f0"], {"done": ["f1"], "failed": []})}), made("f1"), plain="f0")
    moves, tree = search(catalog, plant(describe("f1")))
    plan = tree.root.plan
    assert isinstance(plan, Planned)
    dropped = PlanDropped(hypothesis="1", ruled_out=plan.steps[0].name)
    more, tree = search(catalog, tree.after(dropped))
    came = EndedCall(2, 3, "try_it", "go", "failed", "It was out of order.")
    record = record_with(catalog, tree, [*moves, dropped, *more], calls=(came,))
    text = say(record, Kind.WHY)
    assert text.startswith(
        "The task had a plan with “try it”, which did not give what the plan needs: It was out of order. "
        "In one piece the task cannot be planned: it lacks a function that gives f1."
    )
    first = ask(record, Kind.WHY)[0]
    assert first.evidence == (2, 3, FIRST + 1)
    silent = replace(record, calls=(replace(came, outcome="done"),))
    assert "which did not give what the plan needs. In" in say(silent, Kind.WHY)
    unknown = record_with(catalog, tree, [replace_drop(dropped), *more])
    assert "had a plan" not in say(unknown, Kind.WHY)


def replace_drop(dropped: PlanDropped) -> PlanDropped:
    return dropped.model_copy(update={"ruled_out": "another one"})


def test_a_consent_that_was_declined_is_why_a_plan_did_not_hold() -> None:
    catalog = declare(makes("tell", "secret", "f1"), made("f1"), declare_fact("secret", sensitive=True))
    moves, tree = search(catalog, plant(describe("f1", "secret")))
    assert tree.root.plan
    step = tree.root.plan.steps[0]
    dropped = PlanDropped(hypothesis="1", ruled_out=step.name)
    more, tree = search(catalog, tree.after(dropped))
    wanted = AskedFor(3, "consent", ("secret",), "tell", None, settled=True, no=4)
    record = record_with(catalog, tree, [*moves, dropped, *more], wanted=(wanted,))
    text = say(record, Kind.WHY)
    assert "The task had a plan with “consent for tell”, and a person said no to it." in text
    assert ask(record, Kind.WHY)[0].evidence == (4, FIRST + 1)
    assert "What is missing is consent to use the secret; every attempt lacked it." in text


def test_a_word_that_was_given_after_all_is_what_unblocked_a_stage() -> None:
    catalog = chain(1)
    lacking = Missing(kind=MissingKind.INFORMATION, facts=("f0",), consent=True)
    stuck = DirectlyPlanned(hypothesis="1", verdict=Impossible(sets=((lacking,),)))
    allowed = Reopened(allowed=("authorize s1",))
    (planned,), tree = search(catalog, plant(describe("f1")))
    record = record_with(catalog, tree, [stuck, allowed, planned])
    assert "Before that it lacked consent to use the f0; then a person said yes." in say(record, Kind.WHY)


def test_a_proposer_that_was_of_no_use_says_what_went_wrong() -> None:
    record = searched(LACKING, plant(describe("f5")), depth=0)
    moves = [move for _, move in record.moves]
    for trouble, unheard in (("It proposed 40 stages.", False), ("Nobody answers.", True)):
        attempt = Attempt(proposer="model", trouble=trouble, unheard=unheard)
        moves.append(SplitAttempted(hypothesis="1", attempt=attempt))
    tree = plant(describe("f5"))
    for move in moves:
        tree = tree.after(move)
    text = say(record_with(LACKING, tree, moves), Kind.WHY)
    assert "A language model gave no split that could be used: It proposed 40 stages." in text
    assert "A language model could not be asked for a split: Nobody answers." in text
    assert "no other split was found" not in text


def test_what_somebody_is_asked_for_besides_is_told_of_the_task_alone() -> None:
    record = searched(chain(1), plant(describe("f1", criteria=[{"judge": "It is nice.", "of": "f1"}])))
    kinds = [AskedFor(20, "consent", ("f0",), "s1"), AskedFor(21, "call", (), "s1"), AskedFor(22, "in_doubt", (), "s1"),
             AskedFor(23, "judge", criterion=1), AskedFor(24, "description"), AskedFor(25, "information", ("f0",)),
             AskedFor(26, "judge", criterion=1, settled=True)]  # fmt: skip
    asked = replace(record, wanted=tuple(kinds))
    assert say(asked, Kind.WHAT_HELPS) == (
        "Nothing is missing: the task has a plan. It waits for consent to give the f0 to the s1. "
        "It waits for a go-ahead to call the s1. It waits for a person to find out whether the s1 took "
        "effect. It waits for a judge to decide: It is nice. It waits for a person to complete or confirm the "
        "description of the task."
    )
    stuck = searched(LACKING, plant(describe("f5")), script(FIVE), attempts=1)
    asked = replace(stuck, wanted=(AskedFor(30, "information", ("x",)), AskedFor(31, "call", (), "s1")))
    (supply,) = (claim for claim in ask(asked, Kind.WHAT_HELPS) if isinstance(claim, claims.Supply))
    assert supply.asked and 30 in supply.evidence
    not_there = replace(asked, wanted=(replace(asked.wanted[0], not_there=True),))
    assert "A person who was asked does not have it. Hand over" in say(not_there, Kind.WHAT_HELPS)
    assert not any(isinstance(claim, claims.Awaits) for claim in ask(asked, Kind.WHAT_HELPS, "1.1.3"))


def test_money_that_does_not_reach_is_why_there_is_no_plan() -> None:
    catalog = chain(1)
    dear = DirectlyPlanned(hypothesis="1", verdict=Impossible(over_budget=12.5))
    record = record_with(catalog, plant(describe("f1")).after(dear), [dear])
    assert "it would take 12.5, and the budget is less." in say(record, Kind.WHY)
    none = DirectlyPlanned(hypothesis="1", verdict=Impossible())
    record = record_with(catalog, plant(describe("f1")).after(none), [none])
    assert "In one piece the task cannot be planned." in say(record, Kind.WHY)


def test_of_many_stages_that_are_stuck_the_first_are_told() -> None:
    catalog = chain(9, needing={n: f"x{n}" for n in range(1, 10)})
    stages = [(f"Make f{n}.", [f"f{n - 1}"], [f"f{n}"]) for n in range(1, 10)]
    record = searched(catalog, plant(describe("f9")), script(stages), attempts=1)
    assert "And 3 more." in say(record, Kind.WHY_STUCK)


def test_of_two_ways_neither_lack_is_always_there() -> None:
    catalog = declare(makes("one", "x", "f1"), makes("other", "y", "f1"), made("f1"), plain="x y")
    record = searched(catalog, plant(describe("f1", "")))
    text = say(record, Kind.WHY_STUCK)
    assert "In one piece the task cannot be planned: it lacks the x; or else the y." in text
    assert "Every attempt" not in text and "every attempt" not in say(record, Kind.WHAT_HELPS)
    assert "Instead, the y; or else a function that gives x would do." in say(record, Kind.WHAT_HELPS)


def test_a_split_that_is_not_needed_any_more_is_told_after_the_plan_in_one_piece() -> None:
    record = searched(LACKING, plant(describe("f5")), script(FIVE), supplied=["x"], attempts=1)
    assert "Attempt 1 has 5 stages from script, and all its stages have a plan." in say(record, Kind.WHY)
    move = Search(LACKING).take(record.tree, PlanDirectly("1"))
    after = replace(record, tree=record.tree.after(move), moves=(*record.moves, (99, move)))
    text = say(after, Kind.WHY)
    assert text.startswith("The task has a plan in one piece, so it needs no split. It has 5 steps: s1 → s2 → ")
    assert "In one piece the task could not be planned at first: it lacked the x" in text
    assert "All its stages have a plan, but another one was there first." in text
    silent = replace(after, moves=tuple((at, one) for at, one in after.moves if not isinstance(one, Reopened)))
    assert "Before that" in text and "Before that" not in say(silent, Kind.WHY)


def test_a_plan_that_was_just_dropped_is_told_before_anything_is_planned_anew() -> None:
    moves, tree = search(chain(1), plant(describe("f1")))
    dropped = PlanDropped(hypothesis="1", ruled_out=tree.root.plan.steps[0].name)  # type: ignore[union-attr]
    record = record_with(chain(1), tree.after(dropped), [*moves, dropped])
    assert say(record, Kind.WHY).startswith("The task had a plan with “s1”, which did not give what the plan needs. ")


def test_a_split_over_a_list_that_is_not_there_says_what_it_needs() -> None:
    catalog = declare(
        declare_fact("plank"), declare_fact("planks", list_of="plank"), made("board"), made("boards", list_of="board"),
        made("table"), makes("saw", "plank", "board"), makes("glue", "boards", "table"),
    )  # fmt: skip
    activities = [
        Activity.model_validate({"text": "Saw them.", "each": {"plank": "planks"}, "results": ["boards"]}),
        Activity.model_validate({"text": "Glue them.", "inputs": ["boards"], "results": ["table"]}),
    ]
    moves, tree = search(catalog, plant(describe("table", "")), activities=activities)
    record = record_with(catalog, tree, moves, proposers=("given",))
    assert "A list of activities was given for the task, so it is followed." in say(record, Kind.WHY_SPLIT)
    text = say(record, Kind.WHY)
    assert "Attempt 1 has 2 stages from your own list of activities. It waits for the planks to be" in text
    assert "What is missing is the planks" in text


def test_what_was_handed_over_and_turned_out_wrong_is_told_with_the_reason() -> None:
    record = searched(chain(2), plant(describe("f2")))
    doubt = DoubtedInput(32, "f0", "s1", "1", "That holds no table.", 30, 31)
    doubted = replace(record, doubts=(doubt, replace(doubt, stage="1.1.2")))
    wrong = "Something is wrong with the f0 that was handed over: That holds no table. Hand over another one: "
    assert wrong in say(doubted, Kind.WHY) and say(doubted, Kind.WHAT_HELPS).startswith(wrong)
    claim = ask(replace(record, doubts=(doubt,)), Kind.WHAT_HELPS)[0]
    assert claim.evidence == (30, 31, 32)
    stuck = searched(LACKING, plant(describe("f5")), script(FIVE), attempts=1)
    elsewhere = replace(stuck, doubts=(replace(doubt, stage="1.1.2"),))
    assert "Something is wrong" in say(elsewhere, Kind.WHAT_HELPS)
    assert "Something is wrong" not in say(elsewhere, Kind.WHAT_HELPS, "1.1.3")
