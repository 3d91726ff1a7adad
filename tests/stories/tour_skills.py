"""The skills of the tour: each puts what it gets into words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from catalog.skills import Result, SkillInput

_Skill = Callable[[Mapping[str, SkillInput]], Result]


def _say(outcome: str, fact: str, words: str) -> _Skill:
    return lambda values: Result(outcome, {fact: words.format_map(values)})


tell_weather = _say("found", "forecast", "sun in {city}")
mark_city = _say("marked", "mark", "A for {forecast}")
put_in_order = _say("done", "order", "in the order {marks}")
find_dates = _say("done", "dates", "the first week of {month}")
find_price = _say("done", "price", "300 euros, {dates}")
write_programme = _say("written", "programme", "A tour {order}: {price}")
