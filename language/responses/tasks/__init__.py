"""What is said of tasks: what is missing, what was checked, and the results."""
