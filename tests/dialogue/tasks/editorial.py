"""The skills of the newsroom, in a module that a worker process has soon loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from catalog.skills import Result, SkillInput


def _make(fact: str) -> Callable[[Mapping[str, SkillInput]], Result]:
    return lambda values: Result("done", {fact: f"{fact} of {', '.join(map(str, values.values()))}"})


mark, cut, join, lay = _make("marked"), _make("short"), _make("column"), _make("page")
fill = _make("short")
look, send = _make("proof"), _make("newsletter")
draw, print_it = _make("sketch"), _make("poster")
