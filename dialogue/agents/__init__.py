"""Who acts: agents answer an event with a confidence, and an orchestrator chooses among them."""
