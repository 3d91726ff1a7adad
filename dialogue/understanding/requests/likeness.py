"""Likeness: whether words look like the name of a person, going by what they mean.

A name that is written without capitals, "owen tate", stands where any other word can stand: "customer phoned". What
tells them apart is their meaning: a few names and a few other words serve as examples, and what is compared is which
of them words are nearer to. No name is looked up anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dialogue.understanding.requests.encoder import Vectors, encode

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
    """Work out in which direction names are from other words."""
    return _middle(_NAMES) - _middle(_OTHERS)


def _middle(words: Sequence[str]) -> Vectors:
    mean: Vectors = encode(words).mean(axis=0)
    return mean / np.float32(np.linalg.norm(mean))


@lru_cache(maxsize=1_024)
def likeness(words: str) -> float:
    """Say how much nearer words are to names than to other words; above 0 they are likelier a name."""
    return float(encode([words.lower()[:_MOST]])[0] @ _direction())
