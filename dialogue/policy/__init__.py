"""What chooses the next thing to do: one module a policy, one registry."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from dialogue.policy.planner import PlannerPolicy
from dialogue.policy.protocol import Achieved, Decision, Policy, Proceed, Replanned
from planning.engines import Engine

POLICIES: Mapping[str, Callable[[Engine], Policy]] = {
    "planner": PlannerPolicy,
}
"""Each is made with the engine it may use."""


def remembering(policy: Policy) -> Policy:
    """Give a policy that decides as another does, and plans once for each situation of one catalog.

    One that remembers already is given as it is, with what it remembers.
    """
    if isinstance(policy, PlannerPolicy) and policy.memory is None:
        return replace(policy, memory={})
    return policy


__all__ = [
    "POLICIES",
    "Achieved",
    "Decision",
    "PlannerPolicy",
    "Policy",
    "Proceed",
    "Replanned",
    "remembering",
]
