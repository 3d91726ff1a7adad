"""What is wrong with a task file, or what it holds."""

from __future__ import annotations

from collections.abc import Iterator

from dialogue.services.tasks.views import CheckedTask
from language.responses.exploration import count
from language.responses.tasks.on_page import FAULTS, READY
from language.responses.tasks.tree import say_criterion
from pages.rooms.findings import problem_list
from pages.shell.sheet import Node, el, icon, pairs
from pages.views.plans import fact_label
from planning.hierarchy.files.load import LoadedTask


def findings(checked: CheckedTask) -> list[Node]:
    """Say whether a task file can be handed over, what is in it, and what is wrong with it."""
    if checked.loaded is None:
        words = f"{FAULTS}: {count(len(checked.problems), 'problem')}"
        head = el("h2", "found bad", icon("problem"), words)
        return [el("div", "insight bad", head), *problem_list(checked.problems)]
    head = el("h2", "", icon("done"), READY)
    return [el("div", "insight good", head, summary(checked.loaded))]


def summary(given: LoadedTask) -> Node:
    task, catalog = given.task, given.catalog.catalog

    def chips(names: Iterator[str] | tuple[str, ...]) -> Node | None:
        listed = [el("span", "chip", fact_label(catalog, name)) for name in names]
        return el("span", "wanted", listed) if listed else None

    criteria = [el("li", "capital-line", say_criterion(catalog, one)) for one in task.criteria]
    return pairs(
        (
            ("Task", task.text),
            ("Catalog", catalog.label),
            ("Mission", task.mission),
            ("Context", task.context),
            ("Starts from", chips(tuple(task.inputs))),
            ("Ends with", chips(tuple(task.results))),
            ("Activities", [el("span", "block", f"{i}. {one.text}") for i, one in enumerate(task.activities, 1)]),
            ("Criteria", el("ul", "", criteria) if criteria else None),
        )
    )


def named_files(given: LoadedTask) -> tuple[str, ...]:
    inputs = given.task.inputs.values()
    names = [name for one in inputs for name in ((one.file,) if one.file else one.files)]
    return tuple(dict.fromkeys(name.replace("\\", "/").rpartition("/")[2] for name in names))
