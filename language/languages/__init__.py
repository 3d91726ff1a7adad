"""Languages that conversations can be held in. Another one is added by writing it into `LANGUAGES`."""

from __future__ import annotations

from language.languages.english import ENGLISH
from language.languages.protocol import Language

LANGUAGES: dict[str, Language] = {"en": ENGLISH}
"""Languages by their two-letter code (ISO 639-1)."""
