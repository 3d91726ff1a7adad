"""What is said about a task is told from everything else."""

from __future__ import annotations

import pytest

from language.acts.task_talk import find_named, read_task_talk
from language.interpretation import TaskAct


@pytest.mark.parametrize(
    ("said", "act", "name"),
    [
        ("How is it going?", TaskAct.STATUS, ""),
        ("how's the board pack coming along", TaskAct.STATUS, "board pack"),
        ("Is the board pack ready yet?", TaskAct.STATUS, "board pack"),
        ("so, what is still missing for the board pack?", TaskAct.MISSING, "board pack"),
        ("What do you still need?", TaskAct.MISSING, ""),
        ("why did it stop?", TaskAct.WHY, ""),
        ("Why isn't the board pack done yet?", TaskAct.WHY, "board pack"),
        ("please run the “branches” task", TaskAct.RUN, "branches"),
        ("start the task orders report, please", TaskAct.RUN, "orders report"),
        ("go on without it", TaskAct.WITHOUT, ""),
        ("Continue without the staff list.", TaskAct.WITHOUT, ""),
        ("stop", TaskAct.PAUSE, ""),
        ("pause the board pack", TaskAct.PAUSE, "board pack"),
        ("cancel it", TaskAct.CANCEL, ""),
        ("ok, go on", TaskAct.GO_ON, ""),
        ("what tasks are there?", TaskAct.LIST, ""),
        ("How did you get the revenue?", TaskAct.HOW, "revenue"),
        ("where does “Monthly pay” come from?", TaskAct.HOW, "monthly pay"),
        ("why was the board pack split into stages?", TaskAct.SPLIT, "board pack"),
    ],
)
def test_what_is_said_about_a_task_is_read(said: str, act: TaskAct, name: str) -> None:
    assert read_task_talk(said) == (act, name)


@pytest.mark.parametrize(
    "said",
    ["", "I don't have it", "prepare the board pack", "yes", "2025-Q3", "x" * 300],
)
def test_all_else_is_left_to_who_reads_requests_and_answers(said: str) -> None:
    assert read_task_talk(said) is None


def test_a_name_is_that_of_the_one_label_that_holds_all_its_words() -> None:
    labels = ["the board pack", "“Compare what our branches sold”", "the report on a branch"]
    assert find_named("board pack", labels) == 0
    assert find_named("sold", labels) == 1
    assert find_named("branch", labels) is None
    assert find_named("my rent", labels) is None
    assert find_named("the task", labels) is None
