"""Dialogue moves: what was understood is integrated into the state."""
