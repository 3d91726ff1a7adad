"""What bad skills cost others: their turns beside ten conversations that call a bad skill, and without them.

    python -m benchmarks.bad_skills [--rounds 3] [--bad 10] [--deeds hangs spins …] [--write]

The others play the demo's conversation of `benchmarks.turns`, with its skills in this process. Rounds with and without
bad skills alternate, and the ratio of the median turns is held against the goal of 1.5. Of each bad call, the log has
to say that it failed. Prints a table, which `--write` puts into benchmarks/README.md; the exit code is 1 where
something missed its goal.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import median

from benchmarks.bad_skills.skills import DEEDS
from benchmarks.planning.__main__ import put_between
from benchmarks.turns import TimedStore, play
from catalog.load import load, loads
from dialogue.log.events import Failed
from dialogue.services import Services
from dialogue.settings import Configuration, Settings

GOAL = 1.5
LIMIT_S = 8.0
BEGIN = "<!-- begin bad skills: written by `python -m benchmarks.bad_skills --write` -->"
END = "<!-- end bad skills -->"
ALLOWED = ("catalog.demos", "benchmarks.bad_skills.skills")
CATALOG = {
    "name": "bad",
    "facts": {
        "deed": {"label": "deed", "ask": "Which deed?", "value": {"kind": "choice", "options": list(DEEDS)}},
        "news": {"label": "news", "askable": False},
    },
    "skills": {
        "bad": {
            "endpoint": "python:benchmarks.bad_skills.skills:act",
            "timeout_s": LIMIT_S,
            "modes": {"m": {"inputs": ["deed"], "outcomes": {"done": ["news"]}}},
        }
    },
    "goals": {"news": {"label": "the news", "facts": ["news"], "examples": ["get me the news"]}},
}


def measure(services: Services, store: TimedStore, deed: str, rounds: int, bad: int) -> tuple[float, float, int, int]:
    """Return the median turn of others in ms without and with bad calls, calls that failed, and calls that did not."""
    alone, beside, failed, other = [], [], 0, 0
    for _ in range(rounds):
        alone += [whole for whole, _, _ in play(services, store)]
        sessions = [services.start("bad") for _ in range(bad)]
        for session in sessions:
            services.say(session, "get me the news")
        for session in sessions:
            services.wait(session, 60)
            services.say(session, deed)
        time.sleep(3.0)  # their processes have started: they are at it
        beside += [whole for whole, _, _ in play(services, store)]
        for session in sessions:
            services.wait(session, 4 * LIMIT_S)
            ends = [one.event for one in services.snapshot(session).log if one.event.kind in ("failed", "ran")]
            failed += sum(isinstance(one, Failed) for one in ends)
            other += sum(not isinstance(one, Failed) for one in ends) + (not ends)
    return median(alone), median(beside), failed, other


def main(given: Sequence[str] | None = None) -> int:
    """Measure, print, and return how many deeds missed the goal."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--bad", type=int, default=10)
    parser.add_argument("--deeds", nargs="+", choices=DEEDS, default=list(DEEDS))
    parser.add_argument("--write", action="store_true", help="write the table into benchmarks/README.md")
    chosen = parser.parse_args(given)
    missed = 0
    lines = [
        f"Measured on {datetime.now(UTC):%Y-%m-%d}, load {os.getloadavg()[0]:.1f} at the start; "
        f"{chosen.rounds} rounds with {chosen.bad} bad skills each.",
        "",
        "| skills that … | turns of others alone, ms | beside them, ms | × | calls that failed | that did not |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        home = os.environ["BAD_SKILLS_HOME"] = folder
        store = TimedStore(Path(home) / "sessions.db")
        settings = Settings(home=Path(home), skill_variables=("BAD_SKILLS_HOME",))
        services = Services(
            store,
            {"banking": load("banking"), "bad": loads(json.dumps(CATALOG))},
            configuration=Configuration(settings),
            allowed=ALLOWED,
            today=date(2026, 11, 21),
        )
        services.warm("banking").result()
        services.warm("bad").result()
        play(services, store)
        print("\n".join(lines))
        for deed in chosen.deeds:
            alone, beside, failed, other = measure(services, store, deed, chosen.rounds, chosen.bad)
            bad = beside > GOAL * alone or failed != chosen.rounds * chosen.bad or other
            missed += bool(bad)
            mark = " **missed**" if bad else ""
            lines.append(f"| {deed} | {alone:.1f} | {beside:.1f} | {beside / alone:.2f}{mark} | {failed} | {other} |")
            print(lines[-1], flush=True)
        services.close()
    if chosen.write:
        put_between(BEGIN, END, lines)
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main())
