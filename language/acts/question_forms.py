# ruff: noqa: E501 - one form a line, however long, so that forms can be compared
"""Forms by which a question is told from other clauses, whatever it asks."""

from __future__ import annotations

from language.text.lazy_pattern import LazyPattern

LEAD_IN = (
    r"(?:(?:and|but|so|ok|okay|oh|ah|um|uh|right|well|please|wait|hang on|hold on|sorry|hi|hello|hey|also|then|no|yes|yeah|hmm?|huh"
    r"|cool|fine|thanks|now|btw|by the way|actually|just curious|curious|out of curiosity|(?:one|quick|a) (?:more )?question"
    r"|tell me|explain|just|sorry but|(?:can|could|would|will) (?:you|i) (?:please |just |maybe )?(?:tell me|show me|explain to me|explain"
    r"|give me|let me know|say|ask)|i (?:just |really )?(?:wonder|was wondering|(?:want|would like|need) to (?:know|understand|see|ask)|(?:don't|do not|can't|cannot) (?:get|see|understand|know))"
    r"|i'd (?:just |really )?like to (?:know|understand|ask|see)|i'm (?:just )?(?:wondering|curious)|not sure|no idea|do you know|any idea|any clue"
    r"|may i ask|can i ask|remind me)[\s,:.-]+)*"
)
"""What may stand before a question without changing it."""


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
    r"\b(?:what|why|how|where|wherever|however|whence|who|whom|whose|which|reasons?|explain|steps?|trail|recap|summary|summari[sz]e|explanation|outcome|result of"
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
