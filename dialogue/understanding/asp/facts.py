"""Write requests as facts of a logic program: the intermediate representation (paper, §3.1).

`_goal(x, profit_loss_report).` says what is wanted, `_start_date(x, "2024-07-01").` a value that was said for it, and
`_contact_topic(y, x).` that an argument is what an earlier request comes to. Values are terms from the start: whatever
somebody said, it cannot become syntax.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from catalog.rules import Symbol, constant, fact_symbol, write_pair, write_value
from dialogue.meaning import GoalMention, ValueMention
from dialogue.understanding.asp.rules import Domain
from planning.joint import name_request


def write_facts(domain: Domain, requests: Sequence[GoalMention]) -> tuple[Symbol, ...]:
    """Write requests as facts; as text, each is `str(fact)` and a full stop. A goal that is unknown is left out."""
    return tuple(
        fact
        for place, request in enumerate(requests)
        if request.goal in domain.vocabulary.goals
        for fact in _write_request(domain, place, request)
    )


def _write_request(domain: Domain, place: int, request: GoalMention) -> Iterator[Symbol]:
    names, x = domain.vocabulary.facts, constant(name_request(place))
    yield fact_symbol("_goal", x, constant(domain.vocabulary.goals[request.goal]))
    values = {mention.fact: mention for mention in request.values if mention.fact in names}
    for period, (start, end) in domain.periods.items():
        pair = _find_pair(values, period, start, end)
        if pair is not None:
            yield fact_symbol(f"_{names[period]}", x, write_pair(pair))
    for fact, mention in values.items():
        yield fact_symbol(f"_{names[fact]}", x, write_value(mention.value))
    for reference in request.references:
        for other in reference.to:
            if reference.fact in names and 0 <= other < place:
                yield fact_symbol(f"_{names[reference.fact]}", x, constant(name_request(other)))


def _find_pair(values: dict[str, ValueMention], period: str, start: str, end: str) -> Sequence[JsonValue] | None:
    """Take a period out of the values of a request: said as one, or as both of its days in the same words."""
    whole = values.pop(period, None)
    if whole is not None:
        return ends_of(whole.value)
    days = values.get(start), values.get(end)
    if days[0] is None or days[1] is None or days[0].span != days[1].span:
        return None
    return values.pop(start).value, values.pop(end).value


def ends_of(value: JsonValue) -> Sequence[JsonValue] | None:
    """Give first and last day of a period's value, None for one that was left open; None if it has neither."""
    return (value.get("start"), value.get("end")) if isinstance(value, dict) else None
