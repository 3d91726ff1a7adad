"""What came of a call of a task, as it is written down."""

from __future__ import annotations

from catalog.model import Catalog
from dialogue.caller import NoEffect, NotReturned, Returned
from dialogue.tasks.state.events import CallEnded, CallFailed
from dialogue.tasks.state.provenance import is_handed_secrets, secrets_in
from dialogue.tasks.state.task import Call, Task


def ended(call_id: str, came: Returned) -> CallEnded:
    return CallEnded(
        call_id=call_id,
        outcome=came.result.outcome,
        facts=dict(came.result.facts),
        attributions=came.attributions,
        seconds=came.seconds,
    )


def failed(catalog: Catalog, task: Task, call: Call, came: NotReturned) -> CallFailed:
    """Return the end of a call that gave no outcome; nothing secret is in its message."""
    message = came.kept(secrets_in(catalog, task), handed_secrets=is_handed_secrets(catalog, task, call.begun))
    error = "no_effect" if isinstance(came.told, NoEffect) else came.error
    return CallFailed(call_id=call.begun.call_id, error=error, message=message, seconds=came.seconds)
