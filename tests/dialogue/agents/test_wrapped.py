"""Skills and whole catalogs as agents: what they preview, and that they act by the rules of the catalog."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from catalog.skills import Result
from dialogue.agents.agent import DeclaredAgent
from dialogue.agents.broadcast import broadcast, execute
from dialogue.agents.model import AgentEvent, AgentReply, Preview, Silence, SilenceReason
from dialogue.agents.sources.manifest import MANIFEST
from dialogue.log.events import Heard, Replied
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.services.agents.sources import offer_agents
from dialogue.settings import Configuration, Settings, SettingsError
from tests.dialogue.toys import BEHAVIOUR, CATALOG, TODAY, Notation, load_toys

MORE = """
facts:
  text: {description: what was said}
  sureness: {description: how sure it is, fillable: false, value: {kind: number}}
  advice: {description: what it would do, fillable: false}
skills:
  judge:
    endpoint: python:tests.dialogue.toys:maker
    description: Judges a text.
    modes: {judge: {inputs: [text], outcomes: {sure: {facts: [sureness, advice]}, bare: {facts: [sureness]}, no: {}}}}
  acting_judge:
    endpoint: python:tests.dialogue.toys:maker
    description: Judges a text, and writes it down.
    effect: idempotent
    modes: {judge: {inputs: [text], outcomes: {sure: {facts: [sureness]}}}}
"""
CODE = """
    class Adviser:
        def preview(self, event):
            return {"confidence": 0.9, "actions": [{"text": "help"}]}

        def execute(self, event, actions):
            return {"text": f"did {actions[0].text}"}
"""


def toys() -> str:
    """Return the catalog of toys, with skills that make previews."""
    _, facts, skills = MORE.split("facts:\n", maxsplit=1)[0], *MORE.split("facts:\n")[1].split("skills:\n")
    return CATALOG.replace("\nfacts:\n", f"\nfacts:\n{facts}").replace("\nskills:\n", f"\nskills:\n{skills}")


class House:
    """Services over the toys, with drop-ins."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "drop-ins"
        self.folder.mkdir(parents=True)
        self.services: Services | None = None

    def drop_in(self, name: str, code: str = "", **keys: str) -> None:
        (self.folder / name).mkdir()
        lines = "".join(f"{key} = {value}\n" for key, value in {"limit_ms": "30000", **keys}.items())
        (self.folder / name / MANIFEST).write_text(f"[DEFAULT]\n{lines}", encoding="utf-8")
        if code:
            (self.folder / name / f"{name}.py").write_text(textwrap.dedent(code), encoding="utf-8")

    def open(self, **chosen: Any) -> Services:
        self.services = Services(
            SqliteStore(self.home / "sessions.db"),
            {"toys": load_toys(toys())},
            configuration=Configuration(Settings(home=self.home, drop_ins=(self.folder,), **chosen)),
            understander=Notation,
            allowed=("tests.dialogue.toys", "tests.dialogue.rooms"),
            trusted=("tests.dialogue.toys", "tests.dialogue.rooms"),
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=TODAY,
        )
        offer_agents(self.services)
        return self.services

    def agent(self, name: str) -> DeclaredAgent:
        services = self.services or self.open()
        problems = services.agents.dropped_in.problems
        assert not problems
        return services.agents.dropped_in.agents[name]("a conversation")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    BEHAVIOUR.__init__()  # type: ignore[misc]
    made = House(tmp_path)
    yield made
    if made.services is not None:
        made.services.close()


def preview(agent: DeclaredAgent, text: str) -> Preview | None:
    answers, _ = broadcast([agent], AgentEvent(text=text))
    for silence in answers.silent:
        assert silence.reason is SilenceReason.NOTHING_TO_OFFER, silence.detail
    return next(iter(answers.previews), None)


def say(agent: DeclaredAgent, text: str) -> AgentReply:
    seen = preview(agent, text)
    did = execute(agent, AgentEvent(text=text), seen.actions if seen else ())
    assert did.reply is not None, did.trouble
    return did.reply


def test_a_skill_previews_how_well_words_fit_and_how_much_of_what_it_needs_is_there(house: House) -> None:
    house.drop_in("engraver_of_ours", skill="toys/engraver")
    agent = house.agent("engraver_of_ours")
    without, whole = preview(agent, "goal trophy"), preview(agent, "goal trophy with c=gold")
    assert without is not None and whole is not None
    assert without.confidence == pytest.approx(whole.confidence / 2)
    assert (whole.actions[0].text, whole.actions[0].inputs, whole.actions[0].outputs) == (
        "engraver",
        ("c",),
        ("trophy",),
    )
    assert preview(agent, "goal toy") is None
    assert preview(agent, "engrave a trophy for me") is not None
    assert BEHAVIOUR.called("engraver") == 0


def test_a_skill_without_effect_is_called_once_all_is_there_and_asks_for_the_rest(house: House) -> None:
    house.drop_in("ours", skill="toys/engraver")
    agent = house.agent("ours")
    assert say(agent, "goal trophy with c=gold") == AgentReply(text="Trophy: a cup.")
    asked = say(agent, "goal trophy")
    assert asked.asks and asked.text == "What is the c?"
    seen = preview(agent, "c=silver")
    assert seen is not None and seen.confidence == 1.0
    assert say(agent, "c=silver").text == "Trophy: a cup."
    assert [values["c"] for name, values in BEHAVIOUR.calls if name == "engraver"] == ["gold", "silver"]
    say(agent, "goal trophy")
    assert not say(agent, "goal trophy with c=tin").asks


@pytest.mark.parametrize("answer", ["no", "stop", "yes"])
def test_a_skill_with_an_effect_is_never_called_without_a_yes(house: House, answer: str) -> None:
    house.drop_in("ours", skill="toys/giver")
    agent = house.agent("ours")
    asked = say(agent, "goal prize with c=sea, secret=1234")
    assert asked.asks and "Shall I go ahead?" in asked.text and "1234" not in asked.text and "sea" in asked.text
    assert BEHAVIOUR.called("giver") == 0
    told = say(agent, answer)
    assert not told.asks and BEHAVIOUR.called("giver") == (answer == "yes")
    assert ("a bear" in told.text) == (answer == "yes")
    say(agent, "goal prize with c=sea, secret=1234")
    assert say(agent, "goal trophy").asks  # something else: the go-ahead is not given
    assert BEHAVIOUR.called("giver") == (answer == "yes")


def test_what_is_no_answer_is_asked_for_again_and_nothing_is_lost(house: House) -> None:
    house.drop_in("ours", skill="toys/giver")
    agent = house.agent("ours")
    assert say(agent, "goal prize with c=sea").text == "What is the secret?"
    for text in ("hello", "yes"):
        again = say(agent, text)
        assert again.asks and again.text == "What is the secret?"
    assert "sea" in say(agent, "secret=1234").text
    again = say(agent, "hello")
    assert again.asks and "Shall I go ahead?" in again.text and BEHAVIOUR.called("giver") == 0
    assert not say(agent, "yes").asks
    assert BEHAVIOUR.calls[-1] == ("giver", {"c": "sea", "secret": "1234"})
    say(agent, "goal prize with c=sea")
    assert not say(agent, "stop").asks and preview(agent, "hello") is None


def test_what_changes_before_the_yes_is_asked_about_again(house: House) -> None:
    house.drop_in("ours", skill="toys/giver")
    agent = house.agent("ours")
    say(agent, "goal prize with c=sea, secret=1234")
    for text in ("c=sand", "yes; c=salt", "yes; but only if it is mine", "c=sand"):
        again = say(agent, text)
        assert again.asks and "Shall I go ahead?" in again.text and BEHAVIOUR.called("giver") == 0
    assert "sand" in again.text
    assert not say(agent, "yes").asks
    assert BEHAVIOUR.calls[-1][1]["c"] == "sand"


def test_an_outcome_without_facts_says_so_and_a_failure_too(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.drop_in("ours", skill="toys/maker")
    agent = house.agent("ours")
    monkeypatch.setattr(BEHAVIOUR, "maker", lambda _: Result("spoilt"))
    assert say(agent, "a=1; goal prize").text == "That was spoilt."
    monkeypatch.setattr(BEHAVIOUR, "maker", lambda _: "hunter2")
    assert say(agent, "a=1; goal prize").text == "Maker failed. Nothing is known of a result."


def judged(house: House, skill: str, result: Result) -> Preview | Silence:
    BEHAVIOUR.maker = lambda _: result
    house.drop_in("adviser", CODE, preview=f"toys/{skill}")
    answers, _ = broadcast([house.agent("adviser")], AgentEvent(text="help me"))
    both: list[Preview | Silence] = [*answers.previews, *answers.silent]
    return both[0]


def test_a_skill_makes_the_preview_of_an_agent_whose_code_acts(house: House) -> None:
    answer = judged(house, "judge", Result("sure", {"sureness": 0.75, "advice": "look it up"}))
    assert isinstance(answer, Preview)
    assert (answer.confidence, answer.actions[0].text) == (0.75, "look it up")
    assert say(house.agent("adviser"), "help me").text == "did look it up"
    assert BEHAVIOUR.calls[0][1] == {"text": "help me"}
    BEHAVIOUR.maker = lambda _: Result("bare", {"sureness": 0.5})
    bare = preview(house.agent("adviser"), "help me")
    assert bare is not None and bare.actions[0].text == "help me"
    BEHAVIOUR.maker = lambda _: Result("no")
    assert preview(house.agent("adviser"), "help me") is None


def test_a_number_that_is_no_confidence_is_no_preview(house: House) -> None:
    answer = judged(house, "judge", Result("bare", {"sureness": 7.5}))
    assert isinstance(answer, Silence) and answer.reason is SilenceReason.INVALID and "7.5" in answer.detail


def test_a_skill_that_fails_makes_no_preview(house: House) -> None:
    answer = judged(house, "judge", Result("odd", {"x": "hunter2"}))
    assert isinstance(answer, Silence) and answer.reason is SilenceReason.RAISED and "hunter2" not in answer.detail


@pytest.mark.row("C10")
def test_a_preview_whose_skill_has_an_effect_is_left_out_and_never_called(house: House) -> None:
    answer = judged(house, "acting_judge", Result("sure", {"sureness": 0.75}))
    assert isinstance(answer, Silence) and answer.reason is SilenceReason.SIDE_EFFECT
    assert "acting_judge" in answer.detail and "idempotent" in answer.detail
    assert BEHAVIOUR.calls == []


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"skill": "toys/nothing"}, "toys has no skill nothing. It has: judge"),
        ({"skill": "bank/judge"}, "there is no catalog bank. There are: toys."),
        ({"catalog": "bank"}, "there is no catalog bank"),
        ({"preview": "toys/maker"}, "maker cannot make previews"),
        ({"preview": "toys/nothing"}, "toys has no skill nothing"),
    ],
)
def test_what_is_not_there_costs_one_line(house: House, keys: dict[str, str], told: str) -> None:
    house.drop_in("ours", CODE, **keys)
    (problem,) = house.open().agents.dropped_in.problems
    assert told in problem and "ours" in problem and "\n" not in problem


@pytest.mark.row("V21")
def test_a_catalog_previews_its_plan_and_acts_in_a_conversation_of_its_own(house: House) -> None:
    house.drop_in("helper", catalog="toys")
    agent = house.agent("helper")
    assert house.services is not None
    before = {row.session_id for row in house.services.sessions()}
    seen = preview(agent, "goal trophy")
    assert seen is not None and seen.confidence == 1.0
    assert any("engraver" in action.text for action in seen.actions)
    assert {row.session_id for row in house.services.sessions()} == before and BEHAVIOUR.calls == []
    assert preview(agent, "hello") is None

    asked = say(agent, "goal trophy")
    assert asked.asks and "What is a?" in asked.text and asked.actions == seen.actions
    (own,) = {row.session_id for row in house.services.sessions()} - before
    assert house.services.choices_of(house.services.snapshot(own).conversation)["agents"] == ""
    answer = preview(agent, "a=1")
    assert answer is not None and answer.confidence == 1.0 and preview(agent, "hello") is None
    assert not say(agent, "a=1").text.startswith("What is")
    assert BEHAVIOUR.called("engraver") == 1
    said = [entry.event.text for entry in house.services.snapshot(own).log if isinstance(entry.event, Heard)]
    assert said == ["goal trophy", "a=1"]


def test_a_catalog_acts_though_every_thread_is_taken(house: House) -> None:
    house.drop_in("helper", catalog="toys", execute_ms="60000")
    services = house.open(limits={"workers": 1})
    session = services.start("toys", {"agents": "helper", "orchestrator": "max"})
    services.say(session, "@helper goal trophy")
    assert services.wait(session, 60)
    said = [entry.event for entry in services.snapshot(session).log if isinstance(entry.event, Replied)]
    assert said[-1].sender == "helper"


@pytest.mark.row("C13")
def test_an_orchestrator_that_is_dropped_in_is_listed_and_chosen_while_it_is_there(house: House) -> None:
    code = """
        from dialogue.agents.model import Choice
        from dialogue.agents.orchestrators.ranking import LearnsNothing

        class Nobody(LearnsNothing):
            def choose(self, state, event, answers, forced, seed):
                return Choice(agents=(), verdicts=())
    """
    (house.folder / "quiet").mkdir()
    (house.folder / "quiet" / MANIFEST).write_text("[DEFAULT]\ndescription = Says nothing.\n", encoding="utf-8")
    (house.folder / "quiet" / "quiet.py").write_text(textwrap.dedent(code), encoding="utf-8")
    services = house.open(orchestrator="quiet")
    (row,) = [one for one in services.agents.orchestrators() if one.name == "quiet"]
    assert (row.description, row.origin) == ("Says nothing.", "dropped in")
    session = services.start("toys")
    services.say(session, "goal trophy")
    services.wait(session, 60)
    (chosen,) = [e.event for e in services.snapshot(session).log if e.event.kind == "chosen"]
    assert (chosen.orchestrator, chosen.choice.agents) == ("quiet", ())  # type: ignore[attr-defined]
    services.choose(session, {"orchestrator": "max"})
    services.choose(session, {"orchestrator": "quiet", "agents": "toys"})
    services.close()
    with pytest.raises(SettingsError, match="quiet"):
        services.agents.checked({"orchestrator": "quiet"})
    house.drop_in("gone", CODE)
    (house.folder / "quiet" / MANIFEST).unlink()
    assert talk_on(house, session, "goal trophy") == "assistant"


def talk_on(house: House, session: str, text: str) -> str:
    """Say something in a conversation after a restart; return who replied last."""
    services = house.open()
    services.say(session, text)
    assert services.wait(session, 60)
    said = [entry.event for entry in services.snapshot(session).log if isinstance(entry.event, Replied)]
    return said[-1].sender


def test_all_catalogs_can_take_part(house: House) -> None:
    services = house.open()
    assert services.agents.names() == ("toys",)
