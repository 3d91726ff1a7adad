"""Load catalogs from YAML: every problem is reported at once, with its file, line and what to write instead."""

from catalog.load.loader import load, loads
from catalog.model.loaded import Loaded
