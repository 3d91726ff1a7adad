"""What is said at a terminal: suggestions under a command, answers that were asked for, and why there are none.

Commands and names come from programs and manual pages: they are data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catalog.wording.agents import agent_name
from catalog.wording.grammar import capitalize, clean, listing, quote

_LINE = 300


def answer(agent: str, text: str, command: str) -> list[str]:
    first, *rest = [line.rstrip()[:_LINE] for line in text.split("\n")] or [""]
    if command:
        return [f"{agent_name(agent)}: {command}", *(f"  {line}" for line in (first, *rest) if line)]
    return [f"{agent_name(agent)}: {first}", *(f"  {line}" for line in rest)]


KEYS = "  Alt-A puts it on the line, Alt-Z turns it down."


NOTHING_RUN = "Nothing was run yet. Write a command or a question after clai."


def nobody_answers(agent: str | None, known: Sequence[str]) -> str:
    if agent is None:
        return "No agent has an answer to that."
    if agent not in known:
        return f"There is no agent {clean(agent)}. There are: {listing(tuple(agent_name(one) for one in known))}."
    return f"{agent_name(agent)} has no answer to that."


NEVER_SUGGESTED = "what it suggested can do great harm, and is never suggested"


ALREADY_INSIDE = "This shell is wrapped already. Leave it with exit before you start another one."


def welcome(shell: str, wide: bool, columns: int) -> str:
    """Say what was started; `columns` is how many a suggestion needs."""
    told = f"planglass: your {shell}, with agents. clai COMMAND asks them; exit leaves.\n"
    if not wide:
        told += f"planglass: the window is narrower than {columns} columns: only answers to clai are shown.\n"
    return told


def mistyped(wrong: str, right: str) -> str:
    return f"{quote(wrong)} is not known here, {quote(right)} is."


_REASONS: Mapping[str, str] = {
    "proposed": "The program itself proposes {}.",
    "prompt": "{} is a prompt, and no part of the command.",
    "signs": "Dashes, quotes or spaces only look like those that the shell reads.",
    "twice": "{} stands there twice.",
    "here": "{} is no command; there is a file of that name here.",
    "order": "The program reads these words in the other order.",
    "root": "The program is not to be run as the administrator.",
}


def mended(reason: str, what: str = "") -> str:
    return _REASONS[reason].format(quote(what))


def near_name(word: str, names: Sequence[str]) -> str:
    return f"There is no {quote(word)}. Most like it: {listing(tuple(quote(name) for name in names))}."


def explain(name: str) -> str:
    """Say what `manual` would do."""
    return f"Explain {clean(name)}."


def from_manual(name: str) -> str:
    return f"from the manual page of {clean(name)}"


def no_manual(name: str) -> str:
    return f"{clean(name)}: there is no manual page of it here. From the recipes:"


def recipe(says: str, open_slots: Sequence[str]) -> str:
    told = f"{clean(capitalize(says))}."
    if open_slots:
        told += f" Replace {listing(tuple(dict.fromkeys(open_slots)))}."
    return told


def not_kept(reason: str) -> str:
    return f"planglass: nothing of this session is kept: {clean(reason, _LINE)}"


def name_is_taken(name: str) -> str:
    return f"planglass: {clean(name)} was dropped in, but the shell has an agent of that name: it is left out."


def deleted(session: str) -> str:
    return f"The session {clean(session)} is deleted."


NO_SESSIONS = "No sessions are kept."


def come_with_it(names: Sequence[str]) -> str:
    return f"Recorded ones that come with it: {', '.join(names)}."


def moment(stage: str, text: str, orchestrator: str, agents: Sequence[str], reaction: str) -> str:
    who = listing(tuple(agent_name(agent) for agent in agents)) if agents else "no agent"
    became = f" ({reaction})" if reaction else ""
    return f"{stage:<6} {quote(text)}  {orchestrator}: {who}{became}"


def would_act(orchestrator: str, agents: Sequence[str]) -> str:
    who = listing(tuple(agent_name(agent) for agent in agents)) if agents else "no agent"
    return f"       {orchestrator} would choose {who}"
