"""What a line is: a command, English, or a call of an agent as CLAI has it.

`clai COMMAND` asks all agents, `clai "AGENT" COMMAND` one, and `clai` alone asks about what was run last.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dialogue.agents.model import Forced

DESCRIPTIONS: Mapping[str, str] = {
    "fix": "Corrects a mistyped command, subcommand or option by what is installed.",
    "explain-error": "Says what a failed command's error means, and what helps.",
    "command": "Turns a question in English into a command.",
    "manual": "Explains a command and its options from its manual page.",
}
"""The agents that come with the shell, by the names that they are called by."""
TERMINAL_LEARNER = "terminal"
"""Who learns at terminals: the person at those of this data directory."""
_CALL = re.compile(
    r"""\s*clai(?=\s|$)\s*(?:(?P<quote>["'])(?P<agent>[^"']{1,80})(?P=quote)\s*)?(?P<text>.*)""", re.DOTALL
)


@dataclass(frozen=True)
class Call:
    """An answer was asked for, about this text: of any agent, or of one. Without a text, about what was run last."""

    text: str
    forced: Forced


def read_call(line: str) -> Call | None:
    """Read a line that asks for an answer; None: it does not."""
    found = _CALL.fullmatch(line)
    if found is None:
        return None
    agent = found["agent"]
    return Call(found["text"].strip(), Forced(agent=agent.strip() or None if agent else None))


_QUESTION = re.compile(
    r"^\s*(?:how|what|where|which|who|when|why|is|are|can|could|show me|tell me|i want|i need|please)\s.*\w\s+\w"
    r"|\?\s*$",
    re.IGNORECASE,
)
_FUNCTION_WORDS = frozenset(
    "a an the all any my me this that these those of in on from with for by to at is are do does did can i how what"
    " where which who than larger bigger smaller older newer called named many much into last first every each and"
    " or".split()
)
_NO_ENGLISH = re.compile(r"(?:^|\s)-{1,2}\w|[|&;<>$`(){}\\=*\n]")


def function_words(line: str) -> int:
    """Return how many words of a line, but the first, only hold English sentences together."""
    return sum(word in _FUNCTION_WORDS for word in line.lower().strip("?!. ").split()[1:])


def is_function_word(word: str) -> bool:
    """Return whether a word only holds English sentences together."""
    return word in _FUNCTION_WORDS


def is_question(line: str) -> bool:
    """Return whether a line begins or ends as a question does."""
    return _QUESTION.search(line) is not None


def reads_as_english(line: str) -> bool:
    """Return whether a line reads as English rather than as a command: by its words alone."""
    return not _NO_ENGLISH.search(line) and len(line.split()) >= 4 and function_words(line) >= 2
