"""The measures: each gives numbers by what they are of, a package, a folder, a module or a class."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import accumulate

from benchmarks.structure.graph import Graph, floors, reachable
from benchmarks.structure.sources import Module, read_imports
from benchmarks.structure.tracing import Trace
from benchmarks.structure.walks import Walked

ALL = "all"
LONG = 400
"""Lines above which a module counts as long."""
CROWDED = 12
"""Entries above which a folder counts as crowded."""

Numbers = dict[str, dict[str, int]]
"""Numbers by measure, and by what they are of."""


def measure_sources(modules: Mapping[str, Module]) -> Numbers:
    """Return all numbers that the sources give."""
    lines = sorted(module.lines for module in modules.values())
    imports = read_imports(modules)
    return {
        "files": _by_package(modules, lambda _: 1),
        "code": _by_package(modules, lambda module: module.code),
        "single importer": _single_importers(modules, imports),
        "floors": _floors(modules, imports),
        "module lines": {
            "all": sum(lines),
            "median": round(statistics.median(lines)),
            "90th percentile": round(statistics.quantiles(lines, n=10, method="inclusive")[-1]),
            "maximum": lines[-1],
        },
        "long modules": {module.name: module.lines for module in modules.values() if module.lines > LONG},
        "crowded folders": {folder: size for folder, size in _entries(modules).items() if size > CROWDED},
        "repeated classes": _repeated_classes(modules),
    }


def measure_bounded(modules: Mapping[str, Module]) -> Numbers:
    """Return the numbers of the sources that have a ceiling. Imports for types and inside functions count."""
    imports = read_imports(modules)
    classes = Counter(name for module in modules.values() for name in module.public_classes)
    return {
        "lines": _by_package(modules, lambda module: module.lines),
        "modules with a single importer": {ALL: _single_importers(modules, imports)[ALL]},
        "public class names twice in a package": {ALL: len(_repeated_classes(modules))},
        "public class names twice in the product": {ALL: sum(number > 1 for number in classes.values())},
        "floors of imports": {ALL: floors(imports)},
        "modules in circles of imports": {ALL: sum(name in below for name, below in reachable(imports).items())},
    }


def measure_walks(walks: Mapping[str, Walked]) -> Numbers:
    """Return the numbers of walks: of each its files, its functions and its calls of regular expressions."""
    return {
        "files": {name: len(walked.files) for name, walked in walks.items()},
        "functions": {name: len(walked.functions) for name, walked in walks.items()},
        "regular-expression calls": {name: walked.patterns for name, walked in walks.items()},
        "transactions of the store": {name: walked.transactions for name, walked in walks.items()},
    }


def measure_utterance(trace: Trace) -> Numbers:
    """Return the files that an utterance ran through by package, and the depth of its deepest call stack."""
    packages = Counter(file.partition("/")[0] for file in trace.files)
    return {"utterance": {**packages, ALL: len(trace.files), "depth": len(trace.stack)}}


def _by_package(modules: Mapping[str, Module], count: Callable[[Module], int]) -> dict[str, int]:
    numbers: Counter[str] = Counter()
    for module in modules.values():
        numbers.update({module.package: count(module), ALL: count(module)})
    return dict(numbers)


def _single_importers(modules: Mapping[str, Module], imports: Graph) -> dict[str, int]:
    importers = Counter(
        target for source, targets in imports.items() if not modules[source].is_init for target in targets
    )
    return _by_package(modules, lambda module: not module.is_init and importers[module.name] == 1)


def _floors(modules: Mapping[str, Module], imports: Graph) -> dict[str, int]:
    packages: dict[str, set[str]] = {}
    for module in modules.values():
        packages.setdefault(module.package, set()).add(module.name)
    within = {package: {name: imports[name] & own for name in own} for package, own in packages.items()}
    return {package: floors(graph) for package, graph in {**within, ALL: imports}.items()}


def _entries(modules: Mapping[str, Module]) -> dict[str, int]:
    """Return how many modules and folders of modules there are in each folder, without its `__init__`."""
    names = {above for name in modules for above in accumulate(name.split("."), "{}.{}".format)}
    folders = Counter(name.rpartition(".")[0].replace(".", "/") for name in names)
    return {folder: size for folder, size in sorted(folders.items()) if folder}


def _repeated_classes(modules: Mapping[str, Module]) -> dict[str, int]:
    """Return how often a public class name is defined in a package, where it is more than once."""
    names = Counter(f"{module.package}.{name}" for module in modules.values() for name in module.public_classes)
    return {name: number for name, number in sorted(names.items()) if number > 1}
