"""Tasks: what is handed over to be planned in stages, carried out and checked."""
