"""Finds what people mean that ask about a task: a stage by its number or words, a result by its name or label."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalog.values.base import listed
from catalog.wording.grammar import quote
from explain.tasks.record import TaskQuestion, TaskQuestionKind, TaskRecord
from planning.hierarchy.gaps import find_closest
from planning.hierarchy.tree import ROOT, Hypothesis

_CRITERION = re.compile(r"criterion\s*(\d{1,9})", re.IGNORECASE)
_CRITERIA = frozenset({"criteria", "results", "judged"})
_WHOLE = frozenset({"", "task", "the task"})


def ask_why(record: TaskRecord, about: str) -> tuple[TaskQuestion, ...]:
    """Return the questions why something is so: `criterion 3`, `criteria`, or a stage; nothing where there is none.

    Of the task as a whole, criteria that are not met are asked about, too.
    """
    if found := _CRITERION.fullmatch(about.strip()):
        return (TaskQuestion(TaskQuestionKind.WHY_UNMET, criterion=int(found[1])),)
    if _plain(about) in _CRITERIA:
        return TaskQuestion(TaskQuestionKind.WHY_UNMET), TaskQuestion(TaskQuestionKind.WHO_JUDGED)
    stage = find_stage(record, about)
    if stage is None:
        return ()
    unmet = {one.number: one.standing == "unmet" for one in record.checks}
    more = (TaskQuestion(TaskQuestionKind.WHY_UNMET),) if stage == ROOT and any(unmet.values()) else ()
    return TaskQuestion(TaskQuestionKind.WHY, stage), *more


def ask_how(record: TaskRecord, about: str) -> tuple[TaskQuestion, ...]:
    """Return the questions how something came about: `NAME` or `NAME=FIGURE`; nothing where there is no such fact.

    Without anything, all results that are there are asked about.
    """
    name, _, figure = about.partition("=")
    if not name.strip():
        return (TaskQuestion(TaskQuestionKind.HOW),)
    fact = find_fact(record, name)
    return () if fact is None else (TaskQuestion(TaskQuestionKind.HOW, fact=fact, figure=figure.strip() or None),)


def no_such_stage(record: TaskRecord, about: str) -> str:
    texts = [quote(one.description.text.rstrip("."), 60) for one in record.tree.hypotheses.values() if one.depth == 1]
    known = f" Stages are: {listed(dict.fromkeys(texts), limit=10)}." if texts else " It has no stages."
    return f"There is no stage {quote(about, 60)}.{known} `criterion 1` and `criteria` can be asked about, too."


def no_such_result(record: TaskRecord, about: str) -> str:
    known = listed(record.current, limit=20)
    return f"There is nothing called {quote(about, 60)}.{f' There is: {known}.' if known else ' Nothing is there yet.'}"


def find_stage(record: TaskRecord, about: str) -> str | None:
    """Find a stage: by its id, by its place in the attempt that the task stands by (`4.2`), or by its words."""
    plain = _plain(about)
    if plain in _WHOLE:
        return ROOT
    if plain in record.tree.hypotheses:
        return plain
    shown = dict(_shown(record, record.tree.root, ""))
    if plain in shown:
        return shown[plain].id
    for among in (tuple(shown.values()), tuple(record.tree.hypotheses.values())):
        texts = [(_plain(one.description.text), one.id) for one in among]
        same = [name for text, name in texts if text == plain]
        holding = [name for text, name in texts if plain in text]
        if same or len(holding) == 1:
            return (same or holding)[0]
    return None


def find_fact(record: TaskRecord, about: str) -> str | None:
    """Find a fact that the task knows or is to end with, by its name, its label, or words that only its label has."""
    plain = _plain(about)
    known = dict.fromkeys((*record.tree.root.description.facts, *record.current))
    facts = record.catalog.facts
    labels = [(_plain(facts[name].label) if name in facts else name, name) for name in known]
    same = [name for label, name in labels if plain in (label, _plain(name))]
    holding = [name for label, name in labels if plain in label]
    return same[0] if same else holding[0] if len(holding) == 1 else None


def _shown(record: TaskRecord, one: Hypothesis, before: str) -> Iterator[tuple[str, Hypothesis]]:
    """Yield the stages of the attempts that are stood by, with their places."""
    attempt = None if one.plan is not None else find_closest(record.tree, one)
    stages = one.stage_ids(attempt) if attempt is not None else ()
    for number, name in enumerate(stages, start=1):
        inner = record.tree.hypotheses[name]
        yield f"{before}{number}", inner
        yield from _shown(record, inner, f"{before}{number}.")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .“”\"'")
