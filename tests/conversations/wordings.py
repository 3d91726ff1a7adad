# ruff: noqa: E501 - wordings are kept as people type them
"""How people type what asks for nothing, gives nothing and agrees to nothing: lists that the product does not read.

`{a}`, `{the}` and `{it}` are a request ("a loan", "the loan", "loan"), `{v}` a value, `{fact}` something sensitive and
`{whom}` who would get it, each as people call it; `{x}` is another request.
"""

from __future__ import annotations

REFUSALS = (
    "no {it} please", "I don't want {a}", "I do not want {a}, thank you", "please don't start {a}", "not {a}, really",
    "I never asked for {a}", "forget {the}", "no {it} for me", "I'm not interested in {a}", "keep your {it}",
    "I don't need {a}", "no need for {a}", "I'd rather not have {a}", "we don't want {a} any more", "spare me {the}",
    "i dont want {a}", "absolutely no {it}", "Please, no {it}!", "thanks but no {it}", "I'm not looking for {a}",
    "I no longer want {a}", "I really don't need {a} right now", "I won't take {a}", "enough of {the}",
    "you can keep {the}", "skip {the}", "ok no {it}", "sure no {it}", "yes definitely no {it}", "fine, no {it}", "I've decided against {the}", "cancel {the}", "drop {the}, please",
    "leave {the} alone", "I don't wish to have {a}", "never mind {the}", "no thanks, no {it}",
)  # fmt: skip
REFUSALS_BESIDE = (
    "{x}, but no {it}", "{x}, no {it} please", "{x} and not {a}", "{x}. I don't want {a}.", "I don't want {a}, {x}",
    "no {it}, just this: {x}", "{x}, but please no {it}", "{x} - no {it} though", "no {it}! {x}", "{x}, not {a}",
    "please no {it}, {x}", "I'm not interested in {a}. {x}", "{x}, I don't need {a}", "{x} but don't start {a}",
    "{x} instead of {a}", "{x} rather than {a}", "forget {the}, {x}", "{x}, without {a}", "{x}; no {it} today",
    "I said no {it}. {x}", "{x}, and keep your {it}", "{x} but I do not want {a}", "no need for {a}, {x}",
    "not {a}. {x}", "{x}, definitely no {it}", "i dont want {a} i want this: {x}",
)  # fmt: skip
DOUBTS = (
    "not sure", "I'm not sure", "hmm", "maybe", "maybe later", "let me think", "let me think about it",
    "I need to think it over", "I don't know yet", "hard to say", "I'd have to ask my wife first",
    "can I decide tomorrow?", "give me a minute", "I guess", "perhaps", "possibly, I'd like to sleep on it",
    "I'm in two minds", "not right now", "ask me later", "it depends", "I can't decide", "uhh dunno",
    "I haven't made up my mind", "one moment", "I'm a bit hesitant", "yes and no", "I'm torn", "well... maybe not yet",
    "I want to think first", "no idea", "I'd need more time", "yeah right", "we'll see",
)  # fmt: skip
SUPPOSITIONS = (
    "what if it were {v}?", "suppose it was {v}", "what if I said {v} instead?", "and if it was {v}?",
    "assuming {v}, what would happen?", "imagine it's {v}", "let's say {v}, would that change anything?",
    "hypothetically, {v}?", "what would happen with {v}?", "if I told you {v}, would that be better?",
    "supposing I went for {v}?", "just hypothetically: what if {v}", "would it be different with {v}?",
    "what would change if it were {v}?", "in theory, if it were {v}", "say it was {v}, what then?",
    "If it was {v} would you say the same?", "what if I had said {v}", "would {v} make a difference?",
    "let us assume {v} for a moment", "what would you do with {v}?", "if only it were {v}",
    "what happens if I put {v}?", "had I said {v}, would it be quicker?", "what if we made it {v}?",
    "theoretically speaking, with {v}?", "imagine I had said {v}",
)  # fmt: skip
QUESTIONS = (
    "is {v} possible?", "would {v} do as well?", "is {v} better?", "why not {v}?", "does {v} cost more?",
    "do people usually say {v}?", "is {v} too much to ask?", "how is {v} different?", "could it also be {v}?",
    "is {v} allowed?", "and is {v} an option?", "do you recommend {v}?", "would {v} be okay too?", "is {v} normal?",
    "are there problems with {v}?", "isn't {v} nicer?", "would {v} be faster?", "who takes {v}?",
    "does it matter whether it's {v}?", "is it true that {v} is better?", "can you also do {v}?",
    "what about the drawbacks of {v}?", "I wonder if {v} would work", "do you ever get {v}?", "would {v} have been wiser?",
    "just curious, is {v} common?", "how often do people choose {v}?", "is there any advantage in {v}?",
)  # fmt: skip
HEDGED = (
    "yes, but would {v} be better?", "ok, though is {v} possible?", "sure, if it were {v}?", "yes... or is {v} wiser?",
    "fine, but why not {v}?", "yes, although what if it were {v}?", "yeah, is {v} an option too?",
    "ok but how about the price of {v}?", "yes, wait, would {v} be cheaper?", "yes? is {v} not more usual?",
    "alright, but does {v} cost less?", "yes, unless {v} is possible?", "go ahead, or would {v} be smarter?",
    "yes but what happens with it?", "ok, and who gets to see it?", "sure, but is that safe?",
    "yes, if my wife agrees", "ok, but I'm not sure", "yes, I think, maybe", "yes, but can I still change it later?",
    "yep, is it worth it though?", "okay... do I have to?", "yes, but what if I change my mind?",
    "fine, assuming it's free?", "yes, is it really needed?",
)  # fmt: skip
TAKINGS_BACK = (
    "I withdraw my consent", "actually no, do not give it to {whom}", "don't share my {fact}", "I take back my permission",
    "please don't send my {fact} to {whom}", "on second thought, don't ask {whom}", "I changed my mind, don't share it",
    "keep my {fact} to yourself", "stop, don't pass it on", "I don't want {whom} to see my {fact}",
    "you may not use my {fact}", "I no longer agree to that", "revoke my consent please", "don't let {whom} have it",
    "I never want my {fact} to be shared", "do not forward my {fact} to anyone", "leave {whom} out of it",
    "I'd rather you didn't ask {whom}", "please do not contact {whom}", "I don't agree to sharing my {fact} any more",
    "no longer share my {fact} with {whom}", "I regret agreeing to that", "cancel my permission", "nothing goes to {whom}",
    "you're not allowed to give {whom} my {fact}", "I don't feel comfortable sharing my {fact} with {whom}",
    "hang on, i dont want my {fact} sent anywhere", "I want my consent withdrawn", "not to {whom}, please",
    "don't hand it over to {whom}", "please don't tell {whom} anything", "my {fact} is private, don't pass it on",
)  # fmt: skip
ALLOWANCES = (
    "actually yes, you can ask {whom}", "you may ask {whom} after all", "ok, go ahead and ask {whom}",
    "I agree to that now, ask {whom}", "it's fine, you can send my {fact} to {whom}",
    "you have my permission to ask {whom}", "feel free to share my {fact} with {whom}",
    "alright then, give it to {whom}", "I changed my mind, you can use my {fact}", "let {whom} have my {fact}",
)  # fmt: skip
RESTARTS = (
    "start over", "start again", "let's start over", "can we start over?", "start from the beginning", "begin again",
    "let's begin anew", "I want to start from scratch", "restart", "please restart", "start afresh",
    "can we begin from the start?", "do it all over again", "from the top please", "let's do this again from the start",
    "reset", "reset everything", "start all over", "I'd like to start again", "start the whole thing again",
    "let us go back to the beginning", "back to square one", "scrap that and start over", "begin from scratch",
    "could we restart this?", "start anew please",
)  # fmt: skip
RETURNS = (
    "go back", "go back please", "back", "previous question", "can we go back one step?", "one step back",
    "let me change my last answer", "I want to change my previous answer", "go back to the last question", "step back",
    "the last answer was wrong", "my last answer was a mistake", "take me back", "let's go back", "back one please",
    "could I correct my last answer?", "go to the previous question", "I answered that wrong", "can I redo the last one?",
    "return to the previous question", "I made a mistake in my last answer", "back up a step",
    "I'd like to go back", "please go back one", "let me redo my last answer",
)  # fmt: skip
UNDOINGS = (
    "undo", "undo that", "undo that please", "can you undo that?", "revert that", "take that back", "I take that back",
    "please undo the last step", "undo it", "reverse that", "undo what you just did", "could you undo this?",
    "roll that back", "roll it back", "I want to undo that", "can we undo the last thing?", "undo my last answer",
    "please revert it", "undo the last action", "take back what I said", "undo that, would you",
    "I'd like that undone", "undo everything you just did", "reverse the last step",
)  # fmt: skip
REMARKS = (
    "my sister says trains are nicer", "hi there", "it's raining here", "I was told this would be quick",
    "my neighbour had the same thing last year", "that is a funny question", "you ask a lot of questions",
    "my brother always does this for me", "why do you want to know that?", "nobody ever asked me that before",
    "I hate forms", "my kids love your logo", "I have been waiting for ages", "is this going to take long?",
    "the lady on the phone was friendlier", "we moved last spring", "do you speak Spanish?", "I am on my lunch break",
    "what happens with my answer?", "they said it would be free", "people keep telling me different things",
    "my wife thinks it's a bad idea", "he never tells me anything", "can I do this by phone?",
    "the weather was better last week", "I like your website", "that doesn't seem right",
)  # fmt: skip
