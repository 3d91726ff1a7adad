"""Catalogs: facts and their type tree, skills and goals; loading, expanding and checking them."""
