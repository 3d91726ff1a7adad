"""What people do with suggestions, read as feedback: names and figures, and nothing that was typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.agents.feedback import REWARDS, Feedback, feedback_from
from dialogue.agents.model import (
    AgentEvent,
    Answers,
    Choice,
    Moment,
    Preview,
    ProposedAction,
    Reaction,
    Stage,
)
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from tests.dialogue.agents.made_up import MadeUp

SAID = AgentEvent(text="clean")
ELSE = AgentEvent(text="ls")


def moment(*acting: str, reaction: Reaction | None = None, stage: Stage = Stage.BEFORE, **suggested: str) -> Moment:
    previews = [
        Preview(agent=agent, confidence=0.5, actions=(ProposedAction(text=text),)) for agent, text in suggested.items()
    ]
    return Moment(
        event=SAID.model_copy(update={"stage": stage}),
        answers=Answers.of(suggested, previews),
        choice=Choice(agents=acting, verdicts=()),
        reaction=reaction,
    )


def taught(one: Moment, following: AgentEvent | None = ELSE) -> Feedback:
    (feedback,) = feedback_from(one, None, following)
    return feedback


def test_a_suggestion_that_is_typed_later_counts_as_followed_at_both_stages_even_if_it_was_turned_down() -> None:
    """The example of CLAI's documentation: clear is suggested, turned down, suggested again, and typed."""
    before = moment("fix", fix="clear", reaction=Reaction.DISMISSED)
    after = moment("fix", fix="clear", stage=Stage.AFTER)
    both = feedback_from(before, after, AgentEvent(text=" clear "))
    assert [(one.stage, one.reaction, one.typed) for one in both] == [
        (Stage.BEFORE, Reaction.FOLLOWED, ("fix",)),
        (Stage.AFTER, Reaction.FOLLOWED, ("fix",)),
    ]


def test_what_comes_next_alone_teaches_nothing_and_an_explicit_reaction_stays() -> None:
    assert feedback_from(moment("fix", fix="clear"), None, ELSE) == ()
    assert taught(moment("fix", fix="clear", reaction=Reaction.IGNORED)).reaction is Reaction.IGNORED
    assert taught(moment("fix", fix="clear", reaction=Reaction.DISMISSED)).reaction is Reaction.DISMISSED
    down = moment("fix", fix="clear", reaction=Reaction.THUMBS_DOWN)
    assert taught(down, AgentEvent(text="clear")).reaction is Reaction.THUMBS_DOWN


def test_a_part_of_a_suggestion_is_not_the_suggestion() -> None:
    assert feedback_from(moment("fix", fix="git push --force"), None, AgentEvent(text="git push")) == ()


def test_an_agent_that_was_not_chosen_and_whose_suggestion_was_typed_is_wanted() -> None:
    feedback = taught(moment("fix", fix="clear", find="ls", guess="top"))
    assert (feedback.reaction, feedback.wanted, feedback.judged) == (
        Reaction.IGNORED,
        ("find",),
        {"fix": False, "find": True},
    )
    nobody = taught(moment(fix="clear", find="ls"))
    assert (nobody.agent, nobody.reaction, nobody.reward, nobody.wanted) == (None, None, 0.0, ("find",))


def test_to_repeat_what_was_said_follows_nobody() -> None:
    assert feedback_from(moment("fix", fix="clean", find="clean"), None, AgentEvent(text="clean")) == ()


def test_of_several_that_acted_only_the_one_whose_suggestion_was_typed_was_followed() -> None:
    feedback = taught(moment("fix", "find", fix="clear", find="ls"))
    assert feedback.rewards == {"fix": REWARDS[Reaction.IGNORED], "find": REWARDS[Reaction.FOLLOWED]}
    together = taught(moment("fix", "find", fix="clear", find="ls", reaction=Reaction.THUMBS_UP))
    assert together.rewards == dict.fromkeys(("fix", "find"), 1.0)


@pytest.mark.row("C17")
@pytest.mark.parametrize("name", ORCHESTRATORS)
@pytest.mark.parametrize("calibration", ["none", "isotonic"])
def test_of_an_agent_that_acted_without_having_answered_nothing_is_learned(name: str, calibration: str) -> None:
    orchestrator = ORCHESTRATORS[name](OrchestratorOptions.model_validate({"calibration": calibration}))
    feedback = taught(moment("late", fix="clear", reaction=Reaction.THUMBS_DOWN))
    assert feedback.judged == {}
    assert orchestrator.observe(orchestrator.begin(), feedback) == orchestrator.begin()


def test_where_neither_a_reaction_nor_what_came_next_is_known_nothing_is_taught() -> None:
    assert feedback_from(moment("fix", fix="clear"), None, None) == ()
    assert taught(moment("fix", fix="clear", reaction=Reaction.FOLLOWED), None).followed
    assert taught(moment(fix="clear"), None).reward == 0.0


@pytest.mark.parametrize("reaction", Reaction)
def test_every_reaction_is_worth_something_between_minus_one_and_one(reaction: Reaction) -> None:
    assert -1 <= REWARDS[reaction] <= 1


@given(st.integers(0, 2**32))
def test_feedback_holds_no_word_that_was_said_or_suggested(seed: int) -> None:
    lived = MadeUp(ORCHESTRATORS["s3"](OrchestratorOptions()), seed, 5)
    for one in lived.moments:
        for feedback in feedback_from(one, None, AgentEvent(text="git status")):
            kept = feedback.model_dump_json()
            assert not any(action.text in kept for preview in one.answers.previews for action in preview.actions)
            assert Feedback.model_validate_json(kept) == feedback
