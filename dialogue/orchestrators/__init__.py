"""What chooses the next thing to do: one module an orchestrator, one registry."""
