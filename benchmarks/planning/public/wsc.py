"""The test sets of the Web Service Challenge 2008 (Bansal et al. 2008), from their XML files.

A set is a folder with `services.xml` (each service with instances that go in and come out), `taxonomy.xml` (concepts
in a tree, with their instances), and `problem.xml` (instances that are provided and wanted, and solutions). A service
takes an instance of a concept, or of one below. So a concept is a fact, one below it is a subtype, and a service is a
skill that costs 1: a cheapest plan has the fewest services. Each solution lists the services that it takes as
`serviceDesc` (with those that could stand for each): the least of them is the best that was published with the set.

All eight sets with a solution, and two more, are in `composit-datasets/src/main/resources/wsc08-testsets.zip` of
https://github.com/citiususc/composit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring

from benchmarks.planning.public.sets import BadSet, PublicTask
from catalog.model import Catalog, Fact, Mode, Outcome, Skill
from planning.model import PlanGoal, Situation

FILES = ("problem.xml", "services.xml", "taxonomy.xml")


def load_sets(folder: Path) -> Iterator[PublicTask]:
    """Load each set in a folder, or in folders below it, by name."""
    places = sorted(found.parent for found in folder.rglob("problem.xml"))
    if not places:
        raise BadSet(f"There is no problem.xml in {folder}, nor below it. Name the folder with the sets in it.")
    for place in places:
        yield load_set(place)


def load_set(place: Path) -> PublicTask:
    """Load one set."""
    problem, services, taxonomy = (_read(place / name) for name in FILES)
    facts, concepts = _read_taxonomy(taxonomy)

    def list_concepts(above: Element, tag: str) -> tuple[str, ...]:
        """List the concepts of the instances that an element names, each once."""
        names = [_name(one) for one in above.iterfind(f"{tag}/instance")]
        if unknown := [name for name in names if name not in concepts]:
            raise BadSet(f"{place}: the instance {unknown[0]!r} is not in taxonomy.xml. Fetch the set anew.")
        return tuple(dict.fromkeys(concepts[name] for name in names))

    skills = {}
    for service in services.iterfind("service"):
        given = Outcome(name="given", facts=list_concepts(service, "outputs"))
        mode = Mode(name="only", inputs=list_concepts(service, "inputs"), outcomes={"given": given})
        skills[_name(service)] = Skill(name=_name(service), modes={"only": mode})
    task = problem.find("task")
    if task is None or not skills:
        raise BadSet(f"{place}: there is no {'task' if task is None else 'service'} in it. Fetch the set anew.")
    solutions = [len(list(solution.iter("serviceDesc"))) for solution in problem.iterfind("solutions/solution")]
    return PublicTask(
        place.name,
        Catalog(name="wsc", facts=facts, skills=skills),
        Situation(known=frozenset(list_concepts(task, "provided"))),
        PlanGoal(facts=list_concepts(task, "wanted")),
        min(solutions, default=None),
    )


def _read_taxonomy(taxonomy: Element) -> tuple[Mapping[str, Fact], Mapping[str, str]]:
    """Return a fact for each concept, and the concept of each instance."""
    facts: dict[str, Fact] = {}
    concepts: dict[str, str] = {}
    waiting: list[tuple[Element, str | None]] = [(one, None) for one in taxonomy.iterfind("concept")]
    while waiting:
        concept, above = waiting.pop()
        name = _name(concept)
        facts[name] = Fact(name=name, is_a=above, askable=False)
        concepts.update((_name(instance), name) for instance in concept.iterfind("instance"))
        waiting += [(one, name) for one in concept.iterfind("concept")]
    return facts, concepts


def _read(file: Path) -> Element:
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadSet(f"There is no {file.name} in {file.parent}. A set has {', '.join(FILES)}.") from None
    if "<!DOCTYPE" in text:
        raise BadSet(f"{file} declares a document type, which the files of the challenge do not. It is not read.")
    try:
        return fromstring(text.encode())
    except ParseError as fault:
        raise BadSet(f"{file} is not XML: {fault}. Fetch the set anew.") from fault


def _name(element: Element) -> str:
    name = element.get("name")
    if not name:
        raise BadSet(
            f"A {element.tag} has no name. The files are those of 2008, not their translation to OWL and WSDL."
        )
    return name
