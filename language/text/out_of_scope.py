"""What people say to any assistant that most of them do not serve: talk, and requests from all walks of life.

An understander learns from these (they stand in nothing.txt) what asking for nothing sounds like. Whatever lies near an
example of a catalog is left out for it, so that a catalog may serve any of these.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

DEEDS = """
cancel {}
delete {}
block {}
close {}
I lost {}
{} was stolen
repay {}
pay back {}
return {}
raise the limit of {}
I already have {}
translate {}
sell {}
complain about {}
"""
"""What may be done with the things that goals are about, and is not what these goals do."""


_LEAD = re.compile(
    r"\W*(?:(?:please|kindly|hi|hello|hey|ok|so|now|then|just|also|(?:can|could|would|will) (?:you|we|i)"
    r"|i (?:want|need|have|wish) to|i(?:'d| would) like to|i wanna|let me|help me(?: to)?)\b\W*)*(?P<deed>[a-z]+)\b"
)
_DEEDS = frozenset(
    """cancel delete remove erase block unblock close repay return translate sell undo revoke reverse freeze
    print scan forward archive hide rename split merge void refund destroy stop pause postpone lower reduce
    transfer withdraw deposit wire exchange donate buy order rent reserve hire fire dismiss promote post publish tweet
    design paint install repair wash play sing cook proofread summarize notarize""".split()
)


def other_deed(folded: str) -> str | None:
    """Give the deed that a text asks for outright, if it is one that turns a thing into another request."""
    match = _LEAD.match(folded)
    return match["deed"] if match and match["deed"] in _DEEDS else None


def deeds() -> tuple[str, ...]:
    """List the deeds, with braces in place of the thing."""
    return tuple(DEEDS.strip().splitlines())


@cache
def unserved() -> tuple[str, ...]:
    """List all of it."""
    lines = files(__package__).joinpath("out_of_scope.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))
