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

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLAYWRIGHT = (sys.executable, "-m", "playwright")
PATIENCE_S = 600
PACKAGES = ("chromium", "libatomic1")
"""What Debian calls Chromium, and the library that Playwright's driver needs and a small system may lack."""

HOW_TO_GET_ONE = (
    f"The tests need a browser and found none. Install one (Debian: sudo apt-get install {' '.join(PACKAGES)}; "
    "elsewhere: .venv/bin/playwright install --with-deps chromium) and run this again."
)


def find() -> Path | None:
    """Return a browser that Playwright can start: the first on the PATH, else Playwright's own."""
    if not succeeds([*PLAYWRIGHT, "--version"]):
        return None
    with sync_playwright() as playwright:
        for path in candidates(playwright):
            if browser := launch(playwright, path):
                browser.close()
                return path
    return None


def start(playwright: Playwright, *arguments: str) -> Browser | None:
    """Start the browser that `find` would return, without a trial."""
    return next(filter(None, (launch(playwright, path, *arguments) for path in candidates(playwright))), None)


def candidates(playwright: Playwright) -> list[Path]:
    """List browsers on the PATH, and where Playwright keeps its Chromium, if it has downloaded it."""
    own = Path(playwright.chromium.executable_path)
    return [*(Path(found) for found in map(shutil.which, NAMES) if found), *([own] if own.exists() else [])]


def launch(playwright: Playwright, path: Path, *arguments: str) -> Browser | None:
    """Start a browser headless, or return None: Ubuntu's chromium-browser may be a stub that asks for snap."""
    try:
        return playwright.chromium.launch(executable_path=path, args=arguments)
    except Error:
        return None


def install() -> Path | None:
    """Try the ways to get a browser, each said aloud; return the first that then starts."""
    for words, steps in ways():
        print(f"No browser found that the tests can drive: {words}.", flush=True)
        if all(succeeds(step, aloud=True) for step in steps) and (path := find()):
            return path
    return None


def ways() -> list[tuple[str, list[list[str]]]]:
    """Return the ways open to us: a few words, and the commands."""
    sudo = rights()
    if sudo is None:
        return [("downloading Playwright's Chromium", [[*PLAYWRIGHT, "install", "chromium"]])]
    apt = [*sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    install_packages = [*apt, "install", "-y", "--no-install-recommends"]
    update = [*apt, "update"]
    return [
        ("installing the system's Chromium", [update, [*install_packages, *PACKAGES]]),
        (
            "downloading Playwright's Chromium",
            [[*install_packages, *PACKAGES[1:]], [*PLAYWRIGHT, "install", "--with-deps", "chromium"]],
        ),
    ]


def rights() -> list[str] | None:
    """Return the prefix that runs apt-get as root without a password, or None if there is none."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if shutil.which("sudo") and succeeds(["sudo", "-n", "true"]) else None


def succeeds(command: Sequence[str], *, aloud: bool = False) -> bool:
    """Run a command and tell whether it succeeded; aloud, show the end of what a failing one printed."""
    try:
        done = subprocess.run(
            command, check=False, timeout=PATIENCE_S, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
    except subprocess.TimeoutExpired:
        print(f"  {' '.join(command)}: no end after {PATIENCE_S} s", flush=True)
        return False
    if aloud and done.returncode != 0:
        last = (done.stdout + done.stderr).splitlines()[-4:]
        print("\n  ".join([f"  {' '.join(command)} failed:", *last]), flush=True)
    return done.returncode == 0


def main() -> int:
    """Print the path of a browser that starts; return 1 with one line of advice if none can be had."""
    path = find() or install()
    print(path or HOW_TO_GET_ONE, file=sys.stdout if path else sys.stderr)
    return 0 if path else 1


if __name__ == "__main__":
    raise SystemExit(main())
