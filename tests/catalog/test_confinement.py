"""Skills that nobody vouches for run in processes that keep away from files, and what they do costs their call only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.endpoints import confinement, landlock
from catalog.endpoints.confinement import Confinement
from catalog.endpoints.landlock import cover
from catalog.endpoints.skill_worker import skill_workers
from catalog.load import loads
from dialogue.caller import NotReturned, Returned, SkillCaller

CATALOG = loads(
    """
name: rogues
facts: {deed: {value: {kind: text, max_length: 9999}}, news: {askable: false}}
skills:
  rogue:
    endpoint: "python:tests.catalog.rogue:act"
    timeout_s: 10
    modes: {m: {inputs: [deed], outcomes: {done: [news]}}}
"""
).catalog
ALLOWED = ("tests.catalog.rogue",)
confined = pytest.mark.skipif(not confinement.is_possible(), reason="this kernel has no Landlock")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    secret, shared = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("shared")
    (secret / "sessions.db").write_text("everything", encoding="utf-8")
    return secret, shared


@pytest.fixture(scope="module")
def caller(folders: tuple[Path, Path]) -> Iterator[SkillCaller]:
    os.environ.update(ROGUE_FOLDER=str(folders[1]), ROGUE_SECRET="hunter2")
    limits = Confinement((str(folders[0]),), (str(folders[1]),), ("ROGUE_FOLDER",), memory_mib=512)
    with closing(SkillCaller(ALLOWED, workers=skill_workers(limits), unconfined=True)) as made:
        yield made
    del os.environ["ROGUE_FOLDER"], os.environ["ROGUE_SECRET"]


def do(caller: SkillCaller, deed: str) -> str:
    came = caller.call(CATALOG, "rogue", "m", {"deed": deed}, "k")
    return str(came.result.facts["news"]) if isinstance(came, Returned) else f"{came.error}: {came.message}"


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("exit", "raised: its process ended before it answered"),
        ("kill", "raised: its process ended before it answered"),
        ("crash", "raised: its process ended before it answered"),
        ("take 2048", "raised: MemoryError at rogue.py"),
        ("say garbage", "raised: its process answered no JSON"),
        ("say [1]", "raised: its process answered no JSON"),
        ("print noise", "printed"),
    ],
)
def test_what_a_skill_does_to_its_process_is_a_failure_of_that_call_alone(
    caller: SkillCaller, deed: str, said: str
) -> None:
    assert do(caller, deed).startswith(said)
    assert do(caller, "scratch note") == "note"


@pytest.mark.parametrize("deed", ["hang", "spin"])
def test_a_skill_that_never_ends_is_killed_at_its_limit(caller: SkillCaller, deed: str) -> None:
    brief = SkillCaller(ALLOWED, 0.5, caller.workers, unconfined=True)
    assert do(caller, "scratch note") == "note"
    assert do(brief, deed).startswith("timed_out: ")
    assert do(caller, "scratch note") == "note"


@confined
@pytest.mark.parametrize(
    "deed", ["read FILE", "write FILE", "link FILE", "by_another FILE", "list HOME", "write HOME/x"]
)
def test_the_data_directory_is_out_of_reach_by_any_way(
    caller: SkillCaller, folders: tuple[Path, Path], deed: str
) -> None:
    secret = folders[0] / "sessions.db"
    said = do(caller, deed.replace("FILE", str(secret)).replace("HOME", str(folders[0])))
    assert said.startswith(("raised: PermissionError", "raised: CalledProcessError"))
    assert secret.read_text(encoding="utf-8") == "everything"
    assert os.listdir(folders[0]) == ["sessions.db"]  # noqa: PTH208


@confined
def test_what_the_operator_names_may_be_written_and_seen_and_nothing_else(
    caller: SkillCaller, folders: tuple[Path, Path]
) -> None:
    file = folders[1] / "theirs"
    assert do(caller, f"write {file}") == "4" and do(caller, f"read {file}") == "mine"
    assert do(caller, "variable ROGUE_FOLDER") == str(folders[1])
    assert do(caller, "variable ROGUE_SECRET") == do(caller, "variable PLANGLASS_HOME") == "none"
    assert do(caller, f"read /proc/{os.getpid()}/environ").startswith("raised: ")


@pytest.mark.skipif(landlock.version() < 6, reason="this kernel confines no signals")
def test_a_skill_reaches_no_process_of_others_by_signals(caller: SkillCaller) -> None:
    assert do(caller, f"signal {os.getpid()}").startswith("raised: PermissionError")


def test_what_a_skill_left_running_ends_with_its_process(caller: SkillCaller, folders: tuple[Path, Path]) -> None:
    assert do(caller, "fork exit").startswith("raised: its process ended")
    pid = int((folders[1] / "left").read_text(encoding="utf-8"))
    do(caller, "exit")  # its server has buried the first one before it starts another
    with suppress(ProcessLookupError):
        while Path(f"/proc/{pid}").exists():
            os.sched_yield()


def test_only_the_operators_word_brings_code_into_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(SkillCaller(ALLOWED, trusted=("tests.catalog.rogues", "rogue"), unconfined=True)) as caller:
        assert do(caller, f"variable {_left_here(monkeypatch)}") == "none"
    with closing(SkillCaller(ALLOWED, trusted=("tests.catalog",))) as caller:
        assert do(caller, f"variable {_left_here(monkeypatch)}") == "here"


def _left_here(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ROGUE_PLACE", "here")
    return "ROGUE_PLACE"


def test_where_nothing_confines_skills_they_are_not_called_without_the_operators_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(confinement, "is_possible", lambda: False)
    with closing(SkillCaller(ALLOWED)) as caller:
        came = caller.call(CATALOG, "rogue", "m", {"deed": "scratch x"}, "k")
        assert isinstance(came, NotReturned) and came.error == "unavailable"
        assert "no Landlock" in came.message and "`trusted`" in came.message and "`unconfined`" in came.message
    with closing(SkillCaller(ALLOWED, unconfined=True)) as caller:
        assert do(caller, "scratch x") == "x"


NAMES = st.sampled_from(["a", "b", "c"])
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), min_size=1, max_size=8)


@given(PATHS, PATHS)
def test_all_but_what_is_hidden_is_covered(
    tmp_path_factory: pytest.TempPathFactory, files: list[str], hide: list[str]
) -> None:
    top = tmp_path_factory.mktemp("tree")
    for one in files:
        with suppress(OSError):  # a file stands where a folder should
            (top / one).parent.mkdir(parents=True, exist_ok=True)
            (top / one).touch()
    hidden = [top / one for one in hide]
    found = set(cover(top, hidden))
    for path in (one for one in top.rglob("*") if one.is_file()):
        kept_out = any(one == path or one in path.parents for one in hidden)
        assert any(one == path or one in path.parents for one in found) != kept_out
