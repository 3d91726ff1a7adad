from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from catalog.load import Loaded, load, loads
from catalog.load.demo_files import DEMOS
from catalog.model import Catalog, Effect
from catalog.model.settings import AuthorizationPolicy
from catalog.problems import CatalogError, Problem
from catalog.values import Email, Money, Text

LOAN = """\
name: loans
facts:
  email: {value: email}
  income: {value: {kind: money, currency: USD}, sensitive: true}
  decision: {value: {kind: choice, options: [approved, declined]}, fillable: false}
skills:
  look up:
    endpoint: python:catalog.demos.loans:look_up
    description: Finds what the bank knows of a customer.
    max_tries: 2
    sensitive: [email]
    modes:
      by e-mail:
        inputs: [email]
        outcomes:
          found: [income]
          not found: {doubts: [email], say: I know nobody of that address.}
  decide:
    endpoint: python:catalog.demos.loans:decide
    effect: irreversible
    modes:
      only:
        inputs: [income]
        optional: [email]
        outcomes: {decided: [decision]}
goals:
  loan: {facts: [decision], examples: [I want a loan], done: "Your loan is {decision}."}
settings: {authorization: per_fact}
"""


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(CatalogError) as caught:
        loads(text, file="loans.yaml")
    return caught.value.problems


def changed(old: str, new: str) -> tuple[Problem, ...]:
    assert old in LOAN
    return problems_of(LOAN.replace(old, new))


@pytest.mark.row("V1")
def test_a_specification_loads_with_everything_it_says() -> None:
    catalog = loads(LOAN).catalog
    look_up, decide = catalog.skills.values()
    assert (look_up.name, look_up.label, look_up.max_tries) == ("look up", "look up", 2)
    assert look_up.endpoint == "python:catalog.demos.loans:look_up"
    assert list(look_up.modes["by e-mail"].outcomes) == ["found", "not found"]
    assert look_up.modes["by e-mail"].outcomes["found"].facts == ("income",)
    assert look_up.modes["by e-mail"].outcomes["not found"].doubts == ("email",)
    assert (decide.effect, decide.modes["only"].optional) == (Effect.IRREVERSIBLE, ("email",))
    assert catalog.sensitive_inputs("look up", "by e-mail") == ("email",)
    assert catalog.sensitive_inputs("decide", "only") == ("income",)
    assert isinstance(catalog.facts["email"].value, Email)
    assert catalog.facts["income"].value == Money(currency="USD")
    assert catalog.settings.authorization is AuthorizationPolicy.PER_FACT


@pytest.mark.row("V1")
@pytest.mark.parametrize(
    ("old", "new", "line", "where", "found", "write"),
    [
        ("endpoint: python:catalog.demos.loans:decide", "endpont: x", 19, "skills.decide.endpont", "no key 'endpont'",
         "Did you mean 'endpoint'?"),
        ("effect:", "efect:", 20, "skills.decide.efect", "no key 'efect'", "Did you mean 'effect'? Known keys"),
        ("irreversible", "final", 20, "skills.decide.effect", "'final'", "Write 'none', 'idempotent' or"),
        ("max_tries: 2", "max_tries: often", 10, "skills.'look up'.max_tries", "'often'", "Write a whole number."),
        ("max_tries: 2", "max_tries: 0", 10, "skills.'look up'.max_tries", "'0'", "Write 1 or more."),
        ("max_tries: 2", "cost: -1", 10, "skills.'look up'.cost", "'-1'", "Write 0 or more."),
        ("max_tries: 2", "cost: .inf", 10, "skills.'look up'.cost", "'.inf'", "number"),
        ("outcomes: {decided: [decision]}", "outcomes: {}", 25, "skills.decide.modes.only.outcomes", "empty",
         "at least 1"),
        ("inputs: [income]", "inputs: income", 23, "skills.decide.modes.only.inputs", "'income'", "Write a list"),
        ("inputs: [income]", "inputs: [incom]", 23, "skills.decide.modes.only.inputs[0]", "'incom'", "mean 'income'?"),
        ("optional: [email]", "optional: [income]", 24, "skills.decide.modes.only.optional[0]", "both", "keep it in"),
        ("[income]\n        optional", "[income, income]\n        optional", 23, "skills.decide.modes.only.inputs[1]",
         "already", "Take it out"),
        ("doubts: [email]", "doubts: [income]", 17, "skills.'look up'.modes.'by e-mail'.outcomes.'not found'.doubts[0]",
         "inputs of the mode", "email"),
        ("sensitive: [email]", "sensitive: [decision]", 11, "skills.'look up'.sensitive[0]", "'decision'", "email"),
        ("python:catalog.demos.loans:decide", "os:system", 19, "skills.decide.endpoint", "os:system", "python:package"),
        ("value: email", "value: emial", 3, "facts.email.value", "'emial'", "Did you mean 'email'? Known kinds: text"),
        ("currency: USD", "curency: USD", 4, "facts.income.value.curency", "'curency'", "mean 'currency'? Known keys"),
        ("currency: USD", "minimum: 5, maximum: 3", 4, "facts.income.value", "minimum 5 is more", "smaller one first"),
        ("value: email", "is_a: e-mail", 3, "facts.email.is_a", "'e-mail'", "Did you mean 'email'?"),
        ("value: email", "is_a: email", 3, "facts.email.is_a", "in a circle", "Take one"),
        ("facts: [decision], ex", "facts: [loan], ex", 27, "goals.loan.facts[0]", "'loan'", "Known facts: email"),
        ("facts: [decision], ex", "facts: [], ex", 27, "goals.loan", "wants nothing", "Name facts"),
        ("{decision}", "{result}", 27, "goals.loan.done", "'result'", "Known facts of the goal 'loan': decision"),
        ("settings: {", "setings: {", 28, "setings", "no key 'setings'", "Did you mean 'settings'?"),
        ("per_fact", "often", 28, "settings.authorization", "'often'", "Write 'per_skill' or 'per_fact'."),
        ("  email: {value: email}", "  email: [value]", 3, "facts.email", "a list of 1", "Write a mapping"),
        ("settings:", "extensions: [{after: lone, offer: loan, say: More?}]\nsettings:", 28, "extensions[0].after",
         "'lone'", "Did you mean 'loan'?"),
        ("settings:", "extensions: [{after: loan, offer: loan, say: More?}]\nsettings:", 28, "extensions[0].offer",
         "its own completion", "another goal"),
        ("settings:", "triggers: {alert: {goal: lone, say: Oh}}\nsettings:", 28, "triggers.alert.goal", "'lone'",
         "'loan'"),
        ("settings:", "triggers: {alert: {goal: loan, say: Oh, facts: [mail]}}\nsettings:", 28,
         "triggers.alert.facts[0]", "'mail'", "'email'"),
        ("decision: {value: {kind: choice, options: [approved, declined]}, fillable: false}",
         "decision: {value: table, fillable: true}", 5, "facts.decision", "cannot be given", "leave fillable out"),
        ("email: {value: email}", "email: {name: mail}", 2, "facts", "its name is 'mail'", "leave the name out"),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_a_malformed_specification_is_refused_with_line_place_and_what_to_write(
    old: str, new: str, line: int, where: str, found: str, write: str
) -> None:
    matching = [p for p in changed(old, new) if p.where.startswith(where) or where.startswith(p.where)]
    (problem, *_) = [p for p in matching if found.casefold() in p.found.casefold()]
    assert (problem.file, problem.line, problem.severity) == ("loans.yaml", line, "error")
    assert write.casefold() in problem.write.casefold()
    assert problem.render().startswith(f"loans.yaml:{line}: error: ")


@pytest.mark.row("V1")
def test_everything_that_is_wrong_is_told_at_once_in_the_order_of_the_file() -> None:
    text = LOAN.replace("value: email", "value: emial").replace("max_tries", "maxtries").replace("per_fact", "never")
    assert [problem.line for problem in problems_of(text)] == [3, 10, 28]


def test_a_missing_key_is_told_with_the_keys_that_there_are() -> None:
    text = "name: x\nfacts: {f: }\nskills:\n  s: {endpoint: 'python:a:b', effect: none}\n"
    first, *_ = problems_of(text)
    assert first.found == "The key 'modes' is missing. There is endpoint and effect."


def test_very_many_problems_are_all_kept_but_not_all_shown() -> None:
    text = "name: x\nfacts:\n" + "".join(f"  f{i}: {{is_a: g{i}}}\n" for i in range(500))
    with pytest.raises(CatalogError) as caught:
        loads(text)
    assert len(caught.value.problems) == 500
    assert "… and 450 more problems." in str(caught.value)


@pytest.mark.long
def test_fifty_thousand_skills_are_loaded_and_more_are_refused_at_the_stated_limit() -> None:
    def skills(count: int) -> str:
        skill = "  s{}: {{endpoint: 'python:a:b', modes: {{m: {{outcomes: {{o: [f]}}}}}}}}\n"
        return "name: many\nfacts: {f: }\nskills:\n" + "".join(map(skill.format, range(count)))

    assert len(loads(skills(50_000)).catalog.skills) == 50_000
    (problem,) = problems_of(skills(50_001))
    assert (problem.where, problem.found) == ("skills", "There are 50,001 skills; a catalog may have 50,000.")


def test_a_demo_is_loaded_by_its_name_and_a_file_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "loans.yaml"
    file.write_text(LOAN, encoding="utf-8")
    by_text, by_path, by_demo = loads(LOAN), load(file), load("banking")
    assert by_path.file == str(file)
    assert by_path.digest == by_text.digest == load(str(file)).digest != by_demo.digest
    assert by_demo.file == str(DEMOS["banking"])
    assert by_demo.catalog.name == "banking"


@pytest.mark.parametrize("demo", DEMOS)
def test_every_demo_loads(demo: str) -> None:
    assert isinstance(load(demo), Loaded)


def test_a_catalog_survives_being_written_as_json_and_read_again() -> None:
    catalog = load("banking").catalog
    assert Catalog.model_validate_json(catalog.model_dump_json()) == catalog


def test_the_model_takes_what_any_yaml_reader_makes_of_a_file() -> None:
    assert Catalog.model_validate(yaml.safe_load(LOAN)) == loads(LOAN).catalog


def test_a_catalog_cannot_be_changed() -> None:
    catalog = loads(LOAN).catalog
    with pytest.raises(ValueError, match="frozen"):
        catalog.facts["email"].sensitive = True  # type: ignore[misc]


def test_what_nobody_can_say_is_not_asked_for() -> None:
    catalog = loads("name: x\nfacts: {plot: {value: chart}, rows: {value: {kind: table}}, said: }").catalog
    assert [fact.fillable for fact in catalog.facts.values()] == [False, False, True]
    assert catalog.facts["plot"].why_not_fillable
    assert catalog.facts["said"].value == Text()
