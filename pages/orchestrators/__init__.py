"""The page Orchestrators: who was asked, who acts, why, and what was learned from it."""
