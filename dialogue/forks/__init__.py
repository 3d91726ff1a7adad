"""Forks: a stream is gone on with from one of its entries, in memory, and nothing in the world is touched."""
