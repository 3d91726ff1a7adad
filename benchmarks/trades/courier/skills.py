"""Skills of the parcel service: they act on nothing, and say what they would have done."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from catalog.skills import Result

Inputs = Mapping[str, Any]


def _sunday(day: object) -> bool:
    return date.fromisoformat(str(day)).weekday() == 6


def _unknown(number: object) -> bool:
    return str(number).endswith("0000")


def track(inputs: Inputs) -> Result:
    if _unknown(inputs["tracking_number"]):
        return Result("unknown")
    return Result("found", {"whereabouts": "at the Harbour depot since this morning"})


def look_up_parcel(inputs: Inputs) -> Result:
    if _unknown(inputs["tracking_number"]):
        return Result("unknown")
    return Result("found", {"parcel": f"parcel {inputs['tracking_number']}"})


def book_pickup(inputs: Inputs) -> Result:
    if _sunday(inputs["pickup_day"]):
        return Result("no_van")
    return Result("booked", {"pickup": f"PU-7730, on {inputs['pickup_day']}"})


def change_pickup(inputs: Inputs) -> Result:
    if _unknown(inputs["pickup_number"]):
        return Result("unknown")
    return Result("moved", {"new_pickup": f"{inputs['pickup_number']} to {inputs['pickup_day']}"})


def look_up_price(inputs: Inputs) -> Result:
    base = {"Ireland": 6, "Europe": 14, "overseas": 32}[str(inputs["zone"])]
    extra = {"economy": 0, "standard": 3, "express": 11}[str(inputs.get("speed") or "standard")]
    return Result("found", {"price": f"€{base + extra + int(float(inputs['weight']))}"})


def change_day(inputs: Inputs) -> Result:
    if _sunday(inputs["delivery_day"]):
        return Result("no_round")
    return Result("changed", {"changed_day": f"{inputs['parcel']} comes on {inputs['delivery_day']}"})


def change_address(inputs: Inputs) -> Result:
    if "island" in str(inputs["new_address"]).lower():
        return Result("too_far")
    return Result("changed", {"changed_address": f"{inputs['parcel']} goes to {inputs['new_address']}"})


def pass_note(inputs: Inputs) -> Result:
    return Result("passed", {"passed_note": "on the driver's board"})


def store_parcel(inputs: Inputs) -> Result:
    if inputs["depot"] == "Northside":
        return Result("full")
    return Result("kept", {"storage": f"at {inputs['depot']} until {inputs['store_until']}"})


def look_up_times(inputs: Inputs) -> Result:
    times = {"Harbour": "from 8 to 18", "Airport": "from 6 to 22", "Northside": "from 9 to 17"}
    return Result("found", {"opening_times": times[str(inputs["depot"])]})


def permit(inputs: Inputs) -> Result:
    return Result("permitted", {"permit": f"permit 19 for {inputs['collector_name']}"})


def file_claim(inputs: Inputs) -> Result:
    if Decimal(str(inputs["claim_amount"])) > 500:
        return Result("too_much")
    return Result("filed", {"claim": f"claim CL-240 of €{inputs['claim_amount']}"})


def list_shipments(inputs: Inputs) -> Result:
    if str(inputs["customer_number"]).endswith("000"):
        return Result("no_account")
    period = inputs["list_period"]
    return Result("listed", {"shipments": f"Six parcels from {period['start']} to {period['end']}."})
