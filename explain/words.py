"""How facts, skills, values and words of people are put in the explanations of the assistant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from catalog.wording import grammar
from catalog.wording.agents import agent_name
from explain.claim import AnswerText, ClaimWords, Part, Sentence, put, row
from explain.graph import list_refusals
from explain.model import Aim, Explanation, Question, QuestionKind, Record, SaidMessage, Value
from explain.trace import is_sayable, is_secret
from planning.history import Execution


@dataclass(frozen=True)
class ExplanationText(AnswerText[Question]):
    """An explanation in words: a page draws `Sentence.parts` as text and buttons, the chat joins them.

    `facts` are those spoken of, each of which can be asked about in turn; `links` and `coming` are those of the
    explanation.
    """

    links: tuple[tuple[int, str, int], ...] = ()
    facts: tuple[str, ...] = ()
    coming: tuple[tuple[str, int], ...] = ()

    def lines(self) -> str:
        texts = [sentence.text() for sentence in self.sentences]
        return ("\n" if self.question.kind is QuestionKind.WHAT else " ").join(texts)


@dataclass(frozen=True)
class Wording(ClaimWords):
    """How things are put in one explanation."""

    record: Record

    def label(self, fact: str) -> str:
        """Say what people call a fact; one that the catalog no longer has goes by its name."""
        declared = self.record.catalog.facts.get(fact)
        return grammar.clean(declared.label if declared and declared.label.strip() else fact.replace("_", " "))

    def fact(self, fact: str) -> Part:
        return Part(grammar.your(self.label(fact)), fact=fact)

    def counted(self, fact: str, count: int) -> Part:
        label = self.label(fact)
        numbered = count > 1 and grammar.takes_your(label)
        return Part(f"your {count} {label}" if numbered else grammar.your(label), fact=fact)

    def facts(self, facts: Sequence[str], word: str = "and") -> tuple[Part, ...]:
        """Name several facts in a row, saying "your" once for as long as it holds: "your name and address"."""
        parts: list[Part] = []
        yours = False
        for before, fact in zip(grammar.separators(len(facts), word), facts, strict=True):
            label = self.label(fact)
            bare = yours and grammar.takes_your(label)
            yours = grammar.takes_your(label)
            parts += [Part(before), Part(label if bare else grammar.your(label), fact=fact)]
        return tuple(part for part in parts if part.text)

    def aim(self, aim: Aim) -> tuple[Part, ...]:
        """Name what was asked for: facts, the work of skills, and what there is to choose from while that is open."""
        named = [self.facts(aim.facts)] if aim.facts else []
        named += [(Part("the work of "), self.skill(skill)) for skill in aim.skills]
        named += [row([self.facts(facts) for facts in either], "or") for either in aim.either]
        return row(named)

    def skill(self, skill: str | None) -> Part:
        declared = self.record.catalog.skills.get(skill or "")
        named = declared.label if declared and declared.label.strip() else (skill or "a skill").replace("_", " ")
        return Part(grammar.named_skill(grammar.clean(named)), skill=skill)

    def skills(self, skills: Sequence[str]) -> tuple[Part, ...]:
        return row([(self.skill(skill),) for skill in skills])

    def agent(self, agent: str) -> str:
        return agent_name(agent)

    def because(self, text: str) -> tuple[str, ...]:
        reason = grammar.as_clause(text)
        return (f", because {reason}",) if reason else ()

    def refusal(self, done: Execution | None) -> str:
        """Say that a skill said no, with its outcome by its name; nothing where the outcome is no bad news."""
        no = self.record.catalog.refusal(done.skill, done.mode, done.outcome) if done is not None else ""
        return f" said no ({grammar.quote(grammar.clean(no))})" if no else ""

    @cached_property
    def declined(self) -> bool:
        return bool(list_refusals(self.record))

    def is_sayable(self, fact: str) -> bool:
        return is_sayable(self.record.catalog, fact)

    def shown(self, value: Value) -> Part | None:
        if not self.is_sayable(value.fact) or not value.shown.strip():
            return None
        secret = value.secret or is_secret(self.record.catalog, value.fact) or self.repeats_secret(value.shown)
        return Part(grammar.clean(value.shown), secret=secret)

    def valued(self, facts: Sequence[str], values: Sequence[Value]) -> tuple[Part, ...]:
        """Name facts with their values, where these are given: "your credit score (480) and name (Ann Smith)"."""
        given = {value.fact: value for value in values}
        parts: list[Part] = []
        for part in self.facts(facts):
            value = self.shown(given[part.fact]) if part.fact in given else None
            parts += [part] if value is None else [part, Part(" ("), value, Part(")")]
        return tuple(parts)

    def words(self, execution: Execution) -> Part:
        """Quote what was said.

        One utterance may give several facts: the words are secret as soon as any fact that came with them, or whose
        value they repeat, is sensitive.
        """
        said = execution.said or ""
        together = (e for e in self.record.history if e.event == execution.event)
        secret = any(is_secret(self.record.catalog, fact) for e in together for fact in e.outputs)
        return Part(grammar.quote(said), secret=secret or self.repeats_secret(said))

    def message(self, one: SaidMessage) -> Part:
        """Quote a whole message; it is secret as soon as a value that it gave, or repeats, is sensitive."""
        given = (held.value for held in self.record.held if held.value.event in one.gave)
        secret = any(value.secret or is_secret(self.record.catalog, value.fact) for value in given)
        return Part(grammar.quote(one.text), secret=secret or self.repeats_secret(one.text))

    def repeats_secret(self, text: str) -> bool:
        return any(grammar.repeats(text, secret) for secret in self._secrets)

    @cached_property
    def _secrets(self) -> tuple[str, ...]:
        ever = (*self.record.values.values(), *(held.value for held in self.record.held))
        facts = {value.fact for value in ever}.union(*(done.outputs for done in self.record.history))
        secret = {fact for fact in facts if is_secret(self.record.catalog, fact)}
        values = (value.shown for value in ever if value.secret or value.fact in secret)
        words = (done.said for done in self.record.history if done.said and not secret.isdisjoint(done.outputs))
        return tuple(dict.fromkeys((*values, *words)))


def word(record: Record, explanation: Explanation) -> ExplanationText:
    """Put an explanation into words, and list the facts that it names. What would be said twice is said once."""
    words = Wording(record)
    proofs: dict[tuple[Part, ...], tuple[int, ...]] = {}
    for claim in explanation.claims:
        for one in put(claim, words):
            proofs[one.parts] = tuple(dict.fromkeys((*proofs.get(one.parts, ()), *one.evidence)))
    said = tuple(Sentence(parts, evidence) for parts, evidence in proofs.items())
    facts = dict.fromkeys(part.fact for one in said for part in one.parts if part.fact is not None)
    return ExplanationText(explanation.question, said, explanation.links, tuple(facts), explanation.coming)
