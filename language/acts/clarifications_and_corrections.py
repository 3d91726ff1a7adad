"""Clarifications and corrections: questions back, how-to questions, and new values for old ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from catalog.analysis.dependencies import results_of
from catalog.model import Catalog, Fact
from language.acts.dialogue_acts import MIND_CHANGED, find_topic_asked
from language.entities.fact_cues import FactNames
from language.intents.reader import RequestReader
from language.interpretation import DialogueAct, Entity
from language.readers import Mention
from language.readers.units import measure_after
from language.responses.questions import cannot_take, which_to_change
from language.slots.candidates import NAMED, ValueCandidate, mentions_of
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.request_frames import HOW_TO, SMALL_TALK
from language.text.utterance import UtteranceReading
from language.text.words import Clause, fold, span_of, words_in

_ASKING = LazyPattern(
    r"\W*(?:(?:and|but|so|well|ok|okay|hm+|oh)[\s,]+)*(?:"
    r"(?:what|why|how|when|where|who|which|whose)(?:'s|\s+(?:is|are|am|was|were|do|does|did|will|would|can|could|should"
    r"|shall|may|might|must|has|have|had|if|about|happens?|kind|else|exactly|many|much|long|one)\b)"
    r"|(?:can|could|would|will|should|shall|do|does|did|is|are|am|may|must|have)\s+(?:i|you|we|it|that|this|they|there)\b)"
)
_TURNING = LazyPattern(
    r"\W*(?:(?:actually|wait|hold on|hang on|sorry|oh)[\s,]+(?:yes|no|wait|actually|you can|please|i)\b"
    r"|(?:(?:sorry|oh|wait)[\s,]+)*i (?:meant|mean)\b|(?:yes|yeah|no|nope)\s*,"
    r"|(?:you|we) (?:can|may|could) (?:use|have|take|ask|send|give|share|pass)\b)"
)
_CORRECTING = LazyPattern(
    r"\b(?:actually|make (?:it|that)|i (?:meant|mean)|rather|instead|change (?:it|that) to|sorry|correction|no,? wait"
    r"|wait|better|wrong|incorrect|mistaken?|typo|oops|should (?:be|read|say|have (?:been|said|read)))\b"
    r"|\A\W*(?:no|nope|nah|sorry)\b\W+(?=\w)"
)
_TERM = LazyPattern(
    r"\W*(?:(?:and|but|so|ok|okay|sorry|please|(?:can|could) you (?:please )?(?:tell me|explain(?: to me)?))[\s,]+)*(?:"
    r"what(?:'s| is| are) (?:an?|this|the) (?P<is>[^?,.;]{2,60}?)"
    r"|what (?:does|do|is|are) (?:an? |the |your |my |this )?(?P<means>[^?,.;]{2,60}?)"
    r" (?:mean|do|stand for|good for|meant to be)"
    r"|what do you mean (?:by|with) (?:an? |the |my |this )?(?P<meant>[^?,.;]{2,60}?)"
    r"|who(?:'s| is| are) (?:an? |the |this )?(?P<who>[^?,.;]{2,60}?)"
    r"|i (?:don't|do not) know what (?:an? |the )?(?P<unknown>[^?,.;]{2,60}?) (?:is|are|means?)"
    r")(?: (?:exactly|actually|please|anyway|here|then))*\W*\Z"
)


def is_correcting(folded: str) -> bool:
    """Return whether a text says that something said before is to be put right."""
    return _CORRECTING.search(folded) is not None


def is_asked(reading: UtteranceReading, clause: Clause) -> bool:
    """Return whether a clause is a question, by its mark or its opening."""
    marked = "?" in reading.text[clause.end : clause.end + 2].strip()[:1]
    return marked or _ASKING.match(reading.folded, clause.start, clause.end) is not None


def asks(reading: UtteranceReading) -> bool:
    return any(is_asked(reading, clause) for clause in reading.clauses)


def is_no_answer(reading: UtteranceReading, clause: Clause, fact: Fact) -> bool:
    """Return whether a clause cannot be the answer in free words: it asks back, or takes something else back.

    A catalog whose answer may be a question says so by an example that is one.
    """
    if any("?" in example for example in fact.examples):
        return False
    turns = _TURNING.match(reading.folded, clause.start, clause.end) or MIND_CHANGED.search(reading.folded)
    return is_asked(reading, clause) or turns is not None


def find_term(folded: str, catalog: Catalog, names: FactNames) -> str | None:
    """Find the fact or skill whose definition is asked for: "what is a credit bureau?"."""
    match = _TERM.match(folded) if len(folded) <= 200 else None
    said = next((words for words in match.groups() if words), None) if match else None
    if said is None:
        return None
    for skill in catalog.skills.values():
        if said in (skill.label.lower(), f"{skill.label.lower()}s"):
            return skill.name
    fact = names.resolve(said)
    wanted = match is not None and match["is"] is not None and not re.search(r"(?:'s|is|are) an? ", folded)
    # "What is the decision?" wants it, and does not wonder what a decision is.
    return None if wanted and any(fact in results_of(catalog, goal) for goal in catalog.goals) else fact


def read_doubtful_value(reading: UtteranceReading, catalog: Catalog) -> UtteranceReading:
    """Read the one value in words to a question whether to go ahead as what may be changed: it is read back."""
    found = [] if asks(reading) or not reading.empty or reading.candidates else list(_fitting(reading, catalog, []))
    return replace(reading, doubtful=found[0], unclear=None) if len(found) == 1 else reading


def read_asking_back(reading: UtteranceReading) -> UtteranceReading | None:
    """Read an utterance that only asks about the open question."""
    topic = find_topic_asked(reading.folded)
    return None if topic is None else replace(reading, control=DialogueAct.HELP, topic=topic)


def read_term(reading: UtteranceReading, catalog: Catalog, names: FactNames) -> UtteranceReading:
    """Read a question for a definition: "what is a credit bureau?" requests none of its services."""
    terms = {clause: find_term(clause.of(reading.folded), catalog, names) for clause in reading.open}
    found = {clause: term for clause, term in terms.items() if term is not None}
    return replace(reading.using(found), term=next(iter(found.values()))) if found else reading


def read_correction(
    reading: UtteranceReading, catalog: Catalog, candidates: Sequence[ValueCandidate]
) -> UtteranceReading:
    """Read "make it 15,000" as a new value of what was given before, where no other value was found.

    A period stands for its first and its last day, if these were given: "no, 2023". Where the value fits several facts,
    which one is meant stays open.
    """
    if reading.values or not is_correcting(reading.folded):
        return reading
    fitting = tuple(_fitting(reading, catalog, candidates))
    found = tuple(one for one in fitting if catalog.facts[one.fact].value.ends) or fitting
    if len(found) == 1:
        return replace(reading, values=found, candidates=())
    if found and reading.empty:
        return replace(reading, unclear=which_to_change(catalog, [mention.fact for mention in found]))
    return reading


def turn_down(reading: UtteranceReading, catalog: Catalog, candidates: Sequence[ValueCandidate]) -> UtteranceReading:
    """Return why a value that people cannot set is not taken; nor is its name then a request for it."""
    for candidate in candidates:
        fact = catalog.facts[candidate.fact]
        if fact.fillable or candidate.strength < NAMED or reading.question:
            continue
        goals = tuple(m for m in reading.goals if not m.span.start <= candidate.start < m.span.end)
        reading = replace(reading, goals=goals, candidates=())
        if reading.empty:
            reading = replace(reading, unclear=cannot_take(fact))
    return reading


DENIES = LazyPattern(r"\b(?:not|never|nor|neither|without|cannot|(?:can|do|does|wo|should|must)n?'?t)\b[^,;.!?]*\Z")
"""Before what is not to be, in the same piece: "not a day later", "don't make it five"."""
OTHER_THAN_BEFORE = "later|earlier|sooner|longer|shorter|more|extra|additional|further|higher|less|fewer|lower"
_BY_SO_MUCH = LazyPattern(rf"[\s-](?:[a-z]+[\s-])?({OTHER_THAN_BEFORE})\b")


def _counts_other(fact: Fact, folded: str, mention: Mention) -> bool:
    """Return whether a number says by how much, or how much of what its fact does not count: "two days earlier"."""
    by, measure = _BY_SO_MUCH.match(folded, mention.end), measure_after(folded, mention.start, mention.end, Fraction(1))
    said = [by[1]] if by is not None and fact.value.quantity else []
    said += [measure.unit.name] if measure is not None and fact.value.quantity and not fact.value.measure else []
    names = {stem(word.text) for word in words_in(fold(f"{fact.label} {fact.ask or ''}"))}
    return not names.issuperset(map(stem, said))


def _fitting(reading: UtteranceReading, catalog: Catalog, candidates: Sequence[ValueCandidate]) -> Iterator[Entity]:
    today, given = reading.context.today, reading.context.given
    ends = {name: set(fact.value.ends) for name, fact in catalog.facts.items() if fact.value.ends}
    whole = [] if reading.goals else [name for name, both in ends.items() if both <= set(given)]
    for name in (*given, *whole):
        kind = catalog.facts[name].value
        if kind.free_text or kind.is_yes_or_no or not kind.sayable:
            continue
        free = [
            mention
            for mention in mentions_of(catalog.facts[name], reading.text, today)
            if not (mention.unsure or DENIES.search(reading.folded, 0, mention.start))
            and not _counts_other(catalog.facts[name], reading.folded, mention)
            and not any(c.start < mention.end and mention.start < c.end for c in candidates)
        ]
        readings = [(m, value) for m in free for value in m.readings if kind.accepts(value, today)]
        of_a_day = [1 for _, days in readings if isinstance(days, dict) and days.get("start") == days.get("end")]
        if len(readings) == 1 and not of_a_day:  # a day corrects one end
            mention, value = readings[0]
            span = span_of(reading.text, mention.start, mention.end)
            rule = f"{kind.kind} as a correction"
            yield Entity(fact=name, value=kind.check(value, today), span=span, rule=rule)


_TELL = (
    r"(?:please )?(?:explain|describe|outline|tell me|show me|walk me through|sketch|say|let me know|i want to know"
    r"|i'd like to know)(?: to me| me)?"
)
_HOW = LazyPattern(
    rf"{SMALL_TALK}(?:"
    r"how (?:would|will) you (?:go about |have to )?|how (?:are you going|do you (?:plan|intend)|would you have) to "
    r"|what (?:would|will) you (?:do|need|have to do|need to do) (?:to|in order to|for) "
    r"|what would it take (?:you )?to "
    r"|(?:which|what) steps would (?:you take|it take|there be) (?:to|for) "
    r"|what (?:are|would be) (?:the|your) steps (?:to|for|of) "
    r"|what (?:would|will) (?:you do|happen) if i (?:asked|ask|wanted|want|requested|request)(?: you)?(?: for| to)? "
    rf"|{_TELL} (?:how (?:you(?:'d| would| will)|one would|it would be) (?:go about )?"
    r"|what you(?:'d| would) (?:do|need) (?:to|for) |the steps (?:to|for|of) ))"
)
"""Conservative: "how did you …?" asks for what was done."""
_ONLY_TOLD = LazyPattern(
    r"[\s,;-]*\b(?:without (?:actually |really )?(?:doing|running|starting|making|sending|creating) (?:it|that|this"
    r"|anything|them)(?: yet| now)?|(?:but )?(?:don't|do not) (?:actually |really )?(?:do|run|start|make|send|create) "
    r"(?:it|that|this|anything)(?: yet| now)?|(?:just )?hypothetically(?: speaking)?|in theory|theoretically)\b"
)
"""What says that something is only to be told, whatever it is asked for with."""


def read_hypothetical(reading: UtteranceReading, requests: RequestReader) -> UtteranceReading | None:
    """Read a question for the way to something; None if it is no such question.

    It is none where the whole question is a request for something else, such as instructions; nor where people ask for
    the goal itself in that way: "how do I reach you?".
    """
    folded, only_told = reading.folded, _ONLY_TOLD.search(reading.folded)
    if only_told:
        folded = folded[: only_told.start()] + " " * len(only_told.group()) + folded[only_told.end() :]
    to_me = HOW_TO.match(folded)
    match = _HOW.match(folded) or to_me
    if match is None and only_told is None:
        return None
    today, begins = reading.context.today, match.end() if match else 0
    rest = " " * begins + folded[begins:]
    wanted = requests.read(reading.text, rest, today)
    if not wanted.goals and requests.is_example(rest.strip()):  # a plan is only shown: the likeliest will do
        wanted = replace(wanted, goals=wanted.candidates[:1])
    asked = requests.read(reading.text, folded, today) if begins else wanted
    names = [mention.goal for mention in wanted.goals]
    others = [mention.goal for mention in asked.goals]
    # What they ask about is nearer to an example of its goal than the whole question is to one of any.
    nearer = (
        requests.is_example(rest.strip()) and requests.judge(rest.strip()).near > requests.judge(reading.folded).near
    )
    told = names if nearer else (*names, *others)
    if to_me and (len(names) > 1 or not requests.asked_how.isdisjoint(told)):
        return None
    if not names or (others and others != names and not nearer):
        return None
    goals = (*reading.goals, *wanted.goals)
    return replace(reading.using(reading.clauses), goals=goals, requests=wanted, hypothetical=True)
