"""How the product is laid out: sizes, folders, imports, and the files that one utterance runs through."""
