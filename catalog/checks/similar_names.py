"""Names that are the same but for case (an error), or look so much alike that people mistake them (a warning)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from catalog.checks.findings import Findings
from catalog.model import Catalog
from catalog.problems import Place

_ALIKE = str.maketrans(
    "авекмнорстухіјѕԁԛԝһӏг" + "αβεηικνορτυχγω" + "օսհց" + "01|",
    "abekmhopctyxijsdqwhlr" + "abenikvoptuxyw" + "ouhg" + "oll",
)
"""Small letters of Cyrillic, Greek and Armenian that look like Latin ones, and digits that look like letters.

A short list of what is mistaken in practice, after "confusables" of Unicode Technical Standard 39, §4.
"""
_INVISIBLE = re.compile("[\u200c\u200d\ufe00-\ufe0f]")
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")


def check_collisions(catalog: Catalog, findings: Findings) -> None:
    """Refuse names of one class that differ only in case or in the form of letters."""
    for place, names in _classes(catalog):
        seen: dict[str, str] = {}
        for name in names:
            first = seen.setdefault(folded(name), name)
            if first != name:
                line = findings.line((*place, first))
                found = f"{name!r} and {first!r} on line {line} differ only in upper and lower case."
                findings.error("names-collide", (*place, name), found, "Give one of them another name.")


def check_looks(catalog: Catalog, findings: Findings) -> None:
    """Warn of names that differ only in what joins their words, or in letters that look alike."""
    for place, names in _classes(catalog):
        joined: dict[str, str] = {}
        drawn: dict[str, str] = {}
        for name in names:
            first, twin = joined.setdefault(_joined(name), name), drawn.setdefault(skeleton(name), name)
            if first != name:
                found = f"{name!r} and {first!r} differ only in spaces, hyphens and underscores."
                findings.warn("names-similar", (*place, name), found, "They stay distinct; give one a clearer name.")
            elif twin != name:
                found = f"{name!a} looks like {twin!a} to people."
                findings.warn("look-alike", (*place, name), found, "Write both in letters of one script.")
            if len(scripts := _scripts_of(name)) > 1:
                found = f"{name!a} mixes letters of {' and '.join(scripts)} that can look alike."
                findings.warn("mixed-letters", (*place, name), found, "Write it in letters of one script.")


def folded(name: str) -> str:
    """Write a name so that case and compatibility forms (full width, ligatures) make no difference."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def skeleton(name: str) -> str:
    """Write a name so that what looks alike is alike."""
    return _INVISIBLE.sub("", _joined(name)).translate(_ALIKE)


def _joined(name: str) -> str:
    return re.sub(r"[\s_‐-―-]+", "_", folded(name))


def _scripts_of(name: str) -> list[str]:
    found = {unicodedata.name(char, "").split(" ")[0] for char in name if char.isalpha()}
    return [script for script in _SCRIPTS if script in found]


def _classes(catalog: Catalog) -> Iterator[tuple[Place, Iterable[str]]]:
    """List the places within which names must be told apart."""
    yield ("facts",), catalog.facts
    yield ("skills",), catalog.skills
    yield ("goals",), catalog.goals
    yield ("triggers",), catalog.triggers
    for skill_name, skill in catalog.skills.items():
        yield ("skills", skill_name, "modes"), skill.modes
        for mode_name, mode in skill.modes.items():
            yield ("skills", skill_name, "modes", mode_name, "outcomes"), mode.outcomes
