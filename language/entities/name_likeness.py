"""What names of persons look like: which words are never one, and how much words sound like one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from language.text.encoder import Vectors, encode
from language.text.lazy_pattern import LazyPattern
from language.text.words import FRAME_WORDS, FUNCTION_WORDS, fold

TITLES = frozenset("mr mrs ms miss mx dr prof professor sir madam mister doctor".split())
PARTICLES = frozenset("van von der den de di da del dos du la le bin ibn al el o ter ten zu st".split())
COMPANY = frozenset(
    """farm farms labs tech technologies foods pizza motors auto media works market bistro grill coffee brewery dental
    clinic realty travel trading bros brothers sons society trust fund council center centre hospital pharmacy fitness
    gym spa boutique gallery winery landscaping roofing electric construction cleaning catering street avenue road lane
    inc llc ltd limited corp corporation co company gmbh plc group holdings partners associates bank bakery cafe
    restaurant shop store studio studios solutions systems services industries enterprises agency salon garage hotel
    school university church club foundation logistics plumbing consulting team department""".split()
)
NO_NAME = frozenset(
    """customer customers client clients buyer contact contacts person people guest member patient tenant profile record
    entry details info information data card file list database book account address email e-mail mail phone telephone
    tel cell mobile number numbers name names surname last given family middle full update add edit change modify
    correct fix create register enter set put save store remove delete replace switch amend adjust onboard include
    insert old existing current former latest additional extra other others same regular important loyal home work
    office street city town january february march april june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday tomorrow yesterday cheers regards asap pls kindly quickly urgently
    cust jr sr ii iii iv junior senior came come comes lady guy man woman gentleman friend neighbour neighbor sister
    brother cousin colleague boss wife husband son daughter mother father mom dad kid alert requests called named goes
    moved moves lives changed changes uses gets became married wrong right someone somebody anyone anybody everyone
    nobody following below attached via using without asked told says said system software app crm books records next
    plus""".split()
)
ALSO_NAMES = frozenset(
    """jan will may mark bill grant rose april june august
    hope grace chase page price cook baker carpenter taylor marshall
    banks cash young long best day moon king hall wood park hill brook church summer autumn gardner""".split()
)
"""Names that are words too: with a capital of their own they are names."""


_WORD = r"[^\W\d_a-z][^\W\d_'’.-]*(?:['’.-][^\W\d_]+)*\.?"
_NAME = LazyPattern(rf"{_WORD}(?:[ \t]+(?:(?:{'|'.join(sorted(PARTICLES))})[ \t]+)*{_WORD}){{0,4}}")


def end_of_name(text: str, start: int, *, least: int) -> int:
    """Return where a name that begins here ends; nothing where it has fewer words than `least`: "I'm German"."""
    match = _NAME.match(text, start)
    if match is None or len(match.group().split()) < least:
        return start
    return match.end() - (match.group()[-1:] == "." and re.search(r"\b\w\.\Z", match.group()) is None)


def can_be_named(word: str, taboo: frozenset[str], *, proud: bool = False) -> bool:
    """Return whether a word can be part of a name; `proud` words have a capital that no sentence gives them."""
    bare = re.sub(r"['’]s?$", "", fold(word)).strip(".")
    if proud and bare in ALSO_NAMES:
        return True
    known = bare in NO_NAME or bare in TITLES or bare in FUNCTION_WORDS or bare in FRAME_WORDS
    initial = word.endswith(".") and len(bare) == 1
    return not known and ((initial and word[0].isupper()) or (len(bare) > 1 and bare not in taboo))


def plain(word: str) -> str:
    """Write a word in small letters without accents, as in addresses."""
    letters = unicodedata.normalize("NFKD", fold(word))
    return "".join(char for char in letters if char.isalpha() and char < "\x7f")


def is_upper(word: str) -> bool:
    """Return whether a word begins with a capital: "Ann", "d'Angelo"."""
    elided = re.match(r"[^\W\d_]{1,3}['’-](?P<next>[^\W\d_])", word)
    return (elided is not None and elided["next"].isupper()) or word[:1].isupper()


_NAMES = (
    *"anna james maria ahmed chen olga pedro yuki john smith garcia kowalski nguyen okafor jensen rossi khan".split(),
    *("anna smith", "pedro garcia", "ahmed khan", "olga kowalski", "yuki chen", "james o'neill"),
)
_OTHERS = (
    *"""alert moved requests portal billing emailed sent update name new phone profile wants shop friend lady today
    called changed different number list again quickly service manager invoice phoned lives married relocated the about
    with because yesterday bakery farm street city company loyal loyalty regular vip premium""".split(),
    *("has moved", "billing address", "phone number", "green valley farm", "new number", "best friend", "main street"),
    *("corner bakery", "loyalty card", "called again", "changed phones"),
)
_MOST = 60
"""Characters that are looked at: no name is longer."""


@lru_cache(maxsize=1)
def _direction() -> Vectors:
    return _middle(_NAMES) - _middle(_OTHERS)


def _middle(words: Sequence[str]) -> Vectors:
    mean: Vectors = encode(words).mean(axis=0)
    return mean / np.float32(np.linalg.norm(mean))


@lru_cache(maxsize=1_024)
def name_likeness(words: str) -> float:
    """Return how much nearer words are to names than to other words; above 0 they are likelier a name."""
    return float(encode([words.lower()[:_MOST]])[0] @ _direction())


TITLE = LazyPattern(rf"\b(?:{'|'.join(sorted(TITLES))})\b\.?\s+", re.IGNORECASE)


def looks_like_a_name(words: str) -> bool:
    """Return whether words may be a person's name: none of them names no one, and together they sound like one."""
    said = TITLE.sub("", words).split()
    own = [word for word in said if word.lower() not in PARTICLES]
    proud = all(map(is_upper, own))
    return (
        bool(own)
        and all(can_be_named(w, frozenset(), proud=proud) for w in own)
        and (proud or name_likeness(words) > 0)
    )
