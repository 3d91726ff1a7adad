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

from catalog.analysis.dependencies import what_leads_to
from catalog.model import Catalog, Fact
from language.entities.composite_answers import find_wholes
from language.entities.context_cues import (
    Beside,
    find_core,
    find_own_amount,
    gather_cues,
    look_beside,
    period_after,
)
from language.entities.fact_names import FactNames
from language.entities.free_text_spans import WORDY, Openings, end_of_name, end_of_words, stop_before
from language.entities.value_constraints import (
    DaysToDo,
    amount_after,
    follows_amount,
    has_alternative,
    is_about_another,
    is_aside,
    is_denied,
    is_elsewhere,
    is_in_passing,
    is_of_another,
    may_be_year,
    stands_alone,
)
from language.interpretation import Entity
from language.readers import Mention, find_mentions
from language.slots.assignment import words_of_catalog
from language.text.words import FRAME_WORDS, Clause, content_words, span_of, stem
from language.utterance import Utterance

NAMED, COUNTED, CUED, FITTING = 3.0, 2.5, 2.0, 1.0
"""How a value was tied to its fact: by the fact's name, as so much of it ("20k deposit"), by words beside it, or by
being the only fact it fits.

A longer name ties a little more: "my new address" is the new address rather than the address.
"""

_SELF_EVIDENT = frozenset({"email", "phone", "pattern"})
"""Kinds whose form alone tells what a value is, where one fact only has it."""
_AMOUNTS = frozenset({"money", "number"})
_CHOOSING = frozenset("prefer rather better choose pick change switch version".split())


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
        self._needs = {name: what_leads_to(catalog, goal).facts for name, goal in catalog.goals.items()}
        self._cores = {name: find_core(goal) & vocabularies[name] for name, goal in catalog.goals.items()}
        takeable = list(filter(_takeable, self._facts))
        self._amounts = {goal: find_own_amount(catalog, goal, takeable) for goal in catalog.goals}
        self._openings = Openings(self._facts, names)
        self._stops = stop_before(names.pattern(fact.name) for fact in self._facts)
        self._days = DaysToDo(catalog, takeable, self._needs)
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
        found = [claim for fact in self._facts if fact.value.kind in WORDY for claim in self._wordy(fact, said)]
        bare = said.without([(claim.start, claim.end) for claim in found if claim.takeable])
        for fact in self._facts:
            found.extend(self._formed(fact, bare) if fact.value.kind not in WORDY else ())
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
        mentions = find_mentions(fact.value, said.text, said.today)
        for mention in mentions:
            clause = said.clause_at(mention.start)
            tie = self._tie(fact, said, clause, mention)
            if tie is None:
                continue
            value = _only_reading(fact, mention, said.today)
            refused = (
                is_denied(said, clause, mention, tie.name_at, whose=fact.value.kind != "choice")
                or has_alternative(said, mention, mentions)
                or (tie.strength < COUNTED and fact.name != said.asked and self._is_in_passing(said, clause))
                or (tie.strength == FITTING and fact.name != said.asked and is_elsewhere(said, clause, mention))
            )
            by_another = fact.value.kind in _AMOUNTS and self.misses_period(fact.name, said.folded, mention.end)
            takeable = value is not None and not (mention.unsure or refused or by_another) and _takeable(fact)
            if takeable or tie.strength >= NAMED or not _takeable(fact) or refused:
                yield Claim(fact.name, mention.start, mention.end, tie.strength, tie.rule, value, takeable)

    def _tie(self, fact: Fact, said: Utterance, clause: Clause, mention: Mention) -> _Tie | None:
        """Say what ties a mention to a fact, if anything does."""
        kind = fact.value.kind
        before = self._names.names_before(fact.name, said.folded, mention.start)
        if before and before.start("name") >= clause.start and not self._names_last(said, mention, before):
            return _Tie(_named(before), f"{kind} after its name", before.start("name"))
        if after := self._names.names_after(fact.name, said.folded, mention.end):
            return _Tie(_named(after), f"{kind} before its name")
        if kind in _AMOUNTS and self._is_needed(fact, said) and self._is_so_much_of(fact, said, mention):
            return _Tie(COUNTED, f"{kind} before its name")
        if (rule := self._cue(fact, said, clause, mention)) is not None:
            return _Tie(CUED, rule)
        return _Tie(FITTING, f"{kind} by its form") if kind in _SELF_EVIDENT else None

    def _is_so_much_of(self, fact: Fact, said: Utterance, mention: Mention) -> bool:
        """Tell whether the fact's name follows an amount, and is not that of the next one: "10k income 64k"."""
        name = self._names.names_right_after(fact.name, said.folded, mention.end)
        another = amount_after(said.folded, name.end()) if name else None
        return name is not None and (another is None or self._is_name_at(said, another))

    def _names_last(self, said: Utterance, mention: Mention, name: re.Match[str]) -> bool:
        """Tell whether a name before an amount is that of the amount before it: "64k income 20k deposit"."""
        return follows_amount(said.folded, name.start("name")) and self._is_name_at(said, mention.end)

    def _is_name_at(self, said: Utterance, place: int) -> bool:
        return any(self._names.names_right_after(fact.name, said.folded, place) for fact in self._facts)

    def _cue(self, fact: Fact, said: Utterance, clause: Clause, mention: Mention) -> str | None:
        """Say by which rule the words beside a mention, or the goal at hand, tie it to a fact, if they do."""
        kind, cues = fact.value.kind, self._cues[fact.name]
        beside = look_beside(said.folded, clause.start, clause.end, mention.start, mention.end)
        if fact.name != said.asked and (
            is_about_another(said.folded, clause.start, mention.start, cues.before)
            or (kind in _AMOUNTS and may_be_year(mention.text))
            or (kind == "date" and is_aside(said.folded, clause, mention.start))
        ):
            return None
        if kind in _AMOUNTS and beside.period and beside.period not in cues.periods:
            return None  # so much a month is not so much a year, nor simply so much
        after = beside.right in cues.after and not self._others_cue(fact, beside)
        cued = (
            after or cues.lead_to(beside) or (kind in _AMOUNTS and cues.speak_of(beside, said.folded[: mention.start]))
        )
        if cued and self._is_needed(fact, said):
            return f"{kind} with the words of an example"
        if kind == "date" and self._days.is_one(fact, said, clause, mention):
            return "date on which it is to be done"
        if not beside.period and self._fits_goal(fact, said, clause, mention, beside):
            return f"{kind} that the goal needs"
        return None

    def _is_in_passing(self, said: Utterance, clause: Clause) -> bool:
        """Tell whether a clause only mentions its values, and is no request by itself: "what does a 5k loan cost?"."""
        words = frozenset(stem(word.text) for word in content_words(clause.of(said.folded)))
        asks = any(words & self._vocabularies[goal] for goal in said.mentioned)
        return is_in_passing(said, clause, asks=asks)

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
            if fact.value.kind == "money" and self._amounts[goal] == fact.name:
                touching = beside.left in self._cores[goal] or beside.right in self._cores[goal]
                alone = len(said.mentioned) == 1 and stands_alone(
                    said.folded, mention.start, mention.end, self._vocabularies[goal]
                )
                if touching or beside.asks or alone:
                    return True
            if fact.value.kind == "choice" and fact.name in self._needs[goal] and goal in said.mentioned:
                wanted_for = re.search(r"\bfor (?:\w+ ){0,2}\Z", said.folded[clause.start : mention.start])
                if touching or wanted_for or beside.asks:
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
        """Claim words that stand beside a fact's name, or after a lead-in such as "I live at"."""
        kind, folded = fact.value.kind, said.folded
        only = self._first.get(kind) == fact.name
        leads = [
            (match, rule, _named(match) if named else NAMED)
            for match, rule, named in self._openings.find(fact, folded, only=only)
        ]
        leads += [(m, f"{kind} with the words of an example", NAMED) for m in self._example_leads(fact, folded)]
        for match, rule, strength in leads:
            start = match.end()
            if kind == "person_name":
                bare = rule.endswith("”") or (rule.endswith("list") and not re.search(r"[:=]\s*\Z", match.group()))
                end = end_of_name(said.text, start, least=2 if bare else 1)
            else:
                end = end_of_words(folded, start, self._stops)
            if end > start and not is_of_another(folded, match.start() - 40, match.start()):
                yield self._claim_words(fact, said, (start, end), strength, rule)
        for match in self._openings.find_before_name(fact, folded):
            if not is_of_another(folded, match.start() - 40, match.start()):
                yield self._claim_words(fact, said, match.span("value"), _named(match), f"{kind} before its name")

    @staticmethod
    def _claim_words(fact: Fact, said: Utterance, place: tuple[int, int], strength: float, rule: str) -> Claim:
        span = span_of(said.text, *place)
        takeable = _takeable(fact) and fact.value.accepts(span.text, said.today)
        value = fact.value.check(span.text, said.today) if takeable else None
        return Claim(fact.name, span.start, span.end, strength, rule, value, takeable)

    def _example_leads(self, fact: Fact, folded: str) -> Iterator[re.Match[str]]:
        for lead in self._names.leads(fact.name):
            yield from lead.finditer(folded)


def take(text: str, claims: Iterable[Claim]) -> tuple[Entity, ...]:
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
            taken.append(Entity(fact=fact, value=chosen.value, span=span, rule=chosen.rule))
    return tuple(sorted(taken, key=lambda value: value.span.start))


def _named(match: re.Match[str]) -> float:
    return NAMED + min(len(match["name"]), 900) / 1_000


def _takeable(fact: Fact) -> bool:
    return fact.fillable and fact.askable


def _only_reading(fact: Fact, mention: Mention, today: date) -> JsonValue:
    """Give the one acceptable reading of a mention, or None."""
    readings = [reading for reading in mention.readings if fact.value.accepts(reading, today)]
    return fact.value.check(readings[0], today) if len(readings) == 1 else None
