"""The ratchet of the layout: what is above its ceiling is named, what has fallen is kept, and nothing is raised."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.structure import __main__ as command
from benchmarks.structure.measures import Numbers, measure_bounded, measure_walks
from benchmarks.structure.ratchet import (
    CEILINGS,
    Allowance,
    Ceilings,
    find_above,
    lower,
    read_ceilings,
    write_ceilings,
)
from benchmarks.structure.sources import read_product
from benchmarks.structure.walks import WALKS, Walked

TREE = {
    "app.py": "import pages.desk\n",
    "catalog/model.py": "class Model:\n    pass\n",
    "catalog/load.py": "from catalog.model import Model\n",
    "planning/plan.py": "import catalog.load\nimport catalog.model\n",
    "pages/desk.py": "import planning.plan\n",
}
WALK = next(iter(WALKS))


def measured(root: Path, more: Mapping[str, str] | None = None) -> Numbers:
    """Measure a made-up tree, in which a walk has two files, three functions, four patterns and two transactions."""
    for name, text in {**TREE, **(more or {})}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    walked = Walked(frozenset({"a.py", "b.py"}), frozenset({"a.py:f:1", "a.py:g:3", "b.py:h:1"}), 4, 2)
    return {**measure_bounded(read_product(root)), **measure_walks({WALK: walked})}


def told(now: Numbers, kept: Ceilings) -> str:
    return "\n".join(find_above(now, kept))


def test_a_tree_at_its_ceilings_is_passed(tmp_path: Path) -> None:
    now = measured(tmp_path)
    assert told(now, Ceilings(now)) == ""
    assert lower(now, Ceilings(now)) == Ceilings(now)


@pytest.mark.parametrize(
    ("added", "named"),
    [
        ({"catalog/more.py": "'''Nothing.'''\n"}, "lines: 8 is 1 above 7. Take out as much"),
        ({"catalog/more.py": "x = 1\n", "pages/other.py": "import catalog.more\n"}, "single importer: 4 is 1 above 3"),
        ({"catalog/more.py": "class Model:\n    pass\n"}, "twice in a package: 1 is 1 above 0"),
        ({"pages/more.py": "class Model:\n    pass\n"}, "twice in the product: 1 is 1 above 0"),
        (
            {"app.py": "import pages.more\n", "pages/more.py": "import pages.desk\n"},
            "floors of imports: 6 is 1 above 5",
        ),
        (
            {"catalog/model.py": "def f() -> None:\n    import catalog.load\nclass Model: ...\n"},
            "circles of imports: 2 is 2 above 0",
        ),
    ],
)
def test_what_is_added_to_a_tree_at_its_ceilings_is_named_with_the_number(
    added: dict[str, str], named: str, tmp_path: Path
) -> None:
    kept = Ceilings(measured(tmp_path))
    assert named in told(measured(tmp_path, added), kept)


def test_lines_may_move_between_packages_and_their_sum_names_the_package_that_grew(tmp_path: Path) -> None:
    kept = Ceilings(measured(tmp_path))
    moved = {
        "catalog/model.py": "class Model: ...\n",
        "planning/plan.py": "import catalog.load\nimport catalog.model\n\n",
    }
    now = measured(tmp_path, moved)
    assert told(now, kept) == ""
    assert lower(now, kept).ceilings["lines"] == now["lines"]
    grown = measured(tmp_path, {**moved, "pages/more.py": "x = 1\ny = 2\n"})
    assert "by package: pages +2" in told(grown, Ceilings(now))


def test_a_walk_above_its_ceiling_names_the_walk_and_how_to_see_what_runs(tmp_path: Path) -> None:
    now = measured(tmp_path)
    kept = Ceilings({**now, "functions": {WALK: 1}})
    assert told(now, kept) == (
        f"functions of {WALK}: 3 is 2 above 1. Take out as much; "
        f'`python -m benchmarks.structure --trace "{WALK}"` lists what runs.'
    )


def test_what_an_issue_allows_is_passed_and_one_more_is_not(tmp_path: Path) -> None:
    now = measured(tmp_path)
    kept = Ceilings({**now, "functions": {WALK: 1}}, (Allowance("a reason", {"functions": 2}),))
    assert told(now, kept) == ""
    more = {**now, "functions": {WALK: 4}}
    assert "4 is 1 above 3 (the ceiling 1 and what is allowed besides)" in told(more, kept)


def test_lowering_takes_what_has_fallen_and_raises_nothing(tmp_path: Path) -> None:
    now = measured(tmp_path)
    fallen = {**now, "files": {WALK: 1}, "functions": {WALK: 9}}
    allowed = (Allowance("a reason", {"lines": 5}),)
    lowered = lower({**fallen, "lines": {"all": 12, "catalog": 1}}, Ceilings(now, allowed))
    assert lowered == Ceilings({**now, "files": {WALK: 1}}, allowed)


def test_a_number_without_a_ceiling_and_a_ceiling_without_a_number_are_named(tmp_path: Path) -> None:
    now = measured(tmp_path)
    short = {name: numbers for name, numbers in now.items() if name != "files"}
    assert "files of an utterance: there is no ceiling" in told(now, Ceilings(short))
    assert "files of an utterance: it was not measured" in told(short, Ceilings(now))


def test_the_command_fails_above_a_ceiling_and_lowers_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now, file = measured(tmp_path), tmp_path / "ceilings.json"
    kept = Ceilings({**now, "files": {WALK: 7}, "functions": {WALK: 1}})
    monkeypatch.setattr(command, "measure_all", lambda: now)
    monkeypatch.setattr(command, "read_ceilings", lambda: kept)
    monkeypatch.setattr(command, "write_ceilings", lambda lowered: write_ceilings(lowered, file))
    assert command.main(["--ceilings"]) == 1 and not file.exists()
    assert "functions of an utterance: 3 is 2 above 1" in capsys.readouterr().err
    assert command.main(["--lower"]) == 1
    assert read_ceilings(file) == Ceilings({**now, "functions": {WALK: 1}})


def test_each_walk_and_each_measure_has_a_ceiling(tmp_path: Path) -> None:
    kept = read_ceilings(CEILINGS)
    for measure in ("files", "functions", "regular-expression calls"):
        assert kept.ceilings[measure].keys() == WALKS.keys()
    assert kept.ceilings.keys() >= measured(tmp_path).keys()
    assert all(one.reason and one.rises.keys() <= kept.ceilings.keys() for one in kept.allowances)
