"""Settings: from which source a value comes, what is refused and how, and what a conversation chooses for itself."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from dialogue.cli.main import main
from dialogue.log.events import Configured, Planned
from dialogue.policy import POLICIES
from dialogue.services import Services, make_services
from dialogue.settings import FILE, SettingsError, known_names, variable_of
from dialogue.settings.sources import read_settings
from language.understanding import UNDERSTANDERS
from planning.engines import DEFAULT_ENGINE, ENGINES
from tests.dialogue.toys import Toybox


def write(home: Path, **settings: Any) -> None:
    home.mkdir(exist_ok=True)
    (home / FILE).write_text(json.dumps(settings), encoding="utf-8")


def test_the_command_line_outweighs_the_environment_which_outweighs_the_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(home, engine="optimal", limits={"workers": 2, "search_seconds": 3, "skill_seconds": 4})
    monkeypatch.setenv("PLANGLASS_LIMITS_WORKERS", "5")
    monkeypatch.setenv("PLANGLASS_LIMITS_SEARCH_SECONDS", "6")
    found = read_settings({"limits.search_seconds": "7"}, home)
    settings = found.settings
    assert (settings.engine, settings.policy) == ("optimal", "planner")
    assert (settings.limits.workers, settings.limits.search_seconds, settings.limits.skill_seconds) == (5, 7, 4)
    origins = {row.name: row.origin for row in found.rows()}
    assert origins["engine"] == origins["limits.skill_seconds"] == FILE
    assert origins["limits.workers"] == "environment"
    assert origins["limits.search_seconds"] == "command line"
    assert origins["policy"] == "default"


def test_the_variables_of_version_0_1_0_keep_working(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANGLASS_HOME", str(home))
    monkeypatch.setenv("PLANGLASS_CATALOGS", "/one.yaml:/two.yaml")
    monkeypatch.setenv("PLANGLASS_SKILLS", " my_bank.skills , my_shop,")
    settings = read_settings().settings
    assert settings.home == home
    assert settings.catalogs == (Path("/one.yaml"), Path("/two.yaml"))
    assert settings.allowed == ("catalog.demos", "my_bank.skills", "my_shop")


def test_drop_in_folders_in_the_file_are_found_from_the_data_directory(home: Path) -> None:
    write(home, drop_ins=["mine"])
    assert read_settings({}, home).settings.drop_ins == (home / "mine",)


def test_catalogs_in_the_file_are_found_from_the_data_directory(home: Path) -> None:
    write(home, catalogs=["mine.yaml", "/elsewhere.yaml"])
    assert read_settings(home=home).settings.catalogs == (home / "mine.yaml", Path("/elsewhere.yaml"))


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"engine": "fastest"}, f"There is no engine 'fastest'. There are: {', '.join(ENGINES)}."),
        ({"policy": "x"}, f"There is no policy 'x'. There are: {', '.join(POLICIES)}."),
        ({"understander": "x"}, f"There are: {', '.join(UNDERSTANDERS)}."),
        ({"store": "punchcards://here"}, "There is no store 'punchcards'. Write one of: sqlite"),
        ({"limits.workers": "none"}, "limits.workers (command line)"),
        ({"limits.workers": "0"}, "greater than 0"),
        ({"motor": "x"}, "There is no setting 'motor' (command line). There are: engine, policy"),
        ({"limits.x": "3"}, "There is no setting 'limits.x'"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_with_what_there_is(
    home: Path, chosen: dict[str, str], said: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings(chosen, home)
    assert said in str(refused.value)


def test_what_cannot_be_used_of_file_and_environment_is_a_problem_that_names_its_source_and_the_default_is_used(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write(home, limits={"workers": -1, "bot_seconds": 3}, motor="x", engine="fastest", catalogs=7, llm={"mode": "loud"})
    found = read_settings(home=home)
    assert found.settings.limits.workers == 8 and found.settings.limits.bot_seconds == 3
    assert (found.settings.engine, found.settings.catalogs) == (DEFAULT_ENGINE, ())
    assert found.problems.keys() == {"limits.workers", "motor", "engine", "catalogs", "llm.mode"}
    assert "limits.workers (settings.json) cannot be used" in found.problems["limits.workers"]
    assert found.problems["engine"].endswith("The default is used.")
    assert found.problems["motor"].endswith("It is ignored.")
    assert found.origins == {"home": "command line", "limits.bot_seconds": FILE}
    assert all(caplog.text.count(told) == 1 for told in found.problems.values())
    monkeypatch.setenv("PLANGLASS_LIMITS_WORKERS", "-2")
    again = read_settings(home=home)
    assert "limits.workers (PLANGLASS_LIMITS_WORKERS)" in again.problems["limits.workers"]
    with pytest.raises(SettingsError, match=r"limits\.workers \(command line\)"):
        read_settings({"limits.workers": "0"}, home)


@pytest.mark.parametrize("text", ["{", "[]", "", '{"limits": 3}'])
def test_a_damaged_file_is_named_with_what_to_do_and_never_written_over(home: Path, text: str) -> None:
    home.mkdir()
    (home / FILE).write_text(text, encoding="utf-8")
    found = read_settings(home=home)
    assert found.settings.limits.workers == 8
    [told] = found.problems.values()
    assert "settings.json" in told
    services = make_services(home)
    if "limits" not in text:
        assert "Correct it, or delete it" in told
        with pytest.raises(OSError, match="Correct it, or delete it"):
            services.change_settings({"engine": "optimal"})
        assert (home / FILE).read_text(encoding="utf-8") == text
    services.close()


def test_agents_and_an_orchestrator_that_are_gone_are_problems_until_others_are_chosen(home: Path) -> None:
    """A folder of drop-ins was there when they were chosen, and is there no more, or holds an agent of that name."""
    folder = home / "dropped"
    (folder / "guess").mkdir(parents=True)
    write(home, drop_ins=["dropped"], orchestrator="guess", agents="maps, books")
    services = make_services(home)
    try:
        assert services.configuration.problems.keys() == {"orchestrator", "agents"}
        assert "There is no orchestrator 'guess'. There are: planner" in services.configuration.problems["orchestrator"]
        assert (services.settings.orchestrator, services.settings.agents) == ("planner", "")
        services.start("banking")
        services.change_settings({"orchestrator": "max"})
        assert services.configuration.problems.keys() == {"agents"}
    finally:
        services.close()
    assert json.loads((home / FILE).read_text(encoding="utf-8"))["orchestrator"] == "max"
    with pytest.raises(SettingsError, match="There is no orchestrator 'guess'"):
        make_services(home, chosen={"orchestrator": "guess"})


def test_an_engine_whose_package_is_missing_says_what_to_install(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kstar: Any = ENGINES["kstar"]
    monkeypatch.setitem(ENGINES, "kstar", replace(kstar, package=replace(kstar.package, module="not_there")))
    with pytest.raises(SettingsError, match=r"pip install 'planglass\[kstar\]'"):
        read_settings({"engine": "kstar"}, home)


def test_the_command_shows_each_setting_its_value_and_its_origin_and_no_secret(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLANGLASS_LLM_KEY", "sk-canary-7d1c")
    assert main(["settings", "--json", "--set", "engine=optimal"]) == 0
    shown = capsys.readouterr().out
    listed = {row["name"]: row for row in json.loads(shown)["settings"]}
    assert tuple(listed) == known_names()
    assert (listed["engine"]["value"], listed["engine"]["origin"]) == ("optimal", "command line")
    assert listed["engine"]["choices"] == list(ENGINES)
    assert listed["llm.key"]["origin"] == "environment"
    assert main(["settings"]) == 0
    plain = capsys.readouterr().out
    assert all(name in plain and variable_of(name) in plain for name in known_names())
    assert "sk-canary" not in shown + plain
    assert main(["settings", "--set", "engine=fastest"]) == 2
    assert "There is no engine 'fastest'" in capsys.readouterr().err


def test_a_plan_is_made_by_the_engine_of_the_settings(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(home, engine="optimal")
    for arguments, engine in (
        ([], "optimal"),
        (["--set", "engine=pyperplan"], "pyperplan"),
        (["--engine", "native"], "native"),
    ):
        assert main(["plan", "banking", "--goal", "loan_result", "--json", *arguments]) == 0
        assert json.loads(capsys.readouterr().out)["engine"] == engine


def test_what_is_changed_is_used_at_once_and_after_a_restart(home: Path) -> None:
    services = make_services(home)
    services.change_settings({"engine": "optimal", "limits.search_seconds": 2})
    assert services.explorations.explorer.engine == "optimal"
    services.close()
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    found = read_settings(home=home)
    assert (found.settings.engine, found.settings.search_limits.time_s) == ("optimal", 2)
    assert found.origins["engine"] == FILE


def test_what_is_written_into_the_file_is_used_by_conversations_that_are_open_and_by_the_next_one(home: Path) -> None:
    box = Toybox(home)
    write(home, engine="pyperplan", limits={"workers": 3, "search_seconds": 4})
    box.services.refresh()
    box.say("goal trophy")
    assert set(engines_of(box.services, box.session)) == {"pyperplan"}
    assert box.services.settings.limits.search_seconds == 4
    assert box.services.settings.limits.workers == 8, "it takes effect at a start"
    (home / FILE).unlink()
    other = box.services.start("toys")
    box.services.say(other, "goal trophy")
    assert box.services.wait(other)
    assert set(engines_of(box.services, other)) == {DEFAULT_ENGINE}
    box.services.close()


def test_what_a_command_saves_reaches_services_that_run(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    services = make_services(home)
    session = services.start("banking")
    assert main(["orchestrators", "max", "threshold=0.25"]) == 0
    services.refresh()
    choices = services.choices_of(services.snapshot(session).conversation)
    assert (choices["orchestrator"], choices["figures"]) == ("max", "max.threshold=0.25")
    services.close()


def test_of_a_file_that_was_changed_what_outweighs_it_stays_and_what_cannot_be_used_changes_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PLANGLASS_LIKELIHOODS", "ignored")
    services = make_services(home, chosen={"limits.search_seconds": 7})
    services.change_settings({"llm.key": "sk-secret"}, keep_secrets=False)
    write(home, engine="optimal", likelihoods="counted", limits={"search_seconds": 3})
    services.refresh()
    settings = services.settings
    assert (settings.engine, settings.likelihoods, settings.limits.search_seconds) == ("optimal", "ignored", 7)
    assert settings.llm.key == "sk-secret"
    for text, told in (
        ("{", "is not JSON"),
        ('{"engine": "fastest", "prior_calls": 3}', "There is no engine 'fastest'"),
    ):
        (home / FILE).write_text(text, encoding="utf-8")
        services.refresh()
        assert services.settings == settings
        assert told in services.configuration.problems[FILE]
        assert told in caplog.text
    write(home, agents="gone", prior_calls=3)
    services.refresh()
    assert services.configuration.problems.keys() == {"agents"}
    assert (services.settings.agents, services.settings.prior_calls) == ("", 3)
    assert (services.settings.engine, services.settings.llm.key) == (DEFAULT_ENGINE, "sk-secret")
    services.close()


def test_what_cannot_be_used_changes_nothing(home: Path) -> None:
    services = make_services(home)
    wrong: list[dict[str, JsonValue]] = [{"engine": "optimal", "limits.workers": -1}, {"motor": "x"}]
    for changes in wrong:
        with pytest.raises(SettingsError):
            services.change_settings(changes)
    assert services.settings.engine == DEFAULT_ENGINE
    assert not (home / FILE).exists()
    services.close()


@pytest.mark.parametrize("name", ["home", "catalogs", "skills", "store"])
def test_what_decides_which_code_and_files_are_reached_is_not_changed_while_running(home: Path, name: str) -> None:
    services = make_services(home)
    with pytest.raises(SettingsError, match=variable_of(name)):
        services.change_settings({name: "os"})
    assert "os" not in services.settings.allowed
    assert not (home / FILE).exists()
    services.close()


def engines_of(services: Services, session: str) -> list[str]:
    return [entry.event.engine for entry in services.snapshot(session).log if isinstance(entry.event, Planned)]


def test_a_conversation_may_run_with_an_engine_of_its_own(home: Path) -> None:
    """It is on record, another one goes on as the settings say, and a restart changes nothing of it."""
    box = Toybox(home)
    own = box.services.start("toys", {"engine": "pyperplan"})
    for session in (box.session, own):
        box.services.say(session, "goal trophy")
        assert box.services.wait(session)
    assert set(engines_of(box.services, own)) == {"pyperplan"}
    assert set(engines_of(box.services, box.session)) == {DEFAULT_ENGINE}
    assert not [e for e in box.services.snapshot(box.session).log if isinstance(e.event, Configured)]
    box.restart()
    seen = box.services.snapshot(own).conversation
    assert box.services.choices_of(seen)["engine"] == "pyperplan"
    box.services.choose(own, {"engine": None})
    seen = box.services.snapshot(own).conversation
    assert box.services.choices_of(seen)["engine"] == DEFAULT_ENGINE
    box.services.close()


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"engine": "fastest"}, "There are: native"),
        ({"store": "sqlite"}, "It may choose: engine, policy, understander"),
    ],
)
def test_a_conversation_is_told_what_it_may_choose(home: Path, choices: dict[str, str], said: str) -> None:
    box = Toybox(home)
    before = box.services.snapshot(box.session).log
    for choose in (lambda: box.services.choose(box.session, choices), lambda: box.services.start("toys", choices)):
        with pytest.raises(SettingsError, match=said):
            choose()
    assert box.services.snapshot(box.session).log == before
    assert len(box.services.sessions()) == 1
    box.services.close()


def test_what_skills_may_use_is_the_operators_and_never_holds_the_data_directory(home: Path) -> None:
    write(home, skill_folders=["theirs", "/srv/shared"], skill_variables=["BANK_KEY"], trusted=["my_bank"])
    settings = read_settings({"limits.skill_memory_mib": "300", "unconfined": "true"}, home).settings
    limits = settings.confinement
    assert limits.hidden == (str(home),) and limits.memory_mib == 300 and limits.variables == ("BANK_KEY",)
    assert limits.folders == (str(home / "theirs"), "/srv/shared")
    assert settings.unconfined and settings.trusted == ("my_bank",)
    assert read_settings({}, home / "none").settings.trusted == ("catalog.demos",)
