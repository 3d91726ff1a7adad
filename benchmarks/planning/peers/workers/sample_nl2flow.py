"""Draw tasks with NL2Flow's generator, and plan for them with K*: runs inside NL2Flow's own environment.

Reads a seed and a count as JSON from standard input; writes a list of what was drawn, each with the number of steps of
its best plan (None where it finds that there is none), as JSON to standard output.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from nl2flow.plan.planners.kstar import Kstar
from profiler.converters.info_2_flow_converter import get_flow_from_agent_infos
from profiler.data_types.generator_data_type import AgentInfoGeneratorInput
from profiler.generators.info_generator.agent_info_generator import generate_agent_infos

LIMIT_S = 60


def draw() -> Any:
    """Draw one task; None where the generator cannot make one of what was chosen."""
    agents = random.randint(2, 20)
    inputs = random.randint(1, 4)
    chosen = AgentInfoGeneratorInput(
        num_agents=agents,
        num_var=random.randint(2 * inputs + 2, 2 * inputs + 20),
        num_input_parameters=inputs,
        num_samples=1,
        num_goal_agents=random.randint(1, min(3, agents)),
        proportion_coupled_agents=random.choice((0.0, 0.5, 1.0)),
        proportion_slot_fillable_variables=random.choice((0.2, 0.5, 0.8, 1.0)),
        proportion_mappable_variables=random.choice((0.0, 0.3, 0.6)),
        should_objects_known_in_memory=random.random() < 0.5,
    )
    drawn, done = generate_agent_infos(chosen, random)
    return drawn[0] if done and drawn else None


def plan(drawn: Any) -> dict[str, Any]:
    """Plan for a task by NL2Flow's own compilation."""
    flow = get_flow_from_agent_infos(
        available_agents=drawn.available_agents,
        mappings=drawn.mappings,
        goals=set(drawn.goal_agent_ids),
        available_data=drawn.available_data,
        should_objects_known_in_memory=drawn.agent_info_generator_input.should_objects_known_in_memory,
    )
    planner = Kstar()
    planner.timeout = LIMIT_S
    found = flow.plan_it(planner)
    best = found.best_plan
    state = "time-out" if found.is_timeout else "solved" if best else "no plan" if found.is_no_solution else "failed"
    return {"state": state, "steps": [[step.name, *step.inputs] for step in best.plan] if best else None}


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    random.seed(request["seed"])
    out, sys.stdout = sys.stdout, sys.stderr
    answer: list[dict[str, Any]] = []
    while len(answer) < request["count"]:
        try:
            drawn = draw()
        except ValueError:  # it does not accept every choice
            continue
        if drawn is not None:
            answer.append({**drawn.model_dump(mode="json"), "nl2flow": plan(drawn)})
    json.dump(answer, out)


if __name__ == "__main__":
    main()
