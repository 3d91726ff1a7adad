"""Skills of the catalogs `office` and `clinic`: each returns one declared outcome, the same for the same inputs."""

from __future__ import annotations

from collections.abc import Mapping

from catalog.skills import Result, SkillInput

Inputs = Mapping[str, SkillInput]

STRANGERS = {"nobody", "john doe"}
BILLS = {"318": "412.50", "319": "96.00", "402": "1280.00", "417": "59.90"}
PAID_INVOICES = {"1000", "1001"}
WAIVER_BELOW = 15000  # of yearly income a head


# ── office ──


def find_mail(inputs: Inputs) -> Result:
    """Find the mails of a sender."""
    sender = _text(inputs, "sender")
    if sender.lower() in STRANGERS:
        return Result("none")
    return Result("found", {"mails_found": f"Three mails from {sender}: Lunch, Offer, Re: Offer."})


def delete_mail(inputs: Inputs) -> Result:
    """Delete the mails of a sender."""
    return Result("deleted", {"mails_deleted": f"The mails from {_text(inputs, 'sender')} are deleted."})


def send_mail(inputs: Inputs) -> Result:
    """Send a mail."""
    return Result("sent", {"mail_sent": f"Sent to {_text(inputs, 'recipient')}."})


def set_auto_reply(inputs: Inputs) -> Result:
    """Switch the automatic reply on for a time."""
    return Result("set", {"auto_reply": f"On from {_text(inputs, 'away_from')} to {_text(inputs, 'away_until')}."})


def show_day(inputs: Inputs) -> Result:
    """Show a day of the calendar."""
    return Result("shown", {"agenda": f"On {_text(inputs, 'agenda_day')}: 9:00 team meeting, 15:00 dentist."})


def book_meeting(inputs: Inputs) -> Result:
    """Book a meeting; nine o'clock is always taken."""
    time = _text(inputs, "meeting_time")
    if time.lower().replace(" ", "") in {"9:00", "09:00", "9am"}:
        return Result("taken")
    return Result(
        "booked", {"meeting": f"Booked with {_text(inputs, 'guest')}, {_text(inputs, 'meeting_day')}, {time}."}
    )


def cancel_meeting(inputs: Inputs) -> Result:
    """Cancel a meeting."""
    if _text(inputs, "guest").lower() in STRANGERS:
        return Result("no_meeting")
    return Result("cancelled", {"meeting_cancelled": f"The meeting with {_text(inputs, 'guest')} is cancelled."})


def find_contact(inputs: Inputs) -> Result:
    """Look a contact up."""
    name = _text(inputs, "contact_name")
    if name.lower() in STRANGERS:
        return Result("unknown")
    mail = name.lower().replace(" ", ".") + "@example.org"
    return Result("found", {"contact_card": f"{name}, {mail}, 202-555-0110."})


def save_contact(inputs: Inputs) -> Result:
    """Write a contact, over what was there."""
    return Result("saved", {"contact_saved": f"{_text(inputs, 'contact_name')} is in the address book."})


def delete_contact(inputs: Inputs) -> Result:
    """Remove a contact."""
    return Result("deleted", {"contact_deleted": f"{_text(inputs, 'contact_name')} is removed from the address book."})


def list_invoices(inputs: Inputs) -> Result:
    """List the open invoices of a customer."""
    return Result(
        "listed", {"open_invoices": f"{_text(inputs, 'customer')}: INV-2041 over $450.00, INV-2050 over $80.00."}
    )


def write_invoice(inputs: Inputs) -> Result:
    """Write an invoice."""
    return Result("written", {"new_invoice": f"Invoice INV-2077 to {_text(inputs, 'customer')} is written and sent."})


def send_reminder(inputs: Inputs) -> Result:
    """Remind a customer of an invoice."""
    number = _digits(inputs, "invoice_number")
    if number in PAID_INVOICES:
        return Result("not_open")
    return Result("sent", {"reminder": f"A reminder of INV-{number} is sent."})


def void_invoice(inputs: Inputs) -> Result:
    """Void an invoice."""
    number = _digits(inputs, "invoice_number")
    if number in PAID_INVOICES:
        return Result("not_open")
    return Result("voided", {"invoice_voided": f"INV-{number} is void."})


def look_bill_up(inputs: Inputs) -> Result:
    """Look up what a bill comes to."""
    amount = BILLS.get(_digits(inputs, "bill_number"))
    return Result("unknown") if amount is None else Result("found", {"bill_amount": amount})


def pay_bill(inputs: Inputs) -> Result:
    """Pay a bill; a PIN of six zeros is wrong."""
    if _text(inputs, "pin") == "000000":
        return Result("wrong_pin")
    return Result("paid", {"payment": f"Bill B-{_digits(inputs, 'bill_number')} is paid."})


# ── clinic ──


def find_patient(inputs: Inputs) -> Result:
    """Find a patient's number by name and birth, or by insurance."""
    if "insurance_number" in inputs:
        return Result("found", {"patient_number": "P-2" + _digits(inputs, "insurance_number")[-4:]})
    if _text(inputs, "patient_name").lower() in STRANGERS:
        return Result("unknown")
    return Result("found", {"patient_number": "P-3" + _digits(inputs, "date_of_birth")[-4:]})


def register_patient(inputs: Inputs) -> Result:
    """Write a patient's record, over what was there."""
    number = "P-2" + _digits(inputs, "insurance_number")[-4:]
    said = f"{_text(inputs, 'patient_name')} is registered under {number}."
    return Result("registered", {"registration": said, "patient_number": number})


def find_times(inputs: Inputs) -> Result:
    """Find free times of a department on a day."""
    said = f"Free at {_text(inputs, 'department')} on {_text(inputs, 'appointment_day')}: 9:15, 10:30, 14:00."
    return Result("found", {"free_times": said})


def book_appointment(inputs: Inputs) -> Result:
    """Book an appointment; eight o'clock is always taken."""
    time = _text(inputs, "appointment_time")
    if time.lower().replace(" ", "") in {"8:00", "08:00", "8am"}:
        return Result("taken")
    said = f"Booked at {_text(inputs, 'department')}, {_text(inputs, 'appointment_day')}, {time}."
    return Result("booked", {"appointment": said})


def cancel_appointment(inputs: Inputs) -> Result:
    """Cancel what is booked on a day."""
    said = f"Your appointment on {_text(inputs, 'appointment_day')} is cancelled."
    return Result("cancelled", {"appointment_cancelled": said})


def list_appointments(inputs: Inputs) -> Result:
    """List a patient's appointments."""
    said = f"{_text(inputs, 'patient_number')}: dentistry on 14 December at 10:30, eye clinic on 20 January at 9:15."
    return Result("listed", {"appointment_list": said})


def renew_prescription(inputs: Inputs) -> Result:
    """Send a repeat prescription; allergy tablets are not prescribed."""
    medicine = _text(inputs, "medicine")
    if medicine == "cetirizine":
        return Result("not_prescribed")
    return Result("sent", {"prescription": f"A prescription for {medicine} is at {_text(inputs, 'pharmacy')}."})


def stop_prescription(inputs: Inputs) -> Result:
    """Take a medicine off the list."""
    return Result("stopped", {"prescription_stopped": f"{_text(inputs, 'medicine')} is off your list."})


def list_prescriptions(inputs: Inputs) -> Result:
    """List a patient's prescriptions."""
    return Result(
        "listed", {"prescription_list": f"{_text(inputs, 'patient_number')}: metformin, ramipril, salbutamol."}
    )


def change_address(inputs: Inputs) -> Result:
    """Put a new address on record."""
    return Result("changed", {"address_changed": f"Your address is now {_text(inputs, 'new_address')}."})


def change_phone(inputs: Inputs) -> Result:
    """Put a new phone number on record."""
    return Result("changed", {"phone_changed": f"Your number is now {_text(inputs, 'new_phone')}."})


def look_fees_up(inputs: Inputs) -> Result:
    """Look up what a patient owes."""
    return Result("found", {"fees_due": "64.00"})


def pay_fees(inputs: Inputs) -> Result:
    """Take the fees from a card; a card that ends in four zeros is refused."""
    if _digits(inputs, "card_number").endswith("0000"):
        return Result("refused")
    return Result("paid", {"fee_receipt": f"${_text(inputs, 'fees_due')} are paid, receipt R-5518."})


def decide_waiver(inputs: Inputs) -> Result:
    """Waive fees where the income a head is small."""
    verdict = "granted" if _a_head(inputs) < WAIVER_BELOW else "refused"
    return Result(verdict, {"waiver_decision": verdict})


def explain_waiver(inputs: Inputs, result: Result) -> dict[str, float]:
    """Weigh income and household: how far each moves the income a head from the limit, towards the outcome."""
    income, size = float(_text(inputs, "household_income")), float(_text(inputs, "household_size"))
    towards = 1.0 if result.outcome == "granted" else -1.0
    weights = {"household_income": towards * (WAIVER_BELOW - income) / WAIVER_BELOW}
    weights["household_size"] = towards * (income - income / size) / WAIVER_BELOW
    return {"patient_number": 0.0, **weights}


def write_sick_note(inputs: Inputs) -> Result:
    """Write a sick note."""
    said = f"Your sick note from {_text(inputs, 'sick_from')} to {_text(inputs, 'sick_until')} is ready."
    return Result("written", {"sick_note": said})


def certify_vaccination(inputs: Inputs) -> Result:
    """Certify a vaccination; yellow fever is on nobody's record."""
    vaccine = _text(inputs, "vaccine")
    if vaccine == "yellow fever":
        return Result("not_on_record")
    return Result("certified", {"vaccination_certificate": f"The certificate for {vaccine} is ready."})


def _a_head(inputs: Inputs) -> float:
    return float(_text(inputs, "household_income")) / float(_text(inputs, "household_size"))


def _text(inputs: Inputs, name: str) -> str:
    return str(inputs[name])


def _digits(inputs: Inputs, name: str) -> str:
    return "".join(letter for letter in _text(inputs, name) if letter.isdigit())
