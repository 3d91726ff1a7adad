"""Tasks, as people use them: handed over, followed while they work, supplied with what they lack, and taken home."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import time
from collections import Counter
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from docx import Document
from playwright.sync_api import BrowserContext, Locator, expect

from catalog.load.demo_files import DEMOS
from dialogue.tasks.reporting.record import reload_tree
from planning.hierarchy.tree import ROOT
from tests.pages.screen import Screen, insist, own_server, watched
from tests.pages.test_pages_stay_safe import EVIL, HEADINGS, MISNAMED, assert_inert

pytestmark = pytest.mark.browser

DATA = DEMOS["reports"].parent / "data"


@pytest.mark.row("H10", "H13")
def test_a_task_that_lacks_a_document_is_split_supplied_judged_and_its_result_is_taken_home(screen: Screen) -> None:
    page = screen.page
    screen.open()
    page.get_by_role("link", name="Hand over a task").click()
    expect(page.locator(".insight h2")).to_have_text("Ready to hand over")
    page.get_by_role("button", name="Hand it over").click()
    # what is missing stands at the top, and the stages below say why
    missing = page.locator(".st-key-task-missing")
    expect(missing.locator("h3")).to_have_text(re.compile("staff list", re.IGNORECASE))
    expect(missing).to_contain_text("Needed for “Say who works for the firm”. Every attempt needs it.")
    expect(page.locator(".node", has_text="Say who works for the firm")).to_contain_text("stuck")
    expect(page.locator(".node").first).to_contain_text("waits for a stage")
    expect(page.locator(".attempt summary").first).to_contain_text("discarded")
    page.locator(".attempt summary").first.click()
    # the plan of a solved stage opens in the plan view, also from the graph
    page.locator(".node", has_text="Compare the costs with the budget").click()
    expect(page.locator(".drill h3")).to_have_text("Compare the costs with the budget.")
    expect(page.locator(".st-key-task-node-steps .step")).to_have_count(2)
    page.get_by_text("As a graph").click()
    screen.click_node("task-graph", "1")
    expect(page.locator(".drill h3")).to_have_text("Prepare the board pack for the third quarter")
    expect(page.locator(".attempts .taken")).to_contain_text("7 stages from a method of the catalog")
    levels = page.evaluate(HEADINGS)
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels
    assert page.evaluate(MISNAMED) == []
    # a picture that is called a table is refused, and nothing else changes; then rows are pasted from a spreadsheet
    box = missing.get_by_test_id("stFileUploaderDropzoneInput")
    box.set_input_files({"name": "staff.xlsx", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\nno table"})
    missing.get_by_role("button", name="Hand it over").click()
    expect(missing.locator(".problem")).to_contain_text("PNG")
    missing.get_by_role("button", name="Remove staff.xlsx").click()
    expect(missing.locator(".problem")).to_have_count(0)
    expect(missing.get_by_role("button", name="Use the sample staff_2025_q3.csv")).to_be_visible()
    missing.get_by_text("Or paste it").click()
    rows = (DATA / "staff_2025_q3.csv").read_text(encoding="utf-8")
    missing.get_by_label("What the CSV file holds").fill(rows.replace(",", "\t"))
    done = page.locator(".st-key-task-status .tag", has_text="done")
    insist(Locator.click, missing.get_by_role("button", name="Hand it over"), done, 1)
    # it goes on by itself, to the end; what was open is open, and the card that was looked at is there
    expect(page.locator(".st-key-task-status .tag")).to_contain_text("done")
    expect(page.locator(".attempt[open]")).to_have_count(1)
    expect(page.locator(".drill h3")).to_have_text("Prepare the board pack for the third quarter")
    expect(page.locator(".criterion.met")).to_have_count(9)
    expect(missing.locator("h3")).to_have_text(re.compile("The summary says what the board has to know"))
    missing.get_by_label("What you found").fill("It names the hiring plan.")
    missing.get_by_role("button", name="It is met").click()
    expect(page.locator(".criterion.met")).to_have_count(10)
    expect(missing).to_have_count(0)
    expect(page.locator(".of-list").first).to_contain_text("3 of 3 done")
    # a figure of the result is followed to its cells
    pack = page.locator(".st-key-task-result-board_pack")
    pack.get_by_role("button", name="How it came about").click()
    expect(pack.locator(".drill")).to_contain_text("The writer of board packs made board pack from")
    pack.get_by_role("button", name="Monthly pay", exact=True).click()
    expect(pack.locator(".drill")).to_contain_text("It rests on E2:E8 in")
    pack.get_by_role("button", name="How it came about").click()
    expect(pack.locator(".drill")).to_have_count(0)
    with page.expect_download() as came:
        page.get_by_role("button", name=re.compile(r"\.docx \(Word document")).click()
    written = Document(io.BytesIO(came.value.path().read_bytes()))
    headings = [one.text for one in written.paragraphs if str(one.style and one.style.name).startswith("Heading")]
    assert [one for one in headings if one in ("Summary", "Revenue", "Costs", "People")] == [
        "Summary",
        "Revenue",
        "Costs",
        "People",
    ]
    with page.expect_download() as came:
        page.locator(".st-key-task-stages").get_by_role("button", name="Download").click()
    assert came.value.suggested_filename.endswith("-stages.json")
    tree = reload_tree(came.value.path().read_bytes()).tree
    assert tree.is_solved(ROOT) and tree.root.verdict
    assert "Something went wrong" not in screen.text


@pytest.mark.long
@pytest.mark.row("H9")
@pytest.mark.parametrize("later_s", [0.3, 1.0, 2.0])
def test_a_task_whose_server_was_killed_while_skills_run_goes_on_and_does_nothing_twice(
    chromium: BrowserContext, tmp_path: Path, later_s: float
) -> None:
    home = tmp_path / "home"
    with own_server(home) as server, contextmanager(watched)(chromium, server) as screen:
        screen.may_fail = True
        screen.open()
        screen.page.get_by_role("link", name="Hand over a task").click()
        screen.page.get_by_role("button", name="Hand it over").click()
        missing = screen.page.locator(".st-key-task-missing")
        missing.get_by_role("button", name="Use the sample staff_2025_q3.csv").click()
        time.sleep(later_s)
        server.process.kill()
        server.process.wait(10)
        task = screen.page.url.rpartition("/")[2]
        screen.troubles.clear()  # what the browser could not load any more
    with own_server(home) as server, contextmanager(watched)(chromium, server) as screen:
        screen.open(task)
        missing, judged = screen.page.locator(".st-key-task-missing"), re.compile("what the board has to know")
        go_on = screen.page.get_by_role("button", name="Go on")
        again = missing.get_by_role("button", name="Use the sample staff_2025_q3.csv")
        expect(missing.or_(go_on).first).to_be_visible()
        if again.is_visible():  # it was killed before the document was handed over
            again.click()
        elif go_on.is_visible():
            go_on.click()
        expect(missing.locator("h3")).to_have_text(judged)
        assert "Something went wrong" not in screen.text
        assert repeated(home / "sessions.db") == []


def repeated(database: Path) -> list[tuple[object, ...]]:
    """List the steps of stages that came to their end more than once, by the log."""
    with closing(sqlite3.connect(database)) as store:
        rows = store.execute("select kind, entry from stream_entries where stream_kind = 'task'").fetchall()
    events = [(kind, json.loads(entry)["event"]) for kind, entry in rows]
    begun = {
        event["call_id"]: (event["leaf"], event["step"], str(event.get("items")))
        for kind, event in events
        if kind == "call_begun"
    }
    ended = Counter(begun[event["call_id"]] for kind, event in events if kind == "call_ended")
    assert ended, "no call of a task is on record"
    return [step for step, times in ended.items() if times > 1]


@pytest.mark.long
def test_the_scene_with_a_task_plays_to_its_end_with_nothing_typed(screen: Screen) -> None:
    """It is split, lacks a document, gets it, is carried out and judged; the caption stays in sight."""
    screen.open("demo?script=task")
    screen.page.get_by_role("radio", name="At once").click()
    step = screen.page.get_by_role("button", name="Step", exact=True)
    step.click()
    expect(screen.page.locator(".watch .count")).to_have_text("1 of 5")
    expect(step).to_be_enabled()
    step.click()
    expect(screen.page.locator(".drill h3")).to_have_text("Say who works for the firm.")
    expect(screen.page.locator(".watch .count")).to_be_in_viewport()
    screen.page.get_by_role("button", name="Play").click()
    expect(screen.page.get_by_text("The end. Now hand over one of your own.")).to_be_visible()
    expect(screen.page.locator(".criterion.met")).to_have_count(10)
    assert "Something went wrong" not in screen.text


@pytest.mark.row("H9")
def test_a_task_is_written_here_and_a_skill_is_supplied_with_faults_by_their_lines_on_a_telephone(
    small_screen: Screen,
) -> None:
    """Whatever the task, its catalog and its skills say is text; nothing typed is lost."""
    page = small_screen.page
    small_screen.open("tasks?task=nope")
    expect(page.locator(".notice")).to_contain_text("There is no such task here")
    page.get_by_role("button", name="See all tasks").click()
    page.get_by_role("radio", name="Write one").click()
    small_screen.open_options("Catalog")
    page.get_by_role("option", name=re.compile("onerror")).click()
    area = page.locator(".editor textarea").first
    area.fill("task: |\n  " + EVIL + "\ninputs: [noet]\nresults: [verdict]\n")
    expect(page.locator(".fault")).to_contain_text("noet")
    expect(page.locator(".editor .marked")).to_have_count(1)
    area.fill("task: |\n  " + EVIL + "\ninputs: [note]\nresults: [verdict]\nconfirmed: true\n")
    expect(page.locator(".insight h2")).to_have_text("Ready to hand over")
    page.get_by_role("button", name="Hand it over").click()
    missing = page.locator(".st-key-task-missing")
    missing.get_by_label(re.compile("^Type it")).fill(EVIL)
    missing.get_by_role("button", name="Hand it over").click()
    # the skill cannot do with that: another one is asked for
    expect(missing.locator("h3", has_text="A skill that gives verdict")).to_have_count(1)
    expect(page.locator(".st-key-task-tree .node").first).to_contain_text(EVIL)
    skill = missing.locator(".editor textarea")
    expect(skill).to_be_editable()  # its text has come
    begun = skill.input_value()
    skill.fill(begun.replace("my_package.my_module", "os.path"))
    missing.get_by_role("button", name="Supply it").click()
    expect(missing.locator(".fault").first).to_contain_text("os.path")
    expect(missing.locator(".fault .link").first).to_have_text(re.compile(r"line \d"))
    expect(skill).to_have_value(re.compile("os.path"))
    page.locator(".st-key-task-tree .node").first.click()
    expect(page.locator(".drill")).to_be_in_viewport()
    small_screen.settle()
    assert_inert(small_screen)
    assert not page.evaluate("() => document.documentElement.scrollWidth > window.innerWidth")
    # it is paused, and cancelled; what was typed is still there
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".st-key-task-status .tag")).to_contain_text("paused")
    page.get_by_role("button", name="Resume").click()
    expect(page.locator(".st-key-task-status .tag")).not_to_contain_text("paused")
    small_screen.settle()  # what is drawn while it goes on would take the question back
    page.get_by_role("button", name="Cancel…").click()
    page.get_by_role("button", name="Cancel the task").click()
    expect(page.locator(".st-key-task-status .tag")).to_contain_text("cancelled")
    page.get_by_role("button", name="All tasks").click()
    expect(page.get_by_text("Delete…").first).to_be_visible()
    assert_inert(small_screen)
    page.get_by_role("button", name="Delete…").first.click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("button", name="Delete for good")).to_have_count(0)
    assert "Something went wrong" not in small_screen.text
