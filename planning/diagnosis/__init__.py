"""What would help where nothing works: gaps, the minimal sets of them that would do, and the skills that nobody has."""
