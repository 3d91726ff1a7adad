"""Accuracy of understanding: hand-written queries, all-or-nothing, beside the results that a paper reports."""
