"""Ids of what is submitted: the same words on the same page are one, however often the browser sends them."""

from __future__ import annotations

import hmac
from hashlib import sha256
from secrets import token_bytes

_KEY = token_bytes(32)
"""Known to this process only: what is said cannot be found out from the id of its command."""


def command_of(*said: str) -> str:
    """Name a submission by everything that it consists of."""
    whole = "\0".join(said)
    return f"typed-{hmac.new(_KEY, whole.encode('utf-8', 'replace'), sha256).hexdigest()[:32]}"
