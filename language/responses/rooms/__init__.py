"""Everything that is said about rooms: who may speak, what was denied, and why."""
