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
from catalog.values import Mention
from dialogue.meaning import ValueMention
from dialogue.understanding.names import FactNames
from dialogue.understanding.words import FUNCTION_WORDS, FRAME_WORDS, Clause, span_of, stem, words_in

NAMED, CUED, FITTING = 3, 2, 1
"""How a value was tied to its fact: by the fact's name, by words beside it, or by being the only fact it fits."""

_SELF_EVIDENT = frozenset({"email", "phone", "pattern"})
"""Kinds whose form alone tells what a value is, where one fact only has it."""
_WORDY = frozenset({"text", "person_name", "address"})
"""Kinds whose values look like any other words: only a name or a lead-in tells where they begin."""

_OTHERS = re.compile(
    r"\b(?:his|her|their|your|its|whose|(?!(?:it|that|what|there|here|let|who|how|where|he|she)'s\b)\w+'s|old|previous|former|used to|for example|e\.g\.|such as|if|unless|write to|mail to|send (?:it|this|that) to)\b"
)
"""Before a value: words that say it is another person's, of the past, or only supposed."""
_PERIOD = re.compile(
    r"\s*(?:(?:a|an|per|each|every|/)\s*(?:month|year|week|day|hour|annum)\b|monthly|yearly|annually|weekly|p\.?[am]\.?\b)"
)
_BETWEEN = FUNCTION_WORDS | frozenset(
    "around roughly approximately exactly maybe perhaps say amount sum total worth euro euros eur dollar dollars usd pound pounds gbp".split()
)
_I_AM = re.compile(r"(?:\bi am|\bi'm|\bthis is|\bcall me|\bthey call me|\bi'm called|\bi am called)\s+")
_NAME_WORD = r"[^\W\d_][^\W\d_'’.-]*(?:['’.-][^\W\d_]+)*\.?"
_NAME = re.compile(rf"{_NAME_WORD}(?:[ \t]+{_NAME_WORD}){{0,4}}")
_I_LIVE = re.compile(
    r"\b(?:i|we) (?:now |currently )?(?:live|reside|am living|are living|stay) (?:at|on)\s+|\b(?:i|we|i've|we've) (?:have )?moved to\s+"
)
_STOP_BEFORE = re.compile(
    r"\s+(?:and|but|so|because|who|with)\s+(?:i|i'm|my|we|our|the|also|please|can|could|would|want|need|it)\b|[;!?\n]|(?<=[^\W\d_]{3})\.(?:\s|$)|,\s+(?:and|but|i|i'm|i'd|my|please|thanks|can|could)\b|\s+-\s+"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A fact's claim to a stretch of the text."""

    fact: str
    start: int
    end: int
    strength: int
    rule: str
    value: JsonValue = None
    takeable: bool = True
    """False: the words are about this fact, but no value can be taken for it from them."""


@dataclass(frozen=True, slots=True)
class _Cues:
    """The words right before and after the value in a fact's examples."""

    before: frozenset[str]
    after: frozenset[str]


class ValueReader:
    """Finds values in utterances, for one catalog."""

    def __init__(self, catalog: Catalog, names: FactNames, vocabularies: Mapping[str, frozenset[str]]) -> None:
        self._catalog, self._names, self._vocabularies = catalog, names, vocabularies
        self._facts = tuple(f for f in catalog.facts.values() if f.value.sayable and f.value.kind != "yes_no")
        self._cues = _own_cues({fact.name: _cues(fact) for fact in self._facts})
        self._needs = {goal: frozenset(_needs(catalog, goal)) for goal in catalog.goals}
        kinds = [fact.value.kind for fact in self._facts if _takeable(fact)]
        self._only = {kind for kind in kinds if kinds.count(kind) == 1}

    def claims(
        self, text: str, folded: str, clauses: Sequence[Clause], mentioned: Sequence[str], top: str | None, today: date
    ) -> list[Claim]:
        """List the claims that stand: of overlapping ones the strongest; none where equals differ.

        `mentioned` are goals asked for in this utterance, `top` the goal being pursued.
        """
        found: list[Claim] = []
        for fact in self._facts:
            if fact.value.kind in _WORDY:
                found.extend(self._wordy(fact, text, folded, today))
            else:
                found.extend(self._formed(fact, text, folded, clauses, mentioned, top, today))
        return _settle(found, self._catalog)

    def _formed(
        self,
        fact: Fact,
        text: str,
        folded: str,
        clauses: Sequence[Clause],
        mentioned: Sequence[str],
        top: str | None,
        today: date,
    ) -> Iterator[Claim]:
        """Claim what has the form of a fact's kind."""
        for mention in fact.value.find(text, today):
            start, end = mention.start, mention.end
            clause = next((c for c in clauses if c.start <= start < c.end), Clause(0, len(text)))
            value = _only_reading(fact, mention, today)
            others = _OTHERS.search(folded, clause.start, start) is not None
            tie = self._tie(fact, folded, clause, start, end, mentioned, top)
            if tie is None:
                continue
            strength, rule = tie
            takeable = value is not None and not mention.unsure and not others and _takeable(fact)
            yield Claim(fact.name, start, end, strength, rule, value, takeable)

    def _tie(
        self, fact: Fact, folded: str, clause: Clause, start: int, end: int, mentioned: Sequence[str], top: str | None
    ) -> tuple[int, str] | None:
        """Say what ties a mention to a fact, if anything does."""
        kind = fact.value.kind
        before = self._names.names_before(fact.name, folded, start)
        if before and before.start() >= clause.start - 1:
            return NAMED, f"{kind} after its name"
        if self._names.names_after(fact.name, folded, end):
            return NAMED, f"{kind} before its name"
        left, right = _neighbours(folded, clause, start, end)
        cues = self._cues[fact.name]
        if (
            _PERIOD.match(folded, end)
            and kind in {"money", "number"}
            and not cues.after & {"month", "year", "week", "day"}
        ):
            return None
        if (left and left in cues.before) or (right and right in cues.after):
            return CUED, f"{kind} with the words of an example"
        if kind in {"money", "choice"} and self._fits_goal(fact, folded, clause, start, left, right, mentioned, top):
            return CUED, f"{kind} that the goal needs"
        if kind in _SELF_EVIDENT:
            return FITTING, f"{kind} by its form"
        return None

    def _fits_goal(
        self,
        fact: Fact,
        folded: str,
        clause: Clause,
        start: int,
        left: str | None,
        right: str | None,
        mentioned: Sequence[str],
        top: str | None,
    ) -> bool:
        """Tell whether a value stands right beside a goal's words, and the goal needs one such fact only."""
        for goal in (*mentioned, *([top] if top else [])):
            needed = [
                f.name
                for f in self._facts
                if f.name in self._needs[goal] and f.value.kind == fact.value.kind and _takeable(f)
            ]
            if fact.name not in needed or (len(needed) > 1 and fact.value.kind == "money"):
                continue
            words = self._vocabularies[goal]
            asked = left in _ASKING and fact.value.kind == "money"
            if left in words or right in words or (asked and (goal in mentioned or goal == top)):
                return True
            if (
                fact.value.kind == "choice"
                and goal in mentioned
                and re.search(r"\bfor (?:\w+ ){0,2}\Z", folded[clause.start : start])
            ):
                return True
        return False

    def _wordy(self, fact: Fact, text: str, folded: str, today: date) -> Iterator[Claim]:
        """Claim words that stand after a fact's name, or after a lead-in such as "I live at"."""
        kind = fact.value.kind
        named = re.compile(
            rf"\b(?P<whose>my|our)\s+(?:new |current |full |actual |correct )?(?:{self._names.pattern(fact.name)})\s*(?:is now|is|:|=|should be|would be|will be|has changed to)\s*(?!not\b)"
        )
        leads = [(match, f"{kind} after its name") for match in named.finditer(folded)]
        if kind == "address" and kind in self._only:
            leads += [(match, "address after “I live at”") for match in _I_LIVE.finditer(folded)]
        if kind == "person_name" and kind in self._only:
            leads += [(match, "name after “I am”") for match in _I_AM.finditer(folded)]
        for match, rule in leads:
            start = match.end()
            end = (
                _end_of_name(text, start, introduced="I am" in rule)
                if kind == "person_name"
                else _end_of_words(folded, start)
            )
            if end <= start or _OTHERS.search(folded, max(0, match.start() - 40), match.start()):
                continue
            span = span_of(text, start, end)
            value = span.text.strip(' ,:;"')
            takeable = _takeable(fact) and value == span.text and fact.value.accepts(value, today)
            yield Claim(
                fact.name,
                span.start,
                span.end,
                NAMED,
                rule,
                fact.value.check(value, today) if takeable else None,
                takeable,
            )


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
            taken.append(
                ValueMention(
                    fact=fact, value=chosen.value, span=span_of(text, chosen.start, chosen.end), rule=chosen.rule
                )
            )
    return tuple(sorted(taken, key=lambda value: value.span.start))


def _settle(claims: list[Claim], catalog: Catalog) -> list[Claim]:
    """Drop each claim that a stronger one overlaps, and all claims of equal strength that overlap."""
    settled = []
    for claim in claims:
        rivals = [c for c in claims if c.fact != claim.fact and c.start < claim.end and claim.start < c.end]
        if any(rival.strength > claim.strength for rival in rivals):
            continue
        equals = [rival for rival in rivals if rival.strength == claim.strength]
        # What is said of a fact is said of its supertypes: there the more general claim stands.
        if all(rival.fact in catalog.subtypes[claim.fact] for rival in equals):
            settled.append(claim)
    return settled


def _takeable(fact: Fact) -> bool:
    return fact.fillable and fact.askable


def _only_reading(fact: Fact, mention: Mention, today: date) -> JsonValue:
    """Give the one acceptable reading of a mention, or None."""
    readings = [reading for reading in mention.readings if fact.value.accepts(reading, today)]
    return fact.value.check(readings[0], today) if len(readings) == 1 else None


def _neighbours(folded: str, clause: Clause, start: int, end: int) -> tuple[str | None, str | None]:
    """Find the nearest words on either side that say something, as stems."""
    before = [w.text for w in words_in(folded[clause.start : start])][-6:]
    after = [w.text for w in words_in(folded[end : clause.end])][:4]
    left = next((stem(word) for word in reversed(before) if word not in _BETWEEN), None)
    right = (
        next((stem(word) for word in after if word not in _BETWEEN and word not in _SEPARATING), None)
        if not (after and after[0] in _SEPARATING)
        else None
    )
    return left, right


_SEPARATING = frozenset("for to in because and but if so with from".split())
_ASKING = frozenset(map(stem, ("need", "want", "like", "get", "have", "require", "ask")))


def _cues(fact: Fact) -> _Cues:
    """Gather the words beside the values in a fact's examples."""
    before: set[str] = set()
    after: set[str] = set()
    for example in fact.examples:
        folded = example.lower()
        for mention in fact.value.find(example, date(2000, 1, 1)):
            left, right = _neighbours(folded, Clause(0, len(folded)), mention.start, mention.end)
            before |= {left} if left and left not in _FRAME_STEMS else set()
            after |= {right} if right and right not in _FRAME_STEMS else set()
    return _Cues(frozenset(before), frozenset(after))


_FRAME_STEMS = frozenset(map(stem, FRAME_WORDS))


def _own_cues(cues: Mapping[str, _Cues]) -> dict[str, _Cues]:
    """Keep the cues that belong to one fact only."""

    def own(fact: str, side: str) -> frozenset[str]:
        others = frozenset().union(*(getattr(c, side) for name, c in cues.items() if name != fact))
        return frozenset(getattr(cues[fact], side) - others)

    return {fact: _Cues(own(fact, "before"), own(fact, "after")) for fact in cues}


def _needs(catalog: Catalog, goal: str) -> Iterator[str]:
    """Yield every fact that some way to a goal may need: the inputs of skills that lead to it, and theirs."""
    seen: set[str] = set()
    open_facts = list(catalog.goals[goal].facts)
    while open_facts:
        fact = open_facts.pop()
        if fact in seen or fact not in catalog.facts:
            continue
        seen.add(fact)
        yield fact
        wanted = set(catalog.subtypes[fact])
        open_facts.extend(wanted)
        for skill in catalog.skills.values():
            for mode in skill.modes.values():
                if any(wanted & set(outcome.facts) for outcome in mode.outcomes.values()):
                    open_facts.extend((*mode.inputs, *mode.optional))


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
    name = text[start:end].rstrip(".") if not re.search(r"\b\w\.$", text[start:end]) else text[start:end]
    # "I'm German" is no name; "I'm Ann Lee" is one.
    return start + len(name) if count >= (2 if introduced else 1) else start


_PARTICLES = frozenset("van von der den de di da del la le bin ibn al el o ter ten zu".split())


def _end_of_words(folded: str, start: int) -> int:
    """Find where free words that begin here end: where a sentence or another statement begins."""
    stop = _STOP_BEFORE.search(folded, start)
    return stop.start() if stop else len(folded.rstrip(" .,;"))
