"""Entities: where in a text values stand, and which fact they are for."""
