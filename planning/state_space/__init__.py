"""State spaces: everything that can happen, walked breadth first, and the ways through what was walked."""
