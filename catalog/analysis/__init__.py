"""What follows from a catalog alone: what leads to a goal, what can be attained, dataflow, suggested mappings."""
