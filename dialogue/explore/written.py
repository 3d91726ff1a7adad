"""A report as JSON."""

from __future__ import annotations

from pydantic import JsonValue

from dialogue.explore.moves import Move
from dialogue.explore.report import Extreme, Report, Trace


def write_report(report: Report) -> dict[str, JsonValue]:
    """Write a report as JSON: what `planglass explore --json` prints."""
    coverage = report.coverage
    return {
        "catalog": report.catalog,
        "goal": report.goal,
        "known": list(report.known),
        "engine": report.engine,
        "failures": report.failures,
        "verdict": report.verdict.value,
        "if_cooperative": report.cooperative.value,
        "complete": report.complete,
        "conversations": {"all": report.conversations, "reached": report.reached, "circular": report.circular},
        "shortest": None if report.shortest is None else _extreme(report.shortest),
        "longest": {extreme.what: _extreme(extreme) for extreme in report.extremes},
        "skills": [
            {
                "skill": use.skill,
                "effect": use.effect.value,
                "sensitive": list(use.sensitive),
                "most": use.most,
                "trace": _trace(use.trace),
            }
            for use in report.skills
        ],
        "properties": [
            {"property": str(judged.property), "holds": judged.holds, "trace": _trace(judged.trace)}
            for judged in report.properties
        ],
        "dead_ends": [
            {
                "reason": end.reason,
                "missing": {"information": list(end.information), "functionality": list(end.functionality)},
                "said": end.said,
                "conversations": end.conversations,
                "trace": _trace(end.trace),
            }
            for end in report.dead_ends
        ],
        "unused": [{"kind": kind, "name": name} for kind, name in coverage.unused],
        "irrelevant": list(coverage.irrelevant),
        "coverage": {
            "states": coverage.states,
            "moves": coverage.moves,
            "open": coverage.open,
            "stopped": coverage.stopped or None,
            "exercised": coverage.exercised,
            "relevant": coverage.relevant,
            "plans_cut_short": coverage.cut,
            "seconds": round(coverage.seconds, 3),
        },
    }


def _extreme(extreme: Extreme) -> dict[str, JsonValue]:
    return {"most": extreme.most, "trace": _trace(extreme.trace)}


def _trace(trace: Trace) -> list[JsonValue]:
    return [_move(move) for move in trace]


def _move(move: Move) -> dict[str, JsonValue]:
    written: dict[str, JsonValue] = {"kind": move.kind.value, "subject": move.subject}
    if move.mode is not None:
        written |= {"mode": move.mode, "outcome": move.outcome}
    return written
