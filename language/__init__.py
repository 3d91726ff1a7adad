"""Words and meaning: what people say becomes an interpretation, and what the assistant says becomes words."""
