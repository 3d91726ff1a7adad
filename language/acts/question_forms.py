# ruff: noqa: E501 - one form a line, however long, so that forms can be compared
"""Forms of questions about the past: regular expressions by kind of question, with shorthands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from explain.model import QuestionKind
from language.text.lazy_pattern import LazyPattern

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
    QuestionKind.OTHERWISE: """
(?:what|how) else (?:can|could|would|might) <you> (?:do|have done|try|have tried)(?: <that>)?(?: instead)?
(?:what|how|who|which) else (?:can|could|might) <you> [^?!.]{1,60}
(?:is|are|was|were) there (?:any |an)?other (?:ways?|options?)(?: [^?!.]{1,60})?
(?:is|are|was|were) there (?:any|some)thing (?:besides|other than|apart from|except|but) [^?!.]{1,60}
""",
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
    r"(?:(?:and|but|so|ok|okay|oh|ah|um|uh|right|well|please|wait|hang on|hold on|sorry|hi|hello|hey|also|then|no|yes|yeah|hmm?|huh"
    r"|cool|fine|thanks|now|btw|by the way|actually|just curious|curious|out of curiosity|(?:one|quick|a) (?:more )?question"
    r"|tell me|explain|just|sorry but|(?:can|could|would|will) (?:you|i) (?:please |just |maybe )?(?:tell me|show me|explain to me|explain"
    r"|give me|let me know|say|ask)|i (?:just |really )?(?:wonder|was wondering|(?:want|would like|need) to (?:know|understand|see|ask)|(?:don't|do not|can't|cannot) (?:get|see|understand|know))"
    r"|i'd (?:just |really )?like to (?:know|understand|ask|see)|i'm (?:just )?(?:wondering|curious)|not sure|no idea|do you know|any idea|any clue"
    r"|may i ask|can i ask|remind me)[\s,:.-]+)*"
)
"""What may stand before a question without changing it."""

ENDING = r"(?:\s+(?:please|then|actually|exactly|again|by the way|anyway|though|now))*\s*(?:[?!.,;].*)?\Z"


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A way to ask. `sure`: it asks about the past even when what it names is not in the catalog."""

    kind: QuestionKind
    pattern: LazyPattern
    sure: bool


def compile_form(line: str) -> LazyPattern:
    for _ in range(2):  # shorthands may hold others
        for shorthand, meant in _SHORTHANDS.items():
            line = line.replace(shorthand, meant)
    for shorthand, meant in _ASKED.items():
        line = line.replace(shorthand, meant)
    return LazyPattern(rf"\A\W*{LEAD_IN}(?:{line}){ENDING}", re.DOTALL)


def _compiled() -> Iterator[QuestionForm]:
    for kind, lines in _FORMS.items():
        for line in lines.strip().splitlines():
            yield QuestionForm(kind, compile_form(line.removeprefix("? ")), sure=not line.startswith("? "))


FORMS = tuple(_compiled())
"""All forms, in the order in which they are tried."""
_LINES = (line.removeprefix("? ") for lines in _FORMS.values() for line in lines.strip().splitlines())
ANY_FORM = LazyPattern(compile_form("|".join(_LINES)).pattern.replace("?P<about>", "?:"), re.DOTALL)
"""Matches what any form does."""


_QUESTION = LazyPattern(
    rf"\W*{LEAD_IN}(?:what|whats|why|how|hows|when|where|wheres|who|whos|whom|whose|which|did|do|does|have|has|had|is|isn't|are|was"
    r"|wasn't|were|will|would|could (?:you|i|it) (?:not|have)|can't you|couldn't (?:you|i|it|that)|shouldn't you|didn't you"
    r"|can you (?:say|explain)|walk me|take me|talk me|trace|explain|justify|remind|recap|sum up|according to|based on|from where"
    r"|on what|for what|by what|by whom|says who|any news|am i|so am i|eta|what's|who's|where's|how's|show me (?:every|the whole|how|all the steps))\b"
)
TELLS = LazyPattern(
    r"\W*(?:(?:my|our) [\w' -]{2,40} (?:is|are|was)|i (?:am|earn|live|work|have|was born)|i'm) (?!not\b)[^?]*\Z"
)
"""A statement that gives something to know."""
ASKS_SOMEWHERE = LazyPattern(
    r"\b(?:what|why|how|where|wherever|however|whence|who|whom|whose|which|reasons?|explain|steps?|trail|recap|summary|outcome|result of"
    r"|whether|wonder|curious|tell me|factors|source of|source for|status|all of it|start to (?:end|finish)|cause)\b"
)
"""Words of which a question holds one, wherever it stands."""
NOT_KNOWN = LazyPattern(
    """What says that something asked for is not known."""
    r"\W*(?:sorry\W+)?(?:i|we) (?:don't|do not|can't|cannot|have no) (?:know|have|remember|recall|idea what) (?!why|how|where)"
)
_ALONE = LazyPattern(
    r"\W*(?:(?:ok|okay|so|hm+|well|um|and)[\s,.]+)*(?:and|hm+,?|so) (?:my|the|your|our) [\w' -]{2,40}\W*\Z"
)
"""A thing that is named alone: "hm, and the score"."""
_TURNED = LazyPattern(
    r",\s*(?:and |so |then )?(?:did|was|is|does|has|have|were|are) (?:it|that|this|you|they|he|she|i|we)\b"
    r"|\A\W*(?:(?:and|so|ok|n) )*(?:then|next|after (?:that|this))(?: what)?\W*\Z"
    r"|\A\W*(?:(?:and|so|ok|n) )*(?:until|till|from|since|by|to|for|on|at|in|with|of) (?:what|which|when|where|whom|who|how)\b"
)
"""A question after what it is about, or one that begins with a preposition."""
DENIES = LazyPattern(r"n't\b|\b(?:not|cannot|never|still|no)\b")
"""A clause that denies something, and so gives nothing."""
_AFTERTHOUGHT = LazyPattern(
    r",?\s+(?:and )?(why|how come|how so|where(?:'d| did| do) you (?:get|have) (?:it|that)(?: from)?|who did)\W*\Z"
)
"""A question at the end of a statement: "you never asked the bureau, why"."""


def is_question(folded: str) -> bool:
    return any(form.match(folded) for form in (_QUESTION, _ALONE)) or any(
        form.search(folded) for form in (_TURNED, _AFTERTHOUGHT)
    )
