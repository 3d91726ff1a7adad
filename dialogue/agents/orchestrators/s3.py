"""`s3`: score, select, sequence (Rizk et al. 2020; Verdi §2.1 and Algorithm 2).

The selector's condition is reversed in print: no agent left out may have a higher score than one that is taken. The
printed loops return inside their bodies, so that only the first agent would run; here every selected agent does.
What else is settled differently, and why, is in docs/papers.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dialogue.agents.model import AgentEvent, AgentName, Answers, Choice, Forced, Order, Preview, Verdict, Why
from dialogue.agents.orchestrators.protocol import State
from dialogue.agents.orchestrators.ranking import LearnsNothing, choose_forced, conclude
from planning.engines import DEFAULT_ENGINE, ENGINES
from planning.model import Limits, Operator, Solved, StepKind, Task, done, known
from planning.plans.solve import solve
from planning.task.index import close_forward

Scorer = Callable[[AgentEvent, Preview], float]
Selector = Callable[[Sequence[tuple[Preview, float]]], tuple[Sequence[AgentName], dict[AgentName, Verdict]]]
Sequencer = Callable[[AgentEvent, Sequence[Preview]], tuple[Sequence[AgentName], Order | None]]
_LIMITS = Limits(time_s=0.5, memory_mib=64.0)


def by_plan(event: AgentEvent, selected: Sequence[Preview]) -> tuple[Sequence[AgentName], Order | None]:
    """Order agents by a plan in which each of them acts; as they were selected where they declare nothing.

    The goal is implicit: that each of them can act (Verdi §3.3). What none of the others makes known is taken to be
    there, because the agent said that it can do something useful; so are the facts that come with the event.

    Of two that do not need each other, the one selected first acts first. Where no plan exists, they act as they were
    selected, and the order says who lacks what.
    """
    names = [preview.agent for preview in selected]
    operators = [_act(preview) for preview in selected]
    if len(names) < 2 or not any(operator.inputs for operator in operators):
        return names, None
    given: set[str] = set()
    for place, one in enumerate(operators):
        others = (*operators[:place], *operators[place + 1 :])
        given.update(set(one.inputs).difference(*(other.outputs for other in others)))
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


@dataclass(frozen=True)
class TopK:
    """Selects the first `count` by score of those at or above the threshold; of equals, those declared first."""

    count: int = 3
    threshold: float = 0.4

    def __call__(self, scored: Sequence[tuple[Preview, float]]) -> tuple[Sequence[AgentName], dict[AgentName, Verdict]]:
        order = sorted(scored, key=lambda one: -one[1])
        able = [one for one in order if one[1] >= self.threshold]
        taken, verdicts = able[: self.count], {}
        for preview, score in order:
            chosen = any(preview is one for one, _ in taken)
            why = Why.SELECTED if chosen else Why.BEYOND_COUNT if score >= self.threshold else Why.BELOW_THRESHOLD
            last = taken[-1] if why is Why.BEYOND_COUNT and taken else None
            verdicts[preview.agent] = Verdict(
                agent=preview.agent,
                chosen=chosen,
                why=why,
                score=score,
                against=last[1] if last else self.threshold,
                other=last[0].agent if last else None,
            )
        return [preview.agent for preview, _ in taken], verdicts


@dataclass(frozen=True)
class S3Orchestrator(LearnsNothing):
    """Scores all previews, selects the best few, and puts them in order; each part can be replaced."""

    scorer: Scorer = lambda _, preview: preview.confidence
    selector: Selector = TopK()
    sequencer: Sequencer = by_plan
    name: str = "s3"
    description: str = "Scores all agents, selects the best few above a threshold, and lets them act in order."

    def choose(self, state: State, event: AgentEvent, answers: Answers, forced: Forced | None, seed: int) -> Choice:
        """Choose as many agents as the selector takes, in the sequencer's order."""
        if forced is not None and (choice := choose_forced(answers, forced)) is not None:
            return choice
        selected, verdicts = self.selector([(one, self.scorer(event, one)) for one in answers.previews])
        by_name = {one.agent: one for one in answers.previews}
        agents, order = self.sequencer(event, [by_name[name] for name in selected])
        choice = conclude(answers, tuple(agents), list(verdicts.values()))
        return choice if order is None else choice.model_copy(update={"order": order})
