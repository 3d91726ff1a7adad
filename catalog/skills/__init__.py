"""Skills as code: what they take and return, and how a failure is described.

Nothing here needs a catalog, so kinds of endpoints can use it.
"""

from catalog.skills.protocol import (
    NO_EFFECT,
    UNKNOWN,
    File,
    Inputs,
    Picture,
    Result,
    Returnable,
    SkillInput,
    calling_with_key,
    given,
    idempotency_key,
    text_in,
)
