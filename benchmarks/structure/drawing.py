"""A drawing of what imports what: packages, and in each of them its modules and folders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.structure.graph import Graph, reduce
from benchmarks.structure.sources import PACKAGES, Module, read_imports


def draw(modules: Mapping[str, Module]) -> Iterator[str]:
    """Yield the lines of a Mermaid flowchart.

    Arrows that a chain of others implies are left out. Between packages one arrow stands for all imports.
    """
    imports = read_imports(modules)
    packages, parts = _lift(imports, 1), _lift(imports, 2)
    yield from ("```mermaid", "flowchart TD")
    for package in reversed(PACKAGES):
        own = sorted(name for name in parts if name.startswith(f"{package}."))
        if own:
            yield f"    subgraph {package}"
            yield from (f'        {_id(name)}["{name.partition(".")[2]}"]' for name in own)
            yield from _arrows(reduce({name: parts[name].intersection(own) for name in own}), "        ")
            yield "    end"
    yield from _arrows(reduce(packages), "    ")
    yield "```"


def _lift(imports: Graph, depth: int) -> dict[str, set[str]]:
    """Return the imports between the packages, modules and folders that are `depth` names deep."""
    lifted: dict[str, set[str]] = {}
    for source, targets in imports.items():
        above = _cut(source, depth)
        lifted.setdefault(above, set()).update({_cut(target, depth) for target in targets} - {above})
    return lifted


def _cut(name: str, depth: int) -> str:
    return ".".join(name.split(".")[:depth])


def _arrows(edges: Graph, indent: str) -> Iterator[str]:
    """Yield the arrows, those from all that import the same in one line."""
    sources: dict[tuple[str, ...], list[str]] = {}
    for source, targets in sorted(edges.items()):
        sources.setdefault(tuple(sorted(targets)), []).append(source)
    for same, names in sources.items():
        if same:
            yield f"{indent}{' & '.join(map(_id, names))} --> {' & '.join(map(_id, same))}"


def _id(name: str) -> str:
    return name.replace(".", "_")
