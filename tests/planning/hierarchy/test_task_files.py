"""Task files: what is wrong with one is told at once, with its line; values are read as their kinds take them."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
from pydantic import JsonValue

from catalog.load import Loaded, load, loads
from catalog.problems import CatalogError
from planning.hierarchy.description import Description, Input, TaskFile
from planning.hierarchy.files import load_task, read_task
from planning.hierarchy.files.load import read_scalars, read_schema
from scripts.schemas import DOCS, schema_text, task_schema

CATALOG = loads("""
name: small
facts:
  ledger: {value: text}
  year: {value: number}
  weights: {list_of: weight}
  weight: {value: number}
  mail: {value: email, sensitive: true}
  page: {value: text}
  pages: {list_of: page}
  summary: {askable: false, fillable: false}
  summaries: {list_of: summary}
  pack: {fillable: false}
skills:
  sum_up:
    endpoint: python:nowhere:nothing
    modes: {one: {inputs: [page], outcomes: {done: [summary]}}}
  put_together:
    endpoint: python:nowhere:nothing
    modes: {all: {inputs: [summaries, year], outcomes: {done: [pack]}}}
""")


def problems(text: str, catalog: Loaded | None = CATALOG) -> list[tuple[int | None, str, str]]:
    with pytest.raises(CatalogError) as refused:
        read_task(text, "task.yaml", catalog)
    return [(one.line, one.code, one.where) for one in refused.value.problems]


def test_a_whole_task_file_is_read_and_its_values_are_of_their_kinds() -> None:
    loaded = read_task(
        """
task: Put it together
mission: People know.
inputs:
  pages: {files: [a.txt, b.txt]}
  year: {value: 2025}
  weights: {value: [1, 2.5e1]}
results:
  pack:
    sections: [A, B]
    schema: {type: object, minProperties: 2, properties: {n: {type: integer, enum: [1]}, "5": true}, const: "3"}
activities:
  - {text: Sum up, each: {page: pages}, results: [summaries]}
  - {text: Put together, inputs: [summaries, year], results: [pack]}
criteria:
  - {check: sections, of: pack}
  - {check: schema, of: pack}
  - {check: count, of: pack, least: 2, most: 3}
  - {check: range, of: pack, figure: total, least: 1, most: 2}
  - {check: range, of: pack, figure: total, least: 2}
  - {check: equal, of: pack, figure: total, also: pages}
  - {judge: It is kind., of: pack, by: model}
""",
        catalog=CATALOG,
    )
    task = loaded.task
    assert task.inputs["year"].value == 2025.0
    assert task.inputs["weights"].value == [1.0, 25.0]
    assert task.results["pack"].json_schema == {
        "type": "object",
        "minProperties": 2,
        "properties": {"n": {"type": "integer", "enum": [1]}, "5": True},
        "const": "3",
    }
    assert type(task.as_description()) is Description
    assert task.as_description().text == "Put it together"
    assert loaded.catalog is CATALOG


def test_everything_wrong_is_told_at_once_with_its_line() -> None:
    assert problems("""task: Do it
each: {page: pages}
inputs:
  pack:
  year: {value: many}
  yaer: {value: 1}
  page: {files: [a, b]}
  mail: {value: secret}
results:
  pack: {sections: [A, B, A]}
  nothing:
criteria:
  - {check: schema, of: pack}
  - {check: count, of: pack, most: 1}
  - {check: count, of: pack, least: 4}
  - {check: sections, of: year}
  - {check: equal, of: pack, figure: a, also: pack}
  - {check: count, of: pack, most: 1}
""") == [
        (2, "contradiction", "each"),
        (5, "wrong-value", "inputs.year.value"),
        (6, "undeclared", "inputs.yaer"),
        (7, "list-item", "inputs.page.files"),
        (8, "wrong-value", "inputs.mail.value"),
        (10, "contradiction", "results.pack"),
        (10, "repeated", "results.pack.sections"),
        (11, "undeclared", "results.nothing"),
        (13, "contradiction", "criteria[0].check"),
        (14, "contradiction", "criteria[1].most"),
        (15, "contradiction", "criteria[2]"),
        (16, "undeclared", "criteria[3].of"),
        (17, "undeclared", "criteria[4].also"),
        (18, "repeated", "criteria[5]"),
        (18, "contradiction", "criteria[5].most"),
        (18, "contradiction", "criteria[5]"),
    ]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("{type: objekt}", "is no JSON Schema at $.type"),
        ("{properties: {a: {minimum: low}}}", "is no JSON Schema at $.properties.a.minimum"),
        ("{$ref: 'https://example.org/x.json'}", "refers to 'https://example.org/x.json'"),
        ("{allOf: [{$dynamicRef: other.json}]}", "refers to 'other.json'"),
        ("{$schema: 'http://json-schema.org/draft-04/schema#'}", "refers to 'http://json-schema.org/draft-04"),
    ],
)
def test_a_schema_that_is_none_or_refers_elsewhere_is_refused(schema: str, said: str) -> None:
    with pytest.raises(CatalogError) as refused:
        read_task(f"task: x\nresults:\n  pack:\n    schema: {schema}", catalog=CATALOG)
    ((problem),) = refused.value.problems
    assert (problem.line, problem.where) == (4, "results.pack.schema")
    assert said in problem.found
    fine = "{$schema: 'https://json-schema.org/draft/2020-12/schema', $ref: '#/$defs/a', $defs: {a: {type: string}}}"
    assert read_task(f"task: x\nresults: {{pack: {{schema: {fine}}}}}", catalog=CATALOG).task.results


def test_criteria_fit_what_is_said_of_the_results_and_wait_where_these_are_left_out() -> None:
    text = "task: Do it\ncriteria:\n  - {check: sections, of: pack}\n"
    assert problems(f"{text}results: [pack]") == [(3, "contradiction", "criteria[0].check")]
    assert read_task(text, catalog=CATALOG).task.criteria


def test_the_value_of_a_sensitive_input_is_not_told() -> None:
    with pytest.raises(CatalogError) as refused:
        read_task("{task: x, inputs: {mail: {value: hush}}, results: [pack]}", catalog=CATALOG)
    assert "hush" not in str(refused.value)


def test_bounds_of_figures_that_have_to_be_equal_leave_room() -> None:
    equal = "[pack, ledger, pages], "
    assert problems(f"""task: Do it
inputs: [pages]
results: {equal[:-2].replace(", pages", "")}
criteria:
  - {{check: range, of: pack, figure: total, most: 3}}
  - {{check: equal, of: pack, figure: total, also: ledger}}
  - {{check: equal, of: ledger, figure: total, also: pages}}
  - {{check: equal, of: ledger, figure: total, also: pack}}
  - {{check: range, of: ledger, figure: others, least: 4}}
  - {{check: range, of: ledger, figure: total, least: 4}}
""") == [(10, "contradiction", "criteria[5]")]


@pytest.mark.parametrize(
    ("activities", "found"),
    [
        ("[{text: a, results: [nothing]}, {text: b, results: [pack]}]", [(4, "unknown")]),
        ("[{text: a, inputs: [ledger], results: [summaries]}, {text: b, results: [pack]}]", [(4, "gap")]),
        ("[{text: a, results: [summaries]}]", [(4, "no-result")]),
        ("[{text: a, results: [pack]}]", [(4, "as-large")]),
        ("[{text: a, each: {page: year}, results: [summaries]}, {text: b, results: [pack]}]", [(4, "no-list")]),
        ("[{text: a, each: {page: pages}, results: [summary]}, {text: b, results: [pack]}]", [(4, "no-list")]),
        ("[{text: a, each: {year: pages}, results: [summaries]}, {text: b, results: [pack]}]", [(4, "no-list")]),
    ],
)
@pytest.mark.row("H14")
def test_activities_that_do_not_lead_to_the_results_are_refused(activities: str, found: list[tuple[int, str]]) -> None:
    text = f"task: Do it\ninputs: [pages, year]\nresults: [pack]\nactivities: {activities}\n"
    assert [(line, code) for line, code, _ in problems(text)] == found


def test_activities_may_stand_where_inputs_or_results_are_left_out() -> None:
    activities = "activities: [{text: a, inputs: [ledger], results: [summaries]}, {text: b, results: [pack]}]"
    assert read_task(f"task: Do it\n{activities}", catalog=CATALOG).task.activities
    assert [code for _, code, _ in problems(f"task: Do it\nresults: [nothing]\n{activities}")] == ["undeclared"]


@pytest.mark.parametrize(
    "criterion",
    [
        "{of: pack}",
        "{of: pack, check: count, judge: Nice., least: 1}",
        "{of: pack, check: count}",
        "{of: pack, check: range, least: 1}",
        "{of: pack, check: equal, figure: a}",
        "{of: pack, check: contains}",
        "{of: pack, check: count, least: 2, most: 1}",
        "{of: pack, check: nonsense}",
    ],
)
def test_criteria_that_are_not_whole_are_refused(criterion: str) -> None:
    assert [line for line, _, _ in problems(f"task: Do it\nresults: [pack]\ncriteria:\n  - {criterion}")] == [4]


def test_an_input_has_one_source() -> None:
    ((line, code, _),) = problems("task: Do it\ninputs:\n  year: {file: a.csv, value: 1}\nresults: [pack]")
    assert (line, code) == (3, "unfit")
    assert Input(file="a.csv").file == "a.csv"


def test_names_may_stand_in_lists_and_what_is_in_them_has_a_line() -> None:
    assert read_task("task: Do it\ninputs: [pages]\nresults: [pack]", catalog=CATALOG).task.inputs.keys() == {"pages"}
    assert problems("task: Do it\ninputs:\n  - pages\n  - foo\nresults:\n  - bar") == [
        (4, "undeclared", "inputs[1]"),
        (6, "undeclared", "results[0]"),
    ]
    assert problems("task: Do it\ninputs: yes\nresults: [pack]")[0][0] == 2


def test_the_catalog_of_a_task_is_a_demo_or_a_file_beside_it(tmp_path: Path) -> None:
    assert problems("task: Do it\nresults: [a]", None) == [(1, "missing-key", "")]
    assert problems("task: Do it\ncatalog: small.yaml\nresults: [a]", None) == [(2, "undeclared", "catalog")]
    file = tmp_path / "task.yaml"
    file.write_text("task: Do it\ncatalog: small.yaml\nresults: [thing]", encoding="utf-8")
    with pytest.raises(CatalogError, match=r"task.yaml:2: error: catalog: The catalog 'small.yaml' cannot be used"):
        load_task(file)
    small = tmp_path / "small.yaml"
    small.write_text("{name: small, fcats: {}, skills: {a: {}}}", encoding="utf-8")
    with pytest.raises(CatalogError, match=r"and \d more"):
        load_task(file)
    small.write_text("{name: small, facts: {thing: }}", encoding="utf-8")
    assert load_task(file).catalog.catalog.name == "small"
    file.write_text("task: Do it\ncatalog: banking\nresults: [loan_result]", encoding="utf-8")
    assert load_task(str(file)).catalog.catalog.name == "banking"
    with pytest.raises(CatalogError, match="no such file"):
        load_task(tmp_path / "other.yaml")


def test_a_task_speaks_of_facts_by_the_aliases_of_its_catalog(tmp_path: Path) -> None:
    (tmp_path / "api.yaml").write_text(
        """
name: api
facts:
  pages: {alias: "/pages", list_of: page}
  page: {alias: "/pages/{id}"}
  digest: {}
  pack: {alias: v1.pack, askable: false}
skills:
  sum_up: {modes: {all: {inputs: [/pages], outcomes: {done: [digest]}}}}
  put_together: {modes: {all: {inputs: [digest], outcomes: {done: [v1.pack]}}}}
""",
        encoding="utf-8",
    )
    text = """
task: Put it together
CATALOG
inputs: {PAGES: {value: [a, b]}}
results: {PACK: {sections: [A]}}
criteria: [{of: PACK, check: count, least: 1}]
activities: [{text: One., inputs: [PAGES], results: [digest]}, {text: Two., inputs: [digest], results: [PACK]}]
"""
    by_alias = text.replace("PAGES", "/pages").replace("PACK", "v1.pack")
    by_name = text.replace("PAGES", "pages").replace("PACK", "pack")
    named = by_alias.replace("CATALOG", "catalog: api.yaml"), by_name.replace("CATALOG", "catalog: api.yaml")
    first, second = (read_task(one, catalog=None, folder=tmp_path).task for one in named)
    assert first == second
    assert list(first.inputs) == ["pages"]
    given = load(tmp_path / "api.yaml")
    third, fourth = (read_task(one.replace("CATALOG", ""), catalog=given).task for one in (by_alias, by_name))
    assert third == fourth
    with pytest.raises(CatalogError, match=r"'/page' is the alias of none of the facts\. Did you mean '/pages'"):
        read_task(by_alias.replace("CATALOG", "").replace("/pages", "/page"), catalog=given)


def test_a_catalog_that_cannot_be_a_file_is_an_error_of_the_task(tmp_path: Path) -> None:
    for name in ('"a\\0b"', '"a\\u200bb.yaml"', '"\\ud800"', "[a]"):
        with pytest.raises(CatalogError) as refused:
            read_task(f"task: One\ncatalog: {name}\nresults: [pack]\n", folder=tmp_path)
        assert {problem.line for problem in refused.value.problems} <= {1, 2}
    unseen = tmp_path / "a\u200bb.yaml"
    unseen.write_text("name: small\nfacts: {pack: {}}\n", encoding="utf-8")
    task = read_task('task: One\ncatalog: "a\\u200bb.yaml"\nresults: [pack]\n', folder=tmp_path)
    assert task.catalog.file == str(unseen)


def test_texts_that_are_numbers_or_truth_values_are_read_as_such_where_these_belong() -> None:
    assert read_scalars({"a": ["1", "-2.5", "true", "x", "01"], "b": None}) == {
        "a": [1, -2.5, True, "x", "01"],
        "b": None,
    }
    schema: dict[str, JsonValue] = {
        "enum": ["1"],
        "allOf": [{"maximum": "3"}, "true"],
        "required": ["1"],
        "$defs": "1",
        "default": None,
    }
    assert read_schema(schema) == {
        "enum": ["1"], "allOf": [{"maximum": 3}, True], "required": ["1"], "$defs": 1, "default": None,
    }  # fmt: skip


def test_a_task_file_is_a_description_under_either_name_of_its_text() -> None:
    assert TaskFile(text="Do it.") == TaskFile.model_validate({"task": "Do it."})


def test_the_schema_of_tasks_in_the_docs_is_up_to_date() -> None:
    assert (DOCS / "tasks.schema.json").read_text(encoding="utf-8") == schema_text(task_schema()), (
        "run `python -m scripts.schemas`"
    )
    jsonschema.Draft202012Validator.check_schema(task_schema())


@pytest.mark.parametrize(
    ("key", "found", "such_as"),
    [
        ("year: {value: soon}", "no number.", "such as 3.0"),
        ("mail: {value: secret}", "no e-mail address.", 'such as "'),
        ("weights: {value: [1, two]}", "no list; its item 2 is none.", "such as [3.0"),
        (f"weights: {{value: {list(range(101))}}}", "no list; it has 101 items, and may have 0 to 20.", "such as [3.0"),
    ],
)
def test_a_value_that_is_none_is_told_with_what_is_wrong_and_an_example(key: str, found: str, such_as: str) -> None:
    with pytest.raises(CatalogError) as refused:
        read_task(f"task: Do it\ninputs: {{{key}}}\nresults: [pack]\n", "task.yaml", CATALOG)
    (problem,) = refused.value.problems
    assert problem.found.endswith(found) and such_as in problem.write
    assert "secret" not in problem.render()
