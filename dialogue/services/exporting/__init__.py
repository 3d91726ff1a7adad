"""Exports of conversations that can be checked: chained entries, masked values committed to, claims with their proofs.

`explain.verify` checks them and says what each part means. Nothing secret leaves: a masked value is replaced, and a
commitment stands beside it, the digest of a salt and the value. There is one salt for each fact and export (facts that
one is taken for another of share it), so that equal values of a fact are seen to be equal and nothing else; without
the salt, no dictionary of values helps. The salts go to the owner alone, apart from the export.
"""

from __future__ import annotations

from collections.abc import Iterable
from secrets import token_hex
from typing import Any

from pydantic import JsonValue

from catalog.model import Catalog
from dialogue.log.events import Entry, Explained, Mapped, Planned
from dialogue.log.sensitive import ValueOf, ValuesByFact
from dialogue.policy.joint import as_one_goal
from dialogue.services.analyses import find_steps
from dialogue.services.exporting.claims import ClaimWriter, Plain
from dialogue.services.views import Snapshot
from dialogue.state.conversation import Conversation, advance
from dialogue.state.goal_status import goal_standing, goals_of
from dialogue.state.masking import mask_entry, secrets_of, write_out
from dialogue.state.provenance import derived_in
from explain.verify import FORMAT, Entries, chain, digest
from planning.bounds import list_leading, prove_bound
from planning.model import Atom, Operator, Task
from planning.task.compilation import compile_task
from planning.task.index import index_task, keep_operators

LARGEST = 2**53 - 1
"""JSON that every program reads alike has no greater whole numbers."""


def export(seen: Snapshot) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    """Export a conversation; return that, and apart from it what opens the commitments to its masked values."""
    secrets, derived = secrets_of(seen.catalog, seen.log), derived_in(seen.catalog, seen.log)
    commitments, plans = Commitments(seen.log), PlanWriter(seen.catalog)
    listed: list[Plain] = []
    for entry in seen.log:
        masked: Plain = mask_entry(seen.catalog, entry, secrets, derived, seen.words_of)
        listed.append(commitments.put_into(masked, entry, write_out(entry, seen.words_of)))
    listed = _canonical(listed)
    entries = Entries(listed, plans.kinds)
    before: dict[int, Conversation] = {}
    now = Conversation()
    for entry in seen.log:
        if isinstance(entry.event, Explained | Planned):
            before[entry.seq] = now
        now = advance(now, entry)
    writer = ClaimWriter(seen, entries, secrets)
    claims = [*writer.list_explained(before), *writer.list_results(), *writer.list_consents()]
    planned = [
        plans.write(entry.seq, entry.event, before[entry.seq], seen.conversation)
        for entry in seen.log
        if isinstance(entry.event, Planned) and entry.event.status != "gave_up"
    ]
    setup = seen.conversation.setup
    goals = [
        {"goal": goal.goal, "state": goal_standing(seen.catalog, seen.conversation, goal)}
        for goal in reversed(goals_of(seen.conversation))
    ]
    about = {"format": FORMAT, "catalog": setup.catalog, "digest": setup.digest, "goals": goals, "entries": listed}
    proofs = {"kinds": plans.kinds, "operators": plans.operators, "plans": planned, "claims": claims}
    return chain(_canonical({**about, **proofs})), commitments.openings


def _canonical(found: Any) -> Any:
    """Return JSON without what JSON has no numbers for: they are written as text."""
    match found:
        case dict():
            return {name: _canonical(value) for name, value in found.items()}
        case list() | tuple():
            return [_canonical(value) for value in found]
        case bool() | str() | None:
            return found
        case int():
            return found if abs(found) <= LARGEST else str(found)
        case float():
            return found if abs(found) < float("inf") else str(found)
    return str(found)


class Commitments:
    """Commits to the values that are masked in entries."""

    def __init__(self, log: Iterable[Entry[Any]]) -> None:
        self._like: dict[str, str] = {}
        self._salts: dict[str, str] = {}
        self.openings: dict[str, JsonValue] = {}
        """By the place of each masked value, its salt and the value."""
        for entry in log:
            if isinstance(entry.event, Mapped):
                self._like[self._root(entry.event.stands_for)] = self._root(entry.event.used)

    def put_into(self, masked: Plain, entry: Entry[Any], plain: Plain) -> Plain:
        """Put commitments beside an entry of which some values are masked."""
        found: dict[str, str] = {}
        event, shown = plain["event"], masked["event"]
        for declared in entry.event.sensitive:
            match declared:
                case ValueOf(field=field, fact=fact) if event.get(field) != shown.get(field):
                    found[field] = self._commit(event[fact], f"{entry.seq}/{field}", event[field])
                case ValuesByFact(field=field):
                    for fact, value in event[field].items():
                        if shown[field].get(fact) != value:
                            found[f"{field}/{fact}"] = self._commit(fact, f"{entry.seq}/{field}/{fact}", value)
        return {**masked, "commitments": found} if found else masked

    def _commit(self, fact: str, place: str, value: JsonValue) -> str:
        salt = self._salts.setdefault(self._root(fact), token_hex(32))
        self.openings[place] = {"salt": salt, "value": _canonical(value)}
        return digest([salt, _canonical(value)])

    def _root(self, fact: str) -> str:
        while self._like.get(fact, fact) != fact:
            fact = self._like[fact]
        return fact


class PlanWriter:
    """Writes what is claimed of each plan, with its task and the proof; operators are listed once for all."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._places: dict[Operator, int] = {}
        self.operators: list[Plain] = []
        named = {fact: sorted(catalog.supertypes(fact)) for fact in catalog.facts}
        self.kinds = {fact: above for fact, above in named.items() if above != [fact]}
        """The facts that others stand for, by those that do."""

    def write(self, seq: int, event: Planned, before: Conversation, now: Conversation) -> Plain:
        about: Plain = {"entry": seq, "plan_id": event.plan_id, "status": event.status}
        record = now.plans.of(event.plan_id)
        try:
            situation, wanted = as_one_goal(self._catalog, before, record.goals if record else (event.goal_id,))
            task = compile_task(self._catalog, situation, wanted)
        except (LookupError, ValueError):
            return {**about, "claim": "none", "reason": "The catalog no longer has what this was planned with."}
        steps = find_steps(task, record) if record else ()
        if event.status == "solved" and not steps:
            return {**about, "claim": "none", "reason": "Its steps lead to several goals, and not to all as to one."}
        return {**about, **self._prove(task, event, steps)}

    def _prove(self, task: Task, event: Planned, steps: tuple[Operator, ...]) -> Plain:
        indexed = index_task(task)
        whole = keep_operators(task.operators).whole
        leading = [whole.at(place) for place in list_leading(indexed)] if indexed else []
        listed = list(dict.fromkeys((*leading, *steps)))
        atoms = task.goal.union(*(one.needs | one.adds for one in listed))
        proof: Plain = {
            "operators": [self._place(one) for one in listed],
            "initial": _names(task.initial & atoms),
            "goal": _names(task.goal),
            "budget": task.budget,
            "steps": [one.name for one in steps],
            "cuts": [],
            "closure": None,
        }
        reached = indexed is not None and indexed.close().has(indexed.goal)
        if not reached:
            state, left = set(task.initial & atoms), listed
            while ready := [one for one in left if one.needs <= state]:
                left = [one for one in left if one not in ready]
                state.update(*(one.adds for one in ready))
            return {**proof, "claim": "no way", "closure": _names(state)}
        assert indexed is not None
        within = event.status == "unsolvable"
        costs = [one.amounts.money for one in whole] if within else indexed.arrays.costs
        cuts = prove_bound(indexed, costs)
        proof["cuts"] = [{"operators": [whole.at(p).name for p in c.operators], "weight": c.weight} for c in cuts]
        bound = sum(cut.weight for cut in cuts)
        if within:
            over = task.budget is not None and bound > task.budget
            reason = "That nothing is within the budget was found by a search, and is not proved here."
            return {**proof, "claim": "no way"} if over else {**proof, "claim": "none", "reason": reason}
        cost = sum(one.cost for one in steps)
        above = cost - bound
        if above <= 1e-6 * max(1.0, cost):
            return {**proof, "claim": "nothing cheaper"}
        return {**proof, "claim": "at most above", "above": above}

    def _place(self, one: Operator) -> int:
        if one not in self._places:
            self._places[one] = len(self.operators)
            takes: Plain = {"cost": one.cost, "listed": one.amounts.cost, "money": one.amounts.money}
            atoms = {"needs": _names(one.needs), "adds": _names(one.adds)}
            self.operators.append({"name": one.name, **atoms, **takes})
        return self._places[one]


def _names(atoms: Iterable[Atom]) -> list[str]:
    return sorted(f"{atom.predicate.value}:{atom.subject}" for atom in atoms)
