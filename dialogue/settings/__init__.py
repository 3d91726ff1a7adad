"""Settings: every choice of the operator. Where they are read from and saved is in `sources`."""

from dialogue.settings.choices import CHOICES, SettingsError, installed, not_installed
from dialogue.settings.configuration import (
    FILE,
    Configuration,
    SettingRow,
    check_choices,
    known_names,
    variable_of,
)
from dialogue.settings.settings import PER_CONVERSATION, SETTINGS, LimitSettings, Settings, choices_in
