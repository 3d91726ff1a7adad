"""A session in which agents were asked, its turns, and one of them in full: each answer, and why an agent acts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from catalog.wording.agents import (
    agent_name,
    figure,
    say_chosen,
    say_duration,
    say_order,
    say_reaction,
    say_silence,
    say_verdict,
)
from catalog.wording.grammar import count, listing, quote
from dialogue.agents.events import Broadcast
from dialogue.agents.feedback import REWARDS
from dialogue.agents.learning.replay import ReplayedChoice
from dialogue.agents.model import NOBODY, Choice, Preview, ProposedAction, Stage, Verdict, Why
from dialogue.agents.record import Recorded, recorded
from dialogue.log.streams import Log
from pages.orchestrators.learning import shown_name
from pages.shell.sheet import Node, button, el, empty, hint, icon, pairs, shorten, table


@dataclass(frozen=True)
class Recording:
    """A session, by the name that it has in the address; all its texts go through `text`, which masks them.

    `fact` returns the label of a fact.
    `session` is the conversation, if it is one, and `learner` the one who learned from it: none did from what comes
    with the product. `thresholds` are those that held at each moment, as far as they are known.
    """

    source: str
    title: str
    log: Log
    text: Callable[[str], str] = shorten
    fact: Callable[[str], str] = shorten
    session: str | None = None
    learner: str | None = None
    thresholds: Mapping[int, Mapping[str, float]] = field(default_factory=dict)

    @cached_property
    def moments(self) -> tuple[Recorded, ...]:
        return recorded(self.log)

    def took_ms(self, one: Recorded) -> Mapping[str, float]:
        event = self.log[one.broadcast - 1].event
        return event.took_ms if isinstance(event, Broadcast) else {}

    def why(self, one: Recorded) -> dict[str, str]:
        took = self.took_ms(one)
        silences = {
            silence.agent: say_silence(silence.reason, self.text(silence.detail), took.get(silence.agent))
            for silence in one.moment.answers.silent
        }
        drawn = one.moment.choice.seed is not None
        verdicts = one.moment.choice.verdicts
        return {told.agent: say_why(told, drawn=drawn, silence=silences.get(told.agent, "")) for told in verdicts}


def say_why(told: Verdict, *, drawn: bool, silence: str = "") -> str:
    return say_verdict(told.agent, told.why, told.score, told.against, told.other, drawn=drawn, silence=silence)


STAGES = {Stage.BEFORE: "before it was carried out", Stage.AFTER: "after it was carried out"}
_LONGEST = 48


def who_acts(choice: Choice) -> str:
    return listing(tuple(agent_name(agent) for agent in choice.agents)) or "no agent"


def turn_list(recording: Recording, at: int) -> Node:
    """List the turns as buttons; `at` is the place of the one that is shown."""
    return el(
        "ol",
        "moves turns",
        [el("li", "", _turn_button(recording, one, place, at)) for place, one in enumerate(recording.moments)],
        aria_label="What happened, turn by turn",
    )


def _turn_button(recording: Recording, one: Recorded, place: int, at: int) -> Node:
    event, acts = one.moment.event, who_acts(one.moment.choice)
    return button(
        "move",
        el("span", "number", str(place + 1)),
        icon("event" if event.stage is Stage.AFTER else "person"),
        el("span", "", shorten(recording.text(event.text), _LONGEST) or "nothing typed"),
        el("span", "who", "after: " if event.stage is Stage.AFTER else "", el("strong", "", acts)),
        act={"do": "turn", "what": str(place)},
        pressed=place == at,
    )


def turn_card(recording: Recording, place: int) -> list[Node | None]:
    one = recording.moments[place]
    event = one.moment.event
    in_stages = any(turn.moment.event.stage is Stage.AFTER for turn in recording.moments)
    asked = one.forced
    wanted = f"You asked for {agent_name(asked.agent) if asked.agent else 'an answer'}." if asked else ""
    said, order = say_chosen(one.moment.choice.agents, one.orchestrator), one.moment.choice.order
    return [
        el("h2", "sentence", quote(recording.text(event.text)) if event.text else "Nothing typed"),
        hint(f"Turn {place + 1}{f', {STAGES[event.stage]}' if in_stages else ''}."),
        el("p", "chosen-line", icon("next"), " ", el("strong", "", said), f" {wanted}" if wanted else ""),
        hint(say_order(order.unmet)) if order else None,
        _output(recording, one),
        el("ul", "agents", [_agent(recording, one, verdict) for verdict in _rows(one)], aria_label="The agents"),
        *_outcome(recording, one),
    ]


def no_turns() -> Node:
    """Draw a session in which no agent was asked."""
    words = "Agents are asked once a conversation has some besides the assistant. Choose another session above."
    return empty("glass", "No agent was asked in this session", words)


def _output(recording: Recording, one: Recorded) -> Node | None:
    event = one.moment.event
    if not event.output and event.exit_code is None:
        return None
    ended = "" if event.exit_code is None else f"It ended with exit code {event.exit_code}."
    shown = el("pre", "code", recording.text(event.output), tabindex="0", role="region", aria_label="Output")
    return el("div", "", hint(ended) if ended else None, shown if event.output else None)


def _rows(one: Recorded) -> list[Verdict]:
    """Put those that act first, in their order; then all others, as they were declared."""
    order = {agent: place for place, agent in enumerate(one.moment.choice.agents)}
    return sorted(one.moment.choice.verdicts, key=lambda verdict: order.get(verdict.agent, len(order)))


def _agent(recording: Recording, one: Recorded, verdict: Verdict) -> Node:
    preview = next((found for found in one.moment.answers.previews if found.agent == verdict.agent), None)
    took = recording.took_ms(one).get(verdict.agent)
    threshold = recording.thresholds.get(one.chosen, {}).get(verdict.agent)
    return el(
        "li",
        f"agent {'taken' if verdict.chosen else ''}",
        _named(verdict, el("span", "unseen", ", acts. " if verdict.chosen else ", does not act. ")),
        _bar(verdict.agent, preview, threshold, _taken_as(verdict, preview)),
        el("span", "took", say_duration(took) if took is not None else ""),
        el("span", "why", recording.why(one)[verdict.agent]),
        _offer(recording, preview),
        key=f"agent-{verdict.agent}",
    )


def _named(verdict: Verdict, *more: Node) -> Node:
    picture = icon("done" if verdict.chosen else "never")
    return el("span", "named", picture, el("strong", "", shown_name(verdict.agent)), *more)


def _taken_as(verdict: Verdict, preview: Preview | None) -> float | None:
    """Return what a confidence was taken as, where it was calibrated or scored."""
    drawn = verdict.why in (Why.DREW_MOST, Why.DREW_LESS)
    same = preview is None or verdict.score is None or verdict.score == preview.confidence
    return None if drawn or same else verdict.score


def _bar(agent: str, preview: Preview | None, threshold: float | None, taken_as: float | None) -> Node:
    """Draw how sure an agent is, with a mark at its threshold; both stand there in words, too."""
    if preview is None:
        return el("span", "sure none", "" if agent == NOBODY else "no answer")
    percent: dict[str, str] = {"--score": f"{100 * preview.confidence:.1f}%"}
    if threshold is not None:
        percent["--at"] = f"{100 * threshold:.1f}%"
    words = f"{'declared' if preview.assumed else 'sure'}: {figure(preview.confidence)}"
    if taken_as is not None:
        words += f", taken as {figure(taken_as)}"
    held = f", threshold {figure(threshold)}" if threshold is not None else ""
    return el(
        "span",
        "sure",
        el("span", "scale", el("span", "fill"), el("span", "tick") if threshold is not None else None, vars=percent),
        el("span", "score", words, el("small", "", held) if held else None),
    )


def _offer(recording: Recording, preview: Preview | None) -> Node | None:
    if preview is None or not preview.actions:
        return None
    return el("ol", "offers", [_action(recording, action) for action in preview.actions], aria_label="It would do")


def _action(recording: Recording, action: ProposedAction) -> Node:
    facts = {"uses": action.inputs, "makes known": action.outputs}
    about = "; ".join(f"{word} {listing(tuple(map(recording.fact, names)))}" for word, names in facts.items() if names)
    return el(
        "li",
        "",
        el("code", "", shorten(recording.text(action.text), 160)),
        el("small", "", " ", shorten(recording.text(action.description), 160)) if action.description else None,
        el("small", "", f" ({about})") if about else None,
    )


def _outcome(recording: Recording, one: Recorded) -> list[Node]:
    """Draw what the chosen agents did, and what the person made of it."""
    rows: list[tuple[Node, Node]] = []
    for _, act in one.acts:
        if act.trouble:
            rows.append((agent_name(act.agent), el("span", "problem", icon("problem"), recording.text(act.trouble))))
        elif act.reply is not None and act.reply.text:
            rows.append((agent_name(act.agent), recording.text(act.reply.text)))
    reaction = one.moment.reaction
    if one.moment.choice.agents:
        worth = "" if reaction is None else f", worth {REWARDS[reaction]:+.1f}"
        rows.append(("You", f"{say_reaction(reaction)}{worth}"))
    entries = ", ".join(map(str, one.entries))
    rows.append(("On record", f"entries {entries} of the log"))
    return [el("h3", "", "The result"), pairs(rows)]


HOW_IT_LEARNS = (
    "Each begins with nothing learned. People reacted to what really happened, so an orchestrator learns here only "
    "from turns in which it would have chosen the same agents."
)
_LONGEST_SAID = 40


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
            el("td", "wrap", shorten(recording.text(one.moment.event.text), _LONGEST_SAID) or "nothing typed"),
            el("td", "", who_acts(one.moment.choice), el("small", "muted", f" by {one.orchestrator}")),
            [_cell(name, place, found[place], chosen) for name, found in replays.items()],
        )
        for place, one in enumerate(recording.moments)
    ]
    return table(("Turn", "Typed or said", "Done", *replays), rows, "replay")


def _cell(name: str, place: int, one: ReplayedChoice, chosen: tuple[int, str] | None) -> Node:
    acts = who_acts(one.choice)
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
            _named(verdict),
            el(
                "span",
                "why",
                why.get(verdict.agent, "") if verdict.why == "silent" else say_why(verdict, drawn=drawn),
            ),
        )
        for verdict in one.choice.verdicts
    ]
    alike = "as it was done" if one.same else f"where {recorded.orchestrator} chose {who_acts(recorded.moment.choice)}"
    acts = who_acts(one.choice)
    return el(
        "section",
        "card",
        el("h2", "", f"Turn {place + 1} under {name}"),
        el("p", "", f"{name} would have chosen {acts}, {alike}."),
        el("ul", "agents short", rows),
        key="cell-card",
    )
