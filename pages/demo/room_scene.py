"""The scene of the tour in a room: two people and four bots talk by themselves, and norms keep order.

Which line is next follows from the log of the room alone, as in the other scripts.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import streamlit as st
import yaml

from dialogue.log.streams import Log
from dialogue.rooms.events import RoomAsked, Sent
from dialogue.services import UnknownSession
from pages.rooms.chat import draw_room
from pages.rooms.page_state import RoomPage, read_page
from pages.shell import address
from pages.shell.address import page_file
from pages.shell.frame import guarded
from pages.shell.root import services
from pages.shell.sheet import draw, empty

POLL_S = 0.5
_PAUSE_S, _READING_S, _LONGEST_S = 2.5, 0.045, 14.0


@dataclass(frozen=True, slots=True)
class SceneLine:
    """What is said next, what to watch for after it, and what the page shows then."""

    who: str
    say: str
    watch: str
    denied: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A conversation in a room under the norms of a demo."""

    title: str
    norms: str
    people: tuple[str, ...]
    turns: tuple[SceneLine, ...]


def _read_scenes() -> dict[str, Scene]:
    found = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return {
        name: Scene(one["title"], one["norms"], tuple(one["people"]), tuple(SceneLine(**turn) for turn in one["turns"]))
        for name, one in found.items()
    }


SCENES = _read_scenes()


@dataclass(frozen=True, slots=True)
class SceneStage:
    """How far a scene has got; `step` says the next line, and there is none where it is over."""

    at: int
    of: int
    watch: str
    coming: str
    busy: bool
    step: Callable[[], None] | None


def position(scene: Scene, log: Log) -> int:
    """Return the place of the next line; what is typed in between is none."""
    at = 0
    for entry in log:
        event = entry.event
        if at == len(scene.turns):
            break
        turn = scene.turns[at]
        said = (event.message.sender, event.message.content) if isinstance(event, Sent) else ("", "")
        said = (event.participant, event.text) if isinstance(event, RoomAsked) else said
        at += said == (turn.who, turn.say)
    return at


def pause(scene: Scene, page: RoomPage, at: int) -> float:
    """Return the seconds that reading takes: the caption, and what was posted last."""
    last = page.room.posted[-1].message.text if page.room.posted else ""
    caption = scene.turns[at - 1].watch if at else ""
    return min(_PAUSE_S + _READING_S * (len(caption) + len(last) / 2), _LONGEST_S)


def draw_scene(scene: Scene, controls: Callable[[SceneStage], None], *, playing: bool, speed: float) -> None:
    """Draw the room of a scene, with what to watch for above it; `controls` draws that, and how it is played."""
    room_id, page = st.query_params.get("room"), None
    if room_id:
        with suppress(UnknownSession):
            page = read_page(room_id)
    at = position(scene, page.log) if page else 0
    over = at >= len(scene.turns)
    coming = "The end. Now say something yourself." if over else f"Next: {scene.turns[at].who}: “{scene.turns[at].say}”"
    watch = scene.turns[at - 1].watch if at else ""
    step = None if over else partial(_say_next, scene)
    controls(SceneStage(at, len(scene.turns), watch, coming, page is not None and page.busy, step))
    if playing and not over:
        st.fragment(_tick, run_every=POLL_S)(scene, speed)
    if page is None:
        draw("scene-empty", [empty("ask", "The room is empty", "Play or Step opens a room with everybody in it.")])
        return
    draw_room(page.room_id)
    if over:
        words = {"room": page.room_id, "as": scene.people[0], "room_section": "Change the norms"}
        st.page_link(page_file("rooms"), label="Change the norms of this room", query_params=words)


def _tick(scene: Scene, speed: float) -> None:
    """Say the next line once what happened last could be read."""
    with guarded("the scene"):
        room_id = st.query_params.get("room")
        if not room_id:
            _say_next(scene)
            st.rerun()
            return
        page = read_page(room_id)
        at = position(scene, page.log)
        waited = (datetime.now(UTC) - page.log[-1].at).total_seconds()
        if page.busy or at >= len(scene.turns) or (at and waited < pause(scene, page, at) / speed):
            return
        _say_next(scene)
        st.rerun()


def _say_next(scene: Scene) -> None:
    room_id = st.query_params.get("room")
    rooms = services().rooms
    if not room_id:
        room_id = rooms.open(scene.norms, title=scene.title)
        for name in scene.people:
            rooms.join(room_id, name)
        st.query_params.update({"room": room_id, "as": scene.people[0]})
    at = position(scene, rooms.view(room_id).log)
    if at >= len(scene.turns):
        return
    turn = scene.turns[at]
    address.write("denied", "yes" if turn.denied else None)
    address.write("about", turn.about or None)
    if rooms.ask(room_id, turn.who, turn.say) is None:
        rooms.say(room_id, turn.who, turn.say, command_id=f"line-{at}")
