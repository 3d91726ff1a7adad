"""Each choice is explained by its log alone: an independent checker names the same agents and the same reasons."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from dialogue.agents.model import AgentEvent, Answers, Forced, Preview, Silence, SilenceReason, Why
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.orchestrators.bandit import Profile
from tests.dialogue.agents.checker import complaints
from tests.dialogue.agents.made_up import NAMES, MadeUp

CHOICES = 1_000
MANY = 10_000

Json = dict[str, Any]


def told(seed: int) -> tuple[list[Json], list[Json], Json]:
    """Return the log of a session, what was learned, and the options: objects of its own each time, to be spoiled."""
    log, lessons, options = json.loads(lived(seed))
    return log, lessons, options


@lru_cache(maxsize=150)
def lived(seed: int) -> str:
    """Live a session under an orchestrator at random; it is the same each time."""
    rng = Random(f"options {seed}")
    names = rng.sample(NAMES, len(NAMES))
    pairs = tuple(
        (names[i], names[j]) for i in range(len(names)) for j in range(i + 1, len(names)) if rng.random() < 0.2
    )
    agent, other = rng.sample(NAMES, 2)
    profile = rng.choice(
        [
            Profile(),
            Profile(kind="quiet"),
            Profile(kind="ignore", agent=agent),
            Profile(kind="prefer", agent=agent, other=other),
        ]
    )
    explore = rng.choice(["thompson", "ucb"])
    options = OrchestratorOptions.model_validate({"preferences": pairs, "profile": profile, "explore": explore})
    name = rng.choice(sorted(ORCHESTRATORS))
    session = MadeUp(ORCHESTRATORS[name](options), seed, rng.randint(1, 30), undoing=0.1)
    log, lessons = ([entry.model_dump(mode="json") for entry in one] for one in (session.log, session.lessons))
    return json.dumps([log, lessons, options.model_dump(mode="json")])


def check_many(many: int) -> None:
    seen: set[str] = set()
    choices = seed = 0
    while choices < many:
        log, lessons, options = told(seed)
        assert complaints(log, lessons, options) == [], f"session {seed}"
        chosen = [entry["event"]["choice"] for entry in log if entry["event"]["kind"] == "chosen"]
        seen |= {verdict["why"] for choice in chosen for verdict in choice["verdicts"]}
        choices += len(chosen)
        seed += 1
    assert seen >= set(Why) - {Why.ANSWERS_ITS_QUESTION, Why.ANOTHERS_QUESTION}, "each reason came up"


def test_choices_made_up_at_random_are_explained_by_their_logs() -> None:
    check_many(CHOICES)


@pytest.mark.long
def test_ten_thousand_choices_are_explained_by_their_logs() -> None:
    check_many(MANY)


def wrong_agent(rng: Random, choice: Json) -> None:
    others = [verdict["agent"] for verdict in choice["verdicts"] if not verdict["chosen"]]
    choice["agents"] = [rng.choice([*others, "somebody else"])]


def nobody_acts(rng: Random, choice: Json) -> None:
    choice["agents"] = [] if choice["agents"] else ["fix"]


def wrong_reason(rng: Random, choice: Json) -> None:
    verdict = rng.choice(choice["verdicts"])
    verdict["why"] = rng.choice([why.value for why in Why if why.value != verdict["why"]])


def wrong_mark(rng: Random, choice: Json) -> None:
    verdict = rng.choice(choice["verdicts"])
    verdict["chosen"] = not verdict["chosen"]


def wrong_figure(rng: Random, choice: Json) -> None:
    verdict = rng.choice(choice["verdicts"])
    name = rng.choice(["score", "against"])
    verdict[name] = 0.123 if verdict.get(name) is None else verdict[name] + rng.choice([-0.01, 0.01])


def wrong_other(rng: Random, choice: Json) -> None:
    verdict = rng.choice(choice["verdicts"])
    verdict["other"] = rng.choice([name for name in (*NAMES, None) if name != verdict.get("other")])


def missing_verdict(rng: Random, choice: Json) -> None:
    choice["verdicts"].remove(rng.choice(choice["verdicts"]))


def another_order(rng: Random, choice: Json) -> None:
    choice["verdicts"].append(choice["verdicts"].pop(0) if len(choice["verdicts"]) > 1 else dict(choice["verdicts"][0]))


MUTATIONS = (
    wrong_agent,
    nobody_acts,
    wrong_reason,
    wrong_mark,
    wrong_figure,
    wrong_other,
    missing_verdict,
    another_order,
)


@pytest.mark.parametrize("spoil", MUTATIONS, ids=lambda spoil: spoil.__name__)
def test_the_checker_objects_to_a_log_that_was_spoiled(spoil: Any) -> None:
    """A wrong agent, reason, mark or figure in one verdict of one choice is found, wherever it is."""
    for seed in range(60):
        log, lessons, options = told(seed)
        rng = Random(seed)
        chosen = [entry for entry in log if entry["event"]["kind"] == "chosen" and entry["event"]["choice"]["verdicts"]]
        if not chosen:
            continue
        entry = rng.choice(chosen)
        spoil(rng, entry["event"]["choice"])
        found = complaints(log, lessons, options)
        assert found and all(one.startswith(f"entry {entry['seq']}:") for one in found), (seed, entry["event"])


def test_the_checker_objects_where_what_was_learned_was_tampered_with() -> None:
    """Thresholds and estimates are computed from the lessons: others give other figures."""
    objected = looked_at = 0
    for seed in range(150):
        log, lessons, options = told(seed)
        name = next(entry["event"]["orchestrator"] for entry in log if entry["event"]["kind"] == "chosen")
        changed = [
            {**one, "event": {**one["event"], "feedback": {**one["event"]["feedback"], "reaction": "thumbs_down"}}}
            if one["event"]["kind"] == "learned" and one["event"]["feedback"]["agents"]
            else one
            for one in lessons
        ]
        if name in ("bandit", "threshold") and changed != lessons and len(lessons) > 8:
            looked_at += 1
            objected += bool(complaints(log, changed, options))
    assert looked_at > 10
    assert objected > 0.8 * looked_at


def test_the_checker_objects_where_an_answer_was_more_confident_than_is_said() -> None:
    for seed in range(60):
        log, lessons, options = told(seed)
        asked = [
            entry for entry in log if entry["event"]["kind"] == "broadcast" and entry["event"]["answers"]["previews"]
        ]
        if asked:
            preview = Random(seed).choice(asked)["event"]["answers"]["previews"][0]
            preview["confidence"] = (preview["confidence"] + 0.37) % 1
            assert complaints(log, lessons, options), seed


def test_the_planner_acts_where_the_agent_that_was_asked_for_has_no_answer() -> None:
    """As if nobody had been asked for: the checker found that the most confident agent acted instead."""
    previews = [Preview(agent="assistant", confidence=0.1), Preview(agent="find", confidence=0.9)]
    silent = Silence(agent="fix", reason=SilenceReason.NOTHING_TO_OFFER)
    answers = Answers.of(("assistant", "find", "fix"), [*previews, silent])
    planner = ORCHESTRATORS["planner"](OrchestratorOptions())
    choice = planner.choose(planner.begin(), AgentEvent(text="gti"), answers, Forced(agent="fix"), 0)
    assert choice.agents == ("assistant",)
