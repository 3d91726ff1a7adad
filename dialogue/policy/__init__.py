"""Policies, which decide the next step for a goal: one module each, and a registry."""

from collections.abc import Mapping
from dataclasses import replace

from dialogue.policy.planner import PlannerPolicy
from dialogue.policy.protocol import Achieved, Decision, Policy, PolicyFactory, Proceed, Replanned

POLICIES: Mapping[str, PolicyFactory] = {
    "planner": PlannerPolicy,
}
"""Each is made with the engine it may use, and the limits of one search."""


def remembering(policy: Policy) -> Policy:
    """Return a policy that decides as another does, and plans once for each situation of one catalog.

    One that remembers already is returned as it is, with what it remembers.
    """
    if isinstance(policy, PlannerPolicy) and policy.memory is None:
        return replace(policy, memory={})
    return policy


def beginning_early(policy: Policy) -> Policy:
    """Return a policy that decides as another does, and begins with a first plan before it is improved."""
    return replace(policy, begins_early=True) if isinstance(policy, PlannerPolicy) else policy
