# ruff: noqa: E501 - each pattern stands on a line of its own
"""Verdicts on an answer: what the utterance after it says of it. One reading serves conversations and shells.

A rejection is a no, a stop, a complaint, a negated or bad verdict on the answer, or a correction of it. An approval is
a yes, thanks or praise. Whatever else is said next is no verdict: it teaches nothing about the answer.
"""

from __future__ import annotations

from language.acts.dialogue_acts import read_control, read_topic
from language.interpretation import DialogueAct, TalkTopic
from language.text.lazy_pattern import LazyPattern
from language.text.words import fold

_VERY = r"(?:(?:so|really|very|quite|totally|completely|just|simply|still|pretty|rather|a bit|at all|all|absolutely) )*"
_SUBJECT = r"(?:(?:that|this|it|you|these|those|(?:that|this|the|your) (?:last )?(?:answer|reply|suggestion|advice|result|one|idea|response|figure|number)s?))"
_IS = r"(?:'s|'re| is| are| was| were| seems?| looks?| sounds?)"
_BAD = (
    r"(?:an? |the )?(?:wrong|incorrect|false|untrue|useless|unhelpful|rubbish|nonsense|garbage|terrible|awful|bad|poor|pointless"
    r"|worthless|ridiculous|stupid|irrelevant|inaccurate|misleading|mistaken|off (?:topic|the mark)|beside the point"
    r"|unrelated|out of place|no (?:use|help|good)|of no (?:use|help)|a (?:mistake|mess|joke|waste of time)|an error)"
)
_GOOD = (
    r"(?:right|correct|true|helpful|useful|good|accurate|relevant|it|so|(?:any|much|a lot of|of any|of much) (?:good|help|use)"
    r"|the (?:answer|point|one)|an answer|(?:exactly |quite )?what (?:i|we)\b.*|how .*|fine|ok|okay|great)"
)
_APPROVES = LazyPattern(
    r"\b(?:that|this|it) (?:really |does |did )*(?:help(?:s|ed)?|work(?:s|ed)|did it|was it)\b"
    r"|\b(?:that|this|it)(?:'s| is| was) (?:exactly |just )?(?:what (?:i|we)\b|(?:very |really |so )?(?:helpful|useful))"
)
_LONGEST = 400
"""Characters that are read: a verdict stands at the beginning."""
_REJECTS = tuple(
    map(
        LazyPattern,
        (
            rf"\b{_SUBJECT}{_IS} {_VERY}{_BAD}\b",
            rf"\b{_SUBJECT}(?:'s not|'re not| (?:is|are|was|were)(?:n't| not)|{_IS} not) {_VERY}{_GOOD}(?=\W*\Z|[,.;!]| (?:at all|to me|here|for me|either))",
            rf"\A\W*(?:no\W+)?not {_VERY}{_GOOD}(?=\W*\Z|[,.;!]| (?:at all|to me|here|for me|either))",
            rf"\A\W*{_VERY}{_BAD}(?: (?:answer|reply|suggestion|advice|idea|one|response|again))?\W*\Z",
            r"\b(?:that|this|it|you) (?:does|do|did|has|have)(?:n't| not) (?:really |even )?(?:help|answer|make (?:any )?sense|understand|understood|get (?:it|me|that)|got (?:it|me)|listen)",
            r"\b(?:makes|made) no sense\b|\bwhat a (?:mess|joke|waste)\b|\bwaste of (?:my )?time\b",
            r"\b(?:i|we) (?:did|do|would)(?:n't| not) (?:really )?(?:ask(?:ed)? (?:you )?(?:for )?|want(?:ed)? |mean(?:t)? |need(?:ed)? |say |said |like )(?:that|this|it|you to)\b",
            r"\b(?:i|we) never (?:asked|wanted|meant|said)\b|\bthat(?:'s| is) not (?:me|mine|my)\b",
            r"\byou(?:'ve| have)? (?:got (?:it|that|me|this) (?:all )?wrong|misunderst(?:and|ood)|misheard|misread|made (?:a|an) (?:mistake|error)|(?:are|were) (?:wrong|mistaken))\b",
            r"\A\W*(?:(?:no|nope|nah|actually|sorry|wait|but|well)\W+)*(?:i|we) (?:meant|mean(?!s)|said|asked(?: you)? (?:for|about|to)|was asking|wanted)\b",
            r"\A\W*(?:no|nope|nah)\b(?!\s+(?:problem|problems|worries|worry|doubt|objections?|need|hurry|rush|matter|\.?\s*\d))(?!\W*\d)",
        ),
    )
)


def read_verdict(text: str) -> bool | None:
    """Return whether an utterance rejects (False) or approves (True) the answer before it; None says neither."""
    folded = fold(text[:_LONGEST])
    control, topic = read_control(folded), read_topic(folded)
    if topic is TalkTopic.COMPLAINT or control in (DialogueAct.NO, DialogueAct.STOP):
        return False
    if any(pattern.search(folded) for pattern in _REJECTS):
        return False
    talk = control is DialogueAct.CHITCHAT and topic in (TalkTopic.THANKS, TalkTopic.PRAISE, TalkTopic.ACKNOWLEDGEMENT)
    return True if talk or control is DialogueAct.YES or _APPROVES.search(folded) else None
