"""The forms of the page Settings: every setting that they show has a label."""

from __future__ import annotations

import pytest

from dialogue.settings import PER_CONVERSATION, SETTINGS


def test_a_setting_without_a_label_is_shown_by_its_name() -> None:
    assert SETTINGS["prior_calls"].label == "prior_calls"


@pytest.mark.parametrize("name", [name for name in SETTINGS if name.startswith("limits.")] + [*PER_CONVERSATION])
def test_each_setting_in_the_forms_has_a_label_and_says_what_it_means(name: str) -> None:
    assert SETTINGS[name].label != name
    assert SETTINGS[name].description
