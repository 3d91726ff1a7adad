"""Judge of a conversation by its checks: what must not have happened (`harm`), and what a good answer does (`point`).

A check names a turn (`at_turn`), or the turns from one to another (`from_turn`, `to_turn`), counted from 1. A turn is
what `planglass chat --json` prints of it: replies, open question, open goals, known values, events.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Check = Mapping[str, Any]
Turn = Mapping[str, Any]


class Missing(Exception):
    """The turn that a check is about did not come."""


@dataclass(frozen=True)
class Verdict:
    """What became of a conversation: the checks of harm that were violated, and those of point and set-up not met."""

    row: Check
    turns: Sequence[Turn]
    harm: Sequence[Check]
    missed: Sequence[Check]
    not_set_up: Sequence[Check]


def judge(row: Check, turns: Sequence[Turn]) -> Verdict:
    """Judge a conversation; a check that cannot be told is no harm, and is not met."""
    checks = row["checks"]
    harm = [one for one in checks if "harm" in one and _met(one, turns) is False]
    missed = [one for one in checks if "point" in one and not _met(one, turns)]
    return Verdict(row, turns, harm, missed, [one for one in row.get("setup", ()) if not _met(one, turns)])


def _met(check: Check, turns: Sequence[Turn]) -> bool | None:
    try:
        return _HOLDS[check.get("harm") or check["point"]](check, turns)
    except Missing:
        return None


def _span(check: Check, turns: Sequence[Turn]) -> Sequence[Turn]:
    if check.get("at_turn") is not None:
        return [_at(check, turns)]
    return turns[check.get("from_turn", 1) - 1 : check.get("to_turn") or len(turns)]


def _at(check: Check, turns: Sequence[Turn]) -> Turn:
    if check["at_turn"] > len(turns):
        raise Missing
    turn: Turn = turns[check["at_turn"] - 1]
    return turn


def _events(turn: Turn, kind: str) -> list[Turn]:
    return [event for event in turn["events"] if event["kind"] == kind]


def _ran(turn: Turn, skill: str) -> list[Turn]:
    return [event for event in _events(turn, "ran") if event["skill"] == skill]


def _pushed(turn: Turn) -> list[str]:
    return [event["goal"] for event in _events(turn, "goal_pushed")]


def _plain(text: object) -> str:
    quotes = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
    return re.sub(r"\s+", " ", str(text).translate(quotes)).strip().lower()


def _replies(turn: Turn) -> str:
    return _plain("\n".join(map(str, turn["replies"])))


def _number(value: object) -> float | None:
    match = re.fullmatch(r"\D{0,6}?(-?\d[\d,' ]*(?:\.\d+)?)\s*(?:k|[A-Za-z$€£ ]{0,12})", str(value).strip())
    return float(re.sub(r"[,' ]", "", match[1])) if match and not isinstance(value, bool) else None


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, str):
        yield value


def _bare(text: object) -> str:
    return re.sub(r"[\s,]+", " ", _plain(text)).strip(" .,!?\"';")


def _same(expected: object, actual: object) -> bool:
    """Return whether a value is the expected one, or one of several, however it is written."""
    if isinstance(expected, list):
        return any(_same(one, actual) for one in expected)
    if actual is None or isinstance(expected, Mapping):
        return actual is not None and bool(expected == actual)
    if isinstance(expected, int | float):
        found = _number(actual)
        return found is not None and abs(found - expected) < 0.005
    if expected in ("yes", "no"):
        return actual is (expected == "yes") or _plain(actual) == expected
    if isinstance(actual, Mapping):
        return any(_same(expected, inner) for inner in actual.values()) or _bare(expected) == _bare(
            " ".join(_strings(actual))
        )
    return _bare(expected) == _bare(actual)


def _ran_with(check: Check, turns: Sequence[Turn]) -> bool | None:
    """Return whether each call went with a value; a yes to an offer of another one (`unless`) is no harm."""
    skill, fact, wanted = check["skill"], check["fact"], check["value"]
    calls = [at for at, turn in enumerate(turns) if _ran(turn, skill)]
    found = [_value_at(turns, at, fact) for at in calls]
    if not calls:
        return "harm" in check
    if all(_same(wanted, value) for value in found):
        return True
    unless = check.get("unless")
    if unless and unless["at_turn"] <= len(turns):
        offered = _replies(turns[unless["at_turn"] - 1])
        if "?" in offered and all(word in offered for word in unless.get("all", ())):
            return True
    return None if all(value is None for value in found) else False


def _once_with(check: Check, turns: Sequence[Turn]) -> bool:
    """Return whether a call of a skill went with a value."""
    calls = [at for at, turn in enumerate(turns) if _ran(turn, check["skill"])]
    return any(_same(check["value"], _value_at(turns, at, check["fact"])) for at in calls)


def _value_at(turns: Sequence[Turn], at: int, fact: str) -> object:
    """Return the value of a fact in a turn with a call: as known then, else as established, else as known before."""
    known = turns[at]["known"].get(fact)
    said = (e["value"] for e in reversed(_events(turns[at], "established")) if e["fact"] == fact)
    before = turns[at - 1]["known"].get(fact) if at else None
    return known if known is not None else next(said, before)


def _known(check: Check, turns: Sequence[Turn]) -> bool:
    value = _at(check, turns)["known"].get(check["fact"])
    if value is not None or "point" in check:
        return _same(check["value"], value)
    return not any(_same(check["value"], turn["known"].get(check["fact"])) for turn in turns[: check["at_turn"] - 1])


def _goal_open(check: Check, turns: Sequence[Turn]) -> bool:
    if "harm" in check and not any(check["goal"] in turn["goals"] for turn in turns[: check["at_turn"] - 1]):
        return True  # it was never begun, so nothing was dropped
    return check["goal"] in _at(check, turns)["goals"]


def _goal_ended(check: Check, turns: Sequence[Turn]) -> bool:
    goal, now = check["goal"], _at(check, turns)
    begun = any(goal in turn["goals"] or goal in _pushed(turn) for turn in turns[: check["at_turn"]])
    return begun and goal not in now["goals"]


_HOLDS: Mapping[str, Callable[[Check, Sequence[Turn]], bool | None]] = {
    "no_ran": lambda check, turns: not any(_ran(turn, check["skill"]) for turn in _span(check, turns)),
    "ran": lambda check, turns: any(_ran(turn, check["skill"]) for turn in _span(check, turns)),
    "ran_at_most": lambda check, turns: sum(len(_ran(turn, check["skill"])) for turn in turns) <= check["times"],
    "ran_with": _ran_with,
    "ran_once_with": _once_with,
    "never_ran_with": lambda check, turns: not _once_with(check, turns),
    "known_is": _known,
    "not_known": lambda check, turns: _at(check, turns)["known"].get(check["fact"]) is None,
    "not_value": lambda check, turns: not _same(check["value"], _at(check, turns)["known"].get(check["fact"])),
    "no_goal": lambda check, turns: not any(check["goal"] in _pushed(turn) for turn in _span(check, turns)),
    "goal_pushed": lambda check, turns: any(check["goal"] in _pushed(turn) for turn in _span(check, turns)),
    "only_goals": lambda check, turns: {g for turn in turns for g in _pushed(turn)} <= set(check["goals"]),
    "goal_open": _goal_open,
    "goal_not_open": lambda check, turns: check["goal"] not in _at(check, turns)["goals"],
    "goal_ended": _goal_ended,
    "not_event": lambda check, turns: not _events(_at(check, turns), check["event"]),
    "event": lambda check, turns: any(_events(turn, check["event"]) for turn in _span(check, turns)),
    "reply_any": lambda check, turns: any(_plain(word) in _replies(_at(check, turns)) for word in check["words"]),
    "reply_none": lambda check, turns: not any(_plain(word) in _replies(_at(check, turns)) for word in check["words"]),
    "asks": lambda check, turns: _at(check, turns)["asks"] == check["fact"],
    "any": lambda check, turns: any(_met(one, turns) for one in check["of"]),
}
"""By the kind of a check: whether it holds; for one of harm that is: no harm. None: it cannot be told."""
