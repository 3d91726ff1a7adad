"""How, why and chain against an oracle that is written from the JSON of the log alone.

Each run draws new histories (its seed is printed): people say things, skills are called with whatever holds, values are
replaced, set aside or found to be wrong. The oracle knows events, not `explain`.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import TypeAdapter

from catalog.model import Catalog
from dialogue.log.events import CONVERSATION, Entry
from dialogue.moves.records import record_of
from dialogue.state.conversation import project
from explain import Question, QuestionKind, explain
from tests.explain.banking_story import read_catalog
from tests.seeds import draw_seed

FACTS = ("f0", "f1", "f2", "f3", "f4", "f5")
KINDS = {"f1": "f0", "f2": "f0", "f4": "f3"}
CATALOG = """
name: drawn
facts:
  f0: {}
  f1: {is_a: f0}
  f2: {is_a: f0}
  f3: {}
  f4: {is_a: f3}
  f5: {}
skills:
  one: {modes: {only: {inputs: [f0], optional: [f5], outcomes: {done: {facts: [f4]}, none: {}}}}}
  two: {modes: {only: {inputs: [f3, f1, f0], outcomes: {done: {facts: [f5]}, none: {}}}}}
  three: {modes: {only: {inputs: [f5], outcomes: {done: {facts: [f1]}, none: {}}}}}
"""
SKILLS = {"one": (("f0",), "f4"), "two": (("f3", "f1", "f0"), "f5"), "three": (("f5",), "f1")}


def fits(fact: str, wanted: str) -> bool:
    return wanted in (fact, KINDS.get(fact))


def draw_log(dice: random.Random) -> list[dict[str, Any]]:
    """Draw a history, ending with the goal achieved where anything is known."""
    log: list[dict[str, Any]] = [{"kind": "session_started", "catalog": "drawn", "digest": ""}]
    known: dict[str, int] = {}

    def add(**event: Any) -> int:
        log.append(event)
        return len(log)

    for number in range(dice.randint(3, 14)):
        callable_ = [s for s, (takes, _) in SKILLS.items() if all(any(fits(k, t) for k in known) for t in takes)]
        what = dice.choice(["say", "call", "call", "call", "aside", "wrong"])
        if what == "call" and callable_:
            skill = dice.choice(callable_)
            takes, gives = SKILLS[skill]
            inputs = {t: dice.choice([k for k in known if fits(k, t)]) for t in takes}
            events = {t: known[k] for t, k in inputs.items()}
            call = {"call_id": f"c{number}", "skill": skill, "mode": "only"}
            add(kind="calling", **call, inputs=inputs, input_events=events, plan_id=1)
            works = dice.random() < 0.8
            weights = [[t, round(dice.uniform(-1, 1), 3)] for t in takes] if dice.random() < 0.7 else []
            ran = add(
                kind="ran",
                **call,
                inputs=list(inputs.values()),
                input_events=list(events.values()),
                outcome="done" if works else "none",
                outputs=[gives] if works else [],
                attributions=weights,
            )
            if works:
                known[gives] = add(kind="established", fact=gives, value=f"v{number}", source="skill", by=ran)
        elif what == "aside" and known:
            fact = dice.choice(sorted(known))
            del known[fact]
            add(kind="begun", goal_id=9, set_aside=[fact], cause=1)
        elif what == "wrong" and known:
            fact = dice.choice(sorted(known))
            del known[fact]
            add(kind="retracted", fact=fact, reason="", cause=1)
        else:
            fact = dice.choice(FACTS)
            known[fact] = add(kind="established", fact=fact, value=f"v{number}", source="user", by=1, said=f"v{number}")
    goal = dice.choice(sorted(known)) if known else "f0"
    add(
        kind="goal_pushed",
        goal_id=1,
        goal="wish",
        label="wish",
        facts=[KINDS.get(goal, goal)],
        because="request",
        cause=1,
    )
    if known:
        add(kind="goal_achieved", goal_id=1)
    return log


class Oracle:
    """What an explanation must be, from the log's JSON."""

    def __init__(self, log: list[dict[str, Any]]) -> None:
        self.log = dict(enumerate(log, start=1))
        self.known: dict[str, int] = {}
        self.aside: set[int] = set()
        for seq, event in self.log.items():
            if event["kind"] == "established":
                self.known[event["fact"]] = seq
            elif event["kind"] == "retracted":
                self.known.pop(event["fact"], None)
            elif event["kind"] == "begun":
                for fact in event["set_aside"]:
                    self.aside.add(self.known.pop(fact, 0))

    def giver(self, established: int) -> int:
        event = self.log[established]
        return event["by"] if event["source"] == "skill" else established

    def now(self, wanted: str) -> int | None:
        """Find what gave the value that a fact, or one that stands for it, was given last and still has."""
        return max((self.giver(seq) for fact, seq in self.known.items() if fits(fact, wanted)), default=None)

    def before(self, wanted: str) -> int | None:
        """Find what gave the last value of a fact that is not known, where that was set aside for another request."""
        ever = (seq for seq, e in self.log.items() if e["kind"] == "established" and fits(e["fact"], wanted))
        last = max(ever, default=0)
        return self.giver(last) if last in self.aside else None

    def back(self, start: int) -> set[tuple[int, str, int]]:
        """Follow the very values that were passed, back to where they were said."""
        links, todo, seen = set(), [start], {start}
        while todo:
            consumer = todo.pop()
            event = self.log[consumer]
            for established in event.get("input_events", ()):
                producer = self.giver(established)
                links.add((producer, self.log[established]["fact"], consumer))
                if producer not in seen:
                    seen.add(producer)
                    todo.append(producer)
        return links

    def weights(self, ran: int) -> list[tuple[str, float]]:
        """Name what weighed by the facts that were passed: those of the call that came back."""
        event = self.log[ran]
        call = next(e for e in self.log.values() if e["kind"] == "calling" and e["call_id"] == event["call_id"])
        return [(call["inputs"][declared], weight) for declared, weight in event["attributions"]]


def compare(catalog: Catalog, log: list[dict[str, Any]]) -> None:
    """Compare how, why and chain with the oracle, for every fact."""
    oracle = Oracle(log)
    entries = [
        Entry(seq=seq, at=datetime(2026, 11, 25, tzinfo=UTC), event=_EVENTS[event["kind"]].validate_python(event))
        for seq, event in enumerate(log, start=1)
    ]
    record = record_of(catalog, project(entries))
    goal = record.goal[0]
    reached = oracle.now(goal)
    support = oracle.back(reached) if reached is not None else set()
    for fact in FACTS:
        start = oracle.now(fact)
        how = explain(record, Question(QuestionKind.HOW, fact, full=True))
        start = oracle.before(fact) if start is None else start
        assert set(how.links) == (oracle.back(start) if start is not None else set())
        why = explain(record, Question(QuestionKind.WHY, fact, full=True))
        if record.achieved:
            uses = {link for link in support if fits(link[1], fact)}
            assert uses <= set(why.links)
            if uses or fact == goal:
                assert set(why.links) <= support
        chain = explain(record, Question(QuestionKind.CHAIN, fact))
        for claim in chain.claims:
            for one in getattr(claim, "heaviest", ()):
                assert any(
                    (one.fact, one.weight) in oracle.weights(seq)
                    for seq in claim.evidence
                    if oracle.log[seq]["kind"] == "ran" and oracle.log[seq]["attributions"]
                )


_EVENTS = {declared.model_fields["kind"].default: TypeAdapter(declared) for declared in CONVERSATION.events}


def compare_new_histories(count: int, *, fresh: bool = False) -> None:
    seed = draw_seed(fresh=fresh)
    print(f"PLANGLASS_SEED={seed}")
    dice, catalog = random.Random(seed), read_catalog(CATALOG)
    for _ in range(count):
        log = draw_log(dice)
        try:
            compare(catalog, log)
        except AssertionError as error:
            raise AssertionError(f"PLANGLASS_SEED={seed}: {log}") from error


@pytest.mark.row("V17", "V18", "V19")
def test_300_new_histories_are_explained_as_the_log_says() -> None:
    compare_new_histories(300)


@pytest.mark.long
def test_10000_new_histories_are_explained_as_the_log_says() -> None:
    compare_new_histories(10_000, fresh=True)
