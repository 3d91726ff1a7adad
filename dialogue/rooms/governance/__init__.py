"""Governance: what the norms say of a message, and what they are after it; pure functions."""
