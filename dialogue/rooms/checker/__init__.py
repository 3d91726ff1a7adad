"""Norms are checked before a room opens: all message sequences are walked, by classes of messages."""
