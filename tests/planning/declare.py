"""Short ways to declare catalogs in tests."""

from __future__ import annotations

from catalog.model import Catalog, Fact, FactMapping, Goal, Mode, Ordering, Outcome, Skill
from catalog.model.settings import AuthorizationPolicy, Settings
from planning.model import Plan
from planning.task.compilation import ask_operator

Modes = dict[str, tuple[list[str], dict[str, list[str]]]]


def declare_fact(name: str, **fields: object) -> Fact:
    return Fact.model_validate({"name": name, **fields})


def declare_skill(name: str, modes: Modes, **fields: object) -> Skill:
    """Declare a skill by its modes: name → (inputs, outcome → facts)."""
    declared = {
        mode: Mode(
            name=mode,
            inputs=tuple(inputs),
            outcomes={outcome: Outcome(name=outcome, facts=tuple(facts)) for outcome, facts in outcomes.items()},
        )
        for mode, (inputs, outcomes) in modes.items()
    }
    return Skill.model_validate({"name": name, "endpoint": "python:nowhere:nothing", "modes": declared, **fields})


def declare_mapping(fact: str, stands_for: str, because: str = "") -> FactMapping:
    return FactMapping(fact=fact, stands_for=stands_for, because=because)


def declare_ordering(first: str, then: str, because: str = "", *, preferred: bool = False) -> Ordering:
    return Ordering(first=first, then=then, because=because, preferred=preferred)


Entry = Fact | Skill | Goal | FactMapping | Ordering


def declare(*entries: Entry, plain: str = "", per_fact: bool = False, **settings: object) -> Catalog:
    """Declare a catalog; `plain` lists the names of facts that have nothing special."""
    facts = [declare_fact(name) for name in plain.split()] + [entry for entry in entries if isinstance(entry, Fact)]
    policy = AuthorizationPolicy.PER_FACT if per_fact else AuthorizationPolicy.PER_SKILL
    return Catalog(
        name="declared",
        facts={fact.name: fact for fact in facts},
        skills={entry.name: entry for entry in entries if isinstance(entry, Skill)},
        goals={entry.name: entry for entry in entries if isinstance(entry, Goal)},
        mappings=tuple(entry for entry in entries if isinstance(entry, FactMapping)),
        orderings=tuple(entry for entry in entries if isinstance(entry, Ordering)),
        settings=Settings.model_validate({"authorization": policy, **settings}),
    )


def asks(catalog: Catalog, *facts: str) -> frozenset[str]:
    """Name the operators that ask for facts, as they are pruned."""
    return frozenset(ask_operator(catalog, fact).name for fact in facts)


def titles(plan: Plan) -> list[str]:
    """Write a plan as words: kind and subject of each step."""
    return [f"{step.kind.value} {step.subject}" for step in plan.steps]


BANK = declare(
    declare_fact("loan_result", fillable=False),
    declare_fact("credit_score", fillable=False),
    declare_fact("ssn", sensitive=True),
    declare_skill(
        "lookup",
        {
            "by_email": (["email"], {"record": ["name", "address"], "no_record": []}),
            "by_account": (["account"], {"record": ["name", "address"], "no_record": []}),
        },
        max_tries=2,
    ),
    declare_skill("score", {"by_ssn": (["ssn", "name"], {"score": ["credit_score"], "no_file": []})}),
    declare_skill(
        "decide",
        {
            "decide": (
                ["name", "address", "credit_score", "amount"],
                {"approved": ["loan_result"], "declined": ["loan_result"]},
            )
        },
    ),
    Goal(name="loan", facts=("loan_result",)),
    plain="email account name address amount",
)
"""The banking catalog of the paper, in short."""
