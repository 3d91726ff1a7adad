"""Group chat: several people and bots in one room, under norms."""
