"""The dashboard, with pages that fail at the first value of a conversation that they would show, and quote it."""

from __future__ import annotations

import runpy
import sys
from unittest.mock import patch

from catalog.model import Catalog
from dialogue.state.conversation import Conversation
from pages.views import snapshot_view
from tests.pages.screen import ROOT


def fail(_catalog: Catalog, conversation: Conversation, fact: str) -> str:
    value = conversation.facts.known[fact].value
    raise ValueError(f"{fact} is {value}, which no page can draw")


if __name__ == "__main__":
    sys.argv = [str(ROOT / "app.py"), *sys.argv[1:]]
    with patch.object(snapshot_view, "show_value", fail):
        runpy.run_path(sys.argv[0], run_name="__main__")
