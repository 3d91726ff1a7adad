"""Understanding: from what somebody said to goals, values, questions and controls.

An understander is added by writing its factory into `UNDERSTANDERS`; every test of the protocol then runs on it too.
"""

from __future__ import annotations

from dialogue.meaning import UnderstanderFactory
from dialogue.understanding.offline import OfflineUnderstander

UNDERSTANDERS: dict[str, UnderstanderFactory] = {
    "offline": OfflineUnderstander,
}
"""Understanders by name."""

DEFAULT = "offline"
