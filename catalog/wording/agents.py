"""Who acts: why an agent was chosen or not, why one gave no answer, and what people made of suggestions.

Agents, reasons and reactions are plain values here, as they stand in the log. Names come from catalogs and drop-ins:
they are data. Two figures that are held against each other are written with as many decimals as tell them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from catalog.wording.grammar import clean, listing

_FEWEST, _MOST = 2, 6
"""Decimals of figures."""


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """The figures of a verdict, ready for a sentence: `score`, what it is held `against`, and the `other` agent.

    `drawn` says whether an estimate was drawn at random; else it is an upper bound. `silence` says why there was no
    answer, and `even` whether the two figures are equal.
    """

    score: str
    against: str
    other: str
    even: bool
    drawn: bool
    silence: str


def agent_name(agent: str) -> str:
    """Name an agent in a sentence; doing nothing is one, too."""
    known = {"assistant": "the assistant", "nobody": "doing nothing"}
    return known.get(agent) or clean(agent) or "an agent without a name"


def figures(score: float, against: float) -> tuple[str, str]:
    """Write two figures with the fewest decimals that tell them apart: 0.62 and 0.71, but 0.704 and 0.705."""
    for decimals in range(_FEWEST, _MOST + 1):
        written = f"{score:.{decimals}f}", f"{against:.{decimals}f}"
        if written[0] != written[1]:
            return written
    return figure(score), figure(against)


def figure(score: float) -> str:
    return f"{score:.{_FEWEST}f}"


def _below(words: VerdictWords) -> str:
    if words.even:
        return f"{words.score} is not above its threshold, {words.against}"
    return f"{words.score} < {words.against}, its threshold"


def _drew_most(words: VerdictWords) -> str:
    return f"drew {words.score}, the most" if words.drawn else f"its upper bound, {words.score}, is the highest"


def _drew_less(words: VerdictWords) -> str:
    if words.even:
        return f"{'drew' if words.drawn else 'has the upper bound'} {words.score}, as the chosen one before it did"
    if words.drawn:
        return f"drew {words.score}, the chosen drew {words.against}"
    return f"its upper bound is {words.score}, that of the chosen {words.against}"


def _beyond(words: VerdictWords) -> str:
    how = "with the same score" if words.even else f"{words.score} < {words.against}"
    return f"as many as may act come before it: {how}"


VERDICTS: Mapping[str, Callable[[VerdictWords], str]] = {
    "best": lambda words: f"{words.score}, the highest score",
    "selected": lambda words: f"{words.score} ≥ {words.against}, and among the first",
    "drew_most": _drew_most,
    "forced": lambda _: "you asked for it",
    "answers_its_question": lambda _: "it had asked, and this is the answer",
    "plans": lambda _: "it plans, and has something to offer",
    "planner_first": lambda _: "the assistant that plans comes first",
    "lower": lambda words: f"{words.score} < {words.against}",
    "tie": lambda words: f"declared after {words.other}, with the same score",
    "below_threshold": _below,
    "another_preferred": lambda words: f"preference: {words.other} before it",
    "drew_less": _drew_less,
    "beyond_count": _beyond,
    "not_called_for": lambda words: f"you asked for {words.other}",
    "anothers_question": lambda words: f"the answer to a question of {words.other}",
    "silent": lambda words: words.silence,
}
"""A phrase for each reason why an agent was chosen, or was not."""

SILENCES: Mapping[str, str] = {
    "nothing_to_offer": "has nothing to offer",
    "not_asked": "not asked: its filter turned this away",
    "timed_out": "cut off: no answer in time",
    "raised": "failed with an error",
    "invalid": "gave no valid answer",
    "side_effect": "left out: its preview would have had an effect",
}
"""A phrase for each reason why an agent gave no answer."""

REACTIONS: Mapping[str, str] = {
    "followed": "followed",
    "edited": "followed with changes",
    "dismissed": "dismissed",
    "ignored": "not followed",
    "thumbs_up": "marked as good",
    "thumbs_down": "marked as bad",
}
"""A phrase for each reaction of a person."""


def say_verdict(
    agent: str,
    why: str,
    score: float | None = None,
    against: float | None = None,
    other: str | None = None,
    *,
    drawn: bool = True,
    silence: str = "",
) -> str:
    """Say in a phrase why an agent was chosen, or was not: "0.62 < 0.71".

    `silence` is `say_silence` of an agent that gave no answer. `drawn` says whether estimates were drawn at random.
    """
    if why not in VERDICTS:
        return clean(why.replace("_", " "))
    if why == "another_preferred" and other:
        return f"preference: {clean(other)} before {clean(agent)}"
    even = score is not None and score == against
    written = figures(score, against) if score is not None and against is not None else None
    return VERDICTS[why](
        VerdictWords(
            score=written[0] if written else _written(score),
            against=written[1] if written else _written(against),
            other=agent_name(other) if other else "another one",
            even=even,
            drawn=drawn,
            silence=silence or "gave no answer",
        )
    )


def _written(score: float | None) -> str:
    return "no score" if score is None else figure(score)


def say_silence(reason: str, detail: str = "", took_ms: float | None = None) -> str:
    """Say why an agent gave no answer: "cut off after 2 s". `detail` is what the agent, or the check of it, said."""
    if reason == "timed_out" and took_ms:
        return f"cut off after {say_duration(took_ms)}"
    said = SILENCES.get(reason) or clean(reason.replace("_", " "))
    return f"{said} ({clean(detail, 160)})" if detail.strip() else said


def say_reaction(reaction: str | None) -> str:
    return "no reaction yet" if reaction is None else REACTIONS.get(reaction) or clean(reaction.replace("_", " "))


def say_duration(milliseconds: float) -> str:
    if milliseconds < 1:
        return "under 1 ms"
    return f"{milliseconds:.0f} ms" if milliseconds < 999.5 else f"{milliseconds / 1_000:.3g} s"


def say_chosen(agents: Sequence[str], orchestrator: str) -> str:
    names = tuple(clean(agent) if agent != "assistant" else agent_name(agent) for agent in agents)
    if not names:
        return f"{clean(orchestrator)} chose no agent."
    return f"{clean(orchestrator)} chose {listing(names)}{', in this order' if len(names) > 1 else ''}."


def say_order(unmet: Mapping[str, Sequence[str]]) -> str:
    if not unmet:
        return "Each acts after those that make known what it needs."
    lacking = [f"{agent_name(agent)} needs {listing(tuple(map(clean, facts)))}" for agent, facts in unmet.items()]
    return f"No order gives each what it needs, so they act as they were selected: {listing(tuple(lacking))}."
