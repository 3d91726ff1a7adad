"""Forks that are kept: under a name, beside a conversation that goes on and knows nothing of them."""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from dialogue.cli.main import main
from dialogue.forks.changes import BadChange, Say, SupposedOutcome, Withhold
from dialogue.forks.kept import KeptFork
from dialogue.forks.words import tell_fork
from dialogue.log.stores import DamagedStream, UnknownStream
from dialogue.log.stores.protocol import StreamId
from dialogue.services import Services, make_services
from dialogue.services.analyses import position_of
from dialogue.services.forks import WhatIf
from language.responses.events import UNREADABLE
from planning.task.errors import UnknownName
from tests.conversations.stage import TODAY
from tests.dialogue.forks.bank import NO_CONSENT, OTHER_WAY, Declined, declined
from tests.dialogue.forks.scenes import FILES, played

pytestmark = pytest.mark.row("F11")
OTHERWISE = (*OTHER_WAY, Withhold("email"), NO_CONSENT, SupposedOutcome("loan_decision", "approved"))


def told(ben: Declined, found: WhatIf) -> list[str]:
    return list(tell_fork(ben.services.snapshot(ben.session).catalog, found.run, found.difference))


def told_by(services: Services, kept: KeptFork) -> list[str]:
    """Tell the outcome of a fork with the catalog that it was played with."""
    found = services.forks.open(kept)
    return [next(tell_fork(services.snapshot(kept.kept.conversation).catalog, found.run, found.difference))]


def test_a_kept_fork_is_opened_as_it_was_whatever_was_said_since() -> None:
    with declined() as ben:
        forks = ben.services.forks
        was = told(ben, forks.what_if(ben.session, OTHERWISE))
        before = ben.services.snapshot(ben.session).log
        kept = forks.kept.find(forks.keep(ben.session, "  The   other way ", OTHERWISE))
        assert ben.services.snapshot(ben.session).log == before
        assert (kept.name, kept.kept.conversation) == ("The other way", ben.session)
        assert set(kept.changes(ben.services.snapshot(ben.session).catalog)) == set(OTHERWISE)
        for said in ("no", "show me my spending"):
            ben.services.say(ben.session, said)
            assert ben.services.wait(ben.session, 200)
        assert told(ben, forks.open(kept)) == was
        assert forks.open(kept).run.log[: forks.open(kept).run.at] == before[: forks.open(kept).run.at]


def test_forks_are_listed_renamed_and_deleted_and_go_with_their_conversation(ben: Declined) -> None:
    forks = ben.services.forks
    first, second = (forks.keep(ben.session, name, [NO_CONSENT]) for name in ("first", "second"))
    forks.kept.rename(first, "renamed")
    assert {(one.fork_id, one.name) for one in forks.kept.of(ben.session)} == {(first, "renamed"), (second, "second")}
    forks.kept.delete(first)
    assert [one.fork_id for one in forks.kept.of()] == [second]
    with pytest.raises(UnknownStream):
        forks.kept.find(first)
    other = ben.services.start("banking")
    ben.services.say(other, "I'd like a loan of $5,000")
    assert ben.services.wait(other, 200)
    third = forks.keep(other, "of another", [NO_CONSENT])
    ben.services.delete(other)
    assert [one.fork_id for one in forks.kept.of()] == [second]
    with pytest.raises(UnknownStream):
        forks.kept.find(third)
    forks.kept.delete(second)


def spoil(ben: Declined, fork: str, text: str) -> None:
    """Have the last entry of a fork be something else."""
    store, stream = ben.services.forks.kept.store, StreamId("fork", fork)
    *whole, last = store.read(stream)
    store.delete(stream)
    store.append(stream, [*whole, replace(last, text=text)])


def test_a_damaged_fork_is_listed_as_such_and_can_be_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    """What its first entry still says is known: one of a newer release tells its name, and garbage nothing."""
    with declined() as ben:
        forks = ben.services.forks
        renamed, newer, lost = (forks.keep(ben.session, name, OTHERWISE) for name in ("renamed", "newer", "lost"))
        forks.kept.rename(renamed, "once more")
        (entry,) = forks.kept.store.read(StreamId("fork", newer))
        spoil(ben, renamed, entry.text[:40])
        spoil(ben, newer, entry.text.replace('"entries":', '"many_entries":'))
        spoil(ben, lost, "{}")
        (kept,) = forks.kept.store.read(StreamId("fork", lost))
        found = {one.fork_id: one for one in forks.kept.of()}
        assert {number: one.name for number, one in found.items()} == {renamed: "renamed", newer: "newer", lost: ""}
        assert {one.fork_id for one in forks.kept.of(ben.session)} == {renamed, newer}
        assert found[lost].updated == kept.at
        for number, place in ((renamed, 2), (newer, 1), (lost, 1)):
            why = f"Entry {place} of this fork is missing or cannot be read: it was damaged"
            with pytest.raises(DamagedStream, match=why):
                forks.open(found[number])
            assert main(["forks", "--open", number[:6]]) == 2
            assert why in capsys.readouterr().err
            assert main(["forks"]) == 0
            assert re.search(rf"{number[:8]}  \d.*{found[number].name or UNREADABLE}.*{why}", capsys.readouterr().out)
            assert main(["forks", "--delete", number[:6]]) == 0
        assert not forks.kept.of()


def test_a_damaged_fork_goes_with_its_conversation_if_it_is_known_to_be_of_it() -> None:
    with declined() as ben:
        forks = ben.services.forks
        other = ben.services.start("banking")
        ben.services.say(other, "I'd like a loan of $5,000")
        assert ben.services.wait(other, 200)
        ours, theirs, lost = (forks.keep(of, "some", [NO_CONSENT]) for of in (ben.session, other, other))
        (entry,) = forks.kept.store.read(StreamId("fork", theirs))
        spoil(ben, theirs, entry.text.replace('"entries":', '"many_entries":'))
        spoil(ben, lost, "")
        ben.services.delete(other)
        assert {one.fork_id for one in forks.kept.of()} == {ours, lost}


def test_a_fork_is_played_with_the_catalog_that_its_conversation_has_by_now(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conversation that was at rest is read anew, with what its file holds by then, and at the same entry."""
    path = tmp_path / "parking.yaml"
    path.write_text(FILES["parking"].read_text(encoding="utf-8"), encoding="utf-8")
    chosen = {"skills": played.__module__, "trusted": played.__module__}
    with closing(make_services(home, files=[path], chosen=chosen, today=TODAY)) as services:
        session = services.start("parking")
        for text in ("I want a parking permit", "4 years", "the inner zone", "no", "0"):
            services.say(session, text)
            assert services.wait(session, 100)
        kept = services.forks.kept.find(services.forks.keep(session, "outer", [Say("zone", "outer")]))
        before = services.snapshot(session)
        assert told_by(services, kept) == ["With the zone outer: granted, in place of waiting list (computed anew)."]
        edited = path.read_text(encoding="utf-8").replace("label: waiting list", "label: a long list")
        path.write_text(edited, encoding="utf-8")
        monkeypatch.setattr("dialogue.runtime.IDLE_S", 0.0)
        services.start("parking")
        assert services.snapshot(session).log == before.log
        assert position_of(services.snapshot(session)) != position_of(before)
        assert told_by(services, kept) == ["With the zone outer: granted, in place of a long list (computed anew)."]


def test_what_cannot_be_supposed_or_has_no_name_is_not_kept(ben: Declined) -> None:
    forks = ben.services.forks
    with pytest.raises(UnknownName):
        forks.keep(ben.session, "unknown", [Withhold("shoe_size")])
    with pytest.raises(BadChange):
        forks.keep(ben.session, "both", [*OTHER_WAY, OTHER_WAY[0]])
    with pytest.raises(ValueError, match="under a name"):
        forks.keep(ben.session, " ", [NO_CONSENT])
    assert not forks.kept.of()


def test_the_commands_keep_list_open_rename_and_delete(capsys: pytest.CaptureFixture[str]) -> None:
    with declined() as ben:
        session = ben.session
    assert main(["fork", session, "--say", "loan_amount=5000", "--keep", "less", "--today", str(TODAY)]) == 0
    once = capsys.readouterr()
    assert "Kept as" in once.err
    assert main(["forks", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert (row["name"], row["session"], row["supposed"]) == ("less", session, "With the loan amount $5,000")
    fork = row["fork"][:6]
    assert main(["forks", "--rename", fork, "much less"]) == 0
    assert main(["forks", "--open", fork]) == 0
    assert capsys.readouterr().out == f"much less:\n{once.out}"
    assert main(["forks", "--delete", fork]) == 0
    assert main(["forks"]) == 0
    assert "No fork is kept." in capsys.readouterr().out
    assert main(["forks", "--open", fork]) == 2
    assert "No fork begins with" in capsys.readouterr().err
    with closing(make_services(files=(), today=TODAY)) as services:
        assert services.sessions()[0].session_id == session
