"""Skills of the four catalogs: they act on nothing, and say what they would have done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalog.skills import Result

Inputs = Mapping[str, Any]


def find_cabin(inputs: Inputs) -> Result:
    kind = inputs.get("cabin_kind") or "small cabin"
    return Result("free", {"offer": f"a {kind} in {inputs['town']} at $110 a night."})


def book_cabin(inputs: Inputs) -> Result:
    return Result(
        "booked", {"booking": f"FC-7301 in {inputs['town']}, {inputs['nights']} nights from {inputs['arrival']}."}
    )


def cancel_booking(inputs: Inputs) -> Result:
    code = str(inputs["booking_code"])
    if code.endswith("0000"):
        return Result("unknown")
    return Result("cancelled", {"cancellation": f"The booking {code} is cancelled."})


def write_host(inputs: Inputs) -> Result:
    return Result("sent", {"sent": f"Sent to the host of {inputs['booking_code']}: {inputs['message']}"})


def list_ferries(inputs: Inputs) -> Result:
    return Result("listed", {"ferries": f"Ferries to {inputs['town']} leave at 8:15, 12:40 and 17:05."})


def order_van(inputs: Inputs) -> Result:
    return Result(
        "ordered", {"pick_up": f"The van comes on {inputs['van_day']} and takes you to {inputs['destination']}."}
    )


def change_plan(inputs: Inputs) -> Result:
    return Result("changed", {"plan_change": f"You have {inputs['plan']} from {inputs['start_day']}."})


def check_identity(inputs: Inputs) -> Result:
    if str(inputs["id_number"]).endswith("000000"):
        return Result("unknown")
    return Result("known", {"identity": "in the register"})


def order_sim(inputs: Inputs) -> Result:
    return Result("ordered", {"sim_order": "Your SIM is ordered, as order S-881."})


def port_number(inputs: Inputs) -> Result:
    return Result("begun", {"porting": f"We have asked {inputs['old_carrier']} for your number."})


def add_credit(inputs: Inputs) -> Result:
    return Result("added", {"topped_up": f"{inputs['credit']} of credit was added."})


def report_fault(inputs: Inputs) -> Result:
    return Result("reported", {"report": f"Your fault is taken down as F-512: {inputs['fault']}"})


def show_usage(inputs: Inputs) -> Result:
    return Result("shown", {"usage": "You have used 3.2 GB and 41 minutes this month."})


def book_stay(inputs: Inputs) -> Result:
    return Result("booked", {"stay": "stay 81"})


def send_walker(inputs: Inputs) -> Result:
    return Result("ordered", {"walk": "walk 23"})


def pin_note(inputs: Inputs) -> Result:
    return Result("pinned", {"note_sent": "on the board"})


def look_price_up(inputs: Inputs) -> Result:
    return Result(
        "found",
        {"price": {"standard run": "$25", "heated room": "$38", "garden suite": "$52"}.get(str(inputs["room"]), "$25")},
    )


def put_notice_up(inputs: Inputs) -> Result:
    return Result("up", {"notice": "on the board by the gate"})


def enrol(inputs: Inputs) -> Result:
    return Result("enrolled", {"enrolment": "place 17"})


def check_discount(inputs: Inputs) -> Result:
    return Result("told", {"discount": "half of the fee"})


def order_certificate(inputs: Inputs) -> Result:
    return Result("ordered", {"certificate": "print 64"})


def mail_teacher(inputs: Inputs) -> Result:
    return Result("sent", {"message_sent": "on its way"})


def look_timetable_up(inputs: Inputs) -> Result:
    return Result("found", {"timetable": "on Tuesdays at seven"})


def report_loss(inputs: Inputs) -> Result:
    return Result("noted", {"lost_report": "number 5"})
