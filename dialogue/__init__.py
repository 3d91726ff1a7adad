"""Conversations: the event log and its stores, state, dialogue moves, policy, execution, and the services."""
