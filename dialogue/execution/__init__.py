"""Execution: steps of a plan are carried out, and their outcomes observed."""
