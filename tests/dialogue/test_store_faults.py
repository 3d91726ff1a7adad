"""A store that fails for a while: nothing is lost, what went wrong is told, and the conversation goes on."""

from __future__ import annotations

from contextlib import suppress

import pytest

from dialogue import runtime
from dialogue.log.stores import StoreFailed
from tests.dialogue.test_no_value_in_a_log import (
    CANARY,
    FAULT,
    Vault,
    ask_for_it,
    assert_silent,
    assert_tells_nothing,
    vault,
)

__all__ = ["vault"]


def limit_pages(opened: Vault, pages: int) -> None:
    """Let the database grow to so many pages only, as a full disk would; 0: to as many as it has."""
    with opened.store._engine.connect() as db:
        there = db.exec_driver_sql("PRAGMA page_count").scalar_one()
        db.exec_driver_sql(f"PRAGMA max_page_count={pages or there}")


def test_what_is_said_while_the_disk_is_full_is_refused_and_taken_once_there_is_room(
    vault: Vault, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    ask_for_it(vault)
    FAULT.mode = "fine"
    limit_pages(vault, 0)
    said = f"ssn={CANARY} {'so ' * 1_500}"
    with pytest.raises(StoreFailed, match="There is no room left on the disk"):
        for number in range(20):  # a page may have some room
            vault.services.rename(vault.session, "a name " * 14 + str(number))
    with pytest.raises(StoreFailed, match="There is no room left on the disk"):
        vault.services.say(vault.session, said, command_id="c1")
    assert_silent(capfd, caplog)
    assert not [event for event in vault.events("heard") if CANARY in event.text]
    assert_tells_nothing(vault.services, vault.session)
    limit_pages(vault, 1_000_000)
    vault.services.say(vault.session, f"ssn={CANARY}", command_id="c1")
    vault.services.say(vault.session, f"ssn={CANARY}", command_id="c1")
    assert vault.services.wait(vault.session, 60)
    assert "score" in vault.now.facts.known
    assert len([event for event in vault.events("heard") if CANARY in event.text]) == 1


def test_a_turn_that_the_disk_had_no_room_for_goes_on_by_itself_when_there_is(
    vault: Vault,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    ask_for_it(vault)
    FAULT.mode = "fine"
    monkeypatch.setattr(runtime, "RETRY_S", (0.05,))
    append = vault.store.append
    room = False

    def appends(stream, entries):  # type: ignore[no-untyped-def]
        if not room and entries[0].kind != "heard":
            limit_pages(vault, 0)
            with vault.store._transaction() as db:
                db.exec_driver_sql("CREATE TABLE too_much (a)")
        append(stream, entries)

    monkeypatch.setattr(vault.store, "append", appends)
    vault.services.say(vault.session, f"ssn={CANARY}")
    with pytest.raises(StoreFailed):
        vault.services.wait(vault.session, 60)
    told = vault.services.snapshot(vault.session).trouble
    assert told.startswith("There is no room left on the disk")
    assert "Nothing was written" not in told, "what was said is kept"
    room = True
    limit_pages(vault, 1_000_000)
    while vault.now.busy:
        with suppress(StoreFailed):
            vault.services.wait(vault.session, 60)
    assert "score" in vault.now.facts.known
    assert vault.services.snapshot(vault.session).trouble == ""
    assert "StoreFailed" in assert_silent(capfd, caplog)
