"""Values that cannot be taken: what is wrong with one, by the code of its fault, and what is expected of a kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from catalog.values import Fault, Kind
from catalog.values.base import Detail, listed, shortened
from catalog.values.dates import BOUND_FORM, long_form
from catalog.values.documents import TYPES, type_of
from catalog.values.media import show_size
from catalog.values.numbers import grouped
from catalog.values.units import without_unit_before
from catalog.wording.grammar import a, end

_PLACES = re.compile(r"\{([^{}]*)\}")

FAULTS: dict[str, str] = {
    "wrong_type": "That is of the type {type}; it has to be {a_noun}.",
    "not_showable": "That holds characters that cannot be shown.",
    "empty": "That was empty.",
    "too_long": "That is {count:,} characters long, and at most {most:,} are taken.",
    "slow_to_check": "I could not read that: it took too long.",
    "not_one": "“{value}” is not {a_noun}.",
    "other_shape": "That is not {a_noun}.",
    "odd_character": "“{value}” holds {character!r}, which names do not.",
    "no_letter": "“{value}” has no letter.",
    "too_short": "“{value}” is too short for {a_noun}.",
    "no_number_or_comma": "“{value}” has neither a number nor a comma.",
    "not_an_email": "“{value}” is not an e-mail address: {why}.",
    "not_callable": "“{value}” is not a phone number that can be called.",
    "not_so_many_digits": "“{value}” is not a phone number. A phone number has {least} to {most} digits.",
    "no_option": "“{value}” is not among the options.",
    "too_large": "That is not {a_noun} that I can keep.",
    "not_whole": "{amount} is not a whole number.",
    "too_many_decimals": "{amount} has more than two decimals.",
    "too_little": "{amount} is less than {limit}.",
    "too_much": "{amount} is more than {limit}.",
    "year_out_of_range": "The year {year} is not between {first} and {last}.",
    "too_early": "{day} is before {limit}.",
    "too_late": "{day} is after {limit}.",
    "no_start_and_end": "That has no start and end.",
    "wrong_length": "The list has {count:,} items.",
    "improper_item": "Item {number} is not right. {fault}",
    "bad_digest": "The {noun}'s digest is not a SHA-256 in hexadecimal.",
    "bad_file_name": "The {noun}'s name is empty, too long, or holds characters that cannot be shown.",
    "other_media_type": "The file is of the type {type}.",
    "other_content": "By its name “{name}” is {said}, but it holds {found}.",
    "other_file_type": "It is {found}, and I can take {types}.",
    "empty_file": "The {noun} is empty.",
    "too_many_bytes": "The {noun} has {size}, and may have {most}.",
    "no_columns_or_rows": "The table has no list of columns, or none of rows.",
    "table_too_large": "{columns:,} columns and {rows:,} rows are more than {most_columns} and {most_rows:,}.",
    "bad_columns": "The table's columns are not texts that differ.",
    "bad_sources": "What the table says of the cells that its rows rest on cannot be read.",
    "uneven_row": "Row {row} does not have {count} cells.",
    "cell_not_finite": "A cell in {place} is not a number that can be kept.",
    "cell_not_showable": "A cell in {place} is too long, or holds characters that cannot be shown.",
    "cell_not_plain": "A cell in {place} is neither text, number, boolean nor empty.",
    "bad_title": "The chart's title is not a text of at most {most} characters.",
    "no_data_and_layout": "The chart's figure does not consist of data and layout.",
    "other_trace": "The chart holds a trace of the type {type}.",
    "pictures_in_layout": "The chart's layout holds pictures.",
    "not_json": "The chart holds something that JSON cannot.",
    "not_sayable": "That cannot be typed in.",
    "none_said": "I found no {noun} in that.",
    "several_said": "I found more than one {noun} that you could mean: {said}.",
    "not_alone": "That is more than one value.",
    "neither_yes_nor_no": "“{value}” is neither a plain yes nor a plain no.",
    "unlike_one": "“{value}” does not look like {a_noun}.",
    "denied": "You said what it is not: {value}.",
    "not_wanted": "You said what you do not want: {value}.",
    "ambiguous": "I am not sure what {value} stands for.",
    "could_be": "“{value}” could be {said}.",
    "which_year": "“{value}” could be in more than one year; please say which.",
    "which_day": "“{value}” could be {said}; please say which.",
    "a_range": "“{value}” is a range, and I need one value.",
    "other_unit": "“{value}” does not say how many {unit}.",
    "a_share": "“{value}” is a part of something, and I need the amount itself.",
    "no_such_number": "I could not work out the number “{value}”.",
    "other_currency": "“{value}” is in another currency, and I can only take {currency}.",
    "has_extension": "“{value}” has an extension, which I cannot keep.",
    "no_such_day": "“{value}” is not a day of the calendar.",
    "day_or_year": "“{value}” could be a day or a year.",
    "day_or_longer": "“{value}” could be a day or a whole stretch of time.",
    "two_days": "“{value}” could be two days.",
    "two_periods": "“{value}” could be two periods.",
    "two_years": "“{value}” names two different years.",
    "no_year": "“{value}” does not say of which year.",
    "over": "“{value}” is over.",
    "not_over": "“{value}” is not over yet.",
    "compared_with": "“{value}” is what to compare with.",
    "vague": "“{value}” leaves open what exactly is meant.",
    "a_question": "“{value}” is a question.",
    "either_or": "An “or” leaves open what you mean; I can take several with “and”.",
}
"""What is wrong, by code. A code that a kind of one's own adds stands here too, or is put as `other_shape`."""


def filled_in(template: str, values: Mapping[str, str]) -> str:
    """Put values into their places in an author's words; a unit or a full stop that follows is not said twice."""
    parts = _PLACES.split(template)
    for at in range(1, len(parts), 2):
        value, following = values.get(parts[at], parts[at]), parts[at + 1]
        parts[at] = without_unit_before(value, following)
        if following.startswith("."):
            parts[at], parts[at + 1] = end(parts[at]), following[1:]
    return "".join(parts)


def say_fault(fault: Fault) -> str:
    """Say what is wrong with a value. This may quote the value: of a sensitive one, say what it `was_not`."""
    told = {name: _shown(name, detail) for name, detail in fault.details.items()}
    told |= {
        "a_noun": a(str(told.get("noun", "value"))),
        "place": f"row {row}" if (row := told.get("row")) else "column",
    }
    near = f" Did you mean {told['near']}?" if told.get("near") else ""
    return FAULTS.get(fault.code, FAULTS["other_shape"]).format_map(told) + near


def _shown(name: str, detail: Detail) -> str | int:
    match detail:
        case Fault():
            return say_fault(detail)
        case Decimal():
            return grouped(detail)
        case date():
            return long_form(detail)
        case tuple():
            return listed(map(shortened, detail), "or")
        case str():
            return detail if name in ("why", "types") else shortened(detail)
    return detail


def tell_file(media_type: str, size: int) -> str:
    known = type_of(media_type)
    return f"{TYPES[known].noun if known else media_type}, {show_size(size)}"


def was_not(kind: Kind) -> str:
    return f"That was not {expected(kind)}."


def expected(kind: Kind) -> str:
    words = EXPECTED.get(kind.kind)
    return words if isinstance(words, str) else words(kind) if words else a(kind.noun)


def _number(kind: Any) -> str:
    money = kind.quantity == "money"
    whole = money or kind.integer
    example = grouped(kind.example(whole=whole))
    called = "an amount of money" if money else "a whole number" if whole else "a number"
    least, most = (None if bound is None else grouped(bound) for bound in kind.bounds)
    only = f", {least} or more" if least else f", {most} or less" if most else ""
    return f"{called} such as {example}{f', between {least} and {most}' if least and most else only}"


_TODAY, _USUAL = date(2026, 1, 1), date(2026, 5, 3)


def _date(kind: Any) -> str:
    low, high = (_bound(bound) for bound in (kind.earliest, kind.latest))
    only = f", not before {low}" if low else f", not after {high}" if high else ""
    return f"a date such as {_day(kind)}{f', between {low} and {high}' if low and high else only}"


def _day(kind: Any) -> str:
    low, high = kind.bounds_on(_TODAY)
    if low and kind.earliest.startswith("today"):
        days = (low - _TODAY).days + (1 if high is None or low < high else 0)
        return {0: "today", 1: "tomorrow"}.get(days) or (f"in {days} days" if days > 0 else f"{-days} days ago")
    day = _USUAL if high is None or high >= _USUAL else high
    return long_form(low if low and low > day else day)


def _bound(bound: str | None) -> str | None:
    relative = BOUND_FORM.match(bound or "")
    if bound is None or not relative:
        return None if bound is None else long_form(date.fromisoformat(bound))
    if not relative["count"]:
        return "today"
    unit = relative["unit"] if int(relative["count"]) == 1 else f"{relative['unit']}s"
    return f"{relative['count']} {unit} {'ago' if relative['sign'] == '-' else 'from now'}"


def _phone(kind: Any) -> str:
    with_code = "" if kind.digits or kind.region else " with country code,"
    return f"a phone number{with_code} such as {kind.show(kind.sample(_TODAY))}"


EXPECTED: dict[str, str | Callable[[Any], str]] = {
    "text": lambda kind: f"some text of at most {kind.max_length:,} characters",
    "person_name": lambda kind: f"a {kind.part} name such as {kind.sample(_TODAY)}",
    "address": "a postal address such as 12 Mill Lane, Springfield",
    "pattern": lambda kind: f"{kind.what} such as {kind.example}",
    "number": _number,
    "money": _number,
    "date": _date,
    "period": "a period such as March 2024, last quarter, or 3 May 2024 to 5 June 2024",
    "email": "an e-mail address such as ann@example.org",
    "phone": _phone,
    "choice": lambda kind: f"{'one of ' if len(kind.options) > 1 else ''}{listed(kind.options, 'or', limit=12)}",
    "yes_no": "yes or no",
    "image": lambda kind: f"a picture (PNG, JPEG or WebP) of at most {show_size(kind.max_bytes)}",
    "document": lambda kind: f"{kind.nouns} of at most {show_size(kind.max_bytes)}",
    "table": "a table: columns, and rows with one cell for each column",
    "chart": "a chart: a plotly figure without maps and pictures, and a title",
    "list": lambda kind: (
        f"a list of {f'at least {kind.least} and ' if kind.least else ''}at most {kind.most}, each {expected(kind.of)}"
    ),
}
"""What is expected of each kind of value, by its name. Of a kind that is not here its noun is said."""
