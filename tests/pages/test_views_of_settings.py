"""The forms of the page Settings: every setting that they show has a label."""

from __future__ import annotations

import pytest

from dialogue.services.settings import PER_CONVERSATION, known_names
from pages.settings.page import LABELS, label_of


def test_a_setting_without_a_label_is_shown_by_its_name() -> None:
    assert label_of("limits.added_by_somebody") == "limits.added_by_somebody"


@pytest.mark.parametrize("name", [name for name in known_names() if name.startswith("limits.")] + [*PER_CONVERSATION])
def test_each_setting_in_the_forms_has_a_label(name: str) -> None:
    assert label_of(name) == LABELS[name]
