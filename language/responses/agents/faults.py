"""What is wrong with an agent: each fault in one line that says what was found, where, and what to do about it.

Nothing that was said or typed is quoted: an agent's own error may hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catalog.wording.grammar import clean


def cut_off(seconds: float) -> str:
    return f"It did not answer within {seconds:g} s, and was cut off. Make it faster, or give it a longer limit_ms."


def still_starting(seconds: float) -> str:
    return f"Its process was not ready within {seconds:g} s. It goes on starting, and is asked the next time."


STILL_BUSY = (
    "It still hangs at something that it was asked before, and is asked again once it comes back. "
    "Let it run in a process of its own (process = yes): that can be stopped."
)


def raised(what: str, error: str, place: str) -> str:
    """Say which error an agent ended in, and where; `what` is the part of it that was called."""
    at = f" at {clean(place, 80)}" if place else ""
    return f"Its {clean(what, 40)} ended in {clean(error, 60)}{at}. Mend it there, or leave the agent out."


def came_to_nothing(what: str, why: str) -> str:
    """Say that the process of an agent gave no answer; `why` is a clause."""
    return f"Its {clean(what, 40)} came to nothing: {clean(why, 80)}. Mend its code, or leave the agent out."


NO_PREVIEW = "It has no function preview. Write one, or declare its score (assumed = 0.5)."


def wrong_type(what: str, found: str, expected: str) -> str:
    return f"Its {clean(what, 40)} returned {clean(found, 60)}. Return {expected}."


def wrong_confidence(found: str) -> str:
    return f"Its preview has the confidence {clean(found, 40)}. Return a number from 0 to 1."


def wrong_actions(what: str, found: str) -> str:
    return f"The actions that its {clean(what, 40)} returned are wrong: {clean(found, 60)}. Return 1 to 50, in a list."


def wrong_field(what: str, field: str, fault: str) -> str:
    part = f"the part {clean(field, 60)}" if field else "a part"
    return f"In what its {clean(what, 40)} returned, {part} is wrong. {clean(fault, 120).rstrip('.')}."


def filter_raised(error: str) -> str:
    return f"Its filter ended in {clean(error, 60)}, so it was not asked. Mend the filter, or take it out."


def orchestrator_failed(name: str, error: str, place: str) -> str:
    return f"The orchestrator {clean(name, 80)} failed with {error} at {place}. Mend it, or choose another."


_LONGEST_PLACE = 300


def _at(place: str) -> str:
    return clean(place, _LONGEST_PLACE)


def unknown_key(place: str, key: str, known: Sequence[str]) -> str:
    return f"{_at(place)}: there is no key {clean(key, 40)}. Take it out, or write one of: {', '.join(known)}."


def key_of_agents(place: str, key: str) -> str:
    return f"{_at(place)}: {clean(key, 40)} is for agents, and this is an orchestrator. Take it out."


def wrong_value(place: str, key: str, found: str, write: str) -> str:
    return f"{_at(place)}: {clean(key, 40)} is {clean(found, 60) or 'empty'}. Write {write}."


def not_readable(place: str, why: str) -> str:
    return f"{_at(place)} {why}. Write it anew: [DEFAULT], then a line for each key."


def no_properties(place: str, line: int) -> str:
    where = f" (line {line})" if line else ""
    return f"{_at(place)}{where} is no list of properties. Begin with a line [DEFAULT], then write key = value."


def odd_section(place: str, section: str) -> str:
    return f"{_at(place)}: there is a section [{clean(section, 40)}]. Write all keys below [DEFAULT]."


def no_manifest(folder: str, manifest: str) -> str:
    return f"{_at(folder)} has no {manifest}. Write one: [DEFAULT], and below it a name and a description."


def not_confined(place: str) -> str:
    return f"{_at(place)}: this system cannot confine its code. Name it in the setting trusted, or set unconfined."


def no_folder(folder: str) -> str:
    return f"{_at(folder)}: there is no such folder. Make it, or take it out of the setting drop_ins."


def wrong_name(folder: str) -> str:
    return f"{_at(folder)}: a drop-in is called as its folder. Rename it: up to 80 letters, digits, - and _."


def taken(place: str, name: str, by: str) -> str:
    return f"{_at(place)}: the name {clean(name, 80)} is taken ({clean(by, 120)}). Rename this one."


def no_main(folder: str, main: str) -> str:
    return f"{_at(folder)} has no file {clean(main, 90)}. The code belongs into a file that is named as its folder."


def main_failed(main: str, error: str, place: str) -> str:
    at = f" at {clean(place, 80)}" if place else ""
    return f"{_at(main)} cannot be loaded: {clean(error, 60)}{at}. Mend it there, or set exclude = true."


def main_too_slow(main: str, seconds: float) -> str:
    return f"{_at(main)} was not loaded within {seconds:g} s. Let it do less when it is loaded, or set exclude = true."


def nothing_made(main: str, kind: str, needs: Iterable[str]) -> str:
    return f"{_at(main)} makes no {kind}. Write one class with {', '.join(needs)}, or a function make that returns one."


def unclear_code(place: str) -> str:
    return f"{_at(place)}: catalog, skill and process exclude each other, and preview goes with code here. Keep one."


def not_wrapped(place: str, why: str) -> str:
    return f"{_at(place)}: {clean(why, 300)}"


def no_catalog(name: str, known: Iterable[str]) -> str:
    return f"there is no catalog {clean(name, 60)}. There are: {', '.join(known) or 'none'}."


def no_skill(catalog: str, name: str, known: Iterable[str]) -> str:
    return f"{clean(catalog, 60)} has no skill {clean(name, 60)}. It has: {', '.join(known)}."
