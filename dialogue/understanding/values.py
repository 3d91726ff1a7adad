"""Values: what was said for which fact, and where.

A value is taken where its form is found (by its kind) and something says which fact it is for: the fact's name beside
it, words that the fact's examples have beside theirs, the goal that needs it, or a form that no other fact has. Where
two facts could be meant alike, nobody gets it: guessing is the one unforgivable error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog, Fact
from catalog.values import ListOf, Mention, ValueKind
from dialogue.meaning import ValueMention
from dialogue.understanding.cues import Beside, find_needs, find_own_amount, gather_cues, look_beside, period_after
from dialogue.understanding.names import FactNames
from dialogue.understanding.others import is_of_another
from dialogue.understanding.reading import Utterance
from dialogue.understanding.requests.assigning import words_of_catalog
from dialogue.understanding.reservations import has_alternative, is_denied, is_in_passing, is_sent_to
from dialogue.understanding.wholes import find_wholes
from dialogue.understanding.words import FRAME_WORDS, Clause, content_words, span_of, stem

NAMED, CUED, FITTING = 3.0, 2.0, 1.0
"""How a value was tied to its fact: by the fact's name, by words beside it, or by being the only fact it fits.

A longer name ties a little more: "my new address" is the new address rather than the address.
"""

_SELF_EVIDENT = frozenset({"email", "phone", "pattern"})
"""Kinds whose form alone tells what a value is, where one fact only has it."""
WORDY = frozenset({"text", "person_name", "address"})
"""Kinds whose values look like any other words: only a name or a lead-in tells where they begin."""
_AMOUNTS = frozenset({"money", "number"})
_CHOOSING = frozenset("prefer rather better choose pick change switch version".split())

_NAME_WORD = r"[^\W\d_][^\W\d_'’.-]*(?:['’.-][^\W\d_]+)*\.?"
_NAME = re.compile(rf"{_NAME_WORD}(?:[ \t]+{_NAME_WORD}){{0,4}}")
_PARTICLES = frozenset("van von der den de di da del la le bin ibn al el o ter ten zu".split())
_STOP_BEFORE = re.compile(
    r"\s+(?:and|but|so|because|who|with)\s+(?:i|i'm|my|we|our|the|also|please|can|could|would|want|need|it)\b"
    r"|[;!?\n]|(?<=[^\W\d_]{3})\.(?:\s|$)|,\s+(?:and|but|i|i'm|i'd|my|please|thanks|can|could)\b|\s+-\s+"
)
_LEADS = {
    "person_name": re.compile(r"(?:\bi am|\bi'm|\bthis is|\bcall me|\bthey call me|\bi'm called|\bi am called)\s+"),
    "address": re.compile(r"\b(?:i|we) (?:now |currently )?(?:live|reside|am living|are living|stay) (?:at|on)\s+"),
}
"""What people say before a value of a wordy kind, whatever the catalog calls it."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact's claim to a stretch of the text.

    `takeable` is false where the words are about this fact, but no value can be taken for it from them.
    """

    fact: str
    start: int
    end: int
    strength: float
    rule: str
    value: JsonValue = None
    takeable: bool = True


@dataclass(frozen=True, slots=True)
class _Tie:
    """What ties a mention to a fact; `name_at` is where the fact's name begins before it."""

    strength: float
    rule: str
    name_at: int | None = None


class ValueReader:
    """Finds values in utterances, for one catalog."""

    def __init__(self, catalog: Catalog, names: FactNames, vocabularies: Mapping[str, frozenset[str]]) -> None:
        self._catalog, self._names, self._vocabularies = catalog, names, vocabularies
        self._facts = tuple(f for f in catalog.facts.values() if f.value.sayable and f.value.kind != "yes_no")
        self._cues = gather_cues(self._facts)
        self._no_names = words_of_catalog(catalog)
        self._needs = {goal: frozenset(find_needs(catalog, goal)) for goal in catalog.goals}
        self._amounts = {
            goal: find_own_amount(
                catalog,
                goal,
                [f.name for f in self._facts if f.name in needs and f.value.kind == "money" and _takeable(f)],
            )
            for goal, needs in self._needs.items()
        }
        self._named = {
            fact.name: re.compile(
                rf"\b(?:my|our)\s+(?:new |current |full |actual |correct )?(?P<name>{names.pattern(fact.name)})"
                r"\s*(?:is now|is|:|=|should be|would be|will be|has changed to)\s*(?!not\b)"
            )
            for fact in self._facts
        }
        one_of_several = catalog.origins.keys()  # what nobody says for which it is, none of them gets
        self._first = {
            fact.value.kind: fact.name
            for fact in reversed(self._facts)
            if _takeable(fact) and fact.name not in one_of_several
        }

    def claims(self, said: Utterance) -> list[Claim]:
        """List the claims that stand: of overlapping ones the strongest; none where equals differ."""
        parts = find_wholes(self._catalog, said, self._no_names)
        wholes = [Claim(part.fact, part.start, part.end, NAMED, part.rule, part.value) for part in parts]
        found: list[Claim] = []
        for fact in self._facts:
            found.extend(self._wordy(fact, said) if fact.value.kind in WORDY else self._formed(fact, said))
        left = [c for c in found if not any(w.start < c.end and c.start < w.end for w in wholes)]
        return [*(claim for claim in left if self._stands(claim, left)), *wholes]

    def misses_period(self, fact: str, folded: str, end: int) -> str | None:
        """Name the period that an amount is given by, when the fact is counted by another one."""
        period, known = period_after(folded, end), self._cues[fact].periods if fact in self._cues else frozenset()
        return period if period and known and period not in known else None

    def _stands(self, claim: Claim, claims: Sequence[Claim]) -> bool:
        rivals = [c for c in claims if c.fact != claim.fact and c.start < claim.end and claim.start < c.end]
        if any(rival.strength > claim.strength for rival in rivals):
            return False
        # What is said of a fact is said of its supertypes too: there the more general claim stands.
        return all(r.fact in self._catalog.subtypes[claim.fact] for r in rivals if r.strength == claim.strength)

    def _formed(self, fact: Fact, said: Utterance) -> Iterator[Claim]:
        """Claim what has the form of a fact's kind."""
        mentions = fact.value.find(said.text, said.today)
        for mention in mentions:
            clause = said.clause_at(mention.start)
            tie = self._tie(fact, said, clause, mention)
            if tie is None:
                continue
            value = _only_reading(fact, mention, said.today)
            refused = (
                is_denied(said, clause, mention, tie.name_at)
                or has_alternative(said, mention, mentions)
                or (tie.strength < NAMED and fact.name != said.asked and is_in_passing(said, clause))
                or (tie.strength == FITTING and fact.name != said.asked and is_sent_to(said, clause, mention))
            )
            by_another = fact.value.kind in _AMOUNTS and self.misses_period(fact.name, said.folded, mention.end)
            takeable = value is not None and not (mention.unsure or refused or by_another) and _takeable(fact)
            if takeable or tie.strength >= NAMED or not _takeable(fact) or refused:
                yield Claim(fact.name, mention.start, mention.end, tie.strength, tie.rule, value, takeable)

    def _tie(self, fact: Fact, said: Utterance, clause: Clause, mention: Mention) -> _Tie | None:
        """Say what ties a mention to a fact, if anything does."""
        kind, cues = fact.value.kind, self._cues[fact.name]
        before = self._names.names_before(fact.name, said.folded, mention.start)
        if before and before.start("name") >= clause.start:
            return _Tie(_named(before), f"{kind} after its name", before.start("name"))
        if after := self._names.names_after(fact.name, said.folded, mention.end):
            return _Tie(_named(after), f"{kind} before its name")
        beside = look_beside(said.folded, clause.start, clause.end, mention.start, mention.end)
        if kind in _AMOUNTS and beside.period and beside.period not in cues.periods:
            return None  # so much a month is not so much a year, nor simply so much
        cued = beside.left in cues.before or (beside.right in cues.after and not self._others_cue(fact, beside))
        if cued and self._is_needed(fact, said):
            return _Tie(CUED, f"{kind} with the words of an example")
        if not beside.period and self._fits_goal(fact, said, clause, mention, beside):
            return _Tie(CUED, f"{kind} that the goal needs")
        return _Tie(FITTING, f"{kind} by its form") if kind in _SELF_EVIDENT else None

    def _is_needed(self, fact: Fact, said: Utterance) -> bool:
        """Tell whether a goal at hand may need a fact: "it costs 20,000" gives no house price to who wants a loan."""
        return fact.name == said.asked or any(fact.name in self._needs[goal] for goal in (*said.mentioned, *said.stack))

    def _others_cue(self, fact: Fact, beside: Beside) -> bool:
        """Tell whether the word before a value belongs to another fact."""
        return any(beside.left in cues.before for name, cues in self._cues.items() if name != fact.name)

    def _fits_goal(self, fact: Fact, said: Utterance, clause: Clause, mention: Mention, beside: Beside) -> bool:
        """Tell whether a value stands right beside a goal's words, and is what that goal needs."""
        for goal in dict.fromkeys((*said.mentioned, *said.stack[:1])):
            touching = beside.left in self._vocabularies[goal] or beside.right in self._vocabularies[goal]
            if fact.value.kind == "money" and self._amounts[goal] == fact.name and (touching or beside.asks):
                return True
            if fact.value.kind == "choice" and fact.name in self._needs[goal] and goal in said.mentioned:
                wanted_for = re.search(r"\bfor (?:\w+ ){0,2}\Z", said.folded[clause.start : mention.start])
                if touching or wanted_for:
                    return True
        at_hand = (*said.mentioned, *said.stack[:1], *said.ended[:1])
        return (
            fact.value.kind == "choice"
            and any(fact.name in self._needs[goal] for goal in at_hand)
            and self._says_only(said, clause, mention, at_hand)
        )

    def _says_only(self, said: Utterance, clause: Clause, mention: Mention, goals: Sequence[str]) -> bool:
        """Tell whether a clause says one option and nothing else of weight: "rather as a bar chart, please"."""
        around = said.folded[clause.start : mention.start] + " . " + said.folded[mention.end : clause.end]
        own = frozenset().union(*(self._vocabularies[goal] for goal in goals))
        weighty = (stem(word.text) for word in content_words(around) if word.text not in FRAME_WORDS | _CHOOSING)
        return all(word in own for word in weighty)

    def _wordy(self, fact: Fact, said: Utterance) -> Iterator[Claim]:
        """Claim words that stand after a fact's name, or after a lead-in such as "I live at"."""
        kind, folded = fact.value.kind, said.folded
        leads = [(m, f"{kind} after its name", _named(m)) for m in self._named[fact.name].finditer(folded)]
        if kind in _LEADS and self._first.get(kind) == fact.name:
            leads += [(m, f"{kind} after “{m.group().strip()}”", NAMED) for m in _LEADS[kind].finditer(folded)]
        leads += [(m, f"{kind} with the words of an example", NAMED) for m in self._example_leads(fact, folded)]
        for match, rule, strength in leads:
            start = match.end()
            if kind == "person_name":
                end = _end_of_name(said.text, start, introduced=rule.endswith("”"))
            else:
                end = _end_of_words(folded, start)
            if end <= start or is_of_another(folded, match.start() - 40, match.start()):
                continue
            span = span_of(said.text, start, end)
            takeable = _takeable(fact) and fact.value.accepts(span.text, said.today)
            value = fact.value.check(span.text, said.today) if takeable else None
            yield Claim(fact.name, span.start, span.end, strength, rule, value, takeable)

    def _example_leads(self, fact: Fact, folded: str) -> Iterator[re.Match[str]]:
        for lead in self._names.leads(fact.name):
            yield from lead.finditer(folded)


def take(text: str, claims: Iterable[Claim]) -> tuple[ValueMention, ...]:
    """Turn the claims that can be taken into values: one a fact, and none where two values for it differ."""
    by_fact: dict[str, list[Claim]] = {}
    for claim in claims:
        if claim.takeable:
            by_fact.setdefault(claim.fact, []).append(claim)
    taken = []
    for fact, made in by_fact.items():
        best = max(claim.strength for claim in made)
        strongest = [claim for claim in made if claim.strength == best]
        if all(claim.value == strongest[0].value for claim in strongest):
            chosen = strongest[0]
            span = span_of(text, chosen.start, chosen.end)
            taken.append(ValueMention(fact=fact, value=chosen.value, span=span, rule=chosen.rule))
    return tuple(sorted(taken, key=lambda value: value.span.start))


def is_wordy(kind: ValueKind) -> bool:
    """Tell whether values of a kind, or the items of a list, look like any other words."""
    return (kind.of if isinstance(kind, ListOf) else kind).kind in WORDY


def _named(match: re.Match[str]) -> float:
    return NAMED + min(len(match["name"]), 900) / 1_000


def _takeable(fact: Fact) -> bool:
    return fact.fillable and fact.askable


def _only_reading(fact: Fact, mention: Mention, today: date) -> JsonValue:
    """Give the one acceptable reading of a mention, or None."""
    readings = [reading for reading in mention.readings if fact.value.accepts(reading, today)]
    return fact.value.check(readings[0], today) if len(readings) == 1 else None


def _end_of_name(text: str, start: int, *, introduced: bool) -> int:
    """Find where a name that begins here ends: words with a capital; nothing when it does not look like a name."""
    match = _NAME.match(text, start)
    if match is None:
        return start
    end, count = start, 0
    for word in re.finditer(r"\S+", match.group()):
        if not word.group()[0].isupper() and not (count and word.group().lower() in _PARTICLES):
            break
        end, count = start + word.end(), count + 1
    name = text[start:end]
    if not re.search(r"\b\w\.\Z", name):
        name = name.rstrip(".")
    # "I'm German" is no name; "I'm Ann Lee" is one.
    return start + len(name) if count >= (2 if introduced else 1) else start


def _end_of_words(folded: str, start: int) -> int:
    """Find where free words that begin here end: where a sentence or another statement begins."""
    stop = _STOP_BEFORE.search(folded, start)
    return len(folded[: stop.start() if stop else len(folded)].rstrip(' .,;:"'))
