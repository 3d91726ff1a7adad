"""The wrapped shell: its hooks, the marks that they write, what passes between, and the pseudo-terminal."""
