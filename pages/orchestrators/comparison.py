"""One session under several orchestrators, side by side: what each would have done, with differences marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from catalog.wording.agents import agent_name
from catalog.wording.grammar import count, listing
from dialogue.agents.learning.replay import ReplayedChoice
from pages.orchestrators.learning import shown_name
from pages.orchestrators.turns import Recording, say_why, who_acts
from pages.shell.sheet import Node, button, el, hint, icon, shorten, table

HOW_IT_LEARNS = (
    "Each begins with nothing learned. People reacted to what really happened, so an orchestrator learns here only "
    "from turns in which it would have chosen the same agents."
)
_LONGEST = 40


def summary(recording: Recording, replays: Mapping[str, Sequence[ReplayedChoice]]) -> list[Node]:
    """Say how often each orchestrator agrees with what was done."""
    turns = len(recording.moments)
    rows = [
        el(
            "li",
            "",
            el("strong", "", name),
            f": the same in {sum(one.same for one in found)} of {count(turns, 'turn')}",
        )
        for name, found in replays.items()
    ]
    return [hint(HOW_IT_LEARNS), el("ul", "agreement", rows, aria_label="Agreement with what was done")]


def side_by_side(
    recording: Recording, replays: Mapping[str, Sequence[ReplayedChoice]], chosen: tuple[int, str] | None
) -> Node:
    """Draw a row for each turn, and a column for each orchestrator; a click shows why."""
    rows = [
        el(
            "tr",
            "",
            el("th", "", str(place + 1), scope="row"),
            el("td", "wrap", shorten(recording.text(one.moment.event.text), _LONGEST) or "nothing typed"),
            el("td", "", who_acts(one), el("small", "muted", f" by {one.orchestrator}")),
            [_cell(name, place, found[place], chosen) for name, found in replays.items()],
        )
        for place, one in enumerate(recording.moments)
    ]
    return table(("Turn", "Typed or said", "Done", *replays), rows, "replay")


def _cell(name: str, place: int, one: ReplayedChoice, chosen: tuple[int, str] | None) -> Node:
    acts = listing(tuple(agent_name(agent) for agent in one.choice.agents)) or "no agent"
    marked = None if one.same else el("span", "tag warn", "≠ differs")
    return el(
        "td",
        "" if one.same else "differs",
        button(
            "small",
            acts,
            act={"do": "cell", "what": f"{place}:{name}"},
            pressed=chosen == (place, name),
            label=f"{acts}: why {name} chooses so at turn {place + 1}",
        ),
        marked,
    )


def cell_card(recording: Recording, place: int, name: str, one: ReplayedChoice) -> Node:
    """Say why an orchestrator would have chosen as it does at one turn."""
    recorded = recording.moments[place]
    drawn = one.choice.seed is not None
    why = recording.why(recorded)
    rows = [
        el(
            "li",
            f"agent {'taken' if verdict.chosen else ''}",
            el(
                "span",
                "named",
                icon("done" if verdict.chosen else "never"),
                el("strong", "", shown_name(verdict.agent)),
            ),
            el(
                "span",
                "why",
                why.get(verdict.agent, "") if verdict.why == "silent" else say_why(verdict, drawn=drawn),
            ),
        )
        for verdict in one.choice.verdicts
    ]
    alike = "as it was done" if one.same else f"where {recorded.orchestrator} chose {who_acts(recorded)}"
    acts = listing(tuple(agent_name(agent) for agent in one.choice.agents)) or "no agent"
    return el(
        "section",
        "card",
        el("h2", "", f"Turn {place + 1} under {name}"),
        el("p", "", f"{name} would have chosen {acts}, {alike}."),
        el("ul", "agents short", rows),
        key="cell-card",
    )
