"""Skills of a theatre's box office: they act on nothing, and say what they would have done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalog.skills import Result

Inputs = Mapping[str, Any]


def sell_tickets(inputs: Inputs) -> Result:
    if inputs["show_day"] == "2026-12-31":
        return Result("sold_out")
    return Result("sold", {"tickets": f"order LS-310077, {inputs['seat_count']} seats for {inputs['play']}"})


def count_seats(inputs: Inputs) -> Result:
    return Result("counted", {"seats_left": "37"})


def find_order(inputs: Inputs) -> Result:
    if str(inputs["order_number"]).endswith("000000"):
        return Result("unknown")
    return Result("found", {"order": "two seats for Hamlet on 5 December"})


def exchange_tickets(inputs: Inputs) -> Result:
    if inputs["other_day"] == "2026-12-31":
        return Result("full")
    return Result("exchanged", {"exchange": f"{inputs['order_number']} is now for {inputs['other_day']}"})


def refund_tickets(inputs: Inputs) -> Result:
    if str(inputs["order_number"]).endswith("99"):
        return Result("too_late", {"refund": "the performance is over"})
    return Result("paid_back", {"refund": "$96 are on their way"})


def take_out_subscription(inputs: Inputs) -> Result:
    return Result("taken_out", {"membership": "number S-552"})


def book_group(inputs: Inputs) -> Result:
    return Result("booked", {"group_booking": f"G-18 for {inputs['group_size']} people"})


def list_programme(inputs: Inputs) -> Result:
    return Result("listed", {"programme": "Hamlet, Noises Off and Peter Pan"})


def look_price_up(inputs: Inputs) -> Result:
    price = {"stalls": "$48", "circle": "$39", "gallery": "$22", "box": "$75"}.get(str(inputs["area"]), "$48")
    return Result("found", {"ticket_price": price if "concession" not in inputs else f"{price}, less a quarter"})


def report_loss(inputs: Inputs) -> Result:
    return Result("noted", {"loss": "report P-64"})


def sell_voucher(inputs: Inputs) -> Result:
    return Result("sold", {"voucher": f"V-907 for {inputs['holder']}"})


def take_donation(inputs: Inputs) -> Result:
    return Result("taken", {"thanks": "D-33"})


def pass_comment(inputs: Inputs) -> Result:
    return Result("passed", {"comment_sent": "with the house manager"})
