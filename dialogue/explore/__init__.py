"""Exploring what can happen: every outcome of every skill and every fate of every question, by the code that runs."""
