"""Scoring: a query is right if all of it is right, and otherwise wrong ("LLM+Reasoning+Planning" paper, §5.2).

Right are the goals, in their order, each with all arguments that were said, with no others, and with the references
between them; and whether a rule objects. Beside that, two rates are reported as in the paper's appendix D.4: of queries
with the right goals, and of queries with the right values, whichever goals they were given to.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SEALED = ("test", "strangers", "strangers-2")
"""Sets that are for measuring: nobody works on what is missed in them."""
SPLITS = {name: HERE / "data" / f"{name}.jsonl" for name in ("development", "development-2", "development-3", *SEALED)}


@dataclass(frozen=True)
class Query:
    """An annotated request."""

    name: str
    sort: str
    text: str
    today: date
    goals: tuple[Mapping[str, Any], ...]
    error: bool

    @property
    def group(self) -> str:
        """Name the row that it counts in: of queries with one goal, each goal has its own."""
        if self.sort.startswith("single"):
            return f"{self.goals[0]['goal']}, {self.sort.removeprefix('single-')}"
        return self.sort


@dataclass(frozen=True)
class Answer:
    """The interpretation of a query. `unsupported` are values that no stretch of the text holds up."""

    goals: tuple[Mapping[str, Any], ...]
    error: bool
    unsupported: tuple[str, ...] = ()


@dataclass(frozen=True)
class Score:
    """The comparison of an answer with the annotation; `invented` are arguments never said for their request."""

    query: Query
    answer: Answer
    right: bool
    goals: bool
    values: bool
    invented: tuple[str, ...]


def load_queries(split: str) -> list[Query]:
    """Read the queries of a split."""
    rows = (json.loads(line) for line in SPLITS[split].read_text(encoding="utf-8").splitlines() if line)
    return [
        Query(
            name=row["id"],
            sort=row["class"],
            text=row["text"],
            today=date.fromisoformat(row["today"]),
            goals=tuple(row["goals"]),
            error=row["error"],
        )
        for row in rows
    ]


def score(query: Query, answer: Answer) -> Score:
    """Compare an answer with what a query was annotated with."""
    goals = [goal["goal"] for goal in query.goals] == [goal["goal"] for goal in answer.goals]
    right = (
        goals
        and all(_same(wanted, given) for wanted, given in zip(query.goals, answer.goals, strict=True))
        and query.error == answer.error
    )
    invented = tuple(dict.fromkeys((*_never_said(query.goals, answer.goals), *answer.unsupported)))
    return Score(query, answer, right, goals, _values(query.goals) == _values(answer.goals), invented)


def _same(wanted: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    return (
        wanted["goal"] == given["goal"]
        and wanted["args"] == given["args"]
        and sorted(wanted["missing"]) == sorted(given["missing"])
    )


def _values(goals: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    said = ((name, json.dumps(value, sort_keys=True)) for goal in goals for name, value in goal["args"].items())
    return Counter(said)


def _never_said(wanted: Sequence[Mapping[str, Any]], given: Sequence[Mapping[str, Any]]) -> list[str]:
    """List arguments that nobody said for the request that has them.

    That is what the annotation of a request does not have, what another request lent to it, and all of what was given
    to a goal that nobody asked for.
    """
    left = list(given)
    found = []
    for place, goal in enumerate(wanted):
        alike = [other for other in left if other["goal"] == goal["goal"]]
        match = next((other for other in alike if other["args"] == goal["args"]), alike[0] if alike else None)
        if match is None:
            continue
        left.remove(match)
        others = [value for at, other in enumerate(wanted) if at != place for value in other["args"].values()]
        for name, value in match["args"].items():
            lent = value in others and goal["args"].get(name) != value
            if lent or name not in goal["args"]:
                found.append(name)
    return [*found, *(name for goal in left for name in goal["args"])]
