"""Exports of conversations that can be checked: chained entries, masked values committed to, claims with their proofs.

`explain.verify` checks them, and says what each part means. A masked value is replaced, and a commitment stands beside
it: the digest of a salt and the value. The salt is made of the value and a key that is drawn for each export and kept
nowhere: so equal values are seen to be equal and nothing else; without the salt, no dictionary of values helps. The
salts go to the owner alone, apart from the export.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import partial
from math import fsum
from secrets import token_hex
from typing import Any

from pydantic import JsonValue

from dialogue.log.events import Entry, Explained, Planned
from dialogue.moves.records import record_of
from dialogue.moves.replies import find_record
from dialogue.policy.joint import as_one_goal
from dialogue.services.views import Snapshot
from dialogue.state.conversation import Conversation, advance
from dialogue.state.goal_status import goal_standing, goals_of
from dialogue.state.goals import StackedGoal
from dialogue.state.masking import mask_all, mask_entry, secrets_of, write_out
from dialogue.state.provenance import derived_in
from explain import Question, QuestionKind, Record, explain
from explain.claim import put
from explain.graph import find_current
from explain.verify.chain import FORMAT, chain, digest
from explain.verify.claims import reads_as
from explain.words import Wording
from language.text.array_cache import DigestCache
from planning.bounds import prove_bound
from planning.model import Atom
from planning.task.compilation import compile_task
from planning.task.index import index_task, keep_operators, list_leading, reduce_task

Plain = dict[str, Any]
LARGEST = 2**53 - 1
"""JSON that every program reads alike has no greater whole numbers."""
LEFT_OUT = ("evidence", "said", "closed")
"""Fields of claims that stand elsewhere in an export, or are not for readers."""
_BOUNDS: DigestCache[dict[tuple[int, ...], float]] = DigestCache(256)  # most plannings are those of before


def export(seen: Snapshot) -> tuple[Plain, dict[str, JsonValue]]:
    """Export a conversation; return that, and apart from it what opens the commitments to its masked values."""
    exporter, now, catalog = Exporter(seen), Conversation(), seen.catalog
    for entry in seen.log:
        exporter.add(entry, now)
        now = advance(now, entry)
    goals = [*reversed(goals_of(now))]
    for goal in goals:
        exporter.claim_results(now, goal)
    exported = {
        **{"format": FORMAT, "catalog": now.setup.catalog, "digest": now.setup.digest},
        "goals": [{"goal": goal.goal, "state": goal_standing(catalog, now, goal)} for goal in goals],
        "kinds": {fact: [*catalog.supertypes(fact)] for fact in catalog.facts},
        **{"entries": exporter.entries, "claims": exporter.claims, "plans": exporter.plans},
    }
    return chain(plain(exported)), exporter.openings


def plain(found: Any) -> Any:
    """Return JSON; sets are written as lists, and what JSON has no numbers for as text."""
    text = json.dumps(found, default=lambda one: sorted(map(str, one)))
    return json.loads(text, parse_int=lambda one: one if abs(int(one)) > LARGEST else int(one), parse_constant=str)


class Exporter:
    """What stands beside the entries of an export, gathered entry by entry."""

    def __init__(self, seen: Snapshot) -> None:
        self._seen, self._catalog, self._key = seen, seen.catalog, token_hex(32)
        self._secrets, self._derived = secrets_of(seen.catalog, seen.log), derived_in(seen.catalog, seen.log)
        self.entries: list[Plain] = []
        self.claims: list[Plain] = []
        self.plans: list[Plain] = []
        self.openings: dict[str, JsonValue] = {}
        """By the place of each masked value, its salt and the value."""

    def add(self, entry: Entry, before: Conversation) -> None:
        """Export an entry, and prove what it claims in the conversation `before` it."""
        masked: Plain = mask_entry(self._catalog, entry, self._secrets, self._derived, self._seen.words_of)
        commitments = {}
        for path, value in _list_masked(write_out(entry, self._seen.words_of)["event"], masked["event"]):
            opening = {"salt": digest([self._key, plain(value)]), "value": plain(value)}
            self.openings[f"{entry.seq}/{path}"], commitments[path] = opening, digest([*opening.values()])
        self.entries.append({**masked, "commitments": commitments} if commitments else masked)
        if isinstance(entry.event, Explained):
            self.claims += self._explain_again(entry.seq, entry.event, before)
        elif isinstance(entry.event, Planned) and entry.event.status != "gave_up":
            self.plans.append({"entry": entry.seq, **self._prove(entry.event, before)})

    def _explain_again(self, at: int, event: Explained, before: Conversation) -> list[Plain]:
        """Claim what was said anew, in the goal in which that gives the same; else as it was said."""
        said = self.entries[-1]["event"]["sentences"]
        asked = Question(QuestionKind(event.question), event.fact, event.full, event.skill, event.agent)
        for goal in (None, *goals_of(before)):
            made = list(self._claim(*find_record(self._catalog, before, asked, goal), at - 1, at))
            parts = [sentence for claim in made for sentence in claim["sentences"]]
            evidence = {cited for claim in made for cited in claim["evidence"]}
            if evidence == set(event.evidence) and all(s in parts for s in said) and all(s in said for s in parts):
                return made
        return [{"kind": "Said", "at": at, "as_of": at - 1, "about": {}, "evidence": event.evidence, "sentences": said}]

    def claim_results(self, now: Conversation, goal: StackedGoal) -> None:
        """Claim of what was reached for a goal how it came about and what for; of what was not, what is missing."""
        record, as_of = record_of(self._catalog, now, goal), goal.seen_in(now).seq
        questions = [Question(QuestionKind.WHAT), *([] if record.achieved else [Question(QuestionKind.MISSING)])]
        for kind in (QuestionKind.HOW, QuestionKind.CHAIN, QuestionKind.WHY):
            questions += [Question(kind, fact, full=True) for fact in record.goal if find_current(record, fact)]
        made = {repr((c["about"], c["evidence"])): c for q in questions for c in self._claim(record, q, as_of)}
        self.claims += made.values()

    def _claim(self, record: Record, asked: Question, as_of: int, at: int | None = None) -> Iterator[Plain]:
        """Write the claims of an explanation, each with the fields that it is made of."""
        for claim in explain(record, asked).claims:
            parts = [one.parts for one in put(claim, Wording(record))]
            sentences: Any = mask_all([[asdict(part) for part in one] for one in parts], self._secrets)
            said = "".join(part["text"] for one in sentences for part in one if not part["secret"])
            about = mask_all(plain(asdict(claim, dict_factory=partial(self._write_piece, said))), self._secrets)
            made = {"kind": type(claim).__name__, "at": at, "as_of": as_of, "about": about, "evidence": claim.evidence}
            if sentences:
                yield {**made, "sentences": sentences}

    def _write_piece(self, said: str, fields: list[tuple[str, Any]]) -> Plain:
        """Write a part of a claim; how its value is shown is left out where that is not said."""
        made = {name: value for name, value in fields if name not in LEFT_OUT}
        shown = made.get("shown")
        if shown and not (shown in said and reads_as(shown, self.entries[made["event"] - 1]["event"]["value"])):
            made["shown"] = ""
        return made

    def _prove(self, event: Planned, before: Conversation) -> Plain:
        """Prove what a planning found, in the task that it was made for."""
        try:
            goals = [part.goal_id for part in event.parts] or [event.goal_id]
            task = compile_task(self._catalog, *as_one_goal(self._catalog, before, goals))
        except (LookupError, ValueError):
            return {"unproved": "The catalog no longer has what this was planned with."}
        indexed, whole = index_task(task), keep_operators(task.operators).whole
        part = reduce_task(indexed) if indexed else None
        steps = [whole.named.get(step.operator) for step in event.steps]
        leading = part.origin if part else list_leading(indexed) if indexed else ()
        listed = [whole.at(place) for place in dict.fromkeys((*leading, *steps)) if place is not None]
        mentioned = task.goal.union(*(one.needs | one.adds for one in listed))
        if None in steps or (event.status == "solved") != (part is not None and bool(steps)):
            return {"unproved": "It was for several goals, and not for all as for one; or there was too little money."}
        cuts = _BOUNDS.get(digest(repr(part)), partial(prove_bound, part)) if part else {}
        return {
            **{"initial": _names(task.initial & mentioned), "goal": _names(task.goal), "budget": task.budget},
            "operators": {
                one.name: {"needs": _names(one.needs), "adds": _names(one.adds), "cost": one.cost}
                | {"listed": one.amounts.cost, "money": one.amounts.money}
                for one in listed
            },
            "cuts": [{"operators": [listed[at].name for at in cut], "weight": weight} for cut, weight in cuts.items()],
            "above": fsum(whole.at(place).cost for place in steps if place is not None) - fsum(cuts.values()),
        }


def _list_masked(written: Any, masked: Any, *path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(written, dict) and isinstance(masked, dict):
        for name in written.keys() & masked.keys():
            yield from _list_masked(written[name], masked[name], *path, name)
    elif written != masked:
        yield "/".join(path), written


def _names(atoms: Iterable[Atom]) -> list[str]:
    return sorted(f"{atom.predicate.value}:{atom.subject}" for atom in atoms)
