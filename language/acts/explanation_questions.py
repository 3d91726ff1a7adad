# ruff: noqa: E501 - one form a line, however long, so that forms can be compared
"""Questions about the past: what was done, how a fact was found, why it was needed, why a decision was made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from catalog.analysis.dependencies import arguments_of, results_of
from catalog.model import Catalog
from explain.model import QuestionKind
from language.acts.question_kinds import judge
from language.acts.question_subjects import Subject, SubjectFinder, mask_subjects
from language.entities.fact_cues import FactNames
from language.intents.reader import SURE, RequestReader
from language.interpretation import Context, ExplanationRequest
from language.readers import find_mentions
from language.text.utterance import Reading

_SHORTHANDS = {
    "<me>": r"(?: me| us)?",
    "<know>": r"(?:(?:know|have) about|know|have)",
    "<you>": r"(?:you|it|they|we|the assistant|the bank)",
    "<that>": r"(?:it|this|that|them|so)",
    "<my>": r"(?:that|this|the|my|your|our|such a)",
    "<now>": r"(?:\s+(?:so far|already|until now|up to now|till now|for me|about me|on me|here|there|now|then|today))*",
    "<decision>": r"(?:decision|result|outcome|verdict|answer|conclusion|approval|rejection|refusal)",
    "<of>": r"(?: (?:on|about|for|of|regarding|to|behind) <x>)?",
    "<decided>": (
        r"(?:(?:been |be |get |come out |come back |so |being |getting |not )*(?:declined|rejected|refused|denied|approved"
        r"|accepted|granted|turned down|(?:un)?successful|negative|positive|dismissed|decided))"
    ),
    "<decide>": (
        r"(?:(?:not )?(?:decline|reject|refuse|deny|approve|accept|grant|turn down|turned down|dismiss)(?:d|ed)?|denied|granted)"
    ),
    "<get>": (
        r"(?:(?:get|got|gotten) hold of|get to know|get|got|gotten|find out|found out|find|found|obtain(?:ed)?|know(?:n)?|learn(?:t|ed)?"
        r"|c[oa]me (?:by|up with|to)|arrived? at|work(?:ed)? out|figured? out|establish(?:ed)?|determined?|computed?|calculated?|estimated?"
        r"|retrieved?|discover(?:ed)?|fetch(?:ed)?|look(?:ed)? up|derived?|acquired?|read|collect(?:ed)?|made|made up|produced?)"
    ),
    "<need>": (
        r"(?:need|ask|want|require|use|collect|request|take|took|look up|gather|process|demand|share|send|sent|get|fetch|know"
        r"|have|had|see)(?:e?d)?(?:<me>)"
    ),
    "<must>": r"(?:have to |has to |had to |need to |want to |ever |even |still |really |also |all |always )*",
    "<give>": r"(?:give|provide|tell|send|enter|share|upload|say|type|hand over)(?: you(?: with)?)?",
}
_ASKED = {"<words>": r"(?P<about>[\w -]{1,40}?)", "<x>": r"(?P<about>[^?!.,;]{1,80}?)"}

_FORMS: dict[QuestionKind, str] = {
    QuestionKind.MISSING: """
why (?:can't|cannot|can not|couldn't|could not|won't) <you>
why (?:are|were|is) <you> (?:unable|not able)(?: to (?:do|help|proceed|continue|finish|go on|get)(?: <that>| me| further)?)?
(?:what|which) (?:information|data|facts?|details?|documents?|inputs?|piece of information) (?:is|are|was|were) (?:still )?(?:missing|needed|lacking)<now>
why (?:can't|cannot|can not|couldn't|could not|won't) <you> (?:do|help|proceed|continue|finish|go on)(?: with)?(?: <that>| me)?
why (?:can't|cannot|can not|couldn't|could not) (?:i|we) (?:get|have|do|see|finish|continue)(?: <that>)?
why (?:can't|cannot|can not|couldn't|could not) (?:it|this|that) (?:be done|work|happen|go on)
why (?:is|was) <that> (?:not |im)(?:possible|working|feasible)
why isn't <that> (?:possible|working)
why (?:doesn't|didn't|does not|did not|won't) <that> work(?: out)?
why (?:did|does|has|had) <that> (?:fail|failed|not work|go wrong|gone wrong|stop|stopped)
what(?:'s| is| was| are)(?: still| it that is| you)? (?:missing|lacking|needed|left to do|left|the (?:problem|matter|hold-?up))(?: from me)?<now>
what(?:'s| is) (?:holding|stopping|keeping) (?:it|you|us|me)(?: up)?<now>
what (?:else |more |information |still )*(?:do|would|does|will) <you> (?:still |else |also )*(?:need|lack|miss|require|have to know)<tail>
what would (?:help|you need|it take)<now>
what (?:went|is|goes) wrong<now>
where are (?:you|we) stuck
""".replace("<tail>", r"(?: (?:from me|to know|to continue|to go on|to finish|to have))*<now>"),
    QuestionKind.CHAIN: """
why (?:was|were|is|did|has|have) <x> <decided>
why (?:was|were|am|have) (?:i|we) (?:been )?<decided>(?: for)?(?: <x>)?
why (?:was|were|am|have) (?:i|we) (?:not )?(?:given|granted|offered|allowed) <x>
why (?:wasn't|isn't|weren't|hasn't) <x> <decided>
why <x> (?:was|were|is|got|has been|had been|wasn't|isn't) <decided>
why (?:am|are|were|was) (?:i|we) not (?:getting|being given|given|allowed|eligible for|offered|granted|entitled to) <x>
why (?:i|we) (?:was|were|am|have been|didn't get|did not get|don't get) (?:<decided>)?(?: for)?(?: <x>)?
why (?:did|have|has|would|do) <you> <decide> <x>
why (?:didn't|did not|don't|do not|won't|wouldn't) (?:i|we) (?:get|qualify for|receive|have|obtain) <x>
why (?:won't|wouldn't|didn't|don't|did not|do not) <you> (?:give|grant|offer|lend|let|approve)(?:<me>) (?:have |get )?<x>
(?:why|how come)(?: did (?:i|you) (?:get|come to|reach|make))? (?:is |was )?<my> <decision><of>
(?:why|how come) <my> <words> <decision>
(?:explain|justify|what(?:'s| is| was)|give me|show me|tell me)(?: to me)?(?: about)? (?:the |an? )?(?:full |whole |detailed )?(?:reasons?|explanation|grounds|basis|justification) (?:of|for|behind) <my> <decision><of>
(?:explain|justify)(?: to me)? (?:that|this|the|my|your) <decision><of>
(?:explain|justify)(?: to me)?(?: the| my)? <x> <decision>
(?:the )?reasons? for <my> <decision><of>
how (?:did|do|have|does) <you> (?:decide|decided|judge|judged)(?: (?:on|about|over))?(?: <x>)?
how (?:did|do|have|does) <you> (?:reach|reached|make|made|come to|came to|arrive at|take) <my> <decision><of>
how <my> (?:<words> )?<decision> (?:was|is|has been) (?:made|reached|taken|decided|arrived at)
how (?:was|is|were) <my> <decision><of> (?:made|reached|taken|decided|arrived at)
how (?:was|is|were) (?:the |my )?<words> <decision> (?:made|reached|taken|decided|arrived at)
how (?:was|were|is) <x> decided(?: (?:on|upon))?
(?:what|which (?:facts?|inputs?|things?)) (?:led to|caused|influenced|affected|decided|determined|drove) <my> <decision><of>
(?:what|which (?:facts?|inputs?|things?)) (?:led to|caused|influenced|affected|decided|determined|drove) <x>(?: <decided>)?
what made <you> <decide> <x>
on what (?:grounds|basis) (?:was|were|did <you>) (?:<decide> )?<x>(?: <decided>)?
? explain <x>
? why (?:is|was|are) <x> (?:so |that |this )(?:low|high|bad|good|poor|small|big|little|much)
""",
    QuestionKind.HOW: """
how (?:did|do|have|had|could|on earth did) <you> (?:even |actually )?<get>(?: (?:of|about))? <x>
how (?:did|have|could) <you> (?:even |actually |just )?(?:do|done|manage|managed|achieve|achieved|accomplish|accomplished)(?: to do)? <that>
how come <you> <know> <x>
how <you> <get>(?: of| about)? <x>
where <you> <get> <x>(?: from)?
where <x> (?:comes|came|is|was|stems) from
how come <you> <get> <x>
(?:from )?where (?:did|do|have|had) <you> (?:<get>|have|take|took) <x>(?: from)?
where (?:does|did|do) <x> (?:come|stem|originate|derive)(?: from)?
where(?:'s| is| was| are| were) <x> (?:coming |taken |stemming )?from
who (?:told|gave|sent|supplied|provided) <you>(?: with)? <x>
how (?:was|were|is|are|has|have) <x> <get>
how (?:was|were|is|are|has|have) <x> been <get>
(?:what(?:'s| is| was)|show me|tell me) (?:the |your )?(?:source|origin|provenance)s? (?:of|for) <x>
(?:which skill|who|what) (?:produced|established|found|made|calculated|computed) <x>
? how about <x>
""",
    QuestionKind.WHY: """
(?:why|for what reason|for what|how come) (?:did|do|does|would|are|must|should|have|had) <you> <must><need>(?: (?:for|about|to (?:know|have|see|use|get)))?(?: <x>)?
(?:why|for what reason|for what|how come) (?:did|do|does|would|must|should|have|had) <you> <must><give>(?: <x>)?
(?:why|for what reason|how come) (?:are|were) <you> (?:asking(?:<me>)(?: for| about)?|collecting|using|requesting|needing|interested in|so interested in)(?: <x>)?
(?:why|for what reason|how come) (?:did|do|does|must|should|have|had|shall|would) (?:i|we) <must>(?:<give>|<need>)(?: <x>)?
what (?:did|do|does|will|would) <you> (?:need|needed|want|use|used|require|collect|ask|take)(?: from me)? (?:for )?<x> for
what (?:are|were) <you> (?:using|going to use|asking|collecting|needing) (?:for )?<x> for
what (?:do|did|will|would|are|were) <you> (?:do|doing|going to do|want to do|planning to do) with <x>
what (?:happens|happened|will happen) (?:with|to) <x>
what(?:'s| is| was| are| were) <x> (?:used |needed |required |good |necessary |there )?for
(?:why|for what reason) <you> <must><need>(?: (?:for|about))? <x>
what <you> (?:need|needed|want|use|used|require) <x> for
what <x> (?:is|was|are|were) (?:used |needed )?for
why <you> (?:care|bother|worry)(?:d|ed)? about <x>
(?:why|what for) (?:do|did|would|should) <you> (?:care|bother|worry) about <x>
what(?:'s| is| was) the (?:purpose|point|use|need) (?:of|for) <x>
(?:why|for what reason|how come) (?:is|was|are|were|has|did) <x> (?:to be |been |being )?(?:needed|necessary|required|used|asked|important|relevant|wanted|requested|collected|matter)(?: for| to you)?
why (?:is|was) <that> (?:needed|necessary|required|important|relevant)? ?(?:to (?:have|know|get|ask(?: for)?|use) <x>)?
(?:is|was|are) <that> (?:really |actually |absolutely )?(?:needed|necessary|required)
what role (?:did|does) <x> play
what (?:did|does|do|has) <x> (?:got )?(?:have )?to do with .{1,60}
why
why (?:that|this|so|not|though|is that|exactly)
what for|for what|how so|how come|what's the reason|what is the reason
? why <x>
""",
    QuestionKind.WHAT: """
what (?:have|did|had|has) (?:you|been|we|the assistant) (?:actually |really |all |already |just )*(?:do|done|achieved?|<get>|gather|gathered)(?: (?:about|on|of|for|with) (?:me|us|my [a-z ]+|that|it))?<now>
(?:what|which) (?:information|data|facts|details|things|steps) (?:have|did|do|has|was|were) ?(?:you|been|we)? ?(?:have |been )?(?:<get>|gather|gathered|take|taken|store|stored|have)?(?: (?:about|on|of) me)?<now>
what (?:do|did) you (?:already )?know<now>
what do you have<now>
what (?:was|has been|is) (?:done|gathered|collected|learned|found|going on|happening)<now>
what(?:'s| has)?(?: just)? ?happen(?:ed|ing)<now>
(?:(?:can|could|would|will) you )?(?:please )?<please>(?:a |the |your |one |some )?(?:short |quick |brief |full |complete )?(?:summary|recap|run-?down|status|progress(?: report)?)(?: (?:of [\\w ]{1,40}|so far|please|pls))*
<please>(?:an? |the )?overview of what (?:you|has|was|happened|we)[\\w ]*
(?:(?:can|could|would|will) you )?(?:please )?(?:summari[sz]e|recap|recapitulate)(?: (?:it|this|that|everything|things|all|please|so far|for me|what (?:you|has|happened|was|we|i)[\\w ]*))*
(?:(?:can|could|would|will) you )?(?:please )?sum (?:it |this |that |everything |things )?up(?: (?:please|so far|for me|what (?:you|has|happened|was|we|i)[\\w ]*))*
(?:tell|show|remind)?(?: ?me)? ?what (?:you|we)(?:'ve| have)? (?:did|done|know|have|<get>|gathered)(?: about me)?<now>
where (?:are|do|were|did) we(?: (?:stand|now|at|stop|leave off|leave it|get to|got to))?<now>
(?:how far|how much further) (?:are|have|did) (?:we|you)(?: (?:got|gotten|come|get))?<now>
how (?:much|long) (?:longer|more)(?: (?:will|does|is) (?:it|this) (?:take|going to take))?
""".replace(
        "<please>",
        r"(?:(?:give|show|get|make|write|i want|i'd like|i need|may i have|can i (?:have|get|see)|let me see)\s+(?:me\s+)?)?",
    ),
}

LEAD_IN = (
    r"(?:(?:and|but|so|ok|okay|well|please|wait|hold on|sorry|hi|hello|hey|also|then|no|yes|hmm|tell me|explain|just"
    r"|(?:can|could|would) you (?:please )?(?:tell me|show me|explain to me|explain|give me)?|i wonder"
    r"|i (?:want|would like|need) to know|i'd like to know|may i ask|can i ask|remind me)[\s,:]+)*"
)
"""What may stand before a question without changing it."""

ENDING = r"(?:\s+(?:please|then|actually|exactly|again|by the way|anyway|though|now))*\s*(?:[?!.,;].*)?\Z"


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A way to ask. `sure`: it asks about the past even when what it names is not in the catalog."""

    kind: QuestionKind
    pattern: re.Pattern[str]
    sure: bool


def compile_form(line: str) -> re.Pattern[str]:
    """Compile one form for a whole clause."""
    for _ in range(2):  # shorthands may hold others
        for shorthand, meant in _SHORTHANDS.items():
            line = line.replace(shorthand, meant)
    for shorthand, meant in _ASKED.items():
        line = line.replace(shorthand, meant)
    return re.compile(rf"\A\W*{LEAD_IN}(?:{line}){ENDING}", re.DOTALL)


def _compiled() -> Iterator[QuestionForm]:
    for kind, lines in _FORMS.items():
        for line in lines.strip().splitlines():
            yield QuestionForm(kind, compile_form(line.removeprefix("? ")), sure=not line.startswith("? "))


FORMS = tuple(_compiled())
"""All forms, in the order in which they are tried."""


_TO_YOU = re.compile(r"\byou\b")
_ABOUT_FACTS = frozenset({QuestionKind.WHY, QuestionKind.HOW})


def _asks_for_new_result(
    catalog: Catalog, requests: RequestReader, asked: ExplanationRequest, words: str, context: Context
) -> bool:
    """Return whether a question about the past is a request for its answer, to be found only now.

    It is, where a goal is surely asked for that finds what the question is about, and nothing of the kind is known (but
    "how did you get my report?" is about the assistant); or where the words hold a value that the goal is to be told,
    since nobody says that of what was found before.
    """
    if _TO_YOU.search(words) is None and requests.by_example(words) is not None:
        return True
    if asked.kind not in _ABOUT_FACTS or asked.full or (asked.fact is None and not asked.named):
        return False
    best = requests.rank(words)[0]
    if best.confidence < SURE or best.goal not in catalog.goals:
        return False
    if _holds_an_argument(catalog, best.goal, words, context.today):
        return asked.fact is None or asked.fact in results_of(catalog, best.goal)
    is_found = asked.fact in results_of(catalog, best.goal) and asked.fact not in context.known
    return is_found and _TO_YOU.search(words) is None


def _holds_an_argument(catalog: Catalog, goal: str, words: str, today: date) -> bool:
    """Return whether the words hold a value of one of a goal's arguments."""
    return any(find_mentions(catalog.facts[fact].value, words, today) for fact in arguments_of(catalog, goal))


_FULL = re.compile(
    r"\b(?:in full|full(?: and)? (?:chain|explanation|story|answer|reason|picture|detail)"
    r"|(?:whole|entire|complete) (?:chain|story|explanation|thing|way|answer)"
    r"|in (?:full )?detail|step by step|completely"
    r"|all the way(?: (?:back|down|through|to the end))?|from (?:start|beginning) to (?:end|finish))\b"
)
_ONLY_FULL = compile_form(
    r"(?:(?:show|give|tell)<me> |and |what(?:'s| is) |i (?:want|need) )*(?:the |in )?(?:(?:full|whole|entire|complete) "
    r"(?:causal )?(?:chain|story|explanation|reason)|all the way|in full|full)"
    r"(?: (?:for|of|behind|from|about|to|with) <x>)?"
)
_EMPHASIS = re.compile(r"\b(?:on earth|in the world|the hell|the heck|exactly|actually|really)\b")
_LONGEST = 300
_DOUBT, _MORE_DOUBT, _NEAR, _LIKE, _SAME = 0.5, 0.9, 0.42, 0.7, 0.75
"""From which probability it is no question about the conversation, and from which where it is like one; how near it must
be to one, from where on it is like one, and how near to an example of a goal it must be to ask for that."""
_OF_US = re.compile(
    r"\b(?:did|have|had) (?:i|you) (?:just |actually |already )?(?:say|said|tell|told|give|given|put|use|used|take|taken"
    r"|ask|asked|write|note|noted|pick|book|send|sent|choose)\b|\b(?:you|i) (?:said|told|took|used|asked|noted|gave)\b"
)
"""What was said or done in this conversation is spoken of."""
_OF_OWN_WORDS = frozenset(
    {QuestionKind.VALUE, QuestionKind.WEIGHT, QuestionKind.WHO_SAW, QuestionKind.CANNOT_YET, QuestionKind.WHY_NOT}
)
_SURELY = 0.6
_HAVE_FORMS = frozenset({QuestionKind.WHAT, QuestionKind.HOW, QuestionKind.WHY})
"""Kinds that are read by forms in the first place."""
_BECAUSE = frozenset({QuestionKind.WHY, QuestionKind.WHY_NOT})
_DECIDED = re.compile(r"\b(?:declin|refus|reject|turned down|den(?:y|ied)|approv|granted)")
_OF_FACTS = frozenset({QuestionKind.VALUE, QuestionKind.WHO_SAW, QuestionKind.WEIGHT, QuestionKind.SOURCE})
_QUESTION = re.compile(
    rf"\W*{LEAD_IN}(?:what|why|how|when|where|who|whom|whose|which|did|do|does|have|has|had|is|are|was|were|will|would"
    r"|could you not|can't you|couldn't you|walk me|take me|trace|explain|remind|tell me|show me (?:every|the whole|how))\b"
)
_POINTING = re.compile(
    r"\A(?:(?:(?:these|those|the|all|your) )*(?:numbers|figures|data|values|results)|it|that|this|them|these|those|so|all (?:this|that)|to know|know|such a thing|either)?\Z"
)


def is_question(folded: str) -> bool:
    """Return whether a clause opens as a question does."""
    return _QUESTION.match(folded) is not None


def _has_begun(context: Context) -> bool:
    """Return whether there is anything yet that a question could be about."""
    return bool(context.goals or context.ended or context.known)


def _goes_before(meant: ExplanationRequest, read: ExplanationRequest) -> bool:
    """Return whether what a question surely means goes before the form that it has."""
    if meant.kind in {QuestionKind.SOURCE, QuestionKind.PLAN}:
        return read.fact is None and read.kind not in {QuestionKind.WHAT, QuestionKind.MISSING}
    if meant.kind in {QuestionKind.WHY_NOT, QuestionKind.CANNOT_YET}:
        return read.kind is QuestionKind.WHY and (meant.fact or meant.skill) is not None
    return read.kind is not QuestionKind.MISSING


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a question means; if that is `sure`, no form is tried."""

    asked: ExplanationRequest
    sure: bool


class QuestionReader:
    """Reads questions about the past, for one catalog."""

    def __init__(self, catalog: Catalog, names: FactNames) -> None:
        self._catalog, self._names = catalog, names
        skills = catalog.skills.values()
        decided = {fact for skill in skills if skill.explain for fact in skill.gives}
        wanted = {fact for goal in catalog.goals for fact in results_of(catalog, goal)}
        self._decisions = frozenset(decided or wanted)
        self._subjects = SubjectFinder(catalog, names)

    def read(self, reading: Reading, requests: RequestReader) -> Reading:
        """Read the first question about the past that is asked in an utterance."""
        meant = self._by_meaning(reading, requests)
        whole = self._read_clause(reading.folded, reading.context)
        found = {}
        if whole is None or len(reading.open) != 1:
            for clause in reading.open:
                before, words = reading.folded[: clause.start], clause.of(reading.folded)
                asked = self._read_clause(words, reading.context, before, reading.folded)
                if asked and not _asks_for_new_result(self._catalog, requests, asked, words, reading.context):
                    found[clause] = asked
        read = [*found.values()] or ([whole] if whole is not None and len(reading.open) == 1 else [])
        if meant is not None and (not read or (meant.sure and _goes_before(meant.asked, read[0]))):
            return replace(reading.using(reading.clauses), question=meant.asked)
        if whole is not None and len(reading.open) == 1:
            if _asks_for_new_result(self._catalog, requests, whole, reading.folded, reading.context):
                return reading
            return replace(reading.using(reading.clauses), question=whole)
        return replace(reading.using(found), question=next(iter(found.values()), None))

    def _by_meaning(self, reading: Reading, requests: RequestReader) -> _Meant | None:
        """Read an utterance as a question by what it means, unless it surely asks for a goal."""
        context, folded = reading.context, reading.folded
        clauses = [clause for clause in reading.open if is_question(clause.of(folded))]
        marked = "?" in reading.text and len(reading.open) == len(reading.clauses)
        if len(folded) > _LONGEST or not (clauses or marked) or not _has_begun(context):
            return None
        said = folded if marked or len(clauses) == len(reading.open) else clauses[-1].of(folded)
        subjects = self._subjects.find(said, context)
        judged = judge(mask_subjects(said, subjects))
        if judged.near < _NEAR or judged.none >= (_DOUBT if judged.near < _LIKE else _MORE_DOUBT):
            return None
        asked = requests.judge(said)
        goal_is_sure = asked.best is not None and asked.best.confidence >= SURE
        if goal_is_sure and asked.near > max(judged.near, _SAME) and not _OF_US.search(said):
            return None
        if not subjects and judged.kind in _OF_OWN_WORDS:
            subjects = self._subjects.guess(said, context)
        kind = QuestionKind.CHAIN if judged.kind in _BECAUSE and _DECIDED.search(said) else judged.kind
        asked_for = self._about(kind, subjects, context, full=_FULL.search(said) is not None)
        return _Meant(asked_for, sure=judged.kind not in _HAVE_FORMS and judged.confidence >= _SURELY)

    def _about(
        self, kind: QuestionKind, subjects: Sequence[Subject], context: Context, *, full: bool
    ) -> ExplanationRequest:
        """Put the kind and what is named together; where nothing is, it is the last result, or what was just asked."""
        of = {sort: next((s.name for s in subjects if s.sort == sort), None) for sort in ("fact", "skill", "goal")}
        first = subjects[0].sort if subjects else None
        if kind is QuestionKind.CHAIN:  # "from my name to the fees" is about the fees
            last = max(subjects, key=lambda one: max(one.places), default=None)
            first = last.sort if last else None
            of |= {last.sort: last.name} if last else {}
        if kind in _OF_FACTS and of["fact"] is not None:
            first = "fact"
        if first == "fact":
            return ExplanationRequest(kind=kind, fact=of["fact"], goal=of["goal"], full=full)
        if first == "skill" and of["skill"] is not None:
            return self._about_skill(kind, of["skill"], full=full)
        if first == "goal" and of["goal"] is not None:
            results = results_of(self._catalog, of["goal"])
            asked = kind is not QuestionKind.PLAN and bool(results)
            fact = results[0] if asked else None
            return ExplanationRequest(kind=kind, fact=fact, goal=of["goal"], full=full)
        if kind is QuestionKind.CHAIN and (decision := self._decision("", context)) is not None:
            return ExplanationRequest(kind=kind, fact=decision, full=full)
        if kind in {QuestionKind.WHY, QuestionKind.HOW, QuestionKind.CHAIN}:
            return self._unnamed(kind, context, "", full=full)
        return ExplanationRequest(kind=kind, full=full)

    def _about_skill(self, kind: QuestionKind, skill: str, *, full: bool) -> ExplanationRequest:
        """Ask about what a skill gives, where a kind of question is about facts only."""
        if kind is QuestionKind.WHY:
            gives = self._catalog.skills[skill].gives
            return ExplanationRequest(kind=kind, fact=gives[0] if gives else None, skill=skill, full=full)
        return ExplanationRequest(kind=kind, skill=skill, full=full)

    def _read_clause(
        self, folded: str, context: Context, before: str = "", whole: str = ""
    ) -> ExplanationRequest | None:
        """Read a clause as a question.

        `before` is what was said before it, where "it" may have been named; `whole` the utterance it stands in.
        """
        clause = " ".join(_EMPHASIS.sub(" ", folded).split())
        if len(clause) > 300:
            return None
        full = _FULL.search(whole or clause) is not None
        for tried in dict.fromkeys((clause, " ".join(_FULL.sub(" ", clause).split()))):
            for form in FORMS:
                match = form.pattern.match(tried)
                if match and (asked := self._asked(form, _group(match), context, before, full=full)):
                    return asked
        only = _ONLY_FULL.match(clause)
        if only and _group(only):
            fact = self._fact(_group(only), context)
            return ExplanationRequest(kind=QuestionKind.WHY, fact=fact, full=True) if fact else None
        return None

    def _asked(
        self, form: QuestionForm, said: str, context: Context, around: str, *, full: bool
    ) -> ExplanationRequest | None:
        if form.kind in {QuestionKind.WHAT, QuestionKind.MISSING}:
            return ExplanationRequest(kind=form.kind, full=full)
        if form.kind is QuestionKind.CHAIN:
            fact = self._decision(said, context)
            # What was decided must be something that the assistant decides: "why was Rome sacked?" asks another.
            named = bool(said) and not _POINTING.match(said) and fact is None
            if named and not form.sure and (other := self._fact(said, context)) in context.known:
                return ExplanationRequest(kind=QuestionKind.HOW, fact=other, full=full)  # "why is my score so low?"
            return None if named else ExplanationRequest(kind=form.kind, fact=fact, full=full)
        if _POINTING.match(said):
            return self._unnamed(form.kind, context, around, full=full)
        fact = self._fact(said, context)
        return self._named(form, said, fact, context, full=full) if fact or form.sure else None

    def _named(
        self, form: QuestionForm, said: str, fact: str | None, context: Context, *, full: bool
    ) -> ExplanationRequest:
        """Ask about what was named, in the words of the catalog or in others."""
        if fact is None and form.kind is QuestionKind.WHY and not self._subjects.find(said, context):
            fact = next((one.name for one in self._subjects.guess(said, context)), None)
        if fact is None and (subjects := self._subjects.find(said, context)):
            return self._about(form.kind, subjects, context, full=full)
        return ExplanationRequest(kind=form.kind, fact=fact, full=full, named="" if fact else said)

    def _unnamed(self, kind: QuestionKind, context: Context, around: str, *, full: bool) -> ExplanationRequest:
        """Resolve "that": what the rest of the utterance names, else what was just asked for or decided."""
        named = self._named_in(around, context)
        if named is not None:
            return ExplanationRequest(kind=kind, fact=named, full=full)
        pending = self._pending(context)
        if pending is not None and kind is QuestionKind.WHY:
            return ExplanationRequest(kind=kind, fact=pending, full=full)
        decision = self._decision("", context)
        if decision is not None and kind is QuestionKind.WHY:
            return ExplanationRequest(kind=QuestionKind.CHAIN, fact=decision, full=full)
        last = self._catalog.goals.get(context.ended[0]) if context.ended and not context.goals else None
        if kind is QuestionKind.WHY and last is not None and not set(last.facts) <= set(context.known):
            return ExplanationRequest(kind=QuestionKind.MISSING, full=full)  # it came to nothing: "why?"
        return ExplanationRequest(kind=kind, full=full)

    def _named_in(self, around: str, context: Context) -> str | None:
        """Find the one fact that stands under its name ("my …") elsewhere in the utterance."""
        found = {
            self._fact(m["x"], context)
            for m in re.finditer(r"\b(?:my|the)\s+(?P<x>[\w' -]{2,60}?)(?=[,.;:?!]|$)", around)
        }
        facts = {fact for fact in found if fact}
        return facts.pop() if len(facts) == 1 else None

    def _pending(self, context: Context) -> str | None:
        """Find the fact that the pending question is about; of a consent, its first sensitive fact."""
        pending = context.pending
        if pending is None or pending.kind not in {"fact", "authorize"}:
            return None
        if pending.subject in self._catalog.facts:
            return pending.subject
        skill = self._catalog.skills.get(pending.subject)
        if pending.kind == "fact" or skill is None:
            return None
        return next((f for mode in skill.modes for f in self._catalog.sensitive_inputs(skill.name, mode)), None)

    def _fact(self, said: str, context: Context) -> str | None:
        return self._names.resolve(said, prefer=self._preferences(context))

    def _decision(self, said: str, context: Context) -> str | None:
        """Find the decided fact that is meant: named by itself or by its goal, else the only one that is known."""
        if said and not _POINTING.match(said):
            by_name = self._names.resolve(said, among=self._decisions, prefer=self._preferences(context))
            return by_name or (None if self._fact(said, context) else self._by_goal(said))
        known = [fact for fact in context.known if fact in self._decisions]
        return known[0] if len(known) == 1 else None

    def _by_goal(self, said: str) -> str | None:
        words = set(re.findall(r"\w{4,}", said))
        fits = {
            fact
            for goal in self._catalog.goals.values()
            if words & set(re.findall(r"\w{4,}", goal.label.lower()))
            for fact in results_of(self._catalog, goal.name)
            if fact in self._decisions
        }
        return fits.pop() if len(fits) == 1 else None

    def _preferences(self, context: Context) -> Iterable[frozenset[str]]:
        pending = self._pending(context)
        if pending:
            yield frozenset({pending})
        yield frozenset(context.known)
        goal = self._catalog.goals.get(context.goals[0]) if context.goals else None
        if goal:
            yield frozenset(results_of(self._catalog, goal.name))


def _group(match: re.Match[str]) -> str:
    return (match.groupdict().get("about") or "").strip()
