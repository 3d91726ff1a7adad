"""Judge choices by their log alone: who should have acted, and why everybody else did not.

It reads JSON, and shares no code with the orchestrators: what each does is written here a second time, as the
descriptions of orchestrators say it. `lessons` is the learner's stream.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

Json = dict[str, Any]
NEAR = 1e-6
WORTH = {"followed": 1.0, "thumbs_up": 1.0, "edited": 0.6, "ignored": -0.3, "dismissed": -0.6, "thumbs_down": -1.0}


def complaints(log: Sequence[Json], lessons: Sequence[Json], options: Json) -> list[str]:
    """List what is wrong with the choices of a log; nothing, if each is as it should be."""
    entries = {entry["seq"]: entry["event"] for entry in log}
    found = []
    for seq, event in entries.items():
        if event["kind"] == "chosen":
            asked = entries[event["of"]]
            wrong = _judge(event, asked, _kept(lessons, event.get("learned", 0)), options)
            found += [f"entry {seq}: {words}" for words in wrong]
    return found


def _kept(lessons: Sequence[Json], upto: int) -> list[Json]:
    """Return what was learned by then, and not taken back."""
    kept: list[Json] = []
    for entry in lessons[:upto]:
        event = entry["event"]
        if event["kind"] == "learned":
            kept.append(entry)
        else:
            kept = [one for one in kept if event["of"] not in (0, one["seq"])]
    return [one["event"]["feedback"] for one in kept]


def _judge(chosen: Json, asked: Json, lessons: Sequence[Json], options: Json) -> Iterator[str]:
    answers, choice = asked["answers"], chosen["choice"]
    told = {verdict["agent"]: verdict for verdict in choice["verdicts"]}
    sure = {one["agent"]: one["confidence"] for one in answers["previews"]}
    forced = chosen.get("forced")
    if forced is not None and forced["agent"] not in ((None, *sure) if sure else ()):
        forced = None  # nobody could be forced
    stage = asked["event"].get("stage", "before")
    who, why = _RULES["forced" if forced else chosen["orchestrator"]](
        {"sure": sure, "forced": forced, "stage": stage, "lessons": lessons, "seed": choice.get("seed"), **options}
    )
    for one in answers.get("silent", ()):
        why[one["agent"]] = ("silent", None, None, None)
    wanted = [agent for agent in (*answers["declared"], "nobody") if agent in why]
    if [verdict["agent"] for verdict in choice["verdicts"]] != wanted:
        yield f"verdicts on {list(told)}, and {wanted} are due, in this order"
        return
    if chosen["orchestrator"] == "s3" and not forced:
        yield from _order(choice, answers["previews"], who)
    elif choice["agents"] != who:
        yield f"{choice['agents']} act, and {who} should"
    for agent, (code, score, against, other) in why.items():
        verdict = told[agent]
        if verdict["chosen"] is not (agent in who or (agent == "nobody" and not who)):
            yield f"{agent}: chosen is {verdict['chosen']}"
        if verdict["why"] != code or verdict.get("other") != other:
            yield f"{agent}: {verdict['why']} ({verdict.get('other')}), and it is {code} ({other})"
        for name, value in (("score", score), ("against", against)):
            if not _alike(verdict.get(name), value):
                yield f"{agent}: {name} {verdict.get(name)}, and it is {value}"


def _alike(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=0, abs_tol=NEAR)


Why = tuple[str, float | None, float | None, str | None]
Verdicts = tuple[list[str], dict[str, Why]]


def _highest(sure: Mapping[str, float]) -> str | None:
    """Return the most confident; of equal ones the first that was declared."""
    best: str | None = None
    for agent, confidence in sure.items():
        if best is None or confidence > sure[best]:
            best = agent
    return best


def _compared(sure: Mapping[str, float], able: Mapping[str, float], why: dict[str, Why]) -> Verdicts:
    best = _highest(able)
    if best is None:
        return [], why
    for agent, confidence in able.items():
        code = "tie" if confidence == able[best] else "lower"
        why[agent] = ("best", confidence, None, None) if agent == best else (code, confidence, able[best], best)
    return [best], why


def _max(given: Json) -> Verdicts:
    sure = given["sure"]
    able = {agent: confidence for agent, confidence in sure.items() if confidence >= 0.4}
    return _compared(sure, able, {a: ("below_threshold", c, 0.4, None) for a, c in sure.items() if a not in able})


def _planner(given: Json) -> Verdicts:
    sure = given["sure"]
    if "assistant" not in sure:
        return _max(given)
    own = sure["assistant"]
    why: dict[str, Why] = {agent: ("planner_first", c, own, "assistant") for agent, c in sure.items()}
    why["assistant"] = ("plans", own, None, None)
    return ["assistant"], why


def _preference(given: Json) -> Verdicts:
    sure = given["sure"]
    high = {agent: confidence for agent, confidence in sure.items() if confidence >= 0.1}
    why: dict[str, Why] = {a: ("below_threshold", c, 0.1, None) for a, c in sure.items() if a not in high}
    for agent, confidence in high.items():
        better = {one: c for one, c in high.items() if _outranks(given["preferences"], one, agent)}
        if better:
            first = _highest(better)
            assert first is not None
            why[agent] = ("another_preferred", confidence, better[first], first)
    return _compared(sure, {agent: c for agent, c in high.items() if agent not in why}, why)


def _outranks(pairs: Sequence[Sequence[str]], one: str, other: str) -> bool:
    return any(better == one and (worse == other or _outranks(pairs, worse, other)) for better, worse in pairs)


def _threshold(given: Json) -> Verdicts:
    sure = given["sure"]
    thresholds: dict[str, float] = {}
    for lesson in given["lessons"]:
        if lesson["stage"] == given["stage"]:
            for agent, worth in _worth(lesson).items():
                now = thresholds.get(agent, 0.2) + (-0.02 if worth > 0 else 0.05)
                thresholds[agent] = min(0.95, max(0.02, now))
    why: dict[str, Why] = {}
    able = {}
    for agent, confidence in sure.items():
        threshold = round(thresholds.get(agent, 0.2), 6)
        if confidence > threshold:
            able[agent] = confidence
        else:
            why[agent] = ("below_threshold", confidence, threshold, None)
    return _compared(sure, able, why)


def _worth(lesson: Json) -> dict[str, float]:
    """Return what each that acted was worth."""
    own, typed = WORTH[lesson["reaction"]] if lesson.get("reaction") else 0.0, lesson.get("typed", ())
    return {agent: own if not typed or agent in typed else WORTH["ignored"] for agent in lesson["agents"]}


def _s3(given: Json) -> Verdicts:
    sure = given["sure"]
    order = sorted(sure, key=lambda agent: -sure[agent])
    able = [agent for agent in order if sure[agent] >= 0.4]
    taken = able[:3]
    why: dict[str, Why] = {}
    for agent in order:
        if agent in taken:
            why[agent] = ("selected", sure[agent], 0.4, None)
        elif agent in able:
            why[agent] = ("beyond_count", sure[agent], sure[taken[-1]], taken[-1])
        else:
            why[agent] = ("below_threshold", sure[agent], 0.4, None)
    return taken, why


def _order(choice: Json, previews: Sequence[Json], selected: Sequence[str]) -> Iterator[str]:
    """Judge the order of agents: each acts after those that make known what it needs, wherever that can be."""
    acting = choice["agents"]
    if sorted(acting) != sorted(selected):
        yield f"{acting} act, and {list(selected)} should"
        return
    needs: dict[str, set[str]] = {}
    makes: dict[str, set[str]] = {}
    for one in previews:
        needs[one["agent"]], makes[one["agent"]] = set(), set()
        for action in one["actions"]:
            needs[one["agent"]] |= set(action.get("inputs", ())) - makes[one["agent"]]
            makes[one["agent"]] |= set(action.get("outputs", ()))
    order = choice.get("order")
    if order is None or order.get("unmet"):
        if acting != list(selected):
            yield f"the order is {acting}, and they were selected as {list(selected)}"
        return
    known: set[str] = set()
    for agent in selected:  # what an agent needs, and no other makes known, is there
        known |= needs[agent].difference(*(makes[one] for one in selected if one != agent))
    for agent in acting:
        missing = needs[agent] - known
        known |= makes[agent]
        if missing:
            yield f"{agent} acts before what it needs is known: {sorted(missing)}"


def _bandit(given: Json) -> Verdicts:
    sure = {**given["sure"], "nobody": 0.0}
    if not given["sure"]:
        return [], {}
    profile = given["profile"]
    arms = sorted(sure)
    spread = np.ones(len(arms))
    if given["explore"] == "thompson":
        spread = np.clip(np.random.default_rng(given["seed"]).standard_normal(len(arms)), -3, 3)
    advised = _advised(given["sure"], profile)
    scores = {}
    for arm, draw in zip(arms, spread, strict=True):
        precision, moment = _belief(arm, given["lessons"], given["stage"], profile)
        (a, b), (_, d) = precision
        seen = sure[arm]
        part = a * d - b * b
        mean = (moment[0] * (d - b * seen) + moment[1] * (a * seen - b)) / part
        deviation = math.sqrt((d - 2 * b * seen + a * seen * seen) / part)
        advice = 4.0 * 0.5 ** (a - _weight(arm, profile)) if arm == advised else 0.0
        scores[arm] = mean + advice + 0.2 * deviation * draw
    best = _highest({arm: scores[arm] for arm in sure})
    assert best is not None
    why: dict[str, Why] = {
        arm: ("drew_most", scores[arm], None, None) if arm == best else ("drew_less", scores[arm], scores[best], best)
        for arm in scores
    }
    return [] if best == "nobody" else [best], why


def _advised(sure: Mapping[str, float], profile: Json) -> str:
    able = {agent: confidence for agent, confidence in sure.items() if confidence >= 0.4}
    if profile["kind"] == "quiet":
        able = {}
    if profile["kind"] == "ignore":
        able.pop(profile["agent"], None)
    if profile["kind"] == "prefer" and profile["agent"] in able:
        able.pop(profile["other"], None)
    return _highest(able) or "nobody"


def _turned_down(arm: str, profile: Json) -> bool:
    return arm != "nobody" and (profile["kind"] == "quiet" or (profile["kind"] == "ignore" and arm == profile["agent"]))


def _weight(arm: str, profile: Json) -> float:
    return 4.0 if _turned_down(arm, profile) else 1.0


def _belief(arm: str, lessons: Sequence[Json], stage: str, profile: Json) -> tuple[list[list[float]], list[float]]:
    """Return precision and moment of an arm after all lessons: Bayes' rule for a line through (1, confidence)."""
    weight = _weight(arm, profile)
    first = [[weight, 0.0], [0.0, weight]], [-0.4 * weight, weight]
    if arm == "nobody":
        first = first[0], [0.0, 0.0]
    elif _turned_down(arm, profile):
        first = first[0], [weight * WORTH["dismissed"], 0.0]
    precision, moment = first
    for lesson in lessons:
        for learned, worth, share in _observed(lesson) if lesson["stage"] == stage else ():
            if learned == arm:
                kept = 0.997**share
                seen = (1.0, lesson["confidences"].get(arm, 0.0))
                precision = [
                    [kept * precision[i][j] + (1 - kept) * first[0][i][j] + share * seen[i] * seen[j] for j in (0, 1)]
                    for i in (0, 1)
                ]
                moment = [kept * moment[i] + (1 - kept) * first[1][i] + share * worth * seen[i] for i in (0, 1)]
    return precision, moment


def _observed(lesson: Json) -> Iterator[tuple[str, float, float]]:
    wanted = lesson.get("wanted", ())
    if not lesson["agents"] and lesson["confidences"]:
        yield "nobody", 0.0, 1.0
    for agent, worth in _worth(lesson).items():
        yield agent, worth, 1.0
    for agent in lesson["confidences"] if wanted else ():
        if agent in wanted:
            yield agent, WORTH["followed"], 1.0
        elif agent not in lesson["agents"]:
            yield agent, WORTH["ignored"], 0.3


def _forced(given: Json) -> Verdicts:
    sure, named = given["sure"], given["forced"]["agent"]
    best = _highest(sure) if named is None else named
    assert best is not None
    why: dict[str, Why] = {}
    for agent, confidence in sure.items():
        code = "not_called_for" if named is not None else "tie" if confidence == sure[best] else "lower"
        why[agent] = ("forced", confidence, None, None) if agent == best else (code, confidence, sure[best], best)
    return [best], why


_RULES = {
    "max": _max,
    "planner": _planner,
    "preference": _preference,
    "threshold": _threshold,
    "s3": _s3,
    "bandit": _bandit,
    "forced": _forced,
}
