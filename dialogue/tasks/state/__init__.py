"""What a task is: what happened to it, what it asks for, and the state that follows from both."""
