"""The shell around every page, and what all pages are drawn with."""
