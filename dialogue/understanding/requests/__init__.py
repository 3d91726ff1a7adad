"""Requests: what an utterance asks for, one after the other, each with its own arguments."""
