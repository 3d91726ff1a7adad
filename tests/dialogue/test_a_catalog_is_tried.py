"""A check of a catalog imports what it names, and says its words to the assistant; what fails is told in the chat."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from catalog.endpoints import confinement
from catalog.load import loads
from catalog.problems import Problem
from dialogue.cli.main import main
from dialogue.log.events import Failed, Replied
from dialogue.log.stores import SqliteStore
from dialogue.services import Services
from dialogue.services.inspection import try_words
from dialogue.settings import Configuration, Settings
from language.understanding.pipeline import OfflineUnderstander

TODAY = date(2026, 11, 26)
CATALOG = """name: kiln
facts:
  glaze:
    label: glaze
    ask: Which glaze?
    value: {kind: choice, options: [celadon, tenmoku]}
    examples: [in celadon, tenmoku please]
  pot: {label: pot, fillable: false}
skills:
  potter:
    label: potter
    endpoint: "python:MODULE:throw_pot"
    modes: {m: {inputs: [glaze], outcomes: {thrown: [pot]}}}
goals:
  pot: {label: a pot, facts: [pot], examples: [I want a pot, throw me a pot, a pot please], done: Here it is.}
"""
MODULES = {
    "kiln_lacking": (
        "import zymurgy_of_nowhere\n",
        "No module named 'zymurgy_of_nowhere'",
        "Install zymurgy_of_nowhere",
    ),
    "kiln_broken": ("raise OSError('the oven door is open')\n", "OSError: the oven door is open", "Correct the module"),
    "kiln_leaving": ("import sys\nsys.exit('not today')\n", "SystemExit: not today", "Correct the module"),
    "kiln_gone": ("import os\nos._exit(3)\n", "its process ended before it answered", "does nothing else"),
    "kiln_other": ("def fire_pot(given): ...\n", "no callable of its own named throw_pot", "define it there"),
}


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    for name, (text, _, _) in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "kiln_good.py").write_text("print('loading')\ndef throw_pot(given): ...\n")
    return tmp_path


def trusting(trusted: bool, *modules: str) -> tuple[str, ...]:
    if not (trusted or confinement.is_possible()):
        pytest.skip("this kernel cannot confine skills")
    named = ",".join(modules)
    return ("--set", f"skills={named}", *(("--set", f"trusted={named}") if trusted else ()))


@pytest.mark.parametrize("trusted", [True, False])
def test_what_cannot_be_imported_is_an_error_in_its_own_words_with_line_and_remedy(
    capsys: pytest.CaptureFixture[str], modules: Path, trusted: bool
) -> None:
    known = [*MODULES, "kiln_good", "kiln_nowhere"]
    skills = "".join(
        f"  {name}: {{endpoint: 'python:{name}:throw_pot', modes: {{m: {{outcomes: {{ok: [pot]}}}}}}}}\n"
        for name in known
    )
    text = f"name: kiln\nfacts:\n  pot: {{fillable: false}}\nskills:\n{skills}goals: {{g: {{facts: [pot]}}}}\n"
    (modules / "kiln.yaml").write_text(text)
    arguments = ["check", str(modules / "kiln.yaml"), "--no-try", "--json", *trusting(trusted, *known)]
    assert main(arguments) == 2
    problems = [one for one in json.loads(capsys.readouterr().out)["problems"] if one["severity"] == "error"]
    wanted = {name: (words, write) for name, (_, words, write) in MODULES.items()}
    wanted["kiln_nowhere"] = ("No module named 'kiln_nowhere'", "PYTHONPATH")
    assert {one["where"]: one["line"] for one in problems} == {
        f"skills.{name}.endpoint": 5 + known.index(name) for name in wanted
    }
    for one in problems:
        assert one["code"] == "not-imported"
        words, write = wanted[one["where"].split(".")[1]]
        assert words in one["found"]
        assert write in one["write"]
    assert main([*arguments, "--no-import"]) == 0


@pytest.mark.row("V3")
@pytest.mark.parametrize(("hosts", "told"), [((), True), (("kiln.example.org",), False)])
def test_the_chat_and_the_log_say_why_a_skill_cannot_be_called_to_whoever_may_see_it(
    modules: Path, hosts: tuple[str, ...], told: bool
) -> None:
    settings = Settings(home=modules / "home", app_hosts=hosts, skills=("kiln_lacking",))
    loaded = loads(CATALOG.replace("MODULE", "kiln_lacking"), file="kiln.yaml")
    store = SqliteStore(modules / "events.sqlite3")
    trusted = () if confinement.is_possible() else ("kiln_lacking",)
    with closing(
        Services(
            store, {"kiln": loaded}, allowed=settings.allowed, trusted=trusted, configuration=Configuration(settings)
        )
    ) as services:
        session = services.start("kiln")
        services.say(session, "I want a pot in celadon")
        assert services.wait(session, 60)
        log = services.snapshot(session).log
    (failed,) = (one.event for one in log if isinstance(one.event, Failed))
    assert failed.error == "unavailable"
    assert "ModuleNotFoundError: No module named 'zymurgy_of_nowhere'" in failed.message
    said = " ".join(one.event.text for one in log if isinstance(one.event, Replied))
    assert ("zymurgy_of_nowhere" in said) is told
    assert ("Something went wrong with the potter" in said) is not told


def tried(text: str, limit_s: float = 60.0) -> tuple[Sequence[Problem], int, int]:
    loaded = loads(text, file="x.yaml")
    trial = try_words(loaded, OfflineUnderstander(loaded.catalog), TODAY, limit_s)
    return trial.problems, trial.tried, trial.of


def test_examples_and_frames_that_work_are_not_warned_of() -> None:
    assert tried(CATALOG.replace("MODULE", "a")) == ((), 5, 5)


WORDS = """name: words
facts:
  city: {label: city, ask: Which city?, said: ["via {city}"]}
  stop: {label: stop, ask: Which stop?, said: ["via {stop}", "with a break at {stop}"]}
  count:
    label: count
    ask: How many?
    value: {kind: number, maximum: 9}
    examples: [three please, a great many of them]
  gone: {label: gone, fillable: false}
skills:
  s: {modes: {m: {inputs: [city, stop, count], outcomes: {ok: [gone]}}}}
goals:
  trip: {label: a trip, facts: [gone], examples: [I need a trip, on 3 May, book a trip for me]}
"""


def test_an_example_and_a_frame_that_cannot_work_are_warned_of_where_they_stand() -> None:
    problems, done, of = tried(WORDS)
    assert done == of == 8
    assert {(one.code, one.where, one.line) for one in problems} == {
        ("frame-unread", "facts.city.said[0]", 3),
        ("frame-unread", "facts.stop.said[0]", 4),
        ("example-unread", "facts.count.examples[1]", 9),
        ("example-unread", "goals.trip.examples[1]", 14),
    }
    assert all(one.severity == "warning" and one.write for one in problems)


def test_it_is_said_how_far_the_trial_came_where_the_time_is_up(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    loaded = loads(WORDS, file="x.yaml")
    clock = iter(range(100))
    trial = try_words(loaded, OfflineUnderstander(loaded.catalog), TODAY, 2.5, lambda: float(next(clock)))
    assert (trial.tried, trial.of) == (3, 8)
    assert "Of 8 examples and frames, 3 were tried" in trial.note
    (tmp_path / "words.yaml").write_text(WORDS)
    main(["check", str(tmp_path / "words.yaml"), "--no-try"])
    assert "unread" not in capsys.readouterr().out
