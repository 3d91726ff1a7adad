"""Controls: what an utterance tells the assistant to do with the conversation itself.

An utterance is a control when, politeness aside, every stretch of it is a phrase for one; so "stop" is a control, and
"stop paying my rent" is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from catalog.model import Catalog
from language.intents.reader import SURE, RequestReader
from language.interpretation import Context, DialogueAct, TalkTopic
from language.text.lazy_pattern import LazyPattern, read_forms
from language.text.request_frames import is_refusal
from language.text.utterance import UtteranceReading

_Sort = TypeVar("_Sort", TalkTopic, DialogueAct)


def _of(section: str, sorts: Iterable[_Sort]) -> dict[_Sort, str]:
    return {sort: _TABLES[name] for sort in sorts if (name := f"{section} {sort.value}") in _TABLES}


_TABLES = read_forms("language.acts", "controls.txt")
_TALK = _of("talk", TalkTopic)
_ABOUT_THE_QUESTION = _of("question", TalkTopic)
_PHRASES = {**_of("control", DialogueAct), DialogueAct.CHITCHAT: "|".join(_TALK.values())}


def _compiled(phrase: str) -> LazyPattern:
    """Compile phrases into one expression for a whole stretch of up to three of them ("yes of course")."""
    return LazyPattern(rf"(?:{phrase})(?: (?:{phrase})){{0,2}}\Z")


_SAYS = {control: _compiled(lines) for control, lines in _PHRASES.items()}
_TALKS = {topic: _compiled(lines) for topic, lines in _TALK.items()}
_RESUMES = _compiled(_TABLES["resuming"])
_ASKS_BACK = _compiled("|".join((_TABLES["question"], *_ABOUT_THE_QUESTION.values())))
_SUBJECTS = {topic: _compiled(phrases) for topic, phrases in _ABOUT_THE_QUESTION.items()}
_POLITE = _TABLES["polite"]
_POLITE_END = LazyPattern(rf"\s(?:{_POLITE})\Z")
_POLITE_START = LazyPattern(rf"(?:{_POLITE})\s")
POLITE_ONLY = _compiled(_POLITE)
_STRETCH = LazyPattern(r"[,.!?;:…\"()\n]+")
_FORBIDS = LazyPattern(r"\W*(?:please |but |and |just )*(?:don't|do not) [a-z]+ ")
_YES_FIRST = LazyPattern(r"\W*(?:y|yes|yeah|yep|yup|sure|ok|okay) ")
_PLAIN_YES = LazyPattern(r"\b(?:y|yes|yeah|yep|yup|sure|please|do|absolutely|definitely)\b")
YES_OR_NO = frozenset({"authorize", "confirm", "offer", "choice"})
_DROP = LazyPattern(
    r"\b(?<!n't )(?<!dont )(?<!not )(?<!never )(?:stop|cancel|abort|forget(?: about)?|drop|scrap|end|quit|never ?mind"
    r"|(?:don't|do not|no longer) (?:want|need))"
    r"\s+(?:the|my|this|that|a|an)?\s*(?P<named>[^,.;!?]{2,60})"
)
"""Verbs that drop a goal that is named."""
MIND_CHANGED = LazyPattern(r"\bchanged my mind\b")
_LONGEST = 120
"""Characters of the longest utterance that may be nothing but a control."""

_BY_WEIGHT = (
    DialogueAct.RESTART,
    DialogueAct.REOPEN,
    DialogueAct.UNDO,
    DialogueAct.STOP,
    DialogueAct.UNSURE,
    DialogueAct.SKIP,
    DialogueAct.NO,
    DialogueAct.YES,
    DialogueAct.HELP,
    DialogueAct.CHITCHAT,
)
"""Precedence where stretches differ: "ok, stop" stops; "no, I don't know" does not know."""


def read_control(folded: str, pending: str | None = None) -> DialogueAct | None:
    """Return whether a folded text, as a whole, is a control; `pending` is the kind of question that was asked.

    A few words depend on the question: "great" agrees to an offer and is talk otherwise; "none" declines a choice.
    """
    if len(folded) > _LONGEST:
        return None
    stretches = _stretches(folded)
    found: list[DialogueAct] = []
    for stretch in stretches:
        control = _read_stretch(stretch, pending)
        if control is not None:
            found.append(control)
        elif not POLITE_ONLY.match(stretch):
            return None
    if pending not in YES_OR_NO and DialogueAct.CHITCHAT in found and DialogueAct.YES in found:
        found = [control for control in found if control is not DialogueAct.YES]  # "ok, thanks" agrees to nothing
    if DialogueAct.YES in found and read_topic(folded) is TalkTopic.FAREWELL and not _PLAIN_YES.search(folded):
        found = [DialogueAct.CHITCHAT]  # "alright, thank you, have a nice day" takes no offer
    answers = [control for control in found if control in {DialogueAct.YES, DialogueAct.NO}]
    if len(set(answers)) == 2 and set(found) <= {DialogueAct.YES, DialogueAct.NO, DialogueAct.CHITCHAT}:
        both = answers[0] is DialogueAct.YES and pending in ("authorize", "confirm")
        return None if both else answers[0]  # "yes, later" agrees to nothing now
    if DialogueAct.NO in found and DialogueAct.YES not in found:
        found = [control for control in found if control is not DialogueAct.UNSURE]  # "no, maybe later" is a no
    return next((control for control in _BY_WEIGHT if control in found), None)


_WEIGHTIEST = (
    TalkTopic.COMPLAINT,
    TalkTopic.FAREWELL,
    TalkTopic.THANKS,
    TalkTopic.ASSISTANT,
    TalkTopic.GREETING,
    TalkTopic.PRAISE,
    TalkTopic.ACKNOWLEDGEMENT,
)
"""Precedence of topics in small talk: "great, thanks, bye" is a farewell."""


def read_topic(folded: str) -> TalkTopic | None:
    """Return the topic of small talk, or None if a text is none."""
    shapes = [shape for part in _stretches(folded) for shape in _trimmed(part)]
    return next((topic for topic in _WEIGHTIEST if any(_TALKS[topic].match(shape) for shape in shapes)), None)


def resumes(folded: str) -> bool:
    """Return whether a text asks to resume a dropped goal."""
    return any(_RESUMES.match(shape) for part in _stretches(folded) for shape in _trimmed(part))


_WHAT_THEN = LazyPattern(r"\b(?:then|next|after (?:that|this)) what\b|\bwhat (?:then|next)\b")
"""What asks for what comes after the open question."""


def find_topic_asked(folded: str) -> TalkTopic | None:
    """Return what a text asks of the open question, if that is all it does: "what do you mean?", "who gets it?"."""
    if len(folded) > _LONGEST or _WHAT_THEN.search(folded):
        return None
    if folded.strip() and not folded.strip(" ?"):
        return TalkTopic.QUESTION
    stretches = [_trimmed(part) for part in _stretches(folded) if not POLITE_ONLY.match(part)]
    if not stretches or not all(any(_ASKS_BACK.match(shape) for shape in shapes) for shapes in stretches):
        return None
    named = (topic for topic, phrases in _SUBJECTS.items() if any(map(phrases.match, stretches[0])))
    return next(named, TalkTopic.QUESTION)


def read_controls(
    reading: UtteranceReading, pending: str | None, catalog: Catalog, requests: RequestReader
) -> UtteranceReading:
    """Read a control that is a clause of its own: "stop, I want a card instead"."""
    answers = {DialogueAct.YES, DialogueAct.NO, DialogueAct.SKIP, DialogueAct.UNSURE}
    answers -= {DialogueAct.SKIP} if pending in ("authorize", "confirm") else set()  # "…, I forgot" declines nothing
    meant = {DialogueAct.STOP, *_BEGIN_ANEW} | (answers if pending else set())
    found, used = reading.control, []
    for clause in reading.open:
        words = clause.of(reading.folded)
        control = read_control(words, pending)
        if control is not None and (
            is_own_request(words, reading.context, requests) or _is_part_of_request(reading, control, requests)
        ):
            continue
        if control is None and _drops_goal(words, reading.context, catalog, requests):
            control = DialogueAct.STOP
        if control is None:
            opening, comma, _ = words.partition(",")
            if not comma and pending in ("authorize", "confirm") and _YES_FIRST.match(words):
                opening, comma, _ = words.lstrip().partition(" ")  # "yes write it": each word is looked at afterwards
            leads = comma and clause is reading.clauses[0] and not _FORBIDS.match(f"{opening} ")
            first = read_control(opening, pending) if leads else None
            first = None if first is DialogueAct.STOP and MIND_CHANGED.search(opening) else first
            if first in meant:
                found = found or first
            continue
        if control is DialogueAct.NO and len(reading.clauses) > 1 and _FORBIDS.match(words):
            continue  # "don't cancel it, move it" says what is to be done instead
        if control in {DialogueAct.YES, DialogueAct.NO} and control not in meant and reading.context.pending:
            continue  # it may be the value asked for
        used.append(clause)
        if control is DialogueAct.STOP and MIND_CHANGED.search(words) and len(reading.clauses) > 1:
            continue  # what it was changed to is in the rest
        if control in meant:
            found = found or control
    return replace(reading.using(used), control=found)


def read_whole_control(reading: UtteranceReading, pending: str | None, requests: RequestReader) -> DialogueAct | None:
    """Return the control that an utterance is as a whole, unless a goal of the catalog is asked for in that way."""
    control = read_control(reading.folded, pending)
    return None if control and is_own_request(reading.folded, reading.context, requests) else control


def is_own_request(words: str, context: Context, requests: RequestReader) -> bool:
    """Return whether words that may be a control ask for a goal of the catalog, while nothing is there to control."""
    return not (context.goals or context.pending) and requests.by_example(words) is not None


def _is_part_of_request(reading: UtteranceReading, control: DialogueAct, requests: RequestReader) -> bool:
    """Return whether a stop belongs to a request, while nothing is there to stop: "I won't make it, please cancel"."""
    nothing = not (reading.context.goals or reading.context.pending)
    return nothing and control is DialogueAct.STOP and requests.goal_of(reading.folded) is not None


def _drops_goal(words: str, context: Context, catalog: Catalog, requests: RequestReader) -> bool:
    """Return whether a clause says that the goal being pursued is no longer wanted."""
    match = _DROP.search(words)
    if match is None or not context.goals or context.goals[0] not in catalog.goals:
        return False
    best = requests.rank(match["named"])[0]
    return best.goal == context.goals[0] and best.confidence >= SURE


def read_refusal_or_call_for_help(reading: UtteranceReading) -> UtteranceReading:
    """Read what nothing else was made of: "I don't want that" as a no, "what do you mean?" as a call for help."""
    if reading.empty and any(is_refusal(clause.of(reading.folded)) for clause in reading.clauses):
        return replace(reading, control=DialogueAct.NO, candidates=())
    if reading.empty and not reading.candidates and find_topic_asked(reading.folded):
        return replace(reading, control=DialogueAct.HELP)
    return reading


def find_topic(reading: UtteranceReading) -> TalkTopic | None:
    """Find what talk, or a call for help, is about."""
    if reading.topic is None and reading.control in {DialogueAct.CHITCHAT, DialogueAct.HELP}:
        return read_topic(reading.folded)
    if reading.control is DialogueAct.YES and reading.context.pending is None and resumes(reading.folded):
        return TalkTopic.RESUMING
    return reading.topic


def _stretches(folded: str) -> list[str]:
    return [tidy for part in _STRETCH.split(folded) if (tidy := " ".join(part.split()))]


_BEGIN_ANEW = (DialogueAct.RESTART, DialogueAct.REOPEN, DialogueAct.UNDO)
_FIRST = (*_BEGIN_ANEW, DialogueAct.STOP)
_AFTER_A_QUESTION = (DialogueAct.YES, DialogueAct.NO, DialogueAct.SKIP, DialogueAct.HELP, DialogueAct.CHITCHAT)
_ELSE = (DialogueAct.SKIP, DialogueAct.NO, DialogueAct.CHITCHAT, DialogueAct.YES, DialogueAct.HELP)


def _order(pending: str | None) -> tuple[DialogueAct, ...]:
    """Return the controls in the order in which they are tried: only a yes-or-no question can be left undecided."""
    unsure = (DialogueAct.UNSURE,) if pending in ("authorize", "confirm") else ()
    return (*_FIRST, *unsure, *(_AFTER_A_QUESTION if pending in YES_OR_NO else _ELSE))


def _read_stretch(stretch: str, pending: str | None) -> DialogueAct | None:
    tried = ((control, shape) for shape in _trimmed(stretch) for control in _order(pending))
    return next((control for control, shape in tried if _SAYS[control].match(shape)), None)


def _trimmed(stretch: str) -> list[str]:
    """List a stretch, then what remains after removing politeness from its end and its start."""
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
