"""Tasks that NL2Flow's own generator draws: a fresh sample by a seed, or one that was kept as JSON.

Agents take some variables and give others; variables may be asked for (slot filling) or taken for others (mapping), and
some agents have to be carried out. So an agent is a skill, a variable a fact, and each call, question and mapping is
counted as by default. NL2Flow says by its own compilation and K* whether there is a plan.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.planning.peers.ask import WORKERS
from benchmarks.planning.peers.environments import find_python
from benchmarks.planning.public.sets import BadSet, PublicTask
from catalog.model import Catalog, Fact, Goal, Mode, Outcome, Skill
from catalog.model.catalog import FactMapping
from planning.model import PlanGoal, Situation

MOST_S = 3_600


def draw(seed: int, count: int) -> list[Mapping[str, Any]]:
    """Draw a sample with NL2Flow, in its own environment."""
    python = find_python("nl2flow")
    if python is None:
        raise BadSet("NL2Flow's environment is not there: python -m benchmarks.planning.peers makes it.")
    done = subprocess.run(
        [str(python), str(WORKERS / "sample_nl2flow.py")],
        input=json.dumps({"seed": seed, "count": count}),
        capture_output=True,
        text=True,
        check=False,
        timeout=MOST_S,
    )
    if done.returncode:
        raise BadSet(f"NL2Flow drew no sample: {done.stderr[-1_000:]}")
    drawn: list[Mapping[str, Any]] = json.loads(done.stdout)
    return drawn


def read_sample(file: Path) -> list[Mapping[str, Any]]:
    """Read a sample that was kept."""
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise BadSet(f"{file} cannot be read as JSON: {fault}.") from fault
    if not isinstance(kept, list):
        raise BadSet(f"{file} holds no list of samples. `--keep FILE` writes one.")
    return kept


def load_sample(sample: Sequence[Mapping[str, Any]]) -> Iterator[PublicTask]:
    """Turn each of a sample into a task."""
    for number, drawn in enumerate(sample, start=1):
        yield load_drawn(f"nl2flow {number}", drawn)


def load_drawn(name: str, drawn: Mapping[str, Any]) -> PublicTask:
    """Turn what NL2Flow drew into a task."""
    try:
        agents = {agent["agent_id"]: agent["actuator_signature"] for agent in drawn["available_agents"]}
        items = [item for agent in agents.values() for side in agent.values() for item in side]
        mappings = [(source, target) for source, target, _ in drawn["mappings"]]
        wanted = tuple(dict.fromkeys(drawn["goal_agent_ids"]))
        in_memory = [variable for variable, _ in drawn["available_data"]]
        known = in_memory if drawn["agent_info_generator_input"]["should_objects_known_in_memory"] else []
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise BadSet(f"{name} is not as NL2Flow 0.1.3 writes it: {fault!r}. Draw the sample anew.") from fault
    askable: dict[str, bool] = {}
    for item in items:
        askable[item["name"]] = askable.get(item["name"], True) and item["slot_fillable"]
    for variable in (*in_memory, *[variable for pair in mappings for variable in pair]):
        askable.setdefault(variable, True)  # no agent says of it that nobody may be asked
    facts = {variable: Fact(name=variable, askable=may_ask) for variable, may_ask in askable.items()}
    skills = {agent: _skill(agent, signature) for agent, signature in agents.items()}
    pairs = [FactMapping(fact=source, stands_for=target) for source, target in dict.fromkeys(mappings)]
    goals = {"goal": Goal(name="goal", skills=wanted)}
    catalog = Catalog(name="nl2flow", facts=facts, skills=skills, mappings=tuple(pairs), goals=goals)
    return PublicTask(name, catalog, Situation(known=frozenset(known)), PlanGoal(skills=wanted))


def _skill(agent: str, signature: Mapping[str, Any]) -> Skill:
    taken, given = (
        tuple(dict.fromkeys(item["name"] for item in signature[side])) for side in ("in_sig_full", "out_sig_full")
    )
    outcome = Outcome(name="given", facts=given)
    return Skill(name=agent, modes={"only": Mode(name="only", inputs=taken, outcomes={"given": outcome})})
