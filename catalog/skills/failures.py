"""Descriptions of failures that are safe to log: without messages, which may contain personal values."""

from __future__ import annotations

import traceback


def describe_trouble(error: BaseException) -> str:
    """Return the type of an error and where it was raised, without its message: that may hold anybody's value."""
    return f"{type(error).__name__}\n{''.join(traceback.format_tb(error.__traceback__))}"
