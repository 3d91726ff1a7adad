"""The command line: the same services, for scripts, tests and modelers. A module a subject, and a registry."""

import sys
from pathlib import Path

# A folder on PYTHONPATH comes before what is installed, and may well hold a `catalog.py` or a folder `pages` of a
# user's: ours are found first from here on, also by the dashboard and the processes of skills, which get this path.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from dialogue.cli import agents, catalogs, conversation, explore, operation, room, rooms, shell, tasks

COMMANDS = (
    operation.add_commands,
    catalogs.add_commands,
    explore.add_commands,
    conversation.add_commands,
    agents.add_commands,
    rooms.add_commands,
    room.add_commands,
    tasks.add_commands,
    shell.add_commands,
)
"""Each declares the commands of its subject."""
