"""`manual`: a command and its options are explained from its manual page, or without one from the recipes."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from dialogue.agents.agent import Proposal
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction, Stage
from dialogue.agents.terminal.advisers.installed import Installed
from dialogue.agents.terminal.advisers.recipes import Recipes
from dialogue.agents.terminal.advisers.vocabulary import ASKED
from dialogue.agents.terminal.calls import stages_of
from language.responses.agents import terminal as words

_ASKED_FOR = 0.05
"""Confidence where any answer was asked for: others may know better. Else there is nothing to offer."""
_MISUSED = 0.45
"""Confidence after a command was used as its manual page does not say."""
_MISUSE = re.compile(
    r"(?:invalid|unrecognized|unknown|illegal) option|missing (?:file )?operand|too (?:few|many) arguments"
    r"|^usage:|try '.*--help'",
    re.IGNORECASE | re.MULTILINE,
)
_MOST_OPTIONS = 8
_SENTENCE = 240


@dataclass(frozen=True)
class Manual:
    installed: Installed
    recipes: Recipes

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Propose to explain the command of the line; the page is not read yet."""
        names = _programs(event.text)
        known = [name for name in names if self.installed.has(name) or name in self.recipes.commands]
        if not known:
            return None
        misused = event.stage is Stage.AFTER and event.exit_code and _MISUSE.search(event.output)
        if not misused and not event.context.get(ASKED):
            return None
        action = ProposedAction(text=words.explain(known[0]), description=words.from_manual(known[0]))
        return Proposal(confidence=_MISUSED if misused else _ASKED_FOR, actions=(action,))

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        lines: list[str] = []
        for name in dict.fromkeys(_programs(event.text)):
            lines += self._explain(name, event.text)
        return AgentReply(text="\n".join(lines), actions=tuple(actions))

    def _explain(self, name: str, line: str) -> list[str]:
        page = self.installed.page(name)
        if page is None:
            used = [recipe for recipe in self.recipes.all if recipe.command.split()[0] == name][:3]
            if not used and not self.installed.has(name):
                return []
            return [words.no_manual(name), *(f"  {recipe.command}: {recipe.says}" for recipe in used)]
        said = summary_of(page)
        lines = [f"{name}: {said}" if said else name]
        for option in options_in(line)[:_MOST_OPTIONS]:
            told = option_in(page, option)
            if told:
                lines.append(f"  {option}: {told}")
        return lines


def _programs(line: str) -> list[str]:
    return [stage[0].text for stage in stages_of(line) if re.fullmatch(r"[\w.+-]+", stage[0].text)]


def options_in(line: str) -> list[str]:
    """Return the options of a line: long ones, single letters, and letters that stand together, one by one."""
    found: list[str] = []
    for word in line.split():
        if re.fullmatch(r"--[\w-]+(?:=.*)?", word):
            found.append(word.split("=")[0])
        elif re.fullmatch(r"-[A-Za-z]{2,}", word):
            found += [word, *(f"-{letter}" for letter in word[1:])]
        elif re.fullmatch(r"-\w(?:\d.*)?", word):
            found.append(word[:2])
    return list(dict.fromkeys(found))


def summary_of(page: str) -> str:
    found = re.search(r"^NAME\s*\n(?P<says>(?:[ \t]+\S.*\n)+)", page, re.MULTILINE)
    said = " ".join(found["says"].split()) if found else ""
    return re.split(r"\s[-–—]+\s", said, maxsplit=1)[-1]


def option_in(page: str, option: str) -> str:
    """Return what a page says of an option; nothing where it does not say."""
    lines = [line.replace("‐", "-").replace("−", "-") for line in page.split("\n")]
    start = re.compile(rf"^\s+(?:--?[^\s,|/]+(?:[ =]\S+)?[,|/]\s*)*{re.escape(option)}(?![\w-])")
    for place, line in enumerate(lines):
        if line.lstrip().startswith("-") and start.match(line):
            return _paragraph(lines, place)
    return ""


def _paragraph(lines: Sequence[str], place: int) -> str:
    """Return the text that belongs to the option at a line: behind it, and on the lines indented deeper."""
    own = len(lines[place]) - len(lines[place].lstrip())
    parts = re.split(r"\s{2,}", lines[place].strip(), maxsplit=1)
    told = parts[1:]
    for line in lines[place + 1 :]:
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            if told:
                break
        elif indent <= own:
            if told or not line.lstrip().startswith("-"):
                break
        else:
            told.append(line.strip())
    return textwrap.shorten(" ".join(told), _SENTENCE, placeholder="…")
