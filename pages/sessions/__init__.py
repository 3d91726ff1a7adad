"""Sessions: every conversation on this machine."""
