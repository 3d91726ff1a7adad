"""Assistant: talk, and watch how the answer is composed."""
