"""The understander that may ask a language model; without one, or without need, it is the offline one."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace

from catalog.model import Catalog
from dialogue.meaning import Context, Meaning, Understander
from dialogue.understanding.analysis import Analysis, Consultation, Reply
from dialogue.understanding.asp import materialize, prepare
from dialogue.understanding.model.blanking import blank
from dialogue.understanding.model.checking import Found, cite
from dialogue.understanding.model.consulting import Consulted, NotInstalled
from dialogue.understanding.model.deciding import why_not
from dialogue.understanding.model.language_model import LanguageModel, find_language_model
from dialogue.understanding.model.marker import Marker
from dialogue.understanding.model.merging import merge
from dialogue.understanding.model.settings import Mode, Settings
from dialogue.understanding.offline import OfflineUnderstander

_log = logging.getLogger(__name__)


class ModelUnderstander:
    """Reads offline first; then, if settings and utterance call for it, asks a model what the offline reader missed.

    Whatever a model does, the worst that comes of it is the offline reading, later.
    """

    def __init__(self, catalog: Catalog, offline: Understander, language_model: LanguageModel) -> None:
        self._catalog, self._offline, self._language_model = catalog, offline, language_model
        self._marker = Marker(catalog)
        self._domain = prepare(catalog)

    def understand(self, text: str, context: Context) -> Meaning:
        """Read one utterance. Never raises for any text; never returns a value that nobody said."""
        settings = self._language_model.settings
        if settings.mode is Mode.OFF:
            return self._offline.understand(text, context)
        return self.analyse(text, context).meaning

    def analyse(self, text: str, context: Context) -> Analysis:
        """Read one utterance, and say what was seen on the way."""
        settings = self._language_model.settings
        analysis = self._offline.analyse(text, context)
        because = why_not(self._catalog, settings.mode, analysis, context)
        if because:
            told = f"The language model was not asked: {because}."
            return replace(analysis, consultation=Consultation(asked=False, because=told))
        return self._ask(settings, analysis, context)

    def warm(self) -> None:
        """Load what the first utterance would otherwise wait for; a model is not asked."""
        self._offline.warm()

    def _ask(self, settings: Settings, analysis: Analysis, context: Context) -> Analysis:
        began = time.monotonic()
        shown = blank(self._catalog, analysis.text, analysis.meaning, context.today)
        try:
            consulted = self._marker.mark(self._language_model.client, settings, shown, context.today)
        except NotInstalled as missing:
            consulted = Consulted(None, trouble=str(missing).rstrip("."))
        if consulted.note:
            _log.warning("%s", consulted.note)
        if consulted.found is not None:
            analysis = self._take_up(settings, analysis, consulted.found, context)
        elif consulted.note:
            notes = (*analysis.meaning.notes, consulted.note)
            analysis = replace(analysis, meaning=analysis.meaning.model_copy(update={"notes": notes}))
        always = settings.mode is Mode.ALWAYS
        consultation = Consultation(
            asked=True,
            because=f"The language model was asked: {'it always is' if always else 'the offline reader was not sure'}.",
            replies=tuple(Reply(t.reply, tuple(o.told for o in t.objections)) for t in consulted.tries),
            note=consulted.note,
        )
        seconds = {**analysis.seconds, "language model": time.monotonic() - began}
        return replace(analysis, consultation=consultation, seconds=seconds)

    def _take_up(self, settings: Settings, analysis: Analysis, found: Sequence[Found], context: Context) -> Analysis:
        """Take up what a model found; the catalog's rules complete and check it, as they do all requests."""
        cited = [cite(analysis.text, request) for request in found]
        meaning = merge(self._catalog, settings.mode, analysis, cited, context.today)
        if meaning.goals == analysis.meaning.goals:
            return replace(analysis, meaning=meaning)
        whole = materialize(self._domain, meaning.goals, context.today)
        update = {"goals": whole.requests, "errors": whole.errors}
        return replace(
            analysis,
            meaning=meaning.model_copy(update=update),
            facts=whole.facts,
            atoms=whole.atoms,
            fired=whole.fired,
        )


def make_from_environment(catalog: Catalog) -> ModelUnderstander:
    """Make one with the settings of the environment, for use outside of the dashboard."""
    return ModelUnderstander(catalog, OfflineUnderstander(catalog), find_language_model())
