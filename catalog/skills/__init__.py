"""Skills as code: what they take and return, how an endpoint finds them, and how a result is checked."""

from catalog.skills.protocol import Picture, Result, SkillInput

__all__ = ["Picture", "Result", "SkillInput"]
