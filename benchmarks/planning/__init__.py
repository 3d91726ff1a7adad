"""Measure planners side by side, on generated catalogs."""
