"""Assent to what was told: "ok, do it", "go ahead, but for $300", after the way to something was told and not gone.

Nothing was asked, so what only acknowledges ("ok", "great") agrees to nothing. What agrees says that it is to be done:
in words for a yes, or with a verb that the catalog has for the goal ("create it then"). What is said beside it
("but for $300") changes values.

To the question for consent or a go-ahead, a yes counts if each word beside it is accounted for: with a condition or a
limit that is not understood ("yes, but only half of it") it is none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from catalog.model import Catalog
from language.acts.dialogue_acts import POLITE_ONLY, read_control
from language.interpretation import DialogueAct, Intent
from language.slots.filler import SlotFiller
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.request_frames import is_request
from language.text.utterance import UtteranceReading
from language.text.words import fold, span_of

_PART = LazyPattern(r"[^,.!?;:…()\n]+")
_BESIDE = LazyPattern(r"\b(?:but|with|for|from|only|except|using|in|at|on|this time|instead)\b")
"""Words after which an assent says something of what is to be done."""
_DOES = LazyPattern(
    r"(?:(?:please|then|so|now|well|ok|okay|alright|all right|yes|and|just|let's|let us|you (?:can|may|should)) )*"
    r"(?P<verb>[a-z]+) (?:it|that|this|them|one|so|it so)(?: (?:up|now|then|so|please|for me|right away|at once))*\Z"
)
_ALWAYS = frozenset({"do", "make", "run", "start", "produce", "get", "begin", "try", "perform", "execute", "prepare"})


_AT_THE_END = LazyPattern(r"(?:[,.;:!]|\band\b)\s*(?:and |so |then )*(?P<said>[^,.;:!?]+?)\s*[.!]*\Z")
"""The last of several things that are said: "my number is G12345, please do it"."""


def read_agreement(reading: UtteranceReading, filler: SlotFiller) -> UtteranceReading | None:
    """Read an assent to what was told as a request for it, with what is said beside it; None if it is none."""
    catalog = filler.catalog
    told = [goal for goal in reading.context.told if goal in catalog.goals]
    if not told:
        return None
    verbs = _ALWAYS.union(*(_first_words(catalog.goals[goal].examples) for goal in told))
    agreed, begins = False, 0
    for part in _PART.finditer(reading.folded):
        whole = " ".join(part.group().split())
        beside = None if _does(whole, verbs) else _BESIDE.search(part.group())
        words = " ".join(part.group()[: beside.start()].split()) if beside else whole
        if words and not POLITE_ONLY.match(words):
            if _does(words, verbs):
                agreed = True
            elif read_control(words) is not DialogueAct.CHITCHAT:
                break
        begins = part.start() + beside.start() if beside else part.end()
        if beside:
            break
    else:
        if not agreed and read_control(reading.folded) is DialogueAct.YES:
            return replace(reading.using(reading.clauses), control=DialogueAct.CHITCHAT)  # "ok" only acknowledges
    said = (0, begins)
    if not agreed and (last := _AT_THE_END.search(reading.folded)) and _does(last["said"], verbs):
        agreed, said = True, last.span()
    rest = reading.without([said])
    if not agreed or any(is_request(clause.of(rest.folded)) for clause in rest.open):
        return None
    span = span_of(reading.text, *said)
    given = filler.fill_requests([(goal, span) for goal in told], rest.left, reading.context.today)
    goals = (
        Intent(goal=goal, span=span, confidence=1.0, values=one.values, missing=one.missing)
        for goal, one in zip(told, given, strict=True)
    )
    return replace(rest.using(rest.clauses), goals=tuple(goals), control=DialogueAct.YES)


def _does(words: str, verbs: Collection[str]) -> bool:
    control, named = read_control(words), _DOES.match(words)
    return control is DialogueAct.YES or (control is None and named is not None and named["verb"] in verbs)


def _first_words(examples: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in examples for word in re.findall(r"[a-z]+", fold(text))[:3])


_COMMON = frozenset(
    "a about all an and am and are as at be can check could did do does doing for from get give given go had has have "
    "i i'd i'll i'm in is it it's just know like may me mine my now of off ok on or our out pass right same send share "
    "should so such sure tell thank thanks that that's the their them then there these they this those to use was we "
    "were will with would yes you your quick quickly soon asap immediately away straight kindly".split()
)
"""Words that add nothing to a yes."""
_LIMITS = LazyPattern(r"\b(?:but|only|except|if|unless|not|without|provided|on condition|as long as|when)\b")
"""Words that begin a condition or a limit: this is no request beside the yes."""


def hold_back_a_qualified_yes(reading: UtteranceReading, catalog: Catalog) -> UtteranceReading:
    """Take no yes to a question for consent or a go-ahead where something beside it is not understood."""
    pending = reading.context.pending
    if reading.control is not DialogueAct.YES or pending is None or pending.kind not in ("authorize", "confirm"):
        return reading
    values = [value.span for value in reading.values]
    goals = [goal.span for goal in reading.goals]
    named = _words_of(catalog, pending.subject)
    for part in _PART.finditer(reading.folded):
        words = " ".join(part.group().split())
        control = read_control(words, pending.kind)
        if control is DialogueAct.NO:
            return replace(reading, control=None)
        taken = values if _LIMITS.search(words) else (*values, *goals)
        heard = any(span.start < part.end() and part.start() < span.end for span in taken) or reading.question
        if not words or heard or control is not None or POLITE_ONLY.match(words):
            continue
        said = re.findall(r"[^\W_]+(?:'[a-z]+)?", words)
        if not all(word in _COMMON or stem(word) in named for word in said):
            return replace(reading, control=None)
    return reading


def _words_of(catalog: Catalog, subject: str) -> frozenset[str]:
    """Collect the words of a question about a skill, or about a fact: they say nothing beyond it."""
    skill = catalog.skills.get(subject)
    facts = [catalog.facts[fact] for fact in (skill.takes if skill else (subject,)) if fact in catalog.facts]
    labels = [f"{skill.label} {skill.confirm or ''}" if skill else "", *(fact.label for fact in facts)]
    return frozenset(stem(word) for label in labels for word in re.findall(r"[^\W_]+", fold(label)))
