"""Lexicon of names: which words can be part of a person's name, and which cannot."""

from __future__ import annotations

import re
import unicodedata

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
_NO_NAME = frozenset(
    """customer customers client clients buyer contact contacts person people guest member patient tenant profile
    record entry details info information data card file list database book account address email e-mail mail phone
    telephone tel cell mobile number numbers name names surname first last given family middle full update add edit
    change modify correct fix create register enter set put save store remove delete replace switch amend adjust
    onboard include insert new old existing current former latest additional extra another other others same regular
    important loyal home work office street city town january february march april may june july august september
    october november december monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday
    hi hello hey dear thanks thank cheers regards ok okay yes no not now asap pls please kindly quickly urgently
    cust jr sr ii iii iv junior senior who whose came come comes lady guy man woman gentleman friend neighbour neighbor
    sister brother cousin colleague boss wife husband son daughter mother father mom dad kid alert request requests
    called named goes moved moves lives changed changes wants uses needs has had got gets became married wrong right
    someone somebody anyone anybody everyone nobody following here there below attached via using with without from
    ask asked told says said should would could must his her their its my your our this that these those which who
    system software app application crm books record records mine yours him them us me it also then next
    plus and or but if as so to of for in on at by is are was were be been being do does did done""".split()
)
_ALSO_NAMES = frozenset(
    """will may mark bill grant rose april june august hope grace chase page price cook baker carpenter taylor marshall
    banks cash young long best day moon king hall wood park hill brook church summer autumn gardner""".split()
)
"""Names that are words too: with a capital of their own they are names."""


def can_be_named(word: str, taboo: frozenset[str], *, proud: bool = False) -> bool:
    """Return whether a word can be part of a name; `proud` words have a capital that no sentence gives them."""
    bare = re.sub(r"['’]s?$", "", fold(word)).strip(".")
    if proud and bare in _ALSO_NAMES:
        return True
    known = bare in _NO_NAME or bare in TITLES or bare in FUNCTION_WORDS or bare in FRAME_WORDS
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
