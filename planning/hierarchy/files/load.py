"""Load a task file; all problems are reported at once, each with its file, line and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from catalog.load import Loaded, load
from catalog.load.demo_files import DEMOS
from catalog.load.model_reader import read_model
from catalog.load.yaml_reader import Form, read_file
from catalog.model.aliases import Aliases
from catalog.model.entry import USUAL, CatalogLimits
from catalog.problems import CatalogError, Findings, Place, Problem
from planning.hierarchy.description import TaskFile
from planning.hierarchy.files.errors import find_errors
from planning.hierarchy.files.scalars import with_values

FORM = Form("task file", "task files", "Begin with `task:` and `results:`.", 12, {})


@dataclass(frozen=True, slots=True)
class LoadedTask:
    """A task with the catalog that serves it, and where it came from: its lines, file and digest (SHA-256)."""

    task: TaskFile
    catalog: Loaded
    lines: Mapping[Place, int]
    file: str
    digest: str


def load_task(source: str | Path, catalog: Loaded | None = None, limits: CatalogLimits = USUAL) -> LoadedTask:
    """Load a task from a file by its path; raise `CatalogError` with everything that is wrong.

    A catalog that is given takes the place of the one that the file names, which is held to the limits.
    """
    text, file = read_file(Path(source), FORM)
    return read_task(text, file, catalog, folder=Path(file).parent, limits=limits)


def read_task(
    text: str | bytes,
    file: str = "<text>",
    catalog: Loaded | None = None,
    *,
    folder: Path | None = None,
    limits: CatalogLimits = USUAL,
) -> LoadedTask:
    """Read a task from its YAML; `file` is what problems call it.

    A catalog that it names by a path is looked for in the `folder`; without one, it may only name a demo. It is loaded
    first: what the task speaks of may be given by the catalog's aliases.
    """
    served: list[Loaded] = [] if catalog is None else [catalog]

    def aliases_of(root: Mapping[str, object]) -> Aliases:
        name = root.get("catalog")
        if not served and isinstance(name, str) and name.isprintable():
            served.extend(filter(None, [_load_catalog(name, folder, limits, Findings(file, {}))]))
        return served[0].catalog.aliases if served else {}

    def find_all(task: TaskFile, lines: Mapping[Place, int], name: str) -> tuple[Problem, ...]:
        findings = Findings(name, lines)
        if not served and (named := _load_catalog(task.catalog, folder, limits, findings)) is not None:
            served.append(named)
        if not served:
            return findings.in_order()
        return find_errors(with_values(task, served[0].catalog), served[0].catalog, lines, name)

    task, lines, digest = read_model(text, file, FORM, TaskFile, find_all, aliases_of=aliases_of)
    return LoadedTask(with_values(task, served[0].catalog), served[0], lines, file, digest)


def _load_catalog(name: str | None, folder: Path | None, limits: CatalogLimits, findings: Findings) -> Loaded | None:
    """Load the catalog that a task names; where there is none, or it has errors, that is noted."""
    if name is None:
        found, write = "It is not said which catalog serves the task.", f"Write `catalog:` and a demo: {_demos()}."
        findings.error("missing-key", (), found, write)
        return None
    if name not in DEMOS and folder is None:
        findings.unknown(("catalog",), name, DEMOS, "demos")
        return None
    try:
        return load(name if name in DEMOS or folder is None else folder / name, limits)
    except CatalogError as fault:
        first = fault.problems[0].render()
        more = f" (and {len(fault.problems) - 1} more)" if len(fault.problems) > 1 else ""
        write = f"Name a catalog that loads, or a demo: {_demos()}."
        findings.error("catalog", ("catalog",), f"The catalog {name!r:.100} cannot be used: {first}{more}", write)
        return None


def _demos() -> str:
    return ", ".join(DEMOS)
