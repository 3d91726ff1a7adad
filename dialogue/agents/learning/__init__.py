"""What agents' orchestrators learn from people: its stream, the states folded from it, and replays."""
