"""Controls: what an utterance tells the assistant to do with the conversation itself.

An utterance is a control when, politeness aside, every stretch of it is a phrase for one; so "stop" is a control, and
"stop paying my rent" is not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from dialogue.meaning import Control, Topic
from dialogue.understanding.phrases import ABOUT_THE_QUESTION, PHRASES, POLITE, RESUMING, TALK, compile_lines

_SAYS = {control: compile_lines(lines) for control, lines in PHRASES.items()}
_TALKS = {topic: compile_lines(lines) for topic, lines in TALK.items()}
_RESUMES = compile_lines(RESUMING)
_ASKS_BACK = compile_lines(ABOUT_THE_QUESTION)
_POLITE = "|".join(POLITE.strip().splitlines())
_POLITE_END = re.compile(rf"\s(?:{_POLITE})\Z")
_POLITE_START = re.compile(rf"(?:{_POLITE})\s")
_POLITE_ONLY = compile_lines(POLITE)
_STRETCH = re.compile(r"[,.!?;:…\"()\n]+")
_PLAIN_YES = re.compile(r"\b(?:y|yes|yeah|yep|yup|sure|please|do|absolutely|definitely)\b")
_YES_OR_NO = frozenset({"authorize", "confirm", "offer", "choice"})
UNCLEAR_ANSWERS = {
    "authorize": "I need a yes or a no for this.",
    "confirm": "I need a yes or a no before I go on.",
    "offer": "I did not get whether that is a yes or a no.",
    "choice": "I did not get which one you mean.",
}
"""What is said of an answer to a question of some kind that is none."""
DROP = re.compile(
    r"\b(?:stop|cancel|abort|forget(?: about)?|drop|scrap|end|quit|never ?mind"
    r"|(?:don't|do not|no longer) (?:want|need))"
    r"\s+(?:the|my|this|that|a|an)?\s*(?P<named>[^,.;!?]{2,60})"
)
"""Words that put a goal down by its name."""
_LONGEST = 120
"""Characters of the longest utterance that may be nothing but a control."""

_BY_WEIGHT = (Control.STOP, Control.SKIP, Control.NO, Control.YES, Control.HELP, Control.CHITCHAT)
"""Where stretches differ, the first of these is meant: "ok, stop" stops; "no, I don't know" does not know."""


def read_control(folded: str, pending: str | None = None) -> Control | None:
    """Tell whether a folded text, as a whole, is a control; `pending` is the kind of question that was asked.

    A few words depend on the question: "great" agrees to an offer and is talk otherwise; "none" declines a choice.
    """
    if len(folded) > _LONGEST:
        return None
    stretches = _stretches(folded)
    found: list[Control] = []
    for stretch in stretches:
        control = _read_stretch(stretch, pending)
        if control is not None:
            found.append(control)
        elif not _POLITE_ONLY.match(stretch):
            return None
    if pending not in _YES_OR_NO and Control.CHITCHAT in found and Control.YES in found:
        found = [control for control in found if control is not Control.YES]  # "ok, thanks" agrees to nothing
    if Control.YES in found and read_topic(folded) is Topic.FAREWELL and not _PLAIN_YES.search(folded):
        found = [Control.CHITCHAT]  # "alright, thank you, have a nice day" takes no offer
    answers = [control for control in found if control in {Control.YES, Control.NO}]
    if len(set(answers)) == 2 and set(found) <= {Control.YES, Control.NO, Control.CHITCHAT}:
        return answers[0]
    return next((control for control in _BY_WEIGHT if control in found), None)


_WEIGHTIEST = (
    Topic.COMPLAINT,
    Topic.FAREWELL,
    Topic.THANKS,
    Topic.ASSISTANT,
    Topic.GREETING,
    Topic.PRAISE,
    Topic.ACKNOWLEDGEMENT,
)
"""Where stretches of talk differ, the first of these is answered: "great, thanks, bye" is a farewell."""


def read_topic(folded: str) -> Topic | None:
    """Tell what talk is about, if a text is talk."""
    shapes = [shape for part in _stretches(folded) for shape in _trimmed(part)]
    return next((topic for topic in _WEIGHTIEST if any(_TALKS[topic].match(shape) for shape in shapes)), None)


def resumes(folded: str) -> bool:
    """Tell whether a text asks to go on with what was put down."""
    return any(_RESUMES.match(shape) for part in _stretches(folded) for shape in _trimmed(part))


def asks_back(folded: str) -> bool:
    """Tell whether a text does nothing but ask about the question that was just put: "what do you mean?"."""
    if len(folded) > _LONGEST:
        return False
    if folded.strip() and not folded.strip(" ?"):
        return True
    stretches = [part for part in _stretches(folded) if not _POLITE_ONLY.match(part)]
    return bool(stretches) and all(any(_ASKS_BACK.match(shape) for shape in _trimmed(part)) for part in stretches)


def _stretches(folded: str) -> list[str]:
    return [tidy for part in _STRETCH.split(folded) if (tidy := " ".join(part.split()))]


@lru_cache(maxsize=8)
def _order(pending: str | None) -> tuple[Control, ...]:
    if pending in _YES_OR_NO:
        return (Control.STOP, Control.YES, Control.NO, Control.SKIP, Control.HELP, Control.CHITCHAT)
    return (Control.STOP, Control.SKIP, Control.NO, Control.CHITCHAT, Control.YES, Control.HELP)


def _read_stretch(stretch: str, pending: str | None) -> Control | None:
    for tried in _trimmed(stretch):
        for control in _order(pending):
            if _SAYS[control].match(tried):
                return control
    return None


def _trimmed(stretch: str) -> list[str]:
    """List a stretch, then what is left of it as politeness is taken off its end and its start."""
    shapes = [stretch]
    while (cut := _POLITE_END.search(stretch)) is not None:
        stretch = stretch[: cut.start()].rstrip()
        shapes.append(stretch)
    for shape in list(shapes):
        rest = shape
        while (opening := _POLITE_START.match(rest)) is not None:
            rest = rest[opening.end() :]
            shapes.append(rest)
    return shapes
