"""Measure what plans cost on average, with likelihoods of outcomes counted and without."""
