"""Static analysis of a catalog: dependencies, attainable facts, dataflow, suggested mappings."""
