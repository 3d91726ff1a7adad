"""Check norms, also in the background: walk all message sequences, and report in words and as JSON."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum

from pydantic import JsonValue

from catalog.norms.checks import check_norms
from catalog.norms.load import LoadedNorms, read_norms
from catalog.norms.message import Message
from catalog.norms.model import NormSpecification
from catalog.problems import CatalogError, Place, Problem, line_of, where
from catalog.skills.failures import describe_trouble
from dialogue.rooms.checker.findings import Finding, FindingKind, find
from dialogue.rooms.checker.replays import ReplayedStep
from dialogue.rooms.checker.space import NormSpace
from language.responses.rooms import norm_findings as words
from planning.state_space.paths import WalkBounds, WalkProgress, never, walk

BOUNDS = WalkBounds(200_000, 120.0)
COUNTED = ("conflict", "norm-unused")
"""Warnings that count as findings where the walk was stopped."""
_ALSO_WALKED = (*COUNTED, "never-fires")
"""Warnings that say why something is as the walk finds it."""
NOT_ALL_GROUPS = "the number of groups of participants that a message can name"
NOT_SHOWN = "what may be owed to several messages at once"
PEOPLE = 2
"""People who are in the room while norms are checked."""


class CheckVerdict(StrEnum):
    """How much is known."""

    PROVED = "proved"
    """Everything that can happen was walked."""
    BOUNDED = "bounded"
    """A bound was met: there may be more to find."""


@dataclass(frozen=True, slots=True)
class NormReport:
    """What checking norms found. `warnings` are what reading shows without a walk."""

    loaded: LoadedNorms
    verdict: CheckVerdict
    findings: tuple[Finding, ...]
    warnings: tuple[Problem, ...]
    people: int
    states: int
    moves: int
    open: int
    stopped: str
    seconds: float

    @property
    def specification(self) -> NormSpecification:
        return self.loaded.specification

    @property
    def found(self) -> int:
        """Count what is wrong: what the walk found, and where that was stopped, what reading shows besides."""
        beside = () if self.verdict is CheckVerdict.PROVED else self.rest
        return len(self.findings) + sum(one.code in COUNTED for one in beside)

    @property
    def rest(self) -> tuple[Problem, ...]:
        """Return the warnings that no finding is about."""
        told = {one for finding in self.findings for one in self.reasons(finding)}
        return tuple(one for one in self.warnings if one not in told)

    def reasons(self, finding: Finding) -> tuple[Problem, ...]:
        """Return the warnings that say why a finding is so."""
        place = where(place_of(finding))
        return tuple(
            one
            for one in self.warnings
            if place and one.code in _ALSO_WALKED and f"{one.where}.".startswith(f"{place}.")
        )

    @property
    def is_sound(self) -> bool:
        return not self.found


def check_rooms(
    loaded: LoadedNorms,
    *,
    people: int = PEOPLE,
    bounds: WalkBounds = BOUNDS,
    cancelled: Callable[[WalkProgress], bool] = never,
) -> NormReport:
    """Walk everything that can be said in a room with some people, and report what is wrong with its norms."""
    space = NormSpace(loaded.specification, people)
    graph = walk(space, space.start, bounds=bounds, cancelled=cancelled)
    found = find(space, graph)
    stopped = graph.stopped or (NOT_ALL_GROUPS if not space.all_groups else "" if found.all_shown else NOT_SHOWN)
    return NormReport(
        loaded,
        CheckVerdict.BOUNDED if stopped else CheckVerdict.PROVED,
        found.findings,
        check_norms(loaded),
        len(space.people),
        len(graph.nodes),
        len(graph.edges),
        len(graph.open),
        stopped,
        graph.seconds,
    )


def place_of(finding: Finding) -> Place:
    """Return the place in the file that a finding is about; where that is no norm, the transition that led to it."""
    if finding.kind is FindingKind.NEVER_FIRED:
        return "transitions", finding.names[0]
    if finding.names:
        return "norms", finding.names[0]
    fired = [name for step in (*finding.trace, *finding.round) for name in step.move.fired]
    return ("transitions", fired[-1]) if fired else ()


def say_finding(report: NormReport, finding: Finding) -> str:
    """Say what is wrong, and why, as far as reading shows it."""
    specification = report.specification
    labels = tuple(specification.norms[name].label if name in specification.norms else name for name in finding.names)
    why = (f"{one.found} {one.write}" for one in report.reasons(finding))
    return " ".join((words.say_finding(finding.kind.value, labels, finding.who), *why))


def say_step(specification: NormSpecification, step: ReplayedStep) -> str:
    move, message = step
    if message is not None:
        return words.say_message(specification, message)
    return words.say_lapse(specification, move.who, move.norm) if move.norm else words.say_departure(move.who[0])


def say_steps(specification: NormSpecification, finding: Finding) -> Iterator[str]:
    for place, step in enumerate((*finding.trace, *finding.round)):
        again = " (from here on it repeats)" if finding.round and place == len(finding.trace) else ""
        yield f"{say_step(specification, step)}{words.say_fired(step.move.fired)}{again}"
    if finding.message is not None:
        yield f"{words.say_message(specification, finding.message)} (denied)"


def in_brief(report: NormReport) -> str:
    """Say how much was walked, and what follows from it."""
    return words.say_verdict(
        report.verdict.value,
        findings=report.found,
        states=report.states,
        moves=report.moves,
        people=report.people,
        stopped=report.stopped,
        seconds=report.seconds,
    )


def render(report: NormReport) -> Iterator[str]:
    """Write a report line by line; what is wrong as compilers do."""
    file, specification = report.loaded.file, report.specification
    yield from (problem.render() for problem in report.rest)
    for finding in report.findings:
        line = line_of(place_of(finding), report.loaded.lines) or 1
        about = f"{place}: " if (place := where(place_of(finding))) else ""
        yield f"{file}:{line}: finding: {about}{say_finding(report, finding)}"
        yield from (f"    {number}. {step}" for number, step in enumerate(say_steps(specification, finding), start=1))
    yield in_brief(report)


def write_report(report: NormReport) -> dict[str, JsonValue]:
    """Write a report as JSON: what `planglass check-norms --json` prints."""
    specification = report.specification
    return {
        "name": specification.name,
        "file": report.loaded.file,
        "verdict": report.verdict.value,
        "sound": report.is_sound,
        "people": report.people,
        "findings": [_write(report, finding) for finding in report.findings],
        "warnings": [dict(problem.as_json()) for problem in report.warnings],
        "coverage": {
            "states": report.states,
            "moves": report.moves,
            "open": report.open,
            "stopped": report.stopped or None,
            "seconds": round(report.seconds, 3),
        },
    }


def _write(report: NormReport, finding: Finding) -> dict[str, JsonValue]:
    steps = (*finding.trace, *finding.round)
    return {
        "kind": finding.kind.value,
        "line": line_of(place_of(finding), report.loaded.lines) or 1,
        "place": where(place_of(finding)),
        "names": list(finding.names),
        "who": list(finding.who),
        "says": say_finding(report, finding),
        "sequence": [_write_step(report.specification, step) for step in steps],
        "repeats_from": len(finding.trace) + 1 if finding.round else None,
        "denied": None if finding.message is None else _write_message(finding.message),
    }


def _write_step(specification: NormSpecification, step: ReplayedStep) -> dict[str, JsonValue]:
    move, message = step
    written: dict[str, JsonValue] = {
        "kind": move.kind.value,
        "who": list(move.who),
        "says": say_step(specification, step),
        "fires": list(move.fired),
    }
    if message is not None:
        written["message"] = _write_message(message)
    if move.norm:
        written["norm"] = move.norm
    return written


def _write_message(message: Message) -> dict[str, JsonValue]:
    return {
        "id": message.id,
        "sender": message.sender,
        "utterances": [{"act": one.act, "topic": one.topic, "content": one.content} for one in message.utterances],
        "receivers": list(message.receivers),
        "mentions": list(message.mentions),
        "replies_to": message.replies_to,
        "in_reply_to": message.in_reply_to,
    }


KEPT = 20
"""Reports that are kept; of older texts they are made again when asked for."""
_log = logging.getLogger(__name__)


class NormChecks:
    """Walks in a thread of its own, one text at a time; who asks for the same text shares the report."""

    def __init__(self, bounds: WalkBounds = BOUNDS) -> None:
        self._bounds = bounds
        self._reports: dict[str, Future[NormReport]] = {}
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="check-norms")

    def check(self, text: str) -> Future[NormReport]:
        """Return the report on norms, begun if need be; it raises `CatalogError` for norms that cannot be used.

        To cancel it ends the walk, also while that is under way: do so when the text has changed.
        """
        with self._lock:
            report = self._reports.pop(text, None)
            if report is None or report.cancelled():
                report = Future()
                self._pool.submit(self._run, text, report)
            self._reports[text] = report
            for old in list(self._reports)[:-KEPT]:
                self._reports.pop(old).cancel()
            return report

    def close(self) -> None:
        """Cancel what is under way, and wait until it has ended."""
        with self._lock:
            for report in self._reports.values():
                report.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, text: str, report: Future[NormReport]) -> None:
        """Check a text. Its report counts as waiting until it is there, since none that runs can be cancelled."""
        if report.cancelled():
            return
        try:
            found = check_rooms(read_norms(text), bounds=self._bounds, cancelled=lambda _: report.cancelled())
        except Exception as error:  # whatever it was, the waiter is told
            if not isinstance(error, CatalogError):
                _log.error("a check of norms ended in %s", describe_trouble(error))
            if report.set_running_or_notify_cancel():
                report.set_exception(error)
            return
        if report.set_running_or_notify_cancel():
            report.set_result(found)
