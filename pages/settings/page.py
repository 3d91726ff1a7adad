"""Settings: what the assistant runs with, and the language model that may help, where one is wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st
from pydantic import JsonValue

from catalog.model import Catalog
from catalog.wording.grammar import listing, quote
from dialogue.services import UnknownCatalog, UnknownSession
from dialogue.settings import (
    CHOICES,
    FILE,
    PER_CONVERSATION,
    SETTINGS,
    SettingsError,
    installed,
    not_installed,
)
from language.languages import LANGUAGES
from language.llm.client import HOW_TO_INSTALL, is_installed
from language.llm.consultation import ModelPackagesMissing
from language.llm.language_model import Trial
from language.llm.settings import ModelSettings, ModelUse, UnfitSetting
from pages.settings.form import SettingsScope
from pages.shell import address
from pages.shell.clicks import submitted
from pages.shell.frame import bar, result_of
from pages.shell.root import services
from pages.shell.sheet import Node, draw, el, folded, hint, icon, row, shorten, table

_NAMES = {
    "engine": {"native": "native, built in"},
    "understander": {"model": "Rules, and a language model where one is set up", "offline": "Rules alone"},
    "language": {name: language.label for name, language in LANGUAGES.items()},
}
_OFFERED = tuple(name for name in PER_CONVERSATION if name in CHOICES)
"""What a conversation may choose from a list; the rest is text, and is written on the page Orchestrators."""
_DONE = "settings-done"
_CHOSEN = "settings-chosen"


def outcome(picture: str, title: str, words: str, *more: Node, key: str = "trial") -> Node:
    return el(
        "div",
        "card outcome" if picture == "done" else "card outcome bad",
        el("h3", "", icon(picture), el("span", "", title)),
        el("p", "", words),
        *more,
        key=key,
        role="status",
    )


def draw_choices() -> None:
    scope = SettingsScope()
    draw("choices-head", [el("h2", "", "All conversations")])
    with st.form("choices", border=True, enter_to_submit=False):
        entered = {
            name: scope.ask(name, partial(say_choice, name))
            for name in (*_OFFERED, "language")
            if len(installed(name)) > 1
        }
        if missing := not_installed():
            draw("choices-missing", [hint(f"Not installed: {listing(tuple(missing))}.")])
        with st.expander("Limits"):
            entered |= {name: scope.ask(name) for name in SETTINGS if name.startswith("limits.")}
        save = submitted("Save choices", key="choices-save", type="primary")
    if save:
        changes = {name: value for name, value in entered.items() if value != scope.values[name]}
        words = "They are used from now on, by conversations that are open, too." if changes else "Nothing was changed."
        st.session_state[_DONE] = _save("choices", changes, lambda: words)
        st.rerun()
    if (done := st.session_state.get(_DONE)) is not None:
        draw("choices-done", [done])


def say_choice(name: str, choice: str) -> str:
    return _NAMES.get(name, {}).get(choice, choice)


_TITLES = {"choices": ("Choices not saved", "Choices saved", "they are"), "trial": ("Not saved", "Saved", "it is")}


def _save(key: str, changes: Mapping[str, JsonValue], words: Callable[[], str], *, keep_secrets: bool = True) -> Node:
    """Use other settings from now on; return the result, which `words` tell where all went well."""
    refused, saved, used = _TITLES[key]
    try:
        services().change_settings(changes, keep_secrets=keep_secrets)
    except SettingsError as error:
        return outcome("problem", refused, str(error), key=key)
    except OSError as error:
        told = f"The data directory could not be written to ({error.strerror or error}). Until the end, {used} used."
        return outcome("problem", "Used, but not kept", told, key=key)
    return outcome("done", saved, words(), key=key)


def draw_conversation(session_id: str) -> None:
    """Draw what the open conversation runs with; it may have parts of its own."""
    try:
        conversation = services().snapshot(session_id).conversation
    except (UnknownSession, UnknownCatalog):
        return
    words = (
        f"Conversation {session_id[:4]}, {conversation.setup.title}. It may run with something else than all others."
    )
    draw("own-head", [el("h2", "", "This conversation"), hint(words)])
    with st.form("own-choices", border=True, enter_to_submit=False):
        entered = {
            name: _ask_own(name, conversation.setup.choices.get(name, ""))
            for name in _OFFERED
            if len(installed(name)) > 1 or name in conversation.setup.choices
        }
        use = submitted("Use here", key="own-choices-use")
    if use:
        services().choose(session_id, entered)
        words = "It is used from the next message on."
        card = outcome("done", "Chosen for this conversation", words, key="own-choices")
        st.session_state[_CHOSEN] = session_id, card
        st.rerun()
    chosen, done = st.session_state.get(_CHOSEN, ("", None))
    if done is not None and chosen == session_id:
        draw("own-done", [done])


def _ask_own(name: str, own: str) -> str | None:
    """Let one part be chosen for one conversation; None: the same as for all."""
    names: list[str] = ["", *installed(name)]
    usual = f"As above: {say_choice(name, getattr(services().settings, name))}"
    at = names.index(own) if own in names else 0
    label = f"{SETTINGS[name].label} here"
    return st.selectbox(label, names, at, lambda one: say_choice(name, one) if one else usual) or None


def draw_all() -> None:
    """List every setting, with its value and where it came from."""
    rows = [
        row(el("code", "", one.name), one.shown, one.origin, el("code", "", one.variable))
        for one in services().configuration.rows()
    ]
    words = (
        "A value comes from the command line, else from the environment, else from "
        f"{FILE} in the data directory, which this page writes, else it is the default."
    )
    listed = table(("Setting", "Value", "From", "Variable"), rows)
    draw("all-settings", [folded("All settings", hint(words), listed)])


MODES = {
    ModelUse.OFF: "Never",
    ModelUse.UNSURE: "When the assistant is not sure what is asked for",
    ModelUse.ALWAYS: "For everything that may be a request",
}
ADVICE = (
    "The assistant understands by itself, on this machine. A language model may help it: any that speaks OpenAI's "
    "interface, here or elsewhere. It only points at words; what they mean, the assistant works out as always.",
    "It is sent the sentence, with what looks sensitive blanked out, and the names of the catalog's goals and their "
    "arguments. Nothing is sent while something sensitive is being asked for.",
)


def describe_trial(catalog: Catalog, trial: Trial) -> Node:
    """Say how trying a model on a sentence went."""
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


def _ask_for(now: ModelSettings) -> _Entered:
    """Draw the form; the key that is set never goes to the browser."""
    turn = st.session_state.setdefault("key_turn", 0)  # a field that was sent is drawn afresh, and empty
    held = SettingsScope().held
    replaced = "a key is set; type here to replace it" if now.key else "none; many local servers need none"
    with st.form("language-model", border=True, enter_to_submit=False):
        mode = st.radio(
            "When is it asked?", list(MODES), list(MODES).index(now.mode), MODES.__getitem__, **held("llm.mode")
        )
        tip = "Where a server with OpenAI's interface listens; mostly it ends in /v1."
        url = st.text_input("Base URL", now.url, placeholder="http://127.0.0.1:8080/v1", **held("llm.url", tip))
        model = st.text_input("Model", now.model, placeholder="as its server calls it", **held("llm.model"))
        secret: dict[str, Any] = {"type": "password", "key": f"llm-key-{turn}", "autocomplete": "off"}
        key = st.text_input("Key", placeholder=replaced, **secret, **held("llm.key"))
        keep_key = st.checkbox(_KEPT, disabled=held("llm.key")["disabled"])
        with st.container(horizontal=True, gap="small"):
            save = submitted("Save", key="llm-save", type="primary")
            try_it = submitted("Try it", key="llm-try")
            may_forget = bool(now.key) and not held("llm.key")["disabled"]
            forget = may_forget and submitted("Forget the key", key="llm-forget", type="tertiary")
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
    """Return the result of saving or trying last, as soon as it is known."""
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
    except (UnfitSetting, ModelPackagesMissing) as error:
        done = outcome("problem", "It could not be asked", str(error))
    st.session_state["trial"] = done
    return done


def _save_model(entered: _Entered) -> None:
    changes = {f"llm.{name}": getattr(entered.settings, name) for name in ("mode", "url", "model", "key")}
    st.session_state["trial"] = _save("trial", changes, _say_mode, keep_secrets=entered.keep_key)


def _say_mode() -> str:
    mode = services().language_model.settings.mode
    return "No model is asked." if mode is ModelUse.OFF else f"From now on, {MODES[mode].lower()}."


def main() -> None:
    bar("Settings", "what the assistant runs with")
    with st.container(width=_WIDTH):
        for name, told in services().configuration.problems.items():
            draw(f"settings-problem-{name}", [outcome("problem", "A setting that cannot be used", told)])
        draw_choices()
        session_id = address.session_id()
        if session_id is not None:
            draw_conversation(session_id)
        _draw_model()
        draw_all()


def _draw_model() -> None:
    language_model = services().language_model
    now = language_model.settings
    draw("model-intro", [el("h2", "", "Language model"), *(hint(words) for words in ADVICE)])
    if not is_installed():
        draw("model-missing", [outcome("problem", "The packages for this are not installed", HOW_TO_INSTALL)])
    entered = _ask_for(now)
    if entered.save or entered.try_it:
        if entered.save:
            _save_model(entered)
            st.session_state["key_turn"] += 1
        else:
            _try(entered.settings)
        st.rerun()
    if now.exposes_key:
        words = (
            "The base URL begins with http://, so the key can be read on its way. Use https:// if the server has it."
        )
        draw("model-exposed", [outcome("problem", "The key would be sent unencrypted", words)])
    trial = _trial()
    if trial is not None:
        draw("model-trial", [trial], show="trial")


if __name__ == "__main__":
    main()
