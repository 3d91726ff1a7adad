"""What is wrong with norms: errors, warnings and what a walk found, each with its line."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.norms.checks import check_norms
from catalog.norms.load import LoadedNorms, read_norms
from catalog.problems import CatalogError, Problem, line_of, where
from catalog.wording.grammar import count
from dialogue.rooms.checker.findings import Finding
from dialogue.rooms.checker.report import NormReport, Verdict, in_brief, place_of, say_finding, say_steps
from language.responses.rooms.on_page import FAULTS, LOADS, NO_FINDING, SHOW_STEPS
from pages.shell.sheet import Node, button, el, hint, icon, shorten

_SHOWN = 40


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
        head = el("h2", "found bad", icon("problem"), f"{FAULTS}: {count(len(problems), 'problem')}")
        return [el("div", "insight bad", head), *problem_list(problems)]
    spec = loaded.specification
    holds = ", ".join(
        (
            count(len(spec.participants), "participant"),
            count(len(spec.norms), "norm"),
            count(len(spec.transitions), "transition"),
        )
    )
    words = f"{LOADS} {count(len(problems), 'warning')}" if problems else LOADS
    head = el("h2", "", icon("problem" if problems else "done"), words)
    return [el("div", f"insight {'warn' if problems else 'good'}", head, hint(f"{holds}.")), *problem_list(problems)]


def walked(report: NormReport) -> list[Node]:
    """Draw what walking all message sequences found, each with the shortest one that shows it."""
    sound, proved = report.is_sound, report.verdict is Verdict.PROVED
    tone, picture = ("bad", "problem") if not sound else ("good", "done") if proved else ("warn", "problem")
    said = NO_FINDING if sound else count(report.found, "finding")
    known = el("span", f"tag {'good' if proved else 'warn'}", report.verdict.value)
    head = el("h3", "headline", icon(picture), said, known)
    rows = [_finding(report, one) for one in report.findings[:_SHOWN]]
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
        _line(line),
        el("span", "where", where(place)) if place else None,
        el("p", "", shorten(say_finding(report, finding))),
        el("details", "evidence", el("summary", "", SHOW_STEPS), el("ol", "", steps), open="") if steps else None,
    )


def _line(line: int | None) -> Node | None:
    return button("link", f"line {line}", act={"do": "line", "what": str(line)}) if line else None


def problem_list(problems: Iterable[Problem]) -> list[Node]:
    """List problems, each with its line as a button that leads there."""
    listed = tuple(problems)
    rows = [
        el(
            "li",
            f"fault {one.severity}",
            el("span", f"tag {'warn' if one.severity == 'warning' else 'bad'}", one.severity),
            _line(one.line),
            el("span", "where", one.where) if one.where else None,
            el("p", "", shorten(one.found), " ", shorten(one.write)),
        )
        for one in listed[:_SHOWN]
    ]
    more = hint(f"And {len(listed) - _SHOWN:,} more.") if len(listed) > _SHOWN else None
    return [node for node in (el("ul", "faults", rows, aria_label="Problems") if rows else None, more) if node]
