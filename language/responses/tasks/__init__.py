"""What is said of tasks: what is missing, what was checked, and what became of it."""
