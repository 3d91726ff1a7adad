"""External planners, which are programs of their own: their processes, and their input format."""
