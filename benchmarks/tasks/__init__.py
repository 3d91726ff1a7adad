"""How the hierarchical search does on tasks that are made up: what it says is missing, and how long it takes."""
