"""What is drawn of sessions in which agents were asked: turns, learning, and other orchestrators beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialogue.agents.learning.replay import feedback_of, progress_of, reliability, replay_session
from dialogue.agents.model import Order, Stage
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.services.agents.agents import OrchestratorRow
from dialogue.settings.agent_choices import read_preferences
from pages.orchestrators.learning import (
    belief_curves,
    lesson_list,
    nothing_learned,
    reliability_plot,
    reliability_table,
    reward_curve,
    stages_in,
    threshold_curves,
)
from pages.orchestrators.page import pair_list, preference_graph, write_pairs
from pages.orchestrators.set_up import drop_in_list, orchestrator_list
from pages.orchestrators.turns import Recording, cell_card, no_turns, side_by_side, summary, turn_card, turn_list
from pages.shell.sheet import Child
from pages.views.media import figure_as_drawn
from tests.dialogue.agents.made_up import MadeUp

OPTIONS = OrchestratorOptions(preferences=(("find", "guess"), ("fix", "find")))
NAMES = st.sampled_from(sorted(ORCHESTRATORS))
SEEDS = st.integers(0, 2**32)


def made_up(name: str, seed: int, turns: int = 8) -> Recording:
    lived = MadeUp(ORCHESTRATORS[name](OPTIONS), seed, turns)
    return Recording("session:made-up", "Made up", lived.log, lambda text: f"<{text}>")


def words(node: Child) -> Iterator[str]:
    """Yield the texts of a tree."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        yield from words(node.get("children", ()))
    elif node is not None:
        for child in node:
            yield from words(child)


@settings(max_examples=30)
@given(NAMES, SEEDS)
def test_every_agent_has_its_answer_and_its_reason_at_every_turn(name: str, seed: int) -> None:
    recording = made_up(name, seed)
    for place, one in enumerate(recording.moments):
        drawn = turn_card(recording, place)
        told = " ".join(words(drawn))
        why = recording.why(one)
        assert {verdict.agent for verdict in one.moment.choice.verdicts} == set(why)
        assert all(reason and reason in told for reason in why.values())
        assert all(f"{preview.confidence:.2f}" in told for preview in one.moment.answers.previews)
        assert all(f"<{action.text}>" in told for one_of in one.moment.answers.previews for action in one_of.actions)
        assert all(f"<{agent} did it>" in told for agent in one.moment.choice.agents)
        json.dumps(drawn)
    assert f"{len(recording.moments)}" in " ".join(words(turn_list(recording, 0)))


def test_agents_that_act_are_marked_in_words_too_and_come_first() -> None:
    recording = made_up("s3", 4)
    place = next(place for place, one in enumerate(recording.moments) if len(one.moment.choice.agents) > 1)
    rows = [node for node in turn_card(recording, place) if isinstance(node, dict) and node["cls"] == "agents"]
    told = [" ".join(words(row)) for row in rows[0]["children"]]
    acting = len(recording.moments[place].moment.choice.agents)
    assert all("acts." in one and "does not" not in one for one in told[:acting])
    assert all("does not act." in one for one in told[acting:])


def test_what_several_agents_act_in_order_of_is_said() -> None:
    recording = made_up("s3", 4)
    first = next(one for one in recording.moments if len(one.moment.choice.agents) > 1)
    place = recording.moments.index(first)
    ordered = {"order": Order(unmet={"fix": ("a file",)})}
    log = tuple(
        entry
        if entry.seq != first.chosen
        else entry.model_copy(
            update={"event": entry.event.model_copy(update={"choice": first.moment.choice.model_copy(update=ordered)})}
        )
        for entry in recording.log
    )
    assert "fix needs a file" in " ".join(words(turn_card(replace(recording, log=log), place)))


def test_a_threshold_is_marked_on_the_bar_and_said() -> None:
    recording = made_up("max", 3)
    one = recording.moments[0]
    agent = one.moment.answers.previews[0].agent
    known = Recording(recording.source, "", recording.log, thresholds={one.chosen: {agent: 0.4}})
    assert "threshold 0.40" in " ".join(words(turn_card(known, 0)))
    assert '"--at": "40.0%"' in json.dumps(turn_card(known, 0))


@settings(max_examples=15)
@given(SEEDS)
def test_curves_and_reliability_can_be_drawn_whatever_was_learned(seed: int) -> None:
    feedback = feedback_of([one.moment for one in made_up("threshold", seed, 20).moments])
    progress = progress_of(feedback)
    found = reliability(feedback)
    stages = stages_in(progress)
    figures = [reward_curve(progress), reliability_plot(found)]
    figures += [draw(progress, stage) for stage in stages for draw in (threshold_curves, belief_curves)]
    for figure in figures:
        assert figure_as_drawn(json.dumps(figure), ()) is not None
    assert stages == tuple(stage for stage in Stage if any(one.stage is stage for one in feedback))
    table = " ".join(words(reliability_table(found)))
    assert all(f"{one.followed:.2f}" in table for bins in found.values() for one in bins)


def test_lessons_are_listed_and_can_be_undone_where_that_is_possible() -> None:
    feedback = feedback_of([one.moment for one in made_up("max", 5, 20).moments])
    listed = list(enumerate(feedback, 1))
    told = " ".join(words(lesson_list(listed, undo=True)))
    assert all(f"Undo {seq}" in told for seq, _ in listed)
    assert "Undo" not in " ".join(words(lesson_list(listed, undo=False)))
    assert "earlier lesson" in told and "earlier lesson" not in " ".join(words(lesson_list(listed[:3], undo=False)))
    assert "Nothing was learned yet" in " ".join(words(nothing_learned()))
    assert "No agent was asked" in " ".join(words(no_turns()))


@settings(max_examples=20)
@given(NAMES, SEEDS)
def test_differences_between_orchestrators_are_marked_in_words_and_each_says_why(name: str, seed: int) -> None:
    recording = made_up(name, seed)
    lived = [one.moment for one in recording.moments]
    forced = [one.forced for one in recording.moments]
    replays = {other: replay_session(lived, ORCHESTRATORS[other](OPTIONS), forced) for other in ORCHESTRATORS}
    told = " ".join(words(side_by_side(recording, replays, (0, name))))
    assert told.count("≠ differs") == sum(not one.same for found in replays.values() for one in found)
    said = " ".join(words(summary(recording, replays)))
    assert f"{name} : the same in {len(lived)} of {len(lived)} turn" in said
    for other, found in replays.items():
        for place, one in enumerate(found):
            card = " ".join(words(cell_card(recording, place, other, one)))
            assert f"Turn {place + 1} under {other}" in card
            assert ("as it was done" in card) is one.same


def test_preferences_are_listed_and_drawn_and_written_as_settings_have_them() -> None:
    pairs = [("find", "guess"), ("assistant", "find")]
    told = " ".join(words(pair_list(pairs, changeable=True)))
    assert "find  before  guess" in told and told.count("Take out") == 2
    assert "Take out" not in " ".join(words(pair_list(pairs, changeable=False)))
    assert "No preferences yet" in " ".join(words(pair_list([], changeable=True)))
    nodes, edges = preference_graph(pairs)
    assert [node.title for node in nodes] == ["find", "guess", "the assistant"]
    assert [(edge.source, edge.target) for edge in edges] == pairs
    assert read_preferences(write_pairs(pairs)) == tuple(pairs)


@pytest.mark.row("C12")
def test_the_orchestrator_in_use_is_marked_and_each_other_can_be_used() -> None:
    rows = [OrchestratorRow("max", "The most confident acts."), OrchestratorRow("mine", "Mine.", "drop-ins")]
    told = " ".join(words(orchestrator_list(rows, "max", changeable=True)))
    assert "max in use" in told and "Use mine" in told and "Use max" not in told and "drop-ins" in told
    assert "Use" not in " ".join(words(orchestrator_list(rows, "max", changeable=False)))


def test_a_confidence_that_was_calibrated_says_what_it_was_taken_as() -> None:
    options = OrchestratorOptions(calibration="isotonic")
    lived = MadeUp(ORCHESTRATORS["max"](options), 2, 300)
    recording = Recording("session:made-up", "Made up", lived.log)
    told = [" ".join(words(turn_card(recording, place))) for place in range(len(recording.moments))]
    assert "taken as" not in told[0] and any("taken as" in one for one in told[-20:])


def test_the_order_of_agents_that_act_together_is_said() -> None:
    recordings = [made_up("s3", seed, 20) for seed in range(4)]
    for recording in recordings:
        for place, one in enumerate(recording.moments):
            told = " ".join(words(turn_card(recording, place)))
            said = "those that make known what it needs" in told or "No order gives each what it needs" in told
            assert said is (one.moment.choice.order is not None)


def test_drop_ins_are_listed_with_their_problems_and_installers_are_only_shown() -> None:
    told = " ".join(words(drop_in_list(["agents"], ["mine"], ["hers: no manifest."], {"mine": "rm -rf <b>"})))
    assert "agents" in told and "Agents: mine." in told and "hers: no manifest." in told
    assert "never runs this" in told and "rm -rf <b>" in told
    assert "drop_ins" in " ".join(words(drop_in_list([], [], [], {})))
