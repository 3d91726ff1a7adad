"""How calls ended in the conversations that are kept decides between plans, where the operator wants that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from catalog.load import loads
from catalog.model import Catalog
from catalog.skills import Result, SkillInput
from dialogue.caller import Returned
from dialogue.cli.main import main
from dialogue.log.events import LikelihoodsChosen, Planned
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.settings import Configuration, Settings
from pages.catalog import cards
from tests.callers import TellsNothing
from tests.dialogue.toys import Notation

CATALOG = """
name: game
facts:
  stake: {label: stake, ask: What is the stake?, sensitive: true}
  prize: {label: prize, askable: false}
skills:
  left: {endpoint: "python:nowhere:nothing", modes: {now: {inputs: [stake], outcomes: {won: [prize], lost: {}}}}}
  right: {endpoint: "python:nowhere:nothing", modes: {now: {inputs: [stake], outcomes: {won: [prize], lost: {}}}}}
goals:
  prize: {label: the prize, facts: [prize], examples: [x]}
"""


class Game(TellsNothing):
    """The services of a catalog in which one way always loses, and the other one wins."""

    def __init__(self, home: Path, source: str = "counted") -> None:
        self.home = home
        self.called: list[str] = []
        self.services = Services(
            SqliteStore(home / "sessions.db"),
            {"game": loads(CATALOG, file="game.yaml")},
            understander=Notation,
            caller=self,
            configuration=Configuration(Settings(likelihoods=source, prior_calls=4.0, home=home)),
        )

    def call(self, catalog: Catalog, skill: str, mode: str, values: Mapping[str, SkillInput], key: str) -> Returned:
        self.called.append(skill)
        outcome = "lost" if skill == self.loser else "won"
        return Returned(Result(outcome, {"prize": "a bear"} if outcome == "won" else {}), (), 0.0)

    loser = "left"

    def play(self) -> str:
        """Play once, in a conversation of its own; return its id."""
        session = self.services.start("game")
        for text in ("goal prize", "stake=canary-4711", "yes", "yes"):
            self.services.say(session, text)
            assert self.services.wait(session, 60)
        self.services.counts.count().result()
        return session

    def events(self, session: str, kind: type) -> list[object]:
        return [entry.event for entry in self.services.snapshot(session).log if isinstance(entry.event, kind)]

    def first_call(self, session: str) -> str:
        planned = self.events(session, Planned)[0]
        assert isinstance(planned, Planned)
        return next(step.subject for step in planned.steps if step.kind == "skill")


@pytest.fixture
def game(home: Path) -> Iterator[Game]:
    game = Game(home)
    yield game
    game.services.close()


def test_a_way_that_was_seen_to_fail_is_not_planned_first_again_and_the_plan_says_what_it_counted(game: Game) -> None:
    first = game.play()
    assert game.first_call(first) == "left"
    assert game.called == ["left", "right"]
    second = game.play()
    assert game.first_call(second) == "right"
    planned, *_ = game.events(second, Planned)
    assert isinstance(planned, Planned)
    assert "Likelihoods of outcomes count, from 1 call and a prior" in planned.note.text
    chosen, *_ = game.events(second, LikelihoodsChosen)
    assert isinstance(chosen, LikelihoodsChosen)
    assert chosen.calls == (("left", "now", "lost", 1), ("right", "now", "won", 1))
    assert chosen.prior_calls == 4.0


def test_what_counted_is_on_record_so_that_a_restart_changes_no_plan_and_no_value_is_in_it(game: Game) -> None:
    game.play()
    second = game.play()
    before = game.services.snapshot(second).conversation.situation
    game.services.close()
    game.services = Game(game.home, "declared").services
    assert game.services.snapshot(second).conversation.situation == before
    chosen, *_ = game.events(second, LikelihoodsChosen)
    assert isinstance(chosen, LikelihoodsChosen)
    assert "canary" not in chosen.model_dump_json()


def test_conversations_that_are_deleted_no_longer_count(game: Game) -> None:
    first = game.play()
    game.services.delete(first)
    assert game.services.counts.calls_of("game") == ()
    game.services.counts.count().result()
    second = game.play()
    assert game.first_call(second) == "left"


def test_what_was_kept_before_the_program_started_counts_and_other_catalogs_do_not(game: Game) -> None:
    game.play()
    game.services.close()
    again = Game(game.home)
    game.services = again.services
    game.services.counts.count().result()
    assert game.services.counts.calls_of("game") == (("left", "now", "lost", 1), ("right", "now", "won", 1))
    assert game.services.counts.calls_of("other") == ()


@pytest.mark.parametrize("source", ["declared", "ignored"])
def test_unless_the_operator_wants_it_nothing_is_counted(home: Path, source: str) -> None:
    game = Game(home, source)
    sessions = [game.play(), game.play()]
    assert [game.first_call(session) for session in sessions] == ["left", "left"]
    chosen = [len(game.events(session, LikelihoodsChosen)) for session in sessions]
    assert chosen == ([0, 0] if source == "declared" else [1, 1])
    game.services.close()


def test_a_plan_on_the_command_line_counts_what_is_kept_and_cards_of_skills_show_it(
    game: Game, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game.play()
    likelihoods = game.services.likelihoods_of("game")
    shown = str(cards.skills(loads(CATALOG).catalog, None, likelihoods))
    assert "likelihood 0.6, from 1 call" in shown
    game.services.close()
    file = tmp_path / "game.yaml"
    file.write_text(CATALOG, encoding="utf-8")
    command = ["plan", str(file), "--goal", "prize", "--known", "stake", "--json"]
    assert main([*command, "--set", "likelihoods=counted"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert counted["steps"][-1]["name"] == "right"
    assert counted["counted_from_calls"] == 1
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["steps"][-1]["name"] == "left"


def test_the_settings_are_listed_and_an_unknown_choice_is_refused_with_what_there_is(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", "--set", "likelihoods=counted"]) == 0
    assert "counted" in capsys.readouterr().out
    assert main(["settings", "--set", "likelihoods=guessed"]) == 2
    assert "declared, counted, ignored" in capsys.readouterr().err
