"""The seed of what is drawn at random: new for each version, and for one version always the same.

Who checks out a version draws what everybody does who has it: it passes for all of them or for none.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_SEEDS = 2**32


def draw_seed(*, fresh: bool = False) -> int:
    """Return PLANGLASS_SEED if it is set, else the seed of this version; `fresh` draws one that nobody had before."""
    if (said := os.environ.get("PLANGLASS_SEED")) is not None:
        return int(said)
    return random.SystemRandom().randrange(_SEEDS) if fresh else seed_of_version(ROOT)


def seed_of_version(root: Path) -> int:
    """Return a seed from the git tree that is checked out; where there is no git, from the modules in a folder."""
    version = _tree(root) or _hash_of_modules(root)
    return int(version[:16], 16) % _SEEDS


def _tree(root: Path) -> str:
    """Name the git tree of a folder's version; nothing where git, or a repository at that folder, is missing."""
    if not (root / ".git").exists():
        return ""
    try:
        told = subprocess.run(
            ["git", "rev-parse", "HEAD^{tree}"], cwd=root, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return told.stdout.strip() if told.returncode == 0 else ""


def _is_made(path: Path) -> bool:
    """Return whether a module is none of a version's: of an environment, or of what was built from it."""
    return path.parts[0] == "build" or path.parts[0].startswith(".")


def _hash_of_modules(root: Path) -> str:
    hashed = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*.py") if not _is_made(path.relative_to(root))):
        hashed.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return hashed.hexdigest()
