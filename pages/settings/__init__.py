"""Settings: what the operator can choose."""
