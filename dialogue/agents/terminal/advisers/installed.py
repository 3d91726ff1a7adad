"""What is installed: commands on the path, what shells have built in, and what manual pages say of commands."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

BUILTINS = frozenset(
    ". : [ alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval"
    " exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd"
    " read readonly return set shift shopt source suspend test time times trap true type typeset ulimit umask unalias"
    " unset wait if then else elif fi for while until do done case esac in function select".split()
)
_MANUAL_SECONDS = 5.0
_SUMMARY = re.compile(r"^(?P<name>[^\s(]+)\s*(?:\[[^\]]*\]\s*)?\((?P<section>\w+)\)\s+-\s+(?P<says>.+)$", re.MULTILINE)
_COMMAND_SECTIONS = ("1", "8", "6")
_WIDTH = "100"


@dataclass(frozen=True)
class Installed:
    """What can be run here; `path` are the folders with commands. `manual` is the program that shows manual pages."""

    path: tuple[Path, ...]
    manual: str | None = None
    apropos: str | None = None
    builtins: frozenset[str] = BUILTINS
    _pages: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def commands(self) -> frozenset[str]:
        found: set[str] = set()
        for folder in self.path:
            try:
                with os.scandir(folder) as entries:
                    found.update(entry.name for entry in entries)
            except OSError:
                continue
        return frozenset(found)

    def has(self, name: str) -> bool:
        """Return whether a shell would find a command of this name."""
        return name in self.builtins or name in self.commands

    @cached_property
    def summaries(self) -> Mapping[str, str]:
        """What manual pages say of commands, in one line each; empty where there are none."""
        told = _run([self.apropos, "-s", ",".join(_COMMAND_SECTIONS), "."]) if self.apropos else ""
        found: dict[str, str] = {}
        for page in _SUMMARY.finditer(told):
            if page["section"][0] in _COMMAND_SECTIONS and self.has(page["name"]):
                found.setdefault(page["name"], " ".join(page["says"].split()))
        return found

    def page(self, name: str) -> str | None:
        """Return the manual page of a command as it would be read; None: there is none."""
        if name not in self._pages:
            known = self.manual is not None and re.fullmatch(r"[\w.+\[-]+", name) and not name.startswith("-")
            told = _run([str(self.manual), "-P", "cat", "--", name]) if known else ""
            self._pages[name] = re.sub(r".\x08|\x1b\[[\d;]*m", "", told) or None
        return self._pages[name]


def look_up_installed(environment: Mapping[str, str]) -> Installed:
    """Return what is installed where commands are found by this environment."""
    path = environment.get("PATH", os.defpath)
    folders = tuple(Path(part) for part in dict.fromkeys(path.split(os.pathsep)) if part)
    return Installed(folders, shutil.which("man", path=path), shutil.which("apropos", path=path))


def _run(arguments: list[str]) -> str:
    """Return what a program writes; nothing where it fails, hangs or is not there."""
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "MANWIDTH": _WIDTH, "TERM": "dumb"}
    try:
        done = subprocess.run(  # noqa: S603  # man and apropos, with a checked name
            arguments,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_MANUAL_SECONDS,
            check=False,
            env={**environment, "MANPATH": os.environ["MANPATH"]} if "MANPATH" in os.environ else environment,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
