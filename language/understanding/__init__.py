"""Understanding: from what somebody said to goals, values, questions and controls.

An understander is added by writing its factory into `UNDERSTANDERS`; every test of the protocol then runs on it too.
"""

from __future__ import annotations

from language.interpretation import UnderstanderFactory
from language.understanding.hybrid import make_from_environment
from language.understanding.pipeline import OfflineUnderstander

UNDERSTANDERS: dict[str, UnderstanderFactory] = {
    "offline": OfflineUnderstander,
    "model": make_from_environment,
}
"""Understanders by name."""

DEFAULT = "offline"
