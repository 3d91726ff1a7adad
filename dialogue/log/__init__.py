"""The event log: typed events, the journal that appends them, and the stores that keep them."""
