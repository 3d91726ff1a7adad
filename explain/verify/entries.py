"""The entries of an export: how they are read, how they are chained, and which value a fact had at which entry.

An entry names the digest of the entry before it, and the export that of its last entry and of all that stands beside
the entries. A digest is the SHA-256 of the canonical JSON (RFC 8785) of what it is of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from hashlib import sha256
from typing import Any

import rfc8785

FORMAT = "planglass-export-1"
HIDDEN = "••••"
Json = dict[str, Any]

REFERENCES: dict[str, dict[str, tuple[str, ...]]] = {
    "turn_started": {"of": ("heard", "alerted", "task_news")},
    "understood": {"heard": ("heard",)},
    "answered": {"asked": ("asked",), "heard": ("heard", "alerted", "task_news")},
    "authorized": {"heard": ("heard",)},
    "confirmed": {"heard": ("heard",)},
    "refused": {"heard": ("heard",)},
    "withdrew": {"heard": ("heard",), "given": ("authorized",)},
    "established": {"asked": ("asked",)},
    "mapped": {"input_event": ("established",), "also_events": ("established",)},
    "calling": {"input_events": ("established",)},
    "ran": {"input_events": ("established",)},
    "replied": {"explained": ("explained",)},
}
"""Which fields of an entry name earlier entries, and of which kinds these are."""
SHOWN_BY = {
    "user": ("heard",),
    "upload": ("heard",),
    "event": ("alerted", "task_news", "heard"),
    "skill": ("ran", "settled"),
    "mapping": ("mapped",),
}
"""What kinds of entries show a value, by the source that it is said to be from."""


class NoExport(ValueError):
    """The text is no export that can be checked."""


class Wrong(Exception):
    """Something does not follow: the entry at which that is seen, what was expected, and what was found."""

    def __init__(self, seq: int | None, text: str) -> None:
        super().__init__(text if seq is None else f"entry {seq}: {text}")
        self.seq = seq


def digest(value: object) -> str:
    return sha256(rfc8785.dumps(value)).hexdigest()  # type: ignore[arg-type]


def demand(seq: int | None, what: str, expected: object, found: object) -> None:
    """Raise `Wrong` unless what is found is as expected."""
    if expected != found or type(expected) is not type(found):
        raise Wrong(seq, f"{what} is {found!r}, expected {expected!r}")


def list_names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def read(text: str) -> Json:
    """Read an export. Raises `NoExport` for anything else."""
    try:
        export = json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
        rfc8785.dumps(export)
    except RecursionError:
        raise NoExport("This is no export of a conversation: it is nested too deep.") from None
    except ValueError as error:
        raise NoExport(f"This is no JSON that can be checked: {error}") from None
    if not isinstance(export, dict) or not isinstance(export.get("entries"), list):
        raise NoExport("This is JSON, but no export of a conversation of Planglass: it has no list of entries.")
    if "format" not in export:
        raise NoExport("This was made before exports were chained, or by another program: there is nothing to check.")
    if export["format"] != FORMAT:
        raise NoExport(f"This is of the format {export['format']!r}; this checker reads {FORMAT!r}.")
    if not all(isinstance(one, dict) and isinstance(one.get("event"), dict) for one in export["entries"]):
        raise NoExport("This is no export of a conversation: one of its entries holds no event.")
    return export


def _each_once(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON")


def _first(export: Json) -> str:
    return digest([export.get(name) for name in ("format", "catalog", "digest")])


def chain(export: Json) -> Json:
    """Return an export whose entries are chained."""
    before, entries = _first(export), []
    for entry in export["entries"]:
        entries.append({**entry, "previous": before})
        before = digest(entries[-1])
    chained = {**export, "entries": entries, "last": before}
    return {**chained, "head": _head(chained)}


def _head(export: Json) -> str:
    return digest({name: value for name, value in export.items() if name not in ("entries", "head")})


def check_chain(export: Json) -> Iterator[Wrong]:
    """Yield each place at which the chain is broken."""
    before = _first(export)
    last = None
    for place, entry in enumerate(export["entries"], start=1):
        if entry.get("seq") != place:
            yield Wrong(place, f"entry {entry.get('seq')!r} stands here: one was left out, put in, or moved")
        if entry.get("previous") != before:
            said = f"its digest is {_short(before)}, and entry {place} names {_short(entry.get('previous'))}"
            yield Wrong(last or place, f"it was changed, or what is said of it: {said}")
        before, last = digest(entry), place
    if export.get("last") != before:
        yield Wrong(last, f"it was changed: its digest is {_short(before)}, expected {_short(export.get('last'))}")
    if export.get("head") != _head(export):
        yield Wrong(None, "what stands beside the entries (claims, plans, goals) was changed: the head does not fit")


def _short(found: object) -> str:
    return str(found)[:12]


class Entries:
    """The entries of an export, with which values held after each of them."""

    def __init__(self, entries: list[Json], kinds: dict[str, list[str]]) -> None:
        self.entries = entries
        self._kinds = kinds
        self.count = len(entries)
        self.pushed = {e["goal_id"]: seq for seq, e in self.all("goal_pushed")}
        self.planned = {e["plan_id"]: seq for seq, e in self.all("planned")}
        self._held: list[dict[str, frozenset[int]]] = [{}]
        aside: dict[str, frozenset[int]] = {}
        for seq, event in self.all():
            now = self._held[-1]
            if event["kind"] == "established":
                now = {**now, event["fact"]: frozenset((seq,))}
            elif event["kind"] == "retracted":
                now = {fact: held for fact, held in now.items() if fact != event["fact"]}
            elif event["kind"] == "begun":
                for fact in event["set_aside"]:
                    aside[fact] = aside.get(fact, frozenset()) | now.get(fact, frozenset())
                now = {fact: held for fact, held in now.items() if fact not in event["set_aside"]}
                now |= {fact: aside.get(fact, frozenset()) for fact in event["restored"]}
            self._held.append(now)

    def all(self, *kinds: str) -> Iterator[tuple[int, Json]]:
        """Yield the entries of some kinds, or all of them, by their numbers."""
        for seq, entry in enumerate(self.entries, start=1):
            if not kinds or entry["event"].get("kind") in kinds:
                yield seq, entry["event"]

    def at(self, seq: object, *kinds: str, before: int | None = None) -> Json:
        """Return an entry, which must be there, be of one of some kinds, and come before another."""
        if not isinstance(seq, int) or isinstance(seq, bool) or not 1 <= seq <= self.count:
            raise Wrong(before, f"entry {seq!r} is cited, and there is none: there are {self.count}")
        event: Json = self.entries[seq - 1]["event"]
        if before is not None and seq >= before:
            raise Wrong(before, f"entry {seq} is cited, which does not come before it")
        if kinds and event.get("kind") not in kinds:
            raise Wrong(seq, f"it is {event.get('kind')!r}, expected {' or '.join(map(repr, kinds))}")
        return event

    def known(self, after: int) -> list[str]:
        """List the facts that were known right after an entry."""
        return list(self._held[after])

    def holds(self, fact: str, seq: int, after: int) -> bool:
        """Return whether the value of a fact that an entry established held right after another entry."""
        return seq in self._held[after].get(fact, ())

    def stands_for(self, fact: str, wanted: str) -> bool:
        """Return whether a fact is what is wanted, or a kind of it by the catalog."""
        return wanted in (fact, *self._kinds.get(fact, ()))

    def value(self, seq: int, *path: str) -> object:
        """Return a value in an entry: the commitment to it where it is masked."""
        committed = self.entries[seq - 1].get("commitments", {}).get("/".join(path))
        if committed is not None:
            return {"commitment": committed}
        found: Any = self.entries[seq - 1]["event"]
        for name in path:
            found = found[name]
        return found

    def call_of(self, seq: int) -> tuple[int, Json]:
        """Return the call that an entry is the result of, which is the last of its id before it."""
        event = self.at(seq, "ran", "failed", "settled", "item_done")
        calls = [(n, e) for n, e in self.all("calling") if n < seq and e["call_id"] == event["call_id"]]
        if not calls:
            raise Wrong(seq, f"it is the result of the call {event['call_id']!r}, which was not begun before it")
        number, calling = calls[-1]
        for name in ("skill", "mode"):
            demand(seq, f"the {name} of the result of entry {number}", calling[name], event[name])
        return number, calling

    def inputs(self, seq: int) -> dict[str, int]:
        """Return the facts that an act took, each with the entry of its value."""
        event = self.at(seq)
        if event["kind"] == "mapped":
            also = zip(event["also"], event["also_events"], strict=True)
            return {event["used"]: event["input_event"], **dict(also)}
        if event["kind"] == "established":
            return {}
        number, calling = self.call_of(seq)
        if event["kind"] == "ran":
            given = [[fact, calling["input_events"][name]] for name, fact in calling["inputs"].items()]
            took = [list(pair) for pair in zip(event["inputs"], event["input_events"], strict=True)]
            demand(seq, f"what went into the call of entry {number}", given, took)
        return {fact: calling["input_events"][name] for name, fact in calling["inputs"].items()}

    def check_order(self) -> Iterator[Wrong]:
        """Yield each entry that names an earlier one which is not there, or is something else."""
        for seq, event in self.all():
            try:
                self._check(seq, event)
            except Wrong as wrong:
                yield wrong
            except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
                yield Wrong(seq, f"it is not as entries are: {type(error).__name__} {error}")

    def _check(self, seq: int, event: Json) -> None:
        kind = event["kind"]
        for field, kinds in REFERENCES.get(kind, {}).items():
            named = event.get(field)
            found = named.values() if isinstance(named, dict) else named if isinstance(named, list) else [named]
            for one in found:
                if one is not None:
                    self.at(one, *kinds, before=seq)
        if kind == "established":
            self._check_value(seq, event)
        elif kind == "calling":
            self._check_call(seq, event)
        elif kind in ("ran", "failed", "settled", "item_done"):
            self.inputs(seq)
        elif kind == "turn_ended":
            begun = [e["turn"] for n, e in self.all("turn_started") if n < seq]
            demand(seq, "the turn that ended", begun[-1:], [event["turn"]])
        elif kind in ("goal_achieved", "goal_dropped", "begun"):
            if self.pushed.get(event["goal_id"], seq) >= seq:
                raise Wrong(seq, f"goal {event['goal_id']} was not there before it")
            if kind == "goal_achieved":
                self._check_reached(seq, self.at(self.pushed[event["goal_id"]]))
        elif kind in ("discarded", "kept") and self.planned.get(event["plan_id"], seq) >= seq:
            raise Wrong(seq, f"plan {event['plan_id']} was not made before it")

    def _check_reached(self, seq: int, goal: Json) -> None:
        known = self.known(seq - 1)
        lacking = {fact for fact in goal["facts"] if not any(self.stands_for(one, fact) for one in known)}
        ways = [[any(self.stands_for(one, fact) for one in known) for fact in facts] for facts in goal["either"]]
        if lacking or (ways and not any(map(all, ways))):
            raise Wrong(seq, f"{goal['goal']!r} is said to be reached without {list_names(lacking)}")

    def _check_call(self, seq: int, event: Json) -> None:
        demand(seq, "what the inputs are from", sorted(event["inputs"]), sorted(event["input_events"]))
        for name, fact in event["inputs"].items():
            source = event["input_events"][name]
            demand(source, f"the fact that entry {seq} used", fact, self.at(source)["fact"])
            if not self.holds(fact, source, seq - 1):
                raise Wrong(seq, f"{fact!r} of entry {source} is used, and did not hold any more")

    def _check_value(self, seq: int, event: Json) -> None:
        """Check that a value is what the entry which it is from shows."""
        fact, by, source = event["fact"], event["by"], event["source"]
        if source not in SHOWN_BY:
            return
        shown = self.at(by, *SHOWN_BY[source], before=seq)
        kind = shown["kind"]
        given = [n for n, e in self.all("established") if (e["by"], e["fact"]) == (by, fact)]
        if source in ("skill", "mapping") and given != [seq]:
            raise Wrong(seq, f"entry {by} gave {fact!r} once, and {len(given)} entries say so")
        if kind == "ran" and fact not in shown["outputs"]:
            raise Wrong(by, f"it gave {shown['outputs']}, expected {fact!r} of entry {seq} among it")
        if kind in ("alerted", "settled"):
            if fact not in shown["facts"]:
                raise Wrong(by, f"it gave {sorted(shown['facts'])}, expected {fact!r} of entry {seq} among it")
            demand(seq, f"the value of {fact!r}", self.value(by, "facts", fact), self.value(seq, "value"))
        if kind == "mapped":
            demand(seq, "the fact that was mapped", shown["stands_for"], fact)
            if not shown["also"]:
                taken = self.value(shown["input_event"], "value")
                demand(seq, f"the value taken from {shown['used']!r}", taken, self.value(seq, "value"))
        if kind == "heard" and isinstance(event.get("start"), int) and HIDDEN not in shown["text"]:
            demand(seq, "what was said", shown["text"][event["start"] : event["end"]], event["said"])
        if source == "user" and event.get("rule"):
            understood = [e["meaning"] for n, e in self.all("understood") if e["heard"] == by]
            same = [event["rule"], event["value"]]
            named = {m["fact"] for one in understood for m in list_mentioned(one) if [m["rule"], m["value"]] == same}
            if named and fact not in named:
                raise Wrong(seq, f"of entry {by}, {list_names(named)} was understood so, expected {fact!r} among it")


def list_mentioned(meaning: Json) -> Iterator[Json]:
    """Yield the values that were understood of an utterance, for whichever request."""
    for part in (meaning, *meaning.get("goals", ()), *meaning.get("candidates", ())):
        yield from part["values"]
    if meaning.get("doubtful"):
        yield meaning["doubtful"]


def reads_as(shown: str, value: object) -> bool:
    """Return whether the words in which a value is shown can be those of the value: by its numbers, or its letters."""
    written = {True: "yes", False: "no"}.get(value, "") if isinstance(value, bool) else str(value)
    numbers = _numbers(shown)
    return numbers <= _numbers(written) if numbers else _letters(shown) == _letters(written)


def _numbers(text: str) -> set[Decimal]:
    found = re.findall(r"\d[\d,]*(?:\.\d+)?", text, re.ASCII)
    return {Decimal(one.replace(",", "")) for one in found}


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
