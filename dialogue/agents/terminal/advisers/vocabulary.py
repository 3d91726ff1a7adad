"""Words that the session and the agents at a terminal share."""

from collections.abc import Mapping, Sequence

COMMAND = "command"
"""What an action makes known whose text is a command, and no explanation."""
UNKNOWN = "unknown_command"
"""In the context of an event: the shell knows no command of the name that the line begins with."""
ASKED = "asked"
"""In the context of an event: the user asked for an answer."""
NOT_FOUND = 127
"""The exit code of shells that know no command of a name."""
NEAR = "near"
"""In the context of an event: for words that name no file, the names that are most like them."""
HERE = "here"
"""In the context of an event: files of the folder that the line names, each a folder, a program or a file."""
RUNS: Mapping[str, Sequence[str]] = {
    ".py": ("python3", "python"), ".sh": ("bash", "sh"), ".js": ("node",), ".rb": ("ruby",)
}  # fmt: skip
"""The programs that run files of an ending, the likeliest first."""
