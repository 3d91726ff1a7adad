"""Marking: a model is shown one utterance, in terms of one catalog, and what it marks is checked."""

from __future__ import annotations

from datetime import date

from catalog.dataflow import find_result
from catalog.model import Catalog
from dialogue.understanding.model.checking import Checker
from dialogue.understanding.model.client import Client
from dialogue.understanding.model.consulting import Consulted
from dialogue.understanding.model.form import make_form
from dialogue.understanding.model.settings import Settings


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
