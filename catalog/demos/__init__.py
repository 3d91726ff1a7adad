"""The demo catalogs and rooms that come with Planglass, with their skills and bots."""
