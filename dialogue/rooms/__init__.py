"""Rooms: several people and bots in one conversation, under norms that are judged before anything is posted."""
