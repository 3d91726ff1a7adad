"""How things are put in words: rules of English, and what is said of values."""
