"""Natural language understanding and generation: utterances to interpretations, and everything the assistant says."""

DEFAULT_LANGUAGE = "en"
"""The language of conversations that choose none: a key of `LANGUAGES` in `language.languages`."""
