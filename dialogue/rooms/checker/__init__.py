"""Norms are checked before anybody talks: all message sequences are walked, by classes of messages."""
