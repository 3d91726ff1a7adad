"""Diagnosis of unsolvable goals: minimal sets of gaps, such as withheld answers and missing skills."""
