"""Compile what a catalog says beside its facts and skills: mappings, alternatives of goals, and orderings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from catalog.model import Catalog
from catalog.model.precedence import Orderings, Precedence
from planning.model import Amounts, Atom, Operator, Preferences, StepKind, achieved, known


def map_operators(catalog: Catalog, close: Callable[[Catalog, Iterable[str]], frozenset[Atom]]) -> Iterator[Operator]:
    """Let facts stand for others, as the catalog declares; what one stands for is closed over the type tree."""
    cost = catalog.settings.map_cost
    for mapping in catalog.mappings:
        yield Operator(
            kind=StepKind.MAP,
            subject=mapping.stands_for,
            needs=frozenset((known(mapping.fact),)),
            adds=close(catalog, (mapping.stands_for,)),
            cost=cost,
            inputs=(mapping.fact,),
            outputs=(mapping.stands_for,),
            amounts=Amounts(cost),
        )


def choose_operators(catalog: Catalog) -> Iterator[Operator]:
    """Let each alternative of a goal reach it; alternatives are numbered from 1."""
    for name, goal in catalog.goals.items():
        for number, facts in enumerate(goal.either, start=1):
            yield Operator(
                kind=StepKind.CHOOSE,
                subject=name,
                needs=frozenset(map(known, facts)),
                adds=frozenset((achieved(name),)),
                cost=0.0,
                outcome=str(number),
                inputs=facts,
            )


def list_preferences(catalog: Catalog, operators: Iterable[Operator]) -> Preferences:
    """List which steps had better come after which skills."""
    precedence = Precedence(catalog, preferred=True)
    found: dict[tuple[StepKind, str], frozenset[str]] = {}
    for operator in operators if precedence else ():
        before = find_before(precedence, operator.kind, operator.subject, sensitive=bool(operator.sensitive))
        firsts = {ordering.first for ordering in before}
        if firsts:
            found[operator.kind, operator.subject] = found.get((operator.kind, operator.subject), frozenset()) | firsts
    return found


def find_before(precedence: Precedence, kind: StepKind, subject: str, *, sensitive: bool) -> Orderings:
    """List the orderings by which something comes before a step, which may be a call with sensitive inputs."""
    match kind:
        case StepKind.ASK:
            return precedence.before_answer(subject)
        case StepKind.AUTHORIZE:
            return precedence.before_consent(subject)
        case StepKind.SKILL | StepKind.CONFIRM:
            return precedence.before_call(subject, sensitive=sensitive)
    return ()
