"""The skills of the journey: small, but they really run."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.skills import Result, SkillInput

WEATHER = {"paris": "sun", "rome": "rain", "madrid": "wind"}
CALLS: list[tuple[str, dict[str, SkillInput]]] = []


def tell_weather(values: Mapping[str, SkillInput]) -> Result:
    CALLS.append(("weather", dict(values)))
    found = WEATHER.get(str(values["city"]).lower())
    return Result("unknown") if found is None else Result("found", {"forecast": f"{found} in {values['city']}"})


def explain_weather(values: Mapping[str, SkillInput], result: Result) -> dict[str, float]:
    return {"city": 1.0}


def book_flight(values: Mapping[str, SkillInput]) -> Result:
    CALLS.append(("flight", dict(values)))
    return Result("booked", {"flight_booking": f"to {values['flight_to']} on {values['flight_day']}"})


def explain_flight(values: Mapping[str, SkillInput], result: Result) -> dict[str, float]:
    assert "flight_booking" in result.facts
    return {"flight_to": 0.75, "flight_day": 0.25}


def book_hotel(values: Mapping[str, SkillInput]) -> Result:
    CALLS.append(("hotel", dict(values)))
    if values["city"] == "Atlantis":
        return Result("full")
    return Result("booked", {"hotel_booking": f"a room in {values['city']}"})
