"""What the mediator concludes: the best option, once all who were asked have answered, or were too late."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal

from catalog.demos.finch.calculations import LABELS, money, write
from catalog.demos.finch.figures import KINDS, read_figures
from catalog.demos.finch.simulation_request import CALCULATION
from catalog.norms.message import Message, Utterance
from catalog.norms.occasion import Occasion
from catalog.values.base import listed

PATIENCE = timedelta(seconds=15)
"""So long the mediator waits for an expert."""
BEST_OPTION = "best_option"
_MORE = "Would you like to try another amount or period?"


@dataclass(slots=True)
class ExpertRound:
    """A request to the experts, for a person, with what has come in: the net amount by product."""

    request: Message
    person: str
    figures: Mapping[str, object]
    nets: dict[str, Decimal] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    last: Message | None = None


def conclude(occasion: Occasion) -> list[Message]:
    """Name the best option of each request that has all its answers and was not concluded, in one message.

    It answers the last calculation; where there is none, the person who wanted it.
    """
    ready = [one for one in _rounds(occasion) if not _missing(one, occasion)]
    if not ready:
        return []
    answered = occasion.message or ready[-1].last or ready[-1].request
    message = Message(
        sender=occasion.you,
        utterances=tuple(_best_of(one) for one in ready),
        receivers=tuple(one.person for one in ready),
        in_reply_to=ready[-1].request.in_reply_to if answered is ready[-1].request else answered.id,
        replies_to=ready[-1].person if answered is ready[-1].request else answered.sender,
    )
    return [message]


def recall(occasion: Occasion, person: str) -> str:
    """Return what was concluded last for a person, of several products if there is such; empty where nothing was."""
    said = [one for message in occasion.posted for one in message.utterances if one.content == BEST_OPTION]
    mine = [one for one in said if one.values.get("person") == person and one.values.get("best")]
    compared = [one for one in mine if one.values.get("compared") != 1]
    last = next(reversed(compared or mine), None)
    return "" if last is None else last.text.removesuffix(_MORE).rstrip()


def _rounds(occasion: Occasion) -> list[ExpertRound]:
    """List the requests that are not concluded, of each person the last one."""
    messages = occasion.posted if occasion.message is None else (*occasion.posted, occasion.message)
    rounds: dict[str, ExpertRound] = {}
    by_person: dict[str, str] = {}
    for message in messages:
        for said in message.utterances:
            if message.sender == occasion.you and said.act == "request" and "person" in said.values:
                person = str(said.values["person"])
                rounds.pop(by_person.get(person, ""), None)
                rounds[message.id] = ExpertRound(message, person, said.values)
                by_person[person] = message.id
            elif message.sender == occasion.you and said.content == BEST_OPTION:
                rounds.pop(str(said.values.get("request")), None)
            elif said.content == CALCULATION and (one := rounds.get(message.in_reply_to)) is not None:
                one.answered.add(message.sender)
                one.last = message
                one.nets[str(said.values.get("product"))] = Decimal(str(said.values.get("net", "0")))
    return list(rounds.values())


def _missing(one: ExpertRound, occasion: Occasion) -> set[str]:
    """Return who was asked and may still answer."""
    sent = one.request.at
    if occasion.at is not None and sent is not None and occasion.at - sent >= PATIENCE:
        return set()
    return {*one.request.receivers} - one.answered - {*occasion.unanswered}


def _best_of(one: ExpertRound) -> Utterance:
    late = [name for name in one.request.receivers if name not in one.answered]
    written = [write(figure) for figure in read_figures(one.figures).values()]
    ranked = sorted(one.nets, key=lambda product: -one.nets[product])
    if not ranked or len(written) < len(KINDS):
        text = f"{one.person}, no expert answered in time. Please ask again."
    else:
        first = ranked[0]
        best = f"{written[0]} would become {money(one.nets[first])} in {written[1]}"
        if len(one.request.receivers) == 1:
            text = f"{one.person}, with {LABELS[first]} {best}."
        else:
            others = [f"{LABELS[product]} {money(one.nets[product])}" for product in ranked[1:]]
            text = f"{one.person}, {LABELS[first]} pay most: {best}."
            text += f" The other{'s' * (len(others) > 1)}: {listed(others)}." if others else ""
            text += f" {listed(late)} did not answer in time." if late else ""
        text += f" {_MORE}"
    values = {
        "request": one.request.id,
        "best": ranked[0] if ranked else None,
        "person": one.person,
        "compared": len(one.nets),
    }
    return Utterance(act="inform", topic="investment", content=BEST_OPTION, text=text, values=values)
