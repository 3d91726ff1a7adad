"""Hierarchical task splitting: a task that is too big for one plan, its stages, and every hypothesis on the way."""
