"""Speech acts: what each part of a message in a room does, what it is about, whom it names, and what values it gives.

A turn may hold several utterances: "thanks, and what is a CD?" (Gatti de Bayser et al. 2018, §4). Acts are learned from
`speech_acts.txt`, with stand-ins for topics, amounts and periods, so that one classifier serves every specification.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

from pydantic import JsonValue

from catalog.norms.message import Utterance
from catalog.norms.model import NormSpecification
from catalog.norms.vocabulary import SPEECH_ACTS, TEXT, UNDEFINED
from language.acts.question_kinds import draw, lines
from language.acts.speech_acts import NO_PLAIN_WORD, asks_whether, find_acts
from language.entities.masking import MaskedText
from language.intents.labels import LabelKind, Labels
from language.intents.regression import JudgedLabels
from language.intents.segmentation import ClauseType, Cut, Piece, clause_type_of, cut_up
from language.interpretation import PERMITTED, ActSpan, SpeechAct, Update
from language.rooms.figures import NO_FIGURES, Figures, read_figures, say_back, with_stand_ins
from language.rooms.mentions import read_mentions
from language.rooms.topics import NEUTRAL, Place, TopicReader
from language.text.array_cache import one_utterance
from language.text.encoder import is_familiar
from language.text.lazy_pattern import LazyPattern
from language.text.words import FUNCTION_WORDS, MAX_TEXT, blank, fold, words_in

SIMULATION = "simulation"
"""What an utterance carries that asks for a return to be computed."""
_SORT = LabelKind("speech_acts", 0.8)
_FILLERS = MappingProxyType({"t": (NEUTRAL,), "n": ("ben", "the expert", "ana")})
_OF_A_LINE = 8
_NOT_UNDERSTOOD = "not_understood"
_CONTENT = frozenset({"query", "simulate", "request", "propose", "inform"})
"""Acts that a value may belong to; beside any other one it is information of its own."""
_SAYING = frozenset({"inform", "confirm"})
"""Acts that with a question mark ask: "is that true?"."""
_WITHOUT = {SpeechAct.REFUSE: "refuse", SpeechAct.REPORT: "inform"}
"""What is no wish for a simulation, as its figures are not to be taken; otherwise it asks."""
_UNSURE = 0.45
"""A part of a sentence whose act is less likely than this is no utterance of its own."""
_FAR = 0.3
"""What is less near than this to any example, and holds no word that is known, is not understood."""
_TAGGED = FUNCTION_WORDS | frozenset("say tell explain think know help guys anyone anybody somebody see right".split())
"""Words of what is only tagged on: "…, can you tell me?", "…, what do you say?"."""
_FEW = 3
"""Words of a piece that say nothing of what the utterance does that they go on with: "…, all options"."""
_NEAR = 0.5
"""Only what is as near as this to an example says that something was not understood: "what roars?" does not."""
_INTERJECTION = LazyPattern(
    r"\W*(?:(?:hi|hello|hey|hiya|yo)(?: there| all| everybody| everyone| guys| folks| again)?"
    r"|good (?:morning|afternoon|evening)|(?:many |great )?thanks(?: a lot| so much)?"
    r"|thank you(?: very much| so much| kindly)?|thx|ty|sorry|ok(?:ay)?|yes|yeah|yep|no|nope|nah|sure|great|perfect"
    r"|my (?:mistake|bad))(?P<off>\s*[,.!;:-]+)?\s+(?=\S)"
)
_POINTS_BACK = LazyPattern(r"\b(?:it|its|it's|they|them|their|that|this|these|those|one|there|same)\b")


@dataclass(frozen=True, slots=True)
class HeardUtterance:
    """An utterance, and where it stands in the text; `sure` is how likely its act is."""

    start: int
    end: int
    text: str
    act: str
    topic: str = UNDEFINED
    content: str = TEXT
    figures: Figures = NO_FIGURES
    sure: float = 1.0

    @property
    def values(self) -> dict[str, JsonValue]:
        """Return what is said of an amount and a period."""
        return self.figures.as_json()

    def as_utterance(self) -> Utterance:
        return Utterance(act=self.act, topic=self.topic, content=self.content, text=self.text, values=self.values)


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """A message as it was heard: its utterances, and whom it names."""

    utterances: tuple[HeardUtterance, ...]
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Text:
    """A folded text, of the same length as what was said, without mentions; with its values and topics."""

    said: str
    folded: str
    values: Figures
    topics: tuple[Place, ...]
    acts: tuple[ActSpan, ...] = ()


class Listener:
    """Hears what people and bots say in a room under a specification. What it needs is learned in the background."""

    def __init__(self, specification: NormSpecification) -> None:
        self._topics = TopicReader(specification.topics)
        self._acts = specification.acts
        self._simulates = SIMULATION if SIMULATION in specification.content_types else TEXT
        self._learned = learned_acts()

    @one_utterance()
    def hear(self, text: str, participants: Mapping[str, str] = MappingProxyType({})) -> HeardMessage:
        """Read a message; `participants` are names with what people call them."""
        said = text[:MAX_TEXT]
        named = read_mentions(said, participants)
        folded = blank(fold(said), named.stretches)
        figures = read_figures(folded)
        acts = tuple(find_acts(said, folded)) if figures.any and NO_PLAIN_WORD.search(folded) else ()
        heard = _Text(said, folded, figures, self._topics.find(folded), acts)
        found = [self._utterance(heard, piece, judged) for piece, judged in self._parts(heard)]
        if not found:
            act = "request" if named.participants and "request" in self._acts else self._known(_NOT_UNDERSTOOD)
            return HeardMessage((HeardUtterance(0, len(said), said, act),), named.participants)
        return HeardMessage(tuple(_with_back(heard, _with_topics(found))), named.participants)

    def _known(self, act: str) -> str:
        return act if act in self._acts else self._acts[-1]

    def _parts(self, heard: _Text) -> list[tuple[Piece, JudgedLabels]]:
        """Cut a turn into what may be utterances, and put together what is one."""
        pieces = _pieces(heard)
        judged = self._learned.judge([_masked(heard, piece) for piece in pieces])
        parts: list[tuple[Piece, JudgedLabels]] = []
        for piece, one in zip(pieces, judged, strict=True):
            if parts and self._belongs(heard, parts[-1], piece, one):
                last, before = parts[-1]
                joined = Piece(last.start, piece.end, last.cut, clause_type_of(heard.folded[last.start : piece.end]))
                adds = not _is_bare(heard, piece) and len(words_in(piece.of(heard.folded))) > _FEW
                parts[-1] = joined, self._learned.judge([_masked(heard, joined)])[0] if adds else before
            else:
                parts.append((piece, one))
        return parts

    def _belongs(self, heard: _Text, last: tuple[Piece, JudgedLabels], piece: Piece, judged: JudgedLabels) -> bool:
        before, act = self._act(heard, *last), self._act(heard, piece, judged)
        if _is_bare(heard, piece):
            return before in _CONTENT
        if act == before and act not in {"query", "simulate"}:
            return True
        if piece.cut >= Cut.SENTENCE:
            return False
        words = {word.text for word in words_in(piece.of(heard.folded))}
        if judged.chances[0][1] < _UNSURE or (before in _CONTENT and words <= _TAGGED):
            return True
        alone = len(words_in(last[0].of(heard.folded)))
        if piece.type is ClauseType.FRAGMENT and (
            act == before
            or (act in _CONTENT and (before in _CONTENT or alone > 1))  # "no" and "just the bonds" are two
            or (act == "refuse" and before in _CONTENT)
        ):
            return True
        fragment = last[0].type is ClauseType.FRAGMENT and before in _CONTENT and not _is_bare(heard, last[0])
        return fragment and piece.cut < Cut.AND

    def _act(self, heard: _Text, piece: Piece, judged: JudgedLabels) -> str:
        if _is_bare(heard, piece):
            return self._known("inform")
        if judged.near < _FAR and not any(is_familiar(word.text) for word in words_in(piece.of(heard.folded))):
            return self._known(_NOT_UNDERSTOOD)
        known = judged.near >= _NEAR
        likely = (act for act, _ in judged.chances if act in self._acts and (known or act != _NOT_UNDERSTOOD))
        act = next(likely, self._known(_NOT_UNDERSTOOD))
        gives, withheld = _sift(heard, piece, act) if heard.acts or act in _SAYING else (True, {})
        if act == "simulate" and withheld and not gives:
            act = self._known(_WITHOUT.get(next(iter(withheld.values())).act, "query"))
        asks = act in _SAYING and not gives and _has_question_mark(heard, piece)
        return "query" if asks and "query" in self._acts else act

    def _utterance(self, heard: _Text, piece: Piece, judged: JudgedLabels) -> HeardUtterance:
        act = self._act(heard, piece, judged)
        folded = piece.of(heard.folded)
        topic = UNDEFINED
        named = [one.topic for one in heard.topics if piece.start <= one.start and one.end <= piece.end]
        if named or act in _CONTENT:
            topic = self._topics.topic_of(folded, named)
        withheld = _sift(heard, piece, act)[1] if heard.acts else {}
        places = ((one.span.start - piece.start, one.span.end - piece.start) for one in withheld.values())
        kept = blank(folded, places)
        values = read_figures(kept)
        if unread := [words for words, one in withheld.items() if one.act is not SpeechAct.REFUSE]:
            values = replace(values, unread=(*values.unread, *unread))
        content = self._simulates if act == "simulate" else TEXT
        said = heard.said[piece.start : piece.end]
        sure = judged.chance_of(act) if act in dict(judged.chances) else 0.0
        return HeardUtterance(piece.start, piece.end, said, act, topic, content, values, sure)


@cache
def learned_acts() -> Labels:
    """Return the classifier of speech acts, which is the same for all specifications."""
    examples: dict[str, list[MaskedText]] = {act: [] for act in SPEECH_ACTS}
    for act, line in lines(__package__, "speech_acts.txt"):
        for said in draw(line, _OF_A_LINE, _FILLERS):
            topics = tuple(Place(at.start, at.end, "") for at in words_in(said) if at.text == NEUTRAL)
            heard = _Text(said, said, read_figures(said), topics)
            examples[act].append(_masked(heard, Piece(0, len(said), Cut.START, clause_type_of(said))))
    return Labels(examples, _SORT)


def _pieces(heard: _Text) -> list[Piece]:
    """Cut a turn wherever another utterance may begin."""
    kept = [(start, end) for start, end, _ in heard.values.stretches] + [(one.start, one.end) for one in heard.topics]
    found: list[Piece] = []
    for piece in cut_up(heard.folded, fixed=kept, apart=True):
        found += _without_interjection(heard.folded, piece)
    return found


def _without_interjection(folded: str, piece: Piece) -> list[Piece]:
    """Cut "hi" or "yes" off what follows it, where that is set off or asks for something."""
    match = _INTERJECTION.match(folded, piece.start, piece.end)
    if match is None or match.end() >= piece.end:
        return [piece]
    rest = folded[match.end() : piece.end]
    type_ = clause_type_of(rest)
    if match["off"] is None and type_ is not ClauseType.REQUEST and not rest.startswith(("only ", "just ")):
        return [piece]
    first = Piece(piece.start, match.end(), piece.cut, ClauseType.FILLER)
    return [first, Piece(match.end(), piece.end, Cut.COMMA, type_)]


def _masked(heard: _Text, piece: Piece) -> MaskedText:
    """Put stand-ins for topics and values into a piece; how it is asked is a mark."""
    marks = {f"type {piece.type.name}"}
    if _has_question_mark(heard, piece):
        marks.add("asks")
    stands_for = [(start, end, word) for start, end, word in heard.values.stretches]
    # words of a general topic are those of any request: "I want to invest"; alone they are what is asked about
    for one in heard.topics:
        around = heard.folded[piece.start : one.start] + heard.folded[one.end : piece.end]
        if not one.general or not around.strip(" ,;:.!?-"):
            stands_for.append((one.start, one.end, NEUTRAL))
    text, words = with_stand_ins(heard.folded, stands_for, piece.start, piece.end)
    return MaskedText(text, frozenset(marks | words))


def _has_question_mark(heard: _Text, piece: Piece) -> bool:
    after = heard.folded[piece.end : piece.end + 2].strip()
    return after.startswith("?") or heard.folded[piece.start : piece.end].rstrip().endswith("?")


def _sift(heard: _Text, piece: Piece, act: str) -> tuple[bool, dict[str, ActSpan]]:
    """Return whether a piece gives a figure, and its words for figures that are not to be taken, with why.

    What asks for something, or supposes it, gives the figures of the simulation that it asks for, which changes
    nothing; what asks whether something is so gives none, unless it asks whether that can be done.
    """
    gives, withheld = False, {}
    for start, end, _ in heard.values.stretches:
        if piece.start <= start and end <= piece.end:
            said = next((one for one in heard.acts if one.span.start <= start < one.span.end), None)
            asks = said is not None and said.act in (SpeechAct.ASK, SpeechAct.SUPPOSE)
            if (
                said is None
                or Update.WRITE in PERMITTED[said.act]
                or (asks and not asks_whether(said.span, able=act == "simulate"))
            ):
                gives = True
            else:
                withheld[heard.folded[start:end]] = said
    return gives, withheld


def _is_bare(heard: _Text, piece: Piece) -> bool:
    """Return whether a piece gives values, and says nothing else."""
    stretches = [(s, e) for s, e, _ in heard.values.stretches if piece.start <= s and e <= piece.end]
    return bool(stretches) and _words_beside(heard, piece, stretches) <= _BESIDE_VALUES


def _words_beside(heard: _Text, piece: Piece, stretches: Sequence[tuple[int, int]]) -> set[str]:
    return {word.text for word in words_in(piece.of(blank(heard.folded, stretches)))}


_BESIDE_VALUES = frozenset("a an the for over in with of about around at is it it's and say please roughly".split())
_BESIDE_FIGURES = _BESIDE_VALUES | frozenset("half ok okay yes minus".split())


def _with_back(heard: _Text, found: Sequence[HeardUtterance]) -> list[HeardUtterance]:
    """Let the first utterance say what the message has to do with figures of before; `bare` is one of figures alone."""
    back = say_back(heard.folded, figures=heard.values.any)
    named = [(one.start, one.end) for one in heard.topics]
    if heard.values.any:
        stretches = [*((start, end) for start, end, _ in heard.values.stretches), *named]
        piece = Piece(0, len(heard.folded), Cut.START, ClauseType.FRAGMENT)
        back += ("bare",) if _words_beside(heard, piece, stretches) <= _BESIDE_FIGURES else ()
    first, *others = found
    return [replace(first, figures=replace(first.figures, back=back)), *others]


def _with_topics(found: Sequence[HeardUtterance]) -> list[HeardUtterance]:
    """Let what points back be about the topic that was named before it in the same turn."""
    done: list[HeardUtterance] = []
    topic = UNDEFINED
    for one in found:
        if (
            one.topic == UNDEFINED
            and topic != UNDEFINED
            and one.act in _CONTENT
            and _POINTS_BACK.search(fold(one.text))
        ):
            one = replace(one, topic=topic)  # noqa: PLW2901
        topic = one.topic if one.topic != UNDEFINED else topic
        done.append(one)
    return done
