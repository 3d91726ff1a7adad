"""Algorithms for delete-free tasks, which the engines of our own are made of."""
