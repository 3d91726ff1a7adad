"""The command line: what it prints, and with which code it ends."""

from __future__ import annotations

import io
import json
import re
import socket
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from catalog.demos.banking.personas import ANN
from dialogue.cli.main import TABLE, CommandRow, main
from dialogue.cli.plans import list_missing
from planning.diagnosis.model import Diagnosis, Gap, GapKind, GapSet
from planning.engines import DEFAULT_ENGINE, ENGINES, Cancelled
from planning.engines.native import NativeEngine
from planning.model import GaveUp, Limits, PlanningResult, Task


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, err = run(capsys, *arguments, "--json")
    assert code in (0, 3, 4), err
    return json.loads(out)


@pytest.mark.row("V3")
def test_plan_prints_the_form_that_scripts_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    plan = run_json(capsys, "plan", "banking", "--goal", "loan_result")
    assert plan["status"] == "solved"
    assert [(step["kind"], step["name"]) for step in plan["steps"]] == [("ask", "loan_result")]
    assert plan["engine"] == DEFAULT_ENGINE
    assert {"compile", "search"} <= set(plan["seconds"])
    assert plan["missing"] == {"information": [], "functionality": []}
    assert plan["cost"] == 1


NOISY = """
import ctypes, os, sys
from dialogue.cli.main import main
from planning.engines import ENGINES
from planning.engines.native import NativeEngine

class Noisy(NativeEngine):
    def solve(self, *given):
        print("printed by Python")
        ctypes.CDLL(None).puts(b"printed by C, and written when its buffer is")
        os.write(1, b"written at once\\n")
        return super().solve(*given)

ENGINES["native"] = Noisy()
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("goal", ["plot", "no_such_goal"])
def test_what_libraries_print_never_reaches_the_output_of_a_command(goal: str) -> None:
    command = [sys.executable, "-c", NOISY, "plan", "banking", "--goal", goal, "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if goal == "no_such_goal":
        assert (done.returncode, done.stdout) == (2, "")
        return
    assert json.loads(done.stdout)["status"] == "solved"
    for printed in ("printed by Python", "printed by C", "written at once"):
        assert printed in done.stderr


def test_a_reader_that_has_had_enough_ends_a_command_without_a_word() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "dialogue.cli.main", "settings"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        assert command.stdout is not None and command.stderr is not None
        command.stdout.close()
        assert (command.stderr.read(), command.wait()) == (b"", 0)


def test_garbage_is_collected_again_once_the_modules_of_a_command_are_there_and_not_looked_for_among_them() -> None:
    program = (
        "import atexit, gc, sys\n"
        "from dialogue.cli.main import main\n"
        "atexit.register(lambda: print(gc.isenabled(), gc.get_freeze_count() > 10_000, file=sys.stderr))\n"
        "sys.argv[1:] = ['plan', 'nowhere']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "True True"


def test_engines_are_listed_with_their_state_and_what_they_are_good_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kstar: Any = ENGINES["kstar"]
    missing = replace(kstar, package=replace(kstar.package, module="not_there"))
    monkeypatch.setitem(ENGINES, "kstar", missing)
    listed = {engine["name"]: engine for engine in run_json(capsys, "engines")["engines"]}
    assert list(listed) == list(ENGINES)
    assert [name for name, engine in listed.items() if engine["default"]] == ["native"]
    assert (listed["native"]["state"], listed["native"]["heeds_costs"]) == ("ready", True)
    assert (listed["pyperplan"]["heeds_costs"], listed["pyperplan"]["heeds_budget"]) == (False, False)
    assert (listed["optimal"]["proves_optimality"], listed["optimal"]["heeds_budget"]) == (True, True)
    assert (listed["kstar"]["state"], listed["kstar"]["version"]) == ("not installed", None)
    assert "pip install 'planglass[kstar]'" in listed["kstar"]["install"]
    code, out, _ = run(capsys, "engines")
    assert code == 0
    assert "the default" in out.splitlines()[0]
    assert "to install it: pip install 'planglass[kstar]'" in out
    code, _, err = run(capsys, "plan", "banking", "--goal", "name", "--engine", "kstar")
    assert code == 2
    assert "The engine kstar needs the package kstar-planner, which is not installed" in err


def test_several_ways_are_listed_with_what_each_asks_calls_and_costs(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run_json(capsys, "plan", "banking", "--goal", "loan_result", "--k", "3")
    assert [(way["cost"], way["asks"]) for way in listed["ways"]] == [
        (1, ["loan_result"]),
        (5, ["email", "credit_score", "loan_amount"]),
        (5, ["account_number", "credit_score", "loan_amount"]),
    ]
    assert [call["mode"] for call in listed["ways"][2]["calls"]] == ["by_account_number", "decide"]
    assert listed["ways"][1]["steps"][0] == {"kind": "ask", "name": "email", "inputs": [], "outputs": ["email"]}
    assert not listed["complete"]
    code, out, _ = run(capsys, "plan", "banking", "--goal", "loan_result", "--k", "2")
    assert code == 0
    assert "  2. cost 5, takes 3 questions, 2 calls\n     asks for email, credit_score, loan_amount" in out
    assert "There are other ways" in out


def test_a_goal_without_any_way_ends_like_one_without_a_plan(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    catalog = tmp_path / "catalog.yaml"
    catalog.write_text("name: tiny\nfacts:\n  a: {askable: false}\n", encoding="utf-8")
    code, out, _ = run(capsys, "plan", str(catalog), "--goal", "a", "--k", "2")
    assert (code, out) == (3, "There is no way.\n")
    with pytest.raises(SystemExit):
        run(capsys, "plan", "banking", "--goal", "name", "--k", "0")
    assert "'0' is not a number from 1 to" in capsys.readouterr().err


@pytest.mark.row("V5")
def test_plan_follows_what_is_known(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    cannot = ["transactions", "plot"]
    lines = [
        {"goal": ["plot"], "known": ["email"], "cannot_ask": [*cannot, "account_number"]},
        {"goal": ["plot"], "known": ["account_number"], "cannot_ask": cannot},
        {"goal": ["plot"], "known": [], "cannot_ask": [*cannot, "email", "account_number"]},
        {"goal": ["nonsense"]},
    ]
    requests.write_text("\n".join(map(json.dumps, lines)))
    code, out, _ = run(capsys, "plan", "banking", "--requests", str(requests))
    assert code == 0
    by_email, by_number, neither, wrong = map(json.loads, out.splitlines())
    assert by_email["steps"][0]["name"] == "customer_lookup"
    assert "customer_lookup" not in [step["name"] for step in by_number["steps"]]
    assert neither["status"] == "unsolvable"
    assert neither["missing"]["information"]
    assert "nonsense" in wrong["error"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["plan", "banking", "--goal", "loan_result"], 0),
        (["plan", "banking", "--goal", "loan_reslut"], 2),
        (["plan", "banking"], 2),
        (["plan", "no-such-file.yaml", "--goal", "x"], 2),
        (["plan", "banking", "--requests", "no-such-file.jsonl"], 2),
        (["check", "banking"], 0),
        (["landmarks", "banking", "--goal", "loan_result", "--known", "email"], 0),
        (["pddl", "banking", "--goal", "plot"], 0),
    ],
)
def test_exit_codes(capsys: pytest.CaptureFixture[str], arguments: list[str], code: int) -> None:
    found, out, err = run(capsys, *arguments)
    assert found == code
    assert "Traceback" not in out + err
    assert bool(err) == (code == 2)


def test_a_misspelt_goal_is_answered_with_the_nearest_names(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, "plan", "banking", "--goal", "loan_reslut")
    assert "loan_result" in err


def test_an_unsolvable_goal_ends_with_3_and_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    catalog = tmp_path / "c.yaml"
    catalog.write_text("version: 1\nname: c\nfacts:\n  a: {askable: false}\n  b: {askable: false}\n"
                       "skills:\n  s:\n    endpoint: python:catalog.demos.x:y\n"
                       "    modes: {m: {inputs: [a], outcomes: {o: {facts: [b]}}}}\n")  # fmt: skip
    code, out, _ = run(capsys, "plan", str(catalog), "--goal", "b", "--json")
    assert code == 3
    missing = json.loads(out)["missing"]
    assert (missing["information"], missing["functionality"]) == ([], ["a"])
    assert [one["functionality"] for one in missing["sets"]] == [
        [{"inputs": [], "outputs": ["a"]}],
        [{"inputs": [], "outputs": ["b"]}],
    ]
    _, out, _ = run(capsys, "plan", str(catalog), "--goal", "b")
    assert "what would help:\n  1. a skill that gives a (a plan then costs 2)\n  2. a skill that gives b " in out


def test_check_names_file_line_and_what_to_write(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    catalog = tmp_path / "c.yaml"
    catalog.write_text(
        "version: 1\nname: c\nfacts:\n  a: {}\nskills:\n  s:\n    endpoint: python:x.y:z\n    max_trys: 3\n"
    )
    code, out, _ = run(capsys, "check", str(catalog))
    assert code == 2
    assert f"{catalog}:8" in out
    assert "max_tries" in out
    problems = json.loads(run(capsys, "check", str(catalog), "--json")[1])
    assert problems["ok"] is False
    assert any(problem["line"] == 8 for problem in problems["problems"])


def test_pddl_writes_files_with_a_table_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, _ = run(capsys, "pddl", "banking", "--goal", "plot", "--out", str(tmp_path / "out"))
    assert code == 0
    domain = (tmp_path / "out" / "domain.pddl").read_text()
    assert domain.startswith("(define (domain")
    assert "(known-transactions)" in domain
    assert "transactions" in (tmp_path / "out" / "symbols.json").read_text()


@pytest.mark.row("V16")
def test_landmarks_come_in_an_order_in_which_they_can_be_had(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "landmarks", "banking", "--goal", "mortgage_quote", "--known", "income")
    assert found["landmarks"][-1] == "mortgage_quote"
    place = {fact: number for number, fact in enumerate(found["landmarks"])}
    assert all(place[first] < place[then] for first, then in found["orders"])


TRIP = """
version: 1
name: trips
facts: {email: {}, account: {}, rail: {}, name: {askable: false}, train: {askable: false}, flight: {askable: false}}
skills:
  look_up:
    endpoint: python:x.y:z
    modes:
      by_email: {inputs: [email], outcomes: {found: [name]}}
      by_account: {inputs: [account], outcomes: {found: [name]}}
  book_train: {endpoint: "python:x.y:z", modes: {only: {inputs: [rail], outcomes: {booked: [train]}}}}
  book_flight: {endpoint: "python:x.y:z", modes: {only: {inputs: [name], outcomes: {booked: [flight]}}}}
goals:
  trip: {either: [train, flight]}
"""


def test_pddl_comes_with_costs_where_they_differ_and_without_them_where_that_is_wanted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    catalog = tmp_path / "trips.yaml"
    catalog.write_text(TRIP.replace("book_train: {", "book_train: {cost: 2.5, "))
    _, written, _ = run(capsys, "pddl", str(catalog), "--goal", "trip")
    assert written.startswith("; A total-cost of 1 is a cost of 0.1 in the catalog.\n")
    assert "(increase (total-cost) 25)" in written and "(:metric minimize (total-cost))" in written
    left_out = "Costs are left out: the shortest plan need not be the cheapest."
    _, written, _ = run(capsys, "pddl", str(catalog), "--goal", "trip", "--strips")
    assert written.startswith(f"; {left_out}\n") and "total-cost" not in written
    _, told, _ = run(capsys, "pddl", str(catalog), "--goal", "trip", "--strips", "--out", str(tmp_path))
    assert told.splitlines()[-1] == left_out


def test_landmarks_tell_what_is_always_done_and_of_what_one_will_do(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    catalog = tmp_path / "trips.yaml"
    catalog.write_text(TRIP)
    found = run_json(capsys, "landmarks", str(catalog), "--goal", "flight")
    assert found["landmarks"] == ["name", "flight"]
    assert found["necessary"] == [["name", "flight"]]
    assert [(one["kind"], one["name"], one["outcome"]) for one in found["actions"]] == [
        ("skill", "book_flight", "booked")
    ]
    assert found["disjunctive"] == [["email", "account"]]
    code, out, _ = run(capsys, "landmarks", str(catalog), "--goal", "flight")
    assert (code, out) == (0, "  1. name\n  2. flight\n  +  one of email, account\n")
    code, out, _ = run(capsys, "landmarks", str(catalog), "--goal", "trip")
    assert (code, out) == (0, "  +  one of train, flight\n  +  one of rail, name\n")
    assert run_json(capsys, "landmarks", str(catalog), "--goal", "trip")["actions"] == []


@pytest.mark.row("P10", "P15")
def test_understand_tells_where_each_value_was_said_and_by_which_rule(capsys: pytest.CaptureFixture[str]) -> None:
    text = "expense report for Q2 2024, and ring me about it, and an invoice for a yoga class"
    _, out, _ = run(capsys, "understand", "accounting", text, "--today", "2024-11-06")
    assert re.sub(r" \(\d+% sure\)", "", out).splitlines() == [
        "0. expense_report",
        "   start_date = 1 April 2024, from “Q2 2024” (19 to 26), by: period in words",
        "   end_date = 30 June 2024, from “Q2 2024” (19 to 26), by: period in words",
        "1. contact_us",
        "   contact_channel = phone, from “ring” (32 to 36), by: item of a list",
        "   contact_topic = the result of 0, from “it”",
        "2. create_invoice",
        "   invoice_detail = yoga class, from “yoga class” (71 to 81), by: item of a list",
        "   missing: invoice_amount",
    ]
    _, out, _ = run(capsys, "understand", "banking", "my bookings", "--today", "2024-11-06")
    assert re.match(r"not sure; perhaps: transactions \(\d+%\)", out), out
    assert run(capsys, "understand", "accounting", "sing a song")[1].strip() == "Nothing in this catalog serves that."


HOMES = """
name: homes
facts:
  price: {label: price of the home, value: {kind: money, currency: USD}}
  offer: {askable: false, fillable: false, why_not_fillable: it comes from the bank}
  letter: {askable: false, fillable: false, why_not_fillable: it comes from the bank}
skills:
  lender: {endpoint: "python:a:b", modes: {by_price: {inputs: [price], outcomes: {made: {facts: [offer]}}}}}
  cleaner: {endpoint: "python:a:b", modes: {now: {outcomes: {cleaned: }}}}
goals:
  mortgage: {label: get a mortgage, WANTED, examples: [I want a mortgage, get me a mortgage, a mortgage please]}
  cleaning: {label: clean the house, skills: [cleaner], examples: [clean the house, have my house cleaned]}
"""


@pytest.mark.parametrize("wanted", ["facts: [offer]", "skills: [lender]", "either: [[offer], [letter]]"])
def test_what_is_said_for_a_goal_is_understood_whatever_the_goal_names(
    wanted: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    catalog = tmp_path / "homes.yaml"
    catalog.write_text(HOMES.replace("WANTED", wanted))
    with_price = run_json(capsys, "understand", str(catalog), "I want a mortgage for 250,000")
    assert with_price["goals"] == [{"goal": "mortgage", "args": {"price": "250000.00"}, "missing": []}]
    without = run_json(capsys, "understand", str(catalog), "I want a mortgage")
    assert without["goals"] == [{"goal": "mortgage", "args": {}, "missing": ["price"]}]
    both = run_json(capsys, "understand", str(catalog), "clean the house and get me a mortgage")
    assert [request["goal"] for request in both["goals"]] == ["cleaning", "mortgage"]


def test_understand_finds_what_is_missing_with_the_configured_engine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An engine that gives up finds no questions that are left."""

    class GivesUp(NativeEngine):
        def solve(self, task: Task, limits: Limits, cancelled: Cancelled) -> PlanningResult:
            return GaveUp(f"after {limits.time_s:g} s", "gives_up")

    monkeypatch.setitem(ENGINES, "gives_up", GivesUp())
    catalog = tmp_path / "homes.yaml"
    catalog.write_text(HOMES.replace("WANTED", "facts: [offer]"))
    command = ("understand", str(catalog), "I want a mortgage")
    (found,) = run_json(capsys, *command)["goals"]
    assert found["missing"] == ["price"]
    (found,) = run_json(capsys, *command, "--set", "engine=gives_up")["goals"]
    assert found["missing"] == []


def test_understand_prints_goals_values_and_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = run_json(capsys, "understand", "banking", "I want a loan of $12,000", "--today", "2026-11-21")
    [goal] = seen["goals"]
    assert goal["goal"] == "loan"
    assert goal["args"] == {"loan_amount": "12000.00"}
    assert "loan_amount" not in goal["missing"]
    assert goal["missing"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("stop\nwhy did you need my address?\nthe weather in Lisbon\n"))
    _, out, _ = run(capsys, "understand", "banking", "-", "--json")
    stop, why, weather = map(json.loads, out.splitlines())
    assert stop["control"] == "stop"
    assert (why["question"]["kind"], why["question"]["fact"]) == ("why", "address")
    assert weather["goals"] == []


def test_chat_prints_one_object_a_turn_with_sensitive_values_masked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = ["I want a loan of $12,000", ANN.customer.email, "yes", ANN.ssn, "no"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(said)))
    code, out, _ = run(capsys, "chat", "banking", "--json", "--today", "2026-11-21")
    assert code == 0
    turns = [json.loads(line) for line in out.splitlines()]
    assert [turn["turn"] for turn in turns] == [1, 2, 3, 4, 5]
    assert [turn["asks"] for turn in turns] == ["email", None, "ssn", None, None]
    assert turns[0]["goals"] == ["loan"]
    assert turns[3]["known"]["loan_result"] == "approved"
    assert turns[3]["known"]["ssn"] == "••••"
    assert ANN.ssn not in out
    kinds = {event["kind"] for turn in turns for event in turn["events"]}
    assert {
        "heard", "understood", "goal_pushed", "goal_achieved", "planned", "discarded", "asked", "answered",
        "authorized", "ran", "established", "pruned", "replied",
    } <= kinds  # fmt: skip
    assert all(event["reason"] for turn in turns for event in turn["events"] if event["kind"] == "discarded")


def test_chat_takes_uploads_and_events_as_objects(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picture = tmp_path / "cat.png"
    picture.write_bytes(b"no picture")
    said = [json.dumps({"alert": "payment_overdue", "facts": {"overdue_amount": "5.00", "due_date": "2026-01-01"}})]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join([*said, "{broken"])))
    code, out, err = run(capsys, "chat", "banking", "--json")
    assert json.loads(out.splitlines()[0])["goals"] == ["arrange_payment"]
    assert code == 2
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"txet": "hello"}', "txet"),
        ('{"uploads": "card.png"}', "uploads"),
        ('{"alert": "payment_overdue", "facts": [1]}', "facts"),
        ('{"alert": "payment_overdue", "facts": {"overdue_amount": "much"}}', "overdue_amount"),
        ('{"alert": "payment_overdue", "facts": {"ssn": "1"}}', "It carries"),
        ('{"alert": "flood"}', "There are: payment_overdue"),
        ('{"uploads": ["no-such-file.png"]}', "no-such-file.png"),
    ],
)
def test_a_line_that_cannot_be_taken_ends_the_chat_with_what_was_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: str, found: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(line))
    code, _, err = run(capsys, "chat", "banking", "--json")
    assert code == 2
    assert found in err
    assert "Traceback" not in err


def test_a_taken_port_is_said_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, err = run(capsys, "app", "--port", str(port))
    assert code == 2
    assert f"Port {port} is taken" in err
    assert f"--port {port + 1}" in err


def test_the_command_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dialogue.cli.main", "--help"], capture_output=True, text=True, check=True, timeout=60
    )
    assert "CATALOG" not in done.stderr
    assert "understand" in done.stdout


@pytest.mark.row("P21")
def test_plan_heeds_what_is_to_be_minimised_and_what_may_be_spent(capsys: pytest.CaptureFixture[str]) -> None:
    catalog = str(Path(__file__).parents[1] / "stories" / "catalogs" / "reports.yaml")
    known = ("plan", catalog, "--goal", "report", "--known", "register_number")
    called = [
        [step["name"] for step in run_json(capsys, *known, *more)["steps"]]
        for more in ([], ["--minimize", "money"], ["--minimize", "time"], ["--minimize", "quality"], ["--budget", "2"])
    ]
    assert called == [["archive"], ["press_review"], ["courier"], ["expert"], ["press_review"]]
    _, out, _ = run(capsys, *known, "--budget", "2")
    assert "takes 1 call, 0.50 EUR, about 10 min, quality 0.5" in out
    code, out, _ = run(capsys, *known, "--budget", "0.1")
    assert code == 3
    assert "the budget is too small: the plan that was found takes 0.50 EUR" in out
    assert "The plan that takes least money takes 0.50 EUR, more than the 0.10 EUR that may be spent." in out
    code, out, _ = run(capsys, *known, "--engine", "pyperplan", "--budget", "0.1")
    assert code == 4
    assert "does not heed budgets; choose “native”" in out


@pytest.mark.row("V20")
def test_plan_does_without_what_the_user_cannot_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """The same in landmarks and in PDDL; a name that is none is refused."""
    barred = ("loan_result", "credit_score", "email", "account_number", "name")
    plan = run_json(capsys, "plan", "banking", "--goal", "loan_result", "--cannot-ask", *barred)
    assert plan["status"] == "solved"
    assert not set(barred) & {step["name"] for step in plan["steps"] if step["kind"] == "ask"}
    landmarks = run_json(capsys, "landmarks", "banking", "--goal", "loan_result", "--cannot-ask", "loan_result")
    assert "loan_amount" in landmarks["landmarks"]
    asked = run(capsys, "pddl", "banking", "--goal", "loan_result")[1]
    assert len(run(capsys, "pddl", "banking", "--goal", "loan_result", "--cannot-ask", "email")[1]) < len(asked)
    code, _, err = run(capsys, "plan", "banking", "--goal", "loan_result", "--cannot-ask", "emial")
    assert (code, "Did you mean “email”" in err) == (2, True)


@pytest.mark.parametrize("command", ["plan", "landmarks", "explore"])
def test_a_fact_that_there_are_several_of_is_refused_with_the_names_of_each(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    catalog = str(Path(__file__).parents[1] / "stories" / "catalogs" / "journey.yaml")
    several = "There are several of it; name one or more of them: “{0} (outbound)”, “{0} (back)”."
    code, _, err = run(capsys, command, catalog, "--goal", "flight_booking")
    assert (code, several.format("flight_booking") in err) == (2, True)
    code, _, err = run(capsys, command, catalog, "--goal", "flights", "--known", "flight_day")
    assert (code, several.format("flight_day") in err) == (2, True)


@pytest.mark.parametrize("budget", ["-1", "nan", "inf", "much"])
def test_a_budget_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], budget: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["plan", "banking", "--goal", "loan_result", f"--budget={budget}"])
    assert ended.value.code == 2
    assert "is not an amount such as 2.50" in capsys.readouterr().err


def test_what_would_help_names_who_gives_what_and_agrees_to_what() -> None:
    gaps = (
        Gap(GapKind.ANSWER, "income", ("income",)),
        Gap(GapKind.CONSENT, "bureau", ("ssn",)),
        Gap(GapKind.CONSENT, "salary", ("salary",)),
        Gap(GapKind.GO_AHEAD, "clerk", ()),
        Gap(GapKind.SKILL, "rating", ("rating",), inputs=("name",)),
    )
    found = Diagnosis((GapSet(gaps, cost=3),), note="Not all was looked at.", over_budget=2.5)
    assert list_missing(found, "EUR") == [
        "what would help:",
        "  1. a person gives income; a person agrees to give ssn to bureau; a person agrees to give salary; "
        "a person agrees to a call of clerk; a skill that gives rating from name (a plan then costs 3)",
        "     Not all was looked at.",
        "the budget is too small: the plan that was found takes 2.50 EUR",
    ]
    assert list_missing(Diagnosis(), "EUR") == []


@pytest.mark.parametrize("port", ["0", "65536"])
def test_a_port_that_is_none_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "app", "--port", port)
    assert code == 2
    assert f"{port} is not a port" in err


def test_what_cannot_be_reached_has_no_landmarks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    catalog = tmp_path / "nothing.yaml"
    catalog.write_text("name: nothing\nfacts: {a: {askable: false}}\n", encoding="utf-8")
    _, out, _ = run(capsys, "landmarks", str(catalog), "--goal", "a")
    assert "No landmarks: the goal cannot be reached." in out


def test_understand_says_what_is_neither_a_request_nor_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "understand", "banking", "stop")
    assert "control: stop" in out


@pytest.mark.parametrize("command", TABLE, ids=lambda row: row.name)
def test_each_command_of_the_table_is_what_its_module_declares(command: CommandRow) -> None:
    """Modules are named as text, and imported when they are used."""
    declared = import_module(f"dialogue.cli.{command.module}").COMMANDS
    assert set(declared) == {row.name for row in TABLE if row.module == command.module}
