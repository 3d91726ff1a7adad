"""Speech acts: what each stretch of an utterance does, told by its form before any of its words is taken for a value.

A clause asks, supposes, puts right, forbids or allows that something is passed on; else it tells or requests. What is
refused is found with what does not stand (`language.entities.segments`). The forms are those of English grammar
(inverted auxiliaries, interrogatives, conditionals, negated verbs of giving; Huddleston and Pullum, The Cambridge
Grammar of the English Language, 2002, ch. 10), not words of a catalog; which goals, skills and facts are spoken of is
told by their labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from pydantic import JsonValue

from catalog.model import Catalog, Fact
from catalog.values import Kind
from language.acts.clarifications_and_corrections import is_correcting
from language.acts.dialogue_acts import YES_OR_NO, read_control
from language.acts.non_answers import takes_sentences
from language.entities.segments import DENIED
from language.entities.value_context import is_wordy
from language.interpretation import PERMITTED, ActSpan, DialogueAct, Span, SpeechAct, Update
from language.readers import read_answer
from language.text.lazy_pattern import LazyPattern, read_forms
from language.text.morphology import stem
from language.text.words import FUNCTION_WORDS, Clause, blank, clauses_in, fold, span_of, words_in

_FORMS = read_forms("language.acts", "speech_acts.txt")
"""Forms by what they do; the file says what each is."""


def speech_form(name: str, *, opens: bool = False) -> LazyPattern:
    """Return the forms of a section of the file; behind an opening, where it `opens`."""
    return LazyPattern(rf"{_FORMS['opening']}(?:{_FORMS[name]})" if opens else _FORMS[name])


_ASKS, _DEMANDS = speech_form("asks", opens=True), speech_form("demands", opens=True)
_ASKS_FOR, _REPORTS, _UNSAYS = speech_form("asks for", opens=True), speech_form("reports"), speech_form("unsays")
_OF_ANOTHER, _HAS = speech_form("of another"), speech_form("has")
_ABLE = LazyPattern(rf"{_FORMS['opening']}(?:can|could|will|shall|may)\b")
_WITHIN = LazyPattern(r"(?<=\w)[.,](?=\w)")
"""What ends no denial: "4,000.50", "ann@example.org"."""
_SENTENCE = LazyPattern(r"[.;!?]\s")
_SPEAKER = LazyPattern(r"\b(?:i|me|we|us)\b")
_QUOTED = LazyPattern(r"(?<!\w)[\"“][^\"“”]+[\"”](?!\w)")
_LEFT_ALONE = LazyPattern(r"\b(?:need|(?:i|we)\b.*\b(?:touch|use|spend|miss|withdraw|require|move|access))\b")
"""What is said of money that is free: "I won't touch it for 3 years"."""
_CHANGED = LazyPattern(r"\W*(?:instead of|rather than|no \W?[0-9])")
"""What only puts another value in place of one: "no 5 years"."""
_BEGINS = rf"(?:\A|(?<=[,.;:!?\n])|\b(?:and|but|so|then)\s)(?>{_FORMS['opening']})"
"""An opening is atomic: with many separators in a row, each way to part them would be tried else."""
_APPEAL = LazyPattern(
    rf"{_BEGINS}(?:(?P<person>(?:{_FORMS['asks for a person']})(?:(?!\s(?:and|but|then)\s)[^,.;!?\n]|[.,](?=\w))*)"
    rf"|(?P<named>{_FORMS['names a person']})|(?P<disagrees>(?:{_FORMS['disagrees']})(?:{_FORMS['goes on']}))"
    rf"|(?P<deletes>(?:{_FORMS['asks to delete']})(?:{_FORMS['deleted how']})))[.!?]*"
)
_APPEALS = {
    "person": SpeechAct.ASK_FOR_PERSON, "named": SpeechAct.ASK_FOR_PERSON, "disagrees": SpeechAct.DISAGREE,
    "deletes": SpeechAct.ASK_TO_DELETE,
}  # fmt: skip
_OF_A_DECISION = LazyPattern(rf"\b(?:{_FORMS['decided']}|appeal|complain|unfair|unjust)")
_OPENING = LazyPattern(_FORMS["opening"])
_FRAGMENT = LazyPattern(r"\W*(?:(?:and|but|so|or)\W+)?(?:without|except(?: for)?|skipping|no)\b")
_OFFERS, _MAY_I = speech_form("offers", opens=True), speech_form("may i", opens=True)
_FIRM, _SUPPOSES, _FORBIDS, _HANDS_ON = map(speech_form, ("firm", "supposes", "forbids", "hands on"))
_REVOKES, _LEAVES_OUT, _ALLOWS, _CONSENTS = map(speech_form, ("revokes", "leaves out", "allows", "consents"))
NO_PLAIN_WORD = LazyPattern(
    rf"[?\"“]|\b(?:{_FORMS['asks']})|{'|'.join(_FORMS[name] for name in ('supposes', 'has', 'reports', 'unsays'))}"
    f"|{DENIED.pattern}"
)
"""What stands in every text that does more than tell, request and correct."""
_MOST_OF_A_MARK = 6
"""Words of a clause that only says that something is supposed."""
_PRONOUNS = frozenset(
    """it that this them those these any anything everything all none nothing data information info details detail
    number numbers record records file files mine personal private stuff""".split()
)
"""Words that stand for what is passed on."""


_NO_CONSENT = frozenset((DialogueAct.SKIP, DialogueAct.HELP, DialogueAct.CHITCHAT))


class ActReader:
    """Tells what the clauses of utterances do, for one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        skills = [s for s in catalog.skills.values() if any(catalog.sensitive_inputs(s.name, mode) for mode in s.modes)]
        facts = [fact for fact in catalog.facts.values() if catalog.is_sensitive(fact.name)]
        self._stems = {one.name: frozenset(_stems(one.label)) for one in (*skills, *facts)}
        others = (*catalog.goals.values(), *catalog.skills.values(), *catalog.facts.values())
        self._other = {frozenset(_stems(one.label)) for one in others} - {*self._stems.values(), frozenset[str]()}
        self._initials = {one.name: "".join(word[:1] for word in fold(one.label).split()) for one in (*skills, *facts)}

    def passing_on(self, folded: str, asked: str | None) -> tuple[ActSpan, ...]:
        """Find the stretches that forbid, or allow, that something is passed on.

        What as a whole answers the question that is `asked` is an answer: "don't send it", "I don't have it".
        """
        found: list[ActSpan] = []
        answer = read_control(folded, asked)
        if not self._stems or (answer is not None and (asked in YES_OR_NO or answer in _NO_CONSENT)):
            return ()
        for clause in clauses_in(folded):
            said = clause.of(folded)
            asks = _ASKS.match(said) is not None or folded[clause.end : clause.end + 1] == "?"
            asks = asks and not (_MAY_I.match(said) and _REVOKES.search(said))
            asks = asks or ("?" in folded and belongs_to_a_question(folded, clause))
            act = None if asks else SpeechAct.TAKE_BACK if self._forbids(said) else None
            act = self._allowing(said, asked) if act is None and not asks and _ALLOWS.search(said) else act
            if act is SpeechAct.AGREE and asked in YES_OR_NO - {"authorize"}:
                continue  # "yes, do that for me" is a yes
            if act is not None:
                span = span_of(folded, clause.start, clause.end)
                found.append(ActSpan(act=act, span=span, named=self._named(said)))
        return tuple(found)

    def _forbids(self, said: str) -> bool:
        if (revoked := _REVOKES.search(said)) is not None:
            return revoked["what"] is None or self._is_of_passing(revoked["what"])
        for match in _FORBIDS.finditer(said):
            if _HANDS_ON.match(match["verb"]) or self._is_of_passing(match["what"]):
                return True
        for match in _LEAVES_OUT.finditer(said):
            what = next((words for words in match.groups() if words), "")
            if self._named(what):
                return True
        return False

    def _allowing(self, said: str, asked: str | None) -> SpeechAct | None:
        """Return whether what may allow that something is passed on does so."""
        negated = _FORBIDS.search(said) or _REVOKES.search(said)
        allows = not negated and (_CONSENTS.search(said) or self._is_of_passing(said))
        # "yes, go ahead with that" is an answer, which counts for what is asked
        answers = asked is not None and read_control(said.strip(), "confirm") is DialogueAct.YES
        return SpeechAct.AGREE if allows and not answers else None

    def _is_of_passing(self, words: str) -> bool:
        """Return whether words are of what is passed on, or to whom: by name, or by a word that stands for it."""
        return bool(self._named(words)) or any(word.text in _PRONOUNS for word in words_in(words))

    def _named(self, words: str) -> tuple[str, ...]:
        """Return the skills and facts that words name: by half the words of a label, or by its initials ("SSN")."""
        said = frozenset(stem(word.text) for word in words_in(words))
        whole = {word.text for word in words_in(words)}
        hits = {name: len(said & stems) / len(stems) for name, stems in self._stems.items() if stems}
        hits |= {name: 1.0 for name, short in self._initials.items() if len(short) > 2 and short in whole}
        other = max((len(said & stems) / len(stems) for stems in self._other), default=0.0)
        best = max(other, *hits.values())  # "credit score" names no credit bureau
        return tuple(name for name, hit in hits.items() if hit >= 0.5 and hit >= best - 0.01)


def belongs_to_a_question(folded: str, clause: Clause) -> bool:
    """Return whether a clause is but a part of a question: "without my phone number, what would happen?"."""
    ends = re.search(r"[.!?]", folded[clause.end :])
    return _FRAGMENT.match(clause.of(folded)) is not None and ends is not None and ends.group() == "?"


def find_appeals(folded: str, asked: str | None, fact: Fact | None = None) -> Iterator[ActSpan]:
    """Find what turns to a person: asks for one, disagrees with a decision, or asks for stored data to be deleted.

    What answers the question that is `asked`, for a `fact` or another one, does not: "I disagree" declines consent.
    Where it asks for sentences, only what is nothing else may ask for a person or deletion.
    """
    for match in _APPEAL.finditer(folded):
        if asked in YES_OR_NO and read_control(folded, asked) is not None:
            return
        sentences = fact is not None and takes_sentences(fact)
        names = asked == "choice" or (fact is not None and (is_wordy(fact.value) or bool(fact.value.declared_options)))
        form = match.lastgroup or ""
        said, whole = match[form], match.span() == (0, len(folded.rstrip()))
        if form == "disagrees" and (
            sentences or (asked in ("authorize", "confirm") and not _OF_A_DECISION.search(said))
        ):
            continue
        if (form == "named" and names) or (sentences and not whole):
            continue
        yield ActSpan(act=_APPEALS[form], span=span_of(folded, match.start(form), match.end()))


def find_moods(text: str, folded: str, *, busy: bool) -> Iterator[ActSpan]:
    """Find the clauses that ask, suppose, request or put right; all others tell. `busy`: a request is open."""
    supposed = False
    for clause in clauses_in(folded):
        said = clause.of(folded)
        marked = "?" in (folded[clause.end : clause.end + 2].strip()[:1], said.rstrip()[-1:])
        act, begins = _mood(said, marked, busy=busy)
        if supposed and act is SpeechAct.TELL:
            act = SpeechAct.SUPPOSE
        # "Purely hypothetically. Me, in the baking class": what only says so is said of all that follows
        supposed = supposed or (act is SpeechAct.SUPPOSE and len(said.split()) <= _MOST_OF_A_MARK)
        if act is not SpeechAct.TELL:
            tentative = act is SpeechAct.ASK and not _ASKS.match(said)
            span = span_of(text, clause.start + begins, clause.end)
            yield ActSpan(act=act, span=span, tentative=tentative)


def find_acts(text: str, folded: str) -> Iterator[ActSpan]:
    """Find what the stretches of a text do that is said outside the conversations of a catalog; what is first counts.

    Beside moods, it is found what another person has or says, and what is denied, whatever that is.
    """
    for denied in DENIED.finditer(_WITHIN.sub("_", folded)):
        if not (_CHANGED.match(denied.group()) or _LEFT_ALONE.search(denied.group())):
            yield ActSpan(act=SpeechAct.REFUSE, span=span_of(text, *denied.span()))
    for clause in clauses_in(folded):
        sentence = _SENTENCE.search(folded, clause.start, clause.end)
        end = sentence.start() if sentence else clause.end
        said = folded[clause.start : end]
        if unsaid := _UNSAYS.search(said):
            yield ActSpan(act=SpeechAct.REFUSE, span=span_of(text, clause.start + unsaid.start(), end))
        theirs = _OF_ANOTHER.match(said) and _HAS.search(said) and not _SPEAKER.search(said)
        if theirs or _REPORTS.search(said):
            yield ActSpan(act=SpeechAct.REPORT, span=span_of(text, clause.start, end))
    for quoted in _QUOTED.finditer(folded):
        if quoted.group().strip() != folded.strip():
            yield ActSpan(act=SpeechAct.REPORT, span=span_of(text, *quoted.span()))
    yield from find_moods(text, folded, busy=False)


def read_told(kind: Kind, text: str, today: date) -> JsonValue:
    """Read a value that was typed where one is asked for, from what may write values, or raise `Unreadable`.

    Any words are a value of some kinds, and a denial answers yes or no; what is a value as it stands is taken.
    """
    value = read_answer(kind, text, today)
    if kind.is_yes_or_no or is_wordy(kind) or kind.accepts(text.strip()):
        return value
    acts = find_acts(text, fold(text))
    told = blank(text, [(one.span.start, one.span.end) for one in acts if Update.WRITE not in PERMITTED[one.act]])
    if not told.strip():
        raise kind.unreadable("none_said")
    return read_answer(kind, told, today)


def asks_whether(span: Span, *, able: bool) -> bool:
    """Return whether a stretch only asks whether something is so: "would 4000 do?"; "can you" asks where `able`."""
    said = fold(span.text)
    asks_for = _ASKS_FOR.match(said) or (able and _ABLE.match(said))
    return _ASKS.match(said) is not None and not asks_for


def _mood(said: str, marked: bool, *, busy: bool) -> tuple[SpeechAct, int]:
    """Return what a clause does, and from where on in it: a condition begins with its conjunction."""
    demands, asks = _DEMANDS.match(said), _ASKS.match(said)
    supposes = _SUPPOSES.search(said)
    if supposes and not demands:
        before = said[: supposes.start()]  # "just imagining: what if …"; "video, if that's an option" tells
        leads = len(before.split()) < 2 and (_OPENING.fullmatch(before) or not before.rstrip().endswith(","))
        return SpeechAct.SUPPOSE, 0 if asks or marked or leads else supposes.start()
    if demands:
        # "Can I have Friday?" asks for it; while a request is open it may only ask whether that is possible.
        only_asks = busy and _OFFERS.match(said) and not _FIRM.search(said)
        return SpeechAct.ASK if only_asks else SpeechAct.REQUEST, 0
    if asks or marked:
        return SpeechAct.ASK, 0
    return SpeechAct.CORRECT if is_correcting(said) else SpeechAct.TELL, 0


def _stems(label: str) -> Iterator[str]:
    return (stem(word.text) for word in words_in(fold(label)) if word.text not in FUNCTION_WORDS)
