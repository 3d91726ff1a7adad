"""The demo's scripts: whole conversations that play by themselves, with what to watch for beside each line."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.demos.banking.personas import ANN, EVA


@dataclass(frozen=True, slots=True)
class Line:
    """The next utterance, and what to watch for after it; `upload` names a sample picture."""

    say: str
    watch: str
    upload: str = ""
    ahead: str = ""
    """Shown before the line is said, where the line itself would reveal what is masked afterwards."""


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation to be played, with the catalog it is for."""

    title: str
    catalog: str
    lines: tuple[Line, ...]


_SSN = "the social security number"

SCRIPTS: dict[str, Script] = {
    "loan": Script(
        "A loan, as in the paper",
        "banking",
        (
            Line(
                "Hi, I'd like a loan",
                "Plan 1 has one step: ask for the decision. The planner only learns on trying that you cannot be asked "
                "for that; the step is taken out, and plan 2 gathers what the bank needs.",
            ),
            Line(
                f"It's {ANN.customer.email}, and I want to borrow $12,000",
                "One answer, two facts: the amount was not asked for yet, is kept, and will not be asked for again.",
            ),
            Line(
                "yes, go ahead",
                "The social security number is sensitive: consent is a step of the plan, and names what goes where.",
            ),
            Line(
                "why do you need that?",
                "Asking why in the middle of it: the answer follows the plan forward to the goal.",
            ),
            Line(
                ANN.ssn,
                "Three skills run, one after the other. The number itself stays masked everywhere.",
                ahead=_SSN,
            ),
            Line("no thanks", "The catalog declares a credit card as an extension of a loan; it was offered, once."),
            Line("what did you do?", "A summary from the landmarks: what every way to the goal had to pass through."),
            Line("how did you get my credit score?", "How walks back: which skill, from which facts, and those again."),
            Line("why did you need my address?", "Why walks forward: who used the address, on the way to what."),
            Line(
                "why was my loan approved?",
                "The skill's own attribution names the heaviest input; where that came from is told in turn.",
            ),
        ),
    ),
    "digression": Script(
        "A digression, and back",
        "banking",
        (
            Line("I want a loan", "The loan is put on the goal stack, and a plan is made for it."),
            Line(
                "Actually, I'd like a credit card first",
                "A second goal goes on top of the stack (see Goals). The loan waits below.",
            ),
            Line(ANN.customer.email, "The same fact serves both goals; it is asked for once."),
            Line("yes", "Consent, once for each skill."),
            Line(ANN.ssn, "The card is decided. The assistant falls back to the loan, and says so.", ahead=_SSN),
            Line("show me my spending", "Another digression; the chart is drawn into the chat, and the loan resumed."),
            Line("12k", "What was found out for the card is not asked for again: the loan is nearly done."),
            Line("what did you do?", "The summary is for the goal that ended last."),
        ),
    ),
    "picture": Script(
        "No record, so a picture",
        "banking",
        (
            Line("I want a loan of $14,000", "The shortest plan looks the customer up by e-mail."),
            Line(
                EVA.customer.email,
                "The bank has no record under that address: the outcome was not the planned one, the plan is dropped "
                "with its reason, and the address may be given again.",
            ),
            Line("eva.lindqvist@example.com", "A second miss uses up the tries: that way is never planned again."),
            Line("I don't know", "No account number either: the question is taken out, and another way is found."),
            Line(
                "",
                "A real OCR engine reads name, address and birth date off the card.",
                EVA.picture or "",
                "a picture of an ID card",
            ),
            Line("purple", "An answer that makes no sense is asked for again, with the reason."),
            Line("71k", "Amounts are understood as people write them."),
            Line("yes", "Consent for the credit check."),
            Line(EVA.ssn, "The decision is made from what the picture, the bureau and the user gave.", ahead=_SSN),
        ),
    ),
}
"""The scripts by the names that stand in addresses."""
