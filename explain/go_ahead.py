"""Explanations of calls that wait for a go-ahead: why they do, and whether what they did can be taken back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from catalog.model import Catalog, Effect
from catalog.wording.grammar import quote
from explain.claim import Claim, Part, Pieces, cite, row
from explain.claims import answer
from explain.model import Explanation, Question, Record
from explain.not_done import claim_waiting, explain_need
from explain.values import claim_consent, may_give
from explain.words import Wording
from planning.model import StepKind


class NeedsGoAhead(Claim):
    """A skill is called only when told to go ahead, because of what it does."""

    skill: str

    def say(self, words: Wording) -> Iterator[Pieces]:
        what = {
            Effect.NONE: "the catalog wants it so",
            Effect.IDEMPOTENT: "what it does changes something outside of this conversation",
            Effect.IRREVERSIBLE: "what it does cannot be undone",
        }[words.record.catalog.skills[self.skill].effect]
        yield "I ask before I call ", words.skill(self.skill), f", because {what}."


class NeedsNoGoAhead(Claim):
    skill: str
    template = "I need no go-ahead for {skill:skill}, and it gets nothing that is sensitive."


class UndoneBy(Claim):
    """Whether what a skill did, or is to do (not `done`), can be taken back; `goals` are requests about the same."""

    skill: str
    done: bool
    goals: tuple[str, ...]

    def say(self, words: Wording) -> Iterator[Pieces]:
        catalog, skill = words.record.catalog, words.skill(self.skill)
        effect, does = catalog.skills[self.skill].effect, "did" if self.done else "does"
        if not self.done:
            yield "I have not called ", skill, " yet: until then, nothing has to be undone."
        if effect is Effect.NONE:
            yield skill, " only looks things up and changes nothing, so there is nothing to undo."
        elif effect is Effect.IRREVERSIBLE:
            yield "What ", skill, f" {does} cannot be undone."
        else:
            yield "I cannot take back what ", skill, f" {does}, but it may be called again with other values."
        if self.goals:
            named = row([(Part(quote(catalog.goals[goal].label)),) for goal in self.goals], "or")
            yield "You can ask me for ", named, "."


class NothingChanged(Claim):
    template = "There is nothing to undo: I have not changed anything outside of this conversation."


def explain_undo(record: Record, question: Question) -> Explanation:
    """Say whether what was done last, or waits for a go-ahead, can be undone, and which requests are about the same."""
    skill = _find_acting(record, question)
    if skill is None:
        return answer(question, [NothingChanged(evidence=cite(record.goal_event)), *claim_waiting(record)])
    calls = [call.event for call in record.calls if call.skill == skill]
    evidence = cite(record.goal_event, *calls[-1:])
    done = any(call.skill == skill and call.outcome is not None for call in record.calls)
    undone = UndoneBy(skill, done, _find_goals_about(record.catalog, skill), evidence=evidence)
    return answer(question, [undone, *claim_waiting(record)])


def explain_why_confirm(record: Record, question: Question) -> Explanation:
    """Say why a call waits, or waited, for a go-ahead: what it does, and what is sensitive in what it is given."""
    skill = _find_acting(record, question)
    if skill is None:
        return explain_need(record, question)
    evidence = cite(record.goal_event, record.plan_event)
    declared = record.catalog.skills[skill]
    facts = tuple(dict.fromkeys(fact for mode in declared.modes.values() for fact in mode.takes))
    claims: list[Claim] = [NeedsGoAhead(skill, evidence=evidence)] if declared.confirms else []
    claims += claim_consent(record.catalog, skill, facts, evidence)
    return answer(question, [*(claims or [NeedsNoGoAhead(skill, evidence=evidence)]), *claim_waiting(record)])


def _find_acting(record: Record, question: Question) -> str | None:
    """Find the skill that is meant: by its name or what it gives, else one that waits, acted last, or is next."""
    skills, waiting = record.catalog.skills, record.waiting
    called = [call.skill for call in reversed(record.calls)]
    coming = [step.subject for step in record.plan if step.kind is StepKind.SKILL]
    near = dict.fromkeys((*called, *coming, *skills))
    if question.skill in skills:
        return question.skill
    if question.fact is not None:
        makers = (skill for skill in near if may_give(record.catalog, skill, question.fact))
        return next(makers, None) or _find_acting(record, Question(question.kind))
    if waiting is not None and waiting.subject in skills:
        return waiting.subject
    return next((skill for skill in (*called, *coming) if skills[skill].effect is not Effect.NONE), None)


def _find_goals_about(catalog: Catalog, skill: str) -> tuple[str, ...]:
    """List the requests that other skills with an effect serve, and that share a word with what a skill gives."""
    gives = set(catalog.skills[skill].gives)
    own = {word for fact in gives for word in _words(catalog.facts[fact].label)}
    acting = {one.name: set(one.gives) for one in catalog.skills.values() if one.effect is not Effect.NONE}
    results = {fact for name, facts in acting.items() if name != skill for fact in facts} - gives
    goals = (goal for goal in catalog.goals.values() if not results.isdisjoint(goal.facts))
    return tuple(goal.name for goal in goals if gives.isdisjoint(goal.facts) and own & _words(goal.label))


def _words(label: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{4,}", label.lower()))
