"""Simulated users: how much each orchestrator loses against one that knows what they want."""
