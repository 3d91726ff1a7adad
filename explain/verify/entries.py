"""The entries of an export: what each has to name that came before it, and which value a fact had at which entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import Any

from .chain import Json, Wrong, demand

HIDDEN = "••••"
MALFORMED = (KeyError, TypeError, AttributeError, ValueError, IndexError)
"""What is raised where something is not as exports are."""
SAID, ESTABLISHED = ("heard", "alerted", "task_news"), ("established",)
SHOWN_BY = {"event": SAID, "mapping": ("mapped",), "skill": ("ran", "settled"), "upload": SAID, "user": SAID}
"""What kinds of entries show a value, by the source that it is said to be from."""
REFERENCES = {
    **dict.fromkeys(("input_event", "also_events", "input_events"), ESTABLISHED),
    **{"heard": SAID, "asked": ("asked",), "given": ("authorized",), "explained": ("explained",)},
}
"""Which fields of an entry are the numbers of earlier entries, and of which kinds these are."""
IDS = {"call_id": "calling", "plan_id": "planned", "goal_id": "goal_pushed"}
"""Which fields of an entry are the id of an earlier one, and of which kind that is."""


def list_names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def flat(found: Any) -> list[Any]:
    """List what is in lists within lists; of nothing, nothing."""
    return [at for one in found for at in flat(one)] if isinstance(found, list) else [] if found is None else [found]


class Entries:
    """The entries of an export, with which values held after each of them; `kinds` are the kinds of facts."""

    def __init__(self, entries: list[Json], kinds: dict[Any, list[str]]) -> None:
        self.entries, self.kinds = entries, kinds
        self._held: list[dict[str, frozenset[int]]] = [{}]
        aside: dict[str, frozenset[int]] = {}
        for seq, event in self.all():
            now = dict(self._held[-1])
            if event["kind"] == "established":
                now[event["fact"]] = frozenset((seq,))
            elif event["kind"] == "retracted":
                now.pop(event["fact"], None)
            elif event["kind"] == "begun":
                for fact in event["set_aside"]:
                    aside[fact] = aside.get(fact, frozenset()) | now.pop(fact, frozenset())
                now |= {fact: aside.get(fact, frozenset()) for fact in event["restored"]}
            self._held.append(now)

    def all(self, *kinds: str, before: int | None = None) -> Iterator[tuple[int, Json]]:
        """Yield the entries of some kinds, or all of them, by their numbers."""
        for seq, entry in enumerate(self.entries[: None if before is None else before - 1], start=1):
            if not kinds or entry["event"].get("kind") in kinds:
                yield seq, entry["event"]

    def at(self, seq: object, *kinds: str, before: int | None = None) -> Json:
        """Return an entry, which must be there, be of one of some kinds, and come before another."""
        last = len(self.entries) if before is None else min(before - 1, len(self.entries))
        if not isinstance(seq, int) or isinstance(seq, bool) or not 1 <= seq <= last:
            raise Wrong(before, f"entry {seq!r} is cited, and may be one from 1 to {last}")
        event: Json = self.entries[seq - 1]["event"]
        if kinds and event.get("kind") not in kinds:
            raise Wrong(seq, f"it is {event.get('kind')!r}, expected {' or '.join(map(repr, kinds))}")
        return event

    def known(self, before: int) -> dict[str, frozenset[int]]:
        """Return the facts that were known right before an entry, with the entries of their values."""
        return self._held[before - 1]

    def there(self, before: int) -> set[str]:
        """Return the facts that were known right before an entry, and those that they stand for by the catalog."""
        return {kind for fact in self.known(before) for kind in (fact, *self.kinds.get(fact, ()))}

    def named_by(self, seq: int, field: str = "call_id") -> Json:
        """Return the last entry before another that has the id which that one has."""
        wanted = self.at(seq)[field]
        found = [event for _, event in self.all(IDS[field], before=seq) if event[field] == wanted]
        if not found:
            raise Wrong(seq, f"it names {field} {wanted!r}, which was not begun before it")
        return found[-1]

    def took(self, seq: int) -> list[tuple[str, int]]:
        """Return the facts that an act took, each with the entry of its value."""
        event = self.at(seq)
        if event["kind"] == "mapped":
            return [(event["used"], event["input_event"]), *zip(event["also"], event["also_events"], strict=True)]
        if "call_id" not in event:
            return []
        calling = event if event["kind"] == "calling" else self.named_by(seq)
        return [(fact, calling["input_events"][name]) for name, fact in calling["inputs"].items()]

    def gave(self, seq: int) -> list[str]:
        event = self.at(seq)
        given: Any = event.get("outputs", event.get("facts", [event.get("stands_for", event.get("fact"))]))
        return flat([*given])

    def list_wrong(self) -> Iterator[Wrong]:
        """Yield each entry that names an earlier one which is not there, or is something else."""
        for seq, event in self.all():
            try:
                for field in REFERENCES.keys() & event.keys():
                    named: Any = event[field]
                    for one in flat([*named.values()] if isinstance(named, dict) else named):
                        self.at(one, *REFERENCES[field], before=seq)
                for field, kind in IDS.items():
                    if event["kind"] != kind and event.get(field) is not None:
                        other = self.named_by(seq, field)
                        for name in {"skill", "mode"} & event.keys() & other.keys():
                            demand(seq, f"its {name}, by what it names", other[name], event[name])
                if check := CHECKS.get(event["kind"]):
                    check(self, seq, event)
            except Wrong as wrong:
                yield wrong
            except MALFORMED as error:
                yield Wrong(seq, f"it is not as entries are: {type(error).__name__} {error}")


def _check_reached(entries: Entries, seq: int, event: Json) -> None:
    goal, there = entries.named_by(seq, "goal_id"), entries.there(seq)
    lacking, either = set(goal["facts"]) - there, goal["either"]
    if lacking or (either and not any(map(there.issuperset, either))):
        raise Wrong(seq, f"{goal['goal']!r} is said to be reached without {list_names(lacking or flat(either))}")


def _check_call(entries: Entries, seq: int, event: Json) -> None:
    for fact, source in entries.took(seq):
        demand(source, f"the fact that entry {seq} used", fact, entries.at(source)["fact"])
        if source not in entries.known(seq).get(fact, ()):
            raise Wrong(seq, f"{fact!r} of entry {source} is used, and did not hold any more")


def _check_ran(entries: Entries, seq: int, event: Json) -> None:
    demand(seq, "what it took", entries.took(seq), list(zip(event["inputs"], event["input_events"], strict=True)))


def _check_value(entries: Entries, seq: int, event: Json) -> None:
    fact, by, source = event["fact"], event["by"], event["source"]
    if source == "start":
        return
    shown = entries.at(by, *SHOWN_BY[source], before=seq)
    if source in ("skill", "mapping"):
        given = [n for n, e in entries.all("established") if (e["by"], e["fact"]) == (by, fact)]
        if given != [seq] or fact not in entries.gave(by):
            raise Wrong(by, f"it gave {list_names(entries.gave(by))} once; entries {given} say so of {fact!r}")
    meant = [one for _, e in entries.all("understood") if e["heard"] == by for one in list_meant(e["meaning"])]
    named = [one["fact"] for one in meant if (one["rule"], one["value"]) == (event["rule"], event["value"])]
    if source == "user" and named and fact not in named:
        raise Wrong(seq, f"of entry {by}, {list_names(named)} was understood so, expected {fact!r} among it")

    def value_in(at: int, *path: str) -> object:
        committed = entries.entries[at - 1].get("commitments", {}).get("/".join(path))
        return committed or reduce(lambda found, name: found[name], path, entries.at(at))

    expected = found = value_in(seq, "value")
    if shown["kind"] in ("alerted", "settled"):
        expected = value_in(by, "facts", fact)
    elif shown["kind"] == "mapped" and not shown["also"]:
        expected = value_in(shown["input_event"], "value")
    elif shown["kind"] == "heard" and isinstance(event.get("start"), int) and HIDDEN not in shown["text"]:
        expected, found = shown["text"][event["start"] : event["end"]], event["said"]
    demand(seq, f"the value of {fact!r} by entry {by}", expected, found)


def list_meant(meaning: Json) -> Iterator[Json]:
    """Yield the values that were understood of an utterance, for whichever request."""
    for part in (meaning, *meaning.get("goals", ()), *meaning.get("candidates", ())):
        yield from part["values"]
    if meaning.get("doubtful"):
        yield meaning["doubtful"]


CHECKS: dict[str, Callable[[Entries, int, Json], None]] = {
    **{"calling": _check_call, "established": _check_value, "goal_achieved": _check_reached, "ran": _check_ran}
}
