"""What can be wrong with a catalog whose form is right: one module a family of faults."""
