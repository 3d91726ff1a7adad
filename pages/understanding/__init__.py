"""Understanding: from a sentence to what would be done about it."""
