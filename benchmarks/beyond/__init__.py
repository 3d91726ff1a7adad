"""Two catalogs and requests to them: served, and just beyond what is served."""
