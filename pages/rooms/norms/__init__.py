"""Norms of a room: which were in force when, and what others would come to."""
