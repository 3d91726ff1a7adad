# ruff: noqa: E501 - one form a line, however long, so that forms can be compared
"""What is said about a task: “how is it going?”, “what is missing for the board pack?”, “run the branches task”.

Only plain forms are read; whether there is such a task is for the conversation to find out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from language.interpretation import TaskAct
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem

_LONGEST = 200
_IT = r"(?:it|that|this|(?:the |my |our )?tasks?)"
_ONE = rf"(?:{_IT}|(?:the |my |our )?(?:task )?[\"“']?([\w][\w '&-]{{1,60}}?)[\"”']?(?: task)?)"
_FOR = rf"(?: (?:for|of|with|on|in|about) {_ONE})?"
_WHAT = r"(?:the |my |our |your |this |that )?[\"“']?([\w][\w '&-]{0,60}?)[\"”']?(?: (?:in|of|for) (?:the |my |our )?(?:task|results?|[\w][\w '&-]{1,60}))?"
_NOW = r"(?: (?:now|right now|so far|yet|still|then|by now|at the moment|today))?"
_FORMS: tuple[tuple[TaskAct, str], ...] = (
    (TaskAct.RUN, r"(?:can you |could you |would you )?(?:run|start|begin|launch|do|carry out|execute|try) (?:the |your )?(?:demo |example )?[\"“']?([\w][\w '&-]{1,60}?)[\"”']? (?:demo )?task"),
    (TaskAct.RUN, r"(?:can you |could you |would you )?(?:run|start|begin|launch|carry out|execute|try) (?:the |your )?(?:demo |example )?task[:,]? [\"“']?([\w][\w '&-]{1,60}?)[\"”']?"),
    (TaskAct.LIST, r"(?:what|which) tasks (?:are there|do you have|can you (?:run|do|start)|are (?:open|running|waiting))|(?:show|list)(?: me)?(?: (?:the|my|all))* tasks"),
    (TaskAct.STATUS, rf"how(?:'s| is| are) {_ONE} (?:going|doing|coming(?: along| on)?|getting (?:on|along)|progressing){_NOW}"),
    (TaskAct.STATUS, rf"how far (?:are you|along are you|is {_ONE}|have you (?:got|gotten|come)|did you get){_NOW}{_FOR}"),
    (TaskAct.STATUS, rf"(?:what(?:'s| is) |tell me |show me )?(?:the |its )?(?:status|progress|state){_FOR}{_NOW}|any (?:progress|news){_FOR}{_NOW}"),
    (TaskAct.STATUS, rf"(?:is|are) {_ONE} (?:done|ready|finished|complete|completed|over|there|still running|running){_NOW}"),
    (TaskAct.STATUS, rf"(?:what(?:'s| is) (?:happening|going on)|where (?:are you|do (?:we|you) stand|is {_ONE})){_FOR}{_NOW}"),
    (TaskAct.MISSING, rf"what(?:'s| is| else is)(?: still)? (?:missing|lacking|needed|outstanding){_NOW}{_FOR}"),
    (TaskAct.MISSING, rf"what (?:else )?(?:do|does|did) (?:you|{_ONE}) (?:still |else )?(?:need|lack|want|wait for|miss){_NOW}{_FOR}"),
    (TaskAct.MISSING, rf"what (?:are you|is {_ONE}) (?:still )?(?:waiting for|missing|lacking){_NOW}"),
    (TaskAct.WHY, rf"why (?:did|has|does|have) {_ONE} (?:stop|stopped|fail|failed|wait|got stuck|get stuck|take so long)(?: stuck)?{_NOW}"),
    (TaskAct.WHY, rf"why (?:is|isn't|was|wasn't)(?: not)? {_ONE} (?:not )?(?:done|ready|finished|stuck|waiting|stopped|going on|paused){_NOW}"),
    (TaskAct.WHY, rf"why (?:did you|was {_ONE}) (?:stop|stopped)(?: {_ONE})?"),
    (TaskAct.SPLIT, rf"why (?:(?:was|is|were) {_ONE} split(?: up)?|did you split(?: up)? {_ONE})(?: (?:in|into|that way|like (?:this|that)|so).{{0,40}})?"),
    (TaskAct.HOW, rf"how (?:did|do|have) you (?:get|got|find|found|work(?:ed)? out|calculated?|computed?|c[ao]me (?:up with|to|by)|make|made|obtain(?:ed)?|arrived? at) {_WHAT}"),
    (TaskAct.HOW, rf"where (?:does|do|did) {_WHAT} come from|what (?:is|are|was) {_WHAT} (?:based on|made from|made of|calculated from)|how did {_WHAT} come about"),
    (TaskAct.WITHOUT, r"(?:just |then )*(?:go on|carry on|continue|proceed|do it|do|finish(?: it)?|make it|try(?: it)?) without(?: (?:it|that|this|them|one|the .{1,40}))?|(?:leave|skip) (?:it|that|this|them)(?: out)?"),
    (TaskAct.CANCEL, rf"(?:cancel|abort|abandon|drop|give up|kill|end|forget(?: about)?) {_ONE}|cancel|abort"),
    (TaskAct.PAUSE, rf"(?:stop|pause|suspend|halt|interrupt)(?: (?:with )?{_ONE})?"),
    (TaskAct.GO_ON, rf"(?:go on|carry on|continue|resume|proceed|keep going)(?: (?:with )?{_ONE})?"),
)  # fmt: skip
_READ = tuple((act, LazyPattern(form)) for act, form in _FORMS)
"""What is captured is what names the task: a form may have several places for that."""
_LEADING = LazyPattern(r"^(?:(?:please|so|and|ok|okay|well|now|then|but|hey|hm+|alright)[ ,]+)+")
_TRAILING = LazyPattern(r"(?:[ ,]+(?:please|then|again|thanks|thank you))*[ ?.!…]*$")
_EMPTY_WORDS = frozenset("the a an my our your task tasks of for to on in and with please".split())


def read_task_talk(text: str) -> tuple[TaskAct, str] | None:
    """Read what is said about a task, and the words that name it ("" for none). None: it is something else."""
    said = " ".join(text[: _LONGEST + 1].lower().replace("’", "'").split())
    said = _TRAILING.sub("", _LEADING.sub("", said))
    if not said or len(said) > _LONGEST:
        return None
    for act, form in _READ:
        if (found := form.fullmatch(said)) is not None:
            return act, next(filter(None, found.groups()), "").strip()
    return None


def find_named(name: str, labels: Iterable[str]) -> int | None:
    """Return the place of the one label that holds all words of a name; None where none or several do."""
    wanted = _words(name)
    if not wanted:
        return None
    holding = [place for place, label in enumerate(labels) if wanted <= _words(label)]
    return holding[0] if len(holding) == 1 else None


def find_labels_in(text: str, labels: Mapping[str, str]) -> list[str]:
    """List what a text names by its whole label; where one label holds another, the longer one counts."""
    said = _words(text)
    found = {name: words for name, label in labels.items() if (words := _words(label)) and words <= said}
    return [name for name, words in found.items() if not any(words < other for other in found.values())]


def names_something_of(name: str, label: str) -> bool:
    """Return whether the name of a file shares a word with a label: "budget_2025.xlsx" does with "the budget"."""
    return not _words(name).isdisjoint(_words(label))


def _words(text: str) -> set[str]:
    words = "".join(sign if sign.isalnum() else " " for sign in text.lower()).split()
    return {stem(word) for word in words if word not in _EMPTY_WORDS}
