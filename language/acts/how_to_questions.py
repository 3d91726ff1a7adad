"""How something would be done: "how would you get my expense report?" wants to be told the way, and not to go it."""

from __future__ import annotations

import re

from language.intents.reader import RequestReader
from language.text.request_frames import HOW_TO, SMALL_TALK
from language.utterance import Reading

_HOW = re.compile(
    rf"{SMALL_TALK}(?:"
    r"how (?:would|will) you (?:go about |have to )?|how (?:are you going|do you (?:plan|intend)|would you have) to "
    r"|what (?:would|will) you (?:do|need|have to do|need to do) (?:to|in order to|for) "
    r"|what would it take (?:you )?to "
    r"|(?:which|what) steps would (?:you take|it take|there be) (?:to|for) )"
)
"""Conservative: "how did you …?" asks for what was done."""


def read_hypothetical(reading: Reading, requests: RequestReader) -> bool:
    """Take a question for the way to something; tell whether it is one.

    It is none where the whole question is a request for something else, such as instructions; nor where people ask for
    the goal itself in that way: "how do I reach you?".
    """
    to_me = HOW_TO.match(reading.folded)
    match = _HOW.match(reading.folded) or to_me
    if match is None:
        return False
    today = reading.context.today
    rest = " " * match.end() + reading.folded[match.end() :]
    wanted = requests.read(reading.text, rest, today)
    asked = requests.read(reading.text, reading.folded, today)
    names = [mention.goal for mention in wanted.goals]
    others = [mention.goal for mention in asked.goals]
    if to_me and (len(names) > 1 or not requests.asked_how.isdisjoint((*names, *others))):
        return False
    if not names or (others and others != names):
        return False
    reading.goals.extend(wanted.goals)
    reading.requests = wanted
    reading.hypothetical = True
    reading.used.update(reading.clauses)
    return True
