"""The command line: the same services, for scripts, tests and modelers. A module a subject, and a registry."""

from dialogue.cli import agents, catalogs, conversation, explore, operation, shell

COMMANDS = (
    operation.add_commands,
    catalogs.add_commands,
    explore.add_commands,
    conversation.add_commands,
    agents.add_commands,
    shell.add_commands,
)
"""Each declares the commands of its subject."""
