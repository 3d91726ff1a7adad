"""Which orchestrator is in use, who takes part, and how the bandit begins: looked at, and switched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from catalog.wording.agents import agent_name
from catalog.wording.grammar import listing
from dialogue.agents.model import ASSISTANT
from dialogue.agents.orchestrators import FIGURES
from dialogue.services.agents.agents import BUILT_IN, OrchestratorRow
from dialogue.settings import SETTINGS, agent_choices
from dialogue.settings.agent_choices import options_of
from pages.frame.problems import say_trouble
from pages.orchestrators.turns import Recording
from pages.settings.form import TROUBLE, SettingsScope
from pages.shell.clicks import submitted
from pages.shell.root import services
from pages.shell.sheet import Node, button, draw, el, folded, hint, problem, shorten


def choose_scope(recording: Recording | None) -> SettingsScope:
    """Let it be chosen whose choices are looked at."""
    session = recording.session if recording is not None else None
    if session is None or recording is None:
        draw("scope-words", [hint("For all conversations that choose nothing of their own.")])
        return SettingsScope(None)
    scopes = {"all": "All conversations", "one": f"This one: {recording.title}, {session[:4]}"}
    chosen: str = st.segmented_control(
        "For", list(scopes), format_func=scopes.__getitem__, default="one", required=True, key="orchestrators_scope"
    )
    return SettingsScope(session if chosen == "one" else None)


def draw_trouble() -> None:
    if trouble := st.session_state.pop(TROUBLE, None):
        draw("choices-trouble", say_trouble(trouble))


def agents_of(recording: Recording | None, scope: SettingsScope) -> list[str]:
    """List the agents that can be named: the assistant, those that there are, and those of the session."""
    declared = [name for one in recording.moments for name in one.moment.answers.declared] if recording else []
    named = [name for pair in options_of(scope.values).preferences for name in pair]
    return list(dict.fromkeys((ASSISTANT, *services().agents.names(), *declared, *named)))


PROFILES = {
    "max": "The most confident agent acts",
    "quiet": "No agent acts",
    "ignore": "One agent never acts",
    "prefer": "One agent goes before another",
}


def draw_set_up(recording: Recording | None) -> None:
    """Draw what is chosen, and let it be switched."""
    draw("set-up-head", [el("h2", "", "Who decides who acts")])
    scope = choose_scope(recording)
    draw_trouble()
    values = scope.values
    fixed = scope.fixed("orchestrator")
    rows = services().agents.orchestrators()
    left, right = st.columns([6, 5], gap="medium")
    with left:
        if fixed:
            draw("orchestrator-fixed", [hint(fixed)])
        listed = orchestrator_list(rows, values["orchestrator"], changeable=not fixed)
        draw("orchestrator-list", [listed], lambda act: _switch(scope, act))
        found = services().agents.dropped_in
        folders = [str(folder) for folder in services().settings.drop_ins]
        draw(
            "drop-ins",
            [el("h2", "", "Drop-ins"), *drop_in_list(folders, found.agents, found.problems, found.installers)],
        )
    with right:
        _draw_agents(scope, values, recording)


def _switch(scope: SettingsScope, act: Mapping[str, Any]) -> None:
    if act.get("do") == "use":
        scope.save("orchestrator", str(act.get("what", "")))


def orchestrator_list(rows: Iterable[OrchestratorRow], used: str, *, changeable: bool) -> Node:
    """List the orchestrators with what each does; the one in use is marked."""
    return el(
        "ul",
        "goals orchestrators",
        [
            el(
                "li",
                "goal",
                el(
                    "span",
                    "told",
                    el("strong", "", row.name),
                    el("span", "tag good", "in use") if row.name == used else None,
                    el("span", "tag", row.origin) if row.origin != BUILT_IN else None,
                    el("span", "muted", row.description),
                ),
                button("small", f"Use {row.name}", act={"do": "use", "what": row.name})
                if changeable and row.name != used
                else None,
                key=f"orchestrator-{row.name}",
            )
            for row in rows
        ],
        aria_label="Orchestrators",
    )


def _draw_agents(scope: SettingsScope, values: Mapping[str, str], recording: Recording | None) -> None:
    """Let further agents be chosen, and how the bandit and calibrated confidences begin."""
    with st.form("agents-form", border=True, enter_to_submit=False):
        named = list(agent_choices.read_names(values["agents"]))
        agents = st.multiselect(
            SETTINGS["agents"].label,
            list(dict.fromkeys((*services().agents.names(), *named))),
            default=named,
            format_func=agent_name,
            placeholder="none",
            **scope.held("agents", "Assistants of other catalogs, and agents that were dropped in."),
        )
        profile = _ask_profile(scope, values["profile"], agents_of(recording, scope))
        explore = scope.ask("explore", agent_choices.EXPLORE.__getitem__, "How it tries what it is unsure of")
        calibration = scope.ask("calibration", agent_choices.CALIBRATION.__getitem__, "Confidences")
        figures = _ask_figures(scope, values["figures"])
        shell = scope.ask("shell_orchestrator") if scope.session is None else None
        saved = submitted("Save", key="orchestrator-save", type="primary")
    if saved:
        entered = {"agents": ", ".join(agents), "profile": profile, "explore": explore, "calibration": calibration}
        entered |= {"figures": figures} | ({} if shell is None else {"shell_orchestrator": shell})
        changed = {name: value for name, value in entered.items() if value != values[name]}
        used = [scope.save(name, str(value)) for name, value in changed.items()]
        if all(used):
            st.toast("Saved." if changed else "Nothing was changed.")
        st.rerun()


def _ask_figures(scope: SettingsScope, text: str) -> str:
    now = agent_choices.read_figures(text)
    with st.expander(SETTINGS["figures"].label):
        given = {
            name: st.number_input(
                f"{name}: {figure.description}",
                min_value=type(figure.usual)(figure.least),
                max_value=type(figure.usual)(figure.most),
                value=type(figure.usual)(now.get(name, figure.usual)),
                **scope.held("figures"),
            )
            for name, figure in FIGURES.items()
        }
    return agent_choices.with_figures("", "", [f"{name}={value}" for name, value in given.items()])


def _ask_profile(scope: SettingsScope, text: str, agents: Sequence[str]) -> str:
    """Let it be chosen what the bandit begins with; agents are asked for where the profile names some."""
    now = agent_choices.read_profile(text)
    kinds, held = list(PROFILES), scope.held("profile")
    kind: str = st.selectbox(SETTINGS["profile"].label, kinds, kinds.index(now.kind), PROFILES.__getitem__, **held)
    asked = {"format_func": agent_name, "disabled": held["disabled"], "accept_new_options": True}
    first, second = (agents.index(name) if name in agents else 0 for name in (now.agent, now.other))
    with st.container(horizontal=True, gap="small"):
        one = st.selectbox("Ignored, or preferred", agents, first, **asked)
        other = st.selectbox("Preferred to", agents, second, **asked)
    return {"ignore": f"ignore:{one}", "prefer": f"prefer:{one}>{other}"}.get(kind, kind)


def drop_in_list(
    folders: Sequence[str], agents: Iterable[str], problems: Sequence[str], installers: Mapping[str, str]
) -> list[Node]:
    """List what was dropped in, a line for each that cannot be used, and installers, which are only shown."""
    if not folders:
        words = "The operator can name folders with agents and orchestrators of their own: the setting drop_ins."
        return [hint(words)]
    named = tuple(agents)
    return [
        hint(f"Looked for in {listing(tuple(folders))} when Planglass started."),
        el("p", "", f"Agents: {listing(named) or 'none'}."),
        *(problem(shorten(line)) for line in problems),
        *(_installer(name, text) for name, text in installers.items()),
    ]


def _installer(name: str, text: str) -> Node:
    shown = el("pre", "code", shorten(text, 4_000), tabindex="0", role="region", aria_label=f"install.sh of {name}")
    words = "Planglass never runs this: read it, and run it yourself if you want to."
    return folded(f"install.sh of {name}", hint(words), shown)
