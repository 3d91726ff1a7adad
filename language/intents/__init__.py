"""Intents: the requests in an utterance, each with the goal of the catalog that it asks for."""
