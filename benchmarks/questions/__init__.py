"""Questions about what happened: how many are answered to the point."""
