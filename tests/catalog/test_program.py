"""Rules of catalogs as logic programs: what is refused, what they come to, and what may never happen by them."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from catalog.analysis.dependencies import find_result, results_of
from catalog.load import loads
from catalog.model import Catalog, Goal
from catalog.model.identifiers import identify
from catalog.problems import CatalogError
from catalog.rules import (
    Overrun,
    RuleLimits,
    RuleProgram,
    RuleVocabulary,
    Symbol,
    check_rules,
    constant,
    fact_symbol,
    name_of,
    read_rules,
    read_value,
    write_pair,
    write_value,
)
from catalog.rules.validation import MAX_LITERALS, MAX_RULES, Callbacks
from tests.office import OFFICE, TEXT

VOCABULARY = RuleVocabulary.of(OFFICE)
TODAY = date(2026, 11, 22)
X, Y = constant("x"), constant("y")
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters() | st.sampled_from('\0\ud800\udfff\u2400"\\\n')),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def solve(text: str, *facts: Symbol, limits: RuleLimits | None = None) -> list[str]:
    assert check_rules([text], VOCABULARY) == ()
    model = RuleProgram(read_rules(text)).solve(facts, Callbacks(TODAY), limits or RuleLimits())
    return [str(atom) for atom in model.atoms if atom not in facts]


@pytest.mark.parametrize(
    ("text", "found", "write"),
    [
        ("error('x').", "'x' is no text to be shown", 'Write error("…")'),
        ('error("x") :- goal(X, _)', "Syntax error", "full stop"),
        ('#include "/etc/passwd".', "There is #include", "rules alone"),
        ("# include <incmode>.", "There is # include", "rules alone"),
        ("#script (python)\nimport os\n#end.", "There is #script", "rules alone"),
        ("% \n #external a.", "There is #external", "rules alone"),
        ('error("#theory").', "There is #theory", "rules alone"),
        ("#const n = 3.", "There is #const", "rules alone"),
        ("a\0.", "There is '\\x00' where no text is", "double quotation marks"),
        ('error("a\0").', "A text is not closed", "on its line"),
        ("ä.", "There is '\\xe4' where no text is", "double quotation marks"),
        ('error("\\ä").', "A text is not closed", "backslash"),
        ('error("ä\n").', "A text is not closed", "on its line"),
        ("%* %* ä *% ; *% `ä = ..", "a comment of several lines", "Begin each line"),
        ('a :- "\ud800".', "A text is not closed", "on its line"),
        ("a :- \ud800.", "There is '\\ud800'", "double quotation marks"),
        ('{ error("x") }.', "leaves a choice", "one atom"),
        ("a ; b.", "leaves a choice", "one atom"),
        ("&a { }.", "leaves a choice", "one atom"),
        (":~ goal(X, _). [1]", "something to minimise", "rules alone"),
        (":- goal(_, create_invoice).", "forbids without saying why", 'error("…")'),
        ("not a.", "no plain atom", "Write an atom"),
        ("1 < 2.", "no plain atom", "Write an atom"),
        ("-a.", "no plain atom", "Write an atom"),
        ("a :- -goal(X, _).", "no plain atom", "`not`"),
        ("a :- not not goal(X, _).", "denied twice", "not not"),
        ("a :- goal(X, _) : goal(X, _).", "condition on conditions", "rule of its own"),
        ("a :- { goal(X, _) } > 1.", "neither an atom nor a comparison", "#count"),
        ("a :- &sum { x } > 1.", "neither an atom nor a comparison", "#count"),
        ("a(1..1000000000).", "several terms at once", "one rule for each"),
        ("a(X) :- goal(X, _), X = (x; y).", "several terms at once", "one rule for each"),
        ("a :- begin_date(X, _, date).", "Nothing is called begin_date", "Did you mean 'end_date'"),
        ("a :- start_date(X, _).", "start_date has 2 arguments here", "3: start_date(X, V, date)"),
        ("a :- _start_date(X, _, date).", "_start_date has 3 arguments here", "2: _start_date(X, V)"),
        ("a :- error(X, _).", "error has 2 arguments here", "1"),
        ("a :- start_date(X, _, money).", "of the kind date, and not money", "start_date(X, V, date)"),
        ("start_date(x, 1, text).", "of the kind date, and not text", "start_date(X, V, date)"),
        (
            "start_date(X, V, K) :- _start_date(X, V), _end_date(X, K).",
            "kind date, and not K",
            "start_date(X, V, date)",
        ),
        ("a :- goal(X, profit_loss).", "No goal is called profit_loss", "Did you mean 'profit_loss_report'"),
        ("a :- goal(X, _), X = @sleep(X).", "no function @sleep", "Known functions: before, days, money, today"),
        ("a :- goal(X, _), X = @days(X).", "@days has 1 arguments here", "with 2"),
        ("goal(x, create_invoice).", "goal/2, which is not for rules to say", "name of your own"),
        ("_start_date(x, 1).", "_start_date/2, which is not", "name of your own"),
        ("derived_by(1, 2).", "derived_by/2, which is not", "name of your own"),
        ("a(X) :- a(X).", "depends on itself", "what was said"),
        ("a(X) :- goal(X, _), not b(X).\nb(X) :- goal(X, _), not a(X).", "depends on itself", "what was said"),
        ("a(X) :- goal(X, _), 1 < #count { Y : a(Y) }.", "depends on itself", "what was said"),
        ("end_date(X, S, date) :- end_date(Y, S, date), goal(X, _), X != Y.", "depends on itself", "_end_date(X, V)"),
        ("error(S) :- goal(X, _).", "Unsafe variables", "hold each variable"),
        ("error(S) :- goal(X, _), S = @days(A, B).", "Unsafe variables", "hold each variable"),
        (f"a :- {', '.join(['goal(_, _)'] * (MAX_LITERALS + 1))}.", "13 conditions", "Split the rule"),
        ("a.\n" * (MAX_RULES + 1), "1,001 rules", "Leave some out"),
    ],
)
def test_a_text_that_is_not_rules_of_the_kind_that_is_allowed_is_refused(text: str, found: str, write: str) -> None:
    faults = check_rules(["% nothing here", text], VOCABULARY)
    assert faults
    assert found in faults[0].found
    assert write in faults[0].write


def test_a_fault_has_the_text_and_the_line_that_it_is_in() -> None:
    faults = check_rules(["a.", 'error("x") :- goal(X, _).\n% here\nb :- nothing_like_it.\n\nc :- @x.'], VOCABULARY)
    assert [(fault.text, fault.line) for fault in faults] == [(1, 5)]
    faults = check_rules(["a.", 'error("x") :- goal(X, _).\n% here\nb :- nothing_like_it.'], VOCABULARY)
    assert [(fault.text, fault.line) for fault in faults] == [(1, 3)]


def test_a_catalog_with_such_rules_is_not_loaded_and_says_where() -> None:
    with pytest.raises(
        CatalogError, match=r"rules\[0\]: In line 2 of the rules: Nothing is called begin_date"
    ) as caught:
        loads(TEXT.replace("start_date(X, S, date), end", "begin_date(X, S, date), end"))
    assert caught.value.problems[0].code == "rule"
    assert caught.value.problems[0].line is not None
    with pytest.raises(CatalogError, match=r"rules\[1\]: Nothing is called a"):
        loads(TEXT + '  - "error(1) :- a."\n')


def test_including_a_file_does_not_read_it(tmp_path: Path) -> None:
    secret = tmp_path / "secret.lp"
    secret.write_text("secret(", encoding="utf-8")
    faults = check_rules([f'#include "{secret}".'], VOCABULARY)
    assert len(faults) == 1
    assert "secret" not in faults[0].found


PIECES = st.sampled_from(
    [
        *'"%*\\\n#.,:;()|{}[]@&~?!$`^ äи名\0\ud800',
        "%*",
        "*%",
        "error(",
        ":- ",
        "goal(X, _)",
        "not ",
        "=",
        "#sum",
        "a",
        "X",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_no_text_brings_the_process_down(text: str) -> None:
    for fault in check_rules([text], VOCABULARY):
        assert fault.found
        assert fault.write


def test_texts_and_comments_may_be_in_any_script() -> None:
    assert solve('% Gründe: "\n% 名 %*\nerror("Schluß vor Anfang: \\"и\\".").') == [
        'error("Schluß vor Anfang: \\"и\\".")'
    ]


def test_rules_name_the_instances_of_facts() -> None:
    text = """
name: trip
facts: {day: {value: date}, seat: {}}
instances: {flight: {facts: [day, seat], of: {out: outbound, back: inbound}}}
rules: ['error("Back before out.") :- day_out(X, A, date), day_back(X, B, date), @before(B, A) = true.']
"""
    assert loads(text).catalog.rules
    with pytest.raises(CatalogError, match="Nothing is called day"):
        loads(text.replace("day_out", "day"))


def test_rules_say_what_follows() -> None:
    facts = [
        fact_symbol("_start_date", X, write_value("2024-03-01")),
        fact_symbol("_end_date", X, write_value("2024-02-28")),
        fact_symbol("_invoice_amount", X, write_value("12.50")),
        fact_symbol("_invoice_amount", Y, write_value("99999999999.00")),
        fact_symbol("_contact_topic", Y, write_value(7)),
    ]
    text = """
    wrong(X) :- _start_date(X, S), _end_date(X, E), @before(E, S) = true.
    right(X) :- _start_date(X, S), _end_date(X, E), @before(S, E) = true.
    length(X, @days(S, E)) :- _start_date(X, S), _end_date(X, E).
    cents(X, C) :- _invoice_amount(X, A), C = @money(A).
    never(X) :- _contact_topic(X, T), C = @money(T).
    never(X) :- _contact_topic(X, T), C = @days(T, T).
    never(X) :- _contact_topic(X, T), _start_date(_, S), C = @before("soon", S).
    never(X) :- _contact_topic(X, T), C = @money("soon").
    day(D) :- D = @today().
    late.
    """
    assert solve(text, *facts) == [
        "late",
        'day("2026-11-22")',
        "wrong(x)",
        "cents(x,1250)",
        "cents(y,2147483647)",
        "length(x,-2)",
    ]


def test_counting_and_denying_are_allowed() -> None:
    text = """
    many :- 1 < #count { X : goal(X, _) }.
    single(X) :- goal(X, _), not many.
    """
    assert solve(text, fact_symbol("goal", X, constant("a"))) == ["single(x)"]
    assert solve(text, fact_symbol("goal", X, constant("a")), fact_symbol("goal", Y, constant("a"))) == ["many"]


def test_of_two_rules_it_is_told_which_has_led_to_what() -> None:
    text = "a(X) :- goal(X, one). a(X) :- goal(X, two). b :- a(_). unused :- _start_date(_, _)."
    facts = [fact_symbol("goal", X, constant("two"))]
    model = RuleProgram(read_rules(text)).solve(facts, Callbacks(TODAY), RuleLimits())
    assert sorted((str(atom), number) for atom, number in model.derived) == [("a(x)", 1), ("b", 2)]


PRODUCT = "error(A) :- _contact_topic(A, _), _contact_topic(B, _), _contact_topic(C, _), _contact_topic(D, _), A != A."
MANY = [fact_symbol("_contact_topic", constant(f"c{number}"), write_value("")) for number in range(60)]


def test_rules_that_come_to_too_much_are_ended() -> None:
    with pytest.raises(Overrun, match="more than 1,000 atoms"):
        solve("pair(A, B) :- _contact_topic(A, _), _contact_topic(B, _).", *MANY, limits=RuleLimits(atoms=1_000))
    with pytest.raises(Overrun, match="more than 20 atoms"):
        solve("one(A) :- _contact_topic(A, _).", *MANY, limits=RuleLimits(atoms=20))
    with pytest.raises(Overrun, match="longer than 0 seconds"):
        solve("pair(A, B) :- _contact_topic(A, _), _contact_topic(B, _).", *MANY, limits=RuleLimits(time_s=0))


def test_many_atoms_are_solved_too() -> None:
    assert len(solve("pair(A, B) :- _contact_topic(A, _), _contact_topic(B, _).", *MANY)) == 3_600


def test_rules_that_nobody_has_checked_are_ended_too() -> None:
    with pytest.raises(Overrun, match="contradict each other"):
        RuleProgram(read_rules("a :- goal(_, _), not a.")).solve(
            [fact_symbol("goal", X, constant("a"))], Callbacks(TODAY), RuleLimits()
        )
    with pytest.raises(Overrun, match=r"could not be grounded: .*unsafe"):
        RuleProgram(read_rules("a(Z) :- goal(_, _).")).solve(
            [fact_symbol("goal", X, constant("a"))], Callbacks(TODAY), RuleLimits()
        )


@given(JSON)
@example("a\0b\u2400\ud800")
@example([1.5, None, {"a": 2**40}])
def test_a_value_comes_back_from_a_term_exactly_as_it_was(value: object) -> None:
    read = read_value(write_value(value))  # type: ignore[arg-type]
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    "term", [X, write_pair(["a", None]), fact_symbol("json", write_value("{")), fact_symbol("json", X)]
)
def test_other_terms_are_no_values(term: Symbol) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_value(term)
    assert str(write_pair(["a", None])) == '("a",open)'
    assert [name_of(one) for one in (X, write_value("x"), write_value(1), fact_symbol("f", X))] == ["x", "", "", ""]


@given(st.lists(st.text(max_size=80), unique=True), st.sets(st.text(alphabet="ab_1", max_size=3)))
def test_identifiers_are_plain_and_distinct_and_keep_what_is_plain(names: list[str], reserved: set[str]) -> None:
    found = identify(names, reserved)
    assert list(found) == names
    assert len(set(found.values())) == len(names)
    for name, identifier in found.items():
        assert re.fullmatch(r"[a-z][a-z0-9_]*", identifier)
        assert identifier not in reserved
        if re.fullmatch(r"[a-z][a-z0-9_]{0,59}", name) and name not in reserved:
            assert identifier == name


def test_names_that_are_alike_get_numbers() -> None:
    found = identify(["a b", "a_b", "A-B", "2nd", "імʼя", "名前", "not"], {"not"})
    assert list(found.values()) == ["a_b_2", "a_b", "a_b_3", "name_2nd", "name", "name_2", "not_2"]


def test_the_results_of_a_goal_are_what_it_wants_and_what_its_skills_come_to() -> None:
    goal = Goal(name="all", facts=("customer",), skills=("create_invoice_api",), either=(("advice",), ("ticket",)))
    catalog = Catalog.model_validate(OFFICE.model_copy(update={"goals": {"all": goal}}).model_dump())
    assert results_of(catalog, "all") == ("customer", "advice", "ticket", "invoice")
    assert find_result(catalog, "all", "contact_topic") == "invoice"
    assert find_result(catalog, "all", "ticket") == "ticket"
    assert find_result(catalog, "all", "start_date") is None
