"""Cheapest plans as mixed-integer programs."""
