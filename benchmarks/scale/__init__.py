"""Many people at once, on one and two processes and on both stores."""
