"""Record the terminal sessions that come with the product: real shells, real agents, in a made-up home.

    python -m scripts.terminal_sessions [NAME …]

Each session is typed by a script into `planglass shell` in a pseudo-terminal, in a folder and under a name that are
made up, and written to `dialogue/agents/terminal/recorded/`. What depends on this machine is told, and not written.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pexpect

from dialogue.agents.terminal.advisers import make_advisers
from dialogue.agents.terminal.sessions import read_lines, write_lines
from dialogue.log.streams import Entry, Event

ROOT = Path(__file__).resolve().parent.parent
RECORDED = ROOT / "dialogue" / "agents" / "terminal" / "recorded"
GIT, TAR = shutil.which("git") or "git", shutil.which("tar") or "tar"
PROMPT = "ada:~/work$ "
PERSON = {"NAME": "Ada", "EMAIL": "ada@example.org"}
WARM_SECONDS = 8
"""Until the agents have read what they know."""
TAKE, DROP = "\x1ba", "\x1bz"
BEGIN = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Script:
    """A session: its shell, who chooses, and what is typed; TAKE and DROP are keys, the rest are lines."""

    typed: Sequence[str]
    runs: str = "bash"
    orchestrator: str = "max"


SCRIPTS = {
    "slips-of-the-pen": Script(
        ("pwd", "gti status", TAKE, "git stauts", TAKE, "grpe -n report notes.txt", TAKE, "ls --recusive", TAKE, "exit")
    ),
    "questions-in-english": Script(
        (
            "how much disk space is left?",
            DROP,
            "how many lines are in notes.txt?",
            TAKE,
            "find all files larger than 1 MB",
            TAKE,
            "unpack photos.tar.gz",
            TAKE,
            "ls photos",
            "exit",
        )
    ),
    "errors-explained": Script(
        ("cat notse.txt", TAKE, "./run.sh", TAKE, "./run.sh", "mkdir a/b/c", TAKE, "cat photos-old", "exit")
    ),
    "asked-for-by-name": Script(
        ("clai tar -xzf photos.tar.gz", 'clai "manual" grep -rn report .', 'clai "fix" ls', "clai ls -la", "exit")
    ),
    "turned-down": Script(
        ("gti status", DROP, "gti status", DROP, "grpe report notes.txt", DROP, "ls", "gti status", "ls", "exit"),
        orchestrator="threshold",
    ),
    "with-thresholds-that-learn": Script(
        (
            "gti log",
            TAKE,
            "gti status",
            TAKE,
            "show the last 2 lines of notes.txt",
            TAKE,
            "mkdri plans",
            TAKE,
            "cat notse.txt",
            "ls plans",
            "exit",
        ),
        orchestrator="threshold",
    ),
    "a-bandit-at-work": Script(
        (
            "gti status",
            TAKE,
            "cat notse.txt",
            TAKE,
            "gti log",
            TAKE,
            "how many words are in notes.txt?",
            TAKE,
            "grpe report notes.txt",
            TAKE,
            "cat raedme.md",
            TAKE,
            "gti diff",
            TAKE,
            "exit",
        ),
        orchestrator="bandit",
    ),
    "programs-that-fail": Script(
        (
            "python3 report.py",
            "python3 -c 'import yaml_missing'",
            "sort --numbr notes.txt",
            "cp photos-old backup",
            TAKE,
            "rmdir photos-old",
            "exit",
        )
    ),
    "first-steps-with-git": Script(
        (
            "mkdir fresh",
            "cd fresh",
            "git status",
            "clai",
            "git init -q",
            "git comit -m first",
            TAKE,
            "git checkout plans",
            TAKE,
            "cd ..",
            "exit",
        )
    ),
    "in-dash": Script(("gti status", "git status", 'clai "manual" ls -l', "cat notse.txt", "exit"), runs="dash"),
    "edited-before-enter": Script(
        (
            "find files larger than 10 MB here",
            TAKE + " -name '*.gz'",
            "count the python files",
            TAKE,
            "gti status",
            TAKE + " --short",
            "exit",
        ),
        orchestrator="s3",
    ),
    "never-suggested": Script(
        (
            "how do i delete everything on the disk?",
            DROP,
            "clai format the disk",
            "clai shut down the machine now",
            "clai show me all passwords of this machine",
            "how do i delete the folder photos-old?",
            TAKE,
            "exit",
        )
    ),
}
"""What is typed in each session."""


def record(script: Script, data: Path) -> str:
    """Record one session; return it as lines. `data` is a data directory in which the agents are ready."""
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary) / "home"
        work = home / "work"
        furnish(work)
        (home / ".bashrc").write_text(f"PS1='{PROMPT}'\n")
        (home / ".dashrc").write_text(f"PS1='{PROMPT}'\n")
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "ENV": str(home / ".dashrc"),
            "TERM": "xterm",
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "PLANGLASS_HOME": str(data),
            "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
            "MANWIDTH": "100",
            **{f"GIT_{who}_{what}": said for who in ("AUTHOR", "COMMITTER") for what, said in PERSON.items()},
        }
        planglass = [sys.executable, "-m", "dialogue.cli.main", "shell"]
        arguments = ["--shell", script.runs, "--orchestrator", script.orchestrator]
        child = pexpect.spawn(
            planglass[0], [*planglass[1:], *arguments], env=environment, cwd=str(work), encoding="utf-8", timeout=60
        )
        child.expect_exact(PROMPT)
        time.sleep(WARM_SECONDS)
        child.delaybeforesend = 0.4  # as a person would
        for line in script.typed:
            type_in(child, line)
        child.expect(pexpect.EOF)
        child.close()
        listed = subprocess.run(
            [*planglass, "--sessions"], env=environment, capture_output=True, text=True, check=True
        ).stdout
        exported = subprocess.run(
            [*planglass, "--export", listed.split()[0]], env=environment, capture_output=True, text=True, check=True
        ).stdout
        return cleaned(exported, temporary)


def type_in(child: pexpect.spawn, line: str) -> None:
    """Type a line, and wait until the shell has its say."""
    if line.startswith(TAKE):
        child.send(TAKE)
        child.expect(r".+")
        line = line.removeprefix(TAKE)
    elif line == DROP:
        child.send(DROP)
        return
    else:
        child.send("\x15")  # what waits on the line goes
    child.send(line)
    if line:
        child.expect_exact(line[-1])
    child.send("\r")
    child.expect("\n")
    if line != "exit":
        child.expect_exact(PROMPT)


def furnish(work: Path) -> None:
    """Lay out what is worked on: a few files, an archive and a repository."""
    (work / "photos-old").mkdir(parents=True)
    (work / "photos-old" / "one.jpg").write_bytes(b"\xff\xd8" + b"0" * 2_000_000)
    (work / "notes.txt").write_text("buy paper\nwrite the report\nsend the report to Grace\n")
    (work / "readme.md").write_text("# Work\n")
    (work / "report.py").write_text("import yaml_reports\n\nprint(yaml_reports)\n")
    (work / "run.sh").write_text("#!/bin/sh\necho it runs\n")
    (work / "run.sh").chmod(0o644)
    photos = work / "photos"
    photos.mkdir()
    (photos / "two.jpg").write_bytes(b"\xff\xd8")
    subprocess.run([TAR, "-czf", "photos.tar.gz", "photos"], cwd=work, check=True)
    shutil.rmtree(photos)
    person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run([GIT, "init", "-q", "-b", "main"], cwd=work, check=True)
    subprocess.run([GIT, "add", "notes.txt", "readme.md"], cwd=work, check=True)
    dated = {**os.environ, "GIT_AUTHOR_DATE": BEGIN.isoformat(), "GIT_COMMITTER_DATE": BEGIN.isoformat()}
    subprocess.run([GIT, *person, "commit", "-q", "-m", "Begin"], cwd=work, check=True, env=dated)


def cleaned(exported: str, temporary: str) -> str:
    """Put a made-up home and time in place of those of this machine. Raises ValueError where something is left."""
    text = exported.replace(f"{temporary}/home", "/home/ada").replace(sys.prefix, "/usr")
    log = read_lines(text.splitlines())
    start = log[0].at
    moved: list[Entry[Event]] = [entry.model_copy(update={"at": BEGIN + (entry.at - start)}) for entry in log]
    text = write_lines(moved)
    names = {os.environ.get("USER", "root"), os.uname().nodename, Path.home().name, "root"} - {""}
    left = [name for name in (temporary, str(ROOT), str(Path.home()) + "/") if name in text]
    left += [name for name in names if re.search(rf"\b{re.escape(name)}\b", text)]
    if left:
        raise ValueError(f"Something of this machine is left: {left}")
    return text


def main(names: Sequence[str]) -> None:
    """Record the named sessions, or all."""
    RECORDED.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        make_advisers(os.environ, folder=Path(data) / "cache").warm()
        for name in names or SCRIPTS:
            shutil.rmtree(Path(data) / "orchestrators", ignore_errors=True)
            Path(data, "sessions.db").unlink(missing_ok=True)
            lines = record(SCRIPTS[name], Path(data))
            (RECORDED / f"{name}.jsonl").write_text(lines, encoding="utf-8")
            print(f"{name}: {lines.count(chr(10))} events", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
