"""What is drawn of a task: its stages, attempts and reasons, what it asks for, its lists, criteria and results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from catalog.load import loads
from catalog.load.overlay import overlay
from catalog.skills import Result
from dialogue.tasks.reporting.progress import lists_of, progress_of
from explain.tasks import TaskRecord
from language.responses.tasks.on_page import begin_skill, say_request
from language.responses.tasks.report import MissingReport
from pages.shell.sheet import Node
from pages.tasks.missing import request_head
from pages.tasks.node import calls, head, how_it_came, steps_of
from pages.tasks.page import findings
from pages.tasks.page_state import TaskPage
from pages.tasks.progress import criteria, lists
from pages.tasks.tree import draw_tree, tree_graph
from tests.dialogue.tasks import workshop
from tests.dialogue.tasks.newsroom import STAGES, Newsroom, split
from tests.dialogue.tasks.workshop import CATALOG, PLANKS, Workshop
from tests.explain.tasks.test_results import shop as priced
from tests.language.scripted import Script
from tests.pages.test_views_of_rooms import acts, told

TABLE = f"task: Make a table\n{PLANKS}results: [table]\n"
HARD = CATALOG.replace("saw: {endpoint", "saw_up: {endpoint").replace("inputs: [plank]", "inputs: [plank, key]")


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    workshop.BEFORE.clear()
    made = Workshop(tmp_path / "shop")
    yield made
    made.close()
    workshop.BEFORE.clear()


def look(shop: Workshop, task_id: str, node: str = "1", step: str = "") -> TaskPage:
    return TaskPage(shop.tasks.view(task_id), node, step)


def drawn(nodes: Iterator[Node]) -> str:
    return told(list(nodes))


def test_what_is_missing_is_named_with_the_stages_that_need_it_and_every_stage_can_be_looked_at(shop: Workshop) -> None:
    task_id = shop.give(TABLE)
    seen = look(shop, task_id)
    assert [say_request(one) for one in seen.report.missing]
    assert all("Needed for “" in told([request_head(one)]) for one in seen.report.missing)
    shown = told(draw_tree(seen))
    assert "Make a table waits for a stage" in shown
    assert "Saw the planks has a plan" in shown
    stages = [act["what"] for act in acts(draw_tree(seen)) if act["do"] == "node"]
    assert set(stages) == set(seen.task.tree.hypotheses)
    for name in stages:
        assert seen.task.tree.hypotheses[name].description.text in told(head(seen, seen.task.tree.hypotheses[name]))
    nodes, edges = tree_graph(seen)
    assert {edge.source for edge in edges} <= {node.id for node in nodes}


def test_discarded_attempts_say_why(shop: Workshop) -> None:
    """Those that the check refused, and those whose stages are stuck; what counts is shown open."""
    task_id = shop.give(TABLE)
    seen = look(shop, task_id)
    whole = told(head(seen, seen.task.tree.root))
    for number, attempt in enumerate(seen.task.tree.root.attempts, start=1):
        assert (f"Attempt {number}:" in whole) is (attempt.split is not None)
    assert "Discarded:" in whole


def test_what_a_language_model_was_told_proposed_and_judged_is_said_and_a_person_can_judge(tmp_path: Path) -> None:
    fault = split(*STAGES[:4], new_facts=[{"name": "<b>", "what": "markup"}])
    judged = '{"reason": "<i>It is</i> kind.", "met": true}'
    client = Script([fault, "Hm.", "Well.", "So.", split(*STAGES), judged]).client
    room = Newsroom(tmp_path / "home", "http://127.0.0.1:9/v1", client=client)
    task = room.give(criteria="[{judge: It is kind., of: newsletter, by: model}]")
    seen = TaskPage(room.tasks.view(task), "1", "")
    whole = told(head(seen, seen.task.tree.root))
    assert "5 stages from a language model" in whole
    assert "Nothing of use came from a language model: it gave an answer that does not fit the form" in whole
    assert "What the language model was told, and what it answered" in whole
    assert '"task": "Prepare the newsletter"' in whole
    shown = drawn(criteria(seen))
    assert "judged by a language model" in shown
    assert "<i>It is</i> kind." in shown
    room.close()


def test_a_function_that_is_asked_for_says_what_it_has_to_fulfil_and_begins_with_its_facts() -> None:
    asked = MissingReport(
        kind="function", request=1, names=["sketch"], labels=["sketch"], introduced=["sketch"], criteria=["It is blue."]
    )
    assert "It has to fulfil: It is blue." in told([request_head(asked)])
    begun = begin_skill(asked.names, ["page"], asked.introduced)
    base = loads("name: n\nfacts: {page: {}}\n")
    catalog = overlay(base, begun.replace("my_package.my_module:my_function", "n.m:f"), allowed=None).catalog
    assert "sketch" in catalog.facts
    assert catalog.skills["my_skill"].gives == ("sketch",)


def test_items_that_fail_are_listed_with_the_reason_and_the_others_go_on(shop: Workshop) -> None:
    def saw(values: object) -> Result | None:
        return Result("cut", {}) if "ash" in str(values) else None

    workshop.BEFORE["saw"] = saw
    task_id = shop.give(f"task: Saw\n{PLANKS}results: [boards]\n")
    seen = look(shop, task_id)
    (one,) = lists_of(seen.task, seen.catalog)
    assert (one.total, one.count("done"), one.count("failed")) == (3, 2, 1)
    shown = drawn(lists(seen))
    assert "2 of 3 done, 1 failed" in shown
    assert shown.index("2. ash : failed") < shown.index("All items") < shown.index("1. oak : done")
    plan = seen.task.tree.root.plan
    assert plan is not None
    assert [view.state.value for view in steps_of(seen, seen.task.tree.root, plan)] == ["done"]
    assert "failed" in drawn(calls(seen, seen.task.tree.root, plan))
    assert progress_of(seen.task, seen.catalog).done == 1
    assert "Saw done" in told(draw_tree(seen))


def test_criteria_say_how_they_stand_what_was_found_and_who_judged(shop: Workshop) -> None:
    task_id = shop.give(
        f"task: Make boards\n{PLANKS}results: [boards]\ncriteria:\n"
        "  - {check: count, of: boards, least: 3}\n  - {check: count, of: boards, least: 9}\n"
        "  - {judge: They look good., of: boards}\n"
    )
    shown = drawn(criteria(look(shop, task_id)))
    assert "1 of 3 met" in shown
    assert "It has 3; it should be at least 9." in shown
    assert "to be judged They look good." in shown
    shop.tasks.judge(task_id, 3, met=True, found="I saw them.")
    shop.quiet(task_id)
    shown = drawn(criteria(look(shop, task_id)))
    assert "met They look good. I saw them. judged by a person" in shown


def test_a_stage_says_why_it_stands_so_a_result_how_it_came_about_and_a_criterion_where_its_figure_is_from(
    shop: Workshop,
) -> None:
    task_id = shop.give(
        f"task: Make boards\n{PLANKS}results: [boards]\ncriteria: [{{check: count, of: boards, least: 9}}]\n"
    )
    seen = look(shop, task_id)
    card = told(head(seen, seen.task.tree.root))
    assert "Why it stands so The task has a plan in one piece, so it needs no split. It has 1 step: saw. [" in card
    (closed,) = how_it_came(seen, "boards")
    assert told([closed]) == "How it came about" and list(acts(closed)) == [{"do": "how", "what": "boards"}]
    opened = list(how_it_came(replace(seen, how="boards"), "boards"))
    assert next(acts(opened))["what"] == "" and "The saw, called 3 times, made board from plank." in told(opened)
    assert "What was found for 3 items was put together as the boards." in told(opened)
    assert "Where that comes from What was found for 3 items" in drawn(criteria(seen))


class Traced(TaskPage):
    """A look at a report whose figures say what they rest on."""

    @property
    def record(self) -> TaskRecord:
        return priced()


def test_the_figures_of_a_result_can_be_chosen_and_each_is_followed_to_its_cells() -> None:
    shown = Traced(None, how="report=1")  # type: ignore[arg-type]
    nodes = list(how_it_came(shown, "report"))
    chosen = [act["what"] for act in acts(nodes)]
    assert chosen == ["", "report=0", "report"]
    assert "“Total” is 30.5, in row 2 of the sources of the report" in told(nodes)
    assert "It rests on C2:C3 in sheet “May” of prices.xlsx. [2, 8]" in told(nodes)
    beyond = told(list(how_it_came(replace(shown, how="report=9"), "report")))
    assert "The cells behind 2 figures and paragraphs of the report are known" in beyond


def test_a_task_file_that_is_wrong_is_said_so_by_line_and_a_right_one_is_summed_up(shop: Workshop) -> None:
    wrong = shop.tasks.check("task: Do it\nresults: [tabel]\n", "task.yaml", "workshop").result()
    shown = told(findings(wrong))
    assert "Not ready yet: 1 problem" in shown
    assert "line 2" in shown
    assert "table" in shown
    assert "Ready to hand over" in told(findings(shop.tasks.check(TABLE, "task.yaml", "workshop").result()))
