"""The page Explore: every outcome and every answer, explored."""
