"""What can be chosen about agents, in settings, for a conversation, and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, Answers, Preview, Reaction, Stage
from dialogue.agents.orchestrators import ORCHESTRATORS
from dialogue.agents.orchestrators.preference import close
from dialogue.cli.main import main
from dialogue.services import make_services
from dialogue.settings import FILE, SettingsError, choices_in
from dialogue.settings.agent_choices import options_of, read_names, read_preferences, read_profile
from dialogue.settings.sources import read_settings


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("orchestrator", "loudest", "There is no orchestrator 'loudest'. There are: planner, s3"),
        ("shell_orchestrator", "loudest", "There is no shell orchestrator 'loudest'"),
        ("agents", "accounting, nobody", "'nobody' is no agent that can be added"),
        ("agents", "assistant", "'assistant' is no agent that can be added"),
        ("preferences", "find", "'find' is no preference: write NAME>OTHER"),
        ("preferences", "find>guess, >", "'>' is no preference"),
        ("profile", "bold", "'bold' is no profile: write max, quiet, ignore:NAME or prefer:NAME>OTHER"),
        ("profile", "ignore", "is no profile"),
        ("profile", "prefer:find", "is no profile"),
        ("profile", "prefer:find>find", "is no profile"),
        ("profile", "max:find", "is no profile"),
        ("explore", "dice", "There is no explore 'dice'. There are: thompson, ucb"),
        ("calibration", "some", "There is no calibration 'some'. There are: none, platt, isotonic"),
    ],
)
def test_a_choice_that_cannot_be_used_is_refused_in_one_line(home: Path, name: str, value: str, said: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings({name: value}, home)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_cycle_of_preferences_is_refused_with_its_names_for_all_and_for_one_conversation(home: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings({"preferences": "find>guess, ask>find, guess>ask"}, home)
    assert "go round in a circle" in str(refused.value)
    assert {"find", "guess", "ask"} <= set(str(refused.value).replace(".", " ").replace(":", " ").split())
    services = make_services(home)
    with pytest.raises(SettingsError, match="go round in a circle"):
        services.start("banking", {"preferences": "find>find"})
    services.close()


@given(st.lists(st.text("abc", min_size=1, max_size=2), min_size=2, max_size=4, unique=True))
def test_a_chain_of_preferences_stands_for_its_pairs(names: list[str]) -> None:
    pairs = read_preferences(" > ".join(names) + ", ")
    assert pairs == tuple((one, names[place]) for place, one in enumerate(names[:-1], start=0) for place in [place + 1])
    assert close(pairs)[names[-1]] == set(names[:-1])


def test_names_and_profiles_are_read_as_they_are_written() -> None:
    assert read_names(" accounting,weather ,, accounting") == ("accounting", "weather")
    assert read_profile("quiet").kind == "quiet"
    assert (read_profile("ignore: guess").kind, read_profile("ignore: guess").agent) == ("ignore", "guess")
    prefer = read_profile("prefer:find > guess")
    assert (prefer.kind, prefer.agent, prefer.other) == ("prefer", "find", "guess")


def test_lists_in_the_file_are_names_too(home: Path) -> None:
    home.mkdir(exist_ok=True)
    chosen = {"agents": ["accounting", "weather"], "preferences": ["find>guess"], "drop_ins": ["/dropped"]}
    (home / FILE).write_text(json.dumps(chosen), encoding="utf-8")
    settings = read_settings(home=home).settings
    assert (settings.agents, settings.preferences) == ("accounting, weather", "find>guess")
    assert settings.drop_ins == (Path("/dropped"),)


def test_folders_of_drop_ins_are_for_the_operator_alone(home: Path) -> None:
    services = make_services(home)
    with pytest.raises(SettingsError, match="PLANGLASS_DROP_INS"):
        services.change_settings({"drop_ins": "/dropped"})
    services.close()


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["orchestrators", *arguments])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.fixture
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLANGLASS_HOME", str(home))
    return home


@pytest.mark.row("C12")
def test_one_orchestrator_a_line_is_listed_and_the_one_in_use_is_marked(
    at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = listed(capsys)
    lines = out.splitlines()
    assert code == 0
    assert [line.split()[0] for line in lines] == list(ORCHESTRATORS)
    assert [line.split()[0] for line in lines if line.endswith("in use")] == ["planner"]
    _, verbose, _ = listed(capsys, "-v")
    told = json.loads(listed(capsys, "--json")[1])["orchestrators"]
    assert [one["name"] for one in told if one["in_use"]] == ["planner"]
    for line, one in zip([line for line in verbose.splitlines() if line[0] != " "], told, strict=True):
        assert line.startswith(one["name"]) and line.endswith(one["description"]) and one["description"] not in out


@pytest.mark.row("C11")
def test_a_switch_persists_and_an_unknown_name_keeps_the_current_one(
    at_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out, _ = listed(capsys, "bandit")
    assert code == 0 and "bandit      in use" in out.splitlines()
    code, out, err = listed(capsys, "loudest")
    assert (code, out) == (2, "")
    assert "There is no orchestrator 'loudest'. There are: planner, s3, max" in err
    assert "bandit      in use" in listed(capsys)[1]
    assert read_settings(home=at_home).settings.orchestrator == "bandit"
    monkeypatch.setenv("PLANGLASS_ORCHESTRATOR", "max")
    code, _, err = listed(capsys, "s3")
    assert code == 2 and "PLANGLASS_ORCHESTRATOR says max, and outweighs this" in err
    code, _, err = listed(capsys, "s3", "--set", "orchestrator=threshold")
    assert code == 2 and "--set says threshold" in err


QUIET = """
from dialogue.agents.orchestrators.ranking import LearnsNothing, conclude


class Quiet(LearnsNothing):
    def choose(self, state, event, answers, forced, seed):
        return conclude(answers, (), ())
"""
AN_AGENT = "class Newt:\n    preview = execute = lambda self, *_: None\n"


@pytest.mark.row("C11")
def test_only_what_can_choose_is_switched_to_and_every_command_still_starts(
    at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, main_file, told in (
        ("newt", AN_AGENT, ""),
        ("hidden", QUIET, "exclude = true"),
        ("broken", "1 / 0", ""),
    ):
        made = at_home / "own" / folder
        made.mkdir(parents=True)
        (made / "manifest.properties").write_text(f"[DEFAULT]\nname = {folder}\n{told}\n", encoding="utf-8")
        (made / f"{folder}.py").write_text(main_file, encoding="utf-8")
    (at_home / "own" / "gone").mkdir()
    own = ("--set", f"drop_ins={at_home / 'own'}")
    for name, *shell in (("newt",), ("gone",), ("hidden",), ("broken",), ("nonsense",), ("newt", "--shell")):
        code, _, err = listed(capsys, name, *shell, *own)
        assert code == 2 and f"There is no {'shell ' * bool(shell)}orchestrator {name!r}" in err
    assert "planner     in use" in listed(capsys, *own)[1]
    assert "max         in use" in listed(capsys, "--shell", *own)[1]
    settings = read_settings(home=at_home).settings
    assert (settings.orchestrator, settings.shell_orchestrator) == ("planner", "max")


@pytest.mark.row("C11")
def test_a_saved_orchestrator_that_is_not_there_any_more_leaves_the_usual_one_in_use(
    at_home: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    made = at_home / "own" / "quiet"
    made.mkdir(parents=True)
    (made / "manifest.properties").write_text("[DEFAULT]\nname = Quiet\n", encoding="utf-8")
    (made / "quiet.py").write_text(QUIET, encoding="utf-8")
    (at_home / "settings.json").write_text(json.dumps({"drop_ins": ["own"]}), encoding="utf-8")
    assert "quiet       in use" in listed(capsys, "quiet")[1]
    (made / "quiet.py").write_text(AN_AGENT, encoding="utf-8")
    code, out, _ = listed(capsys)
    assert code == 0 and "planner     in use" in out
    assert "There is no orchestrator 'quiet'" in caplog.text
    services = make_services(at_home)
    services.say(session := services.start("banking"), "hello")
    assert services.wait(session)
    services.close()


@pytest.mark.parametrize("name", ["preferences", "profile"])
def test_whom_preferences_and_profiles_name_has_to_be_an_agent_that_there_is(
    at_home: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    said = {"preferences": "assistant>ghost", "profile": "ignore:ghost"}[name]
    code, _, err = listed(capsys, "--set", f"{name}={said}")
    assert code == 2 and "There is no agent 'ghost'. There are: assistant, " in err and "reports" in err
    services = make_services(at_home)
    with pytest.raises(SettingsError, match="There is no agent 'ghost'"):
        services.change_settings({name: said})
    with pytest.raises(SettingsError, match="There is no agent 'ghost'"):
        services.start("banking", {name: said})
    services.change_settings({name: said.replace("ghost", "reports")})
    services.close()


@pytest.mark.row("C12")
def test_figures_are_listed_and_set_for_conversations_and_the_shell_alike_and_decide(
    at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def figures(*arguments: str) -> dict[str, dict[str, float]]:
        told = json.loads(listed(capsys, "--json", *arguments)[1])["orchestrators"]
        return {one["name"]: one["figures"] for one in told}

    assert figures()["s3"] == {"count": 3, "threshold": 0.4}
    assert figures()["threshold"] == {"start": 0.2, "followed": -0.02, "not_followed": 0.05}
    assert listed(capsys, "s3", "count=2", "threshold.followed=-0.1")[0] == 0
    assert listed(capsys, "--shell", "threshold", "start=0.6")[0] == 0
    expected = ({"count": 2, "threshold": 0.4}, {"start": 0.6, "followed": -0.1, "not_followed": 0.05})
    for where in ((), ("--shell",)):
        assert (figures(*where)["s3"], figures(*where)["threshold"]) == expected
        assert "count=2: how many agents act at most" in listed(capsys, "-v", *where)[1]
    assert "threshold   in use" in listed(capsys, "--shell")[1] and "s3          in use" in listed(capsys)[1]
    for wrong, said in (("count=0", "from 1 to 50"), ("count=2.5", "a whole number"), ("k=2", "There is no figure")):
        code, _, err = listed(capsys, "s3", wrong)
        assert code == 2 and said in err
    assert figures()["s3"] == expected[0]
    options = options_of(choices_in(read_settings(home=at_home).settings))
    asked = Answers.of("abc", [Preview(agent=name, confidence=0.5) for name in "abc"])
    event = AgentEvent(text="x")
    for name, acting in (("s3", ("a", "b")), ("threshold", ()), ("max", ("a",))):
        made = ORCHESTRATORS[name](options)
        assert made.choose(made.begin(), event, asked, None, 1).agents == acting


@pytest.mark.row("C11")
def test_a_conversation_may_have_an_orchestrator_of_its_own(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    services = make_services(at_home)
    own, other = services.start("banking"), services.start("banking")
    services.close()
    assert "threshold   in use" in listed(capsys, "threshold", "--session", own)[1]
    assert listed(capsys, "loudest", "--session", own)[0] == 2
    assert "threshold   in use" in listed(capsys, "--session", own[:12])[1]
    assert "planner     in use" in listed(capsys, "--session", other)[1]
    assert "planner     in use" in listed(capsys)[1]
    services = make_services(at_home)
    assert services.snapshot(own).conversation.setup.choices == {"orchestrator": "threshold"}
    services.choose(own, {"agents": ""})
    assert services.choices_of(services.snapshot(own).conversation)["agents"] == ""
    services.close()


def test_what_was_learned_is_told_handed_out_and_taken_back(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    services = make_services(at_home)
    session = services.start("banking")
    services.close()
    assert listed(capsys, "--learned")[0] == 2
    assert listed(capsys, "--learned", "--session", session)[1] == "Nothing has been learned.\n"
    services = make_services(at_home)
    feedback = Feedback(
        stage=Stage.BEFORE,
        confidences={"books": 0.7},
        agents=("books",),
        reaction=Reaction.IGNORED,
        wanted=("maps",),
    )
    learner = services.agents.learner(session)
    learner.learn(feedback, session, 4)
    learner.learn(Feedback(stage=Stage.BEFORE, confidences={"books": 0.7}), session, 9)
    services.close()
    out = listed(capsys, "--learned", "--session", session)[1]
    assert out == "1  books  ignored  -0.3  wanted: maps\n2  no agent  +0.0\n"
    told = json.loads(listed(capsys, "--learned", "--json", "--session", session)[1])
    assert (told["learner"], len(told["lessons"])) == (session, 2)
    assert told["states"].keys() == ORCHESTRATORS.keys()
    assert listed(capsys, "--undo", "7", "--session", session)[0] == 2
    assert listed(capsys, "--undo", "2", "--session", session)[1].splitlines() == [out.splitlines()[0]]
    assert listed(capsys, "--undo", "--session", session)[1] == "What was learned is taken back.\n"
    services = make_services(at_home)
    services.delete(session)
    assert services.agents.learner(session).log == ()
    services.close()


def test_the_guide_names_each_setting_about_agents_and_each_orchestrator() -> None:
    guide = Path(__file__).parents[3].joinpath("docs", "settings.md").read_text(encoding="utf-8")
    about = (
        "orchestrator",
        "agents",
        "preferences",
        "profile",
        "explore",
        "calibration",
        "shell_orchestrator",
        "drop_ins",
    )
    assert all(f"| `{name}` |" in guide for name in about)
    assert all(f"`{name}`" in guide for name in ORCHESTRATORS)


def test_a_question_about_a_conversation_is_answered_on_the_command_line(
    at_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    services = make_services(at_home)
    session = services.start("banking", {"orchestrator": "max"})
    services.say(session, "I'd like a loan of $12,000")
    assert services.wait(session, 60)
    services.close()
    assert main(["explain", "who_acted", "--session", session]) == 0
    assert capsys.readouterr().out == "I answered that. The orchestrator max chose among me.\n"
    assert main(["explain", "why_agent", "--agent", "assistant", "--session", session, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["text"].startswith("The assistant acted: ") and len(told["evidence"]) == 2
    assert main(["explain", "why", "--session", "none"]) == 2
