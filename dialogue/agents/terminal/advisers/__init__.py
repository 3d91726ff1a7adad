"""The agents at a terminal: each answers about a line and what is installed, and does nothing itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dialogue.agents.agent import PREVIEW_SECONDS, Agent, DeclaredAgent
from dialogue.agents.terminal.advisers.english import Command, Rank
from dialogue.agents.terminal.advisers.errors import ExplainError, load_hints, packaged
from dialogue.agents.terminal.advisers.fix import Fix
from dialogue.agents.terminal.advisers.installed import Installed, look_up_installed
from dialogue.agents.terminal.advisers.manual import Manual
from dialogue.agents.terminal.advisers.recipes import load_recipes
from dialogue.agents.terminal.calls import DESCRIPTIONS

_LONGEST = 6.0
"""Seconds for `command`, which may ask a language model; at Enter, the time that Enter may take comes first."""


@dataclass(frozen=True)
class Advisers:
    """The agents at a terminal, with what they share."""

    installed: Installed
    fix: Fix
    explain_error: ExplainError
    command: Command
    manual: Manual

    @property
    def declared(self) -> tuple[DeclaredAgent, ...]:
        agents: tuple[Agent, ...] = (self.fix, self.explain_error, self.command, self.manual)
        return tuple(
            DeclaredAgent(name, says, agent, _LONGEST if agent is self.command else PREVIEW_SECONDS)
            for (name, says), agent in zip(DESCRIPTIONS.items(), agents, strict=True)
        )

    def warm(self) -> None:
        """Read and reckon what the first answers would otherwise wait for."""
        load_hints()
        _ = self.installed.commands
        _ = self.fix.recipes.subcommands
        self.command.warm()


def make_advisers(environment: Mapping[str, str], rank: Rank | None = None, folder: Path | None = None) -> Advisers:
    """Make the agents, by what is installed; `folder` is where vectors of texts are kept."""
    installed, recipes = look_up_installed(environment), load_recipes()
    command = Command(installed, recipes, rank, folder)
    return Advisers(
        installed, Fix(installed, recipes, packaged()), ExplainError(installed), command, Manual(installed, recipes)
    )
