"""A line of a chat: an utterance, the path of a file that is asked for, or a JSON object with either, or an event."""

from __future__ import annotations

import mimetypes
import shlex
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, JsonValue, ValidationError

from dialogue.cli.terminal import Terminal
from dialogue.services import Services, Snapshot, Upload
from language.interpretation import Frozen


class _Line(Frozen):
    text: str = ""
    uploads: tuple[Path, ...] = ()
    alert: str | None = None
    facts: dict[str, JsonValue] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said: in which conversation, as which command, and after which entry of the log."""

    session: str
    command_id: str
    seen: int


def hear(services: Services, place: Place, line: str, here: Terminal) -> None:
    """Say a line to the assistant, with the files that it names, or report the event that it is.

    Raises ValueError for a line that begins as JSON and is none.
    """
    session, command_id, seen = place.session, place.command_id, place.seen
    if not line.lstrip().startswith("{"):
        paths = _paths(services.snapshot(session), line, here)
        text = "" if paths else line
        services.say(session, text, [_upload(path) for path in paths], command_id=command_id, seen=seen)
        return
    try:
        said = _Line.model_validate_json(line)
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'the line'}: {e['msg']}" for e in error.errors())
        write = "text and uploads (paths of files), or alert and facts"
        raise ValueError(f"A line that begins with {{ is to be a JSON object with {write}. Found: {found}.") from error
    if said.alert is not None:
        services.alert(session, said.alert, said.facts, command_id)
    else:
        services.say(session, said.text, [_upload(here.path(path)) for path in said.uploads], command_id, seen)


def _paths(seen: Snapshot, line: str, here: Terminal) -> list[Path]:
    """Return the files that a line names by their paths, and nothing else, where a file is waited for."""
    pending = seen.conversation.questions.pending
    waited = {*seen.conversation.tasks.facts, *((pending.asked.subject,) if pending else ())}
    if not any(seen.catalog.facts[fact].value.uploaded for fact in waited if fact in seen.catalog.facts):
        return []
    try:
        paths = [here.path(Path(name).expanduser()) for name in shlex.split(line)]
    except ValueError:  # a quotation mark that is not closed
        return []
    return paths if all(path.is_file() for path in paths) else []


def _upload(path: Path) -> Upload:
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Upload(path.name, media_type, path.read_bytes())
