"""The command line: the same services, for scripts, tests and modelers. A module a subject, and a table of commands."""

import sys
from pathlib import Path

# A folder on PYTHONPATH comes before what is installed, and may well hold a `catalog.py` or a folder `pages` of a
# user's: ours are found first from here on, also by the dashboard and the processes of skills, which get this path.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
