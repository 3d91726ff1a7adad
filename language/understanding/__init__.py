"""Understanding: from an utterance to goals, values, questions and controls.

An understander is added by writing its factory into `UNDERSTANDERS`; every test of the protocol then runs on it too.
"""

from __future__ import annotations

from threading import Lock

from catalog.model import Catalog
from language.interpretation import Understander, UnderstanderFactory
from language.llm.language_model import LanguageModel
from language.understanding.pipeline import OfflineUnderstander
from language.understanding.with_model import ModelUnderstander

_MOST = 8
_offline: dict[int, tuple[Catalog, OfflineUnderstander]] = {}
_making = Lock()


def _offline_of(catalog: Catalog) -> OfflineUnderstander:
    """Return the offline reader of a catalog; of the very same one it is made once, as it only depends on that.

    Those of the catalogs that were used last are kept.
    """
    with _making:
        kept = _offline.pop(id(catalog), None) or (catalog, OfflineUnderstander(catalog))
        _offline[id(catalog)] = kept
        while len(_offline) > _MOST:
            del _offline[next(iter(_offline))]
        return kept[1]


def make_offline(catalog: Catalog, language_model: LanguageModel | None = None) -> Understander:
    """Make the reader that never asks a language model."""
    return _offline_of(catalog)


def make_with_model(catalog: Catalog, language_model: LanguageModel | None = None) -> Understander:
    """Make the offline reader with a language model to ask; what it is asked, and whether, is in its settings."""
    return ModelUnderstander(catalog, _offline_of(catalog), language_model or LanguageModel())


UNDERSTANDERS: dict[str, UnderstanderFactory] = {
    "offline": make_offline,
    "model": make_with_model,
}
"""Understanders by name."""

DEFAULT = "offline"
"""What reads where no language model is set up; the assistant runs `model`, which reads the same until one is."""
