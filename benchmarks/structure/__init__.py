"""Structure metrics: sizes, folders, imports, and the files that one utterance runs through."""
