"""Tasks are described, planned in stages, carried out and checked; what is missing is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from catalog.problems import CatalogError
from catalog.skills import Result, SkillInput
from dialogue.keys import key_of
from dialogue.log.stores.protocol import StreamId
from dialogue.tasks.inputs import Supplied
from dialogue.tasks.reporting.report import write_report
from dialogue.tasks.state.events import TASK, CallBegun, CallEnded, Requested, TaskEnding
from dialogue.tasks.state.requests import ConfirmDescription, JudgeCriterion, NeedFunction, NeedInformation, SettleCall
from language.responses.tasks.report import TaskReport
from tests.dialogue.tasks import workshop
from tests.dialogue.tasks.workshop import CATALOG, PLANKS, Workshop, counted

TABLE = f"task: Make a table\n{PLANKS}results: [table]\n"


def test_what_is_missing_is_asked_for_and_supplied_it_goes_on_where_it_was(shop: Workshop) -> None:
    task = shop.give(TABLE)
    (asked,) = shop.state(task).open_requests
    assert isinstance(asked.request, NeedInformation) and asked.request.facts == ("screws",)
    assert [shop.state(task).tree.hypotheses[name].description.text for name in asked.request.stages] == [
        "Screw them together"
    ]
    assert counted() == Counter(), "nothing is begun before all of it is planned"
    before = {name for name in shop.state(task).tree.hypotheses if shop.state(task).tree.is_solved(name)}
    shop.tasks.hand_over(task, "screws", "six")
    done = shop.state(shop.quiet(task))
    assert done.ending is TaskEnding.DONE and not done.open_requests
    assert before and all(done.tree.is_solved(name) for name in before)
    assert counted() == {"saw": 3, "screw": 1, "wax_it": 1}
    found = done.find(shop.loaded.catalog, "table")
    assert found and found.value == "table(frame(['board(oak)', 'board(ash)', 'board(elm)'], six))"


@pytest.mark.row("H1")
def test_results_that_nobody_named_are_found_in_the_text_and_confirmed(shop: Workshop) -> None:
    task = shop.give(f"task: I need a table\n{PLANKS}")
    (asked,) = shop.state(task).open_requests
    assert isinstance(asked.request, ConfirmDescription)
    assert tuple(asked.request.description.results) == ("table",)
    assert [part.value for part in asked.request.generated] == ["results"]
    shop.tasks.confirm(task, asked.entry)
    (lacking,) = shop.state(shop.quiet(task)).open_requests
    assert isinstance(lacking.request, NeedInformation)
    unknown = shop.state(shop.give("task: Do something\n")).open_requests
    assert [
        part.value for one in unknown if isinstance(one.request, ConfirmDescription) for part in one.request.missing
    ]


@pytest.mark.row("H12")
def test_only_the_task_manager_asks_and_each_thing_once(shop: Workshop) -> None:
    task = shop.give(TABLE)
    shop.tasks.start(task)
    shop.tasks.start(task)
    requests = [entry.event.request for entry in shop.log(shop.quiet(task)) if isinstance(entry.event, Requested)]
    assert len(requests) == 1


def test_an_item_that_fails_is_reported_and_the_others_are_done(shop: Workshop) -> None:
    def splinter(values: Mapping[str, SkillInput]) -> Result | None:
        if values["plank"] == "ash":
            raise ValueError("it splinters")
        return None

    workshop.BEFORE["saw"] = splinter
    task = shop.give(TABLE)
    shop.tasks.hand_over(task, "screws", "six")
    done = shop.state(shop.quiet(task))
    assert done.ending is TaskEnding.DONE
    found = done.find(shop.loaded.catalog, "table")
    assert found and found.value == "table(frame(['board(oak)', 'board(elm)'], six))"
    assert [collected.failed for _, collected in done.collected if collected.failed] == [(2,)]


def test_a_plan_that_does_not_hold_is_dropped_and_another_one_is_made(shop: Workshop) -> None:
    workshop.BEFORE["wax_it"] = lambda _: _raise()
    task = shop.give(f"task: Make a table\n{PLANKS}results: [table]\n")
    shop.tasks.hand_over(task, "screws", "six")
    asked = [one.request for one in shop.state(shop.quiet(task)).open_requests]
    assert [one.facts for one in asked if isinstance(one, NeedInformation)] == [("paint",)]
    shop.tasks.hand_over(task, "paint", "red")
    done = shop.state(shop.quiet(task))
    assert done.ending is TaskEnding.DONE
    assert counted()["saw"] == 3 and counted()["screw"] == 1, "what was done before counts"


def _raise() -> Result:
    raise ValueError("no wax")


def test_a_function_is_asked_for_by_its_inputs_and_outputs_and_a_supplied_one_is_used(tmp_path: Path) -> None:
    without = "\n".join(line for line in CATALOG.splitlines() if "spray" not in line and "[key]" not in line)
    shop = Workshop(tmp_path / "other", without)
    task = shop.give("task: Make a sign\ninputs: {paint: {value: red}}\nresults: [sign]\n")
    (asked,) = shop.state(task).open_requests
    assert isinstance(asked.request, NeedFunction) and asked.request.outputs == ("sign",)
    assert "paint" in asked.request.inputs
    unfit = """
skills:
  s: {endpoint: "python:tests.dialogue.tasks.workshop:saw", modes: {m: {inputs: [paint], outcomes: {o: [board]}}}}
"""
    with pytest.raises(CatalogError):
        shop.tasks.supply_function(task, unfit)
    with pytest.raises(CatalogError):
        shop.tasks.supply_function(task, unfit.replace("tests.dialogue.tasks.workshop:saw", "os:system"))
    fit = unfit.replace("[board]", "[sign]").replace("o: ", "done: ").replace("workshop:saw", "bad_skills:good")
    shop.tasks.supply_function(task, fit)
    done = shop.state(shop.quiet(task))
    assert done.ending is TaskEnding.DONE
    found = done.find(shop.loaded.catalog, "sign")
    assert found and str(found.value).startswith("made by ")
    shop.close()


def test_sensitive_values_go_to_a_skill_only_with_consent_and_are_masked_in_reports(shop: Workshop) -> None:
    task = shop.give("task: Make a sign\ninputs: {key: {value: '4711-secret'}}\nresults: [sign]\n")
    (asked,) = shop.state(task).open_requests
    assert asked.request.request == "consent" and counted() == {}
    shop.tasks.consent(task, asked.entry, yes=True)
    assert shop.state(shop.quiet(task)).ending is TaskEnding.DONE and counted() == {"spray": 1}
    other = shop.give("task: Make a sign\ninputs: {key: {value: '4711-secret'}}\nresults: [sign]\n")
    (asked,) = shop.state(other).open_requests
    shop.tasks.consent(other, asked.entry, yes=False)
    assert shop.state(shop.quiet(other)).ending is not TaskEnding.DONE and counted() == {"spray": 1}


def report_of(shop: Workshop, task: str) -> TaskReport:
    return write_report(task, shop.state(shop.quiet(task)), shop.loaded.catalog)


def test_what_is_made_from_something_sensitive_is_masked_in_a_task_as_in_the_conversation_it_comes_from(
    shop: Workshop,
) -> None:
    task = shop.give("task: Make a sign\ninputs: {key: {value: '4711-secret'}}\nresults: [sign]\n")
    (asked,) = shop.state(task).open_requests
    shop.tasks.consent(task, asked.entry, yes=True)
    (result,) = report_of(shop, task).results
    assert (result.value, result.shown) == (None, "••••")
    assert "4711" not in shop.tasks.export_tree(task)
    given = shop.read(
        "task: Make a table\ninputs: {planks: {value: [oak]}, screws: {value: six}}\nresults: [table, frame]\n"
    )
    painted = shop.tasks.give(given, known=[Supplied("paint", "red as 4711", "", (), secret=True)])
    shown = {one.name: one.shown for one in report_of(shop, painted).results}
    assert shown == {"table": "••••", "frame": "frame(['board(oak)'], six)"}


@pytest.mark.row("H15")
def test_the_result_is_checked_against_its_criteria_and_what_is_not_met_is_listed(shop: Workshop) -> None:
    criteria = """criteria:
  - {check: contains, of: table, words: [oak]}
  - {check: contains, of: table, words: [gold]}
  - {judge: It stands., of: table}
"""
    task = shop.give(f"{TABLE}{criteria}".replace("planks: {value", "screws: {value: six}, planks: {value"))
    ended = shop.state(task)
    assert ended.ending is TaskEnding.UNMET and ended.find(shop.loaded.catalog, "table")
    assert {n: one.standing.value for n, one in ended.checks.items()} == {1: "met", 2: "unmet", 3: "waiting"}
    (asked,) = ended.open_requests
    assert asked.request == JudgeCriterion(number=3)
    shop.tasks.judge(task, 3, met=True)
    assert shop.state(shop.quiet(task)).checks[3].standing.value == "met"


def test_it_pauses_goes_on_and_is_cancelled(shop: Workshop) -> None:
    task = shop.give(TABLE)
    shop.tasks.pause(task)
    shop.tasks.hand_over(task, "screws", "six")
    assert shop.state(shop.quiet(task)).ending is None and counted() == {}
    shop.tasks.resume(task)
    assert shop.state(shop.quiet(task)).ending is TaskEnding.DONE
    other = shop.give(TABLE)
    shop.tasks.cancel(other)
    with pytest.raises(LookupError, match=r"over \(cancelled\)"):
        shop.tasks.hand_over(other, "screws", "six")
    assert shop.state(shop.quiet(other)).ending is TaskEnding.CANCELLED
    assert [row.id for row in shop.tasks.rows()]
    shop.tasks.delete(other)
    assert other not in [row.id for row in shop.tasks.rows()]


def test_wherever_it_is_killed_a_task_goes_on_and_nothing_finished_is_done_twice(shop: Workshop) -> None:
    text = f"{TABLE}".replace("planks: {value", "screws: {value: six}, planks: {value").replace("[table]", "[bill]")
    text = text.replace("task: Make", "confirmed: true\ntask: Bill")
    task = shop.give(text)
    (asked,) = shop.state(task).open_requests
    shop.tasks.consent(task, asked.entry, yes=True)
    assert shop.state(shop.quiet(task)).ending is TaskEnding.DONE
    whole, keys = shop.log(task), dict(workshop.KEYS)
    assert len(set(keys.values())) == len(keys) == 6
    given = 3  # the task and its inputs, which are written before anybody is told of it
    for length in range(given, len(whole)):
        workshop.CALLS.clear()
        workshop.KEYS.clear()
        again = Workshop(shop.home.parent / f"killed-{length}")
        again.put(task, whole[:length])
        again.tasks.resume(task)
        state = again.state(again.quiet(task))
        for one in state.open_requests:
            if isinstance(one.request, SettleCall):
                continue
            again.tasks.consent(task, one.entry, yes=True)
        state = again.state(again.quiet(task))
        begun = {e.event.call_id: e.event for e in whole[:length] if isinstance(e.event, CallBegun)}
        ended = {e.event.call_id for e in whole[:length] if isinstance(e.event, CallEnded)}
        finished = Counter(begun[name].skill for name in ended)
        in_doubt = any(begun[name].skill == "send_bill" for name in begun.keys() - ended)
        cut_off = {key_of(StreamId(TASK.name, task), name) for name in begun.keys() - ended}
        assert in_doubt or cut_off <= set(workshop.KEYS.values()) & set(keys.values())
        assert (state.ending is TaskEnding.DONE) is not in_doubt
        whole_work = {"saw": 3, "screw": 1, "wax_it": 1, "send_bill": 0 if in_doubt else 1}
        assert counted() == Counter({k: n - finished[k] for k, n in whole_work.items() if n > finished[k]})
        again.close()
