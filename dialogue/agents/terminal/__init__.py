"""A user's own shell in a pseudo-terminal, with agents that answer before and after each command."""
