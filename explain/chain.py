"""Why did a skill decide so? From its heaviest input back to what the user said (Verdi paper, §4.4).

Algorithm 4 of the paper never moves on from the fact that it starts with. Here f becomes the heaviest input, and where
that came from is explained in turn; the walk stops at what no skill established, and looks into each act once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from catalog.model import Catalog
from explain.grammar import is_plural, signed
from explain.how import TracedLink, as_events, tell, tell_stand_in, tell_unknown, tell_work
from explain.model import Attribution, Explanation, Part, Question, Record, Sentence
from explain.trace import find_current, find_last, find_producer, pick
from explain.wording import Piece, Wording, answer, row, sentence
from planning.history import Actor, Execution


def explain_chain(catalog: Catalog, record: Record, question: Question) -> Explanation:
    """Chain explanations: each skill's attribution names its heaviest input, whose own source is explained next.

    Inputs that weigh the same are all followed. A skill that attributes nothing says so, and all its inputs are
    followed; where that is no wonder (a lookup on the way decides nothing) it is not said. With `full`, the other
    weights of each decision are given too.
    """
    words = Wording(catalog, record)
    fact = question.fact or next(iter(record.goal), None)
    if fact is None:
        return answer(question, tell_work(words))
    current = find_current(catalog, record, fact)
    if current is None:
        return answer(question, tell_unknown(words, fact))
    found = find_last(record.history, current)
    told = [*tell_stand_in(words, fact, current, found)]
    if found is None:
        return answer(question, (*told, tell(words, (current,), None)))
    links: list[TracedLink] = []
    waiting: dict[int, dict[str, None]] = {found.index: {current: None}}
    from_start: dict[str, None] = {}
    while waiting:
        index = max(waiting)
        facts = tuple(waiting.pop(index))
        told += _tell_act(words, facts, index, full=question.full, first=index == found.index)
        heaviest = find_heaviest(weigh(catalog, record, record.history[index]))
        for used in (one.fact for one in heaviest) if heaviest else record.history[index].inputs:
            source = find_producer(catalog, record, used, before=index)
            links.append((None, used, index) if source is None else (source.index, source.fact, index))
            if source is None:
                from_start[used] = None
            else:
                waiting.setdefault(source.index, {})[source.fact] = None
    if from_start:
        told.append(tell(words, tuple(from_start), None))
    return answer(question, told, as_events(record, links))


def weigh(catalog: Catalog, record: Record, execution: Execution) -> tuple[Attribution, ...]:
    """List how much each input weighed, heaviest first, under the names that the inputs really had.

    Weights that are no numbers, and those of facts that were not passed, say nothing and are left out.
    """
    given = record.attributions.get(execution.event, ()) if execution.actor is Actor.SKILL else ()
    passed = ((pick(catalog, execution.inputs, one.fact), one.weight) for one in given)
    usable = [Attribution(fact, weight) for fact, weight in passed if fact is not None and math.isfinite(weight)]
    return tuple(sorted(usable, key=lambda one: -abs(one.weight)))


def find_heaviest(weights: Sequence[Attribution]) -> tuple[Attribution, ...]:
    """Pick the heaviest by size, whatever its sign; several if they weigh the same; none if all weigh nothing."""
    top = max((abs(one.weight) for one in weights), default=0.0)
    return tuple(one for one in weights if top > 0 and math.isclose(abs(one.weight), top, rel_tol=1e-9))


def _tell_act(words: Wording, facts: Sequence[str], at: int, *, full: bool, first: bool) -> list[Sentence]:
    execution = words.record.history[at]
    weights = weigh(words.catalog, words.record, execution)
    heaviest = find_heaviest(weights)
    if heaviest:
        rest = [one for one in weights if one not in heaviest]
        told = _tell_heaviest(words, facts, at, heaviest)
        return [*told, _tell_rest(words, execution, rest)] if full and rest else told
    told = [tell(words, facts, at)]
    skill = words.skill(execution.skill)
    if weights:
        told.append(sentence("According to ", skill, ", none of these made a difference.", evidence=(execution.event,)))
    elif execution.actor is Actor.SKILL and execution.inputs and (first or _promises(words, execution)):
        told.append(sentence(skill, " does not say how much each of them weighed.", evidence=(execution.event,)))
    return told


def _tell_heaviest(words: Wording, facts: Sequence[str], at: int, heaviest: Sequence[Attribution]) -> list[Sentence]:
    history = words.record.history
    skill = words.skill(history[at].skill)
    sources = [find_producer(words.catalog, words.record, one.fact, before=at) for one in heaviest]
    evidence = (history[at].event, *(source.execution.event for source in sources if source is not None))
    named = [
        words.valued((one.fact,), None if source is None else source.index)
        for one, source in zip(heaviest, sources, strict=True)
    ]
    result = _put_result(words, facts, at)
    mean = " on average" if (history[at].items or 0) > 1 else ""
    if all(one.weight > 0 for one in heaviest):
        each = " each" if len(heaviest) > 1 else ""
        weight = f", which weighed {signed(heaviest[0].weight)}{each} towards it{mean}, according to "
        return [sentence(*result, " mostly because of ", row(named), weight, skill, ".", evidence=evidence)]
    listed = [
        (*parts, Part(f", with {signed(one.weight)} {'towards' if one.weight > 0 else 'against'} it"))
        for one, parts in zip(heaviest, named, strict=True)
    ]
    return [
        sentence(*result, ".", evidence=evidence),
        sentence("According to ", skill, f", what weighed most{mean} was ", row(listed), ".", evidence=evidence),
    ]


def _put_result(words: Wording, facts: Sequence[str], at: int) -> tuple[Piece, ...]:
    value = words.shown(facts[0], at) if len(facts) == 1 else None
    if value is not None:
        return words.facts(facts), " came out as ", value
    several = len(facts) > 1 or is_plural(words.label(facts[0]))
    return words.facts(facts), f" came out as {'they' if several else 'it'} did"


def _tell_rest(words: Wording, execution: Execution, rest: Sequence[Attribution]) -> Sentence:
    listed = [(words.fact(one.fact), Part(f" ({signed(one.weight)})")) for one in rest]
    return sentence(row(listed), " weighed less.", evidence=(execution.event,))


def _promises(words: Wording, execution: Execution) -> bool:
    """Tell whether a skill says that it can explain its decisions; it is only then that silence is worth a word."""
    declared = words.catalog.skills.get(execution.skill or "")
    return declared is not None and declared.explain is not None
