"""Text: words and clauses, spelling, masking of values, and vectors of what texts mean."""
