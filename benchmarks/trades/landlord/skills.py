"""Skills of the tenants' desk: they act on nothing, and say what they would have done."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from catalog.skills import Result

Inputs = Mapping[str, Any]


def _sunday(day: object) -> bool:
    return date.fromisoformat(str(day)).weekday() == 6


def look_up_tenancy(inputs: Inputs) -> Result:
    number = str(inputs.get("tenancy_number") or "")
    email = str(inputs.get("email") or "")
    if number.endswith("0000") or email.startswith("nobody"):
        return Result("no_record")
    return Result("found", {"tenancy": f"the tenancy of flat {len(number or email)}B"})


def order_repair(inputs: Inputs) -> Result:
    if _sunday(inputs["visit_day"]):
        return Result("no_slot")
    return Result("ordered", {"repair": f"RP-61204 ({inputs['repair_kind']}), on {inputs['visit_day']}"})


def move_visit(inputs: Inputs) -> Result:
    if str(inputs["ticket_number"]).endswith("0000"):
        return Result("unknown")
    if _sunday(inputs["visit_day"]):
        return Result("no_slot")
    return Result("moved", {"moved_visit": f"{inputs['ticket_number']} to {inputs['visit_day']}"})


def look_up_ticket(inputs: Inputs) -> Result:
    if str(inputs["ticket_number"]).endswith("0000"):
        return Result("unknown")
    return Result("found", {"repair_state": "waiting for a spare part"})


def take_rent(inputs: Inputs) -> Result:
    if str(inputs["card_number"]).endswith("0000"):
        return Result("refused")
    return Result("paid", {"rent_payment": f"payment 5512 of £{inputs['rent_amount']}"})


def list_rent(inputs: Inputs) -> Result:
    period = inputs["statement_period"]
    return Result("listed", {"statement": f"From {period['start']} to {period['end']} you paid £850 a month."})


def look_up_deposit(inputs: Inputs) -> Result:
    return Result("found", {"deposit": "Your deposit of £1275 is with the Beacon Scheme."})


def note_reading(inputs: Inputs) -> Result:
    if int(inputs["reading"]) < 100:
        return Result("too_low")
    return Result("noted", {"noted_reading": f"{inputs['reading']} for {inputs['meter']}"})


def order_keys(inputs: Inputs) -> Result:
    return Result("ordered", {"key_order": f"order K-77, {inputs['copies']} for the {inputs['key_kind']}"})


def take_notice(inputs: Inputs) -> Result:
    if date.fromisoformat(str(inputs["last_day"])) < date(2026, 12, 24):
        return Result("too_soon")
    return Result("accepted", {"notice": f"notice 308, until {inputs['last_day']}"})


def take_complaint(inputs: Inputs) -> Result:
    return Result("taken", {"complaint": f"complaint 46 about {inputs['topic']}"})


def register_occupant(inputs: Inputs) -> Result:
    return Result("registered", {"occupant": f"{inputs['occupant_name']} from {inputs['move_in_day']}"})


def arrange_call(inputs: Inputs) -> Result:
    return Result("arranged", {"callback": f"we call {inputs['caller_name']} at {inputs['phone']}"})
