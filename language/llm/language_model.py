"""The language model that was chosen: its settings, which may change at any time, and its callers."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import date

from catalog.analysis.dependencies import find_result
from catalog.model import Catalog
from language.llm.client import Client
from language.llm.consultation import Consulted, ModelPackagesMissing
from language.llm.schema import make_form
from language.llm.settings import ModelSettings, ModelUse, check_settings
from language.llm.verification import Checker


class Marker:
    """Asks a model which goals of one catalog an utterance requests."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._form = make_form(catalog, lambda goal, fact: any(self._can_take(goal, fact, g) for g in catalog.goals))

    def mark(self, client: Client, settings: ModelSettings, text: str, today: date) -> Consulted:
        """Ask what a text asks for. What comes back has been checked against the text. Raises NotInstalled."""
        form = self._form
        if form is None:
            return Consulted(None, trouble="the catalog has no goals, or too many to tell a model of")
        checker = Checker(self._catalog, form, text, today, self._can_take)
        return client.ask(settings, form, text, checker.check)

    def _can_take(self, goal: str, fact: str, other: str) -> bool:
        mapped = any(mapping.stands_for == fact for mapping in self._catalog.mappings)
        return mapped and goal != other and find_result(self._catalog, other, fact) is not None


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of trying a model on an utterance."""

    text: str
    consulted: Consulted

    @property
    def reached(self) -> bool:
        return bool(self.consulted.tries)


class LanguageModel:
    """The model that all understanders of a process ask; threads share it."""

    def __init__(self, settings: ModelSettings | None = None, *, client: Client | None = None):
        self.settings = settings or ModelSettings()
        """The settings as they are now; reading and replacing them is atomic."""
        self.client = client or Client()

    def change(self, settings: ModelSettings) -> None:
        """Use other settings from now on. Raises Unfit."""
        self.settings = check_settings(settings)

    def try_it(self, settings: ModelSettings, catalog: Catalog, text: str, today: date) -> Trial:
        """Ask a model once, whatever the mode, with settings that need not be in use. Raises Unfit, NotInstalled."""
        checked = check_settings(replace(settings, mode=ModelUse.ALWAYS))
        return Trial(text, Marker(catalog).mark(self.client, checked, text, today))

    def warm(self) -> None:
        """Load what the first question would otherwise wait for, where there will be questions."""
        if self.settings.mode is not ModelUse.OFF:
            try:
                self.client.load()
            except ModelPackagesMissing as missing:
                _log.warning("%s", str(missing))

    def close(self) -> None:
        self.client.close()


__all__ = ["LanguageModel", "ModelPackagesMissing", "Trial"]
