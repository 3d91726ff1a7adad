"""What is handed over to a task: files that came along, values that were typed, and what became of a call in doubt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from pydantic import JsonValue

from catalog.problems import CatalogError
from catalog.skills import File, Result, SkillInput
from catalog.values import Text
from dialogue.cli.main import main
from dialogue.log.stores import StoreFailed
from dialogue.tasks.inputs import read_handed_over
from dialogue.tasks.reporting.report import write_report
from dialogue.tasks.state.events import CallBegun, TaskEnding
from dialogue.tasks.state.requests import NeedFunction
from language.responses.tasks.report import render
from tests.dialogue.tasks import workshop
from tests.dialogue.tasks.workshop import CATALOG, PLANKS, Workshop, counted


def test_only_files_that_came_along_are_read(shop: Workshop, tmp_path: Path) -> None:
    """A task from elsewhere must not read files of this computer, whatever path it names."""
    (tmp_path / "secret.txt").write_text("a secret")
    named = f"screws: {{file: {tmp_path}/secret.txt}}"
    text = f"task: Screw\ninputs: {{planks: {{value: [oak]}}, {named}}}\nresults: [frame]\n"
    checked = shop.tasks.check(text, "task.yaml", "workshop").result()
    assert checked.loaded is not None
    task = shop.quiet(shop.tasks.give(checked.loaded, read=read_handed_over({})))
    assert [one.request.request for one in shop.state(task).open_requests] == ["information"]
    assert "a secret" not in str(shop.log(task))
    for name in (f"{tmp_path}/secret.txt", "../secret.txt", "..\\secret.txt", "secret.txt"):
        assert read_handed_over({})(name, Text()) is None
        assert read_handed_over({}, tmp_path / "demo")(name, Text()) is None
        assert read_handed_over({"secret.txt": b"mine"}, tmp_path / "demo")(name, Text()) == b"mine"


API = """
name: api
facts:
  page: {alias: "/pages/{id}", ask: "Which page?"}
  digest: {askable: false}
  pack: {alias: v1.pack, askable: false}
skills:
  sum_up: {modes: {all: {inputs: ["/pages/{id}"], outcomes: {done: [digest]}}}}
  put_together: {modes: {all: {inputs: [digest], outcomes: {done: [v1.pack]}}}}
"""


PAGES = """
name: pages
facts:
  page: {ask: "Which page?"}
  pages: {list_of: page}
  digest: {askable: false}
  digests: {list_of: digest, askable: false}
  pack: {askable: false}
  packs: {list_of: pack, askable: false}
skills:
  sum_up: {modes: {all: {inputs: [page], outcomes: {done: [digest]}}}}
  put_together: {modes: {all: {inputs: [digest], outcomes: {done: [pack]}}}}
"""


def test_a_task_is_given_and_supplied_at_a_terminal_by_what_others_call_its_facts(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"api.yaml": API, "task.yaml": "task: Pack\ncatalog: api.yaml\nresults: [v1.pack]\n", "page.txt": "a page"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    def run(*arguments: str) -> tuple[str, list[str]]:
        main(("task", *arguments, "--json"))
        report = json.loads(capsys.readouterr().out)
        return report["id"], [name for one in report["missing"] for name in one["names"]]

    task, missing = run(str(tmp_path / "task.yaml"))
    assert missing == ["page"]
    _, missing = run("--resume", task, "--supply", f"/pages/{{id}}={tmp_path / 'page.txt'}")
    assert "page" not in missing


@pytest.mark.parametrize("door", ["task", "doubts"])
def test_what_became_of_a_call_of_a_task_is_said_at_a_terminal_with_the_values_that_it_gave(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], door: str
) -> None:
    def breaks(_values: Mapping[str, SkillInput]) -> Result:
        raise ConnectionError

    workshop.CALLS.clear()
    workshop.BEFORE["send_bill"] = breaks
    (tmp_path / "workshop.yaml").write_text(CATALOG, encoding="utf-8")
    inputs = "{planks: {value: [oak]}, screws: {value: six}}"
    text = f"task: Bill it\ncatalog: workshop.yaml\ninputs: {inputs}\nresults: [bill]\n"
    (tmp_path / "task.yaml").write_text(text, encoding="utf-8")
    own = [f"--set={name}=tests.dialogue.tasks.workshop" for name in ("skills", "trusted")]

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main([*arguments, *own])
        told = capsys.readouterr()
        return code, told.out, told.err

    report = json.loads(run("task", str(tmp_path / "task.yaml"), "--json")[1])
    (asked,) = report["missing"]
    report = json.loads(run("task", "--resume", report["id"][:6], f"--answer={asked['request']}=yes", "--json")[1])
    (doubt,) = report["missing"]
    assert doubt["kind"] == "in_doubt"
    told = json.loads(run("doubts", "--json")[1])
    assert (told["task"], told["skill"], told["outcomes"]) == (report["id"], "send_bill", {"sent": ["bill"]})
    if door == "doubts":
        assert "stays in doubt" in run("doubts", told["call"], "--session", report["id"][:6], "--cannot-tell")[1]
        say = ("doubts", told["call"], "--outcome", "sent")
    else:
        say = ("task", "--resume", report["id"][:6], f"--answer={doubt['request']}=yes")
    for wrong in ((), ("--value", "table=round")):
        code, _, err = run(*say, *wrong)
        assert code == 2 and "gives bill: say its value" in err
    assert json.loads(run("doubts", "--json")[1]) == told
    assert run(*say, "--value", "bill=number 7")[0] == 0
    assert run("task", "--resume", report["id"][:6], "--json")[0] == 0
    assert run("doubts")[1] == "No call is in doubt.\n"
    assert counted()["send_bill"] == 1


def test_values_are_typed_in_words_and_what_is_no_value_changes_nothing(shop: Workshop) -> None:
    task_id = shop.give(f"task: Make a table\n{PLANKS}results: [table]\n")
    before = shop.state(task_id).seq
    with pytest.raises(LookupError):
        shop.tasks.hand_over_words(task_id, "nothing", "x")
    with pytest.raises(ValueError, match=r"."):
        shop.tasks.hand_over_words(task_id, "screws", " ")
    assert shop.state(task_id).seq == before
    shop.tasks.hand_over_words(task_id, "screws", "twelve screws")
    shop.tasks.hand_over_words(task_id, "paint", "red")
    shop.quiet(task_id)
    assert shop.state(task_id).ending is not None


@pytest.mark.parametrize("happened", [True, False])
def test_whether_a_call_took_effect_is_said_by_a_person_and_only_one_that_did_not_is_made_again(
    shop: Workshop, *, happened: bool
) -> None:
    text = "task: Bill it\ninputs: {planks: {value: [oak]}, screws: {value: six}}\nresults: [bill]\n"
    task = shop.give(text)
    (asked,) = shop.state(task).open_requests
    shop.tasks.consent(task, asked.entry, yes=True)
    whole = shop.log(shop.quiet(task))
    begun = next(e.seq for e in whole if isinstance(e.event, CallBegun) and e.event.skill == "send_bill")
    workshop.CALLS.clear()
    again = Workshop(shop.home.parent / "killed")
    again.put(task, whole[:begun])
    again.tasks.resume(task)
    (doubt,) = again.state(again.quiet(task)).open_requests
    assert again.tasks.given_by(task, doubt.entry) == ("bill",)
    with pytest.raises(ValueError, match=r"."):
        again.tasks.settle(task, doubt.entry, {})
    again.tasks.settle(task, doubt.entry, {"bill": "number 7"} if happened else None)
    state = again.state(again.quiet(task))
    assert state.ending is TaskEnding.DONE and state.open_requests == ()
    with pytest.raises(LookupError):
        again.tasks.settle(task, doubt.entry, None)
    assert counted()["send_bill"] == (0 if happened else 1)
    again.close()


@pytest.mark.parametrize("happened", [True, False])
def test_a_call_that_fails_and_cannot_be_taken_back_is_asked_about_and_not_passed_over(
    shop: Workshop, *, happened: bool
) -> None:
    def breaks(_values: Mapping[str, SkillInput]) -> Result:
        raise ConnectionError

    workshop.BEFORE["send_bill"] = breaks
    task = shop.give("task: Bill it\ninputs: {planks: {value: [oak]}, screws: {value: six}}\nresults: [bill]\n")
    (asked,) = shop.state(task).open_requests
    shop.tasks.consent(task, asked.entry, yes=True)
    (doubt,) = shop.state(shop.quiet(task)).open_requests
    assert doubt.request.request == "in_doubt" and shop.state(task).ending is None
    del workshop.BEFORE["send_bill"]
    shop.tasks.settle(task, doubt.entry, {"bill": "number 7"} if happened else None)
    assert shop.state(shop.quiet(task)).ending is TaskEnding.DONE
    assert counted()["send_bill"] == (1 if happened else 2)


def test_a_call_that_took_no_effect_again_and_again_is_asked_about_each_time_and_ends_once(shop: Workshop) -> None:
    def breaks(_values: Mapping[str, SkillInput]) -> Result:
        raise ConnectionError

    workshop.BEFORE["send_bill"] = breaks
    task = shop.give("task: Bill it\ninputs: {planks: {value: [oak]}, screws: {value: six}}\nresults: [bill]\n")
    (asked,) = shop.state(task).open_requests
    shop.tasks.consent(task, asked.entry, yes=True)
    for times in range(1, 6):
        (doubt,) = shop.state(shop.quiet(task)).open_requests
        assert doubt.request.request == "in_doubt" and counted()["send_bill"] == times
        if times == 5:
            del workshop.BEFORE["send_bill"]
        shop.tasks.settle(task, doubt.entry, None)
    assert shop.state(shop.quiet(task)).ending is TaskEnding.DONE and counted()["send_bill"] == 6


def test_a_call_whose_result_could_not_be_kept_is_asked_about_where_it_cannot_be_taken_back(
    shop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The skill returned a document, and there was no room for it: what it did, it did."""
    shop.close()
    shop = Workshop(tmp_path / "full", CATALOG.replace("bill: {askable", "bill: {value: document, askable"))
    document = File("bill.txt", "text/plain", b"six")
    workshop.BEFORE["send_bill"] = lambda _values: Result("sent", {"bill": document})
    task = shop.give("task: Bill it\ninputs: {planks: {value: [oak]}, screws: {value: six}}\nresults: [bill]\n")
    monkeypatch.setattr(shop.store, "put_file", lambda *_: (_ for _ in ()).throw(StoreFailed("The disk is full.")))
    (asked,) = shop.state(task).open_requests
    shop.tasks.consent(task, asked.entry, yes=True)
    (doubt,) = shop.state(shop.quiet(task)).open_requests
    assert doubt.request.request == "in_doubt" and counted()["send_bill"] == 1
    shop.close()


@pytest.mark.parametrize("happened", [True, False])
def test_where_the_skill_can_tell_what_became_of_a_call_nobody_is_asked_and_it_takes_effect_once(
    tmp_path: Path, *, happened: bool
) -> None:
    workshop.KEYS.clear()
    workshop.LOOKED_UP.clear()
    acts = "    effect: irreversible\n"
    catalog = CATALOG.replace(acts, f'{acts}    lookup: "python:tests.dialogue.tasks.workshop:bill_looked_up"\n')
    shop = Workshop(tmp_path / "first", catalog)
    text = "task: Bill it\ninputs: {planks: {value: [oak]}, screws: {value: six}}\nresults: [bill]\n"
    task = shop.give(text)
    (asked,) = shop.state(task).open_requests
    shop.tasks.consent(task, asked.entry, yes=True)
    whole = shop.log(shop.quiet(task))
    shop.close()
    assert not workshop.LOOKED_UP, "what came back is not looked up"
    begun = next(e.seq for e in whole if isinstance(e.event, CallBegun) and e.event.skill == "send_bill")
    (key,) = (key for (skill, _), key in workshop.KEYS.items() if skill == "send_bill")
    workshop.CALLS.clear()
    workshop.SENT[:] = [key] if happened else []
    again = Workshop(tmp_path / "killed", catalog)
    again.put(task, whole[:begun])
    again.tasks.resume(task)
    state = again.state(again.quiet(task))
    assert state.ending is TaskEnding.DONE and state.open_requests == ()
    assert [key] == workshop.LOOKED_UP and counted()["send_bill"] == (0 if happened else 1)
    assert not happened or state.values[()]["bill"].value == "number 7"
    again.close()


SPRAY = "modes: {all: {inputs: [key], outcomes: {done: [sign]}}}"


@pytest.mark.parametrize(
    ("catalog", "asked"),
    [
        (CATALOG, ["consent"]),
        (CATALOG.replace(SPRAY, f"effect: irreversible\n    {SPRAY}"), ["consent"]),
        (f"{CATALOG}settings: {{authorization: per_fact}}\n", ["consent"]),
        (
            f"{CATALOG}settings: {{authorization: per_fact}}\n".replace(SPRAY, f"effect: irreversible\n    {SPRAY}"),
            ["consent", "call"],
        ),
        (CATALOG.replace(SPRAY, SPRAY.replace("inputs: [key]", "inputs: [paint], optional: [key]")), []),
    ],
    ids=["plain", "irreversible", "per fact", "irreversible and per fact", "not needed"],
)
def test_whatever_consent_a_catalog_asks_for_a_task_ends_once_it_is_given(
    tmp_path: Path, catalog: str, asked: list[str]
) -> None:
    """One question serves for consent and go-ahead; what a skill can do without is not passed without consent."""
    workshop.CALLS.clear()
    shop = Workshop(tmp_path / "shop", catalog)
    task = shop.give("task: Make a sign\ninputs: {key: {value: K7}, paint: {value: red}}\nresults: [sign]\n")
    heard = []
    while one := next(iter(shop.state(task).open_requests), None):
        heard.append(one.request.request)
        told = write_report(task, shop.state(task), shop.loaded.catalog).missing[0]
        assert "key" in told.labels or told.kind == "call"
        shop.tasks.consent(task, one.entry, yes=True)
        shop.quiet(task)
    assert heard == asked
    assert shop.state(task).ending is TaskEnding.DONE
    assert [values for _, values in workshop.CALLS] == [("K7",) if asked else ("red",)]
    shop.close()


IN_TWO_STEPS = (
    CATALOG.replace("plank: {description: A plank.}", "plank: {sensitive: true}\n  slab: {askable: false}")
    .replace("inputs: [plank], outcomes: {cut: [board]}", "inputs: [slab], outcomes: {cut: [board]}")
    .replace("  screw:\n", """  plane:
    endpoint: "python:tests.dialogue.tasks.workshop:plane"
    modes: {one: {inputs: [plank], outcomes: {done: [slab]}}}
  screw:
""")
)  # fmt: skip
"""Each plank goes through two skills, of which the first may see it with consent only."""


@pytest.mark.row("H12")
@pytest.mark.row("H14")
@pytest.mark.parametrize("per_fact", [False, True])
def test_consent_for_what_is_done_to_each_item_is_asked_for_once_and_before_any_call(
    tmp_path: Path, per_fact: bool
) -> None:
    settings = "settings: {authorization: per_fact}\n" if per_fact else ""
    for planks, yes in ((["oak", "ash", "elm"], True), ([], True), (["oak", "ash"], False)):
        workshop.CALLS.clear()
        shop = Workshop(tmp_path / f"{len(planks)}", IN_TWO_STEPS + settings)
        given = f"inputs: {{planks: {{value: {planks}}}, screws: {{value: brass}}, paint: {{value: red}}}}\n"
        task = shop.give(f"task: Make a table\n{given}results: [table]\n")
        assert any(one.description.each for one in shop.state(task).tree.hypotheses.values())
        asked = [one for one in shop.state(task).open_requests if one.request.request == "consent"]
        assert len(asked) == bool(planks) and workshop.counted()["plane"] == 0
        for one in asked:
            shop.tasks.consent(task, one.entry, yes=yes)
        state = shop.state(shop.quiet(task))
        assert (state.ending is TaskEnding.DONE) is yes
        again = sum(one.request.request == "consent" for one in state.requests.values()) - len(asked)
        assert again == (not yes), "only what was refused, and nothing goes on without, is asked for once more"
        assert workshop.counted()["plane"] == workshop.counted()["saw"] == (len(planks) if yes else 0)
        shop.close()


def test_what_a_missing_function_would_give_can_be_handed_over_instead(tmp_path: Path) -> None:
    catalog = CATALOG.replace("inputs: [frame, paint]", "inputs: [frame, paint, sign]").replace("cost: 5", "cost: 6")
    catalog = catalog.replace("modes: {all: {inputs: [frame], out", "modes: {all: {inputs: [frame, sign], out")
    catalog = catalog.replace("outcomes: {done: [sign]}", "outcomes: {done: []}")
    shop = Workshop(tmp_path / "shop", catalog)
    task = shop.give(f"task: Make a table\n{PLANKS}results: [table]\n")
    asked = shop.state(task).open_requests
    assert NeedFunction in [type(one.request) for one in asked]
    for one in asked:
        for fact in one.request.outputs if isinstance(one.request, NeedFunction) else one.request.facts:  # type: ignore[union-attr]
            shop.tasks.hand_over_words(task, fact, "a good one")
    assert shop.state(shop.quiet(task)).open_requests == ()
    assert shop.state(task).ending is TaskEnding.DONE
    shop.close()


@pytest.mark.row("H1")
@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("Prepare the packs", ["packs"]),
        ("Put together a pack for each page, from the digests", ["packs"]),
        ("Write what each page says: the digests", ["digests"]),
        ("Do something about the pages", []),
    ],
)
def test_results_that_are_not_said_are_found_in_the_text_by_the_labels_of_facts(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, results: list[str]
) -> None:
    (tmp_path / "pages.yaml").write_text(PAGES, encoding="utf-8")
    (tmp_path / "task.yaml").write_text(f"task: '{text}'\ncatalog: pages.yaml\ninputs: [pages]\n", encoding="utf-8")
    main(("task", str(tmp_path / "task.yaml"), "--json"))
    (asked,) = json.loads(capsys.readouterr().out)["missing"]
    assert (asked["kind"], asked["made_up"]) == ("description", results)


@pytest.mark.row("H9")
@pytest.mark.parametrize("steps", ["one", "two"], ids=["in one piece", "in stages only"])
def test_a_missing_function_is_asked_for_from_what_can_be_had_and_may_work_from_all_of_that(
    tmp_path: Path, steps: str
) -> None:
    """The frame is what all that is there leads to; with two steps for each plank, it can be had in stages only."""
    workshop.CALLS.clear()
    catalog = yaml.safe_load(CATALOG if steps == "one" else IN_TWO_STEPS)
    for gone in ("paint_it", "wax_it", "send_bill", "spray"):
        del catalog["skills"][gone]
    del catalog["methods"], catalog["facts"]["key"]["sensitive"]
    catalog["facts"]["plank"] = {}
    shop = Workshop(tmp_path / "shop", yaml.safe_dump(catalog))
    task = shop.give("task: Sign\ninputs: {planks: {value: [oak]}, screws: {value: six}}\nresults: [sign]\n")
    (asked,) = shop.state(task).open_requests
    assert isinstance(asked.request, NeedFunction)
    assert (asked.request.inputs, asked.request.outputs) == (("frame",), ("sign",))

    def skill(*inputs: str, more: str = "") -> str:
        endpoint = "endpoint: python:tests.dialogue.tasks.workshop:spray, effect: irreversible"
        modes = f"modes: {{all: {{inputs: [{', '.join(inputs)}], outcomes: {{done: [sign]}}}}}}"
        return f"skills: {{sign_it: {{{endpoint}, {modes}}}}}\n{more}"

    with pytest.raises(CatalogError, match="It needs 'varnish', which is not there"):
        shop.tasks.supply_function(task, skill("frame", "varnish", more="facts: {varnish: {}}"))
    shop.tasks.supply_function(task, skill("frame", "boards"))
    state = shop.state(shop.quiet(task))
    assert [one.request.request for one in state.open_requests] == ["call"], "all that comes before it is done"
    assert str(state.values[()]["frame"].value).startswith("frame([")
    seen = shop.tasks.view(task)
    marked = "fewer stages than usual" in render(write_report(task, seen.task, seen.catalog))
    assert marked is (steps == "two"), "a short split is marked where a task is told in lines"
    shop.close()


@pytest.mark.row("H9")
def test_a_function_that_is_missing_is_told_with_the_skills_that_were_tried_for_it_in_vain(shop: Workshop) -> None:
    def breaks(_values: Mapping[str, SkillInput]) -> Result:
        raise ValueError("the driver is bent")

    workshop.BEFORE["screw"] = breaks
    task = shop.give("task: Screw\ninputs: {planks: {value: [oak]}, screws: {value: six}}\nresults: [frame]\n")
    view = shop.tasks.view(task)
    report = write_report(task, view.task, view.catalog)
    (missing,) = report.missing
    assert missing.kind == "function" and missing.names == ["frame"]
    (tried,) = missing.tried
    assert tried.startswith("screw: ") and "the driver is bent" in tried
    assert tried in render(report)


DOUBTING = CATALOG.replace(
    "{cut: [board]}", "{cut: [board], rotten: {doubts: [plank], say: That plank is rotten.}}"
).replace(
    "inputs: [boards, screws], outcomes: {done: [frame]}",
    "inputs: [boards], optional: [screws], outcomes: {done: [frame], bent: {doubts: [screws], say: Bent screws.}}",
)


@pytest.mark.row("H10", "H13")
def test_what_a_call_shows_to_be_wrong_is_asked_for_anew_with_the_reason_and_not_done_without(tmp_path: Path) -> None:
    """Also where it may be left out: whoever handed it over wants it to count."""

    def screw(values: Mapping[str, SkillInput]) -> Result | None:
        return Result("bent") if "bent" in str(values.get("screws")) else None

    def saw(values: Mapping[str, SkillInput]) -> Result | None:
        return Result("rotten") if "rotten" in str(values["plank"]) else None

    workshop.CALLS.clear()
    shop = Workshop(tmp_path / "shop", DOUBTING)
    workshop.BEFORE.update(screw=screw, saw=saw)
    task = shop.give(
        "task: Screw\ninputs: {planks: {value: [rotten oak, rotten ash]}, screws: {value: bent}}\nresults: [frame]\n"
    )
    again: list[tuple[str, JsonValue]] = [("planks", ["rotten oak", "oak"]), ("screws", "bent, too"), ("screws", "six")]
    for (fact, value), says in zip(again, ["That plank is rotten.", "Bent screws.", "Bent screws."], strict=True):
        view = shop.tasks.view(task)
        (missing,) = write_report(task, view.task, view.catalog).missing
        assert (missing.kind, missing.names, missing.why) == ("information", [fact], says)
        assert view.task.ending is None and view.task.find(view.catalog, fact) is None
        assert view.task.tree.is_solved("1") and not view.task.tree.ruled_out
        shop.tasks.hand_over(task, fact, value)
        shop.quiet(task)
    done = shop.state(task)
    assert done.ending is TaskEnding.DONE and not done.open_requests and not done.doubted
    assert str(done.values[()]["frame"].value) == "frame(['board(oak)'], six)"
    assert counted() == {"saw": 4, "screw": 3}
    workshop.BEFORE.clear()
    shop.close()
