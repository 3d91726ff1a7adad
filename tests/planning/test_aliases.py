"""Planning by aliases is planning by names, whatever the aliases are; and none of them gets into what is written."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from catalog.load import loads
from catalog.model import Catalog
from dialogue.cli.main import main
from planning.engines import ENGINES
from planning.pddl import write_pddl
from planning.plans.solve import validate
from planning.requests import PlanningRequest, compile_request, plan_request, plan_requests, result_json
from planning.task.errors import UnknownName
from tests.planning.test_pddl import solve_as_pddl

ENGINE = ENGINES["native"]
NAMES = ("order_id", "order", "orders", "get_order", "list_orders", "see")
PATHS = ("/orders/{id}#id", "/orders/{id}", "v1.orders", "GET /orders/{id}", "v1.orders.list", "goals/see")

visible = st.characters(exclude_categories=("C", "Z"), exclude_characters="\u241f")
drawn_aliases = st.lists(
    st.text(visible | st.sampled_from("/.{}()?:;"), min_size=1, max_size=30)
    .map(lambda text: unicodedata.normalize("NFC", text))
    .filter(lambda text: text not in {*NAMES, "reason"} and len(text) <= 30),
    min_size=len(NAMES),
    max_size=len(NAMES),
    unique=True,
)


def orders(aliases: tuple[str, ...] = (), *, by_alias: bool = False) -> Catalog:
    """Load a small catalog, with aliases or without, that refers to its entries by them or by their names."""
    other = dict(zip(NAMES, aliases, strict=True)) if aliases else {}
    call = {name: other[name] if by_alias else name for name in NAMES}

    def entry(name: str, **keys: object) -> dict[str, object]:
        return {**keys, **({"alias": other[name]} if other else {})}

    def mode(given: str, found: str) -> dict[str, object]:
        return {"only": {"inputs": [call[given]], "outcomes": {"found": [call[found]], "none": {}}}}

    written = {
        "name": "orders",
        "facts": {
            "order_id": entry("order_id", ask="Which order?"),
            "order": entry("order", askable=False),
            "orders": entry("orders", askable=False),
            "reason": {},
        },
        "skills": {
            "get_order": entry("get_order", modes=mode("order_id", "order")),
            "list_orders": entry("list_orders", modes=mode("order", "orders")),
        },
        "goals": {"see": entry("see", facts=[call["orders"], "reason"], examples=["Show my orders"])},
    }
    return loads(yaml.safe_dump(written)).catalog


def planned(catalog: Catalog, request: PlanningRequest) -> dict[str, object]:
    written = result_json(plan_request(catalog, request, ENGINE))
    return {key: value for key, value in written.items() if key != "seconds"}


@given(aliases=drawn_aliases)
def test_planning_by_aliases_is_planning_by_names_and_the_pddl_is_the_same(
    aliases: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    plain, catalog = orders(), orders(tuple(aliases), by_alias=True)
    other = dict(zip(NAMES, aliases, strict=True))
    for goal, known, cannot_ask in (
        (["orders"], [], []),
        (["see"], ["order_id"], []),
        (["order", "see"], [], ["order_id"]),
        (["orders"], ["order"], ["order_id"]),
    ):
        by_name = PlanningRequest(goal=goal, known=known, cannot_ask=cannot_ask)
        by_alias = PlanningRequest(
            goal=[other[name] for name in goal],
            known=[other[name] for name in known],
            cannot_ask=[other[name] for name in cannot_ask],
        )
        assert planned(catalog, by_alias) == planned(catalog, by_name) == planned(plain, by_name)
        task, _, _ = compile_request(catalog, by_alias)
        plain_task, _, _ = compile_request(plain, by_name)
        pddl, plain_pddl = write_pddl(task, catalog=catalog), write_pddl(plain_task, catalog=plain)
        assert (pddl.domain, pddl.problem) == (plain_pddl.domain, plain_pddl.problem)
        assert pddl.symbols == plain_pddl.symbols
    plan = solve_as_pddl(
        write_pddl(compile_request(catalog, PlanningRequest(goal=[other["see"]]))[0], costs=False),
        tmp_path_factory.mktemp("p"),
    )
    assert plan is not None
    validate(compile_request(catalog, PlanningRequest(goal=["see"]))[0], plan)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (PlanningRequest(goal=["v1.order"]), "No fact or goal is called “v1.order”. Did you mean “v1.orders”"),
        (PlanningRequest(goal=["goal/see"]), "Did you mean “goals/see”"),
        (
            PlanningRequest(goal=["orders"], known=["/order/{id}"]),
            "No fact is called “/order/{id}”. Did you mean “/orders/{id}”",
        ),
        (PlanningRequest(goal=["orders"], cannot_ask=["orders/{id}#id"]), "Did you mean “/orders/{id}#id”"),
        (PlanningRequest(goal=["orders"], known=["goals/see"]), "No fact is called “goals/see”."),
        (PlanningRequest(goal=["v1.orders.list"]), "No fact or goal is called “v1.orders.list”."),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest_names_and_aliases(request_: PlanningRequest, said: str) -> None:
    with pytest.raises(UnknownName) as refused:
        compile_request(orders(PATHS), request_)
    assert said in str(refused.value)


def test_an_alias_is_found_in_any_form_of_unicode() -> None:
    catalog = orders((*PATHS[:2], "/société", *PATHS[3:]))
    assert planned(catalog, PlanningRequest(goal=[unicodedata.normalize("NFD", "/société")]))["status"] == "solved"


def test_many_requests_may_be_by_aliases_and_one_that_is_wrong_is_told_with_its_line() -> None:
    lines = ['{"goal": ["v1.orders"], "known": ["/orders/{id}"]}', '{"goal": ["/orders"]}']
    first, second = plan_requests(orders(PATHS), lines, ENGINE)
    assert isinstance(first["steps"], list)
    assert [step["name"] for step in first["steps"] if isinstance(step, dict)] == ["list_orders"]
    assert second["line"] == 2
    assert "No fact or goal is called “/orders”. Did you mean" in str(second["error"])


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "orders.yaml"
    aliases = dict(zip(NAMES, PATHS, strict=True))
    mode = "modes: {only: {inputs: [%s], outcomes: {found: [%s]}}}"
    path.write_text(
        "name: orders\nfacts:\n"
        f"  order_id: {{alias: '{aliases['order_id']}'}}\n"
        f"  order: {{alias: '{aliases['order']}', askable: false}}\n"
        f"  orders: {{alias: {aliases['orders']}, askable: false}}\n"
        f"skills:\n  get_order: {{alias: '{aliases['get_order']}', {mode % ('order_id', 'order')}}}\n"
        f"  list_orders: {{alias: {aliases['list_orders']}, {mode % ('order', 'orders')}}}\n"
        "goals: {see: {alias: goals/see, facts: [orders], examples: [Show my orders]}}\n",
        encoding="utf-8",
    )
    return str(path)


@pytest.mark.parametrize(
    "command",
    [
        ["plan", "--json"],
        ["plan", "--k", "2"],
        ["plan", "--k", "2", "--json"],
        ["pddl"],
        ["landmarks"],
        ["explore"],
    ],
)
@pytest.mark.parametrize(("goal", "alias"), [("orders", "v1.orders"), ("see", "goals/see")])
def test_commands_take_an_alias_for_a_name(
    command: list[str], goal: str, alias: str, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for wanted, known in ((goal, "order_id"), (alias, "/orders/{id}#id")):
        assert main([command[0], file, "--goal", wanted, "--known", known, *command[1:]]) == 0
        out = capsys.readouterr().out
        told.append(json.loads(out) if "--json" in command else re.sub(r"in \d+\.\d s", "in no time", out))
    for one in told:
        if isinstance(one, dict):
            one.pop("seconds", None)
    assert told[0] == told[1]


def test_a_plan_shows_aliases_beside_names(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", file, "--goal", "goals/see"]) == 0
    steps = capsys.readouterr().out.splitlines()[1:4]
    assert steps == [
        "  1. ask for order_id (/orders/{id}#id)",
        "  2. call get_order (GET /orders/{id}) → found",
        "  3. call list_orders (v1.orders.list) → found",
    ]


@pytest.mark.parametrize("called", ["list_orders", "v1.orders.list"])
def test_where_a_skill_is_named_in_place_of_a_goal_it_is_said_what_it_gives(called: str) -> None:
    with pytest.raises(UnknownName, match="It is a skill; name what it gives: “orders”") as raised:
        plan_request(orders(PATHS), PlanningRequest(goal=[called]), ENGINE)
    assert raised.value.nearest == ("orders",)
