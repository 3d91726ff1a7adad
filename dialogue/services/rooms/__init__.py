"""Rooms behind the services, and the bots in them."""
