"""Whom a message names: "@TB", "@Treasury bonds", "thanks, @SA", and "TB, what about tax?".

A name with @ is a mention wherever it stands; the beginning of a name is enough. Without @, only a
whole name that the message begins with is one, where it is set off or a participant is spoken to: "CD rates" is about a
topic, and "in three years" names no participant called In.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from language.text.words import FUNCTION_WORDS, fold

_GREETED = r"\W*(?:(?:hi|hello|hey|ok|okay|so|well|thanks|thank you|sorry|dear|yes|no|and|please)[\s,!.]+)?"
_SET_OFF = r"\s*[,:!]\s*(?=\S)|\s+[-–—]\s+"
_SPOKEN_TO = r"\s+(?=(?:please|your?|(?:do|can|could|would|will|are|have|did|were|should|may|might) you)\b)"


@dataclass(frozen=True, slots=True)
class NamedParticipants:
    """Who is named, in order, each once; and the stretches of the text where, with their names."""

    participants: tuple[str, ...]
    stretches: tuple[tuple[int, int, str], ...]


def read_mentions(text: str, participants: Mapping[str, str]) -> NamedParticipants:
    """Find whom a text names; `participants` are names with what people call them."""
    found: dict[int, tuple[int, str]] = {}
    folded = fold(text)
    for call, name in _calls(participants) if "@" in folded else ():
        for match in re.finditer(rf'@(?:{re.escape(call)}|"{re.escape(call)}")(?!\w)[,:]?', folded):
            found.setdefault(match.start(), (match.end(), name))
    whole = {fold(called): name for name in participants for called in (participants[name], name)}
    for call in sorted(whole, key=len, reverse=True):
        name = whole[call]
        if call not in folded:
            continue
        begun = re.match(rf"{_GREETED}(?P<name>{re.escape(call)})(?:(?P<off>{_SET_OFF})|{_SPOKEN_TO})", folded)
        if begun is None:
            continue
        start, end = begun.span("name")
        set_off = begun["off"] is not None
        if call not in FUNCTION_WORDS or (set_off and text[start:end] in {name, participants[name]}):
            found.setdefault(start, (begun.end("off") if set_off else end, name))
            break
    ordered = tuple(sorted((start, end, name) for start, (end, name) in found.items()))
    return NamedParticipants(tuple(dict.fromkeys(name for _, _, name in ordered)), ordered)


def _calls(participants: Mapping[str, str]) -> list[tuple[str, str]]:
    """List what participants are called by: name, label, and the beginnings of labels that are of one alone."""
    called: dict[str, set[str]] = {}
    for name, label in participants.items():
        words = fold(label).split()
        beginnings = (" ".join(words[:count]) for count in range(1, len(words) + 1))
        for call in (*beginnings, "".join(words)):
            called.setdefault(call, set()).add(name)
    for name in participants:
        called[fold(name)] = {name}
    single = ((call, names.pop()) for call, names in called.items() if call and len(names) == 1)
    return sorted(single, key=lambda pair: (-len(pair[0]), pair[0]))
