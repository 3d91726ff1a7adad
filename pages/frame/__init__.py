"""The frame that pages share: list, open, follow, explain with evidence, say what is wrong.

A page declares the rows of its list, the panels of what is open and the questions of its cards.
"""
