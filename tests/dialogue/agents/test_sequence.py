"""The planner as sequencer: each agent acts after those that make known what it needs."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.agents.agent import Agent, DeclaredAgent
from dialogue.agents.broadcast import broadcast
from dialogue.agents.model import AgentEvent, Answers, Choice, Order, Preview, ProposedAction
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.orchestrators.s3 import S3Orchestrator, TopK

SAID = AgentEvent(text="I want a loan")


def preview(agent: str, sure: float, *steps: tuple[tuple[str, ...], tuple[str, ...]]) -> Preview:
    actions = tuple(ProposedAction(text=agent, inputs=needs, outputs=makes) for needs, makes in steps)
    return Preview(agent=agent, confidence=sure, actions=actions)


def choose(*previews: Preview, event: AgentEvent = SAID, s3: S3Orchestrator | None = None) -> Choice:
    orchestrator = s3 or S3Orchestrator(selector=TopK(count=9))
    came = Answers.of([one.agent for one in previews], previews)
    return orchestrator.choose(orchestrator.begin(), event, came, None, 1)


OFFER = preview("offer", 0.9, (("score", "income"), ("loan",)))
SCORE = preview("score", 0.8, (("name",), ("score",)))
CHAT = preview("chat", 0.7, ((), ()))


@pytest.mark.row("V21")
def test_agents_that_s3_selects_act_after_those_that_make_known_what_they_need() -> None:
    options = OrchestratorOptions()
    came = Answers.of(["offer", "score", "chat"], [OFFER, SCORE, CHAT])
    s3 = ORCHESTRATORS["s3"](options)
    choice = s3.choose(s3.begin(), SAID, came, None, 1)
    assert choice.agents == ("score", "offer", "chat")
    assert choice.order == Order()
    assert [one.agent for one in choice.verdicts if one.chosen] == ["offer", "score", "chat"]


@pytest.mark.row("V21")
def test_what_an_agent_is_declared_to_need_and_make_known_counts_whether_it_has_a_preview_or_not() -> None:
    nothing = cast(Agent, None)
    score = DeclaredAgent("score", "Looks it up", nothing, assumed=0.5, outputs=("score",))
    offer = DeclaredAgent("offer", "Makes one", nothing, assumed=0.9, inputs=("score",), outputs=("loan",))
    came, _ = broadcast([offer, score], SAID)
    s3 = S3Orchestrator()
    assert s3.choose(s3.begin(), SAID, came, None, 1).agents == ("score", "offer")


def test_who_comes_with_the_event_waits_for_nobody() -> None:
    known = SAID.model_copy(update={"context": {"score": 700}})
    assert choose(OFFER, SCORE, event=known).agents == ("offer", "score")


def test_where_each_needs_what_the_other_makes_known_they_act_as_selected_and_it_is_said_who_lacks_what() -> None:
    egg = preview("egg", 0.9, (("hen",), ("egg",)))
    hen = preview("hen", 0.8, (("egg", "grain"), ("hen",)))
    choice = choose(egg, hen, CHAT)
    assert choice.agents == ("egg", "hen", "chat")
    assert choice.order == Order(unmet={"egg": ("hen",), "hen": ("egg",)})


def test_what_an_agent_makes_known_in_an_earlier_action_of_its_own_it_does_not_need_from_others() -> None:
    alone = preview("alone", 0.9, ((), ("draft",)), (("draft",), ("letter",)))
    other = preview("other", 0.8, (("letter",), ("draft",)))
    assert choose(other, alone).agents == ("alone", "other")
    assert choose(alone, other).agents == ("alone", "other")


def test_nothing_is_put_in_order_where_nobody_needs_anything_or_one_agent_acts_alone() -> None:
    assert choose(CHAT, preview("news", 0.6)).order is None
    assert choose(OFFER).order is None
    simple = S3Orchestrator(sequencer=lambda _, selected: ([one.agent for one in selected], None))
    assert choose(OFFER, SCORE, s3=simple).agents == ("offer", "score")


@given(st.integers(0, 2**32))
def test_whatever_agents_declare_all_act_once_and_in_order_wherever_there_is_one(seed: int) -> None:
    rng = Random(seed)
    facts = "abcdef"
    previews = []
    for place in range(rng.randint(2, 6)):
        needs, makes = (tuple(rng.sample(facts, rng.randint(0, 2))) for _ in range(2))
        previews.append(preview(f"agent {place}", 1 - place / 20, (needs, makes)))
    choice = choose(*previews)
    assert sorted(choice.agents) == [one.agent for one in previews]
    by_name = {one.agent: one.actions[0] for one in previews}
    others = {a: {f for b, act in by_name.items() if b != a for f in act.outputs} for a in by_name}
    there = {fact for name, act in by_name.items() for fact in act.inputs if fact not in others[name]}
    if choice.order is None:
        assert not any(act.inputs for act in by_name.values())
    elif not choice.order.unmet:
        for name in choice.agents:
            assert set(by_name[name].inputs) <= there
            there |= set(by_name[name].outputs)
    else:
        assert choice.agents == tuple(by_name)
        for _ in by_name:
            there |= {f for act in by_name.values() if set(act.inputs) <= there for f in act.outputs}
        lacking = {name: set(act.inputs) - there for name, act in by_name.items()}
        assert {name: set(f) for name, f in choice.order.unmet.items()} == {n: f for n, f in lacking.items() if f}
    assert Choice.model_validate_json(choice.model_dump_json()) == choice
