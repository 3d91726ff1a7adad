"""The planner as sequencer: agents that were selected are put in order by what they need and make known.

The goal is implicit: that each of them can act (Verdi §3.3). What none of the others makes known is taken
to be there, because the agent said that it can do something useful; so are the facts that come with the event.
"""

from __future__ import annotations

from collections.abc import Sequence

from dialogue.agents.model import AgentEvent, AgentName, Order, Preview
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.model import Limits, Operator, Solved, StepKind, Task, done, known
from planning.plans.solve import solve
from planning.task.index import close_forward

_LIMITS = Limits(time_s=0.5, memory_mib=64.0)


def by_plan(event: AgentEvent, selected: Sequence[Preview]) -> tuple[Sequence[AgentName], Order | None]:
    """Order agents by a plan in which each of them acts; as they were selected where they declare nothing.

    Of two that do not need each other, the one selected first acts first. Where no plan exists, they act as they were
    selected, and the order says who lacks what.
    """
    names = [preview.agent for preview in selected]
    operators = [_act(preview) for preview in selected]
    if len(names) < 2 or not any(operator.inputs for operator in operators):
        return names, None
    given = {fact for one in operators for fact in one.inputs if not _made_by_others(one, operators, fact)}
    initial = frozenset(map(known, given.union(event.context)))
    result = solve(Task(initial, frozenset(map(done, names)), operators), ENGINES[DEFAULT_ENGINE], _LIMITS)
    if isinstance(result, Solved):
        return [step.subject for step in result.plan.steps], Order()
    reached = close_forward(initial, operators)
    lacking = {one.subject: tuple(atom.subject for atom in sorted(one.needs - reached)) for one in operators}
    return names, Order(unmet={name: facts for name, facts in lacking.items() if facts})


def _act(preview: Preview) -> Operator:
    """Return what an agent needs and makes known: what it is declared with, and all its actions together."""
    inputs, made = dict.fromkeys(preview.inputs), dict[str, None]()
    for action in preview.actions:
        inputs.update(dict.fromkeys(fact for fact in action.inputs if fact not in made))
        made.update(dict.fromkeys(action.outputs))
    outputs = dict.fromkeys((*preview.outputs, *made))
    return Operator(
        kind=StepKind.SKILL,
        subject=preview.agent,
        needs=frozenset(map(known, inputs)),
        adds=frozenset((done(preview.agent), *map(known, outputs))),
        cost=1.0,
        inputs=tuple(inputs),
        outputs=tuple(outputs),
    )


def _made_by_others(one: Operator, operators: Sequence[Operator], fact: str) -> bool:
    return any(fact in other.outputs for other in operators if other is not one)
