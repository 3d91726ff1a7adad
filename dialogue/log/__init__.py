"""Event sourcing: streams of typed events, the journal that appends to them, and the stores that keep them."""
