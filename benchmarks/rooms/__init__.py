"""Rooms: how well what is said in them is understood."""
