"""The recipes: commands that answer questions, with slots, and the subcommands of programs that have them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files

SLOT = re.compile(r"@([A-Z]+\d?)@")
_BRANCHING = frozenset("git apt docker systemctl tmux".split())
_MORE: Mapping[str, str] = {
    "git": "bisect cherry-pick checkout clean config describe grep help ls-files mv notes rebase reflog reset rm"
    " shortlog submodule worktree",
    "apt": "autoremove download edit-sources full-upgrade install list purge reinstall remove search show update"
    " upgrade",
    "apt-get": "autoremove build-dep clean dist-upgrade download install purge remove source update upgrade",
    "docker": "attach build commit compose cp create exec export images info inspect kill load login logs network pause"
    " port ps pull push rename restart rm rmi run save start stats stop tag top version volume",
    "systemctl": "cat daemon-reload disable edit enable is-active is-enabled list-timers list-units mask reload restart"
    " show start status stop unmask",
    "pip": "cache check config debug download freeze hash index install list search show uninstall wheel",
    "npm": "audit ci exec init install link list outdated pack publish run start test uninstall update version",
    "cargo": "add bench build check clean clippy doc fmt init install new publish remove run search test update",
    "kubectl": "apply config create describe edit exec explain expose get logs patch rollout run scale top version",
    "dnf": "autoremove check-update clean info install list provides remove search update upgrade",
    "go": "build clean doc env fmt generate get install list mod run test tool version vet work",
    "tmux": "attach detach kill-session list-sessions ls new new-session rename-session source-file split-window",
}
"""Subcommands that no recipe names."""


@dataclass(frozen=True)
class Recipe:
    """A command with slots, what it does, and the same in other words."""

    command: str
    says: str
    phrases: tuple[str, ...] = ()

    @property
    def slots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(SLOT.findall(self.command)))

    @property
    def program(self) -> str:
        return next((word for word in self.command.split() if word not in {"sudo", "nohup"}), "")


@dataclass(frozen=True)
class Recipes:
    all: tuple[Recipe, ...]

    @cached_property
    def commands(self) -> frozenset[str]:
        return frozenset(recipe.program for recipe in self.all if "@" not in recipe.program)

    def uses(self, program: str) -> str:
        """Return the commands of recipes that run a program, one a line."""
        return "\n".join(recipe.command for recipe in self.all if recipe.program == program)

    @cached_property
    def subcommands(self) -> Mapping[str, frozenset[str]]:
        """What may follow the name of a program that does several things, such as git."""
        found = {program: set(names.split()) for program, names in _MORE.items()}
        for recipe in self.all:
            said = recipe.command.removeprefix("sudo ").split()
            if said[0] in _BRANCHING and len(said) > 1 and re.fullmatch(r"[a-z-]+", said[1]):
                found.setdefault(said[0], set()).add(said[1])
        return {program: frozenset(names) for program, names in found.items()}


@lru_cache(maxsize=1)
def load_recipes() -> Recipes:
    lines = (files(__package__) / "recipes.txt").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        if line.strip() and not line.startswith("# "):
            command, says, *phrases = (part.strip() for part in line.split(" :: "))
            found.append(Recipe(command, says, tuple(phrases)))
    return Recipes(tuple(found))
