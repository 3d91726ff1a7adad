"""The wrapped shell as a whole: its pseudo-terminal, its relay, and the session beside it."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path

import psutil
from pydantic import JsonValue
from rapidfuzz.distance import OSA

from dialogue.agents.model import Stage
from dialogue.agents.terminal.advisers.vocabulary import HERE, NEAR, NOT_FOUND, RUNS
from dialogue.agents.terminal.calls import stages_of
from dialogue.agents.terminal.session import Learning, ShellParticipants, ShellRecord, Switch, TerminalSession
from dialogue.agents.terminal.wrapped.hooks import INSIDE, UnusableShell, launch
from dialogue.agents.terminal.wrapped.pseudo_terminal import (
    Mailbox,
    TerminalEnds,
    attend,
    columns_of,
    require_terminal,
    start_shell,
    surface_of,
)
from dialogue.agents.terminal.wrapped.relay import NARROWEST, Relay
from language.responses.agents import terminal as words

_MOST_NAMES = 2_000
_NEAR = 3
_WORDS = 12


def folder_of(pid: int) -> Path | None:
    """Return the folder that a process is in; None where that cannot be found out."""
    try:
        return Path(psutil.Process(pid).cwd())
    except (psutil.Error, OSError):
        return None


def near_names(line: str, folder: Path) -> dict[str, list[str]]:
    """Return, for each word that names a file (of git also a branch) that is not there, those most like it."""
    stages = stages_of(line)
    branches = _branches(folder) if any(stage[0].text == "git" for stage in stages) else []
    found: dict[str, list[str]] = {}
    for head, word in [(stage[0].text, word.text) for stage in stages for word in stage[1:]][:_WORDS]:
        if not word.startswith("-") and len(word) < 200:
            alike = _near(word, folder) or _alike(word, branches)
            runs = [end for end, programs in RUNS.items() if head in programs and "." not in word]
            found |= {word: alike} if alike and all(alike[0].endswith(end) for end in runs) else {}
    return found


def _near(path: str, folder: Path) -> list[str]:
    """Return a path with its first part that does not exist put right; none where all of it exists."""
    parts, done = path.split("/"), ""
    for at, part in enumerate(parts):
        where = folder / Path(done or ".").expanduser() if done != "/" else Path(done)
        if part not in {"", "~"} and not (where / part).exists():
            rest = "/".join(parts[at + 1 :])
            alike = [name for name in _alike(part, _names(where)) if not rest or (where / name / rest).exists()]
            return ["/".join(filter(None, (f"{done}{name}", rest))) for name in alike]
        done += f"{part}/"
    return []


def _alike(name: str, names: Iterable[str]) -> list[str]:
    """Return the names that could be meant: case, a letter or two, or a missing ending differ, and no figure."""
    scored = []
    stem, end = Path(name.casefold()).stem, Path(name.casefold()).suffix
    for other in names:
        other_stem, other_end = Path(other.casefold()).stem, Path(other.casefold()).suffix
        away, ends = OSA.distance(stem, other_stem), OSA.distance(end, other_end)
        same = {name, other} == {"main", "master"} or (stem == other_stem and (not end or ends < 2))
        near = end == other_end and len(stem) > 3 and away <= max(1, len(stem) // 4)
        if other != name and (same or (near and _figures(stem) == _figures(other_stem))):
            scored.append((away, ends, other))
    found = [other for *_, other in sorted(scored)[:_NEAR]]
    return found if len(scored) < 2 or scored[0][0] or end else []  # of several endings none is likelier


def _figures(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def look_around(pid: int, shell: str, line: str, stage: Stage, exit_code: int | None) -> Mapping[str, JsonValue]:
    """Tell about the surroundings of a command. Files are looked at only after one that failed."""
    told: dict[str, JsonValue] = {"shell": shell}
    failed = exit_code or len(stages_of(line)) > 1  # of a pipe that failed within, the exit code is that of its end
    folder = folder_of(pid) if stage is Stage.AFTER and failed else None
    if folder is not None:
        near = near_names(line, folder) if exit_code != NOT_FOUND else {}
        here = {name: _kind(folder / name) for name in _names(folder) if len(name) > 1 and name in line}
        told |= {NEAR: {word: list(names) for word, names in near.items()}} if near else {}
        told |= {HERE: dict(islice(here.items(), _WORDS))} if here else {}
    return told


def _kind(path: Path) -> str:
    return "folder" if path.is_dir() else "program" if os.access(path, os.X_OK) else "file"


def _branches(folder: Path) -> list[str]:
    git = next((up / ".git" for up in (folder, *folder.parents) if (up / ".git").is_dir()), folder)
    heads, packed = git / "refs" / "heads", git / "packed-refs"
    try:
        told = packed.read_text(encoding="utf-8", errors="replace") if packed.is_file() else ""
        loose = [str(path.relative_to(heads)) for path in islice(heads.rglob("*"), _MOST_NAMES) if path.is_file()]
    except OSError:
        return []
    return [*loose, *(line.partition(" refs/heads/")[2] for line in told.splitlines() if " refs/heads/" in line)]


def _names(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in islice(folder.iterdir(), _MOST_NAMES)]
    except OSError:
        return []


def run_shell(
    shell: str,
    participants: ShellParticipants,
    learning: Learning,
    record: ShellRecord,
    *,
    environment: Mapping[str, str],
    ends: TerminalEnds | None = None,
    switch: Switch | None = None,
) -> int:
    """Wrap a shell until it ends; return its exit code. Raises UnusableShell and NoTerminal."""
    ends = ends or TerminalEnds()
    if INSIDE in environment:
        raise UnusableShell(words.ALREADY_INSIDE)
    require_terminal(ends.source)
    require_terminal(ends.target)
    folder = Path(tempfile.mkdtemp(prefix="planglass-shell-"))
    nonce = secrets.token_hex(16)
    mailbox = Mailbox()
    try:
        start = launch(shell, folder, nonce, environment)
        os.write(ends.target, words.welcome(start.name, columns_of(ends.target) >= NARROWEST, NARROWEST).encode())
        child = start_shell(start, environment, ends.source)
        try:
            around = partial(look_around, child.pid, start.name)
            session = TerminalSession(
                participants,
                learning,
                record,
                reply=mailbox.post,
                surroundings=around,
                shell=start.name,
                edits=start.edits,
                switch=switch,
            )
            relay = Relay(nonce, session, surface_of(child, ends.source, folder / "put"), edits=start.edits)
            code = attend(child, relay, mailbox, ends)
            session.close(code)
        finally:
            os.close(child.terminal)
        return code
    finally:
        mailbox.close()
        shutil.rmtree(folder, ignore_errors=True)
