"""How large a catalog may be is the operator's choice, and is held to wherever one is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import loads
from catalog.model.entry import CatalogLimits
from catalog.problems import CatalogError
from dialogue.cli.main import main
from dialogue.services import make_services

SECTIONS = {
    "facts": "{askable: true}",
    "skills": "{modes: {m: {inputs: [f0], outcomes: {o: [f0]}}}}",
    "goals": "{facts: [f0], examples: [get it]}",
    "triggers": "{goal: g0, say: It came.}",
}


def write(**counts: int) -> str:
    parts = ["name: large"]
    for section, entry in SECTIONS.items():
        lines = [f"  {section[0]}{number}: {entry}" for number in range(counts.get(section, 1))]
        parts += [f"{section}:", *lines]
    return "\n".join(parts)


COUNTS = st.fixed_dictionaries({section: st.integers(1, 12) for section in SECTIONS})


@given(counts=COUNTS, most=st.integers(1, 12))
def test_a_catalog_loads_exactly_where_no_section_has_more_than_it_may(counts: dict[str, int], most: int) -> None:
    """What is refused says the section, both numbers, and the setting that raises the limit."""
    text = write(**counts)
    over = {section: count for section, count in counts.items() if count > most}
    try:
        loaded = loads(text, limits=CatalogLimits(entries=most))
    except CatalogError as error:
        told = {problem.found for problem in error.problems}
        assert told == {f"There are {count} {name}; a catalog may have {most}." for name, count in over.items()}
        assert all("limits.catalog_entries" in problem.write for problem in error.problems)
    else:
        assert not over
        assert len(loaded.catalog.facts) == counts["facts"]


@given(counts=COUNTS, spare=st.integers(-3, 3))
def test_a_catalog_loads_exactly_where_its_file_is_no_larger_than_it_may_be(counts: dict[str, int], spare: int) -> None:
    text = write(**counts)
    mib = (len(text.encode()) + spare) / 2**20
    try:
        loads(text, limits=CatalogLimits(mib=mib))
    except CatalogError as error:
        assert spare < 0
        (problem,) = error.problems
        assert (problem.code, "limits.catalog_mib" in problem.write) == ("too-large", True)
    else:
        assert spare >= 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "large.yaml"
    path.write_text(write(facts=9), encoding="utf-8")
    return path


COMMANDS = (
    ("check", "{file}"),
    ("plan", "{file}", "--goal", "f0"),
    ("pddl", "{file}", "--goal", "f0"),
    ("landmarks", "{file}", "--goal", "f0"),
    ("understand", "{file}", "get it"),
    ("explore", "{file}", "--goal", "f0"),
    ("chat", "{file}"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_command_takes_the_limit_from_the_settings(
    home: Path,
    file: Path,
    command: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", [])
    given = [part.format(file=file) for part in command]
    assert main([*given, "--set", "limits.catalog_entries=8"]) == 2
    printed = capsys.readouterr()
    assert "There are 9 facts; a catalog may have 8." in printed.out + printed.err
    assert "limits.catalog_entries" in printed.out + printed.err
    assert main([*given, "--set", "limits.catalog_entries=9"]) != 2


def test_a_catalog_of_the_settings_that_is_too_large_is_told_and_the_others_stay(home: Path, file: Path) -> None:
    chosen = {"catalogs": str(file), "limits.catalog_entries": "8"}
    services = make_services(home, chosen=dict(chosen))
    assert "There are 9 facts" in str(services.library.broken[str(file)])
    assert "banking" in services.catalogs()
    services.close()


def test_instances_that_are_written_out_count_as_entries() -> None:
    text = "name: x\nfacts: {a: }\ninstances: {g: {facts: [a], of: [one, two, three]}}\n"
    with pytest.raises(CatalogError, match="Written out, there are 3 facts; a catalog may have 2"):
        loads(text, limits=CatalogLimits(entries=2))
    assert len(loads(text, limits=CatalogLimits(entries=3)).catalog.facts) == 3


@pytest.mark.long
def test_thirty_thousand_skills_load_and_are_planned_with(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size = 30_000
    path = tmp_path / "vast.yaml"
    facts = [f"  f{number}: {{askable: {str(number < 3).lower()}}}" for number in range(size + 3)]
    skills = [
        f"  s{number}: {{modes: {{m: {{inputs: [f{number // 2}], outcomes: {{o: [f{number + 3}]}}}}}}}}"
        for number in range(size)
    ]
    path.write_text("\n".join(["name: vast", "facts:", *facts, "skills:", *skills]), encoding="utf-8")
    assert main(["plan", str(path), "--goal", f"f{size + 2}"]) == 0
    assert f"s{size - 1}" in capsys.readouterr().out
