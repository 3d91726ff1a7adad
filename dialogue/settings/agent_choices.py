"""What can be chosen about agents, as it is written in settings: who takes part, whom is preferred, what is learned.

All of it is text, so that it can be written on a command line and in a file. What cannot be read is a ValueError that
says what was found and what to write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from math import nan

from dialogue.agents.model import ASSISTANT, NOBODY
from dialogue.agents.orchestrators import FIGURES, OrchestratorOptions
from dialogue.agents.orchestrators.bandit import Profile
from dialogue.agents.orchestrators.preference import close

EXPLORE: Mapping[str, str] = {
    "thompson": "draws from what it believes (Thompson sampling)",
    "ucb": "takes what may be best (LinUCB)",
}
CALIBRATION: Mapping[str, str] = {
    "none": "confidences are taken as agents say them",
    "platt": "confidences are corrected by a curve of two figures (Platt scaling)",
    "isotonic": "confidences are corrected by steps that never fall (isotonic regression)",
}
"""How confidences can be corrected by what became of earlier choices."""


def read_names(text: str) -> tuple[str, ...]:
    """Read names that commas separate. Raises ValueError for one that no agent may have."""
    names = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if wrong := next((name for name in names if name in (NOBODY, ASSISTANT) or len(name) > _LONGEST), None):
        raise ValueError(f"{wrong[:_LONGEST]!r} is no agent that can be added: write names of catalogs or drop-ins")
    return names


_LONGEST = 80


def read_preferences(text: str) -> tuple[tuple[str, str], ...]:
    """Read pairs such as `find>guess, ask>find`. Raises ValueError for anything else, and for a cycle, with its names.

    A chain `find>ask>guess` stands for its pairs.
    """
    pairs: list[tuple[str, str]] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        names = [name.strip() for name in part.split(">")]
        if len(names) < 2 or not all(names):
            raise ValueError(f"{part[:_LONGEST]!r} is no preference: write NAME>OTHER, and commas between several")
        pairs += pairwise(names)
    found = tuple(dict.fromkeys(pairs))
    close(found)
    return found


def read_profile(text: str) -> Profile:
    """Read what the bandit starts from. Raises ValueError for what is none of the four."""
    kind, _, names = text.partition(":")
    agent, _, other = (part.strip() for part in names.partition(">"))
    match kind.strip(), bool(agent), bool(other):
        case "max" | "quiet" as plain, False, False:
            return Profile(kind=plain)
        case "ignore", True, False:
            return Profile(kind="ignore", agent=agent)
        case "prefer", True, True if agent != other:
            return Profile(kind="prefer", agent=agent, other=other)
    raise ValueError(f"{text[:_LONGEST]!r} is no profile: write max, quiet, ignore:NAME or prefer:NAME>OTHER")


def read_figures(text: str) -> dict[str, float]:
    """Read figures of orchestrators such as `s3.count=2, max.threshold=0.5`; those that are as usual are left out."""
    found: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, said = (one.strip() for one in part.partition("="))
        if (figure := FIGURES.get(name)) is None:
            raise ValueError(f"There is no figure {name[:_LONGEST]!r}. Write NAME=VALUE, of: {', '.join(FIGURES)}")
        whole = isinstance(figure.usual, int)
        try:
            value = int(said) if whole else float(said)
        except ValueError:
            value = nan
        if not figure.least <= value <= figure.most:
            kind = "a whole number" if whole else "a number"
            raise ValueError(
                f"{name} cannot be {said[:_LONGEST]!r}: write {kind} from {figure.least:g} to {figure.most:g}"
            )
        found[name] = value
    return {name: value for name, value in found.items() if value != FIGURES[name].usual}


def with_figures(text: str, orchestrator: str, words: Iterable[str]) -> str:
    """Return figures with some of them set anew: `count=2` of that orchestrator, or `s3.count=2`. Raises ValueError."""
    dotted = (word if "." in word.partition("=")[0] else f"{orchestrator}.{word}" for word in words)
    figures = read_figures(", ".join((text, *dotted)))
    return ", ".join(f"{name}={value:g}" for name, value in figures.items())


READ: Mapping[str, Callable[[str], object]] = {
    "agents": read_names,
    "preferences": read_preferences,
    "profile": read_profile,
    "figures": read_figures,
}
"""What reads the settings that are written in a form of their own; it raises ValueError."""


def options_of(choices: Mapping[str, str]) -> OrchestratorOptions:
    """Return what orchestrators are made with. Raises ValueError."""
    return OrchestratorOptions.model_validate(
        {
            "preferences": read_preferences(choices["preferences"]),
            "profile": read_profile(choices["profile"]),
            "explore": choices["explore"],
            "calibration": choices["calibration"],
            "figures": tuple(read_figures(choices["figures"]).items()),
        }
    )
