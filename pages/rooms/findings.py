"""What is wrong with norms: errors, warnings and what a walk found, each with its line."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.norms.checks import check_norms
from catalog.norms.load import LoadedNorms, read_norms
from catalog.problems import CatalogError, Problem, line_of, where
from catalog.wording.grammar import count
from dialogue.rooms.checker.findings import Finding
from dialogue.rooms.checker.report import CheckVerdict, NormReport, in_brief, place_of, say_finding, say_steps
from language.responses.rooms.on_page import FAULTS, LOADS, NO_FINDING, SHOW_STEPS
from pages.frame.problems import MOST, line_button, problem_list, verdict
from pages.shell.sheet import Node, el, folded, hint, icon, shorten


def read(text: str) -> tuple[LoadedNorms | None, tuple[Problem, ...]]:
    """Load norms from what was typed; return them, unless there are errors, and all problems."""
    try:
        loaded = read_norms(text, "norms")
    except CatalogError as error:
        return None, error.problems
    return loaded, check_norms(loaded)


def findings(loaded: LoadedNorms | None, problems: Iterable[Problem]) -> list[Node]:
    """Draw what norms hold if they load, and what is wrong with them."""
    problems = tuple(problems)
    if loaded is None:
        return [verdict("bad", f"{FAULTS}: {count(len(problems), 'problem')}"), *problem_list(problems)]
    spec = loaded.specification
    holds = ", ".join(
        (
            count(len(spec.participants), "participant"),
            count(len(spec.norms), "norm"),
            count(len(spec.transitions), "transition"),
        )
    )
    words = f"{LOADS} {count(len(problems), 'warning')}" if problems else LOADS
    return [verdict("warn" if problems else "good", words, hint(f"{holds}.")), *problem_list(problems)]


def walked(report: NormReport) -> list[Node]:
    """Draw what walking all message sequences found, each with the shortest one that shows it."""
    sound, proved = report.is_sound, report.verdict is CheckVerdict.PROVED
    tone, picture = ("bad", "problem") if not sound else ("good", "done") if proved else ("warn", "problem")
    said = NO_FINDING if sound else count(report.found, "finding")
    known = el("span", f"tag {'good' if proved else 'warn'}", report.verdict.value)
    head = el("h3", "headline", icon(picture), said, known)
    rows = [_finding(report, one) for one in report.findings[:MOST]]
    listed = [el("ul", "faults", rows, aria_label="Findings")] if rows else []
    return [el("div", f"insight {tone}", head, hint(in_brief(report))), *listed]


def _finding(report: NormReport, finding: Finding) -> Node:
    place = place_of(finding)
    line = line_of(place, report.loaded.lines)
    steps = [el("li", "", shorten(step)) for step in say_steps(report.specification, finding)]
    return el(
        "li",
        "fault error",
        el("span", "tag bad", "finding"),
        line_button(line),
        el("span", "where", where(place)) if place else None,
        el("p", "", shorten(say_finding(report, finding))),
        folded(SHOW_STEPS, el("ol", "", steps), is_open=True) if steps else None,
    )
