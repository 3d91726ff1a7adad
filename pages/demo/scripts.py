"""The conversations that the demo plays: what is said, what to watch for, and what the inspector shows then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from catalog.demos.banking.personas import ANN, CHLOE, EVA
from pages.shell.address import View


@dataclass(frozen=True, slots=True)
class Line:
    """The next utterance, and what to watch for after it; `upload` names a sample picture, `alert` an event.

    `panel`, `select` and `ask` are what the inspector shows then; `both` puts the old and the new plan side by side.
    A line that answers a question (`to`: what that is about) is passed over where nothing of the kind is asked.
    """

    say: str
    watch: str
    upload: str = ""
    ahead: str = ""
    """Shown before the line is said, where the line itself would reveal what is masked afterwards."""
    alert: str = ""
    to: str = ""
    panel: str = "plan"
    select: str = ""
    ask: View = "how"
    both: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation to be played, with the catalog it is for; `then` names the one that goes on from there.

    `choices` is what the conversation runs with, besides what the settings say.
    """

    title: str
    catalog: str
    lines: tuple[Line, ...]
    then: str = ""
    ends_tour: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)


_SSN = "the social security number"

SCRIPTS: dict[str, Script] = {
    "tour": Script(
        "The tour: three minutes",
        "banking",
        (
            Line(
                "Hi, I'd like a loan of $60,000",
                "Chloe wants a loan. Nobody wrote this conversation in advance: a planner works out, step by step, "
                "what the bank has to know and where it can get it. The steps are drawn on the right.",
            ),
            Line(
                CHLOE.customer.email,
                "One answer was enough: the bank's database knew her name, address and income. The next step needs her "
                "social security number, so the assistant asks for permission, and says who would get it and why.",
                panel="facts",
            ),
            Line(
                "why do you need that?",
                "She can ask why at any time. The answer is read from the plan, not made up.",
                select="fact:ssn",
                ask="why",
            ),
            Line(
                "no, I'd rather not",
                "She says no, and the no counts: the number goes nowhere. The old plan is dropped, and a new one goes "
                "around the credit bureau. Both are shown here, with what changed.",
                both=True,
            ),
            Line("Harbour Works", "The bank can also look at her account and her job instead. So it asks about these."),
            Line("six years", "Each answer ticks off a step.", panel="summary"),
            Line(
                "$900",
                "All is there, so the loan desk decides: declined. A no needs a reason more than a yes does.",
                panel="summary",
                select="fact:loan_result",
            ),
            Line("no thanks", "A card is offered once. No means no.", to="offer", panel="goals"),
            Line(
                "why was my loan declined?",
                "What counted most, by the model's own account, and where that value came from. Every sentence names "
                "the entries of the log that prove it.",
                select="fact:loan_result",
                ask="chain",
            ),
            Line(
                "",
                "Something happens that nobody said: a payment is overdue. The alert begins a goal of its own. The "
                "account is known already, so there is only one question.",
                alert="payment_overdue",
                ahead="an alert: a payment is overdue",
                panel="goals",
            ),
            Line(
                "tomorrow",
                "The day is all that was missing.",
                panel="goals",
            ),
            Line("yes", "What cannot be undone is read back first, and done only after a yes.", to="confirm"),
            Line(
                "what did you do?",
                "A summary of what was gathered, and from whom. Now to another assistant: same engine, other catalog.",
                panel="plans",
            ),
        ),
        then="tour-books",
    ),
    "tour-books": Script(
        "The tour, second half: the accountant",
        "accounting",
        (
            Line(
                "How was business in Q1 2024? And then a call about it",
                "Two requests in one sentence. The report comes first, and “it” is taken to be that report.",
                panel="goals",
            ),
            Line(
                "by phone",
                "The one thing that nobody had said is asked for, and the call is arranged.",
                to="fact",
                panel="facts",
            ),
            Line("yes", "What is written is read back first.", to="confirm", panel="facts"),
            Line(
                "how did you get the report?",
                "The answer follows the report back to the words it was made from.",
                select="fact:profit_loss",
            ),
            Line(
                "Lend me $12,000",
                "Not for the accountant. But the bank takes part here, too: each says how sure it is before anybody "
                "acts, and the bank takes the turn, in its own name.",
                panel="goals",
            ),
            Line("why this agent?", "Why the one, and why not the other, with the figures that decided."),
        ),
        ends_tour=True,
        choices={"agents": "banking"},
    ),
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
