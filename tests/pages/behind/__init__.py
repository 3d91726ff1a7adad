"""Two processes behind one address: the proxies that stand before them, and what the assistant does there."""
