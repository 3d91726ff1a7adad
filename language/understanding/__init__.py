"""Understanding: from what somebody said to goals, values, questions and controls.

An understander is added by writing its factory into `UNDERSTANDERS`; every test of the protocol then runs on it too.
"""

from __future__ import annotations

from catalog.model import Catalog
from language.interpretation import Understander, UnderstanderFactory
from language.llm.language_model import LanguageModel
from language.understanding.pipeline import OfflineUnderstander
from language.understanding.with_model import ModelUnderstander


def make_offline(catalog: Catalog, language_model: LanguageModel | None = None) -> Understander:
    """Make the reader that never asks a language model."""
    return OfflineUnderstander(catalog)


def make_with_model(catalog: Catalog, language_model: LanguageModel | None = None) -> Understander:
    """Make the offline reader with a language model to ask; what it is asked, and whether, is in its settings."""
    return ModelUnderstander(catalog, OfflineUnderstander(catalog), language_model or LanguageModel())


UNDERSTANDERS: dict[str, UnderstanderFactory] = {
    "offline": make_offline,
    "model": make_with_model,
}
"""Understanders by name."""

DEFAULT = "offline"
"""What reads where no language model is set up; the assistant runs `model`, which reads the same until one is."""
