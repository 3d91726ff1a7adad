"""Loaders of public sets: files of the same form are read, and what is none is told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.planning.public.nl2flow import load_drawn, load_sample, read_sample
from benchmarks.planning.public.sets import BadSet
from benchmarks.planning.public.wsc import load_sets
from planning.engines import ENGINES
from planning.model import Solved, Unsolvable
from planning.plans.solve import solve

TAXONOMY = """<?xml version="1.0" encoding="UTF-8"?>
<taxonomy>
  <concept name="thing">
    <concept name="place"><concept name="town"><instance name="oslo" /><instance name="bergen" /></concept></concept>
    <concept name="fare"><instance name="price" /></concept>
    <concept name="ticket"><instance name="a_ticket" /></concept>
  </concept>
</taxonomy>"""
SERVICES = """<?xml version="1.0" encoding="UTF-8"?>
<services>
  <service name="quote"><inputs><instance name="where"/></inputs><outputs><instance name="price"/></outputs></service>
  <service name="book"><inputs><instance name="price"/></inputs><outputs><instance name="a_ticket"/></outputs></service>
</services>"""
PROBLEM = """<?xml version="1.0" encoding="UTF-8"?><problemStructure>
<task><provided><instance name="bergen"/></provided><wanted><instance name="a_ticket"/></wanted></task>
<solutions><solution><sequence><serviceDesc><abstraction/>
<realizations><service name="quote"/><service name="other"/></realizations></serviceDesc><serviceDesc/><serviceDesc/>
</sequence></solution><solution><parallel><serviceDesc/><serviceDesc/></parallel></solution></solutions>
</problemStructure>"""


def write_set(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    taxonomy = TAXONOMY.replace('<concept name="place">', '<concept name="place"><instance name="where" />')
    for name, text in {"taxonomy": taxonomy, "services": SERVICES, "problem": PROBLEM, **files}.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
    return folder


def test_a_set_of_the_challenge_is_solved_with_the_fewest_services(tmp_path: Path) -> None:
    write_set(tmp_path / "sets" / "Set01MetaData")
    (one,) = load_sets(tmp_path)
    result = solve(one.task, ENGINES["optimal"])
    assert isinstance(result, Solved)
    assert [step.subject for step in result.plan.steps] == ["quote", "book"]
    assert (result.gap, one.published) == (0, 2)


def test_a_concept_does_not_stand_for_one_below_it(tmp_path: Path) -> None:
    write_set(
        tmp_path / "s", services=SERVICES.replace('"where"', '"oslo"'), problem=PROBLEM.replace("bergen", "where")
    )
    (one,) = load_sets(tmp_path)
    assert isinstance(solve(one.task, ENGINES["optimal"]), Unsolvable)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"services": SERVICES.replace("a_ticket", "a_trip")}, "'a_trip' is not in taxonomy.xml"),
        ({"services": "<services/>"}, "there is no service"),
        ({"problem": "<problemStructure/>"}, "there is no task"),
        ({"taxonomy": TAXONOMY[:90]}, "taxonomy.xml is not XML"),
        ({"taxonomy": "<!DOCTYPE x [<!ENTITY a 'b'>]><taxonomy/>"}, "declares a document type"),
        ({"services": SERVICES.replace(' name="book"', "")}, "A service has no name"),
    ],
)
def test_what_is_no_set_is_told(tmp_path: Path, files: dict[str, str], said: str) -> None:
    write_set(tmp_path, **files)
    with pytest.raises(BadSet, match=re.escape(said)):
        list(load_sets(tmp_path))


def test_a_folder_without_sets_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSet, match="Name the folder with the sets in it"):
        list(load_sets(tmp_path))


def test_a_set_without_one_of_its_files_is_told(tmp_path: Path) -> None:
    (write_set(tmp_path) / "taxonomy.xml").unlink()
    with pytest.raises(BadSet, match=r"There is no taxonomy\.xml in .*A set has"):
        list(load_sets(tmp_path))


def variable(name: str, *, askable: bool) -> dict[str, Any]:
    return {"name": name, "data_type": None, "mappable": False, "slot_fillable": askable}


def drawn(*, known: bool = False) -> dict[str, Any]:
    v0, v1, v2, v3 = (variable(f"v__{number}", askable=number == 0) for number in range(4))
    return {
        "available_agents": [
            {"agent_id": "a__0", "actuator_signature": {"in_sig_full": [v0], "out_sig_full": [v1]}},
            {"agent_id": "a__1", "actuator_signature": {"in_sig_full": [v2], "out_sig_full": [v3]}},
        ],
        "goal_agent_ids": ["a__1"],
        "mappings": [["v__1", "v__2", 1.0], ["v__2", "v__1", 1.0]],
        "available_data": [["v__2", None]],
        "agent_info_generator_input": {"should_objects_known_in_memory": known},
        "nl2flow": {"state": "solved", "steps": []},
    }


@pytest.mark.parametrize(("known", "steps"), [(False, ["ask", "skill", "map", "skill"]), (True, ["skill"])])
def test_what_nl2flow_draws_is_planned_for(known: bool, steps: list[str]) -> None:
    (one,) = load_sample([drawn(known=known)])
    result = solve(one.task, ENGINES["optimal"])
    assert isinstance(result, Solved)
    assert [step.kind.value for step in result.plan.steps] == steps


def test_what_nl2flow_does_not_write_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSet, match="is not as NL2Flow"):
        load_drawn("one", {**drawn(), "available_agents": [{"agent": "a__0"}]})
    (tmp_path / "sample.json").write_text("{}", encoding="utf-8")
    with pytest.raises(BadSet, match="holds no list of samples"):
        read_sample(tmp_path / "sample.json")
