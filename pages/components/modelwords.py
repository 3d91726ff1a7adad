"""What is said of a language model: when it is asked, what is sent, and what came of trying it."""

from __future__ import annotations

from catalog.model import Catalog
from dialogue.understanding.model.language_model import Trial
from dialogue.understanding.model.settings import Mode
from explain.grammar import listing, quote
from pages.components.sheet import Node, el, icon, shorten

MODES = {
    Mode.OFF: "Never",
    Mode.UNSURE: "When the assistant is not sure what is asked for",
    Mode.ALWAYS: "For everything that may be a request",
}
ADVICE = (
    "The assistant understands by itself, on this machine. A language model may help it: any that speaks OpenAI's "
    "interface, here or elsewhere. It only points at words; what they mean, the assistant works out as always.",
    "Sent are the sentence, with what looks sensitive blanked out, and the names of the catalog's goals and their "
    "arguments. Nothing is sent while something sensitive is being asked for.",
)


def outcome(picture: str, title: str, words: str, *more: Node) -> Node:
    """Say how something went, in a card."""
    return el(
        "div",
        "card outcome" if picture == "done" else "card outcome bad",
        el("h3", "", icon(picture), el("span", "", title)),
        el("p", "", words),
        *more,
        key="trial",
        role="status",
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
