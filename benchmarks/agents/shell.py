"""What `planglass shell` adds from Enter to the shell, with ten agents on, against the same shell by itself.

    python -m benchmarks.agents.shell [--commands 300]

Both shells run at once, each in a pseudo-terminal of its own, and are given the same commands in turns, so that what
else the machine does falls on both. Measured is the time from Enter until the command's first output, in ms.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pexpect

from dialogue.agents.learning.learner import Learner
from dialogue.agents.orchestrators import ORCHESTRATORS, OrchestratorOptions
from dialogue.agents.terminal.advisers import make_advisers
from dialogue.agents.terminal.calls import TERMINAL_LEARNER
from dialogue.agents.terminal.session import ShellParticipants
from dialogue.agents.terminal.sessions import KeptSession
from dialogue.agents.terminal.wrapper import run_shell
from dialogue.cli.shell import ShellLearning
from dialogue.log.stores import embedded_url, open_store

ROOT = Path(__file__).resolve().parents[2]
AGENTS = 10
LIMIT_MS = 30.0
PROMPT = "ready> "
WARM_SECONDS = 12
COMMANDS = (
    "echo mark{n}",
    "ls notes.txt; echo mark{n}",
    "grep -n word notes.txt | sort; echo mark{n}",
    "cd .; echo mark{n}",
    "cat notes.txt notes.txt | wc -l && echo mark{n}",
    'for x in one two; do echo "$x"; done; echo mark{n}',
)


def serve(orchestrator: str) -> int:
    """Run the wrapped shell that is measured: with the agents there are, under several names, and a store on disk."""
    advisers = make_advisers(os.environ)
    Thread(target=advisers.warm, daemon=True).start()
    agents = tuple(
        replace(agent, name=f"{agent.name}-{number}") for number in range(AGENTS) for agent in advisers.declared
    )[:AGENTS]
    chooses = ORCHESTRATORS[orchestrator](OrchestratorOptions())
    home = Path(os.environ["PLANGLASS_HOME"])
    home.mkdir(exist_ok=True)
    store = open_store(embedded_url(home))
    session = KeptSession("measured", store, lambda: datetime.now(UTC))
    learned = ShellLearning(chooses, "", Learner(TERMINAL_LEARNER, store, lambda: datetime.now(UTC), home), session.id)
    return run_shell("bash", ShellParticipants(agents, chooses), learned, session, environment=os.environ)


class Measured:
    """A shell in a pseudo-terminal."""

    def __init__(self, program: str, arguments: Sequence[str], home: Path) -> None:
        environment = {
            **os.environ,
            "HOME": str(home),
            "PLANGLASS_HOME": str(home / "data"),
            "TERM": "xterm",
            "PYTHONPATH": str(ROOT),
        }
        self._child = pexpect.spawn(program, list(arguments), env=environment, cwd=str(home), timeout=60)
        self._child.delaybeforesend = None
        self._child.expect_exact(PROMPT)

    def run(self, command: str, mark: str) -> float:
        """Type a command, and return the milliseconds from Enter until its output."""
        self._child.send(command)
        self._child.expect_exact(command[-4:])
        time.sleep(0.02)  # the echo is over, the machine is at rest
        start = time.perf_counter()
        self._child.send("\r")
        self._child.expect(f"[\r\n]{mark}\r\n")
        took = (time.perf_counter() - start) * 1_000
        self._child.expect_exact(PROMPT)
        time.sleep(0.02)
        return took

    def close(self) -> None:
        """End the shell."""
        self._child.send("exit\r")
        self._child.expect(pexpect.EOF)
        self._child.close()


def measure(commands: int, orchestrator: str) -> tuple[list[float], list[float]]:
    """Return the times of the shell by itself, and of the wrapped one."""
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        (home / ".bashrc").write_text(f"PS1='{PROMPT}'\n")
        (home / "notes.txt").write_text("a word\nand another word\n" * 50)
        bash = shutil.which("bash") or "bash"
        serving = [sys.executable, "-m", "benchmarks.agents.shell", "--serve", "--orchestrator", orchestrator]
        wrapped = Measured(serving[0], serving[1:], home)
        plain = Measured(bash, ["--rcfile", str(home / ".bashrc"), "-i"], home)
        time.sleep(WARM_SECONDS)
        alone: list[float] = []
        with_agents: list[float] = []
        for number in range(commands + len(COMMANDS)):
            command = COMMANDS[number % len(COMMANDS)].replace("{n}", str(1000 + number))
            mark = f"mark{1000 + number}"
            times = [(alone, plain.run(command, mark)), (with_agents, wrapped.run(command, mark))]
            if number >= len(COMMANDS):  # the first of each are for warming up
                for found, took in times:
                    found.append(took)
        plain.close()
        wrapped.close()
        return alone, with_agents


def percentile(times: Sequence[float], share: float) -> float:
    """Return the time that this share of all is not above."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def main() -> int:
    """Measure, and print a table; 1 where the limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", type=int, default=300)
    parser.add_argument("--orchestrator", choices=list(ORCHESTRATORS), default="max")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options.orchestrator)
    alone, with_agents = measure(options.commands, options.orchestrator)
    print("| ms from Enter to output | p50 | p95 | p99 |")
    print("|---|--:|--:|--:|")
    for name, times in (("bash", alone), (f"with {AGENTS} agents, {options.orchestrator}", with_agents)):
        cells = [statistics.median(times), percentile(times, 0.95), percentile(times, 0.99)]
        print(f"| {name} | {' | '.join(f'{cell:.1f}' for cell in cells)} |")
    added = percentile(with_agents, 0.95) - percentile(alone, 0.95)
    print(f"\np95 adds {added:.1f} ms; the limit is {LIMIT_MS:.0f} ms.")
    return int(added > LIMIT_MS)


if __name__ == "__main__":
    sys.exit(main())
