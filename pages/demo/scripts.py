"""The conversations that the demo plays: what is said, what to watch for, and what the inspector shows then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from pages.shell.address import View


@dataclass(frozen=True, slots=True)
class Line:
    """The next utterance, and what to watch for after it; `upload` names a sample picture, `alert` an event.

    `panel`, `select` and `ask` are what the inspector shows then; `both` puts the old and the new plan side by side.
    A line that answers a question (`to`: what that is about) is passed over where nothing of the kind is asked.
    """

    say: str
    watch: str
    upload: str = ""
    ahead: str = ""
    """Shown before the line is said, where the line itself would reveal what is masked afterwards."""
    alert: str = ""
    to: str = ""
    panel: str = "plan"
    select: str = ""
    ask: View = "how"
    both: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation to be played, with the catalog it is for; `then` names the one that goes on from there.

    `choices` is what the conversation runs with, besides what the settings say.
    """

    title: str
    catalog: str
    lines: tuple[Line, ...]
    then: str = ""
    ends_tour: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)


def _read_scripts() -> dict[str, Script]:
    """Read the scripts from the file beside this module."""
    found = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return {
        name: Script(**{**script, "lines": tuple(Line(**line) for line in script["lines"])})
        for name, script in found.items()
    }


SCRIPTS = _read_scripts()
"""The scripts by the names that stand in addresses."""
