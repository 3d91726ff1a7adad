"""Put facts, skills, values and people's own words into sentences, each piece knowing what it stands for.

Whatever shows a sensitive value, or words in which one was given, is a secret part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog.model import Catalog
from explain import grammar
from explain.model import Explanation, Part, Question, Record, Sentence
from explain.trace import find_last
from planning.history import Execution

Piece = str | Part | Sequence[Part]


def sentence(*pieces: Piece, evidence: Iterable[int | None] = ()) -> Sentence:
    """Make a sentence of pieces: the first letter is a capital, neighbouring plain texts become one part."""
    parts: list[Part] = []
    for piece in pieces:
        for part in [Part(piece)] if isinstance(piece, str) else [piece] if isinstance(piece, Part) else piece:
            plain = part.fact is None and part.skill is None and not part.secret
            if plain and parts and parts[-1] == Part(parts[-1].text):
                parts[-1] = Part(parts[-1].text + part.text)
            elif part.text:
                parts.append(part)
    first = parts[0]
    parts[0] = Part(grammar.capitalize(first.text), first.fact, first.skill, first.secret)
    return Sentence(tuple(parts), tuple(sorted({event for event in evidence if event is not None})))


def answer(
    question: Question,
    sentences: Iterable[Sentence],
    links: Iterable[tuple[int, str, int]] = (),
    coming: Iterable[tuple[str, int]] = (),
) -> Explanation:
    """Make an explanation of sentences, listing the facts that they name."""
    said = tuple(sentences)
    facts = dict.fromkeys(part.fact for one in said for part in one.parts if part.fact is not None)
    return Explanation(question, said, tuple(dict.fromkeys(links)), tuple(facts), tuple(dict.fromkeys(coming)))


def row(items: Sequence[Sequence[Part]], word: str = "and") -> tuple[Part, ...]:
    """Put several pieces in a row: "x, y and z"."""
    befores = grammar.separators(len(items), word)
    return tuple(p for before, item in zip(befores, items, strict=True) for p in (Part(before), *item) if p.text)


@dataclass(frozen=True, slots=True)
class Wording:
    """How things are put in one explanation."""

    catalog: Catalog
    record: Record

    def label(self, fact: str) -> str:
        """Say what people call a fact; one that the catalog no longer has goes by its name."""
        declared = self.catalog.facts.get(fact)
        return grammar.clean(declared.label if declared and declared.label.strip() else fact.replace("_", " "))

    def fact(self, fact: str) -> Part:
        """Name a fact: "your loan amount"."""
        return Part(grammar.your(self.label(fact)), fact=fact)

    def counted(self, fact: str, count: int) -> Part:
        """Name a list with how many it holds: "your 3 cities"."""
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

    def goal(self) -> tuple[Part, ...]:
        """Name what was asked for: facts, the work of skills, and what there is to choose from while that is open."""
        record = self.record
        named = [self.facts(record.goal)] if record.goal else []
        named += [(Part("the work of "), self.skill(skill)) for skill in record.skills]
        named += [row([self.facts(facts) for facts in either], "or") for either in self.open_choices()]
        return row(named)

    def open_choices(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """List the alternatives of which none was taken so far."""
        goals = (self.catalog.goals[name] for name in self.record.goals if name in self.catalog.goals)
        settled = set(self.record.goal)
        return tuple(goal.either for goal in goals if not any(settled.issuperset(facts) for facts in goal.either))

    def skill(self, skill: str | None) -> Part:
        """Name a skill: "the credit bureau"."""
        declared = self.catalog.skills.get(skill or "")
        named = declared.label if declared and declared.label.strip() else (skill or "a skill").replace("_", " ")
        return Part(grammar.named_skill(grammar.clean(named)), skill=skill)

    def is_sayable(self, fact: str) -> bool:
        """Tell whether a value can be put into a sentence; pictures, tables and charts cannot."""
        declared = self.catalog.facts.get(fact)
        return declared is None or declared.value.sayable

    def is_secret(self, fact: str) -> bool:
        """Tell whether a fact's value is to be masked; one that the catalog no longer has might be anything."""
        return fact not in self.catalog.facts or self.catalog.is_sensitive(fact)

    def shown(self, fact: str, at: int | None) -> Part | None:
        """Show a fact's value, if it is the one that this place in the history gave, and can be put into a sentence."""
        value = self.record.values.get(fact)
        last = find_last(self.record.history, fact)
        current = at is None if last is None else last.index == at
        if value is None or not current or not self.is_sayable(fact) or not value.shown.strip():
            return None
        return Part(grammar.clean(value.shown), secret=self.is_secret(fact) or self.repeats_secret(value.shown))

    def valued(self, facts: Sequence[str], at: int | None) -> tuple[Part, ...]:
        """Name facts with their values: "your credit score (480) and name (Ann Smith)"."""
        parts: list[Part] = []
        for part in self.facts(facts):
            value = None if part.fact is None else self.shown(part.fact, at)
            parts += [part] if value is None else [part, Part(" ("), value, Part(")")]
        return tuple(parts)

    def value_events(self, facts: Iterable[str]) -> tuple[int, ...]:
        """Cite what shows the values of facts that no execution established: they were known from the start."""
        return tuple(self.record.values[fact].event for fact in facts if fact in self.record.values)

    def words(self, execution: Execution) -> Part:
        """Quote what somebody said.

        One utterance may give several facts: the words are secret as soon as any fact that came with them, or whose
        value they repeat, is sensitive.
        """
        said = execution.said or ""
        together = (e for e in self.record.history if e.event == execution.event)
        secret = any(self.is_secret(fact) for e in together for fact in e.outputs)
        return Part(grammar.quote(said), secret=secret or self.repeats_secret(said))

    def repeats_secret(self, text: str) -> bool:
        """Tell whether a text repeats a sensitive value, or the words in which one was given."""
        values = (v.shown for v in self.record.values.values() if self.is_secret(v.fact))
        words = (e.said for e in self.record.history if e.said and any(self.is_secret(f) for f in e.outputs))
        return any(grammar.repeats(text, secret) for secret in (*values, *words))
