"""Words of the page on which tasks are handed over, followed and supplied."""

from __future__ import annotations

from collections.abc import Sequence

from catalog.values.base import listed
from catalog.wording.grammar import count
from language.responses.tasks.report import MissingReport, Status

LOBBY = "work that is planned in stages"
LOBBY_SECTIONS = {"tasks": "Tasks", "write": "Write one"}
NO_TASKS = "No tasks yet"
NO_TASKS_WORDS = (
    "A task is more than one request: a report from many files, for example. Planglass splits it into stages, does "
    "them, checks the result, and says exactly what is missing. Hand one over to see it."
)
NO_SUCH_TASK = "There is no such task here"
NO_SUCH_TASK_WORDS = (
    "The link may be mistyped, or the task was deleted. Tasks are stored on the computer on which they were handed "
    "over."
)
OWN_FILE = "a file of your own"
DEMOS = {
    "board_pack": "It is split into stages, and one of them lacks a document. Hand that over, and it goes on.",
    "branches": "A dozen files, one of which is no table: it is reported, and the others are done.",
    "orders_report": "It is planned in one piece: one workbook in, one report out.",
}
LISTED = "Handed over so far"
HAND_OVER = "Hand over a task"
MORE_THAN_ONE = "More than one request? Hand over a task"
AS_WRITTEN = "the one named in the task"
EDITOR = "Task, as YAML"
READY = "Ready to hand over"
FAULTS = "Not ready yet"
UNREADABLE = "The file is not text in UTF-8. Save it as such, and choose it again."
NOT_KEPT = "That could not be kept just now. Please try again."
FILES_TO_COME = "It names files: {names}. Add them here, or hand them over later."
FILES_THERE = "Its files come with the demo."
BEGIN_WITH = """version: 1
task: Say what is to be done
catalog: reports
results: [report]
"""

STATUS: dict[Status, str] = {
    "working": "at work",
    "missing": "needs something",
    "done": "done",
    "unmet": "done, criteria not met",
    "gave_up": "no plan was found",
    "cancelled": "cancelled",
    "paused": "paused",
}
STATUS_WORDS: dict[Status, str] = {
    "working": "At work.",
    "missing": "It goes on as soon as it has what is missing.",
    "done": "Everything that was asked for is there.",
    "unmet": "Not all criteria are met. The results are kept.",
    "gave_up": "No plan was found. The stages show how far it came.",
    "cancelled": "It was cancelled. What was done so far is kept.",
    "paused": "Nothing new is begun until you resume it.",
}
NODE_STATES = {
    "done": "done",
    "running": "running now",
    "failed": "failed",
    "solved": "has a plan",
    "split": "has stages",
    "waits": "waits for a stage",
    "stuck": "stuck",
    "open": "not planned yet",
}
IN_ONE_PIECE = "not in one piece"
STEP_STATES = {
    "done": "done",
    "running": "running now",
    "waiting": "needs your word",
    "failed": "failed",
    "later": "later",
}
STANDINGS = {"met": "met", "unmet": "not met", "waiting": "to be judged", "unchecked": "not checked yet"}
ITEM_STATES = {"done": "done", "running": "running", "failed": "failed"}

WHY_SO = "Why it stands so"
WHY_UNMET = "Where that comes from"
HOW_IT_CAME = "How it came about"
FIGURES = "Figures and paragraphs"
ENTRIES = "Entries of the log that prove it"
MISSING = "What is missing"
ANSWERS = "What you can decide"
STAGES = "Stages"
DOWNLOAD_STAGES = "Download"
RESULTS = "Results"
CRITERIA = "Criteria"
ITEMS = "Items"
NO_RESULTS = "No results yet."
NO_PLAN = "It is not planned yet."
ALWAYS = "Every attempt needs it."
TYPE_IT = "Type it"
FOUND = "What you found (if you like)"
PASTE_IT = "Or paste it"
PASTED = "What the {noun} holds"
NO_FILE = "No file at hand?"
USE_SAMPLE = "Use the sample {name}"
OR_SKILL = "Or supply a skill that gives it"
SKILL_EDITOR = "Skill definition, as YAML"
SKILL_HOW = (
    "Describe a skill that gives it. It is checked first, runs in a process of its own, and may only use endpoints "
    "that the operator of this server allows."
)
OR_HAND_OVER = "Or hand over {what} yourself."
IN_DOUBT = "No proper answer came back from this, so it is not known whether it took effect. Please check it there."
HIDDEN = "It is sensitive, so it is hidden."
JUDGE_IT = "Judge it yourself: {criterion}"
TOLD_TO_MODEL = "What the language model was told, and what it answered"
GENERATED = "Made up"
PARTS = {
    "mission": "the mission",
    "context": "the context",
    "inputs": "the inputs",
    "results": "the results",
    "criteria": "the criteria",
}


def say_count(total: int, working: int) -> str:
    return f"{count(total, 'task')}, {working} at work." if working else f"{count(total, 'task')}."


def say_failures(items: int) -> str:
    return f"There is no result for {count(items, 'item')}: see Items." if items else ""


def say_generated(parts: Sequence[str]) -> str:
    return f"Made up, as it was not said: {listed(parts)}." if parts else ""


def say_reason(reason: str) -> str:
    return f" {reason}" if reason else ""


def say_progress(solved: int, stages: int, done: int, steps: int) -> str:
    planned = f"{solved} of {count(stages, 'stage')} planned"
    return f"{planned}, {done} of {count(steps, 'step')} done" if steps else planned


NO_RESULTS_NAMED = "What should the task end with?"
NO_SPLIT = "No split was found."
NOT_NEEDED = "another one was there first."


def say_stuck(stages: Sequence[str]) -> str:
    return f"{_quoted(stages, 3)} {'is' if len(stages) == 1 else 'are'} stuck."


def _quoted(texts: Sequence[str], limit: int) -> str:
    return listed([f"“{text.rstrip('.')}”" for text in dict.fromkeys(texts)], limit=limit)


def say_request(missing: MissingReport) -> str:
    what = listed(missing.labels)
    said = {
        "information": what,
        "function": f"A skill that gives {what}",
        "consent": f"May {missing.why or 'the skills that need it'} get {what}?",
        "call": f"Go ahead with {missing.why}?",
        "in_doubt": f"Did {missing.why} take effect?",
        "judge": f"Is this met? {missing.why}",
        "description": f"Some parts were made up: {listed([PARTS.get(one, one) for one in missing.names])}",
    }
    return said[missing.kind]


def say_for_stages(stages: Sequence[str]) -> str:
    return f"Needed for {_quoted(stages, 4)}." if stages else ""


def say_inputs(missing: MissingReport) -> str:
    return f"It can work from {listed(missing.inputs)}." if missing.inputs else ""


def say_tried_in_vain(missing: MissingReport) -> str:
    """Say what is wrong with what was handed over before, or which skills were tried in vain, and why."""
    if missing.kind == "information":
        return missing.why
    return f"Tried in vain: {'; '.join(missing.tried)}" if missing.tried else ""


def say_criteria(missing: MissingReport) -> str:
    return f"It has to fulfil: {' '.join(missing.criteria)}" if missing.criteria else ""


def say_items(total: int, done: int, failed: int, running: int) -> str:
    parts = [f"{done} of {total} done"]
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{running} running"] if running else []
    return ", ".join(parts)


def say_item(number: int, name: str) -> str:
    return f"{number}. {name}" if name else f"item {number}"


def begin_skill(outputs: Sequence[str], inputs: Sequence[str], introduced: Sequence[str] = ()) -> str:
    """Write the beginning of a skill that was requested, to be filled in, with facts that the catalog lacks."""
    facts = [f"  {name}: {{askable: false, fillable: false}}\n" for name in introduced]
    return "".join(["facts:\n", *facts] if facts else []) + (
        "skills:\n"
        "  my_skill:\n"
        "    endpoint: python:my_package.my_module:my_function\n"
        "    modes:\n"
        "      all:\n"
        f"        inputs: [{', '.join(inputs)}]\n"
        f"        outcomes: {{done: [{', '.join(outputs)}]}}\n"
    )
