"""What planners that are programs of their own need: packages, limits, and their input format."""
