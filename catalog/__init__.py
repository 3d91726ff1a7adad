"""What can be done: facts and their type tree, skills, goals; loading and checking them."""
