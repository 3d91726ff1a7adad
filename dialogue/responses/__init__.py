"""What the assistant says."""
