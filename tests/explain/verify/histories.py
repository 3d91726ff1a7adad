"""Random histories and their exports, and corruptions of these whose chain is computed anew."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from dialogue.log.events import CONVERSATION, Explained
from dialogue.log.streams import Log
from dialogue.moves.replies import find_record
from dialogue.services import Snapshot
from dialogue.services.exporting import Exporter, export
from dialogue.state.conversation import Conversation, advance, project
from dialogue.state.goal_status import goals_of
from explain import Question, QuestionKind
from explain.verify import Examined, verify
from explain.verify.chain import chain
from explain.verify.plans import step_name
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


_HELD: dict[int, Snapshot] = {}
"""Histories by their seeds, 40 at most: two tests look at the same ones."""


def histories(home: Path, seeds: range) -> Iterator[tuple[int, Snapshot]]:
    with closing(World(home, INVENTED)) as world:
        for seed in seeds:
            seen = _HELD.pop(seed, None) or talk(world, seed)
            if len(_HELD) < 40:
                _HELD[seed] = seen
            yield seed, seen


def check(exported: Json) -> tuple[Examined, ...]:
    return verify(json.dumps(exported, ensure_ascii=False))


def wrong(found: tuple[Examined, ...]) -> list[Examined]:
    return [one for one in found if one.verdict == "wrong"]


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
    """Change how a value is shown, in a claim or in what is said of it."""
    values = [(one, claim) for claim in exported["claims"] for one in _pieces(claim["about"], "shown") if one["shown"]]
    if not values:
        return False
    one, claim = dice.choice(values)
    if dice.random() < 0.5:
        one["shown"] = "another"
    else:
        for part in (part for sentence in claim["sentences"] for part in sentence):
            part["text"] = part["text"].replace(one["shown"], "another")
    return True


def _pieces(found: Json, field: str) -> Iterator[Json]:
    if isinstance(found, dict) and field in found:
        yield found
    for one in found.values() if isinstance(found, dict) else found if isinstance(found, list) else ():
        yield from _pieces(one, field)


def change_claimed_act(exported: Json, dice: random.Random) -> bool:
    """Change what a claim says of something that was done: what it took, gave, or who did it."""
    acts = [one for claim in exported["claims"] for one in _pieces(claim["about"], "parameters")]
    if not acts:
        return False
    act = dice.choice(acts)
    field = dice.choice([field for field in ("inputs", "outputs", "skill") if act[field]] or ["event"])
    if field == "event":
        act["event"] = 1
    else:
        act[field] = "another" if field == "skill" else [*act[field][1:], "another"]
    return True


def change_evidence(exported: Json, dice: random.Random) -> bool:
    """Change what an explanation cites, or what is claimed that it cites."""
    claims = [claim for claim in exported["claims"] if claim["evidence"] and claim["at"] is not None]
    if not claims:
        return False
    claim = dice.choice(claims)
    of = claim["evidence"] if dice.random() < 0.5 else exported["entries"][claim["at"] - 1]["event"]["evidence"]
    others = [one for one in exported["claims"] if one["at"] == claim["at"] and one is not claim]
    seq = dice.randrange(len(exported["entries"])) + 1
    if seq in of or any(of[0] in one["evidence"] or seq in one["evidence"] for one in others):
        return False
    of[0] = seq
    return True


def change_named_fact(exported: Json, dice: random.Random) -> bool:
    """Let a sentence that was said, and that is claimed, name another fact than what is proved is about."""
    proved = [claim for claim in exported["claims"] if claim["kind"] in ("EstablishedBy", "Decided", "IsWanted")]
    parts = [part for claim in proved for sentence in claim["sentences"] for part in sentence if part["fact"]]
    if not parts:
        return False
    dice.choice(parts)["fact"] = "another_fact"
    return True


def _proved(exported: Json) -> list[Json]:
    return [plan for plan in exported["plans"] if "unproved" not in plan]


def change_claimed_cost(exported: Json, dice: random.Random) -> bool:
    """Change what a step costs in the task of a plan."""
    steps = [
        (plan, step_name(step))
        for plan in _proved(exported)
        for step in exported["entries"][plan["entry"] - 1]["event"]["steps"]
    ]
    if not steps:
        return False
    plan, name = dice.choice(steps)
    plan["operators"][name][dice.choice(["cost", "listed"])] += 0.5
    return True


def change_bound(exported: Json, dice: random.Random) -> bool:
    if not (plans := _proved(exported)):
        return False
    plan = dice.choice(plans)
    cut = dice.choice(plan["cuts"]) if plan["cuts"] else None
    if exported["entries"][plan["entry"] - 1]["event"]["status"] == "unsolvable" and cut is None:
        plan["initial"] = sorted({*plan["initial"], *plan["goal"]})
    elif cut is None:
        plan["above"] -= 0.1
    else:
        way = dice.randrange(4)
        if way == 0:
            cut["weight"] += dice.choice([-0.01, 0.01])
        elif way == 1:
            cut["operators"].remove(dice.choice(cut["operators"]))
        elif way == 2:
            plan["above"] -= 0.1
        else:
            plan["cuts"].append(cut)
    return True


OF_CLAIMS = (
    *(change_claimed_value, change_claimed_act, change_evidence),
    *(change_named_fact, change_claimed_cost, change_bound),
)


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


def no_longer_follow(exported: Json, changed: Json, corrupted: Snapshot) -> list[Json]:
    """List the claims of an export that explanations of the corrupted log do not make; none where there are none.

    A claim of a moment before anything was changed follows as it did.
    """
    entries = enumerate(zip(exported["entries"], changed["entries"], strict=True), start=1)
    first = next((seq for seq, (one, other) in entries if one["event"] != other["event"]), len(exported["entries"]))
    try:
        again, _ = export(corrupted)
        kept = {_identity(claim) for claim in [*again["claims"], *_explained(corrupted)]}
    except Exception:
        return []
    return [claim for claim in exported["claims"] if claim["as_of"] >= first and _identity(claim) not in kept]


def _explained(seen: Snapshot) -> Iterator[Json]:
    """Explain anew, in whichever goal, what was explained."""
    exporter, before = Exporter(seen), Conversation()
    for entry in seen.log:
        exporter.add(entry, before)
        if isinstance(event := entry.event, Explained):
            question = Question(QuestionKind(event.question), event.fact, event.full, event.skill, event.agent)
            for goal in (None, *goals_of(before)):
                record, asked = find_record(seen.catalog, before, question, goal)
                yield from exporter._claim(record, asked, entry.seq - 1, entry.seq)
        before = advance(before, entry)


def _identity(claim: Json) -> str:
    return json.dumps([claim[name] for name in ("kind", "at", "sentences", "evidence")], sort_keys=True)
