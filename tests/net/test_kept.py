"""Settings that other versions have saved are in use; their sessions are the section `kept` of the net."""

from __future__ import annotations

from pathlib import Path

from dialogue.services import make_services
from dialogue.settings.sources import OLD_FILE, read_settings
from language.llm.settings import ModelSettings, ModelUse
from tests.net import kept


def test_settings_that_version_0_1_0_saved_are_in_use_and_stay_when_something_is_changed(home: Path) -> None:
    home.mkdir()
    (home / OLD_FILE).write_bytes(kept.OLD_SETTINGS.read_bytes())
    model = ModelSettings(ModelUse.UNSURE, "http://127.0.0.1:8080/v1", "qwen2.5-7b-instruct", "k-1234")
    services = make_services(home)
    assert services.language_model.settings == model
    services.change_settings({"policy": "planner"})
    services.close()
    assert read_settings(home=home).settings.llm == model


def test_settings_of_the_version_before_0_2_0_are_in_use_and_stay_when_something_is_changed(home: Path) -> None:
    kept.lay_out(home)
    services = make_services(home)
    services.change_settings({"limits.bot_seconds": 7})
    services.close()
    settings = read_settings(home=home).settings
    assert (settings.policy, settings.orchestrator) == ("planner", "max")
    assert (settings.limits.room_messages, settings.limits.bot_seconds) == (45, 7)
