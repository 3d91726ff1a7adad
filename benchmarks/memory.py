"""Memory: what the dashboard's server and its processes hold, before and after a first conversation with the bank.

    python -m benchmarks.memory

The conversation is a loan with its decision and the chart of a year's spending, in a real browser. What is resident
(RSS) counts; beside it stands what a process alone holds and its part of what others hold as well (PSS), which is less
where other programs on the machine use the same libraries. Prints a table for benchmarks/README.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

import psutil

from catalog.demos.banking.personas import ANN
from tests.pages.screen import Screen, open_dashboard

GOAL_MB = 400.0
"""What the server may hold after a first conversation."""
SETTLED_MS = 15_000
"""Milliseconds for what is made ready in the background."""


def measure(server: int) -> dict[str, tuple[float, float]]:
    """Return RSS and PSS in MB of the server, and of all processes that it has started."""
    started = psutil.Process(server).children(recursive=True)
    return {"server": _held([server]), "skills": _held([one.pid for one in started])}


def _held(pids: list[int]) -> tuple[float, float]:
    lines = [line.split() for pid in pids for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()]
    rss, pss = (sum(int(line[1]) for line in lines if line[0] == name) / 1000 for name in ("Rss:", "Pss:"))
    return rss, pss


def main() -> int:
    """Measure, and print what was measured; return 1 if the server holds more than it may."""
    with open_dashboard() as (server, browser):
        screen = Screen(browser.new_context(viewport={"width": 1380, "height": 860}).new_page(), server.url)
        screen.open()
        screen.page.wait_for_timeout(SETTLED_MS)
        found = {"page opened": measure(server.process.pid)}
        screen.say("Hi, I'd like a loan of $12,000")
        screen.say(ANN.customer.email)
        screen.press("Yes")
        screen.say(ANN.ssn)
        screen.say("Show me my spending")
        screen.page.wait_for_timeout(SETTLED_MS)
        found["after the conversation"] = measure(server.process.pid)
    print("| MB: RSS (PSS) | server | processes of skills |\n|---|--:|--:|")
    for when, one in found.items():
        print(f"| {when} | " + " | ".join(f"{rss:.0f} ({pss:.0f})" for rss, pss in one.values()) + " |")
    return int(found["after the conversation"]["server"][0] > GOAL_MB)


if __name__ == "__main__":
    sys.exit(main())
