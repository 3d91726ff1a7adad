"""Six small catalogs of other trades, with what people say to them."""
