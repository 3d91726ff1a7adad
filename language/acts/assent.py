"""Assent to what was told: "ok, do it", "go ahead, but for $300", after the way to something was told and not gone.

Nothing was asked, so what only acknowledges ("ok", "great") agrees to nothing. What agrees says that it is to be done:
in words for a yes, or with a verb that the catalog has for the goal ("create it then"). What is said beside it
("but for $300") changes values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from language.acts.dialogue_acts import POLITE_ONLY, read_control
from language.interpretation import DialogueAct, Intent
from language.slots.filler import SlotFiller
from language.text.request_frames import is_request
from language.text.utterance import Reading
from language.text.words import fold, span_of

_PART = re.compile(r"[^,.!?;:…()\n]+")
_BESIDE = re.compile(r"\b(?:but|with|for|from|only|except|using|in|at|on|this time|instead)\b")
"""Words after which an assent says something of what is to be done."""
_DOES = re.compile(
    r"(?:(?:please|then|so|now|well|ok|okay|alright|all right|yes|and|just|let's|let us|you (?:can|may|should)) )*"
    r"(?P<verb>[a-z]+) (?:it|that|this|them|one|so|it so)(?: (?:up|now|then|so|please|for me|right away|at once))*\Z"
)
_ALWAYS = frozenset({"do", "make", "run", "start", "produce", "get", "begin", "try", "perform", "execute", "prepare"})


def read_agreement(reading: Reading, filler: SlotFiller) -> Reading | None:
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
    rest = reading.without([(0, begins)])
    if not agreed or any(is_request(clause.of(rest.folded)) for clause in rest.open):
        return None
    span = span_of(reading.text, 0, begins)
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
