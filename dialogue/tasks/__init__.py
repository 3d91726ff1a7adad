"""Tasks: what somebody hands over to be planned in stages, carried out and checked."""
