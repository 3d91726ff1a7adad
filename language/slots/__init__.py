"""Slots: the values in an utterance, each given to the request and the fact it belongs to."""
