# ruff: noqa: E501 - lines of phrases are kept together by what they say
"""Controls: what an utterance tells the assistant to do with the conversation itself.

An utterance is a control when, politeness aside, every stretch of it is a phrase for one; so "stop" is a control, and
"stop paying my rent" is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from catalog.model import Catalog
from language.intents.reader import SURE, RequestReader
from language.interpretation import Context, DialogueAct, Topic
from language.text.lazy_pattern import LazyPattern
from language.text.request_frames import is_refusal
from language.text.utterance import Reading

_SHORTHANDS = {
    "<it>": r"(?:it|this|that|everything|all|all (?:of )?(?:it|this|that)|(?:this|the) (?:request|whole thing|conversation|task|procedure))",
    "<thing>": r"(?:it|one|any|that|this|them|either|mine)(?: (?:here|at hand|to hand|with me|on me|yet|by heart|offhand))?",
    "<say>": r"(?:say|tell|tell you|answer|share|give|give you|disclose|provide|reveal)(?: (?:it|that|this|them|you))?",
    "<not>": r"(?:don't|dont|do not|won't|will not|wouldn't|would not)",
}

POLITE = """
please|pls|plz|wait|hold on|thanks|thank you|thank you very much|many thanks|thanks a lot|ok|okay|well|oh|um+|uh+|h+m+|so|then|just
actually|really|sorry|and|but|now|today|for now|i think|i guess|i'm afraid|i am afraid|hi|hello|hey|sir|madam|mate|either
🙏|🙂|😊|😀|😄|😅|😉|💵|💰|with that|with it|by me|with me|at all|anyway|to be honest|honestly|question|there
"""
"""Words of politeness at either end of a phrase, which do not change its meaning."""

TALK: Mapping[Topic, str] = {
    Topic.GREETING: """
(?:hello|hi|hey|hiya|howdy|greetings|yo|👋)(?: again| there| everyone| bot)?|good (?:morning|afternoon|evening|day)(?: to you)?(?: too| as well)?
(?:nice|pleased|good) to meet you|(?:i'm|i am) back
""",
    Topic.THANKS: """
thanks(?: (?:a lot|a million|very much|so much|again|mate))?|thank you(?: (?:very|so) much| again)?|thx|ty|cheers|much appreciated|(?:many |thank you )?thanks indeed|🙏
(?:thanks|thank you)(?: (?:very|so) much| a lot)? for (?:your|the|all your|all the|all|everything|helping)(?: [a-z]+){0,3}|many thanks
""",
    Topic.FAREWELL: """
bye(?: bye)?|good ?bye|see (?:you|ya)(?: later| soon)?|so long|take care|good night|that(?:'s| is| will be) (?:all|it|everything)
(?:have )?a (?:nice|good|great) (?:day|evening|weekend|one|night)|have a (?:nice|good|great) (?:day|evening|weekend|one|night)
nothing(?: else| more)?|i(?:'m| am) done
""",
    Topic.PRAISE: """
nice|nice one|great|cool|awesome|wonderful|excellent|amazing|lovely|perfect|splendid|brilliant|fantastic|super|good|good job|well done|great job|❤️?|🎉|😀|😊|🙂|😄
you(?:'re| are) (?:so |very |really )?(?:great|nice|funny|welcome|the best|awesome|kind|helpful)|wow|i love you
(?:that|it)(?:'s| is) (?:great|nice|cool|good|funny|interesting)
""",
    Topic.ACKNOWLEDGEMENT: """
got it|understood|sorry|my bad|no worries|i see|interesting|alright|lol|(?:ha)+h?
""",
    Topic.COMPLAINT: """
(?:you(?:'re| are)|are you|this is|that(?:'s| is)|it(?:'s| is)) (?:a |an |so |such a |such |really |very |absolutely |total |complete |fucking )*(?:stupid|useless|dumb|rubbish|idiots?|idiotic|annoying|ridiculous|terrible|awful|crap|bullshit|shit|nonsense|joke|waste of time|slow|worthless|bad|horrible|pathetic|moron)(?: (?:bot|machine|robot|computer|assistant|thing))?
(?:stupid|useless|dumb) (?:bot|machine|robot|computer|assistant|thing)|idiot|moron|bullshit|crap|shit|damn(?: it)?|wtf|rubbish|nonsense
(?:fuck|screw)(?: (?:off|you|this|it))?|shut up|go to hell|i hate (?:you|this|it)|you suck|this sucks|😡|🤬|(?:aa*r+g+h+)
""",
    Topic.ASSISTANT: """
are you (?:a robot|a bot|a human|human|a person|real|there|an ai|a machine|ok|okay)|how old are you|do you like me|(?:am i|are we) (?:talking|speaking) (?:to|with) (?:a |an )?(?:human|person|robot|bot|machine|ai)
how are (?:you|things)(?: doing| going)?|how do you do|how(?:'s| is) it going|what's up|who are you|what are you|what(?:'s| is) your name
""",
}
"""Phrases of small talk, by topic; each topic is a part of CHITCHAT."""

RESUMING = """
(?:let's |let us |can we |please )?(?:go on|continue|resume|proceed|carry on|keep going)(?: (?:with (?:it|that|this)|where we (?:were|stopped|left off)))?
"""
"""Phrases that resume a dropped goal."""

ABOUT_THE_QUESTION = """
(?:what|who|which|how)(?: one| ones)?|what do you mean(?: (?:by|with) (?:that|this))?|what does (?:that|this|it) mean|what(?:'s| is) (?:that|this|it)
i (?:don't|do not|didn't|did not) (?:understand|get)(?: (?:it|that|this|you|the question|what you mean|what you want))?|huh|(?:i beg your )?pardon(?: me)?|excuse me|come again|say (?:that|it) again|repeat(?: (?:that|it|the question))?
(?:what|which)(?:'s| are| is)? (?:my|the|your) (?:options?|choices?|list|possibilities)|(?:what|which) (?:options?|choices?|ones?|possibilities|topics?|subjects?|kinds?|sorts?|things) (?:are there|do i have|can i (?:choose|pick|take|say|have)(?: from| between)?|do you (?:have|know|offer|take))
what (?:can|could|may) i (?:choose|pick|select|say|answer|enter|type)(?: from| between| here)?|(?:list|show|give|tell)(?: me)? (?:the |my |all |all the )?(?:options?|choices?|possibilities|topics)|like what|such as(?: what)?|for (?:example|instance)|(?:any |an |a |give me an |give me some )?examples?|options|choices
is (?:it|this|that) (?:safe|secure|private|confidential|ok|okay|legal)
"""
"""Phrases that ask about the open question."""

_OTHERS = "(?: (?:to|with) (?:anyone|anybody|someone|somebody|others|other people|third parties)(?: else)?)?"
SUBJECTS_OF_THE_QUESTION: Mapping[Topic, str] = {
    Topic.RECEIVERS: rf"""
who(?:m)?(?: else)? (?:will |would |can |could |may |gets to |is going to )?(?:see|sees|read|reads|get|gets|receive|receives)(?: (?:it|that|this|them))?
who(?:m)? (?:do|will|would) you (?:give|show|send|pass|tell|hand)(?: (?:it|that|this|them))?(?: on)?(?: to)?|where (?:does|will|would) (?:it|that|this) go
(?:is|are|will|would) (?:it|that|this|they) (?:be )?(?:shared|passed on|given|given away|sold|shown|sent|handed on){_OTHERS}
(?:do|does|will|would|can|could) (?:anyone|anybody|someone|somebody|others)(?: else)? (?:see|get|have|read)(?: (?:it|that|this))?
(?:do|will|would) you (?:share|sell|pass|give|show) (?:it|that|this|them)(?: (?:on|away))?{_OTHERS}
""",
    Topic.REFUSING: """
(?:do|must|should) i(?: (?:really|still|even))?(?: (?:have|need) to)?|is (?:it|this|that) (?:really )?(?:mandatory|optional|obligatory|compulsory|required|necessary)
(?:what|and what|what happens|what would happen|what will happen)(?: then)? if i (?:say no|don't|do not|refuse|decline|won't|can't|cannot|don't want to|don't know|don't answer|don't say|don't tell you)(?: (?:it|that|this|agree|you))?
what (?:would|will) happen|what happens if not|what if not
(?:can|may|could) i (?:say no|refuse|decline|skip (?:it|this|that)|not)|do i have a choice
""",
    Topic.LATER: """
(?:can|may|could|might) i(?: still| also)? (?:do|tell|say|answer|decide|give|send|agree|think)(?: (?:you|it|that|this|about it|about that|about this|to it|to that))* (?:later|another time|some other time|afterwards|tomorrow)
(?:can|may|could|might) i(?: still| also| always)? (?:change my mind|change (?:it|that|this)|take (?:it|that|this|my consent) back|undo (?:it|that|this)|withdraw(?: (?:it|that|this|my consent))?|revoke (?:it|that|this|my consent)|say no later)(?: later| afterwards)?
(?:do|must) i (?:have to |need to )?(?:decide|answer|say it|say|agree|do it|do that) (?:now|right now|today)|does (?:it|that|this) have to be now|is there (?:a )?(?:hurry|rush)
""",
}
"""Phrases that ask about one side of the open question."""

PHRASES: Mapping[DialogueAct, str] = {
    DialogueAct.STOP: """
stop|(?:stop|cancel|quit|abort|end|drop|scrap|leave|exit)(?: <it>)|cancel|quit|abort|exit|stop (?:right )?(?:here|there|now)
stop doing (?:this|that)|never ?mind(?: <it>)?|forget (?:about )?<it>|leave it there|enough|that's enough|not any ?more
(?:let's|let us) (?:stop|forget it|leave it|drop it|end this|end it|cancel)(?: here| there)?
(?:i've |i have |i )?changed my mind
i(?:'d like| want| would like) to (?:stop|cancel|quit|abort)(?: <it>)?
(?:can|could) (?:we|you|i) (?:stop|cancel|quit|abort)(?: <it>)?
i (?:don't|do not) (?:want|need) (?:to )?(?:do )?<it> (?:any ?more|any longer|now)
i (?:don't|do not) want to (?:do <it>|go on|continue|proceed)(?: any ?more| any longer| with <it>)?
(?:i'm |i am )?no longer interested(?: in <it>)?|i no longer (?:want|need) <it>|(?:don't|do not) bother|i give up
""",
    DialogueAct.SKIP: """
skip|skip <it>|skip (?:this|that|the) (?:one|question|step)|(?:let's|let us|can we|could we|may i|can i|could you|can you) skip
(?:let's|let us|can we|could we|may i|can i|could you|can you) skip (?:<it>|(?:this|that|the) (?:one|question|step))
pass|i pass|next|next (?:question|one)|move on|dunno|i dunno|idk|unknown|n/?a|not (?:available|applicable|known)
(?:i )?(?:really )?(?:don't|dont|do not) know(?: <thing>)?|(?:i )?wouldn't know|who knows
(?:i've |i have |i )?(?:got )?(?:no|not a|not the faintest) (?:idea|clue)|i haven't (?:a clue|any idea|got a clue|the faintest)
(?:i'm |i am )?(?:not sure|unsure|not certain)
(?:i )?(?:don't|dont|do not) have <thing>|(?:i )?(?:haven't|have not) (?:got )?<thing>|i have(?:n't)? none|i lack (?:it|one)
(?:i )?(?:can't|cannot|can not|couldn't|could not) (?:find|remember|recall|locate|get|think of|see|access)(?: <thing>)?
(?:i )?(?:can't|cannot|can not|couldn't|could not) <say>|i can't|i cannot|(?:i )?(?:don't|do not) (?:remember|recall)(?: <thing>)?
(?:i )?(?:forgot|forget|lost|misplaced)(?: <thing>)?|i(?:'ve| have) (?:forgotten|lost|misplaced)(?: <thing>)?|(?:it's |it is )lost
(?:i'd |i would )?(?:rather|prefer) not(?: to)? <say>|i <not> (?:want to )?<say>|i'm not (?:going to )?<say>
(?:i'm )?not telling(?: you)?|none of your business|(?:that|it|this)(?:'s| is) (?:private|personal|secret|confidential)|none
""",
    DialogueAct.YES: """
y|ye?s+|(?:i )?mean(?:t)? yes|make (?:that|it) a yes|yeah+|yea|yep|yup|ys|yess+|👍[🏻-🏿]?|👌[🏻-🏿]?|✅|sure|sure thing|for sure|surely|ok|okay|k|alright|all right|fine|great|perfect|good|good idea
(?:please )?go ahead|go on|go for it|(?:let's |let us |can we )?(?:resume|keep going)|(?:please )?do|do (?:it|that|so|this)|proceed|continue|carry on|let's (?:go|do (?:it|that|this))
of course|absolutely|definitely|certainly|indeed|correct|right|true|exactly|agreed|granted|allowed|approved|permission granted
(?:that|it|this)(?:'s| is) (?:right|true|correct)|i (?:agree|accept|consent|approve|allow it|permit it|do|am|would|will)
i(?:'d| would) (?:like|love) (?:that|to|it|one)|sounds (?:good|great|fine|ok|okay)|by all means|why not|feel free|be my guest
(?:that|this|it)(?:'s| is| would be| will be) (?:fine|ok|okay|alright|all right|good|great|nice|perfect|lovely)
(?:that|this) works|is (?:ok|okay|fine|good)|no (?:problem|problems|objection|objections)|not a problem|i (?:don't|do not) mind|i have no objections?
you (?:may|can|do|may do (?:it|so|that)|can do (?:it|so|that))|you have my (?:permission|consent|ok|okay|approval)
you (?:may|can) (?:use|have|send|share|pass) (?:it|that|them|this)|(?:use|send|share) (?:it|that|them|this)
i(?:'m| am) (?:fine|ok|okay|happy|good) with (?:that|it|this)|i(?:'m| am) (?:in|interested)|yes i (?:do|am|would|will|agree)
""",
    DialogueAct.NO: """
n|no+|nope|nah|👎[🏻-🏿]?|❌|🚫|no thanks?|no thank you(?: very much)?|not (?:now|today|really|yet|this time|at the moment|at all|for me|interested)
(?:rather|better|preferably) not|i(?:'d| would) rather (?:not|you didn't|you don't|you did not)(?: do (?:it|that|so))?
i <not> (?:want|like) you to(?: (?:do|use|send|share) (?:it|that|this|them|so))?
i(?:'d| would)? prefer (?:not|not to|you didn't|you did not|you don't)
i <not> (?:want|like|agree|consent|accept|allow|approve|need|think so|wish|permit|do)(?: to)?(?: it| that| this| them| one)?
(?:please )?(?:don't|dont|do not) (?!know|worry|mind|care|understand|have|remember|get|see|bother|think|be|forget|you|want|need)[a-z]+ <it>(?: (?:please|after all|then))?
i (?:refuse|decline|disagree|object)|refused|declined|denied|(?:please )?(?:don't|do not)(?: (?:do|use|send|share))?(?: (?:it|that|them|this|so))?
(?:certainly|absolutely|definitely|of course) not|no way|never|never ever|under no circumstances|no chance|no deal
you (?:may not|can't|cannot|must not|mustn't|don't)(?: (?:do|use|send|share|have))?(?: (?:it|that|them|this|so))?
(?:maybe |perhaps )?(?:later|another time|some other time|next time)|i(?:'m| am) (?:not interested|good|not comfortable|not|not ok)
(?:that|it|this)(?:'s| is) (?:not (?:ok|okay|fine|right|good)|wrong)|wrong|incorrect|false|i (?:don't|do not|wouldn't|won't)
none|neither|none of (?:these|those|them|the above|it)|neither of (?:these|those|them)|no i (?:don't|won't|wouldn't|do not)
""",
    DialogueAct.UNSURE: """
(?:i'm |i am )?(?:still |really |quite )?(?:not (?:so |too |entirely |quite |really |completely )?(?:sure|certain|decided|convinced)|unsure|undecided|torn|hesitant|in two minds)(?: (?:yet|about (?:it|that|this)|either|myself))?
(?:well )?(?:maybe|perhaps|possibly|it depends|that depends|depends|probably(?: not)?|i guess(?: so| not)?|i suppose(?: so| not)?|i think so|kind of|sort of|we'll see|we will see|let's see|could be|might be|so so|both|either|yes and no|yeah no|hard to say|difficult|who knows|as if|yeah right|sure thing buddy|if you say so|whatever)
(?:maybe |perhaps |ask me |not now )?(?:later|another time|some other time|next time|tomorrow|in a (?:bit|minute|moment|while)|not yet)(?: (?:maybe|perhaps|please))?
(?:please )?let me (?:just |first |quickly )?(?:have|take|get) (?:a |another )?(?:quick |closer |proper |good )?(?:look|think|moment|minute)\b.{0,60}|let me (?:just |first |quickly )?(?:look|check|see|read|find|ask)\b.{0,60}
(?:please )?(?:let me|i(?:'ll| will| need to| have to| must| want to| should|'d like to|'d have to|'d need to)|can i|may i|could i|(?:give me )?(?:some )?time to) (?:still |first )?(?:think|consider|sleep|check|ask|talk|decide|mull|reflect|reconsider|weigh)(?: (?:(?:it|that|this)(?: (?:over|through))?|about (?:it|that|this)|on (?:it|that|this)|(?:to |with )?my [a-z]+|first))*(?: first| a (?:bit|moment|little)| for a (?:moment|while|second|bit))?
i(?:'m| am)(?: still)? (?:thinking|considering|deciding|hesitating)(?: (?:about )?(?:it|that|this)(?: over)?)?
(?:give me |just |one |wait )?(?:a )?(?:moment|minute|second|sec)(?: please)?
(?:i )?(?:really |honestly |just )?(?:don't|dont|do not) know(?: (?:yet|about (?:that|this|it)|what to (?:say|do)|if i (?:want|should)(?: (?:that|to|it))?))?|dunno|i dunno|idk|(?:i have )?no idea|(?:i )?(?:can't|cannot) (?:decide|say)(?: (?:yet|now|right now))?
(?:i )?(?:haven't|have not) (?:decided|made up my mind)(?: yet)?|(?:i )?(?:need|want) (?:more |some )?(?:time|information|details)(?: (?:first|to think|to decide))?|(?:i )?(?:have|got) (?:my )?(?:some )?(?:doubts|reservations|mixed feelings)
""",
    DialogueAct.RESTART: """
(?:(?:let's|let us|can we|could we|may we|can i|could i|i want to|i wanna|i need to|i'd like to|i would like to|please|i(?:'d| would) rather) )?(?:start|begin|do|try)(?: (?:it|this|that|everything|all|the whole thing))?(?: all)? (?:over|again|anew|afresh|from (?:scratch|the (?:beginning|start|top))|fresh|from zero)(?: again| from (?:scratch|the (?:beginning|start|top)))?
(?:(?:let's|let us|can we|could we|i want to|please) )?(?:restart|reset)(?: <it>)?|from (?:scratch|the (?:beginning|start|top))|back to (?:the (?:beginning|start)|square one)|(?:clear|wipe|scrap) (?:it all|everything|all of it|all)(?: and start (?:over|again))?|(?:clear|wipe|scrap|forget|cancel) (?:it|that|this) and (?:start|begin) (?:over|again|anew)
(?:(?:let's|let us|can we|could we|i want to|please) )?go back to the (?:beginning|start|top)
""",
    DialogueAct.REOPEN: """
(?:(?:let's|let us|can we|could we|may we|can i|could i|i want to|i need to|i'd like to|please|let me) )?(?:(?:go|get|step|jump|move|take me) back(?: (?:one|a)(?: step)?| (?:to (?:the |my )?|one )?(?:previous|last|prior)(?: (?:question|step|one|answer))?)?|back up(?: (?:one|a) step)?|(?:go|return) to (?:the |my )?(?:previous|last|prior) (?:question|step|answer))
back up(?: a (?:sec|second|bit|moment|little))?|(?:undo|delete|erase|remove|scratch) (?:my |the )?(?:last|latest|previous) (?:answer|entry|input|reply|response|one)|i (?:mistyped|misspoke|got (?:that|it) wrong)(?: (?:there|just now|before))?
(?:one step |a step )?back(?: one| a step| please)?|(?:the )?(?:previous|last) (?:question|step|one)(?: again)?(?: please)?|(?:one|a) step back
(?:(?:can i|could i|let me|i want to|i need to|i'd like to|please|may i) )?(?:change|redo|correct|fix|edit|revise|reconsider|take back) (?:my |the )?(?:last|previous) (?:answer|reply|one|input|response)
(?:my |the )?(?:last|previous) (?:answer|one|reply) was (?:wrong|incorrect|a mistake|not right)|i (?:answered|said|typed|entered) (?:that|it) wrong(?:ly)?|i made a mistake(?: (?:there|just now|in my (?:last )?answer))?
""",
    DialogueAct.UNDO: """
(?:(?:can you|could you|can we|could we|can i|please|i want to|i'd like to|i need to) )?(?:undo|revert|reverse|roll back|take back|unsend|unsubmit)(?: (?:<it>|(?:what|everything|all)(?: that)? (?:you|i|we) (?:just )?(?:did|said)|(?:the|my|your) (?:last|latest|previous) (?:thing|step|one|action|change|answer)))?|roll (?:that|it|this) back|(?:i(?:'d like| want) )?(?:that|it|this) undone|can (?:that|it|this) be undone|i want (?:that|it|this) undone|(?:(?:can|could) (?:you|we|i) )?(?:i )?take (?:that|it|this) back|i (?:pressed|clicked|said|typed|hit) (?:yes|ok|that|it|send) by (?:mistake|accident)
""",
    DialogueAct.HELP: """
i (?:don't|do not) know (?:what|how) to (?:do|say|ask|start|begin|go on)|help|help me(?: out)?|i need (?:some |your )?help|(?:can|could|would) you help(?: me)?(?: out)?|assist me|assistance
what (?:else )?(?:can|could|do) you (?:do|offer|know|help (?:me )?with)(?: for me| here)?|what do you do
what are you (?:for|able to do|good for)|what are you able to do(?: for me)?
what (?:can|could|may|should|do) i (?:do|ask|say|ask you|ask for|ask about|use you for)(?: here| you| for| next)?
how (?:can|could|do) you help(?: me)?|how (?:does|do) (?:this|it|you|that) work|how do i use (?:this|it|you)
(?:show|tell) me what you can do|(?:what|which) (?:services?|skills?|things|kinds? of things) (?:do you (?:offer|have|provide)|are there|can you do)
what are (?:my|the) options(?: here)?|options|menu|commands|i(?:'m| am) lost|instructions
""",
    DialogueAct.CHITCHAT: "\n".join(TALK.values()),
}


def compile_lines(lines: str) -> LazyPattern:
    """Compile lines of phrases into one expression for a whole stretch of up to three of them ("yes of course")."""
    for shorthand, meant in _SHORTHANDS.items():
        lines = lines.replace(shorthand, meant)
    phrase = "|".join(lines.strip().splitlines())
    return LazyPattern(rf"(?:{phrase})(?: (?:{phrase})){{0,2}}\Z")


_SAYS = {control: compile_lines(lines) for control, lines in PHRASES.items()}
_TALKS = {topic: compile_lines(lines) for topic, lines in TALK.items()}
_RESUMES = compile_lines(RESUMING)
_ASKS_BACK = compile_lines("".join((ABOUT_THE_QUESTION, *SUBJECTS_OF_THE_QUESTION.values())))
_SUBJECTS = {topic: compile_lines(phrases) for topic, phrases in SUBJECTS_OF_THE_QUESTION.items()}
_POLITE = "|".join(POLITE.strip().splitlines())
_POLITE_END = LazyPattern(rf"\s(?:{_POLITE})\Z")
_POLITE_START = LazyPattern(rf"(?:{_POLITE})\s")
POLITE_ONLY = compile_lines(POLITE)
_STRETCH = LazyPattern(r"[,.!?;:…\"()\n]+")
_FORBIDS = LazyPattern(r"\W*(?:please |but |and |just )*(?:don't|do not) [a-z]+ ")
_YES_FIRST = LazyPattern(r"\W*(?:y|yes|yeah|yep|yup|sure|ok|okay) ")
_PLAIN_YES = LazyPattern(r"\b(?:y|yes|yeah|yep|yup|sure|please|do|absolutely|definitely)\b")
_YES_OR_NO = frozenset({"authorize", "confirm", "offer", "choice"})
_DROP = LazyPattern(
    r"\b(?:stop|cancel|abort|forget(?: about)?|drop|scrap|end|quit|never ?mind"
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
    if pending not in _YES_OR_NO and DialogueAct.CHITCHAT in found and DialogueAct.YES in found:
        found = [control for control in found if control is not DialogueAct.YES]  # "ok, thanks" agrees to nothing
    if DialogueAct.YES in found and read_topic(folded) is Topic.FAREWELL and not _PLAIN_YES.search(folded):
        found = [DialogueAct.CHITCHAT]  # "alright, thank you, have a nice day" takes no offer
    answers = [control for control in found if control in {DialogueAct.YES, DialogueAct.NO}]
    if len(set(answers)) == 2 and set(found) <= {DialogueAct.YES, DialogueAct.NO, DialogueAct.CHITCHAT}:
        both = answers[0] is DialogueAct.YES and pending in ("authorize", "confirm")
        return None if both else answers[0]  # "yes, later" agrees to nothing now
    if DialogueAct.NO in found and DialogueAct.YES not in found:
        found = [control for control in found if control is not DialogueAct.UNSURE]  # "no, maybe later" is a no
    return next((control for control in _BY_WEIGHT if control in found), None)


_WEIGHTIEST = (
    Topic.COMPLAINT,
    Topic.FAREWELL,
    Topic.THANKS,
    Topic.ASSISTANT,
    Topic.GREETING,
    Topic.PRAISE,
    Topic.ACKNOWLEDGEMENT,
)
"""Precedence of topics in small talk: "great, thanks, bye" is a farewell."""


def read_topic(folded: str) -> Topic | None:
    """Return the topic of small talk, or None if a text is none."""
    shapes = [shape for part in _stretches(folded) for shape in _trimmed(part)]
    return next((topic for topic in _WEIGHTIEST if any(_TALKS[topic].match(shape) for shape in shapes)), None)


def resumes(folded: str) -> bool:
    """Return whether a text asks to resume a dropped goal."""
    return any(_RESUMES.match(shape) for part in _stretches(folded) for shape in _trimmed(part))


_WHAT_THEN = LazyPattern(r"\b(?:then|next|after (?:that|this)) what\b|\bwhat (?:then|next)\b")
"""What asks for what comes after the open question."""


def find_topic_asked(folded: str) -> Topic | None:
    """Return what a text asks of the open question, if that is all it does: "what do you mean?", "who gets it?"."""
    if len(folded) > _LONGEST or _WHAT_THEN.search(folded):
        return None
    if folded.strip() and not folded.strip(" ?"):
        return Topic.QUESTION
    stretches = [_trimmed(part) for part in _stretches(folded) if not POLITE_ONLY.match(part)]
    if not stretches or not all(any(_ASKS_BACK.match(shape) for shape in shapes) for shapes in stretches):
        return None
    named = (topic for topic, phrases in _SUBJECTS.items() if any(map(phrases.match, stretches[0])))
    return next(named, Topic.QUESTION)


def read_controls(reading: Reading, pending: str | None, catalog: Catalog, requests: RequestReader) -> Reading:
    """Read a control that is a clause of its own: "stop, I want a card instead"."""
    meant = {DialogueAct.STOP, *_BEGIN_ANEW} | (
        {DialogueAct.YES, DialogueAct.NO, DialogueAct.SKIP, DialogueAct.UNSURE} if pending else set()
    )
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
            first = read_control(opening, pending) if comma and clause is reading.clauses[0] else None
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


def read_whole_control(reading: Reading, pending: str | None, requests: RequestReader) -> DialogueAct | None:
    """Return the control that an utterance is as a whole, unless a goal of the catalog is asked for in that way."""
    control = read_control(reading.folded, pending)
    return None if control and is_own_request(reading.folded, reading.context, requests) else control


def is_own_request(words: str, context: Context, requests: RequestReader) -> bool:
    """Return whether words that may be a control ask for a goal of the catalog, while nothing is there to control."""
    return not (context.goals or context.pending) and requests.by_example(words) is not None


def _is_part_of_request(reading: Reading, control: DialogueAct, requests: RequestReader) -> bool:
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


def read_refusal_or_call_for_help(reading: Reading) -> Reading:
    """Read what nothing else was made of: "I don't want that" as a no, "what do you mean?" as a call for help."""
    if reading.empty and any(is_refusal(clause.of(reading.folded)) for clause in reading.clauses):
        return replace(reading, control=DialogueAct.NO, candidates=())
    if reading.empty and not reading.candidates and find_topic_asked(reading.folded):
        return replace(reading, control=DialogueAct.HELP)
    return reading


def find_topic(reading: Reading) -> Topic | None:
    """Find what talk, or a call for help, is about."""
    if reading.topic is None and reading.control in {DialogueAct.CHITCHAT, DialogueAct.HELP}:
        return read_topic(reading.folded)
    if reading.control is DialogueAct.YES and reading.context.pending is None and resumes(reading.folded):
        return Topic.RESUMING
    return reading.topic


def _stretches(folded: str) -> list[str]:
    return [tidy for part in _STRETCH.split(folded) if (tidy := " ".join(part.split()))]


_BEGIN_ANEW = (DialogueAct.RESTART, DialogueAct.REOPEN, DialogueAct.UNDO)


@lru_cache(maxsize=8)
def _order(pending: str | None) -> tuple[DialogueAct, ...]:
    """Return the controls in the order in which they are tried: only a yes-or-no question can be left undecided."""
    if pending in ("authorize", "confirm"):
        return (*_BEGIN_ANEW, DialogueAct.STOP, DialogueAct.UNSURE, *_order("offer")[4:])
    if pending in _YES_OR_NO:
        return (
            *_BEGIN_ANEW,
            DialogueAct.STOP,
            DialogueAct.YES,
            DialogueAct.NO,
            DialogueAct.SKIP,
            DialogueAct.HELP,
            DialogueAct.CHITCHAT,
        )
    return (
        *_BEGIN_ANEW,
        DialogueAct.STOP,
        DialogueAct.SKIP,
        DialogueAct.NO,
        DialogueAct.CHITCHAT,
        DialogueAct.YES,
        DialogueAct.HELP,
    )


def _read_stretch(stretch: str, pending: str | None) -> DialogueAct | None:
    for tried in _trimmed(stretch):
        for control in _order(pending):
            if _SAYS[control].match(tried):
                return control
    return None


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
