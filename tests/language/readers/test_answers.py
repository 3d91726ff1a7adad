from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from pydantic import JsonValue

from catalog.values import (
    Address,
    Choice,
    Date,
    Email,
    Image,
    Kind,
    Money,
    Number,
    Pattern,
    PersonName,
    Phone,
    Text,
    Unreadable,
    YesNo,
)
from catalog.wording.values import expected, say_fault, was_not
from language.readers import find_mentions, read_answer

TODAY = date(2026, 4, 15)  # a Wednesday
LOAN = Money(minimum=Decimal(500), maximum=Decimal(75_000))
PERIOD = Number(integer=True, minimum=1, maximum=40)
SSN = Pattern(regex=r"\d{3}-\d{2}-\d{4}", example="123-45-6789", what="a social security number")
CHANNEL = Choice.model_validate({"options": {"chat": ["message"], "phone": "call", "video": None}})
SOON = Date(earliest="today", latest="today + 30 days")
BORN = Date(latest="today - 18 years")

READ: list[tuple[Kind, str, JsonValue]] = [
    (LOAN, "12k", "12000.00"),
    (LOAN, "12,000 euros", "12000.00"),
    (LOAN, "about 12 000", "12000.00"),
    (LOAN, "€12.5k", "12500.00"),
    (LOAN, "12.000", "12000.00"),  # 12 would be below the minimum
    (LOAN, "12.000,50", "12000.50"),
    (LOAN, "12'000", "12000.00"),
    (LOAN, "12,000 over 5 years", "12000.00"),
    (LOAN, "12000 by 3 May 2026", "12000.00"),
    (LOAN, "12k, yes 12,000", "12000.00"),
    (LOAN, "twelve thousand", "12000.00"),
    (LOAN, "two and a half thousand", "2500.00"),
    (LOAN, "half a thousand", "500.00"),
    (LOAN, "12,000, at most 5 years", "12000.00"),
    (LOAN, "three thousand five hundred and twenty", "3520.00"),
    (LOAN, "１２０００", "12000.00"),
    (LOAN, "١٢٠٠٠", "12000.00"),
    (LOAN, "I would like to borrow 12,000, please.", "12000.00"),
    (Money(currency="USD"), "-$5.20", "-5.20"),
    (Money(currency="INR"), "₹1,23,456", "123456.00"),
    (PERIOD, "5 years", 5),
    (PERIOD, "twenty-five", 25),
    (PERIOD, "one", 1),
    (Number(), "1.234", 1.234),
    (Number(), "1,234.5", 1234.5),
    (Number(), ".5", 0.5),
    (Number(), "minus 3", -3.0),
    (Date(), "3rd of May 2026", "2026-05-03"),
    (Date(), "May 3, 2026", "2026-05-03"),
    (Date(), "3.5.2026", "2026-05-03"),
    (Date(), "13/05/2026", "2026-05-13"),
    (Date(), "2026-05-03", "2026-05-03"),
    (Date(), "tomorrow", "2026-04-16"),
    (Date(), "the day before yesterday", "2026-04-13"),
    (Date(), "in two weeks", "2026-04-29"),
    (Date(), "last monday, I think", "2026-04-13"),
    (Date(), "a month ago", "2026-03-15"),
    (Date(), "a week from today", "2026-04-22"),
    (Date(), "Friday, the 5th of June 2026", "2026-06-05"),
    (Date(), "Friday 5 June", "2026-06-05"),  # near today, it is a Friday in 2026 only
    (Date(), "Sunday May 3", "2026-05-03"),
    (SOON, "on Friday", "2026-04-17"),
    (SOON, "3 May", "2026-05-03"),
    (SOON, "03/05/2026", "2026-05-03"),  # 5 March has passed
    (BORN, "29 Feb 2004", "2004-02-29"),
    (Email(), "it's ann@example.org", "ann@example.org"),
    (Email(), "Ann (Ann@EXAMPLE.org).", "Ann@example.org"),
    (Phone(region="US"), "call me on (202) 555-0100", "+12025550100"),
    (Phone(), "+49 30 123456", "+4930123456"),
    (SSN, "123-45-6789", "123-45-6789"),
    (SSN, "it is 123-45-6789.", "123-45-6789"),
    (CHANNEL, "by phone please", "phone"),
    (CHANNEL, "A CALL", "phone"),
    (YesNo(), "Yes please", True),
    (YesNo(), "no, I own it", False),
    (YesNo(), "I'd rather not", False),
    (YesNo(), "yes, go ahead", True),
    (PersonName(), "My name is Ann Smith.", "Ann Smith"),
    (PersonName(), "I'm Dr. A. O'Neil-Smith", "Dr. A. O'Neil-Smith"),
    (PersonName(), "李小龙", "李小龙"),
    (PersonName(), "So Young Kim", "So Young Kim"),
    (PersonName(), "so it's Oh Se-hun, thanks!", "Oh Se-hun"),
    (PersonName(), "well, Ann Smith please", "Ann Smith"),
    (Address(), "I live at 12 Mill Lane, Springfield.", "12 Mill Lane, Springfield"),
    (Address(), "12 Mill Lane\nSpringfield", "12 Mill Lane, Springfield"),
    (Address(), "12 Mill Lane, Springfield, thank you.", "12 Mill Lane, Springfield"),
    (Address(), "The Old Rectory, Springfield", "The Old Rectory, Springfield"),
    (Text(), "  whatever = this is  ", "whatever = this is"),
]

UNCLEAR: list[tuple[Kind, str, str]] = [
    (LOAN, "10k or 12k", "more than one amount"),
    (LOAN, "5k-10k", "no amount"),
    (LOAN, "5k – 10k", "more than one amount"),
    (LOAN, "5,000–10,000 euros", "no amount"),
    (LOAN, "not 12,000", "what it is not"),
    (LOAN, "at least 12,000", "is a range"),
    (LOAN, "maximum 12,000", "is a range"),
    (LOAN, "12,000 max", "“12,000 max” is a range"),
    (LOAN, "12,000 euros or less", "is a range"),
    (LOAN, "12,000+", "is a range"),
    (LOAN, "10% of 50,000", "“10% of 50,000” is a part of something"),
    (LOAN, "half of 20,000", "is a part of something"),
    (LOAN, "a thousand and a half", "could not work out"),  # 1,500, or 1,000.50
    (LOAN, "12,000 dollars", "another currency"),
    (LOAN, "a couple of thousand", "could not work out"),
    (LOAN, "ten five", "could not work out"),
    (LOAN, "90000", "90,000 is more than 75,000"),
    (LOAN, "twelve", "12 is less than 500"),
    (LOAN, "12,000.555", "more than two decimals"),
    (LOAN, "5%", "no amount"),
    (LOAN, "why?", "no amount"),
    (Money(), "12.000", "more than one amount"),  # twelve, or twelve thousand
    (PERIOD, "2.5", "not a whole number"),
    (PERIOD, "this one", "no number"),
    (PERIOD, "no, the blue one", "no number"),
    (LOAN, "a cheaper one", "no amount"),
    (PERIOD, "2 or 3", "more than one number"),
    (Date(), "3 May", "more than one year"),
    (BORN, "3 May", "more than one year"),
    (Date(), "03/05/2026", "3 May 2026 or 5 March 2026"),
    (Date(), "3 May 2026 or 4 May 2026", "more than one date"),
    (Date(), "next Friday", "17 April 2026 or 24 April 2026"),
    (Date(), "31 February 2026", "not a day of the calendar"),
    (Date(), "before 3 May 2026", "is a range"),
    (Date(), "I may go", "no date"),
    (Date(), "Monday 5 June 2026", "not a day of the calendar"),  # it is a Friday
    (SOON, "yesterday", "14 April 2026 is before 15 April 2026"),
    (Email(), "ann@example.org or bob@example.org", "more than one e-mail address"),
    (Email(), "ann@example", "not an e-mail address"),
    (Email(), "none", "no e-mail address"),
    (Phone(region="US"), "12", "can be called"),
    (Phone(), "202 555 0100", "not a phone number"),
    (Phone(region="US"), "202-555-0100 x12", "has an extension"),
    (SSN, "123456789", "is not a social security number"),
    (SSN, "123-45-6789 or 987-65-4321", "more than one"),
    (CHANNEL, "not chat", "what you do not want"),
    (CHANNEL, "chat or phone", "more than one option"),
    (CHANNEL, "anything but a chat", "what you do not want"),
    (CHANNEL, "phone rather than chat", "what you do not want: chat"),
    (CHANNEL, "phnoe", "Did you mean phone?"),
    (YesNo(), "I don't know", "neither a plain yes nor a plain no"),
    (YesNo(), "yes and no", "neither a plain yes nor a plain no"),
    (YesNo(), "no problem", "neither a plain yes nor a plain no"),
    (YesNo(), "no, go ahead", "neither a plain yes nor a plain no"),
    (YesNo(), "no, I don't mind", "neither a plain yes nor a plain no"),
    (YesNo(), "no objections", "neither a plain yes nor a plain no"),
    (PersonName(), "why do you need that?", "does not look like a name"),
    (PersonName(), "12", "which names do not"),
    (Address(), "Why?", "is a question"),
    (Address(), "Springfield", "neither a number nor a comma"),
    (Address(), "I don't know, sorry", "does not look like an address"),
    (Address(), "somewhere, I guess", "does not look like an address"),
    (Text(max_length=5), "too long", "8 characters long"),
    (Image(), "here it is", "cannot be typed in"),
]


@pytest.mark.parametrize(("kind", "answer", "value"), READ, ids=lambda value: str(value)[:40])
def test_a_whole_answer_is_read(kind: Kind, answer: str, value: JsonValue) -> None:
    assert read_answer(kind, answer, TODAY) == value


@pytest.mark.row("V10")
@pytest.mark.parametrize(("kind", "answer", "reason"), UNCLEAR, ids=lambda value: str(value)[:40])
def test_an_unclear_answer_is_never_guessed_and_gets_a_reason(kind: Kind, answer: str, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_answer(kind, answer, TODAY)
    assert reason in say_fault(caught.value.fault)


@pytest.mark.parametrize("kind", [LOAN, PERIOD, SSN, CHANNEL, Date(), Email(), Phone(), YesNo(), PersonName(), Text()])
@pytest.mark.parametrize("answer", ["", "   ", "\0", "\ud800", "x" * 20_000, "9" * 9_000, "1 2 " * 2_000, "a@" * 4_000])
def test_no_text_at_all_makes_reading_fail_in_any_other_way(kind: Kind, answer: str) -> None:
    with pytest.raises(Unreadable):
        read_answer(kind, answer, TODAY)


def test_the_hint_gives_an_example_that_the_kind_itself_takes() -> None:
    assert expected(LOAN) == "an amount of money such as 12,000, between 500 and 75,000"
    for kind in (LOAN, PERIOD, SSN, Date(), BORN, SOON, Email(), Phone(region="DE"), PersonName(), Address(), YesNo()):
        example = expected(kind).split("such as ")[-1].split(", between")[0].split(", not")[0]
        assert read_answer(kind, example if "yes or no" not in example else "yes", TODAY) is not None
    assert expected(Money(minimum=Decimal(100), maximum=Decimal(200))).startswith("an amount of money such as 150")


def test_a_mention_tells_where_a_value_was_said() -> None:
    text = "I want 12k for a car, mail me at ann@example.org"
    (amount,) = find_mentions(LOAN, text, TODAY)
    (address,) = find_mentions(Email(), text, TODAY)
    assert (text[amount.start : amount.end], amount.readings, amount.unsure) == ("12k", ("12000.00",), None)
    assert (text[address.start : address.end], address.readings) == ("ann@example.org", ("ann@example.org",))


def test_a_pathological_expression_is_cut_off() -> None:
    kind = Pattern(regex=r"(a|aa|aab?)+$", example="aa")
    with pytest.raises(Unreadable, match="slow to check"):
        read_answer(kind, "a" * 1_500 + "!", TODAY)


def test_what_is_logged_of_a_refused_value_never_quotes_it() -> None:
    with pytest.raises(Unreadable) as caught:
        read_answer(SSN, "987654321", TODAY)
    assert "987654321" in say_fault(caught.value.fault)
    assert str(caught.value) == "no text of that form: not one"
    assert was_not(caught.value.kind) == "That was not a social security number such as 123-45-6789."
