"""Non-answers: what is said in place of an answer in free words, known by its meaning.

"I'm between jobs" names no employer, and "just get me a person" no address. A linear classifier on the encoder tells
them from answers, such as the examples of the fact; what it learns from stands in two files beside the encoder.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from catalog.model import Fact
from catalog.values import Date
from language.entities.extents import GoalOf
from language.interpretation import DialogueAct, Entity, Span, TalkTopic
from language.readers import ANY_DAY, find_mentions
from language.text.array_cache import default_folder
from language.text.encoder import encode, encode_once, is_familiar
from language.text.lazy_pattern import LazyPattern, read_forms
from language.text.morphology import stem
from language.text.utterance import UtteranceReading
from language.text.words import FRAME_WORDS, content_words, fold

_LEAST, _SURE, _NEAR = 0.2, 0.3, 0.75
"""The score from which words are no answer: that near one of the lines a lower one, else the higher one."""
_RIDGE = 0.3
_LONGEST = 14
"""Words of the longest non-answer."""
_TELLS = LazyPattern(
    r"\b(?:about|why|describe|tell|what happened|details?|topic|subject|message|reason|purpose|notes?|comments?"
    r"|descriptions?|explain|problem|issue|contents?|text|body|feedback|questions?|complaint|symptoms?|story)\b"
)
"""In the names of a fact: it takes whole sentences, whatever they say."""
_EMPLOYER = LazyPattern(r"\bemployers?\b|\bwork(?:s|ing|ed)? (?:for|at)\b|\bworkplace\b|\bcompany (?:that )?you work\b")
"""In the names of a fact: it is an employer, whom an occupation or a status does not name."""
_OCCUPATION = LazyPattern(
    r"\b(?:occupation|profession|trade|job title|living|status|position|what do you do|what are you|role)\b"
)
"""In the names of a fact: it is an occupation or a status."""
_BY_NAME = LazyPattern(r"\W*(?:and\s+)?(?:who|whom|whose|where|which|at which|for which|by whom)\b")
"""How a question begins that is answered by a name."""
_SENTENCE = LazyPattern(
    r"\W*(?:(?:and|but|so|well|oh|because|since)\W+)*(?:i|we|he|she|they|you|it|this|that|there)"
    r"(?:'(?:m|s|d|ve|re|ll)\b|\s+(?!is\b|was\b|would be\b|will be\b|would\b)[a-z])"
)
"""How a sentence begins that does not say what something is."""
_NAMED = LazyPattern(r"[^\W\d_a-z][\w'-]*(?:\s+(?:of|and|the|&|[^\W\d_a-z][\w'-]*))*\s+[^\W\d_a-z][\w'-]*")
"""Words with capitals: a proper name."""


def read_non_answer(reading: UtteranceReading, fact: Fact) -> UtteranceReading:
    """Read that there is nothing to answer as skipping the question, and other evasions as a call for help with it."""
    said = reading.left.strip()
    names = _names_of(fact)
    if not reading.empty or not said or len(said.split()) > _LONGEST or _TELLS.search(names):
        return reading
    if _NAMED.fullmatch(said.strip(" .,!")):
        return reading
    folded, examples = fold(said).strip(" .,!?"), tuple(map(fold, fact.examples))
    if _EMPLOYER.search(names):
        act = _judge(folded, examples, ("status", "trade"), "employers")
    elif _OCCUPATION.search(names):
        act = None
    else:
        act = _judge(folded, examples, ("status",), "answers")
    act = act or _judge(folded, examples, ("none", "away"), "answers")
    if act is None:
        return reading
    topic = TalkTopic.QUESTION if act is DialogueAct.HELP else None
    return replace(reading.using(reading.clauses), control=act, topic=topic, candidates=())


def takes_sentences(fact: Fact) -> bool:
    """Return whether a fact in free words takes whole sentences, such as a topic or a message does."""
    return fact.value.innermost.free_text and _TELLS.search(_names_of(fact)) is not None


def is_sentence_for_name(fact: Fact, folded: str) -> bool:
    """Return whether a name was asked for (who, where, which), and a sentence is said: "we sell flowers"."""
    return (
        fact.value.free_text
        and _BY_NAME.match(fold(fact.ask or "")) is not None
        and not takes_sentences(fact)
        and _SENTENCE.match(folded) is not None
    )


FILLER = frozenset(
    map(
        stem,
        """please rather better instead same again also too just only put set use change switch turn draw do display
        this that it them one version way prefer choose pick maybe perhaps fine ok okay yes so far whole full entire
        about regarding concerning time though then else case wrong incorrect mistake mistaken typo oops correction
        meant mean said say read hang hold wait before""".split(),
    )
)
"""Words that put a value, and say nothing themselves."""
_FORMS = read_forms("language.acts", "speech_acts.txt")
_STATES, _ORDERS, _OF_ANOTHER = (LazyPattern(_FORMS[name]) for name in ("states", "orders", "of another"))
_MAY_FORBID = LazyPattern(_FORMS["may forbid"])
_UNNAMED = LazyPattern(r"\W*(?:(?:um+|uh+|hm+|well|oh|so|maybe|perhaps|probably|i think|i guess|possibly|dunno)\b\W*)+")
_PREPOSITION = LazyPattern(r"(?:to|in|at|from|near|towards?|into|by|for|on)\s+(?=\S)")
_NAME_INSIDE = LazyPattern(r"(?<=\w )(?!I\b)[^\W\d_a-z]\w")
_CAPITALS = LazyPattern(r"(?:\A|(?<=\s))(?:(?:the|an?) [a-z]+ )?(?!I\b)[^\W\d_a-z][\w'-]*(?: [^\W\d_a-z][\w'-]*)*")
"""A name, with an article and a word that lead to it: "the whole Earth"."""
_YEAR = LazyPattern(r"\b[0-9]{4}\b")
_LONG_FOR_A_NAME = 7
"""Words from which on an answer is doubtful, unless an example of the fact is as long."""


def doubt(reading: UtteranceReading, fact: Fact, answer: Entity, asks_for: GoalOf) -> bool:
    """Return whether what stands for an answer in free words may be none: a sentence, a request, a guess, a remark.

    A fact that takes sentences takes any; one with examples of a form takes that form, but of another person only where
    an example is of one. What is doubtful is read back before it counts.
    """
    said, examples = fold(answer.span.text), [fold(example) for example in fact.examples]
    if not fact.value.innermost.free_text or said in examples or takes_sentences(fact):
        return fact.value.innermost.free_text and said not in examples and _MAY_FORBID.match(said) is not None
    whole = [example for example in fact.examples if not _leads_to_name(example, fact)]
    plain = not any(_STATES.search(fold(example)) for example in whole)

    def is_new(form: LazyPattern) -> bool:
        return form.search(said) is not None and not any(form.search(fold(example)) for example in whole)

    longest = max((len(example.split()) for example in examples), default=0)
    hedged = _UNNAMED.match(fold(reading.text)) is not None
    return (
        (_has_day(said) and not any(map(_has_day, examples)))
        or (plain and (hedged or len(said.split()) > max(_LONG_FOR_A_NAME, longest)))
        or any(map(is_new, (_STATES, _ORDERS, _OF_ANOTHER)))
        or (" " in said and answer.span.text != answer.span.text.title() and asks_for(said) is not None)
    )


def _has_day(folded: str) -> bool:
    """Return whether a day is named with its year: "30 Dec 2026" is rarely a city; "7 March Street" is an address."""
    return any(_YEAR.search(day.text) for day in find_mentions(Date(), folded, ANY_DAY))


def _leads_to_name(example: str, fact: Fact) -> bool:
    """Return whether an example is a sentence around a value: a name ("I am going to Rome"), or another example.

    So is what a frame of the fact leads to: "take us to the church".
    """
    said = fold(example)
    if any(said.startswith(led) for frame in fact.said if (led := fold(frame).partition("{")[0])):
        return True
    inside = (re.sub(rf"\A{_PREPOSITION.pattern}", "", fold(other)) for other in fact.examples if fold(other) != said)
    return _NAME_INSIDE.search(example) is not None or any(re.search(rf"\b{re.escape(one)}\b", said) for one in inside)


def without_preposition(fact: Fact, answer: Entity) -> Entity:
    """Leave out the preposition that leads to a name, "to Bergen", or to what the fact's examples lead to by it."""
    text = answer.span.text
    name = _name_in(text)
    if name is not None and fact.value.takes_any_text and answer.value == text and not takes_sentences(fact):
        span = Span(start=answer.span.start + name.start(), end=answer.span.start + name.end(), text=name.group())
        return answer.model_copy(update={"value": span.text, "span": span})
    led = _PREPOSITION.match(fold(text))
    if led is None or not isinstance(answer.value, str) or not fact.value.free_text or answer.value != text:
        return answer
    lead, rest = fold(led.group()).strip(), text[led.end() :]
    alike = any(fold(example).startswith(f"{lead} ") for example in fact.examples)
    if not (alike or rest[:1].isupper() or rest[:1].isdigit()):
        return answer
    span = Span(start=answer.span.start + led.end(), end=answer.span.end, text=rest)
    return answer.model_copy(update={"value": rest, "span": span})


def _name_in(text: str) -> re.Match[str] | None:
    """Find the one name in words that are little apart from it: "the same for Bella please"."""
    names = [one for one in _CAPITALS.finditer(text) if one.start() or text[0].islower()]
    rest = text if len(names) != 1 else f"{text[: names[0].start()]} {text[names[0].end() :]}"
    little = all(stem(w.text) in FILLER or w.text in FRAME_WORDS for w in content_words(fold(rest)))
    if len(names) != 1 or not little or rest != rest.lower():
        return None
    return names[0] if len(rest.split()) > 1 or not names[0].start() else None


def _names_of(fact: Fact) -> str:
    return fold(f"{fact.label} {fact.name.replace('_', ' ')} {fact.ask or ''}")


def _judge(said: str, examples: tuple[str, ...], sections: tuple[str, ...], answers: str) -> DialogueAct | None:
    lines, vectors, weights = _learned(sections, answers)
    words = said.split()
    if 2 * sum(map(is_familiar, words)) < len(words):
        return None  # the encoder places a word that it never saw, such as a misspelled title, by its letters
    vector = encode([said])[0]
    score = float(vector @ weights[:-1] + weights[-1])
    near = vectors @ vector
    best = int(near.argmax())
    if examples and float((encode(list(examples)) @ vector).max()) >= float(near[best]):
        return None
    if score < _LEAST or (score < _SURE and float(near[best]) < _NEAR):
        return None
    return DialogueAct.HELP if lines[best][1] == "away" else DialogueAct.SKIP


@cache
def _learned(
    sections: tuple[str, ...], answers: str
) -> tuple[list[tuple[str, str]], NDArray[np.float32], NDArray[np.float32]]:
    """Learn from the lines of some sections, once a process: those that are no answers, their vectors, the weights."""
    lines = [(line, section) for line, section in _lines("non_answers.txt") if section in sections]
    known = [line for line, section in _lines("some_answers.txt") if section in ("answers", answers)]
    every = encode_once([*(text for text, _ in lines), *known], default_folder(), "answers")
    inputs = np.hstack([every, np.ones((len(every), 1), dtype=np.float32)])
    wanted = np.array([1.0] * len(lines) + [-1.0] * len(known), dtype=np.float32)
    square = inputs.T @ inputs + _RIDGE * np.eye(inputs.shape[1], dtype=np.float32)
    weights: NDArray[np.float32] = np.linalg.solve(square, inputs.T @ wanted)
    return lines, every[: len(lines)], weights


def _lines(name: str) -> list[tuple[str, str]]:
    found, section = [], "answers"
    for line in files("language.text").joinpath(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            section = line.partition(":")[0].strip("# ") if ":" in line else section
        elif line:
            found.append((fold(line), section))
    return found
