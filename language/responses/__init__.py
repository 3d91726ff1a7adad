"""Everything that the assistant and the pages say, by subject; functions take catalogs and plain values."""
