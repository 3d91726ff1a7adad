"""Measure an understander on labelled utterances of the banking demo: what it got right, and what not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from catalog.model import Catalog
from language.interpretation import Context, Interpretation, Pending, Understander

HERE = Path(__file__).parent
SETS = {name: HERE / f"banking_{name}.yaml" for name in ("dev", "holdout", "final")}
TODAY = date(2025, 12, 1)


@dataclass(frozen=True)
class Case:
    """One utterance, what it was said after, and what it means."""

    group: str
    text: str
    expected: Any
    pending: Pending | None = None
    goals: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    @property
    def context(self) -> Context:
        return Context(today=TODAY, pending=self.pending, goals=self.goals, known=self.known)


def load_cases(which: str, catalog: Catalog) -> list[Case]:
    """Read a set of utterances, with the catalog's own examples put in for the placeholders."""
    text = SETS[which].read_text(encoding="utf-8")
    for name in ("account_number", "ssn"):
        text = text.replace("{" + name + "}", str(catalog.facts[name].value.sample(date(2026, 1, 1))))
    return list(_cases(yaml.safe_load(text)))


def _cases(read: dict[str, Any]) -> Iterator[Case]:
    for goal, utterances in read["goals"].items():
        for said in utterances:
            text, expected = said if goal == "several" else (said, [] if goal == "none" else [goal])
            yield Case(
                "several goals" if goal == "several" else "rejects" if goal == "none" else "goals", str(text), expected
            )
    for control, utterances in read["controls"].items():
        pending = {
            "yes": Pending(kind="authorize", subject="credit_check"),
            "no": Pending(kind="authorize", subject="credit_check"),
            "skip": Pending(kind="fact", subject="email"),
        }.get(control)
        for said in utterances:
            yield Case(
                "controls", said, control, pending, ("loan",) if control in {"yes", "no", "skip", "stop"} else ()
            )
    known = ("name", "address", "email", "credit_score", "ssn", "account_number", "loan_result", "card_result")
    for text, kind, fact, *full in read["questions"]:
        yield Case("questions", text, (_alike(kind), fact, bool(full)), None, ("loan",), known)
    for asked, text, kind, fact in read["pending_questions"]:
        yield Case("questions", text, (_alike(kind), fact, False), Pending(kind="fact", subject=asked), ("loan",))
    for asked, goal, text, values in read["values"]:
        pending = Pending(kind="fact", subject=asked) if asked else None
        expected = {fact: value for fact, value in values.items() if value is not None}
        yield Case("values", text, expected, pending, (goal,) if goal else ())


def _alike(kind: str) -> str:
    """Name a kind of question as the one that is answered alike: where from, and what is missing."""
    return {"source": "how", "why_not": "missing", "plan": "missing", "went_wrong": "missing"}.get(kind, kind)


def understood(case: Case, meaning: Interpretation) -> Any:
    """Give what a meaning says in the form of the case's label."""
    if case.group in {"goals", "several goals", "rejects"}:
        return [mention.goal for mention in meaning.goals]
    if case.group == "controls":
        return meaning.control.value if meaning.control else None
    if case.group == "questions":
        asked = meaning.question
        return (_alike(asked.kind.value), asked.fact, asked.full) if asked else None
    return {value.fact: value.value for value in meaning.values}


def offered(case: Case, meaning: Interpretation) -> bool:
    """Tell whether a goal that was not taken was at least offered."""
    return case.group == "goals" and case.expected[0] in [mention.goal for mention in meaning.candidates]


def wrong(understander: Understander, cases: list[Case]) -> list[tuple[Case, Any, Interpretation]]:
    """List the cases that are misunderstood, with what was understood instead."""
    found = []
    for case in cases:
        meaning = understander.understand(case.text, case.context)
        got = understood(case, meaning)
        if got != case.expected:
            found.append((case, got, meaning))
    return found
