"""Speed of this version against another one, measured side by side."""
