"""How well requests are understood: hand-written queries, all-or-nothing, beside what a paper reports of its own."""
