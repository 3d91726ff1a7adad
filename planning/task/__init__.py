"""The planning task: a catalog, a situation and a goal compiled to operators over integers."""
