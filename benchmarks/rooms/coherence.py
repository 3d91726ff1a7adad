"""Whether a conversation in finch's room was coherent: judged by what was posted alone, without norms and verdicts.

What is coherent is written down here a second time, in other terms than in `norms.yaml`: who was asked, who answered,
how often, and in which order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from catalog.norms.message import Message

EXPERT_OF: Mapping[str, str] = {"savings": "SA", "cd": "CD", "bonds": "TB"}
MEDIATOR = "In"
BOTS = (MEDIATOR, *EXPERT_OF.values())
_CALCULATION, _BEST = "calculation", "best_option"
_GENERAL = frozenset({"investment", "all"})


class Violation(StrEnum):
    """Ways in which a conversation is not coherent."""

    ITSELF = "somebody answers itself"
    TWICE = "somebody answers a message twice"
    UNANSWERED = "nobody who was asked answers"
    UNASKED = "somebody answers who was not asked"
    OTHER_PRODUCT = "an expert answers a question on another product"
    EACH_OTHER = "bots answer each other without being asked to"
    UNREQUESTED = "somebody calculates who was not asked to"
    MISSING = "a calculation that was asked for is missing"
    NO_CONCLUSION = "a simulation is not concluded"
    CONCLUDED_AGAIN = "a simulation is concluded more than once"
    TOO_EARLY = "a simulation is concluded before all have answered"
    NOT_THE_BEST = "another option than the best is named"
    ASKED_AGAIN = "an amount or a period is asked for that was given"
    MISADDRESSED = "an answer is not to whoever asked"


@dataclass(frozen=True, slots=True)
class Found:
    """A violation, and the message that shows it."""

    violation: Violation
    message: Message


def find_violations(posted: Sequence[Message]) -> list[Found]:
    """List what is not coherent in a conversation that is over."""
    return [*_on_answers(posted), *_on_simulations(posted), *_on_questions(posted)]


def _on_answers(posted: Sequence[Message]) -> Iterator[Found]:
    """Check who answered whom, message by message."""
    by_id = {one.id: one for one in posted}
    answers: dict[str, list[Message]] = defaultdict(list)
    asked: dict[str, frozenset[str]] = {}
    unclear: set[str] = set()
    turn = answerer = MEDIATOR
    for one in posted:
        if one.sender not in BOTS:
            if _is_clear(one):
                asked[one.id] = _asked(one)
                turn = max(asked[one.id], key=BOTS.index, default=turn)  # of several the last answers last
            else:
                asked[one.id] = frozenset({turn, answerer})
                unclear.add(one.id)
            continue
        answered = by_id.get(one.in_reply_to)
        if answered is None:
            continue
        before = answers[answered.id]
        if answered.sender == one.sender:
            yield Found(Violation.ITSELF, one)
        elif _has(one, _BEST):  # conclusions are looked at with the simulations
            continue
        elif answered.sender in BOTS:
            if not _is_due(one, answered, before):
                yield Found(Violation.EACH_OTHER, one)
            before.append(one)
        else:
            again = [other for other in before if answered.id in unclear or other.sender == one.sender]
            yield from (Found(violation, one) for violation in _on_answer(one, answered, again, asked[answered.id]))
            before.append(one)
            answerer = one.sender
    for number, names in asked.items():
        missing = names - {one.sender for one in answers[number]}
        if missing and (number not in unclear or missing == names):
            yield Found(Violation.UNANSWERED, by_id[number])


def _on_answer(
    answer: Message, answered: Message, before: Iterable[Message], asked: Collection[str]
) -> Iterator[Violation]:
    """Check one answer to a person; `asked` are those who may, and `before` is what leaves no room for it."""
    if answer.sender not in asked:
        other_product = answer.sender != MEDIATOR and _products(answered)
        yield Violation.OTHER_PRODUCT if other_product else Violation.UNASKED
    elif any(before):
        yield Violation.TWICE
    if answer.receivers and answered.sender not in answer.receivers and not _requests(answer):
        yield Violation.MISADDRESSED


def _is_clear(message: Message) -> bool:
    """Return whether a person's message says by itself who is to answer: not one that asks something about nothing."""
    asking = [one for one in message.utterances if one.act in {"query", "simulate"}]
    return bool(message.mentions) or not asking or any(one.act != "query" or one.topic != "undefined" for one in asking)


def _asked(message: Message) -> frozenset[str]:
    """Return who is to answer a person: who is named, or who knows the products; the mediator for all the rest."""
    named = [name for name in message.mentions if name in BOTS]
    if named:
        return frozenset(named)
    experts = {EXPERT_OF[product] for product in _products(message)}
    if message.mentions and not named:
        return frozenset()  # people among themselves
    general = any(one.act == "simulate" or (one.act == "query" and one.topic in _GENERAL) for one in message.utterances)
    return frozenset(experts | {MEDIATOR} if general or not experts else experts)


def _products(message: Message) -> list[str]:
    return [one.topic for one in message.utterances if one.act == "query" and one.topic in EXPERT_OF]


def _is_due(answer: Message, answered: Message, before: Iterable[Message]) -> bool:
    """Return whether a bot was asked by a bot, or prompts after an expert, once."""
    if any(other.sender == answer.sender for other in before):
        return False
    if _requests(answered):
        return answer.sender in answered.receivers and _has(answer, _CALCULATION)
    prompts = all(one.act == "propose" for one in answer.utterances)
    return answer.sender == MEDIATOR and answered.sender != MEDIATOR and prompts


def _on_simulations(posted: Sequence[Message]) -> Iterator[Found]:
    """Check that each request to the experts is answered by each of them, and concluded once, after that."""
    requests = {one.id: one for one in posted if _requests(one)}
    replaced = _replaced(requests.values())
    calculated: dict[str, Counter[str]] = defaultdict(Counter)
    nets: dict[str, dict[str, float]] = defaultdict(dict)
    concluded: Counter[str] = Counter()
    for one in posted:
        if one.in_reply_to in requests and _has(one, _CALCULATION):
            calculated[one.in_reply_to][one.sender] += 1
            nets[one.in_reply_to] |= {str(v["product"]): float(str(v["net"])) for v in _values(one, _CALCULATION)}
            if one.sender not in requests[one.in_reply_to].receivers:
                yield Found(Violation.UNREQUESTED, one)
        for said in one.utterances:
            if said.content != _BEST:
                continue
            number = str(said.values.get("request"))
            concluded[number] += 1
            if concluded[number] > 1:
                yield Found(Violation.CONCLUDED_AGAIN, one)
            if (request := requests.get(number)) is not None:
                wrong = _on_conclusion(one, request, set(calculated[number]), said.values.get("best"), nets[number])
                yield from (Found(violation, one) for violation in wrong)
    for number, request in requests.items():
        if set(calculated[number]) < set(request.receivers):
            yield Found(Violation.MISSING, request)
        if any(count > 1 for count in calculated[number].values()):
            yield Found(Violation.TWICE, request)
        if not concluded[number] and number not in replaced:
            yield Found(Violation.NO_CONCLUSION, request)


def _on_conclusion(
    conclusion: Message, request: Message, answered: set[str], best: object, nets: Mapping[str, float]
) -> Iterator[Violation]:
    """Check one conclusion of a request, to which some have answered."""
    if not answered >= set(request.receivers):
        yield Violation.TOO_EARLY
    if nets.get(str(best)) != max(nets.values(), default=None):
        yield Violation.NOT_THE_BEST
    if _person(request) not in conclusion.receivers:
        yield Violation.MISADDRESSED


def _on_questions(posted: Sequence[Message]) -> Iterator[Found]:
    """Check that the mediator, answering somebody, does not ask what they have said since the last calculation."""
    given: dict[str, frozenset[str]] = defaultdict(frozenset)
    by_then: dict[str, frozenset[str]] = {}
    for one in posted:
        if one.sender not in BOTS:
            values = {(name, str(value)) for said in one.utterances for name, value in said.values.items()}
            names = Counter(name for name, _ in values)  # what is said in two ways is not given
            given[one.sender] = (given[one.sender] - names.keys()) | {name for name, n in names.items() if n == 1}
            by_then[one.id] = given[one.sender]
        elif _requests(one):
            given.pop(_person(one), None)
        elif any(said.content == "calculation" for said in one.utterances):
            given = defaultdict(frozenset, {who: said for who, said in given.items() if who not in one.receivers})
        elif one.sender == MEDIATOR and any(said.act == "query" for said in one.utterances):
            asked = {name for name, words in _ASKING.items() if words in one.text.lower()}
            if asked & by_then.get(one.in_reply_to, frozenset()):
                yield Found(Violation.ASKED_AGAIN, one)


_ASKING = {"amount": "how much would you like", "months": "how long would you like"}


def _values(message: Message, content: str) -> Iterator[Mapping[str, object]]:
    return (said.values for said in message.utterances if said.content == content)


def _replaced(requests: Iterable[Message]) -> set[str]:
    """Return the requests after which the same person wanted something else."""
    last: dict[str, str] = {}
    found: set[str] = set()
    for one in requests:
        found |= {last[_person(one)]} if _person(one) in last else set()
        last[_person(one)] = one.id
    return found


def _requests(message: Message) -> bool:
    return message.sender == MEDIATOR and any(one.act == "request" for one in message.utterances)


def _person(request: Message) -> str:
    return next((str(one.values["person"]) for one in request.utterances if "person" in one.values), "")


def _has(message: Message, content: str) -> bool:
    return any(one.content == content for one in message.utterances)
