"""Checks of a well-formed catalog: errors and warnings, one module a family of problems."""
