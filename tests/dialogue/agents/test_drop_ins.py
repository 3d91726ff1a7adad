"""Drop-in folders: what appears, what does not, and the one line that each fault costs."""

from __future__ import annotations

import platform
import textwrap
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.endpoints.processes import Workers
from dialogue.agents.agent import PRELOADED, DeclaredAgent, Proposal
from dialogue.agents.broadcast import broadcast, execute
from dialogue.agents.feedback import Feedback
from dialogue.agents.model import AgentEvent, AgentReply, Preview, ProposedAction, Silence, SilenceReason, Stage
from dialogue.agents.orchestrators import OrchestratorOptions
from dialogue.agents.sources.drop_ins import DropIns, load_drop_ins
from dialogue.agents.sources.manifest import MANIFEST, DropInFault, read_manifest

EVENT = AgentEvent(text="will it rain in Ghent")
AGENT = """
    import os

    class Weather:
        def preview(self, event):
            return {"confidence": 0.8, "actions": [{"text": "look it up"}]}

        def execute(self, event, actions):
            return {"text": f"{os.getpid()} {actions[0].text}"}
"""
ORCHESTRATOR = """
    from dialogue.agents.model import Choice
    from dialogue.agents.orchestrators.ranking import LearnsNothing

    class Nobody(LearnsNothing):
        name = "whatever"
        description = "whatever"

        def choose(self, state, event, answers, forced, seed):
            return Choice(agents=(), verdicts=())
"""


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    pool = Workers(PRELOADED)
    yield pool
    pool.close()


def drop_in(folder: Path, name: str, code: str | None = AGENT, /, **keys: str) -> Path:
    """Write a drop-in."""
    made = folder / name
    made.mkdir(parents=True)
    lines = "\n".join(f"{key} = {value}" for key, value in keys.items())
    (made / MANIFEST).write_text(f"[DEFAULT]\n{lines}\n", encoding="utf-8")
    if code is not None:
        (made / f"{name}.py").write_text(textwrap.dedent(code), encoding="utf-8")
    return made


def answer_of(agent: DeclaredAgent, event: AgentEvent = EVENT) -> Preview | Silence:
    answers, _ = broadcast([agent], event)
    both: list[Preview | Silence] = [*answers.previews, *answers.silent]
    return both[0]


def only_problem(found: DropIns) -> str:
    assert not found.agents and not found.orchestrators
    assert len(found.problems) == 1 and "\n" not in found.problems[0]
    return found.problems[0]


@pytest.mark.row("C13")
@pytest.mark.parametrize("process", ["yes", "no"])
def test_a_folder_with_a_manifest_appears_as_an_agent_that_answers_and_acts(
    tmp_path: Path, workers: Workers, process: str
) -> None:
    keys = {"process": process, "limit_ms": "30000", "inputs": "city", "outputs": "forecast, rain"}
    drop_in(tmp_path, "weather", description="Looks up the weather.", **keys)
    found = load_drop_ins([tmp_path], workers)
    assert found.problems == () and list(found.agents) == ["weather"]
    agent = found.agents["weather"]("a conversation")
    assert (agent.description, agent.limit_s, agent.inputs) == ("Looks up the weather.", 30.0, ("city",))
    answer = answer_of(agent)
    assert isinstance(answer, Preview) and answer.confidence == 0.8 and answer.outputs == ("forecast", "rain")
    did = execute(agent, EVENT, answer.actions)
    assert did.reply is not None and did.reply.text.endswith("look it up")


@pytest.mark.row("C13")
@pytest.mark.parametrize(
    "keys", [{"name": "dummy pattern", "description": "d", "exclude": "false"}, {"kind": "orchestrator"}]
)
def test_a_manifest_as_clai_has_it_makes_an_orchestrator_of_the_name_of_its_folder(
    tmp_path: Path, workers: Workers, keys: dict[str, str]
) -> None:
    drop_in(tmp_path, "nobody_acts", ORCHESTRATOR, **keys)
    found = load_drop_ins([tmp_path], workers)
    assert found.problems == () and list(found.orchestrators) == ["nobody_acts"]
    made = found.orchestrators["nobody_acts"](OrchestratorOptions())
    assert (made.name, made.description) == ("nobody_acts", keys.get("description", ""))
    answers, _ = broadcast([DeclaredAgent("a", "", _Sure())], EVENT)
    assert made.choose(made.check(made.begin()), EVENT, answers, None, 1).agents == ()
    assert made.observe(made.begin(), Feedback(stage=Stage.BEFORE, confidences={})) == made.begin()


class _Sure:
    def preview(self, event: AgentEvent) -> Proposal | None:
        return Proposal(confidence=1, actions=(ProposedAction(text=event.text),))

    def execute(self, event: AgentEvent, actions: Any) -> AgentReply:
        return AgentReply(text=event.text)


def test_an_orchestrator_is_made_by_a_function_with_the_options_too(tmp_path: Path, workers: Workers) -> None:
    code = textwrap.dedent(ORCHESTRATOR) + "\n\ndef make(options):\n    assert options.explore\n    return Nobody()\n"
    drop_in(tmp_path, "one", code)
    assert list(load_drop_ins([tmp_path], workers).orchestrators) == ["one"]


def test_code_beside_the_main_file_can_be_imported(tmp_path: Path, workers: Workers) -> None:
    made = drop_in(tmp_path, "weather", "from .inner import Weather, make\n")
    (made / "inner.py").write_text(textwrap.dedent(AGENT) + "\nmake = Weather\n", encoding="utf-8")
    drop_in(tmp_path, "again", "from .inner import Weather, make\n", process="yes")
    (tmp_path / "again" / "inner.py").write_text(textwrap.dedent(AGENT) + "\nmake = Weather\n", encoding="utf-8")
    found = load_drop_ins([tmp_path], workers)
    assert (sorted(found.agents), found.problems) == (["again", "weather"], ())


@pytest.mark.row("C11", "C13")
def test_what_is_excluded_is_neither_listed_nor_loaded(tmp_path: Path, workers: Workers) -> None:
    here = platform.system()
    drop_in(tmp_path, "a", "raise SystemExit", exclude="true")
    drop_in(tmp_path, "b", "raise SystemExit", exclude=f"z/os, {here}", process="no")
    drop_in(tmp_path, "c", AGENT, exclude="z/os aix", process="no")
    drop_in(tmp_path, "max", "raise SystemExit", exclude="yes")
    found = load_drop_ins([tmp_path], workers)
    assert (list(found.agents), found.orchestrators, found.problems) == (["c"], {}, ())


BROKEN: list[tuple[str, dict[str, str], str | None, str]] = [
    ("raises", {"kind": "agent"}, "raise RuntimeError('hunter2')", "RuntimeError at raises.py:1"),
    ("exits", {"kind": "agent"}, "raise SystemExit('hunter2')", "SystemExit at exits.py:1"),
    ("typo", {"kind": "agent"}, "def make(:", "SyntaxError at typo.py:1"),
    ("apart", {"process": "yes"}, "raise RuntimeError('hunter2')", "RuntimeError at apart.py:1"),
    ("nothing", {"kind": "agent"}, "", "preview, execute"),
    ("nothing-apart", {"process": "yes"}, "", "preview, execute"),
    ("half", {"kind": "agent"}, "class A:\n    def execute(self): ...", "preview, execute"),
    ("two", {"kind": "agent"}, "class A:\n    preview = execute = id\nclass B(A): ...", "one class"),
    ("wrong-make", {"process": "no"}, "def make(): return 7", "preview, execute"),
    ("wrong-make-apart", {"process": "yes"}, "def make(): return 7", "preview, execute"),
    ("failing-make", {"process": "no"}, "def make(): return 1 / 0", "ZeroDivisionError at failing-make.py:1"),
    ("wrong-kind", {"kind": "orchestrator"}, AGENT, "begin, check, choose, observe"),
    ("half-choosing", {}, "class A:\n    def choose(self): ...", "begin, check, choose, observe"),
    ("odd-make", {"kind": "orchestrator"}, "def make(): return 7", "begin, check, choose, observe"),
    ("no-main", {}, None, "no-main.py"),
    ("max", {}, ORCHESTRATOR, "the name max is taken (an orchestrator that is built in)"),
    ("nobody", {}, AGENT, "the name nobody is taken (reserved)"),
    ("assistant", {}, AGENT, "the name assistant is taken"),
    ("taken", {}, AGENT, "the name taken is taken (the catalog taken)"),
    ("other", {"name": "planner"}, AGENT, "the name planner is taken"),
    ("a b", {}, AGENT, "letters, digits"),
    ("kind", {"kind": "skill"}, AGENT, "kind is skill. Write agent or orchestrator."),
    ("key", {"exlude": "true"}, AGENT, "no key exlude"),
    ("key-of-agents", {"kind": "orchestrator", "process": "yes"}, ORCHESTRATOR, "process is for agents"),
    ("exclude", {"exclude": "maybe"}, AGENT, "exclude is maybe. Write true, false"),
    (
        "exclude-os",
        {"kind": "orchestrator", "exclude": "linux"},
        ORCHESTRATOR,
        "exclude is linux. Write true or false.",
    ),
    ("process", {"process": "perhaps"}, AGENT, "process is perhaps. Write yes or no."),
    ("limit", {"limit_ms": "soon"}, AGENT, "limit_ms is soon"),
    ("limit-0", {"limit_ms": "0"}, AGENT, "limit_ms is 0"),
    ("limit-neg", {"execute_ms": "-1"}, AGENT, "execute_ms is -1"),
    ("assumed", {"assumed": "7.3"}, AGENT, "assumed is 7.3. Write a number from 0 to 1."),
    ("assumed-nan", {"assumed": "nan"}, AGENT, "assumed is nan"),
    ("words", {"words": "/(/"}, AGENT, "words is /(/"),
    ("words-none", {"words": ","}, AGENT, "words is ,"),
    ("skill", {"skill": "banking"}, AGENT, "skill is banking. Write CATALOG/SKILL."),
    ("no-host", {"skill": "banking/quote"}, None, "no catalogs"),
    ("both", {"catalog": "banking", "skill": "banking/quote"}, None, "Keep one"),
    ("both-too", {"preview": "banking/quote", "process": "yes"}, AGENT, "Keep one"),
]


@pytest.mark.parametrize(("name", "keys", "code", "told"), BROKEN, ids=[one[0] for one in BROKEN])
def test_each_fault_costs_one_line_that_says_what_and_where_and_the_rest_goes_on(
    tmp_path: Path, workers: Workers, name: str, keys: dict[str, str], code: str | None, told: str
) -> None:
    drop_in(tmp_path / "broken", name, code, **keys)
    drop_in(tmp_path / "whole", "weather")
    found = load_drop_ins([tmp_path / "broken", tmp_path / "whole"], workers, taken={"taken": "the catalog taken"})
    assert list(found.agents) == ["weather"]
    (problem,) = found.problems
    assert told in problem and str(tmp_path / "broken" / name) in problem
    assert "\n" not in problem and "hunter2" not in problem


RAW: list[tuple[bytes, str]] = [
    (b"name = x\n", "[DEFAULT]"),
    (b"[DEFAULT]\nname\n", "(line 2)"),
    (b"[DEFAULT]\nname=x\nname=y\n", "[DEFAULT]"),
    (b"[other]\nname=x\n", "[other]"),
    (b"\xff\xfe\n", "UTF-8"),
    (b"[DEFAULT]\nname=" + b"x" * 70_000, "bytes"),
]


@pytest.mark.parametrize(("raw", "told"), RAW, ids=range(len(RAW)))
def test_a_manifest_that_is_none_says_so(tmp_path: Path, workers: Workers, raw: bytes, told: str) -> None:
    made = drop_in(tmp_path, "weather")
    (made / MANIFEST).write_bytes(raw)
    assert told in only_problem(load_drop_ins([tmp_path], workers))


def test_a_manifest_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(DropInFault, match="cannot be read"):
        read_manifest(tmp_path)


@given(st.binary(max_size=200))
def test_whatever_stands_in_a_manifest_it_is_read_or_told_in_one_line(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / MANIFEST).write_bytes(b"[DEFAULT]\n" + data)
        try:
            assert read_manifest(Path(folder)).folder == Path(folder)
        except DropInFault as fault:
            assert "\n" not in str(fault) and MANIFEST in str(fault)


@given(st.dictionaries(st.sampled_from(["exclude", "limit_ms", "assumed", "words", "kind", "process"]), st.text()))
def test_whatever_the_value_of_a_key_it_is_read_or_told_in_one_line(keys: dict[str, str]) -> None:
    lines = "\n".join(f"{key} = {' '.join(value.split())}" for key, value in keys.items())
    with TemporaryDirectory() as folder:
        (Path(folder) / MANIFEST).write_text(f"[DEFAULT]\n{lines}", encoding="utf-8", errors="replace")
        try:
            manifest = read_manifest(Path(folder))
        except DropInFault as fault:
            assert "\n" not in str(fault) and MANIFEST in str(fault)
        else:
            assert 0 < manifest.limit_s <= 3_600 and (manifest.assumed is None or 0 <= manifest.assumed <= 1)


def test_folders_that_are_none_and_code_without_a_manifest_are_told(tmp_path: Path, workers: Workers) -> None:
    assert "no such folder" in only_problem(load_drop_ins([tmp_path / "nowhere"], workers))
    (tmp_path / "weather").mkdir()
    (tmp_path / "weather" / "weather.py").write_text("raise SystemExit", encoding="utf-8")
    (tmp_path / "notes").mkdir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert f"has no {MANIFEST}" in only_problem(load_drop_ins([tmp_path], workers))


def test_a_folder_that_is_a_drop_in_itself_can_be_named(tmp_path: Path, workers: Workers) -> None:
    assert list(load_drop_ins([drop_in(tmp_path, "weather")], workers).agents) == ["weather"]


def test_of_two_with_one_name_the_first_is_used(tmp_path: Path, workers: Workers) -> None:
    drop_in(tmp_path / "a", "weather", description="first")
    drop_in(tmp_path / "b", "weather", description="second")
    found = load_drop_ins([tmp_path / "a", tmp_path / "b"], workers)
    assert found.agents["weather"]("").description == "first"
    assert str(tmp_path / "a" / "weather") in found.problems[0]


def test_an_installer_is_shown_and_never_run(tmp_path: Path, workers: Workers) -> None:
    made = drop_in(tmp_path, "weather")
    (made / "install.sh").write_text(f"touch {tmp_path}/run\n", encoding="utf-8")
    assert load_drop_ins([tmp_path], workers).installers == {"weather": f"touch {tmp_path}/run\n"}
    assert not (tmp_path / "run").exists()


def test_an_agent_without_preview_declares_its_score(tmp_path: Path, workers: Workers) -> None:
    code = "class A:\n    def execute(self, event, actions):\n        return {'text': 'done'}\n"
    drop_in(tmp_path, "here", code, assumed="0.25")
    drop_in(tmp_path, "there", code, assumed="1", process="yes")
    found = load_drop_ins([tmp_path], workers)
    here, there = (found.agents[name]("") for name in ("here", "there"))
    assert answer_of(here) == Preview(agent="here", confidence=0.25, assumed=True)
    assert answer_of(there) == Preview(agent="there", confidence=1.0, assumed=True)
    assert execute(there, EVENT, []).reply == AgentReply(text="done")


@pytest.mark.row("V22")
@pytest.mark.parametrize(
    ("words", "text", "output", "asked"),
    [
        ("rain, snow", "will it RAIN?", "", True),
        ("rain, snow", "the train", "", False),
        ("rain, snow", "x", "No snow found", True),
        ("c++", "I like C++!", "", True),
        ("c++", "I like C", "", False),
        ("/rain(y|s)/", "it rains", "", True),
        ("/rain(y|s)/", "it rained", "", False),
    ],
)
def test_words_of_a_manifest_are_a_filter(
    tmp_path: Path, workers: Workers, words: str, text: str, output: str, asked: bool
) -> None:
    drop_in(tmp_path, "weather", words=words)
    answer = answer_of(load_drop_ins([tmp_path], workers).agents["weather"](""), AgentEvent(text=text, output=output))
    assert isinstance(answer, Preview) if asked else answer.reason is SilenceReason.NOT_ASKED  # type: ignore[union-attr]


def test_a_pattern_that_takes_too_long_leaves_its_agent_out(tmp_path: Path, workers: Workers) -> None:
    drop_in(tmp_path, "weather", words="/(x+x+)+y/")
    agent = load_drop_ins([tmp_path], workers).agents["weather"]("")
    answer = answer_of(agent, AgentEvent(text="x" * 3_000))
    assert isinstance(answer, Silence) and "filter ended in TimeoutError" in answer.detail


def test_code_that_is_never_loaded_is_given_up(
    tmp_path: Path, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dialogue.agents.sources.drop_ins.LOADING_S", 0.3)
    drop_in(tmp_path, "sleeps", "import time\ntime.sleep(20)", kind="agent")
    drop_in(tmp_path, "sleeps-apart", "import time\ntime.sleep(20)", process="yes")
    problems = load_drop_ins([tmp_path], workers).problems
    assert len(problems) == 2 and all("0.3 s" in one for one in problems)
