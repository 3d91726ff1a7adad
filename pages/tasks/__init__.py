"""Tasks: work that is planned in stages, followed live, supplied with what it lacks, and checked."""
