"""Skills of the town library: they act on nothing, and say what they would have done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalog.skills import Result

Inputs = Mapping[str, Any]

NOT_HELD = {"the gilded fern", "salt and iron"}
WANTED = {"dune"}


def look_up(inputs: Inputs) -> Result:
    title = str(inputs["title"]).strip().lower()
    if title in NOT_HELD:
        return Result("not_held")
    shelf = sum(map(ord, title)) % 40 + 1
    return Result("found", {"shelf": f"shelf {shelf}", "record_number": f"rec {shelf + 500}"})


def renew(inputs: Inputs) -> Result:
    if str(inputs["title"]).strip().lower() in WANTED:
        return Result("wanted")
    return Result("renewed", {"renewal": f"{inputs['title']} until 16 December 2026"})


def reserve(inputs: Inputs) -> Result:
    return Result("reserved", {"reservation": f"{inputs['title']} at {inputs['branch']}"})


def list_loans(inputs: Inputs) -> Result:
    return Result(
        "listed", {"loan_list": f"You had three loans: Emma, Persuasion, Middlemarch ({inputs['loan_period']})."}
    )


def look_fees_up(inputs: Inputs) -> Result:
    if str(inputs["card_number"]).endswith("0000"):
        return Result("unknown_card")
    return Result("found", {"balance": "$7.50"})


def pay(inputs: Inputs) -> Result:
    return Result("paid", {"receipt": "receipt 318"})


def book_room(inputs: Inputs) -> Result:
    if str(inputs["room_day"]) == "2026-12-24":
        return Result("full")
    return Result("booked", {"room_booking": "R-4410"})


def change_room(inputs: Inputs) -> Result:
    return Result("moved", {"room_change": f"{inputs['booking_code']} on {inputs['room_day']}"})


def sign_up(inputs: Inputs) -> Result:
    return Result("signed_up", {"event_place": f"{inputs['event']}, list entry 12"})


def when_is(inputs: Inputs) -> Result:
    days = {
        "story hour": "on Saturdays at ten",
        "poetry evening": "on 3 December at seven",
        "coding club": "on Wednesdays at four",
        "author talk": "on 10 December at half past seven",
    }
    return Result("found", {"event_time": days[str(inputs["event"])]})


def replace_card(inputs: Inputs) -> Result:
    if str(inputs["birth_date"]).startswith("2000"):
        return Result("mismatch")
    return Result("replaced", {"new_card": "The new one is ready in two days."})


def open_when(inputs: Inputs) -> Result:
    hours = {"Market Square": "from nine to eight", "Harbour": "from ten to six", "Northgate": "from one to seven"}
    return Result("found", {"opening": hours[str(inputs["branch"])]})
