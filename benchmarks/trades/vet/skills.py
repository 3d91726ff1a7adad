"""Skills of a veterinary practice: they act on nothing, and say what they would have done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalog.skills import Result

Inputs = Mapping[str, Any]


def book_visit(inputs: Inputs) -> Result:
    if inputs["visit_day"] == "2026-12-24":
        return Result("full")
    return Result("booked", {"appointment": f"HV-4410, {inputs['pet_name']} on {inputs['visit_day']}"})


def move_visit(inputs: Inputs) -> Result:
    if str(inputs["visit_code"]).endswith("0000"):
        return Result("unknown")
    return Result("moved", {"moved_visit": f"{inputs['visit_code']} is now on {inputs['new_day']}"})


def cancel_visit(inputs: Inputs) -> Result:
    if str(inputs["visit_code"]).endswith("0000"):
        return Result("unknown")
    return Result("cancelled", {"cancelled_visit": f"The visit {inputs['visit_code']} is cancelled"})


def list_free_times(inputs: Inputs) -> Result:
    return Result("listed", {"free_times": "9:20, 11:40 and 16:00"})


def book_vaccination(inputs: Inputs) -> Result:
    return Result("booked", {"vaccination": f"{inputs['vaccine']} for {inputs['pet_name']}, slot V7"})


def find_patient(inputs: Inputs) -> Result:
    if str(inputs["owner_phone"]).endswith("0000"):
        return Result("unknown")
    return Result("found", {"patient_file": f"file of {inputs['pet_name']}"})


def list_due_shots(inputs: Inputs) -> Result:
    return Result("listed", {"shots_due": "rabies on 14 January 2027, distemper in June 2027"})


def order_refill(inputs: Inputs) -> Result:
    if str(inputs["medicine"]).lower() == "tramadol":
        return Result("visit_needed")
    return Result("ordered", {"refill": "order R-208, ready tomorrow at noon"})


def read_lab_result(inputs: Inputs) -> Result:
    if str(inputs.get("sample_number", "")).endswith("00000"):
        return Result("unknown")
    return Result("ready", {"lab_result": "kidney values slightly raised"})


def look_price_up(inputs: Inputs) -> Result:
    prices = {"check-up": "$55", "dental cleaning": "$210", "neutering": "$180", "X-ray": "$120", "microchip": "$35"}
    return Result("found", {"price": prices.get(str(inputs["treatment"]), "$55")})


def reserve_place(inputs: Inputs) -> Result:
    return Result("reserved", {"recovery_place": "bed 3"})


def file_claim(inputs: Inputs) -> Result:
    if float(str(inputs["bill_amount"])) > 5000:
        return Result("refused", {"claim": "bills over $5,000 need a second opinion"})
    return Result("filed", {"claim": "handed in as C-771"})


def pass_message(inputs: Inputs) -> Result:
    return Result("passed", {"message_sent": "in the inbox"})
