"""What the program writes, explains, understands and draws is what was recorded before its layout changed.

`python -m tests.net` prints all that is different, and records what is meant to be so (`--record --accept`). A part is
compared in every run; all of it in `make test-long`.
"""

from __future__ import annotations

from functools import cache

import pytest

from tests.kept import KEPT
from tests.net import invented, normal, recordings, sentences, walks
from tests.net.recordings import Line, check, differences, line
from tests.net.sections import SECTIONS
from tests.seeds import ROOT

read = cache(recordings.read)


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn what is learned of the catalogs once for all."""
    monkeypatch.setenv("PLANGLASS_HOME", str(KEPT))


def compare(section: str, found: list[Line]) -> None:
    """Compare lines with those recorded under their ids; where a walk has several, none of them may be missing."""
    assert found
    names = {one["id"] for one in found}
    walked = {name.partition(" / ")[0] for name in names} if section == "walks" else set()
    recorded = [one for one in read(section) if one["id"] in names or one["id"].partition(" / ")[0] in walked]
    check(section, recorded, found)


@pytest.mark.parametrize("name", walks.IN_EVERY_RUN)
def test_a_walk_leaves_the_log_that_was_recorded_and_is_explained_alike(name: str) -> None:
    compare("walks", walks.record(name))


@pytest.mark.parametrize("section", [name for name in SECTIONS if name != "walks"])
def test_a_part_of_each_section_is_as_it_was_recorded(section: str) -> None:
    compare(section, list(SECTIONS[section](False)))


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in walks.WALKS if name not in walks.IN_EVERY_RUN])
def test_every_walk_leaves_the_log_that_was_recorded_and_is_explained_alike(name: str) -> None:
    compare("walks", walks.record(name))


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(6))
def test_conversations_over_all_generated_catalogs_go_as_they_were_recorded(chunk: int) -> None:
    compare("invented", list(invented.record(range(chunk, invented.CATALOGS, 6), read("invented"))))


@pytest.mark.long
def test_the_sentences_that_were_recorded_are_understood_alike() -> None:
    """Those that are new in a set are recorded by `--record`, and compared from then on."""
    recorded = read("sentences")
    names = {one["id"] for one in recorded}
    check("sentences", recorded, sentences.record(one for one in sentences.sentences() if one.name in names))


@pytest.mark.long
@pytest.mark.parametrize("section", ["kept", "screens"])
def test_all_of_a_section_is_as_it_was_recorded(section: str) -> None:
    check(section, read(section), SECTIONS[section](True))


def test_nothing_that_was_recorded_is_left_out_and_no_folder_of_a_machine_is_in_it() -> None:
    """The walks that were recorded are those of the list; else one could be dropped from it unseen."""
    recorded = {one["id"].partition(" / ")[0] for one in read("walks")}
    assert recorded == set(walks.WALKS)
    assert set(walks.IN_EVERY_RUN) <= recorded
    assert len(read("invented")) == 2 * invented.CATALOGS
    for section in SECTIONS:
        assert "/home/" not in (text := recordings.text_of(section))
        assert str(ROOT) not in text


def test_a_difference_names_the_line_the_entry_and_the_field_before_and_after() -> None:
    plan = {"kind": "planned", "steps": [{"subject": "email"}], "note": ""}
    said = {"kind": "replied", "text": "Hello."}
    dropped = {"kind": "discarded", "reason": "you said no"}
    before = [line("a walk", [said, plan, dropped]), line("gone", [])]
    after = [line("a walk", [said, {**plan, "steps": [{"subject": "ssn"}]}]), line("new", [])]
    assert list(differences("walks", before, after)) == [
        '[walks] a walk / entry 2 (planned), steps[0].subject:\n    before "email"\n    after  "ssn"',
        '[walks] a walk / entry 3 (discarded) is gone: {"kind":"discarded","reason":"you said no"}',
        "[walks] gone: the line is gone",
        "[walks] new: the line is new",
    ]


def test_batches_are_taken_apart_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the day on which entries are written together: that is switched in `normal`."""
    monkeypatch.setattr(normal, "BATCHES", lambda event: event["events"])
    batch = {"kind": "batch", "events": [{"kind": "discarded", "reason": "you said no", "seconds": 1}]}
    assert normal.flat([batch]) == [{"kind": "discarded", "reason": "you said no"}]
