"""English, the language that the product comes with."""

from __future__ import annotations

from explain import explain_in_words
from language.acts.speech_acts import read_told
from language.languages.protocol import Language
from language.readers import read_as
from language.understanding import UNDERSTANDERS

ENGLISH = Language(
    label="English",
    understanders=UNDERSTANDERS,
    read_answer=read_told,
    read_as=read_as,
    explain_in_words=explain_in_words,
)
