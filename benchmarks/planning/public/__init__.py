"""Tasks of public sets, which are not part of this repository: loaded from their published files, and solved."""
