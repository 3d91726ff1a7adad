"""Agents in processes of their own: they answer as any other, and are really cut off."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.endpoints.processes import Workers, call_all
from dialogue.agents.agent import PRELOADED, DeclaredAgent, ProcessAgent, answer_as_agent, read_answer
from dialogue.agents.broadcast import broadcast, execute
from dialogue.agents.model import AgentEvent, AgentReply, Answers, Preview, ProposedAction, Silence, SilenceReason
from tests.dialogue.agents.process_toys import Toy

MAKE = f"{Path(__file__).parent / 'process_toys.py'}:Toy"
EVENT = AgentEvent(text="hunter2", context={"a": 1})
ACTION = ProposedAction(text="ls")
PLENTY = 60.0
REASONS = {
    "nothing": SilenceReason.NOTHING_TO_OFFER,
    "raises": SilenceReason.RAISED,
    "ends": SilenceReason.RAISED,
    "lies": SilenceReason.INVALID,
    "has an effect": SilenceReason.SIDE_EFFECT,
    "hangs": SilenceReason.TIMED_OUT,
}


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    pool = Workers(PRELOADED)
    yield pool
    pool.close()


def confidence_of(kind: str) -> float:
    return 7.3 if kind == "lies" else 0.5


def declare(workers: Workers, kind: str, *, name: str = "", limit_s: float = 0.0) -> DeclaredAgent:
    """Declare an agent whose process is ready."""
    agent = ProcessAgent(workers, MAKE, (kind, confidence_of(kind)))
    call_all([replace(agent.to_preview(EVENT, PLENTY), load=True)])
    limit_s = limit_s or (0.2 if kind == "hangs" else PLENTY)
    return DeclaredAgent(name or kind, "", agent, limit_s, execute_s=limit_s)


def by_name(answers: Answers) -> dict[str, Preview | Silence]:
    came: list[Preview | Silence] = [*answers.previews, *answers.silent]
    return {one.agent: one for one in came}


@pytest.mark.row("C10")
def test_each_answers_for_itself_and_who_hangs_is_killed(workers: Workers) -> None:
    agents = [declare(workers, kind) for kind in ("sure", *REASONS)]
    answers, took = broadcast(agents, EVENT)
    assert {one.agent: one.reason for one in answers.silent} == REASONS
    (sure,) = answers.previews
    assert sure.confidence == 0.5 and not sure.actions[0].text.endswith(f" {os.getpid()}")
    assert sure.actions[0].text.startswith("hunter2, ")
    assert set(took) == {"sure", *REASONS} and EVENT.context == {"a": 1}
    for one in answers.silent:
        assert "\n" not in one.detail and "hunter2" not in one.detail
    details = {one.agent: one.detail for one in answers.silent}
    assert "ValueError at process_toys.py:" in details["raises"]
    assert details["ends"].startswith("Its preview came to nothing: its process ended before it answered.")
    assert "7.3" in details["lies"] and "send" in details["has an effect"] and "0.2 s" in details["hangs"]


def test_acting_goes_over_to_the_process_and_comes_back_checked(workers: Workers) -> None:
    assert execute(declare(workers, "sure"), EVENT, [ACTION]).reply == AgentReply(text="did ls")
    for kind, told in [("raises", "ValueError at"), ("nothing", "execute returned str"), ("hangs", "0.2 s")]:
        did = execute(declare(workers, kind), EVENT, [ACTION])
        assert did.reply is None and told in did.trouble and "hunter2" not in did.trouble


def test_an_agent_that_cannot_be_made_says_so_and_one_that_is_not_ready_is_asked_the_next_time(
    workers: Workers, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise RuntimeError('hunter2')\n", encoding="utf-8")
    agent = DeclaredAgent("broken", "", ProcessAgent(workers, f"{broken}:make"), PLENTY)
    (silence,) = broadcast([agent], EVENT)[0].silent
    assert "loading ended in RuntimeError at broken.py:1" in silence.detail
    (silence,) = broadcast([replace(agent, limit_s=0.0)], EVENT)[0].silent
    assert silence.reason is SilenceReason.TIMED_OUT and "next time" in silence.detail


@pytest.mark.row("C9", "C10")
@settings(max_examples=12)
@given(st.data())
def test_agents_here_and_in_processes_mix_and_none_changes_another(workers: Workers, data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from(["sure", "nothing", "raises", "lies", "has an effect"]), max_size=5))
    agents = [declare(workers, kind, name=f"{kind} {place}") for place, kind in enumerate(kinds)]
    toys = [Toy(kind, confidence_of(kind)) for kind in kinds]
    here = [replace(agent, name=f"{agent.name} here", agent=toy) for agent, toy in zip(agents, toys, strict=True)]
    mixed = data.draw(st.permutations([*agents, *here]))
    answers, took = broadcast(mixed, EVENT)
    came = by_name(answers)
    assert answers.declared == tuple(one.name for one in mixed) and set(took) == set(came) == set(answers.declared)
    for agent, kind in zip(agents, kinds, strict=True):
        for one in (came[agent.name], came[f"{agent.name} here"]):
            assert isinstance(one, Preview) if kind == "sure" else one.reason is REASONS[kind]  # type: ignore[union-attr]


@pytest.mark.parametrize("answered", [7, "x", [], {"reason": "bored"}, {"reason": "raised", "x": 1}, {"reason": None}])
def test_what_a_worker_makes_up_is_no_answer(answered: Any) -> None:
    answer = read_answer("a", answered)
    assert isinstance(answer, Silence) and answer.reason is SilenceReason.INVALID


def test_the_worker_side_in_short() -> None:
    event, actions = EVENT.model_dump(mode="json"), [ACTION.model_dump(mode="json")]
    answer = answer_as_agent(MAKE, "sure")
    assert answer(("preview", event, []))["confidence"] == 0.5
    assert answer(("execute", event, actions))["text"] == "did ls"
    assert answer_as_agent(MAKE, "nothing")(("preview", event, []))["reason"] == "nothing_to_offer"
    assert answer_as_agent(MAKE, "nothing")(("execute", event, actions))["reason"] == "invalid"
    assert answer_as_agent(MAKE, "has an effect")(("preview", event, []))["reason"] == "side_effect"
