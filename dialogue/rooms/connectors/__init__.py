"""Connectors: what answers for a participant of a room that is no person. One module a kind."""
