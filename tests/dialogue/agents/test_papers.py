"""What the papers and their code say at the figures where they part, row by row of docs/papers.md."""

from __future__ import annotations

import pytest

from dialogue.agents.feedback import feedback_from
from dialogue.agents.model import (
    AgentEvent,
    Answers,
    Choice,
    Forced,
    Moment,
    Preview,
    ProposedAction,
    Reaction,
    Stage,
)
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.orchestrators.threshold import ThresholdOrchestrator

CLEAN = AgentEvent(text="clean")
FAILED = AgentEvent(text="clean", stage=Stage.AFTER, output="clean: command not found", exit_code=127)
CLEAR = AgentEvent(text="clear")


def choose(name: str, forced: Forced | None = None, /, **confidences: float) -> Choice:
    """Let an orchestrator choose that prefers `man` to `howdoi`, and knows nothing else."""
    orchestrator = ORCHESTRATORS[name](OrchestratorOptions(preferences=(("man", "howdoi"),)))
    previews = [
        Preview(agent=agent, confidence=sure, actions=(ProposedAction(text=agent),))
        for agent, sure in confidences.items()
    ]
    return orchestrator.choose(orchestrator.begin(), CLEAN, Answers.of(confidences, previews), forced, 1)


@pytest.mark.row("C1", "C3", "C5", "V21")
@pytest.mark.parametrize(
    ("name", "confidences", "acting"),
    [
        ("max", {"fix": 0.39, "man": 0.2}, ()),
        ("max", {"fix": 0.4, "man": 0.2}, ("fix",)),
        ("max", {"man": 0.7, "fix": 0.7}, ("man",)),
        ("preference", {"howdoi": 0.9, "man": 0.1}, ("man",)),
        ("preference", {"howdoi": 0.9, "man": 0.09}, ("howdoi",)),
        ("preference", {"howdoi": 0.9, "man": 0.3, "fix": 0.95}, ("fix",)),
        ("threshold", {"fix": 0.2, "man": 0.1}, ()),
        ("threshold", {"fix": 0.21, "man": 0.1}, ("fix",)),
        ("bandit", {"fix": 0.39, "man": 0.2}, ()),
        ("bandit", {"fix": 0.4, "man": 0.2}, ("fix",)),
        ("s3", {"fix": 0.4, "man": 0.39, "howdoi": 0.8}, ("howdoi", "fix")),
        ("s3", {"a": 0.5, "b": 0.6, "c": 0.7, "d": 0.8}, ("d", "c", "b")),
    ],
)
def test_where_documents_and_code_part_each_orchestrator_chooses_as_is_written_down(
    name: str, confidences: dict[str, float], acting: tuple[str, ...]
) -> None:
    assert choose(name, **confidences).agents == acting


@pytest.mark.row("C2")
@pytest.mark.parametrize("name", ORCHESTRATORS)
def test_forced_to_respond_each_of_them_does_without_threshold_or_preference(name: str) -> None:
    assert choose(name, Forced(), howdoi=0.05, man=0.04).agents == ("howdoi",)
    assert choose(name, Forced(agent="man"), howdoi=0.9, man=0.0).agents == ("man",)


def test_the_documented_example_teaches_that_both_suggestions_were_followed() -> None:
    """`clean`, “do you mean clear? (y/n/e)” n, command not found, “maybe try out clear instead”, `clear`."""
    suggested = Preview(agent="fix", confidence=0.8, actions=(ProposedAction(text="clear"),))
    answers = Answers.of(["fix"], [suggested])
    acted = Choice(agents=("fix",), verdicts=())
    before = Moment(event=CLEAN, answers=answers, choice=acted, reaction=Reaction.DISMISSED)
    after = Moment(event=FAILED, answers=answers, choice=acted)
    threshold = ThresholdOrchestrator()
    state = threshold.begin()
    for feedback in feedback_from(before, after, CLEAR):
        state = threshold.observe(state, feedback)
    assert threshold.threshold(state, Stage.BEFORE, "fix") == pytest.approx(0.18)
    assert threshold.threshold(state, Stage.AFTER, "fix") == pytest.approx(0.18)
    state = threshold.begin()
    for feedback in feedback_from(before, after, AgentEvent(text="clear all of it")):
        state = threshold.observe(state, feedback)
    assert threshold.threshold(state, Stage.BEFORE, "fix") == pytest.approx(0.25)
