"""Questions about the room itself: who is here, who may speak, why something was denied, why a participant is silent.

They are learned from `room_questions.txt`, with one name in place of every participant's, against what people ask about
anything else: "who may open a savings account?" is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from catalog.norms.model import NormSpecification
from explain.rooms import RoomQuestion, RoomQuestionKind
from language.acts.question_kinds import draw, lines, written_out
from language.entities.masking import MaskedText
from language.intents.labels import LabelKind, Labels
from language.intents.segmentation import ClauseType, cut_up
from language.rooms.figures import read_figures, with_stand_ins
from language.rooms.mentions import NamedParticipants, read_mentions
from language.rooms.topics import NEUTRAL
from language.text.lazy_pattern import LazyPattern
from language.text.request_frames import unserved
from language.text.words import FUNCTION_WORDS, fold

_SORT = LabelKind("room_questions", 1.0)
_NAME = "ben"
"""What stands for participants where questions are learned and recognised."""
_FILLERS = MappingProxyType({"n": (_NAME,), "t": (NEUTRAL,)})
_NONE = "none"
_SURE = 0.5
_OF_A_LINE, _OF_OTHERS = 6, 2
_OTHERS = frozenset({"query", "simulate", "request", "greeting"})
_MESSAGE = LazyPattern(
    r"\b(?:(?:message|entry|post|answer|number|no\.?|nr)\s*#?\s*){1,2}(?P<number>[0-9]{1,6})\b|#(?P<bare>[0-9]{1,6})\b"
)
_OWN = LazyPattern(
    r"\b(?:my|mine)\b(?! (?:question|turn))"
    r"|\b(?:am|can't|cannot|can|could|couldn't|may|must|do|did|was|were|should|is|have) i\b"
    r"|\bi (?:can't|cannot|can|am|was|got|may|must|could|couldn't)\b"
    r"|\b(?:stopped|blocked|silenced|let|muted|denied|forbids?|forbade|block|deny|silence|mute|prevented|kept|bind"
    r"|bear on|apply to|hold for) me\b"
)
"""Where the asker is whom the question is about; in "why did nobody answer me" they are not."""
_OWN_PART = LazyPattern(r"\bmy (?:role|part)\b|\bwho am i\W*\Z")
"""Where a question about who is here is about the asker; "who am I talking to?" is not."""
_YOU = LazyPattern(r"\b(?:you|your|yours|u|ya|ur)\b")
"""Who is spoken to is whom a question is about only where it says "you": "In, who may answer?" is about no one."""
_HELLO = LazyPattern(r"\W*(?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening|day))\b(?: \w+){0,2}\W*\Z")
_ARTICLE = LazyPattern(r"\b(?:an?|the|my|your|our|each|every|any|which)\s+\Z")
"""Before a name that is no name there: "a CD"."""
_LONGEST = 200
"""Characters of a question about a room."""


class RoomQuestionReader:
    def __init__(self, specification: NormSpecification) -> None:
        self._called = _called(specification)
        self._learned = learned_questions()

    def read(self, text: str, participants: Mapping[str, str], asker: str | None = None) -> RoomQuestion | None:
        """Read a question about the room; None: it is none. `participants` are names with what people call them."""
        if not text.strip() or len(text) > _LONGEST:
            return None
        folded = fold(text)
        mentioned = read_mentions(text, participants)
        addressed = {start for start, _, _ in mentioned.stretches}
        named = self._named(text, folded, mentioned, participants)
        names = [(start, end) for start, end, _ in named]
        parts = [*_parts(folded, names), (0, len(folded))]
        several = self._learned.judge([_masked(folded, names, *part) for part in parts])
        judged = next((one for one in several if one.confidence * (1 - one.none) >= _SURE), None)
        if judged is None:
            return None
        spoken_of = [name for start, _, name in named if start not in addressed]
        spoken_to = [name for start, _, name in named if start in addressed and _YOU.search(folded)]
        if judged.best == RoomQuestionKind.WHO_IS_HERE and spoken_to and not spoken_of:
            return None  # "@CD who are you?" is for CD to answer
        about = next(iter((*spoken_of, *spoken_to)), None)
        own = _OWN_PART if judged.best == RoomQuestionKind.WHO_IS_HERE else _OWN
        if about is None and asker is not None and own.search(written_out(folded)):
            about = asker
        number = _MESSAGE.search(folded)
        entry = int(number["number"] or number["bare"]) if number else None
        return RoomQuestion(RoomQuestionKind(judged.best), about, entry, asker)

    def _named(
        self, text: str, folded: str, mentioned: NamedParticipants, participants: Mapping[str, str]
    ) -> list[tuple[int, int, str]]:
        """Find whom a question names, with or without @, by name, by label, or by a role that only they have."""
        found = list(mentioned.stretches)
        calls = {fold(label): name for name, label in participants.items()} | {
            fold(name): name for name in participants
        }
        calls = {call: name for call, name in self._called.items() if name in participants} | calls
        for call, name in sorted(calls.items(), key=lambda pair: -len(pair[0])):
            for match in re.finditer(rf"(?<![\w@]){re.escape(call)}(?:'s)?(?!\w)", folded):
                start, end = match.span()
                common = call in FUNCTION_WORDS and (start == 0 or text[start : start + len(name)] != name)
                thing = call == fold(name) and _ARTICLE.search(folded, 0, start) is not None
                if common or thing or any(a < end and start < b for a, b, _ in found):
                    continue
                found.append((start, start + len(call), name))
        return sorted(found)


@cache
def learned_questions() -> Labels:
    """Return the classifier of questions about rooms, which is the same for all specifications."""
    examples: dict[str, list[MaskedText]] = {kind.value: [] for kind in RoomQuestionKind}
    others: list[MaskedText] = []
    for kind, line in lines(__package__, "room_questions.txt"):
        said = [_masked(one, []) for one in draw(line, _OF_A_LINE, _FILLERS)]
        (others if kind == _NONE else examples[kind]).extend(said)
    others += [_masked(fold(text), []) for text in unserved()]
    for act, line in lines(__package__, "speech_acts.txt"):
        if act in _OTHERS:
            others += [_masked(one, []) for one in draw(line, _OF_OTHERS, _FILLERS)]
    return Labels(examples, _SORT, others)


def _parts(folded: str, names: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return what is asked in a text beside politeness: "thanks. why didn't CD answer?"."""
    pieces = cut_up(folded, fixed=names, apart=True)
    asks = [
        (piece.start, piece.end)
        for piece in pieces
        if piece.type is not ClauseType.FILLER and not _HELLO.match(piece.of(folded))
    ]
    return asks if len(asks) == 1 < len(pieces) else []


def _masked(folded: str, names: Iterable[tuple[int, int]], begin: int = 0, finish: int | None = None) -> MaskedText:
    """Put one name in place of all, and stand-ins for values; whether it asks is a mark."""
    finish = len(folded) if finish is None else finish
    stretches = [(start, end, _NAME) for start, end in names]
    stretches += [(*match.span(), "that message") for match in _MESSAGE.finditer(folded)]
    stretches += read_figures(folded).stretches
    text, _ = with_stand_ins(folded.replace("@", " "), stretches, begin, finish)
    return MaskedText(text, frozenset({"asks"} if folded.rstrip().endswith("?") else ()))


def _called(specification: NormSpecification) -> dict[str, str]:
    """Return what participants are called by roles that only one of them plays: "the mediator"."""
    players: dict[str, set[str]] = {}
    for name, participant in specification.participants.items():
        for role in participant.roles:
            players.setdefault(role, set()).add(name)
    return {
        call: next(iter(names))
        for role, names in players.items()
        if len(names) == 1 and role in specification.roles
        for call in (fold(specification.roles[role].label), fold(role.replace("_", " ")))
    }
