"""Answers to the question for a fact, read by the kind of that fact."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from catalog.analysis.dependencies import arguments_of, can_be_asked, what_leads_to
from catalog.model import Catalog, Fact
from catalog.values import Unreadable
from catalog.wording.values import say_fault
from language.acts.clarifications_and_corrections import asks, is_asked, is_correcting, is_no_answer
from language.acts.dialogue_acts import read_control
from language.acts.non_answers import FILLER, is_sentence_for_name, takes_sentences
from language.entities.extents import GoalOf, end_of_value
from language.entities.fact_cues import FactNames
from language.entities.value_context import is_wordy
from language.intents.reader import MARGIN, SURE, WORTH_OFFERING, RequestReader
from language.interpretation import DialogueAct, Entity, Intent
from language.readers import find_mentions, read_answer
from language.readers.dates import WHICH_DAY
from language.readers.units import is_age_of_something
from language.responses.questions import NO_ANSWER_FOUND, UNCLEAR_ANSWERS, other_period
from language.slots.candidates import CUED, Stretch, ValueCandidate, find_candidates, take
from language.slots.filler import SlotFiller
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import likeness, stem
from language.text.request_frames import GoalStems
from language.text.utterance import UtteranceReading
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, Clause, Word, content_words, fold, span_of, words_in

NEARLY_CERTAIN = 0.9
"""From this confidence on, a bare "credit card" is a request even as an answer to another question."""


def is_something_else(goals: Sequence[Intent], asked: Fact, reading: UtteranceReading, filler: SlotFiller) -> bool:
    """Return whether none of some goals is the one that the question was for, and all are nearly certain or own all
    that is said: as a question, or with values of theirs where any text is an answer.
    """
    if any(mention.goal in reading.context.goals[:1] for mention in goals):
        return False
    certain = all(mention.confidence >= NEARLY_CERTAIN for mention in goals)
    if certain and not asked.value.takes_any_text:
        return True
    asking = [clause for clause in reading.open if is_asked(reading, clause)]
    told = certain and all(mention.values for mention in goals)
    return bool(asking or told) and not any(_left_by(one, reading, asking or reading.open, filler) for one in goals)


def is_within(place: int, goals: Sequence[Intent]) -> bool:
    """Return whether a place in the text belongs to one of the requests made in it."""
    return any(mention.span.start <= place < mention.span.end for mention in goals)


_PLACES = (
    ("first", "1st", "one", "1", "former", "a"),
    ("second", "2nd", "two", "2", "b"),
    ("third", "3rd", "three", "3", "c"),
)
_PLACE = LazyPattern(
    r"\W*(?:(?:i (?:mean|meant|want|would like|choose|take|pick)|i'd like|i'll take)\s+)?"
    r"(?:option|number|no\.?|nr\.?|answer)?\s*(?:the\s+)?(?P<place>\w+)"
    r"(?:\s+(?:one|option|please|thanks))*\W*\Z"
)


_TAKES_OFFER = LazyPattern(
    r"\W*(?:y|ye?s+|yeah|yep|sure|ok|okay|right|exactly|correct|please)\b(?:.{0,20}|[,.!;:]\s(?!but\b).*)"
)


def says_place(folded: str) -> bool:
    """Return whether a choice is made by its place alone: "the second one"."""
    return _PLACE.match(folded) is not None


def choose(folded: str, labels: Sequence[str]) -> int | None:
    """Return which label is meant, by its place ("the second") or by words that only it has; None when unsure."""
    match = _PLACE.match(folded)
    if match:
        place = match["place"]
        if place == "last" and labels:
            return len(labels) - 1
        if place == "latter" and len(labels) == 2:
            return 1
        for index, names in enumerate(_PLACES[: len(labels)]):
            if place in names:
                return index
    if len(labels) == 1 and _TAKES_OFFER.fullmatch(folded):
        return 0
    said = [stem(word.text) for word in words_in(folded) if word.text not in FUNCTION_WORDS]
    if not said or len(said) > 6:
        return None
    hits = [_hits(said, label) for label in labels]
    best = max(hits, default=0.0)
    return hits.index(best) if best >= 0.75 and hits.count(best) == 1 else None


def _hits(said: list[str], label: str) -> float:
    named = [stem(word.text) for word in words_in(label.lower()) if word.text not in FUNCTION_WORDS]
    return sum(max((likeness(word, name) for name in named), default=0.0) for word in said)


def read_choice(
    reading: UtteranceReading, catalog: Catalog, requests: RequestReader, options: Sequence[str], words: GoalStems
) -> UtteranceReading | None:
    """Read which of the offered goals is chosen; what corrects a value, "make it Monday", has to speak of one."""
    said = {stem(word.text) for word in content_words(reading.folded)}
    known = [name for name in options if not is_correcting(reading.folded) or said & words.get(name, said)]
    chosen = _choose_goal(catalog, requests, reading.folded, options) if known else None
    if chosen is None:
        return None
    span = span_of(reading.text, 0, len(reading.text))
    return replace(reading, goals=(*reading.goals, Intent(goal=chosen, span=span, confidence=1.0)))


def _choose_goal(catalog: Catalog, requests: RequestReader, folded: str, options: Sequence[str]) -> str | None:
    """Return the offered goal that is chosen: by its place, its name or words of its examples."""
    known = tuple(option for option in options if option in catalog.goals)
    index = choose(folded, tuple(catalog.goals[option].label for option in known))
    if index is not None:
        return known[index]
    best = requests.rank(folded)
    fitting = [scored for scored in best if scored.goal in known and scored.confidence >= WORTH_OFFERING]
    if len(fitting) > 1 and fitting[0].confidence - fitting[1].confidence < MARGIN:
        return None
    if not fitting or (best[0].goal not in known and best[0].confidence >= SURE):
        return None
    return fitting[0].goal


_WITHOUT = LazyPattern(
    r"\b(?:(?:i |we )?(?:really |just )?(?:don't|do not|haven't|have not|can't|cannot|couldn't|could not|never)\s+"
    r"(?:got|know|have|had|find|remember|recall|own|use|locate|get|see)"
    r"|i(?:'ve| have)? (?:forgot|forgotten|lost|misplaced)"
    r"|i(?:'ve| have)? (?:got )?no|(?:i'm |i am )?not sure (?:what|about|of))"
    r"\s+(?:what\s+)?(?:an?|my|the|any)?\s*(?P<named>[^,.;!?]{1,60}?)"
    r"(?:\s+(?:is|at hand|to hand|with me|on me|by heart|yet|anymore|any more|right now|now|here|at all))*\s*\Z"
)


def read_going_without(reading: UtteranceReading, fact: str, names: FactNames) -> UtteranceReading:
    """Read that a person has or knows no such thing, "I don't have an account number", as skipping the question."""
    without = [clause for clause in reading.open if _goes_without(clause.of(reading.folded), fact, names)]
    return replace(reading.using(without), control=reading.control or DialogueAct.SKIP) if without else reading


def _goes_without(folded: str, fact: str, names: FactNames) -> bool:
    match = _WITHOUT.search(folded)
    return match is not None and names.resolve(match["named"], prefer=[{fact}]) == fact


def read_plain_control(reading: UtteranceReading, fact: Fact, filler: SlotFiller) -> UtteranceReading | None:
    """Read an utterance that is nothing but a control, unless the fact's kind has that very word for a value."""
    control = read_control(reading.folded, "fact")
    if control is None or (fact.value.is_yes_or_no and control in {DialogueAct.YES, DialogueAct.NO}):
        return None
    if (fact.value.declared_options or fact.value.loosely_written) and fact.value.accepts(reading.text.strip()):
        return None
    if control is DialogueAct.YES:
        return replace(reading, unclear=say_why_not(reading, fact, filler))
    # To decline to answer and not to know come to the same: the question is skipped.
    return replace(reading, control=DialogueAct.SKIP if control is DialogueAct.NO else control)


def cut_at_extents(reading: UtteranceReading, fact: Fact, goal_of: GoalOf) -> UtteranceReading:
    """Cut clauses where an answer in free words would end: what stands behind is no part of it."""
    clauses: list[Clause] = []
    for clause in reading.clauses:
        end = end_of_value(fact.value, reading.text, clause.start, clause.end, goal_of)
        rest = Clause(end, clause.end)
        clauses += [Clause(clause.start, end), rest] if rest.of(reading.folded).strip(" ,.;:-") else [clause]
    return replace(reading, clauses=tuple(clauses))


def without_echo(reading: UtteranceReading, fact: Fact, names: FactNames) -> UtteranceReading:
    """Leave out that the question is said again before it is answered: "my employer? Harbour Works"."""
    first, *others = reading.clauses or (None,)
    if first is None or not others or reading.text[first.end : first.end + 1] != "?":
        return reading
    echo = re.fullmatch(rf"\W*(?:(?:my|the|our)\s+)?(?:{names.pattern(fact.name)})\W*", first.of(reading.folded))
    return reading.without([(first.start, first.end + 1)]) if echo else reading


ASKING = LazyPattern(
    r"\b(?:who|whose|whom|why|where|when|which|(?:what|how)(?! about| of\b)|not|don't"
    r"|(?:did|do|does|was|were|is|are|has|had|have|can|could)"
    r" (?:i|you|we|they|it|he|she|this|that|there|the|my|your))\b"
)
"""Words of a question about what is there, or of a refusal."""
_BETWEEN = LazyPattern(r"(?:[,.;:!?\u2026()]+(?=\s|\Z)|\n|\s-\s|\b(?:and|but|so|then|plus|also)\b)+")
"""What stands between the stretches of an utterance that may each say something else."""


def find_told(
    reading: UtteranceReading, goal: str, asked: Fact, candidates: Sequence[ValueCandidate], filler: SlotFiller
) -> list[ValueCandidate]:
    """Find what stands for the request in work, as it would in its words, in stretches that say nothing else.

    What may answer the question, or is for another fact by more than its form, is not looked at.
    """
    catalog, today = filler.catalog, reading.context.today
    if goal not in catalog.goals or takes_sentences(asked):
        return []
    whole = Clause(0, len(reading.text))
    (told,) = filler.fill_requests([(goal, span_of(reading.text, whole.start, whole.end))], reading.left, today)
    mine = [] if is_wordy(asked.value) else find_candidates(asked, Stretch(reading.left, 0), today, literal=True)
    needed = arguments_of(catalog, goal)
    spoken_of = {one.fact for one in candidates if one.strength >= CUED or not one.takeable}
    firm = [one for one in candidates if one.strength >= CUED]
    found = []
    for value in told.values:
        answers = any(one.takeable and one.plain and one.overlaps(value.span) for one in mine)
        if (
            value.fact in (*spoken_of, asked.name if is_wordy(asked.value) else "")
            or answers
            or any(one.overlaps(value.span) for one in firm)
        ):
            continue
        part = next(p for p in _parts(reading.folded, whole, told.values) if value.span.start < p.end)
        kind, alone = catalog.facts[value.fact].value, _only_says(reading.folded, part, value)
        if alone and (is_wordy(kind) or (is_wordy(asked.value) and value.fact not in needed)):
            continue  # a name by itself is one of what was asked for
        if not ASKING.search(part.of(reading.folded)) and not words_beside(reading.folded, part, told.values, filler):
            place = (value.span.start, value.span.end)
            found.append(ValueCandidate(value.fact, *place, value=value.value, rule=value.rule, strength=CUED))
    return found


def _only_says(folded: str, part: Clause, value: Entity) -> bool:
    return all(
        value.span.start <= word.start < value.span.end
        for word in content_words(folded[: part.end])
        if word.start >= part.start
    )


def cut_at_told(
    reading: UtteranceReading, candidates: Sequence[ValueCandidate], filler: SlotFiller
) -> tuple[UtteranceReading, list[Clause]]:
    """Cut clauses around stretches that state values, and say nothing else; return those as well.

    Nothing is asked for in them, and they are no part of an answer in free words.
    """
    values = take(reading.text, [one for one in candidates if one.strength >= CUED])
    clauses: list[Clause] = []
    told: list[Clause] = []
    for clause in reading.clauses:
        parts = list(_parts(reading.folded, clause, values))
        states = clause in reading.open and not is_asked(reading, clause)
        telling = [part for part in parts if states and _states(reading, part, values, filler)]
        clauses += [clause] if not telling else parts
        told += telling
    return replace(reading, clauses=tuple(clauses)), told


def _states(reading: UtteranceReading, part: Clause, values: Sequence[Entity], filler: SlotFiller) -> bool:
    inside = any(part.start <= value.span.start < part.end for value in values)
    return inside and not words_beside(reading.folded, part, values, filler)


def _parts(folded: str, clause: Clause, values: Sequence[Entity]) -> Iterable[Clause]:
    """Yield the stretches of a clause that say one thing; what separates in a value separates nothing."""
    start = clause.start
    for gap in _BETWEEN.finditer(folded, clause.start, clause.end):
        if not any(value.span.start < gap.end() and gap.start() < value.span.end for value in values):
            if folded[start : gap.start()].strip():
                yield Clause(start, gap.start())
            start = gap.end()
    if folded[start : clause.end].strip():
        yield Clause(start, clause.end)


def words_beside(folded: str, part: Clause, values: Sequence[Entity], filler: SlotFiller) -> list[Word]:
    """List the words of a stretch that only states values which have no owner: no value, and nothing of its fact."""
    inside = [value for value in values if part.start <= value.span.start < part.end]
    facts = [filler.catalog.facts[value.fact] for value in inside]
    said = [text for fact in facts for text in (*filler.names.of(fact.name), fact.ask or "", *fact.examples)]
    return without_owner(folded, part, [(value.span.start, value.span.end) for value in inside], said)


def without_owner(folded: str, part: Clause, places: Sequence[tuple[int, int]], said: Iterable[str]) -> list[Word]:
    """List the words of a stretch outside some places that are neither little nor in what is `said` by a reading."""
    owned = {stem(word.text) for word in content_words(fold(" ".join(said)))} | FILLER
    return [
        word
        for word in content_words(folded[: part.end])
        if word.start >= part.start
        and stem(word.text) not in owned
        and word.text not in FRAME_WORDS
        and not any(start < word.end and word.start < end for start, end in places)
    ]


def owns_more(
    request: Intent, question: Sequence[tuple[int, int]], reading: UtteranceReading, filler: SlotFiller
) -> bool:
    """Return whether a request leaves no word without an owner, and a question about what is named leaves some."""
    asked = without_owner(reading.folded, Clause(0, len(reading.folded)), question, ())
    return bool(asked) and not _left_by(request, reading, reading.clauses, filler)


def _left_by(request: Intent, reading: UtteranceReading, clauses: Sequence[Clause], filler: SlotFiller) -> list[Word]:
    """List the words of some clauses that neither ask for a goal, nor name or give what is needed for it."""
    goal, folded = filler.catalog.goals[request.goal], reading.only(clauses)
    facts = [filler.catalog.facts[name] for name in what_leads_to(filler.catalog, goal).facts]
    values = [(value.span.start, value.span.end) for value in request.values]
    for fact in facts:
        if can_be_asked(fact) and fact.value.sayable and not is_wordy(fact.value):
            values += [(one.start, one.end) for one in find_mentions(fact.value, folded, reading.context.today)]
    named = [name for fact in facts for name in filler.names.of(fact.name)]
    return without_owner(folded, Clause(0, len(folded)), values, (goal.label, *goal.examples, *named))


_TURNS = LazyPattern(
    r"\W*(?:(?:but|and|oh|well|ok|okay)\W+)*(?:first(?:ly)?|(?:before|after|besides|apart from) (?:that|this|it)"
    r"|by the way|btw|(?:one (?:more|other)|another) thing|quickly|meanwhile|in the meantime|next|also"
    r"|while (?:we|you)(?:'re| are) at it)\W*"
)
"""What turns to another request, and is no answer beside it."""


def find_answer(
    reading: UtteranceReading, fact: Fact, candidates: Sequence[ValueCandidate], filler: SlotFiller, goal_of: GoalOf
) -> Entity | None:
    """Read the rest of the utterance as the answer; values that are plainly for other facts are left out."""
    kind = fact.value
    made = [candidate for candidate in candidates if candidate.fact == fact.name]
    if any(candidate.takeable for candidate in made):
        return next(iter(take(reading.text, made)), None)
    if made or not kind.sayable:
        return None
    items = (fact.name, fact.list_of)  # what could be an item by itself is one of the list that was asked for
    others = [candidate for candidate in candidates if candidate.fact not in items and candidate.strength >= CUED]
    barred = [c for c in reading.clauses if is_wordy(kind) and is_no_answer(reading, c, fact)]
    barred += [c for c in reading.clauses if is_sentence_for_name(fact, c.of(reading.folded))]
    barred += [c for c in reading.clauses if reading.goals and _TURNS.fullmatch(c.of(reading.folded))]

    def extent(start: int, last: int) -> int:
        return end_of_value(kind, reading.left, start, last, goal_of) if is_wordy(kind) else last

    for run in _runs(reading, others, barred, end=extent if is_wordy(kind) else None):
        begins = run.start + len(run.of(reading.left)) - len(run.of(reading.left).lstrip())
        words = _blanked(reading.left, Clause(run.start, extent(begins, run.end)), others)
        if is_wordy(kind) and reading.goals and not content_words(fold(words)):
            continue  # "in" is left of a request
        try:
            value = read_answer(kind, words.strip(), reading.context.today)
        except Unreadable:
            continue
        exact = [m for m in find_mentions(kind, words, reading.context.today) if value in m.readings]
        if kind.quantity == "money" and exact and exact[0].text == "one" and len(content_words(fold(words))) > 1:
            continue  # "back up one" is no dollar
        start, end = (exact[0].start, exact[0].end) if exact else _place(words, value)
        if filler.misses_period(fact.name, reading.folded, run.start + end):
            continue  # so much a month is no answer to so much a year
        if is_age_of_something(fact, reading.folded, run.start + start):
            continue
        span = span_of(reading.text, run.start + start, run.start + end)
        return Entity(fact=fact.name, value=value, span=span, rule=f"{kind.kind} as the answer")
    return None


def read_late_answer(
    reading: UtteranceReading,
    catalog: Catalog,
    candidates: Sequence[ValueCandidate],
    filler: SlotFiller,
    goal_of: GoalOf,
) -> UtteranceReading:
    """Assign a bare value to the one fact that it fits among those whose questions stayed unanswered."""
    wanted = [catalog.facts[name] for name in reading.context.wanted if name in catalog.facts]
    formed = [f for f in wanted if not (f.value.free_text or f.value.is_yes_or_no or f.value.declared_options)]
    found = [
        mention for fact in formed if (mention := find_answer(reading, fact, candidates, filler, goal_of)) is not None
    ]
    return replace(reading, values=tuple(found)) if len(found) == 1 and not asks(reading) else reading


def say_why_not(reading: UtteranceReading, fact: Fact, filler: SlotFiller) -> str:
    """Return why an answer could not be taken, in the words of the fact's kind."""
    for mention in find_mentions(fact.value, reading.text, reading.context.today):
        if period := filler.misses_period(fact.name, reading.folded, mention.end):
            return other_period(fact, period)
    try:
        read_answer(fact.value, reading.text, reading.context.today)
    except Unreadable as why:
        return say_fault(why.fault)
    return NO_ANSWER_FOUND


def _runs(
    reading: UtteranceReading,
    others: Sequence[ValueCandidate],
    barred: Sequence[Clause],
    *,
    end: Callable[[int, int], int] | None = None,
) -> Iterable[Clause]:
    """Yield the spans that may hold the answer: runs of clauses that are not understood yet.

    Where `end` tells how far free words go, none of these may hold a value of another fact.
    """
    runs: list[Clause] = []
    for clause in reading.clauses:
        taken = (
            clause in reading.used
            or clause in barred
            or (end and any(clause.start <= one.start < end(clause.start, clause.end) for one in others))
        )
        if taken:
            continue
        between = reading.text[runs[-1].end : clause.start] if runs else ""
        gone = (*reading.used, *barred)
        follows = runs and not any(used.start >= runs[-1].end and used.end <= clause.start for used in gone)
        if follows and len(between) <= 8:
            runs[-1] = Clause(runs[-1].start, clause.end)
        else:
            runs.append(clause)
    return runs


def _blanked(text: str, run: Clause, others: Sequence[ValueCandidate]) -> str:
    chars = list(text[run.start : run.end])
    for candidate in others:
        for i in range(max(candidate.start, run.start), min(candidate.end, run.end)):
            chars[i - run.start] = " "
    return "".join(chars)


def _place(words: str, value: object) -> tuple[int, int]:
    """Return the span of a value in the words that it was read from: of the value itself, else of all words."""
    at = words.find(value) if isinstance(value, str) else -1
    return (at, at + len(value)) if at >= 0 and isinstance(value, str) else (0, len(words))


def say_what_is_not_taken(reading: UtteranceReading, catalog: Catalog) -> UtteranceReading:
    """Say why something that is said for a goal is not taken: an amount in another currency, or a day of any year.

    Days are looked for in requests only: to the question for one, they are the answer, and told as that.
    """
    asked = [mention.goal for mention in reading.goals]
    at_hand = asked or list(reading.context.goals[:1] if reading.empty else ())
    values = (*reading.values, *(v for one in reading.goals for v in one.values))
    taken = {value.fact for value in values}
    for goal in at_hand:
        needed = catalog.goals.get(goal)
        for name in what_leads_to(catalog, needed).facts if needed else ():
            fact = catalog.facts[name]
            codes = _NOT_TAKEN if fact.value.quantity == "money" else WHICH_DAY if fact.value.is_day and asked else ()
            if not codes or not can_be_asked(fact) or name in taken:
                continue
            for mention in find_mentions(fact.value, reading.left, reading.context.today):
                used = any(v.span.start < mention.end and mention.start < v.span.end for v in values)
                if mention.unsure is not None and mention.unsure.code in codes and not used:
                    return replace(reading, unclear=say_fault(mention.unsure))
    return reading


_NOT_TAKEN = frozenset(("other_currency",))


def say_what_is_unclear(reading: UtteranceReading, pending: str | None) -> str | None:
    """Return what to say about an utterance of which nothing was understood."""
    if not reading.empty:
        return reading.unclear
    if not reading.folded.strip(" .!,-"):
        return "That was empty. Say “help” to see what I can do."
    if pending is None or reading.unclear or reading.candidates or asks(reading):
        return reading.unclear
    return UNCLEAR_ANSWERS.get(pending)
