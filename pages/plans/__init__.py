"""Plans: every plan of a conversation, and what the planner was given."""
