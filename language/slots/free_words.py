"""Free words in requests: sentences, addresses and people, where the catalog's words or examples have one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from catalog.analysis.dependencies import can_be_asked
from catalog.model import Catalog, Fact
from catalog.model.fact import Scope
from language.entities.declared_frames import Frames
from language.entities.extents import bare_places, end_of_value
from language.entities.fact_cues import FactNames
from language.entities.name_likeness import end_of_name
from language.entities.value_context import Openings, end_of_words, is_of_another, stop_before
from language.interpretation import Entity
from language.slots.assignment import SlotRequest
from language.slots.candidates import CUED, NAMED, ValueCandidate, choose
from language.slots.goal_ties import GoalTies
from language.text.request_context import conditions, politeness, told
from language.text.utterance import UtteranceText
from language.text.words import FUNCTION_WORDS, span_of, words_in

BY_EXAMPLE = "words where examples have a value"
"""The rule of values that stand where the catalog's examples have one."""

_NOBODY = FUNCTION_WORDS | {"myself", "ourselves", "nobody", "nothing", "anybody", "anyone", "none"}
"""Words that name no person and no thing by themselves: "I work for myself"."""


class FreeWords:
    """Finds free words for one catalog, and gives them to requests; what is left of what is said is for others."""

    def __init__(
        self, catalog: Catalog, facts: Sequence[Fact], names: FactNames, frames: Frames, ties: GoalTies
    ) -> None:
        self._catalog, self._names, self._ties = catalog, names, ties
        self._whose, self._sentences = frames.names, frames.sentences
        self._openings = Openings(facts, names)
        self._stops = stop_before(names.pattern(fact.name) for fact in facts)
        one_of_several = catalog.origins.keys()  # what is not said for which it is, none of them gets
        self._first = {
            fact.value.kind: fact.name
            for fact in reversed(facts)
            if can_be_asked(fact) and fact.name not in one_of_several
        }

    def take_sentences(self, requests: Sequence[SlotRequest], said: UtteranceText) -> UtteranceText:
        """Give requests what stands where examples have whole sentences; what is left fills nothing else."""
        for request in requests:
            for fact in request.slots.arguments:
                place = self._sentences.find(fact, said, (request.start, request.end))
                said = self._take_words(request, fact, said, place) if place else said
        for request in requests:  # "to Ann and to Tom, saying that …" says it to both
            for other in requests:
                same = {f: v for f, v in other.taken.items() if v.rule == BY_EXAMPLE and other.goal == request.goal}
                request.taken = {**same, **request.taken}
        return said

    def take_wordy(self, requests: Sequence[SlotRequest], said: UtteranceText) -> UtteranceText:
        """Give requests the free words that stand behind what opens them: "I have moved to …"."""
        for request in requests:
            for fact in map(self._catalog.facts.__getitem__, request.slots.arguments):
                if fact.scope is Scope.GOAL and fact.value.free_text and not fact.value.name_part:
                    everywhere = list(self.find(fact, replace(said, mentioned=[request.goal])))
                    found = [one for one in everywhere if request.start <= one.start < request.end]
                    found = found or (everywhere if len(requests) == 1 else [])
                    chosen = choose(found) if found and request.lacks(fact) else None
                    place = (chosen.start, chosen.end) if chosen else None
                    said = self._take_words(request, fact.name, said, place) if place else said
        return said

    def take_names(self, requests: Sequence[SlotRequest], said: UtteranceText) -> UtteranceText:
        """Give requests what they name, at places where the catalog has such names, or alone."""
        closed = [*self._whose.closed(said.text), *politeness(said.text, said.folded)]
        aside = [*told(said.folded), *conditions(said.folded, ())]
        for request in requests:
            lacking = [name for name in request.slots.arguments if request.lacks(self._catalog.facts[name])]
            reach = (0, len(said.text)) if len(requests) == 1 else (request.start, request.end)
            named = self._whose.of(said.text, reach, lacking, closed, aside)
            for fact, place in named.items():
                said = self._take_words(request, fact, said, place)
                closed.append(place)
                for other in lacking:
                    told_so = self._sentences.find_told(other, said, place[1], request.end)
                    said = self._take_words(request, other, said, told_so) if told_so else said
        return said

    def _take_words(
        self, request: SlotRequest, fact: str, said: UtteranceText, place: tuple[int, int]
    ) -> UtteranceText:
        """Give a request words for a fact, if they can be a value; return what is said without them."""
        span, kind = span_of(said.text, *place), self._catalog.facts[fact].value
        if kind.accepts(span.text, said.today):
            value = kind.check(span.text, said.today)
            request.taken[fact] = Entity(fact=fact, value=value, span=span, rule=BY_EXAMPLE)
        return said.without([place])

    def find(self, fact: Fact, said: UtteranceText) -> Iterator[ValueCandidate]:
        """Yield words that stand beside a fact's name, or after a lead-in such as "I live at"."""
        kind, folded = fact.value.kind, said.folded
        only = self._first.get(kind) == fact.name
        leads = [
            (match, rule, how_named(match) if named else NAMED)
            for match, rule, named in self._openings.find(fact, folded, only=only)
        ]
        for lead in self._names.leads[fact.name]:
            leads += [(match, f"{kind} with the words of an example", NAMED) for match in lead.finditer(folded)]
        for match, rule, strength in leads:
            start = match.end()
            if fact.value.name_part:
                bare = rule.endswith("”") or (rule.endswith("list") and not re.search(r"[:=]\s*\Z", match.group()))
                end = end_of_name(said.text, start, least=2 if bare else 1)
            else:
                end = end_of_words(folded, start, self._stops)
                end = end_of_value(fact.value, said.text, start, end, said.goal_of)
                end = self._sentences.end_before_frame(fact.name, folded, start, end)
                end = self._whose.end_of(fact.name, said.text, start, end)
            says = any(word.text not in _NOBODY for word in words_in(folded[start:end]))
            if end > start and says and not is_of_another(folded, match.start() - 40, match.start()):
                yield self._word_candidate(fact, said, (start, end), strength, rule)
        for place in bare_places(said) if self._ties.is_where(fact, said) else ():
            yield self._word_candidate(fact, said, place, CUED, f"{kind} by its form")

    @staticmethod
    def _word_candidate(
        fact: Fact, said: UtteranceText, place: tuple[int, int], strength: float, rule: str
    ) -> ValueCandidate:
        span = span_of(said.text, *place)
        takeable = can_be_asked(fact) and fact.value.accepts(span.text, said.today)
        value = fact.value.check(span.text, said.today) if takeable else None
        return ValueCandidate(fact.name, span.start, span.end, value, rule, strength, takeable)


def how_named(match: re.Match[str]) -> float:
    """Return how firmly a fact's name ties a value to it: the longer, the more."""
    return NAMED + min(len(match["name"]), 900) / 1_000
