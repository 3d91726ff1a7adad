"""What is drawn at random is new for each version, and the same for all who have that version."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.seeds import ROOT, draw_seed, seed_of_version

COMMIT = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "commit", "--quiet", "--all"]


def write_version(at: Path, module: str) -> None:
    at.mkdir(exist_ok=True)
    (at / "module.py").write_text(module)


def test_a_version_in_git_has_one_seed_wherever_it_is_checked_out_and_whenever(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for clone in (one, other):
        write_version(clone, "A = 1\n")
        subprocess.run(["git", "init", "--quiet"], cwd=clone, check=True)
        subprocess.run(["git", "add", "."], cwd=clone, check=True)
        subprocess.run([*COMMIT, "-m", f"Of {clone.name}"], cwd=clone, check=True)
    first = seed_of_version(one)
    assert first == seed_of_version(one) == seed_of_version(other)
    write_version(one, "A = 2\n")
    assert seed_of_version(one) == first  # it is the next version only when it is committed
    subprocess.run([*COMMIT, "-m", "The next"], cwd=one, check=True)
    assert seed_of_version(one) != first


def test_without_git_what_the_modules_say_makes_the_version(tmp_path: Path) -> None:
    write_version(tmp_path, "A = 1\n")
    first = seed_of_version(tmp_path)
    (tmp_path / "notes.txt").write_text("not of it")
    assert seed_of_version(tmp_path) == first
    write_version(tmp_path, "A = 2\n")
    assert seed_of_version(tmp_path) != first


def test_a_seed_that_is_set_is_taken_and_long_runs_draw_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLANGLASS_SEED", "1525631698")
    assert draw_seed() == draw_seed(fresh=True) == 1525631698
    monkeypatch.delenv("PLANGLASS_SEED")
    assert draw_seed() == seed_of_version(ROOT)
    assert len({draw_seed(fresh=True) for _ in range(3)}) > 1
