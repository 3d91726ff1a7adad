"""No fault of the store, of a skill, of a thread or of a page writes a value anywhere but into the conversation."""

from __future__ import annotations

import contextlib
import gc
import json
import logging
import sqlite3
import sys
import threading
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from streamlit import config
from streamlit.error_util import _log_uncaught_app_exception
from streamlit.logger import get_logger

from catalog.endpoints import EndpointRefused
from catalog.load import loads
from catalog.skills import Result, SkillInput
from catalog.skills.failures import keep_values_out_of_logs
from dialogue.caller import SkillCaller
from dialogue.log.stores import SqliteStore, StoreFailed
from dialogue.services import Services
from pages.sessions.page import transcript, transcript_page
from tests.dialogue.toys import Notation, Talk, load_toys

CANARY = "900-12-3456"
WRITTEN = (
    *("900-12-3456", "900123456", "900 12 3456", "900.12.3456", "900/12/3456", "900\u200b12\u200b3456"),
    "900-12-3456".translate({ord("0") + digit: ord("\uff10") + digit for digit in range(10)}),
    "6543-21-009",
)
CATALOG = """
name: vault
facts:
  ssn: {ask: Your number?, sensitive: true}
  score: {askable: false}
skills:
  bureau:
    endpoint: python:tests.dialogue.test_no_value_in_a_log:bureau
    modes: {now: {inputs: [ssn], outcomes: {found: [score]}}}
goals: {score: {label: your score, facts: [score], examples: [x]}}
"""


class Fault:
    """What the bureau does."""

    def __init__(self) -> None:
        self.lock: sqlite3.Connection | None = None
        self.mode = "raise"


FAULT = Fault()


def bureau(values: Mapping[str, SkillInput]) -> Result:
    number = str(values["ssn"])
    match FAULT.mode:
        case "raise":
            raise ValueError(f"no file of {number.replace('-', '')}, that is {number}")
        case "raise from":
            try:
                dict[str, str]()[number]
            except KeyError as error:
                raise RuntimeError("it did not work") from error
        case "thread":
            thread = threading.Thread(target=_fail, args=(number,))
            thread.start()
            thread.join()
        case "log":
            try:
                _fail(number)
            except ValueError as error:
                logging.getLogger("a.bureau").exception("asking for a file failed: %s", error)  # noqa: TRY401
                logging.getLogger("a.bureau").error("failed: %r", error)  # noqa: TRY400
        case "lock":
            assert FAULT.lock is not None
            FAULT.lock.execute("BEGIN IMMEDIATE")
    return Result("found", {"score": "700"})


def _fail(number: str) -> None:
    raise ValueError(f"{number} is not known")


class Vault(Talk):
    def __init__(self, home: Path) -> None:
        path = home / "sessions.db"
        self.store = SqliteStore(path)
        with self.store._engine.connect() as db:
            db.exec_driver_sql("PRAGMA busy_timeout=1")
        FAULT.__init__()  # type: ignore[misc]
        FAULT.lock = self.other = sqlite3.connect(path, isolation_level=None, timeout=0.001, check_same_thread=False)
        self.services = Services(
            self.store,
            {"vault": loads(CATALOG, file="vault.yaml")},
            understander=Notation,
            allowed=("tests.dialogue.test_no_value_in_a_log",),
            trusted=("tests.dialogue.test_no_value_in_a_log",),
            clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
            today=date(2026, 11, 21),
        )
        self.session = self.services.start("vault")


@pytest.fixture
def vault(home: Path) -> Iterator[Vault]:
    opened = Vault(home)
    yield opened
    with contextlib.suppress(sqlite3.OperationalError):
        opened.other.execute("ROLLBACK")
    opened.other.close()
    opened.services.close()


@pytest.fixture(autouse=True)
def _discreet() -> Iterator[None]:
    before = logging.getLogRecordFactory(), threading.excepthook, sys.excepthook, sys.unraisablehook
    keep_values_out_of_logs()
    yield
    logging.setLogRecordFactory(before[0])
    threading.excepthook, sys.excepthook, sys.unraisablehook = before[1:]


def assert_silent(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> str:
    written = "".join((*capfd.readouterr(), caplog.text))
    assert not [number for number in WRITTEN if number in written], written
    return written


def handed_out(services: Services, session: str) -> str:
    """Return all that leaves a conversation: its export, and its transcript as text and as a page."""
    seen = services.snapshot(session)
    exported = json.dumps(services.export(session), ensure_ascii=False)
    return "\n".join((exported, transcript(seen), transcript_page(seen)))


def assert_tells_nothing(services: Services, session: str) -> None:
    told = handed_out(services, session)
    assert not [number for number in WRITTEN if number in told], told


def ask_for_it(vault: Vault) -> None:
    vault.say("goal score")
    vault.say("yes")
    assert vault.asks == "fact ssn"


def test_an_answer_that_a_locked_database_does_not_keep_is_written_nowhere(
    vault: Vault, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    ask_for_it(vault)
    vault.other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreFailed) as failed:
        vault.services.say(vault.session, f"ssn={CANARY}")
    assert CANARY not in "".join(traceback.format_exception(failed.value))
    logging.getLogger("any").error("could not write", exc_info=failed.value)
    assert "StoreFailed" in assert_silent(capfd, caplog)
    vault.other.execute("ROLLBACK")
    assert not [event for event in vault.events("heard") if CANARY in event.text], "it was not taken"
    assert_tells_nothing(vault.services, vault.session)
    FAULT.mode = "fine"
    vault.say(f"ssn={CANARY}")
    assert "score" in vault.now.facts.known, "and the conversation goes on"
    assert_tells_nothing(vault.services, vault.session)


def test_a_database_that_is_locked_in_the_middle_of_a_turn_writes_nothing_into_the_log(
    vault: Vault, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    ask_for_it(vault)
    FAULT.mode = "lock"
    vault.services.say(vault.session, f"ssn={CANARY}")
    with contextlib.suppress(StoreFailed):
        vault.services.wait(vault.session, 30)
    assert "StoreFailed" in assert_silent(capfd, caplog)
    assert_tells_nothing(vault.services, vault.session)


def test_a_turn_that_a_database_did_not_keep_is_taken_up_again(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    ask_for_it(vault)
    FAULT.mode = "fine"
    append, failures = vault.store.append, iter([False, True, True])

    def fails_at_first(stream, entries):  # type: ignore[no-untyped-def]
        if next(failures, False):
            raise StoreFailed("not just now")
        append(stream, entries)

    monkeypatch.setattr(vault.store, "append", fails_at_first)
    vault.say(f"ssn={CANARY}")
    assert not vault.now.busy
    assert "score" in vault.now.facts.known
    assert len(vault.events("heard")) == 3


@pytest.mark.parametrize("mode", ["raise", "raise from", "thread", "log"])
def test_a_skill_that_fails_quotes_nothing(
    vault: Vault, mode: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    ask_for_it(vault)
    FAULT.mode = mode
    replies = vault.say(f"ssn={CANARY}")
    written = assert_silent(capfd, caplog)
    assert not any(number in reply for reply in replies for number in WRITTEN)
    assert_tells_nothing(vault.services, vault.session)
    assert not [event for event in vault.events("failed") if any(number in event.message for number in WRITTEN)]
    if mode in ("thread", "log"):
        assert "ValueError" in written, "what went wrong, and where, is told"
        assert "_fail" in written


def test_what_streamlit_logs_of_a_script_quotes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    config.set_option("logger.enableRich", False)  # as the program sets it
    seen: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(logging.Formatter().format(record))  # type: ignore[method-assign]
    logger = get_logger("streamlit.error_util")
    logger.addHandler(handler)
    try:
        try:
            _fail(CANARY)
        except ValueError as error:
            _log_uncaught_app_exception(error)
    finally:
        logger.removeHandler(handler)
    assert "ValueError" in seen[0]
    assert "_fail" in seen[0]
    assert CANARY not in seen[0]
    assert CANARY not in "".join(capfd.readouterr())


def test_what_ends_a_program_or_an_object_quotes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    try:
        _fail(CANARY)
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)

    class Falling:
        def __del__(self) -> None:
            _fail(CANARY)

    Falling()
    gc.collect()
    _, told = capfd.readouterr()
    assert told.count(" ended in ValueError") == 2
    assert CANARY not in told


def test_what_quotes_no_error_is_logged_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("any").warning("%s of %d", "one", 3)
    logging.getLogger("any").warning("%(one)s", {"one": "two"})
    logging.getLogger("any").warning("%(why)s", {"why": ValueError("123")})
    assert [record.getMessage() for record in caplog.records] == ["one of 3", "two", "ValueError"]


def test_a_skill_that_cannot_be_prepared_quotes_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ValueError("secret-4711")

    def wait() -> None:
        gate.wait(30)

    def prepare(endpoint: str, allowed: Collection[str]) -> Callable[[], None] | None:
        if endpoint.endswith(":engraver"):
            raise EndpointRefused(endpoint, "secret-4711", "", "")
        return {"maker": fail, "giver": wait}.get(endpoint.rpartition(":")[2])

    gate = threading.Event()
    monkeypatch.setattr("dialogue.caller.endpoints.prepare", prepare)
    monkeypatch.setattr("dialogue.caller._WARMING_S", 0.01)
    SkillCaller(("tests.dialogue.toys",), trusted=("tests.dialogue.toys",)).warm(load_toys().catalog)
    gate.set()
    assert [record.getMessage() for record in caplog.records] == [
        "the skill maker could not be prepared: ValueError",
        "the skill giver could not be prepared: it took too long",
    ]
