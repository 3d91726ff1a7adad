"""Lines that fail, and what agents at a terminal suggest: `python -m benchmarks.agents.mistakes [--write] [--list]`.

A suggestion is right (a line that mends the mistake), misleading (another line) or not made; an explanation without a
line counts as none. Each line is tried as the shell would: before Enter, and after it failed, among the programs and
files that `mistakes.yaml` names, by the orchestrator `max`.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.planning.__main__ import put_between
from dialogue.agents.agent import Agent, Proposal
from dialogue.agents.model import AgentEvent, Stage
from dialogue.agents.terminal.advisers.errors import ExplainError, packaged
from dialogue.agents.terminal.advisers.fix import Fix
from dialogue.agents.terminal.advisers.installed import Installed
from dialogue.agents.terminal.advisers.recipes import load_recipes
from dialogue.agents.terminal.advisers.vocabulary import COMMAND, UNKNOWN
from dialogue.agents.terminal.wrapper import look_around

FILE = Path(__file__).with_name("mistakes.yaml")
BEGIN = "<!-- begin mistakes: written by `python -m benchmarks.agents.mistakes --write` -->"
END = "<!-- end mistakes -->"
OTHERS = {"own": "other kinds", "second": "a second list"}
"""What stands in the place of a rule, and its label in the table."""
VERDICTS = ("right", "silent", "misleading")


@dataclass(frozen=True)
class Tried:
    """A mistake, what was suggested (nothing: silence), and how that is judged."""

    mistake: Mapping[str, Any]
    suggested: str
    verdict: str


def load_mistakes() -> tuple[frozenset[str], list[dict[str, Any]]]:
    """Load the programs of the machine that is made up, and the mistakes."""
    declared = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return frozenset(declared["programs"].split()), declared["mistakes"]


@contextmanager
def standing_in(mistake: Mapping[str, Any]) -> Iterator[Path]:
    """Stand in a folder with the files and branches of a mistake."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in mistake.get("files", ()):
            path = folder / file.rstrip("*")
            (path if file.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
            if not file.endswith("/"):
                path.touch(0o755 if file.endswith("*") else 0o644)
        for branch in mistake.get("branches", ()):
            (folder / ".git" / "refs" / "heads").mkdir(parents=True, exist_ok=True)
            (folder / ".git" / "refs" / "heads" / branch).touch()
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(before)


def suggest(agents: Sequence[Agent], mistake: Mapping[str, Any]) -> str:
    """Return the line that is suggested, before Enter or after the line failed; nothing where none is."""
    line, output, code = mistake["line"], mistake["output"], mistake["code"]
    context = {UNKNOWN: True} if mistake.get("unknown") else {}
    around = look_around(os.getpid(), "bash", line, Stage.AFTER, code)
    events = (
        AgentEvent(text=line, context=context),
        AgentEvent(text=line, stage=Stage.AFTER, output=output, exit_code=code, context=dict(around)),
    )
    for event in events:
        made = [proposal for agent in agents if (proposal := agent.preview(event)) is not None]
        if made:
            best: Proposal = max(made, key=lambda one: one.confidence)
            if any(COMMAND in action.outputs for action in best.actions):
                return best.actions[0].text
    return ""


def try_all() -> list[Tried]:
    """Try all mistakes."""
    programs, mistakes = load_mistakes()
    recipes, found = load_recipes(), []
    for mistake in mistakes:
        installed = Installed(())
        installed.__dict__["commands"] = programs - set(mistake.get("lacks", ()))
        agents = Fix(installed, recipes, packaged()), ExplainError(installed)
        with standing_in(mistake):
            said = suggest(agents, mistake)
        verdict = "silent" if not said or said in mistake.get("also", ()) else "misleading"
        found.append(Tried(mistake, said, "right" if said in mistake["right"] else verdict))
    return found


def report(found: Sequence[Tried]) -> Iterator[str]:
    """Yield the table of verdicts."""
    rules = {one.mistake["rule"] for one in found} - OTHERS.keys()
    yield "| | lines | right | silent | misleading |"
    yield "|---|--:|--:|--:|--:|"
    for label, kinds in ((f"{len(rules)} rules of thefuck", rules), *((OTHERS[kind], {kind}) for kind in OTHERS)):
        those = [one for one in found if one.mistake["rule"] in kinds]
        count = Counter(one.verdict for one in those)
        yield f"| {label} | {len(those)} | " + " | ".join(str(count[verdict]) for verdict in VERDICTS) + " |"


def main() -> None:
    """Print the table, and with --list each line."""
    parser = argparse.ArgumentParser(description="Try lines that fail.")
    parser.add_argument("--list", action="store_true", help="print each line with what is suggested")
    parser.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    options = parser.parse_args()
    found = try_all()
    for one in found if options.list else ():
        print(f"{one.verdict:<10} {one.mistake['rule']:<30} {one.mistake['line']:<45} {one.suggested}")
    table = list(report(found))
    print("\n".join(table))
    if options.write:
        put_between(BEGIN, END, table)


if __name__ == "__main__":
    main()
