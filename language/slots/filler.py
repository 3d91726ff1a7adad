"""Slot filling: which value that was said is for which slot: the argument of a request, or a fact of the conversation.

There is one list of candidates: whatever has the form of a fact's kind (`candidates.find_candidates`), or stands as
free words after what opens them. Each (stretch of text, fact) is scored by its evidence, from the firmest: the fact's
name beside it; so much of it ("20k deposit"); words that the fact's examples have beside theirs, or the goal that needs
it; a form that no other fact has; its place in the words of a request that takes it. The firmest candidate gets the
slot (`candidates.choose`); where two differ, neither does: a wrong value is worse than a missing one.

Evidence differs by where a value stands. A place in a request is evidence for that request's own arguments alone
(`assignment`), and enough for an option that is paraphrased or misspelt; elsewhere options are taken word for word.
In requests cue words and the goal's words are no evidence: all that is said there stands beside its goal's words. With
them "look up the one for 64 dollars" is a charge of 1: of 960 recorded sentences about accounting, five were read
wrong, and none better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from catalog.analysis.dependencies import can_be_asked
from catalog.model import Catalog, Fact
from catalog.model.fact import Scope
from catalog.values import Kind
from language.entities.declared_frames import FramedValue, Frames
from language.entities.extents import GoalOf
from language.entities.fact_cues import (
    FactNames,
    Neighbours,
    Statements,
    gather_cues,
    little_around,
    neighbours_of,
    period_after,
)
from language.entities.value_context import (
    TO_BE_DONE,
    DaysToDo,
    amount_after,
    follows_amount,
    has_alternative,
    is_about_another,
    is_about_speaker,
    is_denied,
    is_elsewhere,
    is_in_passing,
    is_of_another,
    is_subordinate,
    may_be_year,
)
from language.interpretation import Entity, Span
from language.readers import Mention
from language.readers.units import end_of_age, is_an_age, is_measure, stands_between_stops
from language.slots.assignment import Arguments, Assigner, SlotRequest, slots_of, words_of_catalog
from language.slots.candidates import (
    COUNTED,
    CUED,
    FITTING,
    NAMED,
    Stretch,
    ValueCandidate,
    choose,
    find_candidates,
    next_of_days,
    take,
)
from language.slots.composite_values import find_composite_answer
from language.slots.free_words import FreeWords, how_named
from language.slots.goal_ties import GoalTies
from language.slots.semantic_matching import RULE, SemanticMatcher
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.request_frames import words_of_goals
from language.text.utterance import UtteranceText
from language.text.words import Clause, blank, clauses_in, content_words, fold, span_of

_ALIKE = 5
"""Letters at the beginning of two words that make them words of one family: "reconcile", "reconciliation"."""
_CALENDAR = frozenset("day days week month year time".split())
_OF_CALENDAR = LazyPattern(r"(?:\b(?:my|our|the)|[,;:])\s+\w+\Z")
"""What stands before a word of the calendar where it names a fact."""


@dataclass(frozen=True, slots=True)
class _Tie:
    """What ties a mention to a fact; `name_at` is where the fact's name begins before it."""

    strength: float
    rule: str
    name_at: int | None = None


class SlotFiller:
    """Gives values to the slots of requests and to the facts of a conversation, for one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self.names, self.vocabularies = FactNames(catalog), words_of_goals(catalog)
        self.catalog, self._names, self._vocabularies = catalog, self.names, self.vocabularies
        self._slots = {goal: slots_of(catalog, goal) for goal in catalog.goals}
        taken = {goal: [fact.name for fact in slots.others] for goal, slots in self._slots.items()}
        self._matcher = SemanticMatcher(catalog, taken)
        without_people = [goal for goal, slots in self._slots.items() if not slots.people]
        self._no_names_in_requests = words_of_catalog(catalog, without_people)
        self._facts = tuple(f for f in catalog.facts.values() if f.value.sayable and not f.value.is_yes_or_no)
        self._cues = gather_cues(self._facts)
        self._no_names = words_of_catalog(catalog)
        takeable = list(filter(can_be_asked, self._facts))
        self._ties = GoalTies(catalog, self._facts, self._cues, self._vocabularies)
        self.frames, self.statements = Frames(catalog), Statements(takeable)
        self._free = FreeWords(catalog, self._facts, self._names, self.frames, self._ties)
        self._days = DaysToDo(catalog, takeable, self._ties.needs)

    def fill_requests(
        self, requests: Sequence[tuple[str, Span]], text: str, today: date, goal_of: GoalOf = lambda _: None
    ) -> tuple[Arguments, ...]:
        """Return each request (a goal, and where it was asked for) the values said for it, in their order."""
        being_told = [SlotRequest(goal, span.start, span.end, self._slots[goal]) for goal, span in requests]
        folded = fold(text)
        asked = list(dict.fromkeys(goal for goal, _ in requests))
        said = UtteranceText(text, folded, clauses_in(folded), today, asked, goal_of=goal_of)
        said = self._free.take_sentences(being_told, said)
        bare = said.without([(one.start, one.end) for one in self._take_framed(being_told, said)])
        bare = self._free.take_names(being_told, self._free.take_wordy(being_told, bare))
        Assigner(self.catalog, self._no_names_in_requests, being_told, bare, self._in_request).assign()
        for request in being_told:
            reach = (0, len(text)) if len(being_told) == 1 else (request.start, request.end)
            self._take_told_apart(request, bare, reach)
            self._take_by_meaning(request, bare.text)
        return tuple(request.arguments() for request in being_told)

    def _take_framed(self, requests: Sequence[SlotRequest], said: UtteranceText) -> tuple[FramedValue, ...]:
        """Give requests what stands in frames: the one in whose words it does, else the nearest that takes it."""
        arguments = {fact for request in requests for fact in request.slots.arguments}
        framed = self.frames.read(said, arguments)
        taken: dict[tuple[int, str], list[FramedValue]] = {}
        for one in framed:
            takers = [i for i, request in enumerate(requests) if one.fact in request.slots.arguments]
            at = min(takers, key=lambda i: max(requests[i].start - one.start, one.start - requests[i].end + 1, 0))
            taken.setdefault((at, one.fact), []).append(one)
        for (at, fact), several in taken.items():
            if len({repr(one.reading) for one in several}) == 1:
                requests[at].taken[fact] = several[0].entity(said.text)
            else:
                requests[at].unclear.add(fact)
        return framed

    def _take_told_apart(self, request: SlotRequest, said: UtteranceText, reach: tuple[int, int]) -> None:
        """Take what several facts of a request look like where words beside it tell for which it is; where there is no
        other request, all that is said may.
        """
        apart = [fact for fact in request.slots.shared if request.lacks(fact) and not fact.value.is_yes_or_no]
        if not apart:
            return
        inside = replace(said, mentioned=[request.goal])
        found = [
            one
            for fact in apart
            for one in self._formed(fact, inside)
            if one.strength >= CUED and reach[0] <= one.start < reach[1]
        ]
        taken = [value.span for value in request.taken.values()]
        standing = [one for one in found if self._stands(one, found) and not any(map(one.overlaps, taken))]
        request.taken.update({value.fact: value for value in take(said.text, standing)})
        for fact in apart:
            if request.lacks(fact) and (own := self._of_request_alone(request, fact, inside)):
                request.taken[fact.name] = own

    def _of_request_alone(self, request: SlotRequest, fact: Fact, said: UtteranceText) -> Entity | None:
        """Return what is said for an argument that looks like facts which no request is told, as its words tell."""
        own = [other for other in request.slots.shared if other is not fact and other.value.looks_like(fact.value)]
        if fact.scope is not Scope.GOAL or own:
            return None
        alike = [f for f in self._facts if f.name != fact.name and f.value.looks_like(fact.value)]
        alike = [f for f in alike if self._ties.is_needed(f, said)]
        others = [one for other in alike for one in self._formed(other, said) if one.strength >= CUED]
        stretch = Stretch(said.text[request.start : request.end], request.start)
        taken = [value.span for value in request.taken.values()]
        found = [
            weighed
            for one in find_candidates(fact, stretch, said.today)
            if (weighed := self._in_request(fact, said, one)) is not None
            and not any(one.overlaps(other) for other in others)
            and not any(map(one.overlaps, taken))
            and not is_about_another(said.folded, said.clause_at(one.start).start, one.start, frozenset())
            and not is_of_another(said.folded, max(request.start, one.start - 60), one.start, whose=False)
        ]
        chosen = choose(found) if found else None
        return chosen.entity(said.text) if chosen else None

    def _take_by_meaning(self, request: SlotRequest, text: str) -> None:
        for fact in request.slots.others:
            said = request.taken.get(fact.name)
            kind = fact.value
            if (
                not kind.declared_options
                or fact.name in request.slots.optional
                or not (_says_little(kind, said) if said else request.lacks(fact))
            ):
                continue
            others = [(value.span.start, value.span.end) for value in request.taken.values() if value is not said]
            nearest = self._matcher.nearest(request.goal, fact.name, text, (request.start, request.end), others)
            if nearest is not None and (said is None or nearest.option != said.value):
                span = span_of(text, nearest.start, nearest.end)
                request.taken[fact.name] = Entity(fact=fact.name, value=nearest.option, span=span, rule=RULE)

    def find_candidates(self, said: UtteranceText) -> list[ValueCandidate]:
        """Return the candidates by context: of overlapping ones those most firmly tied; none where equals differ."""
        framed = self.frames.read(said, [fact.name for fact in self._facts if self._ties.is_needed(fact, said)])
        said = said.without([(one.start, one.end) for one in framed])
        wholes = list(find_composite_answer(self.catalog, said, self._no_names))
        found = [one for fact in self._facts if fact.value.free_text for one in self._free.find(fact, said)]
        bare = replace(said, folded=blank(said.folded, [(one.start, one.end) for one in found if one.takeable]))
        for fact in self._facts:
            found.extend(self._formed(fact, bare) if not fact.value.free_text else ())
        left = [one for one in found if not any(map(one.overlaps, wholes))]
        in_frames = [ValueCandidate.framed(one) for one in framed]
        return [*(one for one in left if self._stands(one, left)), *wholes, *in_frames]

    def misses_period(self, fact: str, folded: str, end: int) -> str | None:
        period, known = period_after(folded, end), self._cues[fact].periods if fact in self._cues else frozenset()
        return period if period and known and period not in known else None

    def _stands(self, one: ValueCandidate, candidates: Sequence[ValueCandidate]) -> bool:
        rivals = [other for other in candidates if other.fact != one.fact and one.overlaps(other)]
        if any(rival.strength > one.strength for rival in rivals):
            return False
        # What is said of a fact is said of its supertypes too: there the more general one stands.
        return all(r.fact in self.catalog.subtypes[one.fact] for r in rivals if r.strength == one.strength)

    def _formed(self, fact: Fact, said: UtteranceText) -> Iterator[ValueCandidate]:
        all_said = find_candidates(fact, Stretch(said.text, 0), said.today, literal=True)
        found = [(one, one.mention) for one in all_said if one.mention]
        mentions = [mention for _, mention in found]
        for formed, mention in found:
            clause = said.clause_at(mention.start)
            tie = self._tie(fact, said, clause, mention)
            if tie is None:
                continue
            one = next_of_days(formed, fact, said.today) if tie.rule == TO_BE_DONE else formed
            refused = (
                is_denied(said, clause, mention, tie.name_at, whose=_is_speakers(fact))
                or has_alternative(said, mention, mentions)
                or (tie.strength < COUNTED and fact.name != said.asked and self._is_in_passing(said, clause))
                or (
                    fact.value.addressable
                    and tie.strength == FITTING
                    and fact.name != said.asked
                    and is_elsewhere(said, clause, mention)
                )
            )
            by_another = bool(fact.value.quantity) and self.misses_period(fact.name, said.folded, mention.end)
            takeable = one.value is not None and one.takeable and not (refused or by_another) and can_be_asked(fact)
            if takeable or tie.strength >= NAMED or not can_be_asked(fact) or refused:
                yield replace(one, rule=tie.rule, strength=tie.strength, takeable=takeable)

    def _tie(self, fact: Fact, said: UtteranceText, clause: Clause, mention: Mention) -> _Tie | None:
        """Return what ties a mention to a fact, if anything does."""
        kind = fact.value.kind
        if (named := self._name_beside(fact, said, clause, mention)) is not None:
            return named
        if fact.value.quantity and self._ties.is_needed(fact, said) and self._is_so_much_of(fact, said, mention):
            return _Tie(COUNTED, f"{kind} before its name")
        if (rule := self._cue(fact, said, clause, mention)) is not None:
            return _Tie(CUED, rule)
        if self._is_measured_alone(fact, said, mention):
            return _Tie(CUED, f"{kind} by its unit")
        return _Tie(FITTING, f"{kind} by its form") if fact.value.self_evident else None

    def _name_beside(self, fact: Fact, said: UtteranceText, clause: Clause, mention: Mention) -> _Tie | None:
        """Return the tie of a mention to a fact whose name stands beside it, if it does."""
        before = self._names.names_before(fact.name, said.folded, mention.start)
        unit = before and before["name"] in _CALENDAR and not _OF_CALENDAR.search(said.folded, 0, before.end("name"))
        if unit and before and before.end("name") + 1 == mention.start:
            before = None  # "all day yesterday"
        if before and before.start("name") >= clause.start and not self._names_last(said, mention, before):
            return _Tie(how_named(before), f"{fact.value.kind} after its name", before.start("name"))
        after = self._names.names_after(fact.name, said.folded, mention.end)
        return _Tie(how_named(after), f"{fact.value.kind} before its name") if after else None

    def _in_request(self, fact: Fact, said: UtteranceText, one: ValueCandidate) -> ValueCandidate | None:
        """Return a candidate in the words of a request with its evidence: its place there, and the fact's name."""
        clause = said.clause_at(one.start)
        tie = self._name_beside(fact, said, clause, one.mention) if one.mention else None
        if (
            fact.value.is_day
            and one.value is None
            and one.mention
            and self._days.is_one(fact, said, clause, one.mention)
        ):
            one = next_of_days(one, fact, said.today)
        if tie is not None:
            return replace(one, strength=tie.strength)
        if one.mention and self._cues[fact.name].count(said.folded, one.mention.end):
            return replace(one, strength=CUED)
        others = (f.name for f in self._facts if f is not fact and f.value.quantity and fact.value.quantity)
        named = any(self._names.names_before(name, said.folded, one.start) for name in others)  # "my budget is 2k"
        return one if one.plain and not named else None

    def _is_measured_alone(self, fact: Fact, said: UtteranceText, mention: Mention) -> bool:
        """Return whether a mention measures what only this of the facts that are needed is measured in.

        Too much is counted in years to tell facts apart by that, unless it is an age, or stands between two stops.
        """
        unit = fact.value.measure
        if unit is None or fact.name == said.asked or not is_measure(said.folded, mention.start):
            return False
        age = end_of_age(said.folded, mention.start) is not None and is_an_age(fact)
        if unit.dimension == "time" and not (age or stands_between_stops(said.folded, mention.start)):
            return False
        alike = [
            other.name
            for other in self._facts
            if other.value.measure is not None
            and other.value.measure.dimension == unit.dimension
            and self._ties.is_needed(other, said)
        ]
        return alike == [fact.name]

    def _is_so_much_of(self, fact: Fact, said: UtteranceText, mention: Mention) -> bool:
        """Return whether the fact's name follows an amount, and is not that of the next one: "10k income 64k"."""
        name = self._names.names_right_after(fact.name, said.folded, mention.end)
        another = amount_after(said.folded, name.end()) if name else None
        return name is not None and (another is None or self._is_name_at(said, another))

    def _names_last(self, said: UtteranceText, mention: Mention, name: re.Match[str]) -> bool:
        """Return whether a name is that of the amount before it: "64k income 20k deposit", "3 bags of 2"."""
        of = said.folded[name.end("name") : mention.start].strip() == "of"
        return follows_amount(said.folded, name.start("name")) and (of or self._is_name_at(said, mention.end))

    def _is_name_at(self, said: UtteranceText, place: int) -> bool:
        return any(self._names.names_right_after(fact.name, said.folded, place) for fact in self._facts)

    def _cue(self, fact: Fact, said: UtteranceText, clause: Clause, mention: Mention) -> str | None:
        """Return by which rule the words beside a mention, or the goal at hand, tie it to a fact, if they do."""
        kind, cues = fact.value.kind, self._cues[fact.name]
        neighbours = neighbours_of(said.folded, clause.start, clause.end, mention.start, mention.end)
        if fact.name != said.asked and (
            is_about_another(said.folded, clause.start, mention.start, cues.before)
            or (fact.value.quantity and may_be_year(mention.text))
            or (fact.value.is_day and is_subordinate(said.folded, clause, mention.start))
        ):
            return None
        if fact.value.quantity and neighbours.period and neighbours.period not in cues.periods:
            return None  # so much a month is not so much a year, nor simply so much
        after = neighbours.right in cues.after and not self._others_cue(fact, neighbours)
        cued = (
            after or little_around(said.folded, mention.start, mention.end) in cues.little or cues.lead_to(neighbours)
        )
        needed = self._ties.is_needed(fact, said)
        if (cued and needed) or self.statements.say(fact.name, said, mention, needed=needed):
            return f"{kind} with the words of an example"
        if fact.value.is_day and (day := self._days.rule(fact, said, clause, mention)):
            return day
        if not neighbours.period and self._ties.fits_goal(fact, said, clause, mention, neighbours):
            return f"{kind} that the goal needs"
        alike = not neighbours.period and self._ties.is_of_its_like(fact, said, mention)
        return f"{kind} of something like that of an example" if alike else None

    def _is_in_passing(self, said: UtteranceText, clause: Clause) -> bool:
        """Return whether a clause mentions its values without being a request: "what does a 5k loan cost?"."""
        words = frozenset(stem(word.text) for word in content_words(clause.of(said.folded)))
        asks = any(words & self._vocabularies[goal] for goal in said.mentioned)
        return is_in_passing(said, clause, asks=asks)

    def _others_cue(self, fact: Fact, neighbours: Neighbours) -> bool:
        """Return whether the word before a value belongs to another fact."""
        return any(neighbours.left in cues.before for name, cues in self._cues.items() if name != fact.name)


def _is_speakers(fact: Fact) -> bool:
    """Return whether it matters whose a value is: of a customer's phone, say, people speak as "his phone"."""
    return not fact.value.declared_options and (fact.ask is None or is_about_speaker(fact))


def _says_little(kind: Kind, said: Entity) -> bool:
    """Return whether a value is vague, or was said in a single word that is not part of its name."""
    if said.value in kind.vague_options:
        return True
    word = fold(said.span.text)
    return " " not in word and not word.startswith(fold(str(said.value))[:_ALIKE])
