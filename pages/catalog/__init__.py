"""Catalog: what an assistant can do, as declared."""
