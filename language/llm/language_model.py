"""The language model that was chosen: its settings, which may change at any time, and whoever asks it."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from catalog.analysis.dataflow import find_result
from catalog.model import Catalog
from language.llm.client import Client
from language.llm.consultation import Consulted, NotInstalled
from language.llm.schema import make_form
from language.llm.settings import (
    Mode,
    Settings,
    Unfit,
    check_settings,
    from_environment,
    load_settings,
    save_settings,
    set_outside,
)
from language.llm.verification import Checker


class Marker:
    """Has a model mark what utterances ask for, in terms of one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._form = make_form(catalog, lambda goal, fact: any(self._can_take(goal, fact, g) for g in catalog.goals))

    def mark(self, client: Client, settings: Settings, text: str, today: date) -> Consulted:
        """Ask what a text asks for. What comes back has been checked against the text. Raises NotInstalled."""
        form = self._form
        if form is None:
            return Consulted(None, trouble="the catalog has no goals, or too many to tell a model of")
        checker = Checker(self._catalog, form, text, today, self._can_take)
        return client.ask(settings, form, text, checker.check)

    def _can_take(self, goal: str, fact: str, other: str) -> bool:
        """Tell whether what another goal comes to can be an argument of a goal."""
        mapped = any(mapping.stands_for == fact for mapping in self._catalog.mappings)
        return mapped and goal != other and find_result(self._catalog, other, fact) is not None


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying a model on an utterance."""

    text: str
    consulted: Consulted

    @property
    def reached(self) -> bool:
        """Tell whether the model answered at all."""
        return bool(self.consulted.tries)


class LanguageModel:
    """The model that all understanders of a process ask; threads share it."""

    def __init__(self, settings: Settings | None = None, *, home: Path | None = None, client: Client | None = None):
        self._lock = threading.Lock()
        self._settings = settings or Settings()
        self._home = home
        self.client = client or Client()
        self.fixed: frozenset[str] = frozenset()
        """Settings that the environment has set, and nobody can change here."""

    @property
    def settings(self) -> Settings:
        """The settings as they are now."""
        with self._lock:
            return self._settings

    def change(self, settings: Settings, *, keep_key: bool = False) -> None:
        """Use other settings from now on, and keep them; the key only where that is wanted. Raises Unfit, OSError."""
        checked = check_settings(settings)
        with self._lock:
            now = self._settings
            self._settings = replace(checked, **{name: getattr(now, name) for name in self.fixed})
            if self._home is not None:
                # What comes from the environment is for this run only.
                mine = replace(self._settings, **{name: getattr(Settings(), name) for name in self.fixed - {"mode"}})
                save_settings(self._home, mine, with_key=keep_key)

    def try_it(self, settings: Settings, catalog: Catalog, text: str, today: date) -> Trial:
        """Ask a model once, whatever the mode, with settings that need not be in use. Raises Unfit, NotInstalled."""
        checked = check_settings(replace(settings, mode=Mode.ALWAYS))
        return Trial(text, Marker(catalog).mark(self.client, checked, text, today))

    def warm(self) -> None:
        """Load what the first question would otherwise wait for, where there will be questions."""
        if self.settings.mode is not Mode.OFF:
            try:
                self.client.load()
            except NotInstalled as missing:
                _log.warning("%s", missing)

    def close(self) -> None:
        """Wait for no answer any more."""
        self.client.close()


def find_language_model(home: Path | None = None) -> LanguageModel:
    """Set a model up from the environment and, where it says nothing, from what was kept in a data directory.

    What the environment says wrongly is told in the log, and no model is asked: a conversation needs none.
    """
    kept = load_settings(home) if home is not None else Settings()
    try:
        found = LanguageModel(from_environment(base=kept), home=home)
    except Unfit as error:
        _log.error("no language model is asked: %s", error)
        found = LanguageModel(home=home)
    found.fixed = set_outside()
    return found


__all__ = ["LanguageModel", "NotInstalled", "Trial", "find_language_model"]
