"""Spans of free-text values, such as an address or an employer: where they begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from catalog.model import Fact
from catalog.values import ValueKind
from language.entities.fact_cues import FactNames
from language.readers import reader_of

"""Kinds whose values look like any other words: only a name or a lead-in tells where they begin."""

_NAME_WORD = r"[^\W\d_][^\W\d_'’.-]*(?:['’.-][^\W\d_]+)*\.?"
_NAME = re.compile(rf"{_NAME_WORD}(?:[ \t]+{_NAME_WORD}){{0,4}}")
_PARTICLES = frozenset("van von der den de di da del la le bin ibn al el o ter ten zu".split())
_STOP_BEFORE = (
    r"\s+(?:and|but|so|because|who|with)\s+(?:i|i'm|my|we|our|the|also|please|can|could|would|want|need|it"
    r"|have|has|had|am|are|is|was|were|been|earn|make|get|pay|live|work)\b"
    r"|[;!?\n]|(?<=[^\W\d_]{3})\.(?:\s|$)|,\s+(?:and|but|i|i'm|i'd|my|please|thanks|can|could)\b|\s+-\s+"
    r"|\s+for\s+(?=[$€£]?\d)|\s+(?:for|since)\s+(?:about|over|nearly|almost|more than|\d)|\s+on (?:file|record)\b"
    r"|\s+as (?:my|our|the)\b|,?\s+(?:please|pls|thanks)\b"
)
_NOT_SO = re.compile(r"(?:\b(?:not|never)|n't)\s+(?:\w+\s+)?\Z")
_PLACE = r"\d{1,5}[a-z]?\s(?:[^\W\d_][\w'.-]*\s){0,3}?[^\W\d_][\w'.-]*,\s(?:[\w'.-]+\s){0,3}?[\w'.-]+"
"""An address as most people write it: a number, a street, a comma and a town."""
_ENTERED = re.compile(r"\b(?:register|put|use|save|note|enter|set|record|add|take)\s+\Z")
"""Verbs before a value that replaces another one: "register 12 Mill Lane, Springfield as my address"."""
_CHANGES = r"\b(?:change|update|correct|amend|switch|set|move|alter)\s+(?:(?:my|our|the)\s+)?(?:\w+\s+)?"


class Openings:
    """The lead-ins of free-text facts, for one catalog."""

    def __init__(self, facts: Iterable[Fact], names: FactNames) -> None:
        wordy = [fact for fact in facts if fact.value.free_text]
        self._named, self._listed, self._changed, self._behind = {}, {}, {}, {}
        for fact in wordy:
            name = rf"(?P<name>{names.pattern(fact.name)})"
            self._named[fact.name] = re.compile(
                rf"\b(?:my|our)\s+(?:new |current |full |actual |correct )?{name}"
                r"\s*(?:is now|is|:|=|should be|would be|will be|has changed to)\s*(?!not\b)"
            )
            begins = (
                r"(?:'s|\s+is)?\s*[:=]?\s+"
                if fact.value.name_part
                else r"\s*[:=]?\s+(?=\d)"
                if fact.value.is_place
                else r"\s*[:=]\s*"
            )
            self._listed[fact.name] = re.compile(
                rf"(?:\A|[,;:.!?(\n]\s*|\s-\s)(?:my |our |full )?{name}{begins}(?!is\b)"
            )
            changed = _changed(fact, wordy, names)
            behind = r"(?:\s+on (?:file|record))?(?:\s+(?:is|as|to be|for)|,)?\s+(?:(?:my|our|the)\s+)?(?:new\s+)?"
            self._behind[fact.name] = (
                re.compile(rf"\b(?P<value>{_PLACE}){behind}{name}\b"),
                re.compile(rf"\b(?P<value>{_PLACE}){behind}(?P<name>{changed or '(?!)'})\b"),
            )
            if changed is not None:
                self._changed[fact.name] = re.compile(
                    rf"{_CHANGES}(?P<name>{changed})(?:\s+(?:on file|on record|with you))?"
                    r"(?:\s+from\s+[^;!?\n]{3,80}?)?\s*(?:\bto\b|\binto\b|:)\s*"
                    + (r"(?=\d)" if fact.value.is_place else "")
                )

    def find(self, fact: Fact, folded: str, *, only: bool) -> Iterator[tuple[re.Match[str], str, bool]]:
        """Find where values of a fact open: with what opens them, by which rule, and whether its name is said.

        `only` tells that the fact is the one of its kind that people speak of without naming it.
        """
        kind = fact.value.kind
        for lead in self._named[fact.name].finditer(folded):
            yield lead, f"{kind} after its name", True
        for lead in self._listed[fact.name].finditer(folded) if fact.fillable and fact.askable else ():
            yield lead, f"{kind} beside its name in a list", True
        if fact.name in self._changed:
            for lead in self._changed[fact.name].finditer(folded):
                if not _NOT_SO.search(folded, 0, lead.start()):
                    yield lead, f"{kind} that another one is changed to", True
        lead_in = reader_of(fact.value).lead_in if only else None
        if lead_in is not None:
            for lead in lead_in.finditer(folded):
                yield lead, f"{kind} after “{lead.group().strip()}”", False

    def find_before_name(self, fact: Fact, folded: str) -> Iterator[re.Match[str]]:
        """Find addresses that stand before the name of a fact: "12 Mill Lane, Springfield is my new address"."""
        if fact.value.is_place:
            told, entered = self._behind[fact.name]
            yield from (m for m in told.finditer(folded) if not _ENTERED.search(folded, 0, m.start()))
            yield from (m for m in entered.finditer(folded) if _ENTERED.search(folded, 0, m.start()))


def _changed(fact: Fact, wordy: Iterable[Fact], names: FactNames) -> str | None:
    """Return what people say that they change when they tell a fact: to "change my address" is to tell the new one."""
    mine = names.of(fact.name)
    renewed = {name.removeprefix("new ") for name in mine if name.startswith("new ")}
    others = [names.of(other.name) for other in wordy if other.name != fact.name]
    if any(renewed & set(known) for known in others):
        older = next(other.name for other in wordy if renewed & set(names.of(other.name)) and other.name != fact.name)
        return f"{names.pattern(older)}|{names.pattern(fact.name)}"
    return None if any(f"new {name}" in known for known in others for name in mine) else names.pattern(fact.name)


def end_of_name(text: str, start: int, *, least: int) -> int:
    """Find where a name that begins here ends: words with a capital; nothing when there are fewer than `least`."""
    match = _NAME.match(text, start)
    if match is None:
        return start
    end, count = start, 0
    for word in re.finditer(r"\S+", match.group()):
        if not word.group()[0].isupper() and not (count and word.group().lower() in _PARTICLES):
            break
        end, count = start + word.end(), count + 1
    name = text[start:end]
    if not re.search(r"\b\w\.\Z", name):
        name = name.rstrip(".")
    # "I'm German" is no name; "I'm Ann Lee" is one.
    return start + len(name) if count >= least else start


def stop_before(names: Iterable[str]) -> re.Pattern[str]:
    """Match where free words end: where another statement begins, or another fact is named in a list."""
    return re.compile(rf"{_STOP_BEFORE}|,\s+(?:(?:my|our)\s+)?(?:{'|'.join(names)})\b")


def end_of_words(folded: str, start: int, stops: re.Pattern[str]) -> int:
    """Find where free words that begin here end."""
    stop = stops.search(folded, start)
    return len(folded[: stop.start() if stop else len(folded)].rstrip(' .,;:"'))


def is_wordy(kind: ValueKind) -> bool:
    """Return whether values of a kind, or the items of a list, look like any other words."""
    return kind.innermost.free_text
