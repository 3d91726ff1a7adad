"""The command line: the same services, for scripts, tests and modelers. A module a subject, and a registry."""

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
