"""`fix`: a mistyped command, subcommand or option becomes the one that is installed and most like it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rapidfuzz import process
from rapidfuzz.distance import OSA

from dialogue.agents.agent import Proposal
from dialogue.agents.model import AgentEvent, AgentReply, ProposedAction, Stage
from dialogue.agents.terminal.advisers.errors import packaged
from dialogue.agents.terminal.advisers.installed import Installed
from dialogue.agents.terminal.advisers.recipes import Recipes
from dialogue.agents.terminal.advisers.vocabulary import ASKED, COMMAND, NOT_FOUND, UNKNOWN
from dialogue.agents.terminal.calls import function_words, is_question
from dialogue.agents.terminal.danger import danger_in
from language.responses.agents import terminal as words

_LEAST = 0.5
"""How alike, of 1, a name must be to what was typed."""
_BONUS = 0.12
"""What it is worth each that a name is a common one, begins with the same letter, or has the same letters."""
_SURE = 0.96
_OTHERWISE = 0.5
"""What is left of confidence where the line reads as English, or names a program that could be installed."""
_WORD = re.compile(r"^\s*((?:sudo|env|nohup|time|command|exec)\s+)*([\w.+-]+)")
_OPTION = re.compile(
    r"(?:unrecognized|unknown|invalid|illegal|unexpected) (?:option|argument|switch)s?:?(?: --)?\s*[‘'`\"]?"
    r"(?P<it>-{0,2}[\w-]+)"
)
_SUBCOMMAND = re.compile(
    r"[‘'`\"](?P<it>[\w-]+)[’'`\"] is not (?:a|an) .{0,20}command|Unknown command (?:verb )?(?P<third>[\w-]+)"
    r"|(?:unknown|invalid|no such) (?:command|operation|verb|choice):?(?: verb)?\s*[‘'`\"]?(?P<other>[\w-]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Fix:
    """The agent; `common` commands are taken first among names that are equally like what was typed."""

    installed: Installed
    recipes: Recipes

    def preview(self, event: AgentEvent) -> Proposal | None:
        """Propose the line with one word changed."""
        found = self._mend(event)
        if found is None:
            return None
        wrong, right, sure = found
        line = re.sub(rf"(?<![\w-]){re.escape(wrong)}(?![\w-])", lambda _: right, event.text, count=1)
        if line == event.text or danger_in(line):
            return None
        action = ProposedAction(text=line, description=words.mistyped(wrong, right), outputs=(COMMAND,))
        return Proposal(confidence=round(sure, 3), actions=(action,))

    def execute(self, event: AgentEvent, actions: Sequence[ProposedAction]) -> AgentReply:
        """Say what was mistyped."""
        return AgentReply(text="\n".join(action.description for action in actions), actions=tuple(actions))

    def _mend(self, event: AgentEvent) -> tuple[str, str, float] | None:
        """Return the word that is wrong, the right one, and how sure that is."""
        found = _WORD.match(event.text)
        if found is None or "\n" in event.text:
            return None
        name, said = found[2], event.text[found.end() :].split()
        if not self.installed.has(name):
            failed = (
                event.exit_code == NOT_FOUND
                if event.stage is Stage.AFTER
                else bool(event.context.get(UNKNOWN) or event.context.get(ASKED))
            )
            return self._nearest_command(name, event, said) if failed else None
        return self._mend_argument(name, event.output, said) if event.exit_code else None

    def _mend_argument(self, name: str, output: str, said: list[str]) -> tuple[str, str, float] | None:
        subcommands = self.recipes.subcommands.get(name, frozenset())
        if subcommands and (told := _SUBCOMMAND.search(output)):
            wrong = next(part for part in told.groups() if part)
            return _nearest(wrong, subcommands) if wrong in said and wrong not in subcommands else None
        if told := _OPTION.search(output):
            options = [word.split("=")[0] for word in said]
            wrong = next((word for word in options if word.lstrip("-") == told["it"].lstrip("-")), "")
            if wrong.startswith("--"):
                return _nearest(wrong, options_of(self.installed.page(name) or ""))
        return None

    def _nearest_command(self, name: str, event: AgentEvent, arguments: list[str]) -> tuple[str, str, float] | None:
        known = self.installed.commands | self.installed.builtins
        found = _nearest(name, known, self.recipes.commands)
        first = arguments[0] if arguments else ""
        for command, subcommands in self.recipes.subcommands.items():
            if first in subcommands and self.installed.has(command) and sorted(name) == sorted(command):
                found = name, command, _SURE
        if found is None:
            return None
        if name in packaged():
            return None if event.stage is Stage.BEFORE else (*found[:2], found[2] * _OTHERWISE)
        english = is_question(event.text) or function_words(event.text) > 0
        return (*found[:2], found[2] * _OTHERWISE) if english else found


def _nearest(wrong: str, known: Collection[str], common: Collection[str] = ()) -> tuple[str, str, float] | None:
    """Return what was typed, the name that is most like it, and how sure that is."""
    most = 1 if len(wrong) <= 4 else 2 if len(wrong) <= 8 else 3
    scored = []
    for name, alike, _ in process.extract(
        wrong, known, scorer=OSA.normalized_similarity, score_cutoff=_LEAST, limit=50
    ):
        anagram = sorted(wrong) == sorted(name)
        if OSA.distance(wrong, name) <= most + anagram:
            bonus = _BONUS * ((name in common) + (wrong[0] == name[0]) + anagram)
            scored.append((min(_SURE, alike + bonus), bonus, anagram, name))
    if not scored:
        return None
    scored.sort(key=lambda one: (-one[0], -one[1], not one[2], one[3]))
    sure, *_, name = scored[0]
    rivals = sum(other >= sure for other, *_ in scored[1:])
    return wrong, name, max(_LEAST * _OTHERWISE, sure - _BONUS * min(2, rivals))


def options_of(page: str) -> frozenset[str]:
    """Return the long options that a manual page names."""
    return frozenset(re.findall(r"(?<![\w-])--[a-z][\w-]+", page.replace("‐", "-").replace("−", "-")))
