"""A language model in a conversation: it holds nobody up, leaves a note when it was of no use, and keeps its key."""

from __future__ import annotations

import asyncio
import json
import stat
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo, FunctionModel

from dialogue.log.events import Heard, Understood
from dialogue.log.stores import SqliteStore
from dialogue.services import Services, make_services
from dialogue.settings import FILE
from dialogue.settings.sources import OLD_FILE, read_settings
from language.llm.client import Client
from language.llm.language_model import LanguageModel
from language.llm.settings import ModelSettings, ModelUse, check_settings
from tests.dialogue.toys import TODAY, Notation, load_toys
from tests.language.scripted import HERE, Script, client_of

KEY = "sk-canary-5f3a"


def services_with(home: Path, client: Client) -> Services:
    return Services(
        SqliteStore(home / "sessions.db"),
        {"toys": load_toys()},
        understander=Notation,
        language_model=LanguageModel(ModelSettings(ModelUse.ALWAYS, HERE, "scripted", limit_s=600), client=client),
        clock=lambda: datetime(2026, 11, 21, 12, tzinfo=UTC),
        today=TODAY,
    )


class Waiting:
    """A model that never answers, and tells when it was asked."""

    def __init__(self) -> None:
        self.asked = threading.Event()

    async def reply(self, _messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    @property
    def client(self) -> Client:
        return client_of(lambda: FunctionModel(self.reply))


def test_messages_are_heard_while_a_model_is_asked_and_a_note_says_that_it_was_of_no_use(home: Path) -> None:
    waiting = Waiting()
    services = services_with(home, waiting.client)
    session = services.start("toys")
    services.say(session, "goal trophy")
    assert waiting.asked.wait(60)
    services.say(session, "a=1")
    log = services.snapshot(session).log
    assert [entry.event.text for entry in log if isinstance(entry.event, Heard)] == ["goal trophy", "a=1"]
    services.language_model.client.close()
    assert services.wait(session, 60)
    seen = services.snapshot(session)
    understood = [entry.event for entry in seen.log if isinstance(entry.event, Understood)]
    assert understood[0].meaning.notes == ("The model's answer was not used: it was stopped.",)
    assert [goal.goal for goal in understood[0].meaning.goals] == ["trophy"]
    assert not seen.busy
    services.close()


def test_closing_waits_for_no_model(home: Path) -> None:
    waiting = Waiting()
    services = services_with(home, waiting.client)
    session = services.start("toys")
    services.say(session, "goal trophy")
    assert waiting.asked.wait(60)
    services.close()
    reopened = services_with(home, Script(['{"requests": []}']).client)
    assert not reopened.snapshot(session).busy
    reopened.close()


def test_what_a_model_was_asked_is_not_asked_again_when_a_conversation_is_opened_anew(home: Path) -> None:
    """What was understood is in the log; opening a conversation asks nobody."""
    services = services_with(home, Script(['{"requests": []}']).client)
    session = services.start("toys")
    services.say(session, "goal trophy")
    assert services.wait(session, 60)
    before = services.snapshot(session)
    services.close()
    again = Script([AssertionError("it was asked")])
    reopened = services_with(home, again.client)
    assert reopened.snapshot(session).conversation == before.conversation
    assert again.told == []
    reopened.close()


def test_a_model_is_off_unless_somebody_turns_it_on(home: Path) -> None:
    services = make_services(home)
    assert services.language_model.settings == ModelSettings()
    assert services.language_model.settings.mode is ModelUse.OFF
    services.close()


ENVIRONMENT = {
    "PLANGLASS_LLM_MODE": "unsure",
    "PLANGLASS_LLM_URL": "http://127.0.0.1:8080/v1/",
    "PLANGLASS_LLM_MODEL": "some-model",
    "PLANGLASS_LLM_KEY": KEY,
}


def change(services: Services, settings: ModelSettings, *, keep_key: bool) -> None:
    changes = {f"llm.{name}": getattr(settings, name) for name in ("mode", "url", "model", "key")}
    services.change_settings(changes, keep_secrets=keep_key)


def test_settings_come_from_the_environment_and_its_word_stands(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does not say, the page says; what comes from it is never written down."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    services = make_services(home)
    wanted = ModelSettings(ModelUse.UNSURE, "http://127.0.0.1:8080/v1", "some-model", KEY)
    assert services.language_model.settings == wanted
    assert {"llm.mode", "llm.url", "llm.model", "llm.key"} <= services.configuration.fixed
    change(
        services, ModelSettings(ModelUse.OFF, "https://elsewhere.example/v1", "another", "another-key"), keep_key=True
    )
    assert services.language_model.settings == wanted
    assert "key" not in (home / FILE).read_text(encoding="utf-8")
    assert KEY not in repr(services.settings)
    services.close()


@pytest.mark.parametrize("keep", [True, False])
def test_settings_of_the_page_are_kept_where_only_their_owner_can_read_them(home: Path, keep: bool) -> None:
    services = make_services(home)
    change(services, ModelSettings(ModelUse.ALWAYS, "https://llm.example/v1", "some-model", KEY), keep_key=keep)
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    assert services.language_model.settings.key == KEY
    services.close()
    kept = ModelSettings(ModelUse.ALWAYS, "https://llm.example/v1", "some-model", KEY if keep else "")
    assert read_settings(home=home).settings.llm == kept


def test_what_version_0_1_0_saved_is_read_and_moves_to_the_file_of_settings(home: Path) -> None:
    saved = {"mode": "always", "url": "https://llm.example/v1", "model": "some-model", "key": KEY}
    home.mkdir()
    (home / OLD_FILE).write_text(json.dumps(saved), encoding="utf-8")
    services = make_services(home)
    assert services.language_model.settings == ModelSettings(ModelUse.ALWAYS, saved["url"], saved["model"], KEY)
    services.change_settings({"llm.mode": "unsure"})
    services.close()
    assert not (home / OLD_FILE).exists()
    assert read_settings(home=home).settings.llm == ModelSettings(ModelUse.UNSURE, saved["url"], saved["model"], KEY)


def test_a_key_that_is_forgotten_is_on_disk_no_more(home: Path) -> None:
    home.mkdir()
    (home / OLD_FILE).write_text(json.dumps({"url": "https://llm.example/v1", "key": KEY}), encoding="utf-8")
    services = make_services(home)
    change(services, replace(services.language_model.settings, key=""), keep_key=True)
    services.close()
    assert not [file.name for file in home.iterdir() if KEY.encode() in file.read_bytes()]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"mode": 3, "url": ["x"]}', '{"mode": "always", "url": "ftp://x"}'])
def test_a_damaged_file_of_version_0_1_0_means_no_language_model(home: Path, text: str) -> None:
    home.mkdir()
    (home / OLD_FILE).write_text(text, encoding="utf-8")
    assert read_settings(home=home).settings.llm == ModelSettings()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("MODE", "sometimes", "'off', 'unsure' or 'always'"),
        ("URL", "localhost:8080", "begins with http://"),
        ("URL", "file:///etc/passwd", "begins with http://"),
        ("URL", "http://ann:secret@llm.example/v1", "name or password in it"),
        ("URL", "http://llm.example/v1?key=secret", "“?” or “#” in it"),
        ("URL", "http://llm.example:99999/v1", "no base URL"),
        ("KEY", "a\nb", "cannot be typed"),
        ("KEY", "schlüssel", "letters that no key has"),
        ("MODEL", "", "name of a model"),
    ],
)
def test_settings_that_cannot_work_are_told_in_the_log_and_ask_no_model(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, value: str, said: str
) -> None:
    for variable, fine in {**ENVIRONMENT, f"PLANGLASS_LLM_{name}": value}.items():
        monkeypatch.setenv(variable, fine)
    assert read_settings(home=home).settings.llm.mode is ModelUse.OFF
    assert said in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    ("url", "exposed"),
    [
        ("http://127.0.0.1:8080/v1", False),
        ("http://localhost:8080/v1", False),
        ("http://[::1]:8080/v1", False),
        ("https://llm.example/v1", False),
        ("http://llm.example/v1", True),
    ],
)
def test_a_key_that_would_travel_in_the_open_is_noticed(url: str, exposed: bool) -> None:
    assert check_settings(ModelSettings(ModelUse.ALWAYS, url, "m", KEY)).exposes_key is exposed
    assert check_settings(ModelSettings(ModelUse.ALWAYS, url, "m")).exposes_key is False
