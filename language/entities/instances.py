"""Instances of facts: deciding which of several a value is for."""

from __future__ import annotations

from dataclasses import replace

from catalog.model import Catalog, Fact
from language.interpretation import Entity
from language.text.morphology import stem
from language.text.utterance import UtteranceReading
from language.text.words import FUNCTION_WORDS, words_in

_PARTICLES = frozenset({"out", "off", "over", "up"})
"""Function words that tell instances apart: "the way out", "the way back"."""


def _named_in(words: str, catalog: Catalog, group: str, *, whole: bool) -> list[str]:
    """List the instances that words are about; where `whole`, only those whose label is said in full.

    What tells them apart are the words that only one of them is called by.
    """
    labels, said = catalog.instances[group].of, _stems(words)
    called = {instance: _stems(f"{instance} {label}") for instance, label in labels.items()}
    return [
        instance
        for instance, label in labels.items()
        if said & called[instance].difference(*(other for name, other in called.items() if name != instance))
        and (not whole or _stems(label) <= said)
    ]


def settle_instance(reading: UtteranceReading, catalog: Catalog, answer: Entity, *, wordy: bool) -> Entity | None:
    """Return an answer to the instance that it names, though another one was asked for; None where it names several.

    Free words are never taken for another instance: which of them are the value, only who said them knows.
    """
    if answer.fact not in catalog.origins:
        return answer
    origin = catalog.origins[answer.fact]
    clauses = [c for c in reading.clauses if c.start < answer.span.end and answer.span.start < c.end]
    words = reading.folded[clauses[0].start : clauses[-1].end] if clauses else reading.folded
    named = _named_in(words, catalog, origin.group, whole=wordy)
    if not named or origin.instance in named:
        return answer if len(named) < 2 else None
    other = next((f for f, o in catalog.origins.items() if o == origin._replace(instance=named[0])), None)
    if wordy or len(named) > 1 or other is None:
        return None
    return answer.model_copy(update={"fact": other, "rule": f"{answer.rule}, of the instance named"})


def take_answer(reading: UtteranceReading, asked: Fact, answer: Entity | None) -> UtteranceReading:
    """Add an answer to the values found; a value that could be an item becomes part of a list that was asked for."""
    answered = (asked.name, asked.list_of, answer and answer.fact)
    values = [value for value in reading.values if value.fact not in answered]
    if answer is not None:
        values.append(answer)
        reading = reading.using(c for c in reading.clauses if c.start < answer.span.end and answer.span.start < c.end)
    return replace(reading, values=tuple(sorted(values, key=lambda value: value.span.start)))


def _stems(text: str) -> set[str]:
    found = (word.text for word in words_in(text.lower().replace("_", " ")))
    return {stem(word) for word in found if word not in FUNCTION_WORDS or word in _PARTICLES}
