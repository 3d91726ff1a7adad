"""A conversation that was only imagined, shown as a real one is: moves, words, and the plan of each moment."""

from __future__ import annotations

from catalog.model import Catalog
from dialogue.exploration.counterexample import Retold
from dialogue.exploration.environment_moves import Move
from dialogue.exploration.report import Trace, say_move
from dialogue.log.events import Replied
from dialogue.services import Snapshot
from dialogue.state.fold import project
from dialogue.state.plans import PlanRecord
from pages.shell.address import Selection
from pages.shell.sheet import Node, button, el, icon
from pages.views.seen import Seen


def move_list(catalog: Catalog, trace: Trace, at: int) -> Node:
    """Draw the moves of a trace as a list of buttons; `at` is the one whose moment is shown."""
    return el(
        "ol",
        "moves",
        [
            el("li", "", _move(catalog, number, move, pressed=number == at), key=f"move{number}")
            for number, move in enumerate(trace)
        ],
        aria_label="What happens, move by move",
    )


def _move(catalog: Catalog, number: int, move: Move, *, pressed: bool) -> Node:
    return button(
        "move",
        el("span", "number", str(number + 1)),
        icon("skill" if move.of_skill else "person"),
        el("span", "", say_move(catalog, move)),
        act={"do": "move", "what": str(number)},
        pressed=pressed,
    )


def moment(catalog: Catalog, retold: Retold, at: int, chosen: Selection | None) -> Seen:
    """See the conversation as it was after a move."""
    log = retold.log[: retold.done[at]]
    return Seen(Snapshot("", catalog, log, project(log)), chosen, "how")


def plan_then(seen: Seen) -> PlanRecord | None:
    """Give the plan of a moment: the one that is followed, else the last one there was."""
    plans = seen.conversation.plans.all
    return seen.conversation.plan or (plans[-1] if plans else None)


def words_then(seen: Seen, retold: Retold, at: int) -> list[Node]:
    """Draw what the assistant says to a move."""
    before = retold.done[at - 1] if at else 0
    said = [entry.event.text for entry in seen.snapshot.log[before:] if isinstance(entry.event, Replied)]
    if not said:
        return [el("p", "hint", "The assistant says nothing to that; it goes on.")]
    face = el("span", "face", icon("glass"))
    return [
        el("div", "chat", [el("div", "message", face, el("div", "bubble", el("p", "", seen.text(t)))) for t in said])
    ]
