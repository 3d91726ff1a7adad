"""A judge of its own: reads moves as JSON, and works out what became of every stage, with nothing of the product's.

It follows what the log of a task means (docs/tasks.md, decision 26), in the plainest way.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]
Told = set[tuple[Any, ...]]


class OwnJudge:
    """Keeps verdicts and attempts of every stage, each with its entry."""

    def __init__(self, moves: Iterable[tuple[int, Json]]) -> None:
        self.verdicts: dict[str, list[tuple[int, Json]]] = {}
        self.attempts: dict[str, list[tuple[int, Json]]] = {}
        self.texts: dict[str, Json] = {}
        for entry, move in moves:
            if move["move"] == "planned":
                self.verdicts.setdefault(move["hypothesis"], []).append((entry, move["verdict"]))
            elif move["move"] == "split":
                found = self.attempts.setdefault(move["hypothesis"], [])
                found.append((entry, move["attempt"]))
                if self.is_taken(move["attempt"]):
                    for number, stage in enumerate(move["attempt"]["split"]["stages"], start=1):
                        self.texts[f"{move['hypothesis']}.{len(found)}.{number}"] = stage

    @staticmethod
    def is_taken(attempt: Json) -> bool:
        return attempt.get("split") is not None and not attempt.get("refusals")

    def stages(self, name: str, number: int) -> list[str]:
        split = self.attempts[name][number - 1][1]["split"]
        return [f"{name}.{number}.{place}" for place in range(1, len(split["stages"]) + 1)]

    def is_planned(self, name: str) -> bool:
        said = self.verdicts.get(name, [])
        return [one["status"] for _, one in said[-1:]] == ["planned"]

    def solving(self, name: str) -> int | None:
        for number, (_, attempt) in enumerate(self.attempts.get(name, ()), start=1):
            if self.is_taken(attempt) and all(map(self.is_solved, self.stages(name, number))):
                return number
        return None

    def is_solved(self, name: str) -> bool:
        return self.is_planned(name) or self.solving(name) is not None

    def attempts_of(self, name: str) -> Told:
        """Say of each attempt with a split what became of it."""
        found: Told = set()
        for number, (entry, attempt) in enumerate(self.attempts.get(name, ()), start=1):
            if attempt.get("split") is None:
                continue
            if attempt.get("refusals"):
                reasons = tuple(
                    (one["flaw"], one.get("stage"), tuple(one.get("facts", ()))) for one in attempt["refusals"]
                )
                found.add(("refused", name, number, entry, reasons))
            elif stuck := tuple(one for one in self.stages(name, number) if not self.is_solved(one)):
                found.add(("stuck", name, number, entry, stuck))
            elif self.is_planned(name) or self.solving(name) != number:
                found.add(("to spare", name, number, entry))
            else:
                found.add(("taken", name, number, entry))
        return found

    def lacks_of(self, name: str, before: int | None = None) -> Told:
        """Say what planning in one piece lacked, at last or before an entry."""
        said = [one for one in self.verdicts.get(name, ()) if before is None or one[0] < before]
        if not said or said[-1][1]["status"] != "impossible":
            return set()
        entry, verdict = said[-1]
        sets = tuple(tuple((one["kind"], tuple(one["facts"])) for one in found) for found in verdict.get("sets", ()))
        return {("lacks", name, entry, sets[:4])}

    def none_by(self, name: str) -> Told:
        """Say who had no split in the last round."""
        tried = self.attempts.get(name, [])
        last = tried[-1][1].get("round", 0) if tried else 0
        none = {one["proposer"] for _, one in tried if one.get("split") is None and one.get("round", 0) == last}
        return {("none", name, frozenset(none))} if none else set()

    def why(self, name: str) -> Told:
        """Say why a stage stands as it does, apart from what is inside of it, and what would help."""
        if name not in self.verdicts:
            return {("open", name)}
        if self.is_planned(name):
            found: Told = {("in one piece", name, self.verdicts[name][-1][0], self.steps(name))}
            if any(one.get("split") for _, one in self.attempts.get(name, ())):
                first = self.attempts[name][0][0]
                found |= self.lacks_of(name, first) | self.attempts_of(name) | self.none_by(name)
            return found
        begun = self.attempts[name][0][0] if name in self.attempts and self.is_solved(name) else None
        return self.lacks_of(name, begun) | self.attempts_of(name) | self.none_by(name)

    def steps(self, name: str) -> tuple[str, ...]:
        return tuple(step["subject"] for step in self.verdicts[name][-1][1]["steps"])


class Factory:
    """Skills as plain inputs and outputs: what can be made of what is there, by trying all of them again and again."""

    def __init__(self, skills: Iterable[tuple[Iterable[str], Iterable[str]]]) -> None:
        self.skills = [(set(takes), set(gives)) for takes, gives in skills]

    def makes(self, there: Iterable[str], more: Iterable[tuple[Iterable[str], Iterable[str]]] = ()) -> set[str]:
        """Return everything that can come about, with more skills than there are."""
        known, before = set(there), None
        skills = [*self.skills, *((set(takes), set(gives)) for takes, gives in more)]
        while before != known:
            before = set(known)
            for takes, gives in skills:
                if takes <= known:
                    known |= gives
        return known

    def helps(self, there: Iterable[str], found: Iterable[Json], wanted: Iterable[str]) -> bool:
        """Return whether a set of what is missing is enough."""
        found = list(found)
        given = {fact for one in found if one["kind"] == "information" for fact in one["facts"]}
        skills = [(one.get("inputs", ()), one["facts"]) for one in found if one["kind"] == "function"]
        return set(wanted) <= self.makes({*there, *given}, skills)
