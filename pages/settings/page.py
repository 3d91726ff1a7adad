"""Settings: what the assistant runs with, and the language model that may help, where somebody wants one."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, replace

import streamlit as st

from catalog.model import Catalog
from dialogue.services.settings import SettingsError
from language.llm.client import HOW_TO_INSTALL, is_installed
from language.llm.consultation import NotInstalled
from language.llm.language_model import Trial
from language.llm.settings import Mode, ModelSettings, Unfit
from language.responses.grammar import listing, quote
from pages.settings.choices import draw_all, draw_choices, draw_conversation, fixed_by, outcome
from pages.shell import address
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, shorten
from pages.shell.waiting import result_of

MODES = {
    Mode.OFF: "Never",
    Mode.UNSURE: "When the assistant is not sure what is asked for",
    Mode.ALWAYS: "For everything that may be a request",
}
ADVICE = (
    "The assistant understands by itself, on this machine. A language model may help it: any that speaks OpenAI's "
    "interface, here or elsewhere. It only points at words; what they mean, the assistant works out as always.",
    "It is sent the sentence, with what looks sensitive blanked out, and the names of the catalog's goals and their "
    "arguments. Nothing is sent while something sensitive is being asked for.",
)


def describe_trial(catalog: Catalog, trial: Trial) -> Node:
    """Say what came of trying a model on a sentence."""
    consulted = trial.consulted
    asked = f"It was asked about {quote(trial.text)}, in {catalog.label}"
    took = f"{consulted.seconds:.1f} s"
    if consulted.found is not None:
        marked = [
            f"{catalog.goals[request.goal].label}"
            + (f" ({listing(tuple(quote(value.span.text) for value in request.values))})" if request.values else "")
            for request in consulted.found
        ]
        words = f"{asked}, and marked in {took}: {'; '.join(marked)}." if marked else f"{asked}, and marked nothing."
        return outcome("done", "It answers", words)
    trouble = f"{consulted.trouble[:1].upper()}{consulted.trouble[1:]}."
    if not trial.reached:
        words = f"{trouble} Check the base URL, the model and the key, and that the server runs."
        return outcome("problem", "There was no answer", words)
    objections = [objection.told for objection in consulted.tries[-1].objections]
    return outcome(
        "problem",
        "It answers, but not usefully",
        f"{asked}. It took {took}, and was of no use: {consulted.trouble}. The assistant would go on without it.",
        el("ul", "small", [el("li", "", shorten(objection, 200)) for objection in objections]) if objections else "",
    )


_WIDTH = 760
_KEPT = "Keep the key on this machine, in a file that only you can read"


@dataclass(frozen=True, slots=True)
class _Entered:
    settings: ModelSettings
    keep_key: bool
    save: bool
    try_it: bool


def _ask_for(now: ModelSettings, fixed: frozenset[str]) -> _Entered:
    """Draw the form; the key that is set never goes to the browser."""
    turn = st.session_state.setdefault("key_turn", 0)  # a field that was sent is drawn afresh, and empty
    with st.form("language-model", border=True, enter_to_submit=False):
        mode = st.radio(
            "When is it asked?",
            list(MODES),
            index=list(MODES).index(now.mode),
            format_func=MODES.__getitem__,
            disabled="llm.mode" in fixed,
            help=fixed_by("llm.mode"),
        )
        url = st.text_input(
            "Base URL",
            now.url,
            placeholder="http://127.0.0.1:8080/v1",
            disabled="llm.url" in fixed,
            help=fixed_by("llm.url") or "Where a server with OpenAI's interface listens; mostly it ends in /v1.",
        )
        model = st.text_input(
            "Model",
            now.model,
            placeholder="as its server calls it",
            disabled="llm.model" in fixed,
            help=fixed_by("llm.model"),
        )
        key = st.text_input(
            "Key",
            type="password",
            key=f"llm-key-{turn}",
            placeholder="a key is set; type here to replace it" if now.key else "none; many local servers need none",
            disabled="llm.key" in fixed,
            help=fixed_by("llm.key"),
            autocomplete="off",
        )
        keep_key = st.checkbox(_KEPT, disabled="llm.key" in fixed)
        with st.container(horizontal=True, gap="small"):
            save = st.form_submit_button("Save", type="primary")
            try_it = st.form_submit_button("Try it")
            forget = (
                bool(now.key) and "llm.key" not in fixed and st.form_submit_button("Forget the key", type="tertiary")
            )
    entered = replace(
        now, mode=mode, url=url.strip(), model=model.strip(), key="" if forget else key.strip() or now.key
    )
    return _Entered(entered, keep_key, save or forget, try_it)


def _sample() -> tuple[Catalog, str] | None:
    """Find a sentence to try a model on: the longest example of a goal, of the first catalog that has one."""
    for name in services().catalogs():
        catalog = services().loaded(name).catalog
        examples = [example for goal in catalog.goals.values() for example in goal.examples]
        if examples:
            return catalog, max(examples, key=len)
    return None


def _try(entered: ModelSettings) -> None:
    """Ask once, in the background, with what is in the form, saved or not."""
    sample = _sample()
    if sample is None:
        st.session_state["trial"] = outcome("problem", "There is nothing to try it on", "No catalog has an example.")
        return
    st.session_state["trial"] = sample[0], services().try_language_model(entered, *sample)


def _trial() -> Node | None:
    """Return what came of saving or trying last, as soon as it is known."""
    trial: Node | tuple[Catalog, Future[Trial]] | None = st.session_state.get("trial")
    if not isinstance(trial, tuple):
        return trial
    catalog, job = trial
    try:
        limit_s = services().language_model.settings.limit_s
        answer = result_of(job, "trial", "Asking the model", f"It takes {limit_s:g} seconds at most.")
        if answer is None:
            return None
        done = describe_trial(catalog, answer)
    except (Unfit, NotInstalled) as error:
        done = outcome("problem", "It could not be asked", str(error))
    st.session_state["trial"] = done
    return done


def _save(entered: _Entered) -> None:
    try:
        changes = {f"llm.{name}": getattr(entered.settings, name) for name in ("mode", "url", "model", "key")}
        services().change_settings(changes, keep_secrets=entered.keep_key)
    except SettingsError as error:
        st.session_state["trial"] = outcome("problem", "Not saved", str(error))
        return
    except OSError as error:
        words = f"The data directory could not be written to ({error.strerror}). Until Planglass ends, it is used."
        st.session_state["trial"] = outcome("problem", "Used, but not kept", words)
        return
    now = services().language_model.settings
    words = "No model is asked." if now.mode is Mode.OFF else f"From now on, {MODES[now.mode].lower()}."
    st.session_state["trial"] = outcome("done", "Saved", words)


def main() -> None:
    """Draw the page."""
    draw("bar-name", [el("div", "barname", el("h1", "", "Settings"), el("small", "", "what the assistant runs with"))])
    with st.container(width=_WIDTH):
        draw_choices()
        session_id = address.session_id()
        if session_id is not None:
            draw_conversation(session_id)
        _draw_model()
        draw_all()


def _draw_model() -> None:
    language_model = services().language_model
    now = language_model.settings
    draw("model-intro", [el("h2", "", "Language model"), *(el("p", "hint", words) for words in ADVICE)], cls="panel")
    if not is_installed():
        draw(
            "model-missing",
            [outcome("problem", "The packages for this are not installed", HOW_TO_INSTALL)],
            cls="panel",
        )
    entered = _ask_for(now, services().configuration.fixed)
    if entered.save or entered.try_it:
        if entered.save:
            _save(entered)
            st.session_state["key_turn"] += 1
        else:
            _try(entered.settings)
        st.rerun()
    if now.exposes_key:
        words = (
            "The base URL begins with http://, so the key can be read on its way. Use https:// if the server has it."
        )
        draw("model-exposed", [outcome("problem", "The key travels in the open", words)], cls="panel")
    trial = _trial()
    if trial is not None:
        draw("model-trial", [trial], cls="panel", show="trial")


main()
