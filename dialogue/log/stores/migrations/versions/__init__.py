"""One script a version of the tables, in order. Scripts are never changed once they are released."""
