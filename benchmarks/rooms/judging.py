"""Judging: milliseconds that governance takes for a message where hundreds of norms are in force.

    python -m benchmarks.rooms.judging [--norms 500] [--messages 400] [--rooms 5]

The norms of each room are made up: half of them always stand, the others begin with the conversation or by transitions;
a third bears on a role, a third on a participant, a third on everybody; a quarter has an exception. All have one or two
filters: by act, topic, receivers, or whom a message answers. The peer is the plain judge of tests/explain/rooms, which
shares no code with governance and goes through all norms each time. Both judge the same messages, and verdicts must be
the same. CPU time counts: of governance, which has no state, the median of five times for each message. The ratio tells
something on a busy machine, too.
"""

from __future__ import annotations

from argparse import ArgumentParser
from random import Random
from statistics import median, quantiles
from time import process_time_ns
from typing import Any

from catalog.norms import Message, NormSpecification, Utterance
from catalog.norms.vocabulary import EVERYBODY, SPEECH_ACTS
from dialogue.rooms.governance.judge import Governance
from dialogue.rooms.governance.verdict import MessageVerdict
from tests.explain.rooms.own_judge import OwnJudge

REPEATED = 5
ROLES = tuple(f"role_{at}" for at in range(10))
BOTS = tuple(f"bot_{at}" for at in range(20))
TOPICS = tuple(f"topic_{at}" for at in range(30))
KINDS = ("obligation", "permission", "prohibition", "prohibition")


def make_up(norms: int, random: Random) -> dict[str, Any]:
    """Make up a room, as the JSON of a norm file."""
    data: dict[str, Any] = {
        "name": "crowd",
        "topics": {topic: {} for topic in TOPICS},
        "protocol": {"states": ["open"]},
        "roles": {role: {"within": random.choice(ROLES[:at])} if at % 3 else {} for at, role in enumerate(ROLES)},
        "participants": {bot: {"kind": "bot", "roles": random.sample(ROLES, 2)} for bot in BOTS},
        "defaults": {"bot": "permitted"},
        "norms": {f"n{at}": _norm(at, random) for at in range(norms)},
        "descriptors": {f"m{at}": _filters(random, 2) for at in range(norms // 5)},
    }
    begun = [name for name, norm in data["norms"].items() if not norm["standing"]]
    data["initial"] = {"activate": begun}
    data["transitions"] = {
        f"t{at}": {"on": f"m{at}", "activate": random.sample(begun, min(3, len(begun)))} for at in range(norms // 5)
    }
    return data


def _norm(at: int, random: Random) -> dict[str, Any]:
    return {
        "kind": random.choice(KINDS),
        "bearer": random.choice((random.choice(ROLES), random.choice(BOTS), EVERYBODY)),
        "act": _filters(random, random.choice((1, 2))),
        "except": [_filters(random, 1)] if random.random() < 0.25 else [],
        "standing": at % 2 == 0,
    }


def _filters(random: Random, most: int) -> dict[str, Any]:
    drawn = {
        "act": random.sample(SPEECH_ACTS, 2),
        "topic": random.sample(TOPICS, 2),
        "replies_to": random.choice((*ROLES, *BOTS)),
        "receivers": random.choice((*ROLES, *BOTS)),
    }
    return {field: drawn[field] for field in random.sample(sorted(drawn), most)}


def say(random: Random) -> Message:
    """Make up a message of one or two utterances."""
    return Message(
        sender=random.choice(BOTS),
        utterances=tuple(
            Utterance(act=random.choice(SPEECH_ACTS), topic=random.choice(TOPICS)) for _ in range(random.choice((1, 2)))
        ),
        receivers=tuple(random.sample(BOTS, random.choice((0, 1, 3)))),
        replies_to=random.choice((None, *BOTS)),
    )


class Plain(OwnJudge):
    """The judge without what it does for explanations."""

    def lets_pass(self, *_: object) -> bool:
        """Look for no exceptions that let a message pass."""
        return False


def measure(norms: int, messages: int, seed: int) -> tuple[list[int], list[int], int]:
    """Judge messages in one room; return the nanoseconds that both took for each, and how many were denied."""
    random = Random(seed)
    data = make_up(norms, random)
    governance, peer = Governance(NormSpecification.model_validate(data)), Plain(data)
    status = governance.begin()
    ours: list[int] = []
    theirs: list[int] = []
    said = [say(random).model_copy(update={"id": str(number)}) for number in range(messages)]
    verdicts: list[MessageVerdict] = []
    for message in said:
        times = []
        for _ in range(REPEATED):
            began = process_time_ns()
            verdict, after = governance.judge(status, message)
            times.append(process_time_ns() - began)
        ours.append(int(median(times)))
        verdicts.append(verdict)
        status = after
    for verdict, message in zip(verdicts, said, strict=True):
        written = message.model_dump(mode="json")
        began = process_time_ns()
        tag, deciding, _ = peer.judge(message.id, written)
        theirs.append(process_time_ns() - began)
        if (verdict.tag, sorted(verdict.norms)) != (tag, sorted(deciding)):
            raise SystemExit(f"Of message {message.id} of room {seed} both think differently: {verdict}, {deciding}.")
    return ours, theirs, sum(not verdict.posted for verdict in verdicts)


def main() -> None:
    """Measure, and print a table for benchmarks/rooms/README.md."""
    parser = ArgumentParser(description="Time governance with many norms in force.")
    parser.add_argument("--norms", type=int, default=500)
    parser.add_argument("--messages", type=int, default=400)
    parser.add_argument("--rooms", type=int, default=5)
    options = parser.parse_args()
    ours: list[int] = []
    theirs: list[int] = []
    denied = 0
    for seed in range(options.rooms):
        mine, its, more = measure(options.norms, options.messages, seed)
        ours, theirs, denied = [*ours, *mine], [*theirs, *its], denied + more
    print(f"| {options.norms} norms, {len(ours)} messages, {denied} of them denied | median | 95th percentile |")
    print("|---|--:|--:|")
    for name, times in (("governance", ours), ("a plain judge", theirs)):
        print(f"| {name} | {median(times) / 1e6:.3f} ms | {quantiles(times, n=20)[-1] / 1e6:.3f} ms |")
    ratios = [its / mine for mine, its in zip(ours, theirs, strict=True)]
    print(f"| × | {median(ratios):.1f} | |")


if __name__ == "__main__":
    main()
