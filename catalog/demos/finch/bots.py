"""The bots of finch: a mediator and three experts. They know no norms, and answer whatever they understand.

Each is a function of an occasion: of what was posted, and of what the room had before. So everybody answers greetings,
thanks, questions and wishes for a simulation from any participant; governance alone keeps the order. What is said
goes to the person who asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import cast

from catalog.demos.finch.calculations import (
    LABELS,
    RESTS_ON,
    SIMULATIONS,
    InvestmentOutcome,
    InvestmentPeriod,
    lend_fixed,
    money,
    spell,
    write,
)
from catalog.demos.finch.concepts import BEST, GENERAL, Concept, find_concept, load_concepts, products_named
from catalog.demos.finch.conclusions import conclude, recall
from catalog.demos.finch.figures import AMOUNT, KINDS, PERIOD, gives_figures, read_figures, refuse_rates, write_figures
from catalog.demos.finch.parameters import load_parameters
from catalog.demos.finch.simulation_request import (
    CALCULATION,
    CORRECTS,
    ROLES,
    SimulationRequest,
    after,
    request_of,
)
from catalog.norms.message import Message, Utterance
from catalog.norms.occasion import Happening, Occasion
from catalog.norms.vocabulary import ALL, UNDEFINED, ParticipantKind
from catalog.values.base import listed


def savings_expert(occasion: Occasion) -> list[Message]:
    return list(_answer_as("savings", occasion))


def cd_expert(occasion: Occasion) -> list[Message]:
    return list(_answer_as("cd", occasion))


def bonds_expert(occasion: Occasion) -> list[Message]:
    return list(_answer_as("bonds", occasion))


def mediator(occasion: Occasion) -> list[Message]:
    """Open, ask for what is missing, ask the experts, and name the best option."""
    match occasion.what:
        case Happening.OPENED:
            return [_say(occasion, None, Utterance(act="greeting", topic=GENERAL, text=OPENING))]
        case Happening.UNANSWERED:
            return conclude(occasion)
    message = occasion.message
    if message is None:
        return []
    if any(one.content == CALCULATION for one in message.utterances):
        return conclude(occasion)
    by_expert = any(message.sender in occasion.playing(role) for role in ROLES.values())
    if by_expert and message.replies_to and _is_person(occasion, message.replies_to):
        return list(_prompt(occasion, message, message.replies_to))
    return list(_mediate(occasion, message))


OPENING = (
    "Hello, I am your investment adviser. Tell me an amount and a period, and the experts work out what savings, "
    "certificates of deposit and treasury bonds would pay. You can also ask what something means."
)
_NO_HELP = f"I can only help with {listed(LABELS.values())}."
_HELP = "Ask what something means, such as liquidity, risk or taxes, or tell me an amount and how long to invest it."
_OPENLY = "The experts calculate where everybody can read it. Ask for it openly, or ask me here what something means."
_SMALLTALK: Mapping[str, tuple[str, str]] = {
    "thank": ("inform", "You are welcome."),
    "bye": ("bye", "Goodbye."),
    "apologise": ("inform", "No problem."),
}
"""The act and the words that answer an act of politeness."""
_POLITE = frozenset({"greeting", *_SMALLTALK})
_OF_ONE = frozenset({"what_is_it", "about_me"})
"""Concepts by which products are not compared."""


def _mediate(occasion: Occasion, message: Message) -> Iterator[Message]:
    """Answer a message in general, or ask the experts for what it wants simulated."""
    names = {name: product for product, role in ROLES.items() for name in occasion.playing(role)}
    bots = _bots(occasion)
    before = request_of(message.sender, occasion.posted, names, bots)
    wanted = after(before, message.model_copy(update={"private": False}), names, bots)
    figures = wanted is not before and _is_person(occasion, message.sender)
    if figures and message.private:
        yield _say(occasion, message, Utterance(act="inform", text=_OPENLY))
        return
    if figures and not wanted.question:
        asked = tuple(name for name, product in names.items() if product in wanted.products)
        text = f"{listed(asked)}, what would {wanted.spell(AMOUNT)} be worth after {wanted.spell(PERIOD)}?"
        text = " ".join(filter(None, (wanted.spell_left_out(), text)))
        values = {**write_figures(wanted.figures), "person": message.sender}
        request = Utterance(
            act="request",
            topic=wanted.products[0] if len(wanted.products) == 1 else ALL,
            content="simulation",
            text=text,
            values=values,
        )
        yield _say(occasion, message, request, to=asked)
        return
    if parts := [*_reply(occasion, message, wanted, figures)]:
        yield _say(occasion, message, *parts)


def _reply(occasion: Occasion, message: Message, wanted: SimulationRequest, figures: bool) -> Iterator[Utterance]:
    """Answer each part of a message; then ask for what a request lacks, or invite more, or say what is unknown."""
    by_person = _is_person(occasion, message.sender)
    if by_person and not figures and not message.private and (wrong := _ask_what_is_wrong(message, wanted)):
        yield Utterance(act="query", topic=GENERAL, text=wrong, values={CORRECTS: message.sender})
        return
    answered = False
    parts = (_reply_to(occasion, message, said) for said in _left_to_mediator(occasion, message, figures))
    for part in _once(parts):
        yield part
        answered = answered or part.act != "greeting"
    acts = [one.act for one in message.utterances]
    if figures or (by_person and wanted.wanted and wanted.question and not answered):
        yield Utterance(act="query", topic=GENERAL, text=wanted.question)
    elif acts == ["thank"]:
        yield Utterance(act="propose", text="Is there anything else that you would like to know?")
    elif acts == ["greeting"]:
        yield Utterance(act="propose", text="What would you like to know?")
    elif by_person and not answered:
        yield Utterance(act="inform", text=_no_help(occasion, message.sender))


_WRONG = re.compile(
    r"\b(?:wrong|incorrect|not right|isn['’]?t right|not correct|a mistake)\b"
    r"|(?:\bnot|n['’]t) what i (?:said|meant|asked|wanted)\b"
)


def _ask_what_is_wrong(message: Message, wanted: SimulationRequest) -> str:
    """Ask what is wrong, with the figures that were used, where a person says that something is; else nothing."""
    text = message.text.lower()
    if not _WRONG.search(text) or all(one.act == "query" for one in message.utterances):
        return ""
    if len(wanted.figures) < len(KINDS):
        return f"What is wrong? {wanted.question}" if wanted.wanted else "What is wrong?"
    took = " and ".join(write(wanted.figures[kind]) for kind in KINDS)
    return f"What is wrong? I took {took}. Tell me the right amount or period."


def _reply_to(occasion: Occasion, message: Message, said: Utterance) -> Utterance | None:
    """Answer one part; None where there is nothing to say."""
    by_person = _is_person(occasion, message.sender)
    match said.act:
        case "greeting":
            return Utterance(act="greeting", text="Hello.")
        case "thank" | "bye" | "apologise":
            return _polite(said)
        case "query":
            return _explain_in_general(occasion, message, said)
        case "not_understood" | "request" | "propose" if by_person:  # "and the Tesouro", "remind me of the result"
            return _explain_in_general(occasion, message, said)
        case "agree" | "confirm" | "refuse" if by_person:
            return Utterance(act="inform", text="All right.")
    return None


def _explain_in_general(occasion: Occasion, message: Message, said: Utterance) -> Utterance | None:
    """Answer a question that is not for one expert; None where there is nothing to say.

    Of the best option the mediator says what was worked out, of some products together what each has.
    """
    if told := refuse_rates(said):
        return Utterance(act="inform", topic=GENERAL, text=told)
    named = products_named(said.text)
    if said.topic == ALL and len(named) > 1:
        each = [(product, found) for product in named if (found := find_concept(said.text, product)) is not None]
        if _DIFFER.search(said.text.lower()):
            each = _compared(named, said.text)
        if len(each) == len(named) < len(ROLES) and not any(found.name in _OF_ONE for _, found in each):
            return _of_each(each)
        if each := _compared(named, said.text):
            return _of_each(each)
    found = find_concept(said.text, said.topic) if said.topic in {ALL, *ROLES} else None
    found = found or find_concept(said.text, ALL, GENERAL)
    if found is None and said.topic == UNDEFINED:
        found = find_concept(said.text, *ROLES)
    if found is None:
        return None
    last = recall(occasion, message.sender) if (found.topic, found.name) == (ALL, BEST) else ""
    return Utterance(act="inform", topic=GENERAL if last else found.topic, text=last or found.answer)


_COMPARES = re.compile(
    r"\b(?:better|worse|best|good|prefer\w*|instead of|rather than|over|why|should|choose|differ\w*)\b"
)
_DIFFER = re.compile(r"\bdiffer")
"""Words by which products are weighed against each other: "why is the certificate better than savings?"."""


def _compared(named: Iterable[str], text: str) -> list[tuple[str, Concept]]:
    """List what sets each of some products apart, if a question weighs them against each other."""
    if not _COMPARES.search(text.lower()):
        return []
    return [(one, concept) for one in named for concept in load_concepts()[one] if concept.name == "difference"]


def _of_each(each: Iterable[tuple[str, Concept]]) -> Utterance:
    text = " ".join(f"On {LABELS[product]}: {found.answer}" for product, found in each)
    return Utterance(act="inform", topic=ALL, text=text)


def _once(parts: Iterable[Utterance | None]) -> Iterator[Utterance]:
    told: set[str] = set()
    for part in parts:
        if part is not None and part.text not in told:
            told.add(part.text)
            yield part


def _no_help(occasion: Occasion, person: str) -> str:
    """Say that the mediator cannot help with something; and with what it can, where they were not told yet."""
    told = any(one.sender == occasion.you and person in one.receivers and _HELP in one.text for one in occasion.posted)
    return _NO_HELP if told else f"{_NO_HELP} {_HELP}"


def _prompt(occasion: Occasion, answer: Message, person: str) -> Iterator[Message]:
    """Invite a person to ask more, after the first answer that they had from an expert."""
    before = (one for one in occasion.posted if one.sender == occasion.you and person in one.receivers)
    if not any(said.act == "propose" and said.values.get("prompts") for one in before for said in one.utterances):
        text = f"{person}, you can ask more about this, or tell me an amount and a period to compare the options."
        yield _say(occasion, answer, Utterance(act="propose", text=text, values={"prompts": True}), to=(person,))


def _answer_as(product: str, occasion: Occasion) -> Iterator[Message]:
    """Answer a message as an expert: figures for those who ask for them, words for everything else."""
    message = occasion.message
    if message is None or occasion.what is not Happening.MESSAGE:
        return
    for said in message.utterances:
        wanted = SimulationRequest(read_figures(said.values))
        if said.act == "request" and not wanted.question:
            figures = _calculate(product, wanted, message.id)
            person = said.values.get("person")
            yield _say(occasion, message, figures, to=(person,) if isinstance(person, str) else ())
            return
    asked = _left_to_expert(product, occasion, message)
    parts = [*_once(_answer_one(product, occasion, message, said) for said in asked)]
    unknown = any(one.act == "query" and one.topic in {UNDEFINED, ALL, GENERAL, product} for one in asked)
    told = any(one.act not in _POLITE for one in parts)
    if not told and (unknown or (not parts and _is_person(occasion, message.sender))):
        parts.append(Utterance(act="inform", topic=product, text=_ask_me(product)))
    if parts:
        yield _say(occasion, message, *parts)


def _left_to_mediator(occasion: Occasion, message: Message, figures: bool) -> Iterable[Utterance]:
    """Leave what a turn asks about single products to their experts, if it asks for something else as well."""
    others = figures or any(one.act == "query" and one.topic not in ROLES for one in message.utterances)
    if not others or message.mentions == (occasion.you,):
        return message.utterances
    return [one for one in message.utterances if not (one.act == "query" and one.topic in ROLES)]


def _left_to_expert(product: str, occasion: Occasion, message: Message) -> Iterable[Utterance]:
    """Leave all else that a turn asks for to others, if it asks about the product of an expert as well."""
    own = any(one.act == "query" and one.topic == product for one in message.utterances)
    if not own or message.mentions == (occasion.you,):
        return message.utterances
    return [
        one
        for one in message.utterances
        if one.act not in {"query", "simulate"} or (one.act == "query" and one.topic in {product, UNDEFINED})
    ]


def _answer_one(product: str, occasion: Occasion, message: Message, said: Utterance) -> Utterance | None:
    """Answer one utterance; None where there is nothing to say."""
    match said.act:
        case "greeting":
            return Utterance(act="greeting", topic=product, text=f"Hello, I know about {LABELS[product]}.")
        case "thank" | "bye" | "apologise":
            return _polite(said)
        case "query" | "request" | "propose" | "not_understood" if (
            said.act == "query" or occasion.you in message.mentions
        ):
            if said.topic in {UNDEFINED, ALL, GENERAL, product}:
                return _explain(said, (product, GENERAL)) or _explain(_as_whole(message, said), (product, GENERAL))
            found = find_concept(said.text, said.topic)
            return None if found is None else Utterance(act="inform", topic=said.topic, text=found.answer)
        case "simulate" | "inform" if _is_person(occasion, message.sender):
            return _simulate(product, occasion, message, said)
    return None


def _as_whole(message: Message, said: Utterance) -> Utterance:
    """Return a question with what was told before it: "my savings pay too little. Is that true?"."""
    told = [one.text for one in message.utterances if one.act == "inform" and one.topic in {UNDEFINED, said.topic}]
    return said.model_copy(update={"text": " ".join((*told, said.text))})


def _simulate(product: str, occasion: Occasion, message: Message, said: Utterance) -> Utterance | None:
    """Answer a wish for a simulation, or figures that belong to one."""
    wanted = request_of(message.sender, (*occasion.posted, message), {}, _bots(occasion))
    if not wanted.wanted or (said.act == "inform" and not gives_figures(said)):
        return None
    if wanted.question:
        return Utterance(act="query", topic=product, text=wanted.question)
    return _calculate(product, wanted, "")


def _calculate(product: str, wanted: SimulationRequest, request: str) -> Utterance:
    """Say what an amount would be worth, with the figures as values; the request is complete."""
    amount, period = cast(Decimal, wanted.figures[AMOUNT]), cast(InvestmentPeriod, wanted.figures[PERIOD])
    parameters = load_parameters()
    outcome = SIMULATIONS[product](amount, period, parameters)
    text = f"With {LABELS[product]}, {money(amount)} would be {money(outcome.net)} after {spell(period)}"
    text += f"{_taken_off(outcome)}."
    if product == "bonds":
        fixed = lend_fixed(amount, period, parameters)
        text += f" That is a Tesouro Selic. A bond with a fixed rate of that length would pay {money(fixed.net)}."
    values = {
        "product": product, "request": request, **write_figures(wanted.figures),
        "gross": str(outcome.gross), "net": str(outcome.net), "tax": str(outcome.income_tax + outcome.iof),
        "fee": str(outcome.fee), "as_of": parameters.selic.as_of.isoformat(),
        "basis": [f"{money(amount)} for {spell(period)}", *parameters.say(*RESTS_ON[product])],
    }  # fmt: skip
    return Utterance(act="inform", topic=product, content=CALCULATION, text=text, values=values)


def _taken_off(outcome: InvestmentOutcome) -> str:
    taxes, fee = outcome.income_tax + outcome.iof, outcome.fee
    parts = [f"{money(taxes)} of taxes"] if taxes else []
    parts += [f"{money(fee)} of fees"] if fee else []
    return f", with {' and '.join(parts)} taken off" if parts else ", free of taxes and fees"


def _explain(said: Utterance, topics: Iterable[str]) -> Utterance | None:
    """Answer a question about a concept, from the first topic that knows it; None where none does."""
    if told := refuse_rates(said):
        return Utterance(act="inform", topic=said.topic, text=told)
    for topic in topics:
        if (found := find_concept(said.text, topic)) is not None:
            return Utterance(act="inform", topic=topic, text=found.answer)
    return None


def _polite(said: Utterance) -> Utterance:
    act, text = _SMALLTALK[said.act]
    return Utterance(act=act, text=text)


def _ask_me(product: str) -> str:
    """Say what an expert can be asked about."""
    asks = [f"“{concept.asks[0]}?”" for concept in load_concepts()[product][1:4]]
    return f"I cannot answer that. Ask me about {LABELS[product]}, for example {listed(asks)}."


def _say(occasion: Occasion, answered: Message | None, *parts: Utterance, to: tuple[str, ...] = ()) -> Message:
    """Write a message that answers another one, to its sender or to another participant."""
    receivers = to or (() if answered is None else (answered.sender,))
    return Message(
        sender=occasion.you,
        utterances=parts,
        receivers=receivers,
        in_reply_to="" if answered is None else answered.id,
        replies_to=None if answered is None else answered.sender,
    )


def _bots(occasion: Occasion) -> frozenset[str]:
    return frozenset(one.name for one in occasion.participants if one.kind is ParticipantKind.BOT)


def _is_person(occasion: Occasion, name: str) -> bool:
    return any(one.name == name and one.kind is ParticipantKind.PERSON for one in occasion.participants)
