"""What happens in a move, as far as reports and properties speak of it: events in a few words, without values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from dialogue.log.events import Asked, Authorized, Calling, Entry, Established, Failed, ItemDone, Planned, Ran


class What(StrEnum):
    """What happened."""

    ASKED = "asked"
    """The user was asked for a fact."""
    CONSENT_ASKED = "consent_asked"
    """The user was asked for consent."""
    CONFIRMATION_ASKED = "confirmation_asked"
    """The user was asked for the go-ahead for a call."""
    CONSENTED = "consented"
    """The user gave consent; `facts` are what it is for."""
    CALLED = "called"
    """A skill was called; `facts` are the facts that were handed over, `inputs` what they were handed over as.

    Of a call for each item of a list, each item counts; what is handed over is told of the first.
    """
    CAME = "came"
    """A skill came back with an outcome."""
    FAILED = "failed"
    """A skill raised an error."""
    KNOWN = "known"
    """A fact became known."""
    CUT = "cut"
    """A plan was made whose improvement the clock cut short: another run may make another one."""

    __hash__ = str.__hash__


class Observation(NamedTuple):
    """One thing that happened."""

    what: What
    subject: str
    mode: str = ""
    outcome: str = ""
    inputs: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


_QUESTIONS = {"fact": What.ASKED, "authorize": What.CONSENT_ASKED, "confirm": What.CONFIRMATION_ASKED}

QUESTIONS = tuple(_QUESTIONS.values())


def read_happenings(entries: Iterable[Entry]) -> tuple[Observation, ...]:
    return tuple(_read(entries))


def _read(entries: Iterable[Entry]) -> Iterator[Observation]:
    for entry in entries:
        match entry.event:
            case Asked(about=about, subject=subject, mode=mode) if about in _QUESTIONS:
                consent = about == "authorize"
                facts, way = (entry.event.facts, "") if consent else ((), mode or "")
                yield Observation(_QUESTIONS[about], subject, way, facts=facts)
            case Authorized(subject=subject, facts=facts):
                yield Observation(What.CONSENTED, subject, facts=facts)
            case Calling(skill=skill, mode=mode, inputs=inputs):
                yield Observation(What.CALLED, skill, mode, inputs=tuple(inputs), facts=tuple(inputs.values()))
            case ItemDone(skill=skill, mode=mode, item=item, again=None) if item > 1:
                yield Observation(What.CALLED, skill, mode)
            case Ran(skill=skill, mode=mode, outcome=outcome):
                yield Observation(What.CAME, skill, mode, outcome)
            case Failed(skill=skill, mode=mode, ended_at=item):
                if item is not None and item > 1:
                    yield Observation(What.CALLED, skill, mode)
                yield Observation(What.FAILED, skill, mode)
            case Established(fact=fact):
                yield Observation(What.KNOWN, fact)
            case Planned(note=note) if "time for it was up" in note.text:
                yield Observation(What.CUT, "")
            case _:
                pass
