"""What other processes on the same store do to conversations and tasks, and finishing what those that died had begun.

Rooms and tasks are taken up when they are looked at; conversations at once, as pages show them live.
"""

from __future__ import annotations

from contextlib import suppress

from dialogue.log.events import CONVERSATION
from dialogue.log.stores import UnknownStream
from dialogue.log.stores.protocol import StreamId
from dialogue.services.tasks.services import TaskServices
from dialogue.tasks.state.events import TASK
from dialogue.turn import Sessions


class OtherProcesses:
    """Follows the store for the sessions and tasks that this process holds."""

    def __init__(self, sessions: Sessions, tasks: TaskServices) -> None:
        self._sessions = sessions
        self._tasks = tasks

    def moved_on(self, stream: StreamId) -> None:
        """Show what another process has written."""
        if stream.kind == CONVERSATION.name:
            self._sessions.moved_on(stream.id)

    def abandoned(self, stream: StreamId) -> None:
        """Finish what a process had begun that has died."""
        if stream.kind == CONVERSATION.name:
            self._sessions.take_over(stream.id)
        elif stream.kind == TASK.name:
            with suppress(UnknownStream):  # deleted in the meantime
                self._tasks.start(stream.id)

    def missed(self) -> None:
        """Show what may have been written while nothing was heard."""
        self._sessions.catch_up()
