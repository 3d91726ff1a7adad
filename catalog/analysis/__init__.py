"""What follows from a catalog alone: dataflow between goals, attainable facts, suggested mappings."""
