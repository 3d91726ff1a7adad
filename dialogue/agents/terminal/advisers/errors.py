"""`explain-error`: a failed command's error is explained by a declared list of hints, with a command that helps."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from dialogue.agents.agent import Proposal
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction, Stage
from dialogue.agents.terminal.advisers.installed import Installed
from dialogue.agents.terminal.advisers.vocabulary import COMMAND, NEAR
from dialogue.agents.terminal.calls import has_failed, put_in, stages_of
from dialogue.agents.terminal.danger import danger_in
from language.responses.agents import terminal as words

_SURE, _EXPLAINED = 0.72, 0.55
"""Confidence in a hint with a command, and in one that only explains."""
_NEAR_NAME = 0.85
_LONGEST = 6_000


@dataclass(frozen=True)
class Hint:
    """What to say where an output, and perhaps a command, matches; `{name}` stands for a group of the patterns."""

    output: re.Pattern[str]
    says: str
    command: str = ""
    line: re.Pattern[str] | None = None
    exit_code: int | None = None
    packages: Mapping[str, str] | None = None
    """Where given, the group `it` is looked up here, and the hint is for what is found only."""


@lru_cache(maxsize=1)
def _declared() -> dict[str, Any]:
    declared: dict[str, Any] = yaml.safe_load((files(__package__) / "hints.yaml").read_text(encoding="utf-8"))
    return declared


def packaged() -> Mapping[str, str]:
    programs: Mapping[str, str] = _declared()["packages"]["programs"]
    return programs


@lru_cache(maxsize=1)
def load_hints() -> tuple[Hint, ...]:
    """Read the declared hints, in their order; the first that fits is taken."""
    declared = _declared()
    lists = declared["packages"]
    return tuple(
        Hint(
            output=re.compile(one["output"], re.IGNORECASE | re.MULTILINE),
            says=one["says"],
            command=one.get("command", ""),
            line=re.compile(one["line"]) if "line" in one else None,
            exit_code=one.get("exit_code"),
            packages=lists[one["packages"]] if "packages" in one else None,
        )
        for one in declared["hints"]
    )


@dataclass(frozen=True)
class ExplainError:
    installed: Installed

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Propose what the first fitting hint says; a name near a missing one goes first."""
        if event.stage is not Stage.AFTER or not has_failed(event.text, event.output, event.exit_code):
            return None
        near = self._near(event)
        if near is not None:
            return near
        output = event.output[-_LONGEST:]
        for hint in load_hints():
            values = _match(hint, event, output)
            if values is not None:
                return self._propose(hint, values, event.text)
        return None

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        return AgentReply(text="\n".join(action.description for action in actions), actions=tuple(actions))

    def _near(self, event: AgentEvent) -> Proposal | None:
        near = event.context.get(NEAR)
        if not isinstance(near, Mapping) or not re.search(
            r"no such file|not found|cannot (?:access|open|stat)|did not match|invalid reference|not something we can",
            event.output,
            re.I,
        ):
            return None
        for word in (word for stage in stages_of(event.text) for word in stage[1:]):
            names = near.get(word.text)
            if isinstance(names, list) and names and word.text in event.output:
                line = put_in(event.text, word, _quoted(str(names[0])))
                if not danger_in(line):
                    says = words.near_name(word.text, [str(name) for name in names])
                    action = ProposedAction(text=line, description=says, outputs=(COMMAND,))
                    return Proposal(confidence=_NEAR_NAME, actions=(action,))
        return None

    def _propose(self, hint: Hint, values: Mapping[str, str], line: str) -> Proposal:
        # What the line has stays as it was typed; what an output names is data, and put in quotes.
        typed = set(hint.line.groupindex if hint.line is not None else ()) | {"line", "program"}
        said = {name: value if name in typed else shlex.quote(value) for name, value in values.items()}
        command = hint.command.format_map(said)
        command = command if self.installed.has("sudo") else command.removeprefix("sudo ")
        program = command.removeprefix("sudo ").split(" ")[0]
        usable = command not in {"", line} and self.installed.has(program) and not danger_in(command)
        says = hint.says.format_map(values)
        action = ProposedAction(
            text=command if usable else says, description=says, outputs=(COMMAND,) if usable else ()
        )
        return Proposal(confidence=_SURE if usable else _EXPLAINED, actions=(action,))


def _match(hint: Hint, event: AgentEvent, output: str) -> dict[str, str] | None:
    """Return the groups of a hint's patterns; None: it does not fit."""
    if hint.exit_code is not None and hint.exit_code != event.exit_code:
        return None
    found = hint.output.search(output)
    line = hint.line.search(event.text) if hint.line is not None else None
    if found is None or (hint.line is not None and line is None):
        return None
    heads = [stage[0].text for stage in stages_of(event.text)] or [""]
    program = next((head for head in heads if f"{head}:" in output), heads[0])
    values = {"line": event.text, "program": program}
    for one in (found, line):
        if one is not None:
            values.update({name: value.strip() for name, value in one.groupdict().items() if value})
    if hint.packages is not None:
        package = hint.packages.get(values.get("it", ""))
        if package is None:
            return None
        values["package"] = package
    needed = set(re.findall(r"\{(\w+)\}", hint.says + hint.command))
    return values if needed <= set(values) else None


def _quoted(name: str) -> str:
    """Return the name of a file for a line; a home stays one."""
    return f"~/{shlex.quote(name[2:])}" if name.startswith("~/") else shlex.quote(name)
