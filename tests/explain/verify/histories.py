"""Random histories and their exports, and corruptions of these whose chain is computed anew."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dialogue.log.events import CONVERSATION, Explained
from dialogue.log.streams import Log
from dialogue.moves.replies import find_record
from dialogue.services import Snapshot
from dialogue.services.exporting import export
from dialogue.services.exporting.claims import ClaimWriter
from dialogue.state.conversation import project
from dialogue.state.goal_status import goals_of
from dialogue.state.masking import secrets_of
from explain import Question, QuestionKind, explain
from explain.verify import Entries, Examined, chain, verify
from tests.conversations.speaker import Speaker
from tests.conversations.worlds import INVENTED, World, draw_catalog

Json = Any


def talk(world: World, seed: int) -> Snapshot:
    """Hold a conversation at random over a catalog at random, in which questions are asked, too."""
    stage, dice = world._open(draw_catalog(seed), seed), random.Random(seed)
    with closing(stage.services):
        speaker = Speaker(stage, dice)
        for _ in range(dice.randint(4, 14)):
            stage.play(speaker.next())
        return stage.now


def histories(home: Path, seeds: Iterator[int] | range) -> Iterator[tuple[int, Snapshot]]:
    with closing(World(home, INVENTED)) as world:
        for seed in seeds:
            yield seed, talk(world, seed)


def check(exported: Json) -> tuple[Examined, ...]:
    return verify(json.dumps(exported, ensure_ascii=False))


def wrong(found: tuple[Examined, ...]) -> list[Examined]:
    return [one for one in found if one.verdict == "wrong"]


@dataclass(frozen=True)
class Change:
    """A change to what an export says: its kind, and how it is made; it returns whether anything was there to change.

    `of_log` are made to entries, in the log as it is kept and as it is exported; others to what is claimed.
    """

    kind: str
    make: Callable[[Json, random.Random], bool]
    of_log: bool


def _events(exported: Json, *kinds: str) -> list[Json]:
    return [entry for entry in exported["entries"] if entry["event"]["kind"] in kinds]


def _another(dice: random.Random, found: list[Json], than: Json) -> Json:
    return dice.choice([one for one in found if one != than] or [f"no {than}"])


def change_value(exported: Json, dice: random.Random) -> bool:
    entries = _events(exported, "established")
    if not entries:
        return False
    entry = dice.choice(entries)
    entry["event"]["value"] = _altered(entry["event"]["value"])
    if "commitments" in entry:
        entry["commitments"] = {"value": "0" * 64}
    return True


def _altered(value: Json) -> Json:
    """Return another value that looks like one."""
    if isinstance(value, list):
        return value[1:] if value else ["more"]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    text = str(value)
    place = next((at for at, sign in enumerate(text) if sign.isdigit()), None)
    return f"{text}x" if place is None else f"{text[:place]}{(int(text[place]) + 1) % 9}{text[place + 1 :]}"


def change_source(exported: Json, dice: random.Random) -> bool:
    """Change which entry showed a value, or established an input."""
    entries = _events(exported, "established", "calling", "mapped")
    if not entries:
        return False
    seq = dice.randrange(len(exported["entries"])) + 1
    event = dice.choice(entries)["event"]
    if event["kind"] == "calling":
        if not event["input_events"]:
            return False
        name = dice.choice(sorted(event["input_events"]))
        changed, event["input_events"][name] = bool(event["input_events"][name] != seq), seq
        return changed
    field = "by" if event["kind"] == "established" else "input_event"
    changed, event[field] = bool(event[field] != seq), seq
    return changed


def change_fact(exported: Json, dice: random.Random) -> bool:
    facts = sorted({entry["event"]["fact"] for entry in _events(exported, "established")})
    entries = _events(exported, "established", "ran")
    if not entries or not facts:
        return False
    event = dice.choice(entries)["event"]
    if event["kind"] == "established":
        event["fact"] = _another(dice, facts, event["fact"])
        return True
    field = dice.choice(["inputs", "outputs"])
    if not event[field]:
        return False
    place = dice.randrange(len(event[field]))
    event[field][place] = _another(dice, facts, event[field][place])
    return True


def swap(exported: Json, dice: random.Random) -> bool:
    """Let two entries stand in each other's place; each has the number of its new one."""
    entries = exported["entries"]
    one, other = dice.sample(range(len(entries)), 2)
    if dice.random() < 0.5:
        other = one + 1 if one + 1 < len(entries) else one - 1
    entries[one], entries[other] = entries[other], entries[one]
    for place in (one, other):
        entries[place]["seq"] = place + 1
    return bool(entries[one]["event"] != entries[other]["event"])


def change_cost(exported: Json, dice: random.Random) -> bool:
    planned = [entry["event"] for entry in _events(exported, "planned") if entry["event"]["steps"]]
    if not planned:
        return False
    event = dice.choice(planned)
    of = dice.choice([event, *event["steps"]])
    of["cost"] += dice.choice([-0.5, 0.5, 1.0])
    return True


OF_LOG = (change_value, change_source, change_fact, swap, change_cost)


def change_claimed_value(exported: Json, dice: random.Random) -> bool:
    rests = [one for claim in exported["claims"] for one in claim["rests_on"]]
    values = [one for one in rests if one.get("shown")]
    restated = [one for one in rests if one["is"] == "entry" and one["event"]["kind"] == "established"]
    if not values and not restated:
        return False
    one = dice.choice([*values, *restated])
    if one["is"] == "value":
        one["shown"] = "another"
    else:
        one["event"]["value"] = "another"
    return True


def change_evidence(exported: Json, dice: random.Random) -> bool:
    claims = [claim for claim in exported["claims"] if claim["evidence"]]
    if not claims:
        return False
    claim = dice.choice(claims)
    of = claim["evidence"]
    if claim["at"] is not None and dice.random() < 0.5:
        of = exported["entries"][claim["at"] - 1]["event"]["evidence"]
    place = dice.randrange(len(of))
    seq = dice.randrange(len(exported["entries"])) + 1
    changed, of[place] = seq not in of, seq
    return changed


def change_named_fact(exported: Json, dice: random.Random) -> bool:
    """Let a sentence that was said, and that is claimed, name another fact than what is proved is about."""
    found = [claim for claim in exported["claims"] if claim["kind"] in PROVEN]
    parts = [part for claim in found for sentence in claim["sentences"] for part in sentence if part["fact"]]
    if not parts:
        return False
    dice.choice(parts)["fact"] = "another_fact"
    return True


PROVEN = ("EstablishedBy", "Decided", "IsWanted", "Used", "GoalReached")


def change_claimed_cost(exported: Json, dice: random.Random) -> bool:
    """Change what a step costs in the task of a plan."""
    plans = [plan for plan in exported["plans"] if plan.get("steps") and plan["claim"] != "none"]
    if not plans:
        return False
    plan = dice.choice(plans)
    name = dice.choice([name for name in plan["steps"] if not name.startswith("choose")])
    place = next(p for p in plan["operators"] if exported["operators"][p]["name"] == name)
    exported["operators"][place][dice.choice(["cost", "listed"])] += 0.5
    return True


def change_bound(exported: Json, dice: random.Random) -> bool:
    plans = [plan for plan in exported["plans"] if plan["claim"] != "none"]
    if not plans:
        return False
    plan = dice.choice(plans)
    if plan["closure"] is not None:
        if not plan["closure"] or dice.random() < 0.5:
            plan["closure"] += plan["goal"]
        else:
            plan["closure"].remove(dice.choice(plan["closure"]))
    elif not plan["cuts"] or dice.random() < 0.3:
        if "above" not in plan:
            return False
        plan["above"] -= 0.1
    else:
        cut = dice.choice(plan["cuts"])
        way = dice.randrange(3)
        if way == 0:
            cut["weight"] += dice.choice([-0.01, 0.01])
        elif way == 1:
            cut["operators"].remove(dice.choice(cut["operators"]))
        else:
            plan["cuts"].append(cut)
    return True


OF_CLAIMS = (change_claimed_value, change_evidence, change_named_fact, change_claimed_cost, change_bound)


def corrupt(exported: Json, make: Callable[[Json, random.Random], bool], seed: object) -> Json | None:
    """Return a changed copy with the chain computed anew; None where there was nothing to change."""
    changed = deepcopy(exported)
    return chain(changed) if make(changed, random.Random(f"{seed}")) else None


def corrupt_log(seen: Snapshot, make: Callable[[Json, random.Random], bool], seed: object) -> Snapshot | None:
    """Make the same change to the log as it is kept; None where what comes of it cannot even be read."""
    kept: Json = {"entries": [json.loads(entry.model_dump_json()) for entry in seen.log]}
    make(kept, random.Random(f"{seed}"))
    try:
        log: Log = tuple(CONVERSATION.decode(json.dumps(entry)) for entry in kept["entries"])
        return replace(seen, log=log, conversation=project(log))
    except Exception:
        return None


def no_longer_follow(exported: Json, corrupted: Snapshot) -> list[Json] | None:
    """List the claims of an export that explanations of the corrupted log do not make; None where there are none."""
    try:
        again, _ = export(corrupted)
        kept = {_identity(claim) for claim in [*again["claims"], *_explained(corrupted)]}  # type: ignore[misc]
    except Exception:
        return None
    return [claim for claim in exported["claims"] if _identity(claim) not in kept]


def _explained(seen: Snapshot) -> Iterator[Json]:
    """Explain anew, in whichever goal, what was explained."""
    secrets = secrets_of(seen.catalog, seen.log)
    entries: Json = export(seen)[0]["entries"]
    writer = ClaimWriter(seen, Entries(entries, {}), secrets)
    for entry in seen.log:
        if isinstance(event := entry.event, Explained):
            question = Question(QuestionKind(event.question), event.fact, event.full, event.skill, event.agent)
            before = project(seen.log[: entry.seq - 1])
            for goal in (None, *goals_of(before)):
                record, asked = find_record(seen.catalog, before, question, goal)
                for claim in explain(record, asked).claims:
                    yield writer._write(claim, record, asked, entry.seq)


def _identity(claim: Json) -> str:
    return json.dumps([claim[name] for name in ("kind", "at", "question", "sentences", "evidence")], sort_keys=True)
