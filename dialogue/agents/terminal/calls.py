"""What a line is: a command in stages, English, or a call of an agent as CLAI has it.

`clai COMMAND` asks all agents, `clai "AGENT" COMMAND` one, and `clai` alone asks about what was run last.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from dialogue.agents.model import Forced

DESCRIPTIONS: Mapping[str, str] = {
    "fix": "Mends a refused line by what its program proposes, how it was typed and what is installed.",
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
class AgentCall:
    """An answer was asked for, about this text: of any agent, or of one. Without a text, about what was run last."""

    text: str
    forced: Forced


def read_call(line: str) -> AgentCall | None:
    """Read a line that asks for an answer; None: it does not."""
    found = _CALL.fullmatch(line)
    if found is None:
        return None
    agent = found["agent"]
    return AgentCall(found["text"].strip(), Forced(agent=agent.strip() or None if agent else None))


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
    return _QUESTION.search(line) is not None


def reads_as_english(line: str) -> bool:
    """Return whether a line reads as English rather than as a command: by its words alone."""
    return not _NO_ENGLISH.search(line) and len(line.split()) >= 4 and function_words(line) >= 2


_TOKEN = re.compile(
    r"""(?P<ends>\|\|?|&&|;|\n|[()]|(?<![<>])&(?!>))"""
    r"""|(?P<word>(?:\\.|'[^']*'?|"(?:\\.|[^"\\])*"?|[<>]&|&>|[^\s|&;()\\'"])+)"""
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
WRAPPERS = frozenset("sudo env nohup time command exec nice xargs then do else if while until !".split())
"""Words after which the name of a program is still to come."""
_WITH_VALUE = frozenset({"-u", "-g", "-n", "-I", "-C"})


class LineWord(NamedTuple):
    """A word of a line without its quotes, and from where to where it stands as it was typed."""

    text: str
    start: int
    end: int


def stages_of(line: str) -> list[list[LineWord]]:
    """Split a line into its stages; each begins with the name of a program, without what only leads to it."""
    stages: list[list[LineWord]] = [[]]
    for token in _TOKEN.finditer(line):
        if token["ends"]:
            stages.append([])
        else:
            stages[-1].append(LineWord(_bare(token["word"]), *token.span()))
    return [words for stage in stages if (words := _program_first(stage))]


def program_of(line: str) -> str:
    """Return the program that a line runs first; nothing where there is none."""
    stages = stages_of(line)
    return stages[0][0].text if stages else ""


def has_failed(line: str, output: str, exit_code: int | None) -> bool:
    """Return whether a line failed, or a stage within it, whose exit code the shell does not tell."""
    heads = [stage[0].text for stage in stages_of(line)]
    return bool(exit_code) or (
        len(heads) > 1 and any(re.search(rf"^(?:\w+: )?{re.escape(head)}: ", output, re.MULTILINE) for head in heads)
    )


def put_in(line: str, word: LineWord, text: str) -> str:
    return line[: word.start] + text + line[word.end :]


def _program_first(stage: list[LineWord]) -> list[LineWord]:
    at = 0
    while at < len(stage) and (stage[at].text in WRAPPERS or _ASSIGNMENT.match(stage[at].text)):
        at += 1
        while 0 < at < len(stage) and stage[at].text.startswith("-"):
            at += 2 if stage[at].text in _WITH_VALUE else 1
    return stage[at:]


def _bare(word: str) -> str:
    try:
        return "".join(shlex.split(word, posix=True))
    except ValueError:
        return word.strip("'\"")
