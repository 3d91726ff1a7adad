# ruff: noqa: E501 - forms are kept together by what they say
"""Speech acts: what each stretch of an utterance does, told by its form before any of its words is taken for a value.

A clause asks, supposes, puts right, forbids or allows that something is passed on; else it tells or requests. What is
refused is found with what does not stand (`language.entities.segments`). The forms are those of English grammar
(inverted auxiliaries, interrogatives, conditionals, negated verbs of giving; Huddleston and Pullum, The Cambridge
Grammar of the English Language, 2002, ch. 10), not words of a catalog; which goals, skills and facts are spoken of is
told by their labels.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalog.model import Catalog
from language.acts.clarifications_and_corrections import is_correcting
from language.acts.dialogue_acts import read_control
from language.interpretation import ActSpan, DialogueAct, SpeechAct
from language.text.lazy_pattern import LazyPattern
from language.text.morphology import stem
from language.text.words import FUNCTION_WORDS, clauses_in, fold, span_of, words_in

_OPENING = (
    r"\W*(?:(?:and|but|so|or|well|ok|okay|hm+|oh|ah|um+|uh+|yes|yeah|yep|no|nope|sure|wait|hold on|sorry|actually|just|also"
    r"|then|hang on|by the way|btw|out of (?:curiosity|interest)|curious|(?:just )?(?:asking|wondering)|one question|quick question|question|tell me|hey|hi|hello|please|first)"
    r"[\s,:.]+)*"
)
_AUXILIARY = r"(?:is|are|am|was|were|does|did|would|could|should|has|had|might|must|ain't|isn't|aren't|wasn't|weren't"
_ASKS = LazyPattern(
    _OPENING + r"(?:"
    r"(?:what|why|how|when|where|who|which|whose|whom)(?:'s|'re|'ll|'d)?\b(?!\s+not\b)"
    rf"|{_AUXILIARY}|doesn't|didn't|wouldn't|couldn't|shouldn't|hasn't|hadn't)\s+(?!like\b|be\b)\w"
    r"|(?:do|have)\s+(?:i|you|we|they|people|your|the|those)\b"
    r"|(?:will|can|may|shall|can't|won't|don't|haven't)\s+"
    r"(?:i|you|we|it|that|this|they|there|he|she|the|my|your|a|an|those|these|someone|anyone|people)\b"
    r"|(?:i(?:'m| am)? (?:just )?(?:wonder(?:ing)?|curious|asking)|i was (?:just )?(?:wondering|asking|curious)"
    r"|any (?:chance|idea|way)|do you know|i(?:'d| would) like to know|i want to know|i need to know|let me know"
    r"|(?:can|could) you (?:tell|say|explain)|i don't (?:get|understand|see) (?:why|how|what)"
    r"|(?:i'm |i am )?not sure (?:if|whether|why|how|what))\b"
    r")"
)
_DEMANDS = LazyPattern(
    _OPENING + r"(?:"
    r"(?:can|could|will|would) (?:you|u)(?: (?:please|just|kindly|maybe|possibly|then|also|rather))*+"
    r"\s+(?!do\b(?!.*\b(?:instead|rather|please|that for me|it for me)\b)|tell\b|say\b|explain\b|see\b|know\b|be\b|have\b|need\b|think\b|recommend\b|suggest\b|consider\b|mind\b)[a-z]"
    r"|would you mind\b|may i ask (?:you )?(?:to|for)\b"
    r"|(?:can|could|may|might) (?:i|we)(?: \w+)? (?:get|have|change|make|switch|correct|update|set|move|take|book|order"
    r"|request|ask for|apply|see|cancel|pay|send|use)\b"
    r"|(?:is it|would it be|could it be|is there any way|any chance|is there a way) (?:at all )?(?:possible |ok(?:ay)? |all ?right |that |of |for (?:you|me|us) )*"
    r"(?:to|if (?:i|we|you) (?:could|can|might|would)|(?:you|i|we) (?:could|can))\s+(?:please )?(?!know\b|see\b|tell\b|ask\b)[a-z]"
    r"|i(?:'m| am| was)? ?(?:just )?wonder(?:ing|ed)? (?:if|whether) (?:i|we|you)(?:'d| could| can| might| may| would)(?: please| kindly)?\s+(?!know\b|see\b|tell\b|be\b|have to\b|need\b|recommend\b|suggest\b)[a-z]"
    r"|(?:can't|couldn't|won't|why don't) (?:you|we) (?:just )?(?:change|make|switch|correct|update|set|move|put|take|use)\b"
    r")"
)
"""A request in the form of a question."""
_FIRM = LazyPattern(
    r"\b(?:please|pls|instead|rather|(?:change|make|switch|correct|update|set|move|put) (?:it|that|this|the|my))\b"
)
"""What makes a request of "can I …?" while something is open: it says that something is to be another one."""
_OFFERS = LazyPattern(
    _OPENING
    + r"(?:(?:can|could|may|might) (?:i|we)\b|(?:is|would|could) (?:it|there)\b|any chance|i(?:'m| am| was)? ?(?:just )?wonder)"
)
_SUPPOSES = LazyPattern(
    r"\b(?:what|how about|and|but|even|so) if\b|\bsuppos(?:e|ing)\b|\bassum(?:e|ing)\b|\bimagin(?:e|ing)\b"
    r"|\bhypothetical(?:ly)?\b|\btheoretical(?:ly)?\b|\bin theory\b|\b(?:let's|let us) (?:say|assume|imagine|suppose|pretend)\b"
    r"|(?:\A\W*|\b(?:and|but|or|let's) )say (?:i|we|it)\b(?=.*[,?])|\bwhat (?:would|will|might|could) (?:happen|change|it|i|be|the)\b|\bprovided that\b"
    r"|\b(?:had|were|should) (?:i|we|it) (?:to |not |been |asked|said|taken|chosen|told|given|wanted)"
    r"|\b(?:in case|unless|whether)\b|\bwould (?:i|we|it|that|they|he|she|my|the|this)\b(?! like\b)"
    r"|(?<!check )(?<!see )(?<!know )(?<!out )(?<!ask )(?<!sure )(?<!tell me )(?<!wondering )(?<!wonder )\bif\b(?!\s+(?:possible|you (?:can|could|please|don't mind|like|would|want)|i may|that's (?:ok|okay|fine|alright)"
    r"|it's (?:ok|okay|fine|possible)|that is|so\b|not\b|any\b|need(?:ed)?|necessary|anything))"
)
"""What only supposes: a condition, or a question about what would be."""

_VERBS_OF_PASSING = (
    r"(?:give|given|giving|gave|share[ds]?|sharing|send|sent|sending|pass(?:ed|ing)?|hand(?:ed|ing)?|disclos(?:e|ed|ing)"
    r"|reveal(?:ed|ing)?|tell(?:ing)?|told|show(?:n|ing)?|us(?:e|ed|ing)|provid(?:e|ed|ing)|forward(?:ed|ing)?"
    r"|transmit(?:ted|ting)?|submit(?:ted|ting)?|transfer(?:red|ring)?|releas(?:e|ed|ing)|expos(?:e|ed|ing)"
    r"|process(?:ed|ing)?|stor(?:e|ed|ing)|keep(?:ing)?|run(?:ning)?|ask(?:ed|ing)?|contact(?:ed|ing)?|call(?:ed|ing)?"
    r"|quer(?:y|ied|ying)|involv(?:e|ed|ing)|check(?:ed|ing)?|look(?:ing)? (?:(?:me|us|it|that) )?(?:at|into|up)|access(?:ed|ing)?|pull(?:ed|ing)?"
    r"|let(?:ting)?|allow(?:ed|ing)?|leave|put|hav(?:e|ing)|see|get(?:ting)?|receiv(?:e|ing)|go(?:es|ing)?)"
)
_NO_MORE = (
    r"(?:(?:please )?(?<!\bi )(?<!\bwe )(?:do not|don't|dont|do n't|never|no longer|not|stop|quit|cease|refrain from|avoid|hold off(?: on)?)"
    r"|(?:you )?(?:may not|must not|mustn't|can't|cannot|can not|should not|shouldn't|are not allowed to|aren't allowed to"
    r"|are not to|aren't to|may no longer|can no longer|are no longer allowed to)"
    r"|i (?:do not|don't|dont|no longer|never|didn't|did not) (?:really )?(?:want|wish|like|agree|consent|allow|permit|need"
    r"|feel comfortable|authori[sz]e)(?: for)?(?: (?:you|them|it|that|this|anyone|anybody|my \w+(?: \w+){0,3}|the \w+(?: \w+){0,2}))?"
    r"(?: to(?: be)?| being)?"
    r"|i(?:'d| would) (?:rather|prefer)(?: that| if)? (?:you |it |they |we |my \w+(?: \w+){0,3} )?(?:did not|didn't|not|don't|was not|wasn't"
    r"|were not|weren't)(?: to)?"
    r"|i (?:won't|will not|wouldn't|refuse to|decline to) (?:let|allow|have)(?: (?:you|them|it|anyone))?"
    r"|i(?:'m| am) not (?:ok|okay|happy|fine|comfortable|willing)(?: with| for| to| about)?(?: (?:you|them|it))?(?: to)?)"
)
_FORBIDS = LazyPattern(
    rf"\b{_NO_MORE}\s+(?:\w+ly |just |even |ever |actually |anyone |them |you |to |be |being )*(?P<verb>{_VERBS_OF_PASSING})\b(?P<what>[^.!?;]*)"
)
_HANDS_ON = LazyPattern(r"(?:look\w* (?:me|us)|shar|send|sent|pass|hand|disclos|reveal|forward|transmit|releas|expos)")
"""Verbs that say by themselves that something goes to another one."""
_REVOKES = LazyPattern(
    r"\b(?:withdraw|withdrew|withdrawing|revok(?:e|ed|ing)|retract(?:ed|ing)?|rescind(?:ed)?|tak(?:e|en|ing) back|took back|pull(?:ed)?"
    r"|cancel(?:led|ing)?|undo|remove|end|reverse|void|un-?do|invalidate)\b[^.!?;]{0,40}?"
    r"\b(?:consent|permission|agreement|authori[sz]ation|approval|go-ahead|clearance|(?:my|that|the)(?: last)? (?:yes|ok|okay))\b"
    r"|\b(?:my |the |that )?(?:consent|permission|agreement|authori[sz]ation|approval|go-ahead)\b[^.!?;]{0,40}?"
    r"\b(?:withdrawn|revoked|retracted|rescinded|taken back|cancelled|over|no longer (?:valid|given|holds|stands)|void|off)\b"
    r"|\b(?:take|taking|took) back (?:what|everything|all)(?: that)? i (?:(?:had|have|just) )?(?:agreed|said|consented|allowed|permitted)\b"
    r"|\btake (?:my |that |the )?(?:consent|permission|yes|agreement|approval|ok|okay)(?: \w+)? back\b"
    r"|\bi (?:no longer|don't|do not|dont) (?:agree|consent|allow|permit|authori[sz]e|approve|give (?:my |you )?(?:consent|permission))\b"
    r"|\bi (?:should(?:n't| not) have|regret|wish i (?:hadn't|had not)) (?:agreed|consented|agreeing|consenting|said yes|allowed|given)\b"
    r"|\b(?:i(?:'ve| have)? changed my mind|ha(?:d|ve|ving) second thoughts) (?:about|on|regarding|over)\b(?P<what>[^.!?;]*)"
    r"|\b(?:forget|ignore|disregard) (?:that|what) i (?:(?:have|had|just) )?(?:agreed|consented|said yes|allowed)\b"
    r"|\b(?:want|like|have|get) (?:my|the|that) (?:consent|permission|agreement|approval|yes|ok|okay) back\b"
    r"|\b(?:withdraw|revoke|retract|rescind) (?:it|that|this|them)\b"
    r"|\b(?:un-?(?:share|authori[sz]e|agree)|opt(?:ing)? out)\b"
)
_MAY_I = LazyPattern(
    _OPENING + r"(?:can|could|may|might) (?:i|we|you)\b(?!.*\b(?:later|afterwards|any ?time|if|once|always)\b)"
)
"""Who asks whether consent may be taken back, and not whether it might be one day, takes it back."""
_LEAVES_OUT = LazyPattern(
    r"\b(?:leave|keep) (?P<whom>[^.!?;,]{2,60}?) (?:out(?: of (?:it|this|that|the loop))?|away|private|secret|confidential|to (?:yourself|myself)"
    r"|between us|off the record|safe|hidden|here)\b"
    r"|\b(?:nothing|none of (?:it|this|that|my \w+))\b[^.!?;]{0,30}\bto (?P<to>[^.!?;]{2,60})"
    r"|(?:\A|[,.;!]\s)(?:(?:and|but) )?(?P<stays>[^.!?;,]{2,40}?) (?:stays?|remains?|is to stay) (?:with me|private|secret|mine|where it is|here)\b"
    r"|\b(?:forget|delete|erase|remove|destroy|drop|scrap|discard) (?:about )?(?P<what>(?:my|the|that) [^.!?;,]{2,60})"
    r"|\b(?:no|not|without|skip|except|except for|anyone but|anybody but|anything but) (?:the |my |any |that |to the )?(?P<thing>[^.!?;,]{2,60})"
)
_ALLOWS = LazyPattern(
    r"\b(?:you|they|it) (?:may|can|could|are (?:allowed|free|welcome) to|have (?:my )?(?:permission|consent|ok|okay))\b"
    r"(?!(?: just| also)? (?:keep|forget|skip|drop|leave|stop|cancel|ignore|scrap|delete|remove|erase|not|never)\b)"
    r"|\b(?:feel free to|go ahead (?:and|with)|by all means|it(?:'s| is) (?:ok|okay|fine|alright) (?:to|if|with me)"
    r"|i(?:'m| am) (?:ok|okay|fine|happy|good) (?:with|for|to)|i (?:do )?(?:agree|consent|allow|permit|authori[sz]e|approve|give (?:you )?(?:my )?"
    r"(?:consent|permission))|let (?:the|them|it)|please (?:do )?(?:ask|check|use|share|send|contact|give))\b"
    r"|\bpermission granted\b|\b(?:yes|ok|okay|fine|alright|all right|sure|go ahead)\b.{0,20}\b(?:after all|then|now|ask|check|use|share|send|contact|give|do it|do that)\b"
)
_CONSENTS = LazyPattern(
    r"\b(?:i (?:do |now |hereby )?(?:consent|agree|give (?:you )?(?:my )?(?:consent|permission))|permission granted)\b"
)
_PRONOUNS = frozenset(
    """it that this them those these any anything everything all none nothing data information info details detail number
    numbers record records file files mine personal private stuff""".split()
)
"""Words that stand for what is passed on."""


_YES_OR_NO = frozenset(("authorize", "confirm", "offer", "choice"))
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
        if not self._stems or (answer is not None and (asked in _YES_OR_NO or answer in _NO_CONSENT)):
            return ()
        for clause in clauses_in(folded):
            said = clause.of(folded)
            asks = _ASKS.match(said) is not None or folded[clause.end : clause.end + 1] == "?"
            asks = asks and not (_MAY_I.match(said) and _REVOKES.search(said))
            act = None if asks else SpeechAct.TAKE_BACK if self._forbids(said) else self._allowing(said, asked)
            if act is SpeechAct.AGREE and asked in _YES_OR_NO - {"authorize"}:
                continue  # "yes, do that for me" is a yes
            if act is not None:
                span = span_of(folded, clause.start, clause.end)
                found.append(ActSpan(act=act, span=span, named=self._named(said)))
        return tuple(found)

    def others(self, text: str, folded: str, *, busy: bool) -> Iterator[ActSpan]:
        """Find the clauses that ask, suppose, request or put right; all others tell. `busy`: a request is open."""
        for clause in clauses_in(folded):
            said = clause.of(folded)
            marked = "?" in (folded[clause.end : clause.end + 2].strip()[:1], said.rstrip()[-1:])
            act, begins = _mood(said, marked, busy=busy)
            if act is not SpeechAct.TELL:
                tentative = act is SpeechAct.ASK and not _ASKS.match(said)
                span = span_of(text, clause.start + begins, clause.end)
                yield ActSpan(act=act, span=span, tentative=tentative)

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
        negated = _FORBIDS.search(said) or _REVOKES.search(said)
        allows = not negated and _ALLOWS.search(said) and (_CONSENTS.search(said) or self._is_of_passing(said))
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


def _mood(said: str, marked: bool, *, busy: bool) -> tuple[SpeechAct, int]:
    """Return what a clause does, and from where on in it: a condition begins with its conjunction."""
    supposes, demands, asks = _SUPPOSES.search(said), _DEMANDS.match(said), _ASKS.match(said)
    if supposes and not demands:
        return SpeechAct.SUPPOSE, 0 if asks or marked else supposes.start()
    if demands:
        # "Can I have Friday?" asks for it; while a request is open it may only ask whether that is possible.
        only_asks = busy and _OFFERS.match(said) and not _FIRM.search(said)
        return SpeechAct.ASK if only_asks else SpeechAct.REQUEST, 0
    if asks or marked:
        return SpeechAct.ASK, 0
    return SpeechAct.CORRECT if is_correcting(said) else SpeechAct.TELL, 0


def _stems(label: str) -> Iterator[str]:
    return (stem(word.text) for word in words_in(fold(label)) if word.text not in FUNCTION_WORDS)
