"""Skills of the car workshop: they act on nothing, and say what they would have done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalog.skills import Result

Inputs = Mapping[str, Any]


def book_service(inputs: Inputs) -> Result:
    if str(inputs["day"]) == "2026-12-24":
        return Result("full")
    return Result("booked", {"appointment": "appointment G20417"})


def move_appointment(inputs: Inputs) -> Result:
    return Result("moved", {"new_appointment": f"{inputs['appointment_code']} on {inputs['day']}"})


def book_inspection(inputs: Inputs) -> Result:
    return Result("booked", {"inspection": "lane 2, number 77"})


def order_tyres(inputs: Inputs) -> Result:
    if inputs["tyres"] == "summer tyres" and int(inputs["tyre_count"]) > 4:
        return Result("sold_out")
    return Result("ordered", {"tyre_order": "order T-60"})


def lend_car(inputs: Inputs) -> Result:
    if str(inputs["licence"]).endswith("000"):
        return Result("licence_unknown")
    return Result("set_aside", {"courtesy": f"a {inputs['loan_car']}, key 9"})


def quote_repair(inputs: Inputs) -> Result:
    prices = {
        "brake pads": "$210",
        "clutch": "$940",
        "exhaust": "$380",
        "windscreen": "$460",
        "battery": "$150",
        "timing belt": "$620",
    }
    return Result("found", {"quote": prices[str(inputs["repair"])]})


def pay_invoice(inputs: Inputs) -> Result:
    return Result("paid", {"payment": "receipt 5520"})


def price_part(inputs: Inputs) -> Result:
    if str(inputs["part_number"]).endswith("000"):
        return Result("unknown")
    return Result("found", {"part_price": "$64"})


def order_part(inputs: Inputs) -> Result:
    return Result("ordered", {"part_order": "order N-15"})


def look_status_up(inputs: Inputs) -> Result:
    plate = str(inputs["plate"]).upper()
    if plate.endswith("000"):
        return Result("not_here")
    return Result("found", {"status": "It is on the lift, and will be ready at four."})


def list_work(inputs: Inputs) -> Result:
    return Result("listed", {"work_list": "An oil change and new wipers."})


def fetch_car(inputs: Inputs) -> Result:
    return Result("arranged", {"fetching": f"driver 3 comes on {inputs['day']}"})


def pass_message(inputs: Inputs) -> Result:
    return Result("passed", {"message_sent": "in the box"})
