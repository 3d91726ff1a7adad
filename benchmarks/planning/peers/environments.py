"""The environments of the peers, under `build/peers/`: made once, never shared, nothing is installed elsewhere.

NL2Flow's own requirements bring 6 GB, most of them for other uses of the same package (a language model among them);
what planning imports is listed here by hand instead.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HOME = Path(__file__).resolve().parents[3] / "build" / "peers"


@dataclass(frozen=True)
class Environment:
    """Packages to install: `bare` without their declared requirements, then `packages` with them."""

    bare: tuple[str, ...]
    packages: tuple[str, ...]

    @property
    def listed(self) -> str:
        """Write down what is in it."""
        return "\n".join((*self.bare, *self.packages)) + "\n"


ENVIRONMENTS: Mapping[str, Environment] = {
    "nl2flow": Environment(
        bare=("nl2flow==0.1.3", "nestful-wrapper==0.1.7", "kstar-planner==1.6.0"),
        packages=("tarski-tmp==0.8.5", "pydantic", "jmespath", "jsonref", "haikunator"),
    ),
    "fast-downward": Environment(bare=(), packages=("up-fast-downward==1.0.0",)),
}


def find_python(name: str) -> Path | None:
    """Find the interpreter of an environment that is complete and up to date."""
    done = HOME / name / "installed.txt"
    if not done.exists() or done.read_text(encoding="utf-8") != ENVIRONMENTS[name].listed:
        return None
    return HOME / name / "bin" / "python"


def make(name: str) -> None:
    """Make an environment anew."""
    wanted = ENVIRONMENTS[name]
    place = HOME / name
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=True)
    pip = [str(place / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    # What pip finds missing afterwards is missing on purpose, so only its failures are worth reading.
    for options, packages in ((["--no-deps"], wanted.bare), ([], wanted.packages)):
        if packages:
            done = subprocess.run([*pip, *options, *packages], check=False, capture_output=True, text=True)
            if done.returncode != 0:
                raise SystemExit(f"{name}: pip could not install {', '.join(packages)}.\n{done.stderr[-2_000:]}")
    (place / "installed.txt").write_text(wanted.listed, encoding="utf-8")
