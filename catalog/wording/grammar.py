"""Small rules of English, over plain text: articles, possessives, lists, plurals, quotation.

Labels and quoted words come from catalogs, skills and people. They are data: they are cleaned of control characters,
shortened, and never read as markup.
"""

from __future__ import annotations

import re
import unicodedata

_DETERMINERS = frozenset(
    "a an the your my our his her its their this that these those all any each every some no".split()
)
_CLAUSES = frozenset("whether what how which who when where why if".split())
_VERBS = frozenset(
    "add analyse analyze approve assess book build buy calculate call check choose classify compare compute convert "
    "create decide detect draw estimate evaluate extract fetch file fill find generate get give identify infer look "
    "lookup make notify open order parse pay plan plot predict process produce query rank read recommend register "
    "report request reserve retrieve run score search select send show submit summarise summarize take tell translate "
    "update validate verify visualise visualize write".split()
)
_PREPOSITION = re.compile(r" (?:of|in|on|at|for|from|to|with|by) ")
_SPELT_LIKE_VOWELS = frozenset("AEFHILMNORSX")
_SOUNDS_LIKE_YOU = ("uni", "use", "usa", "usu", "uti", "eu", "ewe", "one", "once", "ura", "uro")
_NEGATIVES = ("unin", "unim", "unid")
"""“Uninsured” begins as “unit” does, and sounds otherwise."""
_SILENT_H = ("hour", "honest", "honour", "honor", "heir")
_SINGULAR_ENDINGS = ("ss", "us", "is", "news", "series")
_BIDI = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LONGEST_LABEL = 80
_LONGEST_CLAUSE = 300
_LONGEST_QUOTE = 160
_UNITS = ((120, 1, "s"), (7_200, 60, "min"), (172_800, 3_600, "h"))
_TELLING = 4
"""Characters from which words are recognized inside others."""


def clean(text: str, limit: int = _LONGEST_LABEL) -> str:
    """Put text on one line, without control or direction-changing characters, and shorten it to `limit` characters."""
    visible = "".join(
        " " if unicodedata.category(c) in {"Cc", "Zl", "Zp", "Cs"} else c for c in text[: 4 * limit] if c not in _BIDI
    )
    line = " ".join(visible.split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def capitalize(text: str) -> str:
    """Begin with a capital letter, and leave the rest as it is (`str.capitalize` would spoil names)."""
    return text[:1].upper() + text[1:]


def end(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def is_determined(label: str) -> bool:
    """Return whether a label takes no article: it begins with a determiner, or is a clause ("whether you smoke")."""
    return label.split(" ", 1)[0].lower() in _DETERMINERS or is_clause(label)


def is_clause(label: str) -> bool:
    """Return whether a label is a clause ("what you owe") and no noun; a lone word, or capitals (WHO), are not."""
    first, _, rest = label.partition(" ")
    return bool(rest) and first.lower() in _CLAUSES and not first.isupper()


def takes_your(label: str) -> bool:
    return your(label) == f"your {label}"


def your(label: str) -> str:
    """Say whose it is: "your loan amount"; a label that brings its own determiner, or says it inside, keeps it."""
    first, _, rest = label.partition(" ")
    if first.lower() == "my" and rest:
        return f"your {rest}"
    if " your " in label or label.endswith("?"):
        return the(label)
    return label if is_determined(label) else f"your {label}"


def the(label: str) -> str:
    """Put the definite article: "the loan result"; a label that brings its own keeps it, one that asks is quoted."""
    if label.endswith("?"):
        return f"the answer to {quote(label)}"
    return label if is_determined(label) else f"the {label}"


def named_skill(label: str) -> str:
    """Name a skill in a sentence: "the credit bureau"; one that begins with a verb, so: "the skill “get score”"."""
    begins_with_verb = " " in label and label.split(" ", 1)[0].lower() in _VERBS
    return f"the skill {quote(label)}" if begins_with_verb else the(label)


def a(label: str) -> str:
    """Put the indefinite article by sound: "a plot", "an SSN", "an hour", "a user name"; none before a plural."""
    if label.endswith("?"):
        return the(label)
    if is_determined(label) or is_plural(label):
        return label
    first = label.split(" ", 1)[0]
    low = first.lower()
    if len(first) > 1 and first.isupper():
        vowel = first[0] in _SPELT_LIKE_VOWELS
    elif first[:1].isdigit():
        vowel = first.startswith("8") or re.match(r"1[18](?!\d)", first) is not None
    else:
        sounds_like_you = low.startswith(_SOUNDS_LIKE_YOU) and not low.startswith(_NEGATIVES)
        vowel = low.startswith(_SILENT_H) or (low[:1] in "aeiou" and not sounds_like_you)
    return f"{'an' if vowel else 'a'} {label}"


def is_plural(label: str) -> bool:
    """Guess whether a label names several things, by its head noun: "years in your job", but not "address"."""
    head = _PREPOSITION.split(label, maxsplit=1)[0].rsplit(" ", maxsplit=1)[-1].lower()
    return len(head) > 2 and not is_clause(label) and head.endswith("s") and not head.endswith(_SINGULAR_ENDINGS)


def be(label: str) -> str:
    return "are" if is_plural(label) else "is"


def it(label: str) -> str:
    return "them" if is_plural(label) else "it"


def count(number: float, one: str, many: str | None = None) -> str:
    return f"{number:,g} {one}" if number == 1 else f"{number:,.10g} {many or one + 's'}"


def say_time(seconds: float) -> str:
    for most, length, unit in _UNITS:
        if seconds < most:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds / 86_400:.0f} days"


def separators(count: int, word: str = "and") -> tuple[str, ...]:
    """List what goes before each of `count` items in a row: nothing, commas, and the word before the last."""
    return tuple("" if i == 0 else f" {word} " if i == count - 1 else ", " for i in range(count))


def listing(items: tuple[str, ...], word: str = "and") -> str:
    return "".join(before + item for before, item in zip(separators(len(items), word), items, strict=True))


def quote(text: str, limit: int = _LONGEST_QUOTE) -> str:
    """Quote words; quotation marks inside become single ones, so that the quotation ends where it ends."""
    inner = clean(text, limit).translate({ord("“"): "‘", ord("”"): "’", ord('"'): "’"})
    return f"“{inner}”"


def quoted_sentence(text: str) -> str:
    inner = quote(text, 500)
    return inner if inner[-2] in ".!?…" else f"{inner}."


def as_clause(text: str) -> str:
    return clean(text, _LONGEST_CLAUSE).rstrip(" .!")


def signed(weight: float) -> str:
    """Write a weight with its sign and two decimals; more where it would read as zero."""
    if weight == 0:
        return "0"
    size = f"{abs(weight):.2f}" if abs(weight) >= 0.005 else f"{abs(weight):.1g}"
    return f"{'−' if weight < 0 else '+'}{size}"


def repeats(text: str, words: str) -> bool:
    """Return whether a text holds some words, in any spacing and punctuation; short ones only as whole words."""
    wanted = _split(words)
    joined = "".join(wanted)
    if len(joined) >= _TELLING:
        return joined in "".join(_split(text))
    return bool(joined) and joined in _split(text)


def _split(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.casefold()).split()
