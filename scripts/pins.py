"""Write or check the pinned lists that every environment of Planglass is made from.

The lists are complete, so they install without a resolver: the same packages everywhere, quickly. They are the closure
of the requirements in ``pyproject.toml`` over the metadata of the packages installed here, for every Python and
processor that we support. What ``pyproject.toml`` asks for on some machines only is pinned with that condition; where
it is not for this machine, its pin stays as it is.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from itertools import product
from pathlib import Path

from packaging.markers import Marker, default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
RUNTIME, DEV = ROOT / "constraints.txt", ROOT / "constraints-dev.txt"
OWN = "planglass"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PROCESSORS = ("x86_64", "aarch64")

INSTEAD = {"opencv-python": "opencv-python-headless"}
"""The wheel of opencv-python needs libGL.so.1, which a fresh machine lacks; the headless one is the same code."""

UNUSED = {"wheel"}
"""Declared by pyperplan, which never imports it."""

RUNTIME_HEADER = """\
# Everything that Planglass runs on, pinned. Written by `make pins`: change pyproject.toml, not this file.
# Complete, so it is installed without a resolver (docs/decisions/0003-a-pinned-install-without-a-resolver.md).
"""
DEV_HEADER = """\
# What tests and checks need besides constraints.txt, and what is optional (engines, the client of language models),
# pinned. Written by `make pins`: change pyproject.toml.
"""


class Unpinnable(Exception):
    """A requirement that nothing installed here meets, so that its version is not known."""


def close(requirements: Iterable[str]) -> dict[str, str]:
    """Return name → version for the requirements and all that they need in turn, on each supported machine."""
    pins: dict[str, str] = {}
    asked = [requirement for requirement in map(Requirement, requirements) if requirement.name != OWN]
    elsewhere = {canonicalize_name(need.name) for need in asked if need.marker and not need.marker.evaluate()}
    for environment in environments():
        todo = wanted(asked, set(), environment)
        seen: set[tuple[str, frozenset[str]]] = set()
        while todo:
            requirement = todo.pop()
            name = INSTEAD.get(canonicalize_name(requirement.name), canonicalize_name(requirement.name))
            key = (name, frozenset(requirement.extras))
            if name in UNUSED or key in seen:
                continue
            seen.add(key)
            version, needs = (pinned(name), []) if name in elsewhere else installed(name)
            if not requirement.specifier.contains(version, prereleases=True):
                raise Unpinnable(f"{requirement} is required, but {name} {version} is installed: run `make pins`.")
            pins[name] = version
            todo += wanted(needs, requirement.extras, environment)
    return pins


def environments() -> Iterator[dict[str, str]]:
    """Yield the marker values of each supported machine."""
    here = {key: str(value) for key, value in default_environment().items()}
    for python, processor in product(PYTHONS, PROCESSORS):
        yield here | {
            "python_version": python,
            "python_full_version": f"{python}.0",
            "platform_machine": processor,
            "sys_platform": "linux",
            "platform_system": "Linux",
        }


def installed(name: str) -> tuple[str, list[Requirement]]:
    """Return the version installed here and what that version needs; raise Unpinnable if there is none."""
    shipped_as = [name, *(original for original, other in INSTEAD.items() if other == name)]
    for candidate in shipped_as:
        try:
            found = distribution(candidate)
        except PackageNotFoundError:
            continue
        return found.version, [Requirement(text) for text in found.requires or []]
    raise Unpinnable(f"{name} is required, but not installed in {sys.prefix}: renew the lists with `make pins`.")


def pinned(name: str) -> str:
    """Return the version in the lists as they are; raise Unpinnable if there is none."""
    for path in (RUNTIME, DEV):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(f"{name}=="):
                return line.partition("==")[2].partition(";")[0].strip()
    raise Unpinnable(f"{name} is required on other machines, and in no list: run `make pins` on one of those.")


def wanted(needs: Iterable[Requirement], extras: set[str], environment: Mapping[str, str]) -> list[Requirement]:
    """Keep the requirements whose marker holds on that machine, with those extras."""
    return [
        need
        for need in needs
        if need.marker is None or any(need.marker.evaluate({**environment, "extra": extra}) for extra in {"", *extras})
    ]


def write_lists() -> dict[Path, str]:
    """Return the text of both lists, by file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needs = project["project"]
    runtime = close([*needs["dependencies"], *project["build-system"]["requires"]])
    extras = [text for texts in needs["optional-dependencies"].values() for text in texts]
    dev = close(extras)
    more = {name: pin for name, pin in dev.items() if name not in runtime}
    return {RUNTIME: RUNTIME_HEADER + lines(runtime, ()), DEV: DEV_HEADER + lines(more, extras)}


def lines(pins: Mapping[str, str], requirements: Iterable[str]) -> str:
    """Return one ``name==version`` a line, by name, with the condition that its requirement has."""
    markers: dict[str, Marker] = {
        canonicalize_name(need.name): need.marker for need in map(Requirement, requirements) if need.marker
    }
    return "".join(
        f"{name}=={version}{f'; {markers[name]}' if name in markers else ''}\n"
        for name, version in sorted(pins.items())
    )


def main(arguments: list[str]) -> int:
    """Write the lists, or with ``--check`` say which of them differs from what pyproject.toml asks for."""
    try:
        texts = write_lists()
    except Unpinnable as problem:
        print(problem, file=sys.stderr)
        return 1
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        for path in stale:
            print(f"{path.name} is not what pyproject.toml and the installed packages give: run `make pins`.")
        return 1 if stale else 0
    for path in stale:
        path.write_text(texts[path], encoding="utf-8")
        print(f"wrote {path.name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
