"""Names that nobody would want in a file of another program."""

from __future__ import annotations

from itertools import pairwise

from planning.model import Operator, StepKind, Task, known

HOSTILE = [
    "submit) (:action evil",
    "line\nbreak",
    "; comment",
    ":goal",
    "and",
    "define",
    "object",
    "?x",
    "2nd",
    "a-b",
    "a_b",
    "a b",
    "A-B",
    "begin_operator",
    "end_operator\n0",
    "o0",
    "f0",
    "імʼя",
    "名前",
    "🪪",
    "\u202eemail",
    "е-mail",
]


def task_of_names(first: str, *others: str) -> Task:
    """Ask for the first name's fact, and establish each next one by a skill of its own name from the one before.

    The task is built by hand: a catalog would refuse the worst of the names.
    """
    ask = Operator(StepKind.ASK, first, frozenset(), frozenset((known(first),)), 1.0, outputs=(first,))
    calls = [
        Operator(
            StepKind.SKILL,
            name,
            frozenset((known(before),)),
            frozenset((known(name),)),
            1.0,
            name,
            name,
            (before,),
            (name,),
        )
        for before, name in pairwise((first, *others))
    ]
    return Task(frozenset(), frozenset((known(calls[-1].subject),)), (ask, *calls))
