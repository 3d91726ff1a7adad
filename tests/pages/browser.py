"""Find a browser for the tests, or get one: `make test` runs this before the tests.

In this order: one on the PATH; the system's package of Chromium, where installing it needs no password; Playwright's
own download. If all fail, one line says how to get one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE_S = 600
HOW_TO_GET_ONE = (
    "The tests need a browser and found none. Install Chromium (Debian: sudo apt-get install chromium; elsewhere: "
    ".venv/bin/playwright install --with-deps chromium) and run this again."
)


def find() -> Path | None:
    """Return a browser that starts: the first on the PATH, else Playwright's own."""
    on_path = (Path(found) for found in map(shutil.which, NAMES) if found)
    return next((path for path in (*on_path, *playwrights_own()) if starts(path)), None)


def playwrights_own() -> tuple[Path, ...]:
    """Return where Playwright keeps its Chromium, if it has downloaded it."""
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return (path,) if path.exists() else ()


def starts(path: Path) -> bool:
    """Tell whether the browser starts without a window: Ubuntu's chromium-browser may be a stub that asks for snap."""
    with sync_playwright() as playwright:
        try:
            playwright.chromium.launch(executable_path=path).close()
        except Error:
            return False
    return True


def install() -> Path | None:
    """Try the ways to get a browser, each said aloud; return the first that then starts."""
    for words, steps in ways():
        print(f"No browser found: {words}.", flush=True)
        if all(run(step) for step in steps) and (path := find()):
            return path
    return None


def ways() -> list[tuple[str, list[list[str]]]]:
    """Return the ways open to us: a few words, and the commands."""
    own = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    sudo = rights()
    if sudo is None:
        return [("downloading Playwright's Chromium", own)]
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    system = [[*apt, "update", "-qq"], [*apt, "install", "-y", "-qq", "--no-install-recommends", "chromium"]]
    with_libraries = [[*own[0], "--with-deps"]]
    return [("installing the system's Chromium", system), ("downloading Playwright's Chromium", with_libraries)]


def rights() -> list[str] | None:
    """Return the prefix that runs apt-get as root without a password, or None if there is none."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if shutil.which("sudo") and run(["sudo", "-n", "true"]) else None


def run(command: Sequence[str]) -> bool:
    """Run a command with its output kept back; show the end of it and return False if it fails."""
    try:
        done = subprocess.run(
            command, check=False, timeout=PATIENCE_S, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
    except subprocess.TimeoutExpired:
        print(f"  {' '.join(command)}: no end after {PATIENCE_S} s", flush=True)
        return False
    if done.returncode != 0:
        print(f"  {' '.join(command)} failed:\n  " + "\n  ".join((done.stdout + done.stderr).splitlines()[-4:]))
    return done.returncode == 0


def main() -> int:
    """Print the path of a browser that starts; return 1 with one line of advice if none can be had."""
    path = find() or install()
    print(path or HOW_TO_GET_ONE, file=sys.stdout if path else sys.stderr)
    return 0 if path else 1


if __name__ == "__main__":
    raise SystemExit(main())
