"""Asking agents: what comes of each, whatever it does, and that none costs another anything."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.agents.agent import MOST_ACTIONS, MOST_TEXT, DeclaredAgent, Proposal, SideEffect
from dialogue.agents.broadcast import broadcast, execute
from dialogue.agents.model import AgentEvent, AgentReply, Preview, ProposedAction, Silence, SilenceReason

EVENT = AgentEvent(text="how do I unpack x.tgz", context={"folder": ["x.tgz"]})
ACTION = ProposedAction(text="tar xf x.tgz", description="unpack it")
SECRET = "5432-hunter2"


@dataclass
class Toy:
    """An agent made of two functions."""

    preview: Callable[[AgentEvent], Any] | None = None
    execute: Callable[[AgentEvent, Sequence[ProposedAction]], Any] | None = None


def agent(name: str, preview: Callable[[AgentEvent], Any] | None = None, **more: Any) -> DeclaredAgent:
    execute = more.pop("execute", None)
    return DeclaredAgent(name, f"the agent {name}", Toy(preview, execute), **{"limit_s": 30.0, **more})  # type: ignore[arg-type]


def sure(confidence: float) -> Callable[[AgentEvent], Proposal]:
    return lambda _: Proposal(confidence=confidence, actions=(ACTION,))


def answer_of(one: DeclaredAgent, event: AgentEvent = EVENT) -> Preview | Silence:
    answers, _ = broadcast([one], event)
    both: list[Preview | Silence] = [*answers.previews, *answers.silent]
    return both.pop() if len(both) == 1 else pytest.fail(f"one agent, and {len(both)} answers")


def silence_of(one: DeclaredAgent, event: AgentEvent = EVENT) -> Silence:
    answer = answer_of(one, event)
    assert isinstance(answer, Silence)
    assert "\n" not in answer.detail
    assert SECRET not in answer.detail
    return answer


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What hanging agents wait for; it opens when the test is over."""
    opened = threading.Event()
    yield opened
    opened.set()


def test_agents_answer_in_the_order_of_declaration_with_what_they_would_do() -> None:
    answers, took = broadcast([agent("a", sure(0.2)), agent("b", lambda _: None), agent("c", sure(1))], EVENT)
    assert answers.declared == ("a", "b", "c")
    assert [(one.agent, one.confidence, one.actions) for one in answers.previews] == [
        ("a", 0.2, (ACTION,)),
        ("c", 1.0, (ACTION,)),
    ]
    assert [(one.agent, one.reason) for one in answers.silent] == [("b", SilenceReason.NOTHING_TO_OFFER)]
    assert list(took) == ["a", "b", "c"]


def test_json_of_the_same_form_is_an_answer_too() -> None:
    given = {"confidence": Fraction(1, 2), "actions": [{"text": "ls"}]}
    assert answer_of(agent("a", lambda _: given)) == Preview(
        agent="a", confidence=0.5, actions=(ProposedAction(text="ls"),)
    )


@pytest.mark.row("C10")
def test_who_hangs_is_cut_off_and_costs_nobody_else_anything(gate: threading.Event) -> None:
    def hang(_: AgentEvent) -> None:
        gate.wait()

    answers, took = broadcast([agent("hangs", hang, limit_s=0.05), agent("answers", sure(0.7))], EVENT)
    assert [one.agent for one in answers.previews] == ["answers"]
    assert [(one.agent, one.reason) for one in answers.silent] == [("hangs", SilenceReason.TIMED_OUT)]
    assert "0.05 s" in answers.silent[0].detail
    assert took["hangs"] >= 50


@pytest.mark.row("C10")
def test_who_still_hangs_is_not_asked_again_until_it_comes_back(gate: threading.Event) -> None:
    asked: list[str] = []

    def hang(event: AgentEvent) -> None:
        asked.append(event.text)
        gate.wait()

    one = agent("hangs", hang, limit_s=0.05)
    silence_of(one)
    assert "until" not in silence_of(one).detail and "once it comes back" in silence_of(one).detail
    assert execute(one, EVENT, [ACTION]).trouble == silence_of(one).detail
    assert asked == [EVENT.text]
    running = [thread for thread in threading.enumerate() if thread.name == "call"]
    gate.set()
    for thread in running:
        thread.join(30)
    assert silence_of(one).reason is SilenceReason.NOTHING_TO_OFFER
    assert len(asked) == 2


@pytest.mark.row("C10")
@pytest.mark.parametrize("error", [ValueError, SystemExit, KeyboardInterrupt, RecursionError, MemoryError])
def test_who_raises_is_no_candidate_and_its_message_is_told_to_nobody(error: type[BaseException]) -> None:
    def fail(_: AgentEvent) -> None:
        raise error(SECRET)

    silence = silence_of(agent("fails", fail))
    assert silence.reason is SilenceReason.RAISED
    assert error.__name__ in silence.detail and "test_asking.py:" in silence.detail


def test_a_preview_that_would_have_an_effect_is_left_out_and_says_which() -> None:
    def fail(_: AgentEvent) -> None:
        raise SideEffect("The skill send has an effect.")

    assert silence_of(agent("sends", fail)) == Silence(
        agent="sends", reason=SilenceReason.SIDE_EFFECT, detail="The skill send has an effect."
    )


WRONG: dict[str, Any] = {"text": 5}
NO_ANSWERS: list[Any] = [
    {"confidence": math.nan, "actions": [{"text": "x"}]},
    {"confidence": 7.3, "actions": [{"text": "x"}]},
    {"confidence": -0.001, "actions": [{"text": "x"}]},
    {"confidence": math.inf, "actions": [{"text": "x"}]},
    {"confidence": "0.5", "actions": [{"text": "x"}]},
    {"confidence": True, "actions": [{"text": "x"}]},
    {"confidence": None, "actions": [{"text": "x"}]},
    {"actions": [{"text": "x"}]},
    {"confidence": 0.5},
    {"confidence": 0.5, "actions": []},
    {"confidence": 0.5, "actions": "x"},
    {"confidence": 0.5, "actions": ["x"]},
    {"confidence": 0.5, "actions": [{"text": 5}]},
    {"confidence": 0.5, "actions": [{"text": "x", SECRET[:4]: SECRET}]},
    {"confidence": 0.5, "actions": [{"text": "x" * (MOST_TEXT + 1)}]},
    {"confidence": 0.5, "actions": [{"text": "x"}] * (MOST_ACTIONS + 1)},
    Proposal.model_construct(confidence=math.nan, actions=(ACTION,)),
    Proposal.model_construct(confidence=0.5, actions=(ProposedAction.model_construct(**WRONG),)),
    Proposal.model_construct(**WRONG),
    SECRET,
    0.7,
    (0.7, [ACTION]),
    False,
    object(),
]


@pytest.mark.parametrize("returned", NO_ANSWERS, ids=range(len(NO_ANSWERS)))
def test_what_is_no_preview_is_told_in_one_line_that_says_what_to_return(returned: Any) -> None:
    silence = silence_of(agent("lies", lambda _: returned))
    assert silence.reason is SilenceReason.INVALID
    assert "preview" in silence.detail


def test_halves_of_characters_which_cannot_be_kept_are_replaced() -> None:
    given = {"confidence": 1, "actions": [{"text": "rm \ud800", "inputs": ["\ud800"]}]}
    answer = answer_of(agent("a", lambda _: given))
    assert isinstance(answer, Preview)
    assert answer.actions == (ProposedAction(text="rm ?", inputs=("?",)),)
    did = execute(agent("a", execute=lambda *_: {"text": "\ud800"}), EVENT, [])
    assert did.reply == AgentReply(text="?")


def test_a_confidence_that_is_none_is_quoted_as_a_number() -> None:
    def lie(confidence: float) -> str:
        return silence_of(agent("a", lambda _: {"confidence": confidence, "actions": [{"text": "x"}]})).detail

    assert "confidence 7.3" in lie(7.3)
    assert "confidence nan" in lie(math.nan)


@pytest.mark.row("V22")
def test_an_agent_whose_filter_turns_an_event_away_is_not_shown_it() -> None:
    seen: list[AgentEvent] = []
    one = agent("unpacks", seen.append, admits=lambda event: "unpack" in event.text)
    other = agent("packs", seen.append, admits=lambda event: "pack up" in event.text)
    answers, took = broadcast([other, one], EVENT)
    assert [silence.reason for silence in answers.silent] == [SilenceReason.NOT_ASKED, SilenceReason.NOTHING_TO_OFFER]
    assert seen == [EVENT]
    assert list(took) == ["unpacks"]


def test_a_filter_that_fails_leaves_only_its_own_agent_out() -> None:
    def fail(_: AgentEvent) -> bool:
        raise ValueError(SECRET)

    silence = silence_of(agent("a", sure(1), admits=fail))
    assert (silence.reason, "filter" in silence.detail) == (SilenceReason.RAISED, True)


def test_an_agent_without_preview_has_the_score_that_it_is_declared_with() -> None:
    assert answer_of(agent("a", assumed=0.4)) == Preview(agent="a", confidence=0.4, assumed=True)
    assert silence_of(agent("a", assumed=7.3)).reason is SilenceReason.INVALID
    assert "assumed" in silence_of(agent("a")).detail


@pytest.mark.row("V22")
def test_the_filter_holds_for_agents_without_preview_too() -> None:
    assert silence_of(agent("a", assumed=0.4, admits=lambda _: False)).reason is SilenceReason.NOT_ASKED


def test_two_agents_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        broadcast([agent("a", sure(1)), agent("a", sure(0))], EVENT)


def test_what_an_agent_does_to_the_event_reaches_nobody_else() -> None:
    def spoil(event: AgentEvent) -> None:
        event.context["folder"] = SECRET
        object.__setattr__(event, "text", SECRET)

    seen: list[AgentEvent] = []
    event = EVENT.model_copy(deep=True)
    broadcast([agent("spoils", spoil), agent("looks", seen.append)], event)
    assert seen == [EVENT] and event == EVENT
    execute(agent("spoils", execute=lambda shown, _: spoil(shown)), event, [ACTION])
    assert event == EVENT


@pytest.mark.row("C10")
def test_acting_gives_a_reply_or_one_line_of_what_went_wrong(gate: threading.Event) -> None:
    reply = AgentReply(text="unpacked", actions=(ACTION,), asks=True)
    did = execute(agent("a", execute=lambda _, actions: reply.model_copy(update={"actions": actions})), EVENT, [ACTION])
    assert (did.reply, did.trouble) == (reply, "")
    assert execute(agent("a", execute=lambda *_: {"text": "done"}), EVENT, []).reply == AgentReply(text="done")
    for returned in (None, "done", {"text": 5}, {"text": "x", "actions": "y"}, {"text": "x" * (MOST_TEXT + 1)}):
        did = execute(agent("a", execute=lambda *_, returned=returned: returned), EVENT, [ACTION])
        assert did.reply is None and "execute" in did.trouble and "\n" not in did.trouble

    def fail(*_: object) -> None:
        raise ValueError(SECRET)

    assert "ValueError at test_asking.py:" in execute(agent("a", execute=fail), EVENT, []).trouble
    assert SECRET not in execute(agent("a", execute=fail), EVENT, []).trouble
    late = execute(agent("a", execute=lambda *_: gate.wait(), execute_s=0.05), EVENT, [])
    assert late.reply is None and "0.05 s" in late.trouble and late.took_ms >= 50


def test_what_goes_wrong_is_logged_with_its_place_and_without_its_message(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: AgentEvent) -> None:
        raise ValueError(SECRET)

    silence_of(agent("fails", fail))
    assert "the agent fails failed: ValueError" in caplog.text and "test_asking.py" in caplog.text
    assert SECRET not in caplog.text


KINDS = ("hangs", "sure", "nothing", "raises", "lies", "turns away", "assumed", "spoils", "no preview")


def made(name: str, kind: str, confidence: float, gate: threading.Event) -> DeclaredAgent:
    def hang(_: AgentEvent) -> None:
        gate.wait()

    def fail(_: AgentEvent) -> None:
        raise RuntimeError(SECRET)

    def spoil(event: AgentEvent) -> Proposal:
        event.context.clear()
        return sure(confidence)(event)

    previews = {
        "hangs": hang,
        "sure": sure(confidence),
        "nothing": lambda _: None,
        "raises": fail,
        "lies": lambda _: {"confidence": confidence + 2, "actions": []},
        "turns away": sure(confidence),
        "spoils": spoil,
    }
    admits = (lambda _: False) if kind == "turns away" else None
    assumed, limit_s = (confidence if kind == "assumed" else None), 0.02 if kind == "hangs" else 30.0
    return agent(name, previews.get(kind), admits=admits, assumed=assumed, limit_s=limit_s)


@pytest.mark.row("C9", "C10", "V22")
@given(st.data())
def test_every_agent_has_one_answer_that_depends_on_nothing_but_itself(data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.tuples(st.sampled_from(KINDS), st.floats(0, 1)), max_size=8))
    gate = threading.Event()
    alone, again = (
        [made(f"agent {place}", kind, confidence, gate) for place, (kind, confidence) in enumerate(kinds)]
        for _ in range(2)
    )
    mixed = data.draw(st.permutations(again))
    answers, took = broadcast(mixed, EVENT)
    expected = {one.name: answer_of(one) for one in alone}
    gate.set()
    assert answers.declared == tuple(one.name for one in mixed)
    came: list[Preview | Silence] = [*answers.previews, *answers.silent]
    assert {one.agent: one for one in came} == expected
    assert len(answers.previews) + len(answers.silent) == len(kinds)
    order = {name: place for place, name in enumerate(answers.declared)}
    assert [one.agent for one in answers.previews] == sorted((one.agent for one in answers.previews), key=order.get)  # type: ignore[arg-type]
    assert set(took) <= set(expected)


@pytest.mark.row("C9")
@given(st.permutations(range(5)))
def test_the_order_in_which_answers_come_in_is_of_no_account(order: Sequence[int]) -> None:
    turn = threading.Condition()
    came: list[int] = []

    def wait_for_turn(place: int) -> Callable[[AgentEvent], Proposal]:
        def preview(event: AgentEvent) -> Proposal:
            with turn:
                assert turn.wait_for(lambda: order[len(came)] == place, timeout=30)
                came.append(place)
                turn.notify_all()
            return sure(place / 5)(event)

        return preview

    answers, _ = broadcast([agent(str(place), wait_for_turn(place)) for place in range(5)], EVENT)
    assert came == list(order)
    assert [(one.agent, one.confidence) for one in answers.previews] == [(str(place), place / 5) for place in range(5)]


@given(st.text(max_size=60), st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3))
def test_agents_are_shown_exactly_what_was_broadcast_and_nothing_else(text: str, context: dict[str, Any]) -> None:
    seen: list[AgentEvent] = []
    event = AgentEvent(text=text, context=context, output="", exit_code=1)
    broadcast([agent(str(place), seen.append) for place in range(3)], event)
    execute(agent("a", execute=lambda shown, _: seen.append(shown)), event, [])
    assert [one.model_dump_json() for one in seen] == [event.model_dump_json()] * 4
