"""The command `planglass`: finds its packages beside this file, whatever modules of the same names a user has.

A folder on PYTHONPATH comes before what is installed, and may well hold a `catalog.py` or a folder `pages`. The
dashboard, started as a file, and the processes of skills, which get this path, have the same order.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))


def main() -> int:
    """Run a command; return its exit code."""
    from dialogue.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
