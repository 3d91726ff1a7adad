"""Answers to questions about a task, from its record alone; which stage or result people mean is found here, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from catalog.values.base import listed
from catalog.wording.grammar import quote
from explain.claim import AnswerText, Claim, cite, put
from explain.tasks import claims
from explain.tasks.record import Checked, TaskQuestion, TaskQuestionKind, TaskRecord
from explain.tasks.results import ResultTeller
from explain.tasks.stages import StageTeller
from explain.tasks.words import TaskWords, say_entries
from planning.hierarchy.description import Criterion
from planning.hierarchy.gaps import find_closest
from planning.hierarchy.tree import ROOT, Hypothesis


class CriteriaTeller:
    """A record, with what is looked up in it about criteria."""

    def __init__(self, record: TaskRecord) -> None:
        self.criteria = record.tree.root.description.criteria
        self.last = {one.number: one for one in record.checks if one.counts}
        self._overruled = [one for one in record.checks if not one.counts and one.standing != "waiting"]
        self._results = ResultTeller(record)

    def why_unmet(self, number: int | None) -> Iterator[Claim]:
        """Say why a criterion stands as it does; without a number, say it of all that are not met."""
        if number is None:
            yield from self._all()
        elif not 1 <= number <= len(self.criteria):
            yield claims.NoCriterion(number, len(self.criteria))
        elif number not in self.last:
            yield claims.Unchecked(number, self.criteria[number - 1])
        else:
            yield from self._one(self.last[number])

    def who_judged(self) -> Iterator[Claim]:
        """Say who checked or judged which criteria, and which are still to be judged."""
        found: dict[tuple[str, bool], list[Checked]] = {}
        for check in sorted(self.last.values(), key=lambda one: one.number):
            found.setdefault((check.by, check.standing == "waiting"), []).append(check)
        for (by, waiting), checks in found.items():
            evidence = cite(*(one.entry for one in checks))
            yield claims.CriteriaJudged(by, tuple(one.number for one in checks), waiting, evidence=evidence)
        for check in self._overruled:
            yield claims.Overruled(check, evidence=cite(check.entry, self.last[check.number].entry))
        left = tuple(number for number, _ in enumerate(self.criteria, start=1) if number not in self.last)
        if left or not self.criteria:
            yield claims.CriteriaJudged("", left)

    def _all(self) -> Iterator[Claim]:
        unmet = [one for _, one in sorted(self.last.items()) if one.standing == "unmet"]
        for check in unmet:
            yield from self._one(check)
        if not unmet:
            evidence = cite(*(one.entry for one in self.last.values()))
            met = sum(one.standing == "met" for one in self.last.values())
            yield claims.AllMet(met, len(self.criteria), evidence=evidence)

    def _one(self, check: Checked) -> Iterator[Claim]:
        criterion = self.criteria[check.number - 1]
        yield claims.CriterionStands(criterion, check, evidence=cite(check.entry))
        if check.standing == "unmet":
            yield from self._found_in(criterion)

    def _found_in(self, criterion: Criterion) -> Iterator[Claim]:
        """Say where the figures of a criterion come from; of another one, what its result was made by."""
        for fact in filter(None, (criterion.of, criterion.also)):
            found = self._results.find(fact)
            if found is None:
                yield claims.NoResult(fact)
                continue
            for row in self._results.rows_of(fact, criterion.figure) if criterion.figure else ():
                yield from self._results.tell(fact, row)
            if not criterion.figure:
                yield from self._results.way(frozenset({found}))


def answer_about_task(record: TaskRecord, question: TaskQuestion) -> AnswerText[TaskQuestion]:
    words = TaskWords(record.catalog, question.stage)
    return AnswerText(question, tuple(one for claim in explain_task(record, question) for one in put(claim, words)))


def explain_task(record: TaskRecord, question: TaskQuestion) -> tuple[Claim, ...]:
    return tuple(_ANSWERS[question.kind](record, question))


def figures_of(record: TaskRecord, fact: str) -> tuple[str, ...]:
    """List the figures and paragraphs of a result that can be traced to cells, in their order."""
    return tuple(dict.fromkeys(one.name for one in ResultTeller(record).figures_of(fact)))


def _how(record: TaskRecord, question: TaskQuestion) -> Iterator[Claim]:
    """Say how a result came about; without one, say it of all results that are there."""
    teller = ResultTeller(record)
    if question.fact is not None:
        yield from teller.how(question.fact, question.figure)
        return
    for fact in teller.there:
        yield from teller.how(fact)
    if not teller.there:
        yield claims.NoResult("")


_Answer = Callable[[TaskRecord, TaskQuestion], Iterator[Claim]]


def _of_stage(tell: Callable[[StageTeller, Hypothesis], Iterator[Claim]]) -> _Answer:
    def answer(record: TaskRecord, question: TaskQuestion) -> Iterator[Claim]:
        one = record.tree.hypotheses.get(question.stage)
        return iter((claims.NoSuchStage(question.stage),)) if one is None else tell(StageTeller(record), one)

    return answer


_ANSWERS: dict[TaskQuestionKind, _Answer] = {
    TaskQuestionKind.WHY: _of_stage(StageTeller.why),
    TaskQuestionKind.WHY_SPLIT: _of_stage(StageTeller.why_split),
    TaskQuestionKind.WHY_STUCK: _of_stage(StageTeller.why_stuck),
    TaskQuestionKind.WHAT_HELPS: _of_stage(StageTeller.what_helps),
    TaskQuestionKind.HOW: _how,
    TaskQuestionKind.WHY_UNMET: lambda record, question: CriteriaTeller(record).why_unmet(question.criterion),
    TaskQuestionKind.WHO_JUDGED: lambda record, _: CriteriaTeller(record).who_judged(),
}


def say_question(record: TaskRecord, question: TaskQuestion) -> str:
    one = record.tree.hypotheses.get(question.stage)
    stage = "the task" if one is None or question.stage == ROOT else quote(one.description.text.rstrip("."))
    what = "every result" if question.fact is None else TaskWords(record.catalog).the_fact(question.fact)
    figure = f"{quote(question.figure, 100)} in " if question.figure else ""
    criterion = "criteria are not met" if question.criterion is None else f"criterion {question.criterion} stands so"
    return {
        TaskQuestionKind.WHY: f"Why {stage} stands so",
        TaskQuestionKind.WHY_SPLIT: f"Why {stage} was split",
        TaskQuestionKind.WHY_STUCK: f"Why {stage} is stuck",
        TaskQuestionKind.WHAT_HELPS: f"What would help {stage}",
        TaskQuestionKind.HOW: f"How {figure}{what} came about",
        TaskQuestionKind.WHY_UNMET: f"Why {criterion}",
        TaskQuestionKind.WHO_JUDGED: "Who judged",
    }[question.kind]


def say_answer(record: TaskRecord, question: TaskQuestion) -> str:
    answer = answer_about_task(record, question)
    lines = (f"  {one.text()} {say_entries(one.evidence)}".rstrip() for one in answer.sentences)
    return "\n".join((f"{say_question(record, question)}:", *lines))


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
