"""The frame that pages share: list, open, follow, explain with evidence, say what is wrong."""
